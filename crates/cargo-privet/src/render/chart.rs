//! Small charts: eight heights in a terminal, a line on a page.

use core::fmt::Write;

/// The heights of a terminal's chart.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A line of bars, the highest of them full; a gap where there is no value.
pub fn sparkline(values: &[Option<f64>]) -> String {
    let top = values.iter().flatten().copied().fold(0.0, f64::max);
    let bar = |value: &Option<f64>| match value {
        Some(value) if top > 0.0 => {
            let height = (value / top * 7.0).round().clamp(0.0, 7.0);
            BARS[height as usize]
        }
        Some(_) => BARS[0],
        None => ' ',
    };
    values.iter().map(bar).collect()
}

/// The same as steps above a line at zero, for a page: a price holds until it is changed. `highest` is
/// written at the top.
pub fn svg(values: &[Option<f64>], highest: &str) -> String {
    const HEIGHT: f64 = 96.0;
    const LEFT: f64 = 112.0;
    let step = (360.0 / values.len().max(1) as f64).clamp(24.0, 72.0);
    let top = values.iter().flatten().copied().fold(0.0, f64::max);
    let y = |value: f64| {
        let share = if top > 0.0 { value / top } else { 0.0 };
        HEIGHT - 6.0 - share * (HEIGHT - 12.0)
    };
    let mut path = String::new();
    let mut dots = String::new();
    let mut begins = true;
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            begins = true;
            continue;
        };
        let (x, y) = (LEFT + step * (at as f64 + 0.5), y(*value));
        let _ = if begins {
            write!(path, "M{x:.1} {y:.1} ")
        } else {
            write!(path, "H{x:.1} V{y:.1} ")
        };
        let _ = write!(dots, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        begins = false;
    }
    let width = LEFT + step * values.len().max(1) as f64;
    let (zero, left) = (y(0.0), LEFT - 8.0);
    // Not higher than all of it where every price is nothing.
    let highest = if top > 0.0 { highest } else { "" };
    let highest = highest.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {width:.1} {HEIGHT}\" width=\"{width:.1}\" height=\"{HEIGHT}\" \
         aria-hidden=\"true\"><path class=\"zero\" d=\"M{LEFT} {zero} H{width:.1}\"/>\
         <text x=\"{left}\" y=\"{zero}\" dy=\"4\">0</text><text x=\"{left}\" y=\"6\" dy=\"5\">{highest}</text><path d=\"{}\" fill=\"none\"/>{dots}</svg>",
        path.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_is_full_and_a_gap_is_blank() {
        assert_eq!(sparkline(&[Some(0.0), Some(1.0), None, Some(2.0)]), "▁▅ █");
        assert_eq!(sparkline(&[Some(0.0)]), "▁");
        assert!(svg(&[Some(2.0)], "ε < 2").contains(">ε &lt; 2</text>"));
        // A gap ends the line, and a price holds until the next one.
        assert!(svg(&[Some(1.0), None, Some(1.0)], "").contains("\"M148.0 6.0 M292.0 6.0\""));
        assert!(svg(&[Some(2.0), Some(1.0)], "").contains("\"M148.0 6.0 H220.0 V48.0\""));
    }
}
