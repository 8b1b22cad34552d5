//! The arrival curve of a scene, as SVG.

use std::fmt::Write as _;

/// The curve is 260 × 90 units large, with a margin for its labels.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 90.0;
const LEFT: f64 = 30.0;
const BOTTOM: f64 = 16.0;
const TOP: f64 = 6.0;

/// What a curve shows.
pub(super) struct Curve<'a> {
    /// The ticks at which units arrived, and gave up; both sorted.
    pub(super) arrivals: &'a [u64],
    pub(super) give_ups: &'a [u64],
    /// The number of units that should arrive.
    pub(super) units: usize,
    /// The length of the scene, in ticks.
    pub(super) ticks: u64,
}

impl Curve<'_> {
    /// The share of units that have arrived, and of units that gave up, over time.
    pub(super) fn svg(&self) -> String {
        let mut svg =
            format!("<svg class=curve viewBox='0 0 {WIDTH} {HEIGHT}' role=img aria-label='arrivals'>");
        for (share, label) in [(0.0, "0"), (0.5, "50"), (1.0, "100 %")] {
            let y = height(share);
            // Writing to a `String` cannot fail.
            let _ = write!(svg, "<path class=grid d='M{LEFT} {y:.1}H{WIDTH}'/>");
            let _ =
                write!(svg, "<text x='{:.0}' y='{:.1}' text-anchor=end>{label}</text>", LEFT - 3.0, y + 3.0);
        }
        let last = HEIGHT - 3.0;
        let _ = write!(svg, "<text x='{LEFT}' y='{last}'>0</text>");
        let _ = write!(svg, "<text x='{WIDTH}' y='{last}' text-anchor=end>{} ticks</text>", self.ticks);
        for (class, ticks) in [("up", self.give_ups), ("in", self.arrivals)] {
            if !ticks.is_empty() {
                let _ = write!(svg, "<path class={class} d='{}'/>", self.steps(ticks));
            }
        }
        svg.push_str("</svg>");
        svg
    }

    /// A line that rises by one unit at each tick of the list.
    fn steps(&self, ticks: &[u64]) -> String {
        let mut line = format!("M{LEFT} {:.1}", height(0.0));
        let mut number = 0;
        for same in ticks.chunk_by(|a, b| a == b) {
            number += same.len();
            let x = LEFT + (WIDTH - LEFT) * same[0] as f64 / self.ticks.max(1) as f64;
            let _ = write!(line, "H{x:.1}V{:.1}", height(number as f64 / self.units.max(1) as f64));
        }
        let _ = write!(line, "H{WIDTH}");
        line
    }
}

/// The height of a share of units on the curve.
fn height(share: f64) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)
}
