//! Units without progress: one clock, one ladder of remedies.

use crate::avoid::{Delay, GATE_LEFT};
use crate::base::{Fixed, Purpose, Rng, Tick, Vec2, persist_choices, persist_fields};
use crate::config::Config;
use crate::query::BlockedBy;
use crate::world::units::motion::UnitMotion;
use crate::world::units::unit::UnitId;

/// Random numbers that spread attempts over ticks.
const JITTER: Purpose = Purpose(0x5EED_0001);
/// A full tick of the clock has 256 parts: see [`weight`].
const FULL_TICK: u32 = 256;
/// Progress is 1/16 of the distance that the unit can walk in `stuck_threshold` ticks, and at most 1/4 cell. So a slow unit is not stuck.
const PROGRESS_PART: i64 = 16;
/// Progress is at most 256/1024 of a cell.
const MOST_PROGRESS: i64 = 256;
/// A unit that gets nearer to its goal than ever by 32 times that distance (at most 8 cells) starts again with all its attempts.
const FAR: u32 = 32;
/// A unit walks in a loop if it walks 32 cells and 4 times the longest remaining distance, and gets no nearer to its goal.
const LOOP_CELLS: u32 = 32 * 1024;
/// See [`LOOP_CELLS`].
const LOOP_FACTOR: u32 = 4;
/// A unit that is 512/1024 of a cell farther from its goal than before on this route has been pushed back.
const PUSHED_BACK: u32 = 512;
/// Waits double at most 6 times.
const MOST_DOUBLINGS: u16 = 6;
/// A unit makes at least 3 attempts before it gives up. Without `repath_escalation` it makes just 3.
const PLAIN_ATTEMPTS: u16 = 3;
/// A unit that is not walled in gives up after 64 attempts.
const MOST_ATTEMPTS: u16 = 64;
/// A unit that has tried everything more than 1 cell from its first attempt is not walled in.
const WALLED_IN: u64 = 1024;
/// A deadlock that ends where the one before it ended has not helped: it counts 8 more attempts.
const SAME_PLACE: u16 = 8;
/// Such a unit tries everything about 8 times: each new start counts 4 more attempts.
const NEW_START: u16 = 4;
/// A unit that is walled in tries everything 3 times, the last 2 times in a deadlock zone: each new start counts 20 more attempts.
const HOPELESS_START: u16 = 20;

/// How much a tick without progress counts in a state, in 256ths of a tick.
///
/// A unit that walks may be on a detour, and units of its own player usually move on. So these ticks count 1/16. The first unit of a queue is not
/// queued, so queues end by themselves, and their ticks hardly count.
const fn weight(state: UnitMotion) -> u32 {
    match state {
        UnitMotion::AtRest | UnitMotion::Yielding | UnitMotion::Hopeless => 0,
        UnitMotion::Queued => 1,
        UnitMotion::Moving | UnitMotion::Blocked => FULL_TICK / 16,
        UnitMotion::Lost | UnitMotion::Trapped => FULL_TICK,
    }
}

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProgressMonitor {
    /// The state of the unit in the last tick.
    pub(crate) state: UnitMotion,
    /// The position where the unit last made progress.
    pub(crate) anchor: Vec2,
    /// The least remaining distance on the present route, in 1024ths of a cell; `u32::MAX` before it is known.
    pub(crate) left: u32,
    /// The clock: 256ths of ticks since then, weighted by state.
    pub(crate) clock: u32,
    /// Ticks in a row in which the unit had to move, and either was slower than half its expected speed or had been pushed back.
    pub(crate) stalled: u16,
    /// Ticks since the last progress in which settled units were before the unit. For a unit at rest: ticks in which it was restless.
    pub(crate) kept: u16,
    /// The remaining distance since which attempts count, in 1024ths of a cell; `u32::MAX` before it is known. A change of route does not change it.
    pub(crate) nearest: u32,
    /// The longest remaining distance since then, to the next gate or to the end.
    pub(crate) farthest: u32,
    /// The distance walked since then, or since the last loop, in 1024ths of a cell.
    pub(crate) walked: u32,
    /// What the unit tried last.
    pub(crate) rung: Rung,
    /// Attempts since then. Waits grow with it.
    pub(crate) attempts: u16,
    /// Where the unit was when it left the rung `Ground`.
    pub(crate) place: Vec2,
    /// Whether the game was told since then that the unit gave up.
    pub(crate) told: bool,
    /// The unit makes no attempt before this tick.
    pub(crate) retry: Tick,
}

