//! Where members may stop and get to: what formations ask about the ground.

use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Agent, CellPos, CellRect, Fixed};
use crate::cost::CostLayer;
use crate::passages::Passages;
use crate::sectors::Sectors;

use super::geometry::fine;

/// Where members may stop and get to.
pub trait Footing {
    /// Whether a disc of this radius may stop with its centre at `at`. Whether it can get there does not matter.
    fn may_stop(&self, agent: Agent, radius: Fixed, at: Fine) -> bool;

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
}

impl<'a> MapFooting<'a> {
    /// The ground for a group whose members start from these cells, one for each agent. `sectors` must belong to `layer`. An agent without
    /// a start can reach no cell.
    #[must_use]
    pub fn new(layer: &'a CostLayer, sectors: &'a Sectors, starts: &'a [(Agent, CellPos)]) -> Self {
        Self { layer, sectors, starts, passages: &[] }
    }

    /// The same ground, on which no member stops in a bottleneck, or within 1 cell of one, that one of the group's agents has to cross in single file: see
    /// [`Passage::is_bottleneck`](crate::passages::Passage::is_bottleneck). The passages must belong to the layer; those of other agents do not count.
    #[must_use]
    pub fn keeping_free(self, passages: &'a [Passages]) -> Self {
        Self { passages, ..self }
    }

    /// Whether a disc over these cells, or within 1 cell of them, would stand in a bottleneck.
    fn is_in_bottleneck(&self, disc: CellRect) -> bool {
        let counts = |agent: Agent| self.starts.iter().any(|&(of, _)| of == agent);
        let around = disc.grow(1, 1);
        self.passages.iter().filter(|passages| counts(passages.agent())).any(|passages| {
            around.cells().any(|at| passages.at(at).is_some_and(|passage| passage.is_bottleneck()))
        })
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
        let low = |part: i32| ((i64::from(part) - reach) >> FINE_BITS) as i32;
        let high = |part: i32| ((i64::from(part) + reach) >> FINE_BITS) as i32;
        let disc = CellRect { x0: low(at.x), y0: low(at.y), x1: high(at.x) + 1, y1: high(at.y) + 1 };
        for y in disc.y0..disc.y1 {
            for x in disc.x0..disc.x1 {
                let (dx, dy) = (beyond(at.x, x), beyond(at.y, y));
                if dx * dx + dy * dy < reach * reach && !cells.is_passable(CellPos::new(x, y)) {
                    return false;
                }
            }
        }
        !self.is_in_bottleneck(disc)
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
