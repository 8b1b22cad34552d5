//! New units, and what happens where their cell is taken.

use crate::base::{Angle, CellPos, persist_choices, persist_fields};
use crate::world::changes::free_cells::{Stander, Standers};
use crate::world::command::CommandError;
use crate::world::units::unit::{PlayerId, UnitId};
use crate::world::units::unit_type::UnitTypeId;
use crate::world::world::World;

/// A new unit on a taken cell appears up to 16 cells away.
const SPREAD_REACH: i32 = 16;

/// What happens to a new unit whose cell is taken: another body on one of its layers overlaps the place of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WhenTaken {
    /// It appears there anyway, and the units push each other apart. As [`World::spawn`] does: games that place armies by cells do not depend on who stands
    /// where.
    #[default]
    Overlap,
    /// It is refused with [`CommandError::Taken`].
    Refuse,
    /// It appears on the nearest free cell up to 16 cells away from which it could walk to the taken one. Without such a cell it is refused.
    Spread,
}

/// Where and how a new unit appears; see [`World::spawn_at`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpawnPlace {
    /// The cell.
    pub at: CellPos,
    /// The direction that the unit faces.
    pub facing: Angle,
    /// What happens if the cell is taken.
    pub taken: WhenTaken,
}

impl From<CellPos> for SpawnPlace {
    /// This cell, facing east, whether it is taken or not.
    fn from(at: CellPos) -> Self {
        Self { at, facing: Angle::ZERO, taken: WhenTaken::Overlap }
    }
}

persist_choices! {
    WhenTaken { Overlap, Refuse, Spread }
}

persist_fields! {
    SpawnPlace { at: CellPos, facing: Angle, taken: WhenTaken }
}

impl World {
    /// Adds a unit, with its facing, and with a rule for a cell that is taken.
    ///
    /// # Errors
    /// [`CommandError`] if the type does not exist, the cell is off the map or closed to the type, or there are [`MAX_UNITS`](crate::world::MAX_UNITS) units
    /// already. With [`WhenTaken::Refuse`] also if the cell is taken, with [`WhenTaken::Spread`] if no free cell is near.
    ///
    /// ```
    /// use waymarch::base::{cell, Dir8, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, PlayerId, SpawnPlace, UnitType, WhenTaken, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let exit = SpawnPlace { facing: Dir8::S.into(), taken: WhenTaken::Spread, ..cell(9, 9).into() };
    /// let squad = [(); 3].map(|()| world.spawn_at(soldier, PlayerId(0), exit).unwrap());
    /// assert_eq!(squad.map(|unit| world.cell_of(unit).unwrap()), [cell(9, 9), cell(9, 8), cell(8, 9)]);
    ///
    /// let strict = SpawnPlace { taken: WhenTaken::Refuse, ..exit };
    /// assert!(world.spawn_at(soldier, PlayerId(0), strict).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_at(
        &mut self,
        kind: UnitTypeId,
        owner: PlayerId,
        place: impl Into<SpawnPlace>,
    ) -> Result<UnitId, CommandError> {
        let place = place.into();
        self.check_spawn(kind, owner, place.at)?;
        let at = self.free_place_for(kind, owner, place)?;
        self.spawn_facing(kind, owner, at, place.facing)
    }

    /// The cell in which a new unit appears.
    fn free_place_for(
        &self,
        kind: UnitTypeId,
        owner: PlayerId,
        place: SpawnPlace,
    ) -> Result<CellPos, CommandError> {
        let SpawnPlace { at, taken, .. } = place;
        if taken == WhenTaken::Overlap {
            return Ok(at);
        }
        let unit_type = self.unit_type(kind).ok_or(CommandError::UnknownType(kind))?;
        let layers = self.layers_of_type(kind).unwrap_or_default();
        let reach = if taken == WhenTaken::Spread { SPREAD_REACH } else { 0 };
        let standers = Standers::around(&self.state.order_view(), at, reach, None);
        let Some(other) = standers.in_way_of(&Stander::in_cell(usize::MAX, unit_type, layers, at)) else {
            return Ok(at);
        };
        let unit = self.state.units.id_at(other).unwrap_or(UnitId::DEAD);
        let nav = self.nav();
        let agent = nav.layer().as_side(unit_type.agent, self.team_of(owner).0);
        let leads_there = |from: CellPos| nav.reachable(from, at, agent);
        let free = standers.free_cell(nav.layer(), (unit_type, agent, layers), (at, reach), leads_there);
        free.filter(|_| taken == WhenTaken::Spread).ok_or(CommandError::Taken { at, unit })
    }
}
