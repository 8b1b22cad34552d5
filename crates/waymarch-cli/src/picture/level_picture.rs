//! Draws decks with their shadows, links as arrows, and a route over several levels.

use waymarch::base::{LevelCell, LevelId};
use waymarch::cost::{Map, PlacedStamp};
use waymarch::levels::{Deck, LevelMap, Link, LinkKind, LinkState, LinkWays};
use waymarch::nav::LevelRoute;

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;
use super::map_picture::Picture;
use super::route_line::{RouteLine, ends, line};
use super::style::Style;

/// The decks and links of a map over its base, from the lowest to the highest, and a route that decks cover where it goes under them.
#[derive(Clone, Copy, Debug)]
pub struct LevelPicture<'a> {
    /// The map.
    pub map: &'a LevelMap,
    /// A route.
    pub route: Option<&'a LevelRoute>,
}

impl Layer for LevelPicture<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let mut levels: Vec<(i16, LevelId)> = (0..)
            .map(LevelId::of_deck)
            .zip(&self.map.decks)
            .map(|(level, deck)| (deck.height, level))
            .collect();
        levels.push((0, LevelId::BASE));
        levels.sort_unstable();
        let order: Vec<LevelId> = levels.into_iter().map(|(_, level)| level).collect();
        for (place, &level) in order.iter().enumerate() {
            if let Some(deck) = level.deck().map(|deck| &self.map.decks[deck]) {
                draw_deck(canvas, self.map, deck);
            }
            self.draw_legs(canvas, level, &order[..place]);
        }
        for link in &self.map.links {
            draw_link(canvas, link);
        }
        if let Some(route) = self.route {
            let points: Vec<(f32, f32)> =
                route.waypoints.iter().map(|point| canvas.middle(point.at)).collect();
            ends(canvas, &points);
        }
    }
}

impl LevelPicture<'_> {
    /// Draws the parts of the route on one level, and the links between it and the levels in `below`, which are drawn already.
    fn draw_legs(&self, canvas: &mut Canvas, level: LevelId, below: &[LevelId]) {
        let Some(route) = self.route else { return };
        let mut draw = |cells: &[LevelCell]| {
            let points: Vec<(f32, f32)> = cells.iter().map(|point| canvas.middle(point.at)).collect();
            line(canvas, &points, RouteLine::COLOUR);
        };
        for crossing in &route.crossings {
            let Some(ends) = route.waypoints.get(crossing.after..crossing.after + 2) else { continue };
            let other = if ends[0].level == level { ends[1].level } else { ends[0].level };
            let is_here = ends.iter().any(|end| end.level == level);
            if is_here && (other == level || below.contains(&other)) {
                draw(ends);
            }
        }
        for (_, points) in route.legs().filter(|(on, _)| *on == level) {
            draw(points);
        }
    }
}

/// A deck as a map of its own.
fn ground_of(map: &LevelMap, deck: &Deck) -> Map {
    let moved = |placed: &PlacedStamp| PlacedStamp {
        at: placed.at.offset(-deck.at.x, -deck.at.y),
        stamp: placed.stamp.clone(),
    };
    Map {
        terrain: deck.terrain.clone(),
        elevation: deck.elevation.clone(),
        stamps: deck.stamps.iter().map(moved).collect(),
        ..Map::flat("", deck.size, map.base.rules.clone())
    }
}

/// Draws a deck over its shadow; a tunnel shows through the ground.
fn draw_deck(canvas: &mut Canvas, map: &LevelMap, deck: &Deck) {
    let side = canvas.cell_side();
    let (left, top) = canvas.place(deck.at.x as f32, deck.at.y as f32);
    let (width, height) = (deck.size.width() as f32 * side, deck.size.height() as f32 * side);
    let is_over = deck.height > 0;
    if is_over {
        // The shadow of a deck two cells high falls a cell away.
        let cast = (f32::from(deck.height) / 512.0).clamp(0.4, 2.0) * side;
        canvas.fill_rect([left + cast * 0.7, top + cast, width, height], Colour::hex(0x000000), 95);
    }
    let ground = ground_of(map, deck);
    let mut own = Picture::new(&ground, &Style { target: 512, ..Style::default() });
    own.draw_map();
    let own = own.canvas();
    let alpha = if is_over { 1.0 } else { 0.45 };
    for y in 0..height.round() as u32 {
        for x in 0..width.round() as u32 {
            let sample = |at: u32, of: f32, pixels: u32| ((at as f32 + 0.5) / of * pixels as f32) as u32;
            let (from_x, from_y) = (sample(x, width, own.width()), sample(y, height, own.height()));
            if let Some(colour) = own.pixel(from_x.min(own.width() - 1), from_y.min(own.height() - 1)) {
                canvas.blend(left as i32 + x as i32, top as i32 + y as i32, colour.ink(), alpha);
            }
        }
    }
    let (right, bottom) = (left + width, top + height);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    let thick = (side * 0.14).clamp(1.5, 4.0);
    let rim = if is_over { Colour::hex(0xf4ead0) } else { Colour::hex(0x1c1208) };
    canvas.stroke_line(&corners, thick + 1.5, Colour::hex(0x15100a), 200);
    canvas.stroke_line(&corners, thick, rim, if is_over { 235 } else { 200 });
}

/// The colour of a kind of link.
const fn colour_of(kind: LinkKind) -> Colour {
    match kind {
        LinkKind::Ramp => Colour::hex(0xf2c22b),
        LinkKind::Stairs => Colour::hex(0xffffff),
        LinkKind::Ledge => Colour::hex(0xff7a2f),
        LinkKind::Teleporter => Colour::hex(0x6fe3ff),
        LinkKind::Ladder => Colour::hex(0xc89bff),
        LinkKind::Ferry => Colour::hex(0x7dff9a),
    }
}

/// Draws a link as an arrow, or as a disc if it leads straight up or down; a closed link is faint.
fn draw_link(canvas: &mut Canvas, link: &Link) {
    let (from, to) = (canvas.middle(link.from.at), canvas.middle(link.to.at));
    let (colour, dark) = (colour_of(link.kind), Colour::hex(0x101418));
    let alpha = if link.state == LinkState::Open { 255 } else { 110 };
    let size = (canvas.cell_side() * 0.5).clamp(3.0, 11.0);
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = (dx * dx + dy * dy).sqrt();
    if long < 1.0 {
        canvas.fill_circle(from, size * 0.9, dark, alpha);
        canvas.fill_circle(from, size * 0.65, colour, alpha);
        return;
    }
    let unit = (dx / long, dy / long);
    let shaft = (size * 0.3).max(1.5);
    for (width, ink) in [(shaft + 2.5, dark), (shaft, colour)] {
        canvas.stroke_line(&[from, to], width, ink, alpha);
    }
    let mut head = |tip: (f32, f32), (ux, uy): (f32, f32)| {
        for (grown, ink) in [(size * 1.35, dark), (size, colour)] {
            let point = (tip.0 + ux * grown * 0.7, tip.1 + uy * grown * 0.7);
            let back = (tip.0 - ux * grown * 0.7, tip.1 - uy * grown * 0.7);
            let wing = |turn: f32| (back.0 - uy * grown * 0.8 * turn, back.1 + ux * grown * 0.8 * turn);
            canvas.fill_polygon(&[point, wing(1.0), wing(-1.0)], ink, alpha);
        }
    };
    head(to, unit);
    if link.ways == LinkWays::Both {
        head(from, (-unit.0, -unit.1));
    }
}