/// A unit's step in a tick in which it had to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) at: Vec2,
    /// The remaining distance, in 1024ths of a cell.
    pub(crate) left: u32,
    /// The speed of the unit if nothing hinders it.
    pub(crate) speed: Fixed,
    pub(crate) walks: bool,
    pub(crate) delay: Delay,
}

/// What a unit does now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// It goes on.
    None,
    /// It requests another route, on its rung.
    Ask,
    /// It has tried everything.
    Exhausted,
}

impl Default for ProgressMonitor {
    fn default() -> Self {
        Self {
            state: UnitMotion::AtRest,
            anchor: Vec2::default(),
            left: u32::MAX,
            clock: 0,
            stalled: 0,
            kept: 0,
            nearest: u32::MAX,
            farthest: 0,
            walked: 0,
            rung: Rung::Ground,
            attempts: 0,
            place: Vec2::default(),
            told: false,
            retry: Tick::default(),
        }
    }
}

impl ProgressMonitor {
    /// Forgets all attempts, and measures progress from this position on.
    pub(crate) fn reset(&mut self, at: Vec2) {
        *self = Self { state: self.state, anchor: at, ..Self::default() };
    }

    /// Notes a tick in which the unit may stand still. Progress is measured from this position on.
    pub(crate) fn rest(&mut self, at: Vec2) {
        (self.anchor, self.clock, self.stalled) = (at, 0, 0);
    }

    /// Notes that the unit follows another route. The remaining distance may be longer now.
    pub(crate) fn join_route(&mut self) {
        (self.left, self.kept) = (u32::MAX, 0);
    }

    /// Notes that the unit has a reason to be farther from its goal than before. Attempts still count.
    pub(crate) fn remeasure(&mut self) {
        self.join_route();
        (self.nearest, self.farthest, self.walked) = (u32::MAX, 0, 0);
    }

    /// Notes a tick in which the unit waits before a passage, or walks back out of it. Attempts and the clock stay.
    pub(crate) fn let_pass(&mut self) {
        self.join_route();
        (self.stalled, self.walked) = (0, 0);
    }

    /// Starts again with the first remedy after a deadlock, which counts as this number of attempts, and as 8 more if the unit was here before. Returns `false` once
    /// the unit must give up.
    pub(crate) fn start_over(&mut self, at: Vec2, mut attempts: u16) -> bool {
        if at.distance_squared(self.place) <= WALLED_IN * WALLED_IN {
            attempts += SAME_PLACE;
        }
        self.place = at;
        self.rest(at);
        // The least distance stays: a unit that was led back and returns to where it was has not come nearer to its goal.
        self.join_route();
        (self.farthest, self.walked) = (0, 0);
        self.rung = Rung::Ground;
        self.attempts = self.attempts.saturating_add(attempts);
        self.attempts <= MOST_ATTEMPTS
    }

    /// Notes a tick in which the unit had to move, in this state.
    ///
    /// - The unit makes progress when its remaining distance shrinks, or when it gets far from where it was: in a flow, the remaining distance is a straight
    ///   line, and may grow. Without progress the clock runs.
    /// - A unit that walks back and forth, or in a loop, gets no nearer to its goal however far it walks. Then its clock is full.
    pub(crate) fn notice(&mut self, state: UnitMotion, step: &Step, config: &Config) {
        let Step { at, left, .. } = *step;
        let reach = i64::from(step.speed.raw()) * i64::from(config.stuck_threshold) / PROGRESS_PART;
        let progress = reach.clamp(1, MOST_PROGRESS) as u32;
        let far = FAR * progress;
        // A unit that others push back walks, but does not get on.
        let is_pushed_back = left > self.left.saturating_add(PUSHED_BACK);
        self.stalled = if step.walks && !is_pushed_back { 0 } else { self.stalled.saturating_add(1) };
        let is_first = self.left == u32::MAX;
        let is_nearer = left.saturating_add(progress) <= self.left;
        if is_nearer {
            self.left = left;
        }
        if is_nearer && !is_first || at.distance_squared(self.anchor) >= u64::from(far).pow(2) {
            (self.anchor, self.clock, self.kept) = (at, 0, 0);
        } else {
            self.clock = self.clock.saturating_add(weight(state));
            self.kept = self.kept.saturating_add(u16::from(step.delay == Delay::Settled));
        }
        if self.nearest == u32::MAX {
            self.nearest = left;
        } else if left.saturating_add(far) <= self.nearest {
            (self.nearest, self.farthest, self.walked) = (left, 0, 0);
            (self.rung, self.attempts, self.told) = (Rung::Ground, 0, false);
        }
        self.farthest = self.farthest.max(left % GATE_LEFT);
        if step.walks {
            self.walked = self.walked.saturating_add(step.speed.raw().unsigned_abs());
        }
        if self.walked >= self.farthest.saturating_mul(LOOP_FACTOR).saturating_add(LOOP_CELLS) {
            (self.walked, self.clock) = (0, u32::MAX);
        }
    }

