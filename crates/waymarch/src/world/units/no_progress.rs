//! Three detectors of units without progress: a blocked approach, no progress for a long time, and loops.
//!
//! Each is updated at most once a tick. `world/orders/unstick.rs` and `world/movement/arrival.rs` act on them.

use crate::avoid::Delay;
use crate::base::{Vec2, persist_fields};

/// A unit gets nearer when its remaining distance shrinks by at least 256 / 1024 of a cell.
const NEARER: u32 = 256;

/// World: whether a unit gets nearer to a goal at which other units stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockedApproach {
    /// The least remaining distance so far, in 1024ths of a cell.
    pub(crate) left: u32,
    /// The first remaining distance, in 1024ths of a cell.
    pub(crate) start: u32,
    /// Ticks without getting nearer while settled units blocked the unit.
    pub(crate) since: u16,
}

impl Default for BlockedApproach {
    fn default() -> Self {
        Self { left: u32::MAX, start: u32::MAX, since: 0 }
    }
}

impl BlockedApproach {
    /// Notes the remaining distance after a tick. Returns [`BlockedApproach::since`].
    pub(crate) fn note(&mut self, left: u32, delay: Delay) -> u16 {
        if left.saturating_add(NEARER) <= self.left {
            let start = if self.start == u32::MAX { left } else { self.start };
            *self = Self { left, start, since: 0 };
        } else if delay == Delay::Settled {
            self.since = self.since.saturating_add(1);
        }
        self.since
    }

    /// How much nearer the unit has come since the start, in 1024ths of a cell.
    pub(crate) fn gained(&self) -> u32 {
        self.start - self.left.min(self.start)
    }
}

/// World: how long a unit has been slow without getting nearer. A change of route does not reset it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoProgress {
    /// The least remaining distance so far, in 1024ths of a cell.
    pub(crate) left: u32,
    /// Slow ticks since the unit reached that distance.
    pub(crate) ticks: u32,
    /// Whether the unit walks in loops.
    pub(crate) loops: LoopDetector,
}

impl Default for NoProgress {
    fn default() -> Self {
        Self { left: u32::MAX, ticks: 0, loops: LoopDetector::default() }
    }
}

impl NoProgress {
    /// Notes the remaining distance after a tick, and whether the unit was slow. Returns [`NoProgress::ticks`].
    pub(crate) fn note(&mut self, left: u32, slow: Slow) -> u32 {
        if left.saturating_add(NEARER) <= self.left {
            (self.left, self.ticks, self.loops.count) = (left, 0, 0);
        } else if slow == Slow::Yes {
            self.ticks = self.ticks.saturating_add(1);
        }
        self.ticks
    }
}

/// World: whether a walking unit returns to a place where it was before.
///
/// The detector remembers one place at a time, and keeps each place for twice the walked distance of the previous place. So it finds
/// loops of any length after a few rounds. It is reset when the unit arrives or has a reason to go elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LoopDetector {
    /// The remembered place.
    pub(crate) beacon: Vec2,
    /// Distance walked since the unit was there, in 1024ths of a cell. A tick adds the unit's expected speed.
    pub(crate) walked: u32,
    /// Distance after which another place is remembered, in 1024ths of a cell; 0 before the first.
    pub(crate) span: u32,
    /// Whether the unit has been 1.5 cells away from the place.
    pub(crate) away: bool,
    /// Returns in a row. A return that no unit delayed counts four times.
    pub(crate) count: u8,
}

impl LoopDetector {
    /// The first place is remembered for a walk of 8 cells.
    const FIRST: u32 = 8 * 1024;
    /// A unit 1.5 cells from the place is away from it.
    const AWAY: u64 = 1536;
    /// A unit that was away and is within 0.5 cells of the place has returned.
    const BACK: u64 = 512;
    /// A unit that walks 32 cells without ever being away goes back and forth on the spot, which counts as a return.
    const ON_THE_SPOT: u32 = 32 * 1024;
    /// The count at which the unit cannot arrive any more: 4 returns of a free unit, or 16 of a delayed one.
    const ENOUGH: u8 = 16;

