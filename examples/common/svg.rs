//! Charts small enough to write by hand.

use std::fmt::Write;
use std::path::PathBuf;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 50.0;
pub const COLOURS: [&str; 6] = [
    "#1b6ca8", "#d1495b", "#2e933c", "#edae49", "#6a4c93", "#3d3d3d",
];

/// A chart of points and lines over a range of x and y.
pub struct Chart {
    x: (f64, f64),
    y: (f64, f64),
    body: String,
    legend: usize,
}

impl Chart {
    pub fn new(title: &str, x: (f64, f64), y: (f64, f64)) -> Self {
        let mut chart = Chart {
            x,
            y,
            body: String::new(),
            legend: 0,
        };
        chart.text(WIDTH / 2.0, 24.0, "middle", "#222", title);
        for i in 0..=4 {
            let share = f64::from(i) / 4.0;
            let (vx, vy) = (x.0 + share * (x.1 - x.0), y.0 + share * (y.1 - y.0));
            let (px, py) = chart.place(vx, vy);
            let digits = |low: f64, high: f64| usize::from(high - low < 20.0) * 2;
            let (dx, dy) = (digits(x.0, x.1), digits(y.0, y.1));
            let _ = writeln!(
                chart.body,
                r##"<path d="M{MARGIN} {py:.1}H{} M{px:.1} {MARGIN}V{}" stroke="#eee"/>"##,
                WIDTH - MARGIN,
                HEIGHT - MARGIN
            );
            chart.text(px, HEIGHT - 30.0, "middle", "#666", &format!("{vx:.dx$}"));
            chart.text(MARGIN - 6.0, py + 4.0, "end", "#666", &format!("{vy:.dy$}"));
        }
        chart
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let part = |v: f64, (low, high): (f64, f64)| ((v - low) / (high - low)).clamp(-0.1, 1.1);
        (
            MARGIN + part(x, self.x) * (WIDTH - 2.0 * MARGIN),
            HEIGHT - MARGIN - part(y, self.y) * (HEIGHT - 2.0 * MARGIN),
        )
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, colour: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="{colour}">{text}</text>"#
        );
    }

    /// A line in the legend.
    pub fn legend(mut self, colour: usize, text: &str) -> Self {
        let y = MARGIN + 16.0 + 18.0 * self.legend as f64;
        self.legend += 1;
        self.text(WIDTH - MARGIN - 6.0, y, "end", COLOURS[colour], text);
        self
    }

    /// Dots of a radius.
    pub fn dots(
        mut self,
        colour: usize,
        radius: f64,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        for (x, y) in points {
            let (x, y) = self.place(x, y);
            let _ = writeln!(
                self.body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{}"/>"#,
                COLOURS[colour]
            );
        }
        self
    }

    /// A line through points.
    pub fn line(mut self, colour: usize, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut path = String::new();
        for (x, y) in points {
            let (x, y) = self.place(x, y);
            let step = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{step}{x:.1} {y:.1}");
        }
        let _ = writeln!(
            self.body,
            r#"<path d="{path}" fill="none" stroke="{}" stroke-width="2"/>"#,
            COLOURS[colour]
        );
        self
    }

    /// A dashed level across the chart.
    pub fn level(mut self, colour: usize, y: f64) -> Self {
        let (left, height) = self.place(self.x.0, y);
        let (right, _) = self.place(self.x.1, y);
        let _ = writeln!(
            self.body,
            r#"<path d="M{left:.1} {height:.1}H{right:.1}" stroke="{}" stroke-dasharray="4 4"/>"#,
            COLOURS[colour]
        );
        self
    }

    /// Writes the chart under `target/gallery`.
    pub fn save(self, file: &str) -> PathBuf {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        );
        super::write(file, &svg)
    }
}
