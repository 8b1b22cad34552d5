//! Units that make no headway: how that is noticed, what is tried, and when it is given up.

use crate::avoid::Delay;
use crate::base::{Fixed, Purpose, Rng, Tick, Vec2, persist_choices, persist_fields};
use crate::config::Config;
use crate::query::BlockedBy;

use super::errand::Press;
use super::units::UnitId;

/// Luck for spreading attempts over ticks.
const JITTER: Purpose = Purpose(0x5EED_0001);
/// A unit that keeps less than this part of its speed is stuck.
const SLOWEST_PART: i64 = 4;
/// Among friends a tick lasts so many.
const PATIENCE: u8 = 16;
/// So many stretches away, and earlier trouble is forgotten.
const FAR: u64 = 8;
/// Who does not get so far in this many quarters of `stuck_threshold` goes to and fro: that is no headway either. Among friends it may take
/// four times as long.
const TO_AND_FRO: u32 = 96;
/// Waits double up to so many times.
const MOST_DOUBLINGS: u16 = 6;
/// Without `repath_escalation`, so many attempts are made.
const PLAIN_ATTEMPTS: u16 = 3;

/// What is tried next by a unit that is stuck: each rung asks for less than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rung {
    /// Nothing has gone wrong: ground only.
    #[default]
    Ground,
    /// Around all units near by.
    AroundAll,
    /// Around those that stand; who moves will be gone.
    AroundStanding,
    /// To the nearest place that can be reached.
    Nearest,
}

impl Rung {
    /// Which units stand in the way of a route that is asked for on this rung.
    #[must_use]
    pub const fn blocked_by(self) -> BlockedBy {
        match self {
            Self::Ground => BlockedBy::None,
            Self::AroundAll => BlockedBy::All,
            Self::AroundStanding => BlockedBy::Stationary,
            Self::Nearest => BlockedBy::Immovable,
        }
    }

    /// What is tried after it; `None` if there is nothing left.
    const fn next(self) -> Option<Self> {
        match self {
            Self::Ground => Some(Self::AroundAll),
            Self::AroundAll => Some(Self::AroundStanding),
            Self::AroundStanding => Some(Self::Nearest),
            Self::Nearest => None,
        }
    }
}

/// World: whether a unit gets on, and what has been tried if not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stuck {
    /// Where it last made headway.
    pub(super) anchor: Vec2,
    /// Ticks since then.
    pub(super) still: u32,
    /// Parts of a tick more, [`PATIENCE`] to one.
    pub(super) waited: u8,
    /// Where it was when it last got far, or tried another way.
    pub(super) base: Vec2,
    /// Quarters of ticks since then; for units that have nothing to do, ticks without rest.
    pub(super) long: u32,
    /// What was tried last.
    pub(super) rung: Rung,
    /// Attempts since things last went well: waits grow with it.
    pub(super) failures: u16,
    /// Whether the game was told that it gave up, since then.
    pub(super) told: bool,
    /// No attempt before.
    pub(super) retry: Tick,
}

/// What a unit that is stuck does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Remedy {
    /// It goes on.
    None,
    /// It asks for another route, on its rung.
    Ask,
    /// It has tried everything.
    GiveUp,
}

impl Stuck {
    /// All is well, from here on.
    pub(super) fn reset(&mut self, at: Vec2) {
        *self = Self { anchor: at, base: at, ..Self::default() };
    }