    /// For how many ticks the unit has been without progress, by the clock.
    pub(crate) const fn ticks(&self) -> u32 {
        self.clock / FULL_TICK
    }

    /// What a unit does now. A stuck unit goes one rung further, but not before its cooldown is over.
    pub(crate) fn remedy(&mut self, at: Vec2, now: Tick, config: &Config) -> Remedy {
        if self.ticks() < config.stuck_threshold || now < self.retry {
            return Remedy::None;
        }
        let next = match (config.repath_escalation, self.rung.next()) {
            // A refused request leads to the last rung without an attempt.
            (true, None) if self.attempts < PLAIN_ATTEMPTS => Some(Rung::Nearest),
            (true, next) => next,
            (false, _) if self.attempts < PLAIN_ATTEMPTS => Some(Rung::AroundAll),
            (false, _) => None,
        };
        self.clock = 0;
        match next {
            Some(rung) => {
                if self.rung == Rung::Ground {
                    self.place = at;
                }
                self.rung = rung;
                Remedy::Ask
            }
            None => Remedy::Exhausted,
        }
    }

    /// Starts again with the first remedy after all were tried. That counts more if the unit has not moved on meanwhile, and no other unit can make way. Returns
    /// `false` if the unit must give up.
    pub(crate) fn starts_again(&mut self, at: Vec2, is_among_movable: impl FnOnce() -> bool) -> bool {
        self.rung = Rung::Ground;
        let has_moved_on = at.distance_squared(self.place) > WALLED_IN * WALLED_IN;
        let weight = if has_moved_on || is_among_movable() { NEW_START } else { HOPELESS_START };
        self.attempts = self.attempts.saturating_add(weight);
        self.attempts <= MOST_ATTEMPTS
    }

    /// Counts a restless tick of a unit that has arrived or was halted. Returns whether there were `enough`, and then counts from 0 again.
    pub(crate) fn fidgets(&mut self, enough: u32) -> bool {
        self.kept = self.kept.saturating_add(1);
        let over = u32::from(self.kept) >= enough;
        if over {
            self.kept = 0;
        }
        over
    }

    /// Notes a tick in which the unit is at rest. It cancels one restless tick.
    pub(crate) fn calms(&mut self) {
        self.kept = self.kept.saturating_sub(1);
    }

    /// Notes an attempt, made or failed. The next one comes after `repath_cooldown` ticks and a random part of up to half of that. So units
    /// that got stuck together do not all request routes in one tick.
    pub(crate) fn cool_down(&mut self, key: JitterKey, config: &Config) {
        let spread = config.repath_cooldown / 2 + 1;
        let luck = Rng::keyed(key.seed, key.now, key.unit.to_bits(), JITTER).below(spread);
        self.attempts = self.attempts.saturating_add(1);
        self.retry = key.now + config.repath_cooldown.saturating_add(luck);
    }

    /// As [`ProgressMonitor::cool_down`], with a longer wait: it doubles with each attempt, at most 6 times.
    pub(crate) fn back_off(&mut self, key: JitterKey, config: &Config) {
        let doublings = self.attempts.min(MOST_DOUBLINGS);
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
    ProgressMonitor {
        state: UnitMotion,
        anchor: Vec2,
        left: u32,
        clock: u32,
        stalled: u16,
        kept: u16,
        nearest: u32,
        farthest: u32,
        walked: u32,
        rung: Rung,
        attempts: u16,
        place: Vec2,
        told: bool,
        retry: Tick,
    }
}

#[cfg(test)]
mod tests;
