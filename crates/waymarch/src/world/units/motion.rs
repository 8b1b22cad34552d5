//! The states of a unit's motion: one function says in which state a unit is in a tick.

use crate::avoid::Delay;
use crate::base::persist_choices;

/// What keeps a unit from its goal, or that nothing does: see [`World::motion_of`](crate::world::World::motion_of).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum UnitMotion {
    /// The unit has no order, has reached its goal, or was halted.
    #[default]
    AtRest,
    /// The unit moves along its route, or waits for the route.
    Moving,
    /// The unit waits behind a unit that goes first, before a passage that is reserved for the other side, or for a group with right of way.
    Queued,
    /// The unit is in a deadlock zone: it steps from cell to cell, and may be pushed back.
    Yielding,
    /// The unit is slower than half its speed, and other units of its player are close in front of it.
    Blocked,
    /// The unit is slower than half its speed although no unit of its player is in front of it, or its route leads back.
    Lost,
    /// The unit stands on closed ground, and heads for open ground.
    Trapped,
    /// The unit has given up for now, and waits for the next attempt. Only orders that do not end have this state.
    Hopeless,
}

impl UnitMotion {
    /// The state in lower case: "moving", "blocked".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtRest => "at rest",
            Self::Moving => "moving",
            Self::Queued => "queued",
            Self::Yielding => "yielding",
            Self::Blocked => "blocked",
            Self::Lost => "lost",
            Self::Trapped => "trapped",
            Self::Hopeless => "hopeless",
        }
    }
}

/// Why a unit does not walk, and is not stuck either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pause {
    /// It walks.
    None,
    /// It has no order, waits near its target, or was halted.
    Rest,
    /// It has given up, and waits until the next attempt is due.
    GaveUp,
    /// It waits for a route.
    Route,
    /// It waits before a reserved passage.
    Passage,
    /// It grants another group right of way.
    RightOfWay,
    /// It steps when its deadlock zone tells it to.
    ZoneStep,
}

/// What is known of a unit after a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Observed {
    pub(crate) pause: Pause,
    /// Whether it heads for open ground from closed ground.
    pub(crate) is_trapped: bool,
    /// Whether its route leads back through a gate that it has crossed.
    pub(crate) leads_back: bool,
    /// Whether it moves at half its expected speed or more.
    pub(crate) walks: bool,
    pub(crate) delay: Delay,
}

impl Observed {
    /// A unit that pauses. Nothing else about it counts.
    pub(crate) const fn pausing(pause: Pause) -> Self {
        Self { pause, is_trapped: false, leads_back: false, walks: false, delay: Delay::None }
    }

    /// The state of the unit.
    pub(crate) fn classify(&self) -> UnitMotion {
        match self.pause {
            Pause::Rest => UnitMotion::AtRest,
            Pause::GaveUp => UnitMotion::Hopeless,
            Pause::Route => UnitMotion::Moving,
            Pause::Passage | Pause::RightOfWay => UnitMotion::Queued,
            Pause::ZoneStep => UnitMotion::Yielding,
            Pause::None if self.is_trapped => UnitMotion::Trapped,
            Pause::None if self.leads_back => UnitMotion::Lost,
            Pause::None if self.walks => UnitMotion::Moving,
            Pause::None => match self.delay {
                Delay::Queue => UnitMotion::Queued,
                Delay::Traffic | Delay::Settled => UnitMotion::Blocked,
                Delay::None => UnitMotion::Lost,
            },
        }
    }
}

persist_choices! {
    UnitMotion { AtRest, Moving, Queued, Yielding, Blocked, Lost, Trapped, Hopeless }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_its_cause() {
        let slow = Observed::pausing(Pause::None);
        let pausing = |pause| Observed { pause, is_trapped: true, leads_back: true, ..slow }.classify();
        assert_eq!(pausing(Pause::Rest), UnitMotion::AtRest);
        assert_eq!(pausing(Pause::GaveUp), UnitMotion::Hopeless);
        assert_eq!(pausing(Pause::Route), UnitMotion::Moving);
        assert_eq!(pausing(Pause::Passage), UnitMotion::Queued);
        assert_eq!(pausing(Pause::RightOfWay), UnitMotion::Queued);
        assert_eq!(pausing(Pause::ZoneStep), UnitMotion::Yielding);
        assert_eq!(pausing(Pause::None), UnitMotion::Trapped);
        let delayed = |delay| Observed { delay, ..slow }.classify();
        assert_eq!(delayed(Delay::None), UnitMotion::Lost);
        assert_eq!(delayed(Delay::Queue), UnitMotion::Queued);
        assert_eq!(delayed(Delay::Traffic), UnitMotion::Blocked);
        assert_eq!(delayed(Delay::Settled), UnitMotion::Blocked);
        assert_eq!(Observed { walks: true, delay: Delay::Traffic, ..slow }.classify(), UnitMotion::Moving);
        assert_eq!(Observed { walks: true, leads_back: true, ..slow }.classify(), UnitMotion::Lost);
    }
}
