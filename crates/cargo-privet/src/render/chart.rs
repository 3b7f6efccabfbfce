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

/// The same as a drawing of steps, for a page. Its words are said beside it.
pub fn svg(values: &[Option<f64>]) -> String {
    const HEIGHT: f64 = 56.0;
    const STEP: f64 = 24.0;
    let top = values.iter().flatten().copied().fold(0.0, f64::max);
    let y = |value: f64| {
        let share = if top > 0.0 { value / top } else { 0.0 };
        HEIGHT - 4.0 - share * (HEIGHT - 8.0)
    };
    let mut path = String::new();
    let mut dots = String::new();
    let mut pen = "M";
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            pen = "M";
            continue;
        };
        let (x, y) = (STEP * (at as f64 + 0.5), y(*value));
        let _ = write!(path, "{pen}{x:.1} {y:.1} ");
        let _ = write!(dots, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>");
        pen = "L";
    }
    let width = STEP * values.len().max(1) as f64;
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\" \
         aria-hidden=\"true\"><path d=\"{}\" fill=\"none\"/>{dots}</svg>",
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
        assert!(svg(&[Some(1.0), None, Some(1.0)]).contains("M12.0 4.0 M60.0 4.0"));
    }
}
