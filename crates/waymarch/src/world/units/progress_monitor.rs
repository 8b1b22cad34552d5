//! Units without progress: how they are detected, what they try, and when they give up.

use crate::avoid::Delay;
use crate::base::{Fixed, Purpose, Rng, Tick, Vec2, persist_choices, persist_fields};
use crate::config::Config;
use crate::query::BlockedBy;
use crate::world::units::no_progress::BlockedApproach;
use crate::world::units::unit::UnitId;

/// Random numbers that spread attempts over ticks.
const JITTER: Purpose = Purpose(0x5EED_0001);
/// A unit that walks less than 1/4 of the distance that its speed allows is stuck: see "stretch" in [`ProgressMonitor::notice`].
const SLOWEST_PART: i64 = 4;
/// While allies delay a unit, one tick in 16 counts as stuck.
const PARTS_PER_TICK: u8 = 16;
/// When a unit has come 8 stretches nearer, its attempts are forgotten. A unit 8 stretches from its base does not go back and forth.
const FAR: u64 = 8;
/// A unit that stays within 8 stretches of its base for 96 / 4 = 24 times `stuck_threshold` goes back and forth, and is stuck. While allies
/// delay it, this takes four times as long.
const TO_AND_FRO: u32 = 96;
/// Waits double at most 6 times.
const MOST_DOUBLINGS: u16 = 6;
/// A unit makes at least 3 attempts before it gives up. Without `repath_escalation` it makes just 3.
const PLAIN_ATTEMPTS: u16 = 3;

/// A unit that others block starts again with the first remedy at most 16 times, or after at most 64 deadlocks, before it gives up.
const MOST_DEFERRALS: u8 = 64;

/// What a stuck unit tries. The variants are in the order of attempts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rung {
    /// The unit is not stuck: its route avoids closed ground only.
    #[default]
    Ground,
    /// A route around all units nearby.
    AroundAll,
    /// A route around standing units only: moving units will be gone.
    AroundStanding,
    /// A route to the nearest place that can be reached, around units that hold their position.
    Nearest,
}

impl Rung {
    /// Which units block a route that is requested on this rung.
    #[must_use]
    pub const fn blocked_by(self) -> BlockedBy {
        match self {
            Self::Ground => BlockedBy::None,
            Self::AroundAll => BlockedBy::All,
            Self::AroundStanding => BlockedBy::Stationary,
            Self::Nearest => BlockedBy::Immovable,
        }
    }

    /// The rung after this one; `None` after the last.
    const fn next(self) -> Option<Self> {
        match self {
            Self::Ground => Some(Self::AroundAll),
            Self::AroundAll => Some(Self::AroundStanding),
            Self::AroundStanding => Some(Self::Nearest),
            Self::Nearest => None,
        }
    }
}

/// World: whether a unit makes progress, and what it has tried if not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ProgressMonitor {
    /// The position where the unit last made progress.
    pub(crate) anchor: Vec2,
    /// Ticks since then that count as stuck.
    pub(crate) still: u32,
    /// The part of a tick to add to `still`, in 16ths.
    pub(crate) waited: u8,
    /// The position from which `long` is counted: 8 stretches from the base before, or the anchor at the last attempt.
    pub(crate) base: Vec2,
    /// Quarters of ticks near the base. For a unit at rest: ticks in which it was restless.
    pub(crate) long: u32,
    /// What the unit tried last.
    pub(crate) rung: Rung,
    /// Attempts since the unit last got 8 stretches nearer. Waits grow with it.
    pub(crate) failures: u16,
    /// Whether the game was told since then that the unit gave up.
    pub(crate) told: bool,
    /// The unit makes no attempt before this tick.
    pub(crate) retry: Tick,
    /// Ticks in a row in which the unit had to move and was slower than half its expected speed.
    pub(crate) stalled: u16,
    /// The sum of the weights of [`ProgressMonitor::defer`] since the unit last got 8 stretches nearer.
    pub(crate) deferrals: u8,
}

/// What a stuck unit does now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// It goes on.
    None,
    /// It requests another route, on its rung.
    Ask,
    /// It has tried everything.
    GiveUp,
}

impl ProgressMonitor {
    /// Forgets all attempts, and measures progress from this position on.
    pub(crate) fn reset(&mut self, at: Vec2) {
        *self = Self { anchor: at, base: at, ..Self::default() };
    }

    /// Starts again with the first remedy, instead of giving up. `weight` is 4 if all remedies were tried in vain, 1 after a deadlock that was resolved, 40 after one that was not. Returns `false` once
    /// the sum of weights is more than 64.
    pub(crate) fn defer(&mut self, at: Vec2, weight: u8) -> bool {
        let deferrals = self.deferrals.saturating_add(weight);
        // Waits keep growing with the number of failures.
        let Self { retry, told, failures, .. } = *self;
        *self = Self { deferrals, retry, told, failures, ..Self::default() };
        (self.anchor, self.base) = (at, at);
        deferrals <= MOST_DEFERRALS
    }

