//! The plots of the page, as SVG.

use std::fmt::Write as _;

use super::Compared;

/// A plot is 640 × 300 units large, with margins for its labels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 34.0;

/// At most 400 points of a planner are drawn: more hide each other.
const MOST_POINTS: usize = 400;

/// Colours that differ for most eyes, one for each planner in turn.
const COLOURS: [&str; 10] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888", "#ee7733", "#332288",
    "#117733",
];

/// The colour of planner number `at`.
pub(super) fn colour(at: usize) -> &'static str {
    COLOURS[at % COLOURS.len()]
}

/// A logarithmic axis over powers of ten.
#[derive(Clone, Copy, Debug)]
struct Axis {
    /// The exponents at its ends.
    low: f64,
    high: f64,
    /// The coordinates at its ends.
    from: f64,
    to: f64,
}

impl Axis {
    /// The axis from the power of ten below the smallest value to the one above the largest.
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        let low = low.log10().floor();
        Self { low, high: high.log10().ceil().max(low + 1.0), from, to }
    }

    fn at(self, value: f64) -> f64 {
        let share = (value.max(1e-9).log10() - self.low) / (self.high - self.low);
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// The powers of ten on the axis.
    fn marks(self) -> impl Iterator<Item = f64> {
        (self.low as i32..=self.high as i32).map(|exponent| 10_f64.powi(exponent))
    }
}

/// A number of microseconds for people.
fn time(us: f64) -> String {
    match us {
        us if us >= 1e6 => format!("{} s", us / 1e6),
        us if us >= 1e3 => format!("{} ms", us / 1e3),
        us => format!("{us} µs"),
    }
}

fn begin(label: &str) -> String {
    format!("<svg class=plot viewBox='0 0 {WIDTH} {HEIGHT}' role=img aria-label='{label}'>")
}

/// The share of queries that are answered within a time, for each planner.
pub(super) fn answered_within(planners: &[Compared]) -> String {
    let all = planners.iter().flat_map(|planner| planner.times.iter().copied());
    let (x, bottom) = (Axis::over(all, LEFT, WIDTH - RIGHT), HEIGHT - BOTTOM);
    let y = |share: f64| bottom - (bottom - TOP) * share;
    let mut svg = begin("share of queries answered within a time");
    for mark in x.marks() {
        vertical(&mut svg, x.at(mark), &time(mark));
    }
    for percent in [0, 25, 50, 75, 100] {
        horizontal(&mut svg, y(f64::from(percent) / 100.0), &format!("{percent} %"));
    }
    for (number, planner) in planners.iter().enumerate() {
        let mut times = planner.times.clone();
        times.sort_by(f64::total_cmp);
        let mut line = format!("M{LEFT} {bottom}");
        for (at, &us) in times.iter().enumerate() {
            // Writing to a `String` cannot fail.
            let _ = write!(line, "H{:.1}V{:.1}", x.at(us), y((at + 1) as f64 / times.len() as f64));
        }
        let _ = write!(svg, "<path stroke='{}' d='{line}H{}'/>", colour(number), WIDTH - RIGHT);
    }
    svg.push_str("</svg>");
    svg
}

/// The time of each query over the cost of its cheapest route, in cells of straight steps on the cheapest ground.
pub(super) fn time_by_cost(planners: &[Compared], costs: &[f64]) -> String {
    let all = planners.iter().flat_map(|planner| planner.times.iter().copied());
    let y = Axis::over(all, HEIGHT - BOTTOM, TOP);
    let x = Axis::over(costs.iter().copied(), LEFT, WIDTH - RIGHT);
    let mut svg = begin("time of each query over the cost of its cheapest route");
    for mark in x.marks() {
        vertical(&mut svg, x.at(mark), &format!("{mark}"));
    }
    for mark in y.marks() {
        horizontal(&mut svg, y.at(mark), &time(mark));
    }
    let every = costs.len().div_ceil(MOST_POINTS).max(1);
    for (number, planner) in planners.iter().enumerate() {
        let mut points = String::new();
        for (&us, &cost) in planner.times.iter().zip(costs).step_by(every) {
            // Writing to a `String` cannot fail.
            let _ = write!(points, "M{:.1} {:.1}h0", x.at(cost), y.at(us));
        }
        let _ = write!(svg, "<path class=points stroke='{}' d='{points}'/>", colour(number));
    }
    svg.push_str("</svg>");
    svg
}

fn vertical(svg: &mut String, x: f64, label: &str) {
    let bottom = HEIGHT - BOTTOM;
    // Writing to a `String` cannot fail.
    let _ = write!(svg, "<path class=grid d='M{x:.1} {TOP}V{bottom}'/>");
    let _ = write!(svg, "<text x='{x:.1}' y='{:.1}' text-anchor=middle>{label}</text>", bottom + 14.0);
}

fn horizontal(svg: &mut String, y: f64, label: &str) {
    // Writing to a `String` cannot fail.
    let _ = write!(svg, "<path class=grid d='M{LEFT} {y:.1}H{}'/>", WIDTH - RIGHT);
    let _ = write!(svg, "<text x='{}' y='{:.1}' text-anchor=end>{label}</text>", LEFT - 5.0, y + 3.5);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_covers_its_values_and_stays_inside_its_ends() {
        let axis = Axis::over([0.0, 3.0, 250.0].into_iter(), 100.0, 400.0);
        assert_eq!(axis.marks().collect::<Vec<_>>(), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!((axis.at(1.0), axis.at(1000.0), axis.at(0.0), axis.at(1e9)), (100.0, 400.0, 100.0, 400.0));
        let empty = Axis::over(std::iter::empty(), 0.0, 1.0);
        assert_eq!(empty.marks().count(), 2);
    }

    #[test]
    fn times_are_written_for_people() {
        assert_eq!([0.1, 10.0, 1e3, 1e7].map(time), ["0.1 µs", "10 µs", "1 ms", "10 s"]);
    }
}