    /// Looks where the unit is after a tick in which it was to move.
    ///
    /// Headway is measured over a stretch, not from tick to tick: within `stuck_threshold` ticks the unit must get a quarter as far away
    /// from where it was as its speed allows. So one that trembles on the spot is stuck, and one that is slow is not.
    ///
    /// Who goes to and fro for a long time is stuck too, and only who gets nearer by far has its earlier trouble forgotten. So every
    /// ladder has an end.
    ///
    /// Waiting is not being stuck. Behind a leader of its own stream no time passes: somebody is first there, for whom it does, so that
    /// every wait has an end. Among friends it passes slowly.
    pub(super) fn notice(&mut self, at: Vec2, speed: Fixed, delay: Delay, press: &Press, config: &Config) {
        let stretch = i64::from(speed.raw()) * i64::from(config.stuck_threshold) / SLOWEST_PART;
        let stretch = stretch.clamp(1, 4 * i64::from(Fixed::ONE.raw())).unsigned_abs();
        if u64::from(press.gained()) >= FAR * stretch {
            (self.rung, self.failures, self.told) = (Rung::Ground, 0, false);
        }
        if at.distance_squared(self.base) >= (FAR * stretch).pow(2) {
            (self.base, self.long) = (at, 0);
        } else {
            let quarters = match delay {
                Delay::None => 4,
                Delay::Traffic | Delay::Settled => 1,
                Delay::Queue => 0,
            };
            self.long = self.long.saturating_add(quarters);
        }
        if self.long >= config.stuck_threshold.saturating_mul(TO_AND_FRO) {
            self.still = self.still.max(config.stuck_threshold);
        } else if at.distance_squared(self.anchor) < stretch * stretch {
            let lasts = match delay {
                Delay::None => PATIENCE,
                Delay::Traffic | Delay::Settled => 1,
                Delay::Queue => 0,
            };
            let waited = self.waited.saturating_add(lasts);
            (self.still, self.waited) =
                (self.still.saturating_add(u32::from(waited / PATIENCE)), waited % PATIENCE);
        } else {
            (self.anchor, self.still, self.waited) = (at, 0, 0);
        }
    }

    /// Counts a tick in which a unit that is there does not come to rest; says whether there have been `enough`.
    pub(super) fn fidgets(&mut self, enough: u32) -> bool {
        self.long = self.long.saturating_add(1);
        let over = self.long >= enough;
        if over {
            self.long = 0;
        }
        over
    }

    /// A tick in which it is at rest or gets on makes good for one in which it did not.
    pub(super) fn calms(&mut self) {
        self.long = self.long.saturating_sub(1);
    }

    /// It stands where it should: waiting is no trouble.
    pub(super) fn rest(&mut self, at: Vec2) {
        (self.anchor, self.still, self.waited) = (at, 0, 0);
    }

    /// Whether something has to be done, and what: one rung further at a time, never before the cooldown is over.
    pub(super) fn remedy(&mut self, now: Tick, delay: Delay, config: &Config) -> Remedy {
        if self.still < config.stuck_threshold || now < self.retry {
            return Remedy::None;
        }
        let next = match (config.repath_escalation, self.rung.next()) {
            (true, next) => next,
            (false, _) if self.failures < PLAIN_ATTEMPTS => Some(Rung::AroundAll),
            (false, _) => None,
        };
        // A jam of friends who go elsewhere comes to an end: who is in it tries everything again, for as long as anything may take.
        let next = if delay == Delay::Traffic { next.or(Some(Rung::AroundAll)) } else { next };
        (self.still, self.long, self.base) = (0, 0, self.anchor);
        match next {
            Some(rung) => {
                self.rung = rung;
                Remedy::Ask
            }
            None => Remedy::GiveUp,
        }
    }

    /// An attempt was made or has failed: the next comes after a cooldown that is spread by the unit's own luck, so that units that got
    /// stuck together do not all ask in one tick.
    pub(super) fn cool_down(&mut self, key: JitterKey, config: &Config) {
        let spread = config.repath_cooldown / 2 + 1;
        let luck = Rng::keyed(key.seed, key.now, key.unit.to_bits(), JITTER).below(spread);
        self.failures = self.failures.saturating_add(1);
        self.retry = key.now + config.repath_cooldown.saturating_add(luck);
    }

    /// The same, each wait twice as long as the one before.
    pub(super) fn back_off(&mut self, key: JitterKey, config: &Config) {
        let doublings = self.failures.min(MOST_DOUBLINGS);
        self.cool_down(key, config);
        let wait = u64::from(config.repath_cooldown.max(1)) << doublings;
        self.retry += u32::try_from(wait).unwrap_or(u32::MAX);
    }
}

/// Whose luck, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JitterKey {
    pub(super) seed: u64,
    pub(super) now: Tick,
    pub(super) unit: UnitId,
}

persist_choices! {
    Rung { Ground, AroundAll, AroundStanding, Nearest }
}

persist_fields! {
    Stuck { anchor: Vec2, still: u32, waited: u8, base: Vec2, long: u32, rung: Rung, failures: u16, told: bool, retry: Tick }
}
