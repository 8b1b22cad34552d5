//! Many questions about units between two ticks.

use alloc::vec::Vec;

use crate::avoid::SpatialIndex;
use crate::base::{Fine, Fixed, Vec2};
use crate::world::questions::area::{UnitArea, radius_of, sort_by_distance};
use crate::world::questions::error::QuestionError;
use crate::world::questions::filter::UnitFilter;
use crate::world::units::unit::UnitId;
use crate::world::world::World;

/// The spatial index has grid squares of 4 cells a side.
const GRID_SIDE: Fixed = Fixed::from_cells(4);
/// The search for the nearest units begins within 4 cells.
const FIRST_REACH: Fixed = Fixed::from_cells(4);

/// Derived: all units of a World by position. It borrows the World, so it cannot become stale. See [`World::unit_index`].
#[derive(Clone, Debug)]
pub struct UnitIndex<'a> {
    world: &'a World,
    index: SpatialIndex,
    /// The largest radius of a body.
    widest: i64,
}

impl World {
    /// An index of all units by position, for many questions between two ticks. Answers are the same as without it.
    ///
    /// *Cost:* a few passes over all units, and memory for them. A question then costs about as much as the units near its area.
    ///
    /// ```
    /// use waymarch::base::{GridSize, Vec2, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, PlayerId, UnitFilter, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let squad = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(9, 3), cell(30, 30)])?;
    ///
    /// let index = world.unit_index();
    /// let mut found = Vec::new();
    /// for &unit in &squad {
    ///     let at = world.unit(unit).unwrap().position;
    ///     index.nearest_units(at, 1, UnitFilter::ALL.except(unit), &mut found);
    ///     assert_ne!(found[0], unit);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unit_index(&self) -> UnitIndex<'_> {
        let (units, types) = (&self.state.units, &self.state.types);
        let crowd = &units.body.crowd;
        let mut index = SpatialIndex::new(GRID_SIDE);
        index.rebuild(crowd.positions(), crowd.ids());
        let radii = crowd.ids().iter().map(|&id| radius_of(units, types, id as usize));
        UnitIndex { world: self, widest: radii.max().unwrap_or(0), index }
    }
}

impl UnitIndex<'_> {
    /// Visits all units in a box that count, and some around it.
    fn each_in(&self, (low, high): (Fine, Fine), filter: &UnitFilter, mut visit: impl FnMut(usize, UnitId)) {
        let units = &self.world.state.units;
        let ids = units.body.crowd.ids();
        for run in self.index.runs(low, high) {
            for &place in &self.index.order()[run] {
                let index = ids[place as usize] as usize;
                if let Some(id) = units.id_at(index).filter(|_| filter.counts(units, index)) {
                    visit(index, id);
                }
            }
        }
    }

    /// As [`World::units_in`].
    ///
    /// # Errors
    /// [`QuestionError::Negative`] if a length is negative. `out` is then empty.
    pub fn units_in(
        &self,
        area: UnitArea,
        filter: UnitFilter,
        out: &mut Vec<UnitId>,
    ) -> Result<(), QuestionError> {
        out.clear();
        let (area, state) = (area.exact()?, &self.world.state);
        self.each_in(area.bounds(self.widest), &filter, |index, id| {
            if area.has(state.units.middle(index), radius_of(&state.units, &state.types, index)) {
                out.push(id);
            }
        });
        area.sort(&state.units, out);
        Ok(())
    }

    /// As [`World::nearest_units`]. The search looks twice as far each time until it has found enough units.
    pub fn nearest_units(&self, at: Vec2, count: usize, filter: UnitFilter, out: &mut Vec<UnitId>) {
        let (at, units) = (Fine::from(at), &self.world.state.units);
        let mut reach = FIRST_REACH.to_fine();
        loop {
            out.clear();
            let is_whole = reach == i32::MAX;
            let limit = u64::from(reach.unsigned_abs()).pow(2);
            let area = if is_whole {
                (Fine::new(i32::MIN, i32::MIN), Fine::new(i32::MAX, i32::MAX))
            } else {
                box_around(at, reach)
            };
            self.each_in(area, &filter, |index, id| {
                if is_whole || units.middle(index).distance_squared(at) <= limit {
                    out.push(id);
                }
            });
            if out.len() >= count || is_whole {
                break;
            }
            reach = reach.saturating_mul(2);
        }
        sort_by_distance(units, at, out);
        out.truncate(count);
    }

    /// As [`World::unit_at`].
    #[must_use]
    pub fn unit_at(&self, at: Vec2, filter: UnitFilter) -> Option<UnitId> {
        let (at, state) = (Fine::from(at), &self.world.state);
        let mut best: Option<(u64, usize, UnitId)> = None;
        self.each_in(box_around(at, self.widest as i32), &filter, |index, id| {
            let square = state.units.middle(index).distance_squared(at);
            let radius = radius_of(&state.units, &state.types, index).unsigned_abs();
            let key = (square, index, id);
            if square <= radius.pow(2) && best.is_none_or(|best| (key.0, key.1) < (best.0, best.1)) {
                best = Some(key);
            }
        });
        best.map(|(.., id)| id)
    }
}

/// Opposite corners of a square around a point.
fn box_around(at: Fine, reach: i32) -> (Fine, Fine) {
    let low = Fine::new(at.x.saturating_sub(reach), at.y.saturating_sub(reach));
    (low, Fine::new(at.x.saturating_add(reach), at.y.saturating_add(reach)))
}
