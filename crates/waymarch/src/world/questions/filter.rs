//! Which units count in a question.

use crate::base::CollisionLayers;
use crate::world::units::columns::Units;
use crate::world::units::teams::TeamId;
use crate::world::units::unit::{PlayerId, UnitId};
use crate::world::units::unit_type::UnitTypeId;

/// Which units count in a question. Every condition must hold. Without conditions all units count.
///
/// ```
/// use waymarch::base::CollisionLayers;
/// use waymarch::world::{PlayerId, UnitFilter};
/// let targets = UnitFilter::ALL.enemies_of(PlayerId(0)).on_layers(CollisionLayers::AIR);
/// let workers_without_work = UnitFilter::ALL.of_player(PlayerId(0)).idle();
/// assert_ne!(targets, workers_without_work);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UnitFilter {
    player: Option<PlayerId>,
    team: Option<TeamId>,
    side: Option<Side>,
    kind: Option<UnitTypeId>,
    layers: Option<CollisionLayers>,
    work: Option<Work>,
    except: Option<UnitId>,
    aboard: Aboard,
    seen_by: Option<PlayerId>,
}

/// Whether units in transports count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Aboard {
    #[default]
    LeftOut,
    Counted,
}

/// Friends or enemies of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    FriendsOf(PlayerId),
    EnemiesOf(PlayerId),
}

/// Whether a unit has orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Idle,
    Busy,
}

impl UnitFilter {
    /// All units that have a body: all but those in transports.
    pub const ALL: Self = Self {
        player: None,
        team: None,
        side: None,
        kind: None,
        layers: None,
        work: None,
        except: None,
        aboard: Aboard::LeftOut,
        seen_by: None,
    };

    /// Only units of a player.
    #[must_use]
    pub const fn of_player(self, player: PlayerId) -> Self {
        Self { player: Some(player), ..self }
    }

    /// Only units of the players of a team.
    #[must_use]
    pub const fn of_team(self, team: TeamId) -> Self {
        Self { team: Some(team), ..self }
    }

    /// Only units of a player and of its allies. Replaces [`UnitFilter::enemies_of`].
    #[must_use]
    pub const fn friends_of(self, player: PlayerId) -> Self {
        Self { side: Some(Side::FriendsOf(player)), ..self }
    }

    /// Only units of the enemies of a player. Replaces [`UnitFilter::friends_of`].
    #[must_use]
    pub const fn enemies_of(self, player: PlayerId) -> Self {
        Self { side: Some(Side::EnemiesOf(player)), ..self }
    }

    /// Only units of a type.
    #[must_use]
    pub const fn of_type(self, kind: UnitTypeId) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Only units on at least one of these collision layers.
    #[must_use]
    pub const fn on_layers(self, layers: CollisionLayers) -> Self {
        Self { layers: Some(layers), ..self }
    }

    /// Only units without orders. Replaces [`UnitFilter::busy`].
    #[must_use]
    pub const fn idle(self) -> Self {
        Self { work: Some(Work::Idle), ..self }
    }

    /// Only units with orders. Replaces [`UnitFilter::idle`].
    #[must_use]
    pub const fn busy(self) -> Self {
        Self { work: Some(Work::Busy), ..self }
    }

    /// All units but this one: usually the unit that asks.
    #[must_use]
    pub const fn except(self, unit: UnitId) -> Self {
        Self { except: Some(unit), ..self }
    }

    /// Also units in transports. They are where their transports are.
    #[must_use]
    pub const fn with_passengers(self) -> Self {
        Self { aboard: Aboard::Counted, ..self }
    }

    /// Only units that a player sees: no hidden units of its enemies. See [`World::set_concealment`](crate::world::World::set_concealment).
    #[must_use]
    pub const fn seen_by(self, player: PlayerId) -> Self {
        Self { seen_by: Some(player), ..self }
    }

    /// Whether the unit at an index counts. There is a unit at this index.
    pub(super) fn counts(&self, units: &Units, index: usize) -> bool {
        let body = &units.body;
        let owner = body.owner[index];
        let hidden_from =
            |player| units.conditions.is_hidden(index) && !body.teams.relation(player, owner).is_friendly();
        (self.aboard == Aboard::Counted || !units.conditions.is_aboard(index))
            && !self.seen_by.is_some_and(hidden_from)
            && self.player.is_none_or(|player| player == owner)
            && self.team.is_none_or(|team| team == body.team(index))
            && self.side.is_none_or(|side| match side {
                Side::FriendsOf(player) => body.teams.relation(player, owner).is_friendly(),
                Side::EnemiesOf(player) => !body.teams.relation(player, owner).is_friendly(),
            })
            && self.kind.is_none_or(|kind| kind == body.kind[index])
            && self.layers.is_none_or(|layers| layers.meets(body.layers(index)))
            && self.work.is_none_or(|work| (work == Work::Idle) == body.queue[index].0.is_empty())
            && self.except.is_none_or(|unit| units.id_at(index) != Some(unit))
    }
}
