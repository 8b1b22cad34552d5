//! Draws a recorded search: expanded cells tinted from first to last, jump points as dots, jumps as thin lines.

use waymarch::base::{CellPos, GridSize};
use waymarch::search::{SearchEvent, Visit};

use super::canvas::Canvas;
use super::colour::Colour;
use super::heat::Palette;
use super::layer::Layer;
use super::route_line::RouteLine;

/// A recorded search, with its route and a legend in the corner with the least content.
///
/// A search that steps from cell to cell is drawn as a tint on its expanded cells. A jump point search is drawn as dots and lines: filled
/// dots are expanded jump points, hollow dots were only reached, and lines are jumps.
#[derive(Clone, Copy, Debug)]
pub struct SearchTrail<'a> {
    /// The map's size.
    pub size: GridSize,
    /// The recorded events.
    pub events: &'a [SearchEvent],
    /// The route, drawn over tinted cells and jumps but under jump points; empty if there is none.
    pub route: &'a [CellPos],
}

/// The order of cells that were never expanded: `u32::MAX`, after all others.
const NEVER: u32 = u32::MAX;

const PALETTE: Palette = Palette::Dawn;
const DARK: Colour = Colour::hex(0x101418);
const REACHED: Colour = Colour::hex(0xf4f4f0);

impl Layer for SearchTrail<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let expanded: Vec<Visit> = self.visits(|event| matches!(event, SearchEvent::Expand(_))).collect();
        let reached: Vec<Visit> = self.visits(|event| matches!(event, SearchEvent::Reach(..))).collect();
        let mut order = vec![NEVER; self.size.cells()];
        for (number, visit) in expanded.iter().enumerate() {
            if let Some(place) = self.size.id(visit.at).and_then(|id| order.get_mut(id.index())) {
                // A node that is expanded again keeps the colour of the first time.
                *place = (*place).min(u32::try_from(number).unwrap_or(NEVER - 1));
            }
        }
        let trail = Trail { size: self.size, order, last: expanded.len().saturating_sub(1).max(1) as f32 };
        let route = RouteLine::new(self.route);
        let shown = if reached.iter().any(|visit| visit.jump().is_some()) {
            trail.jumps(canvas, &expanded, &reached);
            route.draw(canvas);
            trail.jump_points(canvas, &expanded, &reached, self.route.last().copied());
            Shown::Jumps
        } else {
            trail.cells(canvas, &reached);
            route.draw(canvas);
            Shown::Cells
        };
        let busy = expanded.iter().chain(&reached).map(|visit| visit.at).chain(self.route.iter().copied());
        let legend = Legend::new(canvas, expanded.len(), shown);
        legend.draw(canvas, busy);
    }
}

impl SearchTrail<'_> {
    fn visits(&self, wanted: impl Fn(&SearchEvent) -> bool) -> impl Iterator<Item = Visit> {
        self.events.iter().filter(move |event| wanted(event)).filter_map(|event| match *event {
            SearchEvent::Begin { .. } => None,
            SearchEvent::Expand(node) | SearchEvent::Reach(node, _) => Some(node),
        })
    }
}

/// The order in which cells were expanded.
struct Trail {
    size: GridSize,
    order: Vec<u32>,
    last: f32,
}

impl Trail {
    /// When a cell was expanded, from 0 (first) to 1 (last); `None` if it was not.
    fn share(&self, at: CellPos) -> Option<f32> {
        let number = self.size.id(at).and_then(|id| self.order.get(id.index()).copied());
        number.filter(|&number| number != NEVER).map(|number| number as f32 / self.last)
    }

    /// Tints expanded cells, and draws dots on cells that were only reached.
    fn cells(&self, canvas: &mut Canvas, reached: &[Visit]) {
        let side = canvas.cell_side();
        for y in 0..canvas.height() {
            for x in 0..canvas.width() {
                let at = canvas.cell_at(x, y);
                if let Some(share) = self.share(at) {
                    canvas.blend(x as i32, y as i32, PALETTE.at(share).ink(), 0.5);
                }
            }
        }
        let edge = reached.iter().filter(|visit| self.share(visit.at).is_none());
        let mut edge: Vec<CellPos> = edge.map(|visit| visit.at).collect();
        edge.sort_unstable();
        edge.dedup();
        let radius = (side * 0.22).clamp(0.6, 3.0);
        for at in edge {
            canvas.disc(canvas.middle(at), radius, REACHED.ink(), 0.8);
        }
    }

    /// Draws jumps: in colour if they led to expanded points, else faintly.
    fn jumps(&self, canvas: &mut Canvas, expanded: &[Visit], reached: &[Visit]) {
        let side = canvas.cell_side();
        let line = |canvas: &mut Canvas, visit: &Visit, width: f32, colour: Colour, alpha: u8| {
            if let Some(jump) = visit.parent.map(|parent| visit.jump().unwrap_or([parent, parent, visit.at]))
            {
                canvas.stroke_line(&jump.map(|at| canvas.middle(at)), width, colour, alpha);
            }
        };
        let thin = (side * 0.12).clamp(0.7, 2.0);
        for visit in reached {
            line(canvas, visit, thin, REACHED, 90);
        }
        for visit in expanded {
            line(canvas, visit, thin + 2.0, DARK, 120);
        }
        for visit in expanded {
            let colour = PALETTE.at(self.share(visit.at).unwrap_or(0.0));
            line(canvas, visit, thin + 0.6, colour, 255);
        }
    }

