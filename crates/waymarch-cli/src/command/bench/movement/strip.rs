//! The strip of small pictures of a scene.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::film::{Dot, Film, Shot};
use crate::scale::fixed_cells;

/// A strip has 6 pictures.
const PICTURES: usize = 6;
/// Dots of units are at least 1/120 of the longer side of the map wide, so that they can be seen.
const LEAST_DOT: f64 = 1.0 / 120.0;
/// The dark rim of a dot adds 1/250 of the longer side to its width.
const RIM: f64 = 1.0 / 250.0;

/// The grounds of all scenes, each different one once.
#[derive(Default)]
pub(super) struct Grounds(Vec<Vec<u8>>);

impl Grounds {
    /// The number of a ground, which is a PNG file.
    fn number(&mut self, png: &[u8]) -> usize {
        let known = self.0.iter().position(|other| other == png);
        known.unwrap_or_else(|| {
            self.0.push(png.to_vec());
            self.0.len() - 1
        })
    }

    /// Style rules: the class `g7` has the ground of number 7.
    pub(super) fn css(&self) -> String {
        let mut css = String::new();
        for (number, png) in self.0.iter().enumerate() {
            let data = STANDARD.encode(png);
            // Writing to a `String` cannot fail.
            let _ = write!(css, ".g{number}{{background-image:url(data:image/png;base64,{data})}}");
        }
        css
    }
}

/// The pictures of a film, from the first shot to the last, at even intervals.
pub(super) fn strip(film: &Film, grounds: &mut Grounds) -> String {
    let (width, height) = (film.size.width(), film.size.height());
    let class = if 2 * width > 3 * height { "strip wide" } else { "strip" };
    let mut html = format!("<div class='{class}'>");
    for shot in chosen(&film.shots) {
        let ground = grounds.number(&film.grounds[shot.ground]);
        let _ = write!(
            html,
            "<figure><svg class=g{ground} viewBox='0 0 {width} {height}' style='aspect-ratio:{width}/{height}'>{}</svg>\
             <figcaption>tick {}</figcaption></figure>",
            dots(shot, f64::from(width.max(height))),
            shot.tick
        );
    }
    html.push_str("</div>");
    html
}

/// Six shots, or all if there are fewer.
fn chosen(shots: &[Shot]) -> Vec<&Shot> {
    let Some(last) = shots.last() else { return Vec::new() };
    let wanted = |number: usize| last.tick * number as u64 / (PICTURES as u64 - 1);
    let nearest = |tick: u64| shots.iter().min_by_key(|shot| shot.tick.abs_diff(tick));
    let mut chosen: Vec<&Shot> = (0..PICTURES).filter_map(|number| nearest(wanted(number))).collect();
    chosen.dedup_by_key(|shot| shot.tick);
    chosen
}

/// The units as dots: lines of no length with round ends, each over a dark dot that is a little larger.
fn dots(shot: &Shot, longer_side: f64) -> String {
    let mut svg = String::new();
    for (&(dot, radius), places) in &shot.dots {
        let class = match dot {
            Dot::Idle => "idle",
            Dot::Arrived => "done",
            Dot::West => "west",
            Dot::East => "east",
            Dot::Waiting => "wait",
            Dot::GaveUp => "lost",
        };
        let width = (2.0 * fixed_cells(radius)).max(longer_side * LEAST_DOT);
        let places: Vec<String> = places.iter().map(|[x, y]| format!("M{x:.1} {y:.1}h0")).collect();
        let places = places.concat();
        let rim = width + longer_side * RIM;
        let _ = write!(svg, "<path class=rim stroke-width={rim:.2} d='{places}'/>");
        let _ = write!(svg, "<path class={class} stroke-width={width:.2} d='{places}'/>");
    }
    svg
}
