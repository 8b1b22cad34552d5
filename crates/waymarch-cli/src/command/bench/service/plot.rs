//! A plot of the scale as an SVG file: nanoseconds per unit and tick against the number of moving units.

use std::fmt::Write;

/// The picture is 720 pixels wide and 400 high; the axes leave these margins, in pixels.
const SIZE: [f64; 2] = [720.0, 400.0];
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 50.0;
/// Each axis has about 5 ticks.
const TICKS: f64 = 5.0;

/// The plot of `points`, each a number of units and its nanoseconds per unit. Both axes begin at 0, so equal times are a level line.
pub(super) fn ns_per_unit(points: &[(usize, f64)]) -> String {
    let most_units = points.iter().map(|&(units, _)| units as f64).fold(1.0, f64::max);
    let most_ns = points.iter().map(|&(_, ns)| ns).fold(1.0, f64::max);
    let [x_step, y_step] = [most_units, most_ns].map(round_step);
    let [x_end, y_end] =
        [(most_units, x_step), (most_ns, y_step)].map(|(most, step)| (most / step).ceil() * step);
    let x = |units: f64| LEFT + units / x_end * (SIZE[0] - LEFT - RIGHT);
    let y = |ns: f64| SIZE[1] - BOTTOM - ns / y_end * (SIZE[1] - TOP - BOTTOM);
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">Processor time of a tick per moving unit, one thread</text>\n"
    );
    let (bottom, right) = (y(0.0), x(x_end));
    for number in 0..=(x_end / x_step).round() as u32 {
        let units = f64::from(number) * x_step;
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{units:.0}</text>",
            x(units),
            bottom + 20.0
        );
    }
    for number in 0..=(y_end / y_step).round() as u32 {
        let at = y(f64::from(number) * y_step);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.0}H{right:.0}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{:.0}</text>",
            LEFT - 8.0,
            at + 4.0,
            f64::from(number) * y_step
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">moving units</text><text x=\"8\" y=\"{:.0}\">ns</text>",
        (LEFT + right) / 2.0,
        height - 8.0,
        TOP - 8.0
    );
    let line: Vec<String> =
        points.iter().map(|&(units, ns)| format!("{:.1},{:.1}", x(units as f64), y(ns))).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#2a6\" stroke-width=\"2\"/>",
        line.join(" ")
    );
    for &(units, ns) in points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#2a6\"><title>{units} units: {ns:.0} ns</title></circle>",
            x(units as f64),
            y(ns)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The step between marks of an axis that ends at `most`: 1, 2 or 5 times a power of ten.
fn round_step(most: f64) -> f64 {
    let rough = most / TICKS;
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    steps.into_iter().find(|&step| step >= rough).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measurement_is_a_point_and_equal_times_are_level() {
        let svg = ns_per_unit(&[(1_000, 800.0), (50_000, 800.0)]);
        assert_eq!(svg.matches("<circle").count(), 2);
        let heights: Vec<&str> =
            svg.split("cy=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(heights[0], heights[1]);
        assert!(svg.contains(">50000</text>") && svg.contains(">800</text>"), "{svg}");
    }

    #[test]
    fn marks_are_round_numbers() {
        for (most, step) in [(50_000.0, 10_000.0), (830.0, 200.0), (7.0, 2.0)] {
            assert!((round_step(most) - step).abs() < 1e-9, "{most}");
        }
    }
}
