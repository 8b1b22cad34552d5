//! Players and their teams.

use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::units::teams::{Relation, TeamId};
use crate::world::units::unit::PlayerId;
use crate::world::world::World;

impl World {
    /// Puts a player with all its units into a team. Players of one team are allies: their units make way for each other as units of one player do,
    /// groups give each other right of way, units on an attack-move do not report them, and their threat sources do not frighten each other. Gates that are open to a
    /// team ([`GateState::OpenTo`](crate::cost::GateState::OpenTo)) are open to its units.
    ///
    /// At the start each player is alone in the team with its number. So `set_team(PlayerId(2), TeamId(1))` makes players 1 and 2 allies.
    ///
    /// ```
    /// use waymarch::base::GridSize;
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, PlayerId, Relation, TeamId, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// assert_eq!(world.relation(PlayerId(1), PlayerId(2)), Relation::Enemy);
    /// world.set_team(PlayerId(2), TeamId(1));
    /// assert_eq!(world.relation(PlayerId(1), PlayerId(2)), Relation::Ally);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_team(&mut self, player: PlayerId, team: TeamId) {
        self.state.units.body.set_team(player, team);
        self.state.service.nav_mut().set_side(player.into(), team.0);
        let layer = self.state.service.nav().layer();
        if !layer.gate_sides().is_empty() {
            // Gates that were open to the player's units may be closed to them now, and the other way round.
            self.state.unreviewed = UnreviewedEdits::everything(layer.changes());
        }
    }

    /// The team of a player. Until [`World::set_team`] it is the team with the player's number.
    #[must_use]
    pub fn team_of(&self, player: PlayerId) -> TeamId {
        self.state.units.body.teams.of(player)
    }

    /// What one player is to another: the same player, an ally or an enemy.
    #[must_use]
    pub fn relation(&self, player: PlayerId, other: PlayerId) -> Relation {
        self.state.units.body.teams.relation(player, other)
    }
}