    /// Notes where the unit is after walking `by`. Returns whether it has returned to the place, or walked 32 cells on the spot.
    pub(crate) fn walk(&mut self, at: Vec2, by: u32, delay: Delay) -> bool {
        self.walked = self.walked.saturating_add(by);
        let off = at.distance_squared(self.beacon);
        let back = match self.away {
            true => off <= Self::BACK * Self::BACK,
            false => self.walked >= Self::ON_THE_SPOT,
        };
        if back {
            self.count = self.count.saturating_add(if delay == Delay::None { 4 } else { 1 });
            (self.walked, self.away) = (0, false);
        } else if self.walked >= self.span && (self.away || self.span == 0) {
            let span = self.span.saturating_mul(2).max(Self::FIRST);
            *self = Self { beacon: at, span, ..Self::default() };
        } else {
            self.away |= off >= Self::AWAY * Self::AWAY;
        }
        back
    }

    /// Whether the unit has returned so often that it will not arrive.
    pub(crate) fn is_enough(&self) -> bool {
        self.count >= Self::ENOUGH
    }
}

/// Whether a tick counts as slow: the unit moved at less than half its expected speed, and does not stand in a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slow {
    Yes,
    No,
}

persist_fields! {
    BlockedApproach { left: u32, start: u32, since: u16 }
    NoProgress { left: u32, ticks: u32, loops: LoopDetector }
    LoopDetector { beacon: Vec2, walked: u32, span: u32, away: bool, count: u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Angle, Fixed};

    const STEP: u32 = 128;

    /// The distance that a unit walks along `places` before its loops are enough, in 1024ths of a cell; `None` if it never loops.
    fn enough(places: impl Iterator<Item = (i32, i32)>, delay: Delay) -> Option<u32> {
        let mut detector = LoopDetector::default();
        let mut walked = 0;
        for (x, y) in places {
            detector.walk(Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y)), STEP, delay);
            walked += STEP;
            if detector.is_enough() {
                return Some(walked);
            }
        }
        None
    }

    /// Walks 200 times around a circle of this circumference, in 1024ths of a cell.
    fn circle(around: u32) -> impl Iterator<Item = (i32, i32)> {
        let radius = i64::from(around) * 163 / 1024;
        let steps = around / STEP;
        (0..200 * steps).map(move |step| {
            let angle = Angle(((step % steps) * 65_536 / steps) as u16);
            let part = |part: i32| 40_000 + ((i64::from(part) * radius) >> 16) as i32;
            (part(angle.cos_16()), part(angle.sin_16()))
        })
    }

    #[test]
    fn loops_of_any_length_are_found_after_a_few_rounds() {
        for cells in (3..40).chain([77, 130, 300]) {
            let around = cells * 1024;
            let walked = enough(circle(around), Delay::None).expect("a circle");
            assert!(walked <= 12 * around.max(16 * 1024), "{cells} cells: {walked}");
        }
    }

    #[test]
    fn a_delayed_unit_needs_four_times_as_many_loops() {
        let (alone, among) =
            (enough(circle(9 * 1024), Delay::None), enough(circle(9 * 1024), Delay::Traffic));
        assert!(among > alone.map(|walked| 3 * walked), "{alone:?} {among:?}");
    }

    #[test]
    fn a_unit_that_trembles_on_the_spot_loops() {
        let spot = (0..20_000).map(|step| (5000 + 700 * (step % 2), 5000));
        assert!(enough(spot, Delay::None).is_some());
    }

    #[test]
    fn a_unit_that_gets_on_or_turns_back_once_does_not_loop() {
        let straight = (0..9000).map(|step| (step * STEP as i32, 0));
        assert_eq!(enough(straight, Delay::None), None);
        let back = (0..3000).chain((0..3000).rev()).map(|step| (step * STEP as i32, 0));
        assert_eq!(enough(back, Delay::None), None);
        // A slalom: the unit goes back and forth, but never visits one place twice.
        let slalom = (0..9000).map(|step: i32| ((step % 60 - 30).abs() * STEP as i32, step * 40));
        assert_eq!(enough(slalom, Delay::None), None);
    }
}
