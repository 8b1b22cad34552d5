//! The page of `--html`: one file with the totals of each set and a card for each scene.

use std::fmt::Write as _;

use super::curve::Curve;
use super::play::{Played, Row};
use super::strip::{Grounds, strip};
use super::summary::Total;

/// The page as HTML text. It needs no other file.
pub(super) fn page(played: &[Played], totals: &[Total]) -> String {
    let mut html = String::from(include_str!("page_head.html"));
    html.push_str(
        "<table><tr><th>set<th>rows<th>units<th>arrived<th>gave up<th>unended<th>no route\
         <th>worst overlap<th>deepest overlap<th>longest wait<th>lowest flow<th>longest side wait",
    );
    for total in totals {
        // Writing to a `String` cannot fail.
        let _ = write!(
            html,
            "<tr class={}><td><a href='#{}'>{}</a><td>{}<td>{}<td>{} ({} %)<td>{}<td>{}<td>{}<td>{} %<td>{} %<td>{} s<td>{}<td>{}",
            verdict(total.gave_up + total.unended),
            total.set,
            total.set,
            total.rows,
            total.units,
            total.arrived,
            total.arrived_pct,
            total.gave_up,
            total.unended,
            total.no_route,
            total.worst_overlap_pct,
            total.worst_maxpen_pct,
            total.worst_wait_s,
            total.worst_flow_ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            total.worst_side_wait_s.map_or_else(String::new, |seconds| format!("{seconds} s")),
        );
    }
    html.push_str("</table>");
    let (mut set, mut grounds) = ("", Grounds::default());
    for played in played {
        if played.row.set != set {
            set = played.row.set;
            let _ = write!(html, "<h2 id={set}>{set}</h2>");
        }
        card(&mut html, played, &mut grounds);
    }
    let _ = write!(html, "<style>{}</style>", grounds.css());
    html
}

/// Writes the card of one scene.
fn card(html: &mut String, played: &Played, grounds: &mut Grounds) {
    let Played { row, arrivals, give_ups, film } = played;
    let failed = row.gave_up + row.unended;
    let sent = row.arrived + failed;
    let _ = write!(
        html,
        "<section><div class=facts><h3>{} <small>seed {}</small></h3><p class={}>{} of {sent} arrived",
        escaped(&row.scene),
        row.seed,
        verdict(failed),
        row.arrived
    );
    for (count, what) in [(row.gave_up, "gave up"), (row.unended, "not ended")] {
        if count > 0 {
            let _ = write!(html, ", {count} {what}");
        }
    }
    if row.no_route > 0 {
        let _ = write!(html, "; {} without a route", row.no_route);
    }
    html.push_str("</p>");
    html.push_str(&Curve { arrivals, give_ups, units: sent, ticks: row.ticks }.svg());
    html.push_str(&facts(row));
    html.push_str("</div>");
    if let Some(film) = film {
        html.push_str(&strip(film, grounds));
    }
    html.push_str("</section>");
}

/// The numbers of a scene as a list.
fn facts(row: &Row) -> String {
    let mut list = format!(
        "<dl><dt>overlap<dd>{:.2} %, deepest {:.1} %<dt>waiting<dd>{:.1} %, longest {:.1} s<dt>idle<dd>{:.2} % turn, {:.1} cells from arrival, {:.1} undisturbed",
        row.overlap_pct,
        row.maxpen_pct,
        row.wait_pct,
        row.longest_wait_s,
        row.idle_turn_pct,
        row.after_arrival_cells,
        row.undisturbed_cells
    );
    if let Some(flow) = row.flow_per_s {
        let _ = write!(list, "<dt>flow<dd>{flow:.2} units/s");
    }
    if let Some(ratio) = row.flow_ratio {
        let _ = write!(list, ", {ratio:.2} × one way");
    }
    if let Some(wait) = row.longest_side_wait_s.filter(|&wait| wait > 0.0) {
        let _ = write!(list, "<dt>side wait<dd>{wait:.1} s");
    }
    let _ = write!(list, "<dt>time<dd>{:.2} µs per unit and tick</dl>", row.us_per_unit_tick);
    list
}

fn verdict(failed: usize) -> &'static str {
    if failed == 0 { "good" } else { "bad" }
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
