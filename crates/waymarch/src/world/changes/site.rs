//! Whether a building can stand in a place, and which units are in its way.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, LocomotorId, StampId};
use crate::cost::{EditError, FootCell, Stamp};
use crate::world::units::unit::UnitId;
use crate::world::world::World;

/// A place for a stamp; see [`World::can_place`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// The units whose ground the stamp would close, by unit index: those that the setting `eviction` would concern.
    pub units: Vec<UnitId>,
    /// The cells of the footprint that are closed to the ground's locomotor now, row by row: water, cliffs, other buildings. [`FootCell::Open`] cells
    /// do not count.
    pub closed: Vec<CellPos>,
    /// The stamps that stand on cells of the footprint, by id.
    pub stamps: Vec<StampId>,
}

impl Site {
    /// Whether the ground is legal and no unit is in the way.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.units.is_empty() && self.closed.is_empty()
    }
}

impl World {
    /// Whether a stamp could stand at a place. `ground` is a locomotor that can pass all ground that is legal for it: one on foot for a house, one on water for a
    /// dock. Changes nothing: for the preview of a building, and for computer players.
    ///
    /// *Cost:* a pass over all units, and over the cells of the stamp.
    ///
    /// # Errors
    /// [`EditError`] if [`World::place`] would refuse the stamp there: it is malformed, or does not fit on the map.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::world::{Navigator, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(11, 11))?;
    /// let house = Stamp::solid(3, 3);
    /// assert!(world.can_place(&house, cell(30, 30), foot)?.is_free());
    /// assert_eq!(world.can_place(&house, cell(10, 10), foot)?.units, [unit]);
    /// assert!(world.can_place(&house, cell(62, 62), foot).is_err(), "off the map");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_place(&self, stamp: &Stamp, at: CellPos, ground: LocomotorId) -> Result<Site, EditError> {
        let layer = self.nav().layer();
        stamp.check_at(layer.rules().rules().terrains.len(), layer.grid(), at)?;
        let area = CellRect::at(at, stamp.width, stamp.height);
        let field = layer.field(ground.into());
        let mut site = Site::default();
        for (cell, foot) in area.cells().zip(&stamp.cells) {
            site.stamps.extend(layer.stamps_on(cell).map(|(id, _)| id));
            if *foot != FootCell::Open && !field.is_some_and(|field| field.is_passable(cell)) {
                site.closed.push(cell);
            }
        }
        site.stamps.sort_unstable();
        site.stamps.dedup();
        let units = &self.state.units;
        for id in units.body.ids.ids() {
            let index = id.index() as usize;
            let Some(kind) = self.state.type_of(index) else { continue };
            let (here, size) = (units.cell(index), kind.agent.size);
            let under = CellRect::at(here, 1, 1).grow(size.reach_north_west(), size.reach_south_east());
            if units.conditions.is_aboard(index) || under.intersect(area).is_empty() {
                continue;
            }
            let agent = units.agent(index, kind, layer);
            let is_open = layer.field(agent).is_some_and(|field| field.is_passable(here));
            if is_open && layer.is_closed_by(stamp, at, here, agent) {
                site.units.push(id);
            }
        }
        Ok(site)
    }
}
