//! Threat sources and their owners.

use crate::base::Observer;
use crate::cost::{ThreatId, ThreatSource};
use crate::world::command::CommandError;
use crate::world::units::unit::PlayerId;
use crate::world::units::unit_threats::ThreatOwner;
use crate::world::world::World;

/// As this player looks at the map.
impl From<PlayerId> for Observer {
    fn from(player: PlayerId) -> Self {
        Self(player.0)
    }
}

impl World {
    /// Adds a threat source that belongs to a player, to a unit, or to nobody. It does not frighten units of its owner's team. Routes of
    /// units heed it if the setting `influence_avoidance` says so for their [controller](crate::query::Controller).
    ///
    /// A source of a unit moves with the unit from then on, and is removed with it. It belongs to the player that owns the unit at that
    /// time. The cell in `source` does not matter for it.
    ///
    /// Changes of sources take effect every `threat_update_frequency` ticks; [`World::set_team`] takes effect at once.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Falloff, Map, Rules, ThreatSource};
    /// use waymarch::query::Threat;
    /// use waymarch::world::{Navigator, PlayerId, ThreatOwner, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let tower = ThreatSource { at: cell(30, 30), radius: 8, strength: 90, falloff: Falloff::Linear };
    /// world.add_threat(tower, ThreatOwner::Player(PlayerId(1)))?;
    /// (0..4).for_each(|_| world.tick());
    /// let seen = |player: u8| {
    ///     let threat = world.nav().layer().threat();
    ///     threat.effective(Threat::HeedAs(PlayerId(player).into()))
    /// };
    /// assert_eq!([seen(1), seen(2)], [Threat::Ignore, Threat::Heed]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CommandError::Edit`] if it is off the map or too wide, [`CommandError::NoSuchUnit`] if the unit does not exist.
    pub fn add_threat(&mut self, source: ThreatSource, owner: ThreatOwner) -> Result<ThreatId, CommandError> {
        let source = self.at_owner(source, owner)?;
        let id = self.state.service.nav_mut().add_threat(source)?;
        self.give_threat(id, owner)?;
        Ok(id)
    }

    /// Moves or changes a threat source; its owner stays. A source of a unit keeps its unit's cell.
    ///
    /// # Errors
    /// [`CommandError::Edit`] if it does not exist, or would be off the map or too wide.
    pub fn set_threat(&mut self, id: ThreatId, source: ThreatSource) -> Result<(), CommandError> {
        Ok(self.state.service.nav_mut().set_threat(id, source)?)
    }

    /// Removes a threat source.
    ///
    /// # Errors
    /// [`CommandError::Edit`] if it does not exist.
    pub fn remove_threat(&mut self, id: ThreatId) -> Result<(), CommandError> {
        self.state.service.nav_mut().remove_threat(id)?;
        self.state.threats.attach(id, None);
        Ok(())
    }

    /// Gives a threat source to another owner.
    ///
    /// # Errors
    /// [`CommandError::Edit`] if it does not exist, [`CommandError::NoSuchUnit`] if the unit does not exist.
    pub fn set_threat_owner(&mut self, id: ThreatId, owner: ThreatOwner) -> Result<(), CommandError> {
        let nav = self.state.service.nav_mut();
        let no_such = crate::cost::EditError::NoSuchThreat(id);
        let source = nav.layer().threat().source(id).ok_or(no_such)?;
        let source = self.at_owner(source, owner)?;
        self.state.service.nav_mut().set_threat(id, source)?;
        self.give_threat(id, owner)
    }

    /// What a threat source belongs to; `None` if it does not exist.
    #[must_use]
    pub fn threat_owner(&self, id: ThreatId) -> Option<ThreatOwner> {
        let threat = self.nav().layer().threat();
        threat.source(id)?;
        Some(match (self.state.threats.unit_of(id), threat.owner(id)) {
            (Some(unit), _) => ThreatOwner::Unit(unit),
            (None, Some(player)) => ThreatOwner::Player(PlayerId(player.0)),
            (None, None) => ThreatOwner::Nobody,
        })
    }

    /// The source in the cell of its unit, if it belongs to one.
    fn at_owner(&self, source: ThreatSource, owner: ThreatOwner) -> Result<ThreatSource, CommandError> {
        let ThreatOwner::Unit(unit) = owner else { return Ok(source) };
        let at = self.cell_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
        Ok(ThreatSource { at, ..source })
    }

    fn give_threat(&mut self, id: ThreatId, owner: ThreatOwner) -> Result<(), CommandError> {
        let (player, unit) = match owner {
            ThreatOwner::Nobody => (None, None),
            ThreatOwner::Player(player) => (Some(player.into()), None),
            ThreatOwner::Unit(unit) => {
                let index = self.state.units.index_of(unit).ok_or(CommandError::NoSuchUnit(unit))?;
                (Some(self.state.units.observer(index)), Some(unit))
            }
        };
        self.state.service.nav_mut().set_threat_owner(id, player)?;
        self.state.threats.attach(id, unit);
        Ok(())
    }
}
