//! The nearest cell in which a body has room.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, CollisionLayers, Fine};
use crate::cost::CostLayer;
use crate::world::orders::parts::OrderView;
use crate::world::units::unit_type::{UnitType, shift_of};

/// A body that stands in some place, or is to stand there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stander {
    /// The index of the unit. Of several bodies in the way, the one with the smallest index is named.
    pub(super) unit: usize,
    at: Fine,
    radius: i64,
    layers: CollisionLayers,
}

impl Stander {
    /// The body of a unit of this type in the middle of a cell.
    pub(super) fn in_cell(unit: usize, kind: &UnitType, layers: CollisionLayers, at: CellPos) -> Self {
        let at = Fine::centre(at).plus(shift_of(kind.agent.size));
        Self { unit, at, radius: kind.radius.to_fine_i64(), layers }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let touch = (self.radius + other.radius).unsigned_abs();
        self.layers.meets(other.layers) && self.at.distance_squared(other.at) < touch * touch
    }
}

/// Scratch: the bodies around a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Standers {
    list: Vec<Stander>,
}

impl Standers {
    /// The bodies whose units are within `reach` cells of a cell, but not the body of `except`. Units in transports have none.
    pub(super) fn around(view: &OrderView<'_>, at: CellPos, reach: i32, except: Option<usize>) -> Self {
        /// Bodies have radii up to 8 cells, so two of them can touch over 16 cells, and 1 more for rounding.
        const TOUCH: i32 = 17;
        let near = CellRect::at(at, 1, 1).grow(reach + TOUCH, reach + TOUCH);
        let units = view.units;
        let mut list = Vec::new();
        for index in units.body.ids.ids().map(|id| id.index() as usize) {
            if units.conditions.is_aboard(index) || except == Some(index) || !near.contains(units.cell(index))
            {
                continue;
            }
            let Some(kind) = view.type_of(index) else { continue };
            let (radius, layers) = (kind.radius.to_fine_i64(), units.body.layers(index));
            list.push(Stander { unit: index, at: units.middle(index), radius, layers });
        }
        Self { list }
    }

    /// Adds a body that is to stand there.
    pub(super) fn add(&mut self, stander: Stander) {
        self.list.push(stander);
    }

    /// The unit whose body overlaps this one; of several, the one with the smallest index.
    pub(super) fn in_way_of(&self, stander: &Stander) -> Option<usize> {
        self.list.iter().filter(|other| other.overlaps(stander)).map(|other| other.unit).min()
    }

    /// The cell nearest to `at`, up to `reach` cells away, that is open to an agent, where it may stop, and where no body is in the way. Of equally near cells, the
    /// northernmost, then the westernmost. `counts` can leave cells out.
    pub(super) fn free_cell(
        &self,
        layer: &CostLayer,
        (kind, agent, layers): (&UnitType, Agent, CollisionLayers),
        (at, reach): (CellPos, i32),
        counts: impl Fn(CellPos) -> bool,
    ) -> Option<CellPos> {
        let is_free = |cell: CellPos| {
            counts(cell) && self.in_way_of(&Stander::in_cell(usize::MAX, kind, layers, cell)).is_none()
        };
        nearest_open(layer, agent, (at, reach), is_free)
    }
}

/// The cell nearest to `at`, up to `reach` cells away, that is open to an agent, where it may stop, and that counts. Of equally near cells, the northernmost, then the
/// westernmost.
pub(super) fn nearest_open(
    layer: &CostLayer,
    agent: Agent,
    (at, reach): (CellPos, i32),
    counts: impl Fn(CellPos) -> bool,
) -> Option<CellPos> {
    let field = layer.field(agent)?;
    let fits = |cell: CellPos| field.is_passable(cell) && layer.can_stop(cell, agent) && counts(cell);
    let far = |cell: CellPos| {
        let (x, y) = (u64::from(cell.x.abs_diff(at.x)), u64::from(cell.y.abs_diff(at.y)));
        (x * x + y * y, cell.y, cell.x)
    };
    let mut best: Option<(u64, i32, i32)> = None;
    for ring in 0..=reach {
        // All cells of this ring and of those outside it are at least `ring` cells away.
        let least = u64::from(ring.unsigned_abs()).pow(2);
        if best.is_some_and(|best| best.0 < least) {
            break;
        }
        let square = CellRect::at(at, 1, 1).grow(ring, ring);
        let inside = square.intersect(layer.grid().rect());
        let is_edge = |cell: &CellPos| {
            cell.x == square.x0 || cell.x == square.x1 - 1 || cell.y == square.y0 || cell.y == square.y1 - 1
        };
        for cell in inside.cells().filter(is_edge) {
            let key = far(cell);
            if best.is_none_or(|best| key < best) && fits(cell) {
                best = Some(key);
            }
        }
    }
    best.map(|(_, y, x)| CellPos::new(x, y))
}
