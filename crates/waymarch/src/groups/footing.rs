//! Where members may stop and get to: what formations ask about the ground.

use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Agent, CellPos, CellRect, Fixed};
use crate::cost::CostLayer;
use crate::passages::{Passages, StandingGround};
use crate::sectors::Sectors;

use super::geometry::fine;

/// Where members may stop and get to.
pub trait Footing {
    /// Whether a disc of this radius may stop with its centre at `at`. Whether it can get there does not matter.
    fn may_stop(&self, agent: Agent, radius: Fixed, at: Fine) -> bool;

    /// Whether a disc of this radius at `at` would close a passage that units keep free. Such a place is refused by [`Footing::may_stop`] too.
    fn closes_passage(&self, _radius: Fixed, _at: Fine) -> bool {
        false
    }

    /// Whether the agent can stand on a cell, and get there from where the group is.
    fn is_reachable(&self, agent: Agent, at: CellPos) -> bool;
}

/// Ground without walls or edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenFooting;

impl Footing for OpenFooting {
    #[inline]
    fn may_stop(&self, _agent: Agent, _radius: Fixed, _at: Fine) -> bool {
        true
    }

    #[inline]
    fn is_reachable(&self, _agent: Agent, _at: CellPos) -> bool {
        true
    }
}

/// The ground of a map, for a group that stands on it.
///
/// A member may stop where its agent may stop, if its whole disc is on open cells. With [`MapFooting::keeping_free`] it does not stop in narrow
/// passages. A call reads the few cells under the disc and two tables.
#[derive(Clone, Copy, Debug)]
pub struct MapFooting<'a> {
    layer: &'a CostLayer,
    sectors: &'a Sectors,
    starts: &'a [(Agent, CellPos)],
    passages: &'a [Passages],
    /// The cell of a dock. A member stops there, and no other member stops in the passage around it.
    berth: Option<CellPos>,
}

impl<'a> MapFooting<'a> {
    /// The ground for a group whose members start from these cells, one for each agent. `sectors` must belong to `layer`. An agent without
    /// a start can reach no cell.
    #[must_use]
    pub fn new(layer: &'a CostLayer, sectors: &'a Sectors, starts: &'a [(Agent, CellPos)]) -> Self {
        Self { layer, sectors, starts, passages: &[], berth: None }
    }

    /// The same ground, on which no member stops in a bottleneck, or within 1 cell of one, that one of the group's agents has to cross in single file: see
    /// [`Passage::is_bottleneck`](crate::passages::Passage::is_bottleneck). The passages must belong to the layer; those of other agents do not count.
    #[must_use]
    pub fn keeping_free(self, passages: &'a [Passages]) -> Self {
        Self { passages, ..self }
    }

    /// The same ground with a dock. One member stops in its cell. The passage that leads to it, which may be a dead end, is kept free.
    #[must_use]
    pub fn with_berth(self, berth: CellPos) -> Self {
        Self { berth: Some(berth), ..self }
    }

    /// The cells that a disc covers, or a few more.
    fn under(radius: Fixed, at: Fine) -> CellRect {
        let reach = fine(radius).max(0);
        let low = |part: i32| ((i64::from(part) - reach) >> FINE_BITS) as i32;
        let high = |part: i32| ((i64::from(part) + reach) >> FINE_BITS) as i32;
        CellRect { x0: low(at.x), y0: low(at.y), x1: high(at.x) + 1, y1: high(at.y) + 1 }
    }
}

impl Footing for MapFooting<'_> {
    fn may_stop(&self, agent: Agent, radius: Fixed, at: Fine) -> bool {
        let own = at.cell();
        let Some(field) = self.layer.field(agent) else { return false };
        if !field.is_passable(own) || !self.layer.can_stop(own, agent) {
            return false;
        }
        // The disc is tested against single cells: the size class is rounded to whole cells.
        let Some(cells) = self.layer.field(agent.locomotor.into()) else { return false };
        let reach = fine(radius).max(0);
        let disc = Self::under(radius, at);
        for y in disc.y0..disc.y1 {
            for x in disc.x0..disc.x1 {
                let (dx, dy) = (beyond(at.x, x), beyond(at.y, y));
                if dx * dx + dy * dy < reach * reach && !cells.is_passable(CellPos::new(x, y)) {
                    return false;
                }
            }
        }
        !self.closes_passage(radius, at)
    }

    fn closes_passage(&self, radius: Fixed, at: Fine) -> bool {
        if self.passages.is_empty() || self.berth == Some(at.cell()) {
            return false;
        }
        let ground = StandingGround::new(self.layer, self.passages);
        let counts = |agent: Agent| self.starts.iter().any(|&(of, _)| of == agent);
        !ground.leaves_passages_free(counts, Self::under(radius, at), self.berth)
    }

    fn is_reachable(&self, agent: Agent, at: CellPos) -> bool {
        let start = self.starts.iter().find(|(of, _)| *of == agent);
        start.is_some_and(|&(_, from)| self.sectors.reachable(from, at, agent))
    }
}

/// How far a coordinate lies beyond a cell's side; 0 within the cell.
fn beyond(at: i32, cell: i32) -> i64 {
    let start = i64::from(cell) * i64::from(FINE_CELL);
    let at = i64::from(at);
    at - at.clamp(start, start + i64::from(FINE_CELL))
}

/// Whether a shot reaches its target.
pub trait LineOfFire {
    /// Whether nothing blocks the line between two points.
    fn is_clear(&self, from: Fine, to: Fine) -> bool;
}

/// For shots that nothing blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClearLine;

impl LineOfFire for ClearLine {
    #[inline]
    fn is_clear(&self, _from: Fine, _to: Fine) -> bool {
        true
    }
}

impl<F: Fn(Fine, Fine) -> bool> LineOfFire for F {
    fn is_clear(&self, from: Fine, to: Fine) -> bool {
        self(from, to)
    }
}
