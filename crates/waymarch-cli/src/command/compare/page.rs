//! The page of `--html`: one file with the table, two plots, and pictures.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use waymarch::base::{CellPos, cell};
use waymarch::query::PathQuery;
use waymarch::search::{Route, SearchScratch, astar};
use waymarch_cli::picture::Colour;

use super::Comparison;
use super::plot::{answered_within, colour, time_by_cost};
use super::table::{LEGEND, cells};
use crate::command::bench::planners::measure::Problem;
use crate::command::drawing::Drawing;
use crate::diagnostics::Failure;
use crate::planner::{Prepared, planner, scratch};

/// At most 12 failures get a picture.
const PICTURES: usize = 12;
/// The longer side of a picture has about 900 pixels.
const PIXELS: u32 = 900;
/// The cheapest route is blue. The route of a failing planner has the usual colour of routes.
const CHEAPEST: Colour = Colour::hex(0x2f_8f_ff);

/// The page as HTML text. It needs no other file.
pub(super) fn page(comparison: &Comparison<'_>) -> Result<String, Failure> {
    let mut html = String::from(include_str!("page_head.html"));
    let Comparison { map, width, height, locomotor, size, queries, .. } = comparison;
    let map = escaped(map);
    // Writing to a `String` cannot fail.
    let _ = write!(
        html,
        "<title>Waymarch: planners on {map}</title><h1>Planners on {map}</h1><p>{width}×{height} cells, {} of {size}×{size}, {queries} queries",
        escaped(locomotor)
    );
    html.push_str(
        "<table><tr><th>planner<th>promise<th>cost<th>worst<th>mean µs<th>p99 µs<th>nodes<th>prepared ms<th>memory<th>edit µs<th>faults",
    );
    for (number, compared) in comparison.planners.iter().enumerate() {
        let class = if compared.is_good() { "good" } else { "bad" };
        let _ = write!(html, "<tr class={class}>");
        for (column, text) in cells(compared).iter().enumerate() {
            let key = if column == 0 { swatch(number) } else { String::new() };
            let _ = write!(html, "<td>{key}{}", escaped(text));
        }
    }
    html.push_str("</table><p>");
    html.push_str(LEGEND);
    for unsuited in &comparison.unsuited {
        let _ = write!(html, "<br>Not compared: {}: {}.", unsuited.planner, escaped(unsuited.reason));
    }
    let costs: Vec<f64> = {
        let least = |query: &crate::command::bench::planners::case::CaseQuery| query.checked().unwrap_or(0);
        let cheapest = comparison.setup.field()?.cheapest().max(1);
        let unit = 1024.0 * f64::from(cheapest);
        comparison.case.queries.iter().map(|query| least(query) as f64 / unit).collect()
    };
    let _ = write!(
        html,
        "<div class=plots><figure>{}<figcaption>Share of queries that are answered within a time</figcaption></figure>\
         <figure>{}<figcaption>Time of each query over the cost of its cheapest route, in cells of the cheapest ground</figcaption></figure></div>",
        answered_within(&comparison.planners),
        time_by_cost(&comparison.planners, &costs)
    );
    if let Some(query) = comparison.case.queries.iter().max_by_key(|query| query.checked()) {
        let png = picture(comparison, (query.from, query.to), None)?;
        html.push_str("<h2>The query with the dearest route</h2>");
        image(&mut html, &png, "the map with the dearest route");
    }
    failures(&mut html, comparison)?;
    Ok(html)
}

/// The failures, the first ones with a picture.
fn failures(html: &mut String, comparison: &Comparison<'_>) -> Result<(), Failure> {
    if comparison.problems.is_empty() {
        return Ok(());
    }
    html.push_str("<h2>Failures</h2><ol>");
    for (number, problem) in comparison.problems.iter().enumerate() {
        let Problem { planner, verdict, from, to, detail, .. } = problem;
        let text = format!(
            "{verdict}: {planner}, {},{} to {},{}: {}",
            from[0],
            from[1],
            to[0],
            to[1],
            escaped(detail)
        );
        // Writing to a `String` cannot fail.
        let _ = match number < PICTURES {
            true => write!(html, "<li><a href='#failure-{number}'>{text}</a>"),
            false => write!(html, "<li>{text}"),
        };
    }
    html.push_str("</ol><p>Blue: the cheapest route. Pink: the planner's route.");
    for (number, problem) in comparison.problems.iter().take(PICTURES).enumerate() {
        let ends = (cell(problem.from[0], problem.from[1]), cell(problem.to[0], problem.to[1]));
        let png = picture(comparison, ends, Some(problem.planner))?;
        let _ = write!(html, "<h3 id='failure-{number}'>{}. {}</h3>", number + 1, problem.planner);
        image(html, &png, "the routes of a failure");
    }
    Ok(())
}

/// The map with the cheapest route between two cells, and the route of a planner.
fn picture(
    comparison: &Comparison<'_>,
    (from, to): (CellPos, CellPos),
    name: Option<&str>,
) -> Result<Vec<u8>, Failure> {
    let case = comparison.case;
    let query = PathQuery::new(from, to, case.agent);
    let mut drawing = Drawing::new(comparison.setup, PIXELS);
    drawing.terrain();
    let mut route = Route::new();
    if astar(&case.layer, &query, case.rule, &mut SearchScratch::new(), &mut route).is_ok() {
        drawing.route_in(&route.waypoints, CHEAPEST);
    }
    if let Some(name) = name {
        let prepared = Prepared::new(planner(name)?, case.view(), case.agent);
        if prepared.plan(&query, &mut scratch(), &mut route).is_ok() {
            drawing.route(&route);
        }
    }
    Ok(drawing.encode())
}

fn image(html: &mut String, png: &[u8], label: &str) {
    // Writing to a `String` cannot fail.
    let _ = write!(html, "<img alt='{label}' src='data:image/png;base64,{}'>", STANDARD.encode(png));
}

/// The key of planner number `at`.
fn swatch(at: usize) -> String {
    format!("<i style='background:{}'></i>", colour(at))
}

/// Text with the characters that mean something in HTML replaced.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_maps_cannot_write_html() {
        assert_eq!(escaped("<b a='1'>&"), "&lt;b a=&#39;1&#39;&gt;&amp;");
    }
}
