//! Teams: which players are allies.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, LoadError, Persist};
use crate::world::units::unit::PlayerId;

/// The number of players: 256, one for each [`PlayerId`].
const PLAYERS: usize = 256;

/// A team of players. At the start, each player is alone in the team with the player's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamId(pub u8);

/// What one player is to another; see [`World::relation`](crate::world::World::relation).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// The same player.
    Own,
    /// Another player of the same team. Units of allies make way for each other as units of one player do.
    Ally,
    /// A player of another team.
    Enemy,
}

impl Relation {
    /// Whether units make way for each other, share passages, and do not report each other as [`Sighted`](crate::world::EventKind::Sighted).
    #[inline]
    #[must_use]
    pub const fn is_friendly(self) -> bool {
        matches!(self, Self::Own | Self::Ally)
    }
}

/// World: the team of each player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Teams {
    of: [TeamId; PLAYERS],
}

impl Default for Teams {
    fn default() -> Self {
        Self { of: core::array::from_fn(|player| TeamId(player as u8)) }
    }
}

impl Teams {
    /// The team of a player.
    #[inline]
    pub(crate) fn of(&self, player: PlayerId) -> TeamId {
        self.of[usize::from(player.0)]
    }

    /// What one player is to another. Every rule about own, allied and enemy units asks here.
    #[inline]
    pub(crate) fn relation(&self, player: PlayerId, other: PlayerId) -> Relation {
        if player == other {
            Relation::Own
        } else if self.of(player) == self.of(other) {
            Relation::Ally
        } else {
            Relation::Enemy
        }
    }

    /// Puts a player into a team.
    pub(super) fn set(&mut self, player: PlayerId, team: TeamId) {
        self.of[usize::from(player.0)] = team;
    }

    /// The players that are not in the team with their number, ascending.
    fn moved(&self) -> impl Iterator<Item = (PlayerId, TeamId)> + '_ {
        (0..=u8::MAX).map(|number| (PlayerId(number), self.of[usize::from(number)])).filter(is_moved)
    }

    /// Whether each player is in the team with its number, as at the start.
    pub(crate) fn are_default(&self) -> bool {
        self.moved().next().is_none()
    }
}

fn is_moved(&(player, team): &(PlayerId, TeamId)) -> bool {
    player.0 != team.0
}

impl Persist for TeamId {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u8::load(reader).map(Self)
    }
}

/// Only the players that have changed their team are written, so that equal teams give equal bytes.
impl Persist for Teams {
    fn save(&self, writer: &mut ByteWriter) {
        self.moved().collect::<Vec<_>>().save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let moved = Vec::<(PlayerId, TeamId)>::load(reader)?;
        if !moved.windows(2).all(|two| two[0].0 < two[1].0) || !moved.iter().all(is_moved) {
            return Err(reader.error("the players of teams are not in order, or one is in its first team"));
        }
        let mut teams = Self::default();
        moved.into_iter().for_each(|(player, team)| teams.set(player, team));
        Ok(teams)
    }
}