    /// Notes the position of a unit after a tick in which it had to move.
    ///
    /// - Progress is measured over a stretch, not from tick to tick. A stretch is 1/4 of the distance that the unit can walk in
    ///   `stuck_threshold` ticks, at most 4 cells. A unit that stays within a stretch for `stuck_threshold` ticks is stuck. So a unit
    ///   that trembles on the spot is stuck, and a slow unit is not.
    /// - A unit that goes back and forth for a long time is stuck too.
    /// - Attempts are forgotten only when the unit gets 8 stretches nearer. So every unit runs out of attempts in the end.
    /// - Waiting is not being stuck. In a queue no tick counts. The first unit of a queue is not delayed by it, so every queue ends.
    ///   While allies delay the unit, one tick in 16 counts.
    pub(crate) fn notice(
        &mut self,
        at: Vec2,
        speed: Fixed,
        delay: Delay,
        approach: &BlockedApproach,
        config: &Config,
    ) {
        let stretch = i64::from(speed.raw()) * i64::from(config.stuck_threshold) / SLOWEST_PART;
        let stretch = stretch.clamp(1, 4 * i64::from(Fixed::ONE.raw())).unsigned_abs();
        if u64::from(approach.gained()) >= FAR * stretch {
            (self.rung, self.failures, self.told, self.deferrals) = (Rung::Ground, 0, false, 0);
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
            let parts = match delay {
                Delay::None => PARTS_PER_TICK,
                Delay::Traffic | Delay::Settled => 1,
                Delay::Queue => 0,
            };
            let waited = self.waited.saturating_add(parts);
            (self.still, self.waited) =
                (self.still.saturating_add(u32::from(waited / PARTS_PER_TICK)), waited % PARTS_PER_TICK);
        } else {
            (self.anchor, self.still, self.waited) = (at, 0, 0);
        }
    }

    /// Counts a restless tick of a unit that has arrived or was halted. Returns whether there were `enough`, and then counts from 0 again.
    pub(crate) fn fidgets(&mut self, enough: u32) -> bool {
        self.long = self.long.saturating_add(1);
        let over = self.long >= enough;
        if over {
            self.long = 0;
        }
        over
    }

    /// Notes a tick in which the unit is at rest or makes progress. It cancels one restless tick.
    pub(crate) fn calms(&mut self) {
        self.long = self.long.saturating_sub(1);
    }

    /// Notes a tick in which the unit may stand still. Progress is measured from this position on.
    pub(crate) fn rest(&mut self, at: Vec2) {
        (self.anchor, self.still, self.waited, self.stalled) = (at, 0, 0, 0);
    }

    /// What a unit does now. A stuck unit goes one rung further, but not before its cooldown is over.
    pub(crate) fn remedy(&mut self, now: Tick, delay: Delay, config: &Config) -> Remedy {
        if self.still < config.stuck_threshold || now < self.retry {
            return Remedy::None;
        }
        let next = match (config.repath_escalation, self.rung.next()) {
            // A refused request leads to the last rung without an attempt.
            (true, None) if self.failures < PLAIN_ATTEMPTS => Some(Rung::Nearest),
            (true, next) => next,
            (false, _) if self.failures < PLAIN_ATTEMPTS => Some(Rung::AroundAll),
            (false, _) => None,
        };
        // A jam of moving allies ends by itself. A unit in it tries all rungs again; `NoProgress` limits the time.
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

    /// Notes an attempt, made or failed. The next one comes after `repath_cooldown` ticks and a random part of up to half of that. So units
    /// that got stuck together do not all request routes in one tick.
    pub(crate) fn cool_down(&mut self, key: JitterKey, config: &Config) {
        let spread = config.repath_cooldown / 2 + 1;
        let luck = Rng::keyed(key.seed, key.now, key.unit.to_bits(), JITTER).below(spread);
        self.failures = self.failures.saturating_add(1);
        self.retry = key.now + config.repath_cooldown.saturating_add(luck);
    }

    /// As [`ProgressMonitor::cool_down`], with a longer wait: it doubles with each attempt, at most 6 times.
    pub(crate) fn back_off(&mut self, key: JitterKey, config: &Config) {
        let doublings = self.failures.min(MOST_DOUBLINGS);
        self.cool_down(key, config);
        let wait = u64::from(config.repath_cooldown.max(1)) << doublings;
        self.retry += u32::try_from(wait).unwrap_or(u32::MAX);
    }
}

/// What the random part of a unit's cooldown depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JitterKey {
    pub(crate) seed: u64,
    pub(crate) now: Tick,
    pub(crate) unit: UnitId,
}

persist_choices! {
    Rung { Ground, AroundAll, AroundStanding, Nearest }
}

persist_fields! {
    ProgressMonitor { anchor: Vec2, still: u32, waited: u8, base: Vec2, long: u32, rung: Rung, failures: u16, told: bool, retry: Tick, stalled: u16, deferrals: u8 }
}