    /// Draws the ends of jumps, except start and goal, which belong to the route.
    fn jump_points(&self, canvas: &mut Canvas, expanded: &[Visit], reached: &[Visit], goal: Option<CellPos>) {
        let is_shown = |visit: &&Visit| visit.parent.is_some() && Some(visit.at) != goal;
        let radius = (canvas.cell_side() * 0.42).clamp(2.6, 7.0);
        for visit in reached.iter().filter(is_shown).filter(|visit| self.share(visit.at).is_none()) {
            hollow(canvas, canvas.middle(visit.at), radius * 0.8);
        }
        for visit in expanded.iter().filter(is_shown) {
            let colour = PALETTE.at(self.share(visit.at).unwrap_or(0.0));
            filled(canvas, canvas.middle(visit.at), radius, colour);
        }
    }
}

fn hollow(canvas: &mut Canvas, at: (f32, f32), radius: f32) {
    canvas.disc(at, radius + 1.0, DARK.ink(), 0.75);
    canvas.disc(at, radius, REACHED.ink(), 1.0);
    canvas.disc(at, radius * 0.55, DARK.ink(), 1.0);
}

fn filled(canvas: &mut Canvas, at: (f32, f32), radius: f32, colour: Colour) {
    canvas.disc(at, radius + 1.2, DARK.ink(), 0.85);
    canvas.disc(at, radius, colour.ink(), 1.0);
}

/// What the legend explains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Cells,
    Jumps,
}

/// The legend: colours from the first expanded node to the last, and the meaning of dots and lines.
struct Legend {
    expanded: usize,
    shown: Shown,
    /// The size of a dot of its letters, in pixels.
    dot: f32,
    size: (f32, f32),
}

/// The bar of colours is 96 dots wide.
const BAR: f32 = 96.0;

impl Legend {
    fn new(canvas: &Canvas, expanded: usize, shown: Shown) -> Self {
        let dot = canvas.legend_dot();
        let rows = if shown == Shown::Jumps { 3.0 } else { 1.0 };
        Self { expanded, shown, dot, size: ((BAR + 8.0) * dot, (28.0 + 9.0 * rows) * dot) }
    }

    /// Draws the legend in the corner where it hides the fewest cells of `busy`. Of equal corners it takes the lower right, then the upper
    /// right, then the upper left. The lower left is for the legend of heat maps.
    fn draw(&self, canvas: &mut Canvas, busy: impl Iterator<Item = CellPos>) {
        let (wide, high) = self.size;
        let gap = 4.0 * self.dot;
        let (right, low) = (canvas.width() as f32 - wide - gap, canvas.height() as f32 - high - gap);
        let mut corners = [(0_u32, (right, low)), (0, (right, gap)), (0, (gap, gap))];
        for at in busy {
            let (x, y) = canvas.middle(at);
            for (hidden, (left, top)) in &mut corners {
                let inside = (*left - gap..left.max(0.0) + wide + gap).contains(&x)
                    && (*top - gap..top.max(0.0) + high + gap).contains(&y);
                *hidden += u32::from(inside);
            }
        }
        let quietest =
            corners.iter().min_by_key(|(hidden, _)| *hidden).map_or((right, low), |(_, corner)| *corner);
        self.draw_at(canvas, quietest);
    }

    fn draw_at(&self, canvas: &mut Canvas, (left, top): (f32, f32)) {
        let dot = self.dot;
        canvas.fill_rect([left, top, self.size.0, self.size.1], DARK, 215);
        let left = left + 4.0 * dot;
        canvas.text((left, top + 4.0 * dot), &format!("{} EXPANDED", self.expanded), dot, REACHED);
        for step in 0..BAR as u32 {
            let colour = PALETTE.at(step as f32 / (BAR - 1.0));
            canvas.fill_rect([left + step as f32 * dot, top + 11.0 * dot, dot, 5.0 * dot], colour, 255);
        }
        canvas.text((left, top + 18.0 * dot), "FIRST", dot, REACHED);
        canvas.text((left + (BAR - 15.0) * dot, top + 18.0 * dot), "LAST", dot, REACHED);
        let middle = |row: f32| (left + 5.0 * dot, top + (29.5 + 9.0 * row) * dot);
        let names: &[&str] = match self.shown {
            Shown::Cells => {
                canvas.disc(middle(0.0), 1.2 * dot, REACHED.ink(), 1.0);
                &["REACHED ONLY"]
            }
            Shown::Jumps => {
                filled(canvas, middle(0.0), 2.2 * dot, PALETTE.at(0.5));
                hollow(canvas, middle(1.0), 2.0 * dot);
                let y = middle(2.0).1;
                canvas.stroke_line(&[(left, y), (left + 10.0 * dot, y)], dot, PALETTE.at(0.5), 255);
                &["JUMP POINT EXPANDED", "REACHED ONLY", "JUMP"]
            }
        };
        for (row, name) in names.iter().enumerate() {
            canvas.text((left + 14.0 * dot, middle(row as f32).1 - 2.5 * dot), name, dot, REACHED);
        }
    }
}
