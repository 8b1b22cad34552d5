//! The unit and the player that a route is for.

use super::agent::Observer;
use super::bytes::persist_fields;
use super::id::UnitId;

/// The unit and the player that a route is for. A World tells a [`Planner`](crate::planners::Planner) of the game if that
/// [asks for it](crate::planners::Planner::heeds_asker). The engine's own planners never see it: their routes are the same for all.
///
/// ```
/// use waymarch::base::{Asker, LocomotorId, Observer, cell};
/// use waymarch::query::PathQuery;
///
/// let query = PathQuery::new(cell(3, 4), cell(60, 40), LocomotorId(0));
/// assert_eq!(query.asker, Asker::NOBODY);
/// let scout = Asker { player: Some(Observer(2)), ..Asker::NOBODY };
/// assert_ne!(query.with_asker(scout), query);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Asker {
    /// The unit.
    pub unit: Option<UnitId>,
    /// The player that owns the unit: the number of its [`PlayerId`](crate::world::PlayerId).
    pub player: Option<Observer>,
}

impl Asker {
    /// A route for no unit in particular.
    pub const NOBODY: Self = Self { unit: None, player: None };
}

persist_fields! {
    Asker { unit: Option<UnitId>, player: Option<Observer> }
}
