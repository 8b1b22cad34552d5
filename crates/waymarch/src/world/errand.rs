//! How far a unit has come with its present order.

use crate::avoid::Delay;
use crate::base::{CellPos, Vec2, persist_choices, persist_fields};

use super::events::RouteChange;
use super::service::{PathId, PathReason};
use super::units::UnitId;

/// Getting nearer means at least so much, in 1024ths of a cell.
const NEARER: u32 = 256;

/// What a unit does about its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// It has none, or has not begun.
    #[default]
    Idle,
    /// It needs a route.
    Asking,
    /// It is under way.
    Going,
    /// It waits: near enough to whom it follows, or for better times.
    Waiting,
}

/// World: how far a unit has come along its route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Trace {
    /// The waypoint it heads for; 0 before it has joined its route.
    pub(super) next: u32,
    /// What the route was known by when it joined it: another number is another route. See `Leader::mark`.
    pub(super) known: u32,
    /// How long the route is from that waypoint on, in 1024ths of a cell.
    pub(super) rest: u32,
}

/// World: whether a unit that presses on gets any nearer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Press {
    /// The least that was left, in 1024ths of a cell.
    pub(super) left: u32,
    /// What was left at first.
    pub(super) start: u32,
    /// For how many ticks it has not become less, while those who are there stood in the way.
    pub(super) since: u16,
}

impl Default for Press {
    fn default() -> Self {
        Self { left: u32::MAX, start: u32::MAX, since: 0 }
    }
}

impl Press {
    /// Takes down what is left after a tick; says for how long a unit has pressed against those who are there without getting nearer.
    pub(super) fn note(&mut self, left: u32, delay: Delay) -> u16 {
        if left.saturating_add(NEARER) <= self.left {
            let start = if self.start == u32::MAX { left } else { self.start };
            *self = Self { left, start, since: 0 };
        } else if delay == Delay::Settled {
            self.since = self.since.saturating_add(1);
        }
        self.since
    }

    /// How much nearer it has got since it began, in 1024ths of a cell.
    pub(super) fn gained(&self) -> u32 {
        self.start - self.left.min(self.start)
    }
}

/// World: how long a unit has been slow without coming nearer than it ever was, whatever routes it was given meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Vain {
    /// The least that was left, in 1024ths of a cell.
    pub(super) left: u32,
    /// Ticks since.
    pub(super) ticks: u32,
    /// Whether it walks in circles.
    pub(super) lap: Lap,
}

impl Default for Vain {
    fn default() -> Self {
        Self { left: u32::MAX, ticks: 0, lap: Lap::default() }
    }
}

impl Vain {
    /// Takes down what is left after a tick, and whether the unit was slow; gives the ticks in vain so far.
    pub(super) fn note(&mut self, left: u32, slow: Slow) -> u32 {
        if left.saturating_add(NEARER) <= self.left {
            (self.left, self.ticks, self.lap.laps) = (left, 0, 0);
        } else if slow == Slow::Yes {
            self.ticks = self.ticks.saturating_add(1);
        }
        self.ticks
    }
}

/// World: whether a unit that walks comes back to where it was.
///
/// It remembers one place, each time for twice as long a way as before. So circles of any length are found after a few rounds. Who has got to
/// where it was to be, or goes elsewhere for a reason, starts anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Lap {
    /// The place.
    pub(super) beacon: Vec2,
    /// How far it has walked since it was there, in 1024ths of a cell, at full speed.
    pub(super) walked: u32,
    /// How far it walks before it remembers another place; 0 if it remembers none yet.
    pub(super) span: u32,
    /// Whether it has been away from there.
    pub(super) away: bool,
    /// How often it has come back, one time after another: four times as much if nobody was in its way.
    pub(super) laps: u8,
}

impl Lap {
    /// The first place is remembered for so long a way.
    const FIRST: u32 = 8 * 1024;
    /// Who was as far away from it as this, and comes as near as that, has come back.
    const AWAY: u64 = 1536;
    const BACK: u64 = 512;
    /// Who walks so far and is never that far away goes to and fro on the spot, which is the same.
    const ON_THE_SPOT: u32 = 32 * 1024;
    /// Four times, or sixteen among others.
    const ENOUGH: u8 = 16;

    /// Takes down where the unit is after it has walked so far; says whether it has come back, or never got away.
    pub(super) fn walk(&mut self, at: Vec2, by: u32, delay: Delay) -> bool {
        self.walked = self.walked.saturating_add(by);
        let off = at.distance_squared(self.beacon);
        let back = match self.away {
            true => off <= Self::BACK * Self::BACK,
            false => self.walked >= Self::ON_THE_SPOT,
        };
        if back {
            self.laps = self.laps.saturating_add(if delay == Delay::None { 4 } else { 1 });
            (self.walked, self.away) = (0, false);
        } else if self.walked >= self.span && (self.away || self.span == 0) {
            let span = self.span.saturating_mul(2).max(Self::FIRST);
            *self = Self { beacon: at, span, ..Self::default() };
        } else {
            self.away |= off >= Self::AWAY * Self::AWAY;
        }
        back
    }

    /// Whether it has come back so often that it will not get there.
    pub(super) fn is_enough(&self) -> bool {
        self.laps >= Self::ENOUGH
    }
}

/// Whether a unit goes at less than half its speed, for no good reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slow {
    Yes,
    No,
}

/// World: how far a unit has come with its present order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Errand {
    pub(super) phase: Phase,
    /// Which stop of a patrol is next.
    pub(super) leg: u16,
    /// Where the order began.
    pub(super) home: CellPos,
    /// The middle of where it is to go, as it was when it asked.
    pub(super) target: CellPos,
    /// The route it follows, or waits for.
    pub(super) path: PathId,
    /// The route that will take its place once it is there, and why.
    pub(super) fresh: PathId,
    pub(super) why: RouteChange,
    /// How far it has come along it.
    pub(super) trace: Trace,
    /// Whether it gets nearer.
    pub(super) press: Press,
    /// For how long it has tried in vain.
    pub(super) vain: Vain,
    /// Why it goes only as near as can be.
    pub(super) short: Option<PathReason>,
    /// The open cell it makes for from ground that was closed under it.
    pub(super) escape: Option<CellPos>,
    /// Whether the game has told it to halt for now.
    pub(super) halted: bool,
    /// Whom it saw last on an attack-move.
    pub(super) sighted: UnitId,
}

impl Default for Errand {
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            leg: 0,
            home: CellPos::default(),
            target: CellPos::default(),
            path: PathId::DEAD,
            fresh: PathId::DEAD,
            why: RouteChange::Ground,
            trace: Trace::default(),
            press: Press::default(),
            vain: Vain::default(),
            short: None,
            escape: None,
            halted: false,
            sighted: UnitId::DEAD,
        }
    }
}

impl Errand {
    /// It has another route to join.
    pub(super) fn rejoin(&mut self) {
        self.trace = Trace::default();
        self.press = Press::default();
    }
}

persist_choices! {
    Phase { Idle, Asking, Going, Waiting }
    RouteChange { Ground, Stuck, Target, Opened, Crowd }
}

persist_fields! {
    Trace { next: u32, known: u32, rest: u32 }
    Press { left: u32, start: u32, since: u16 }
    Vain { left: u32, ticks: u32, lap: Lap }
    Lap { beacon: Vec2, walked: u32, span: u32, away: bool, laps: u8 }
    Errand {
        phase: Phase,
        leg: u16,
        home: CellPos,
        target: CellPos,
        path: PathId,
        fresh: PathId,
        why: RouteChange,
        trace: Trace,
        press: Press,
        vain: Vain,
        short: Option<PathReason>,
        escape: Option<CellPos>,
        halted: bool,
        sighted: UnitId,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Angle, Fixed};

    const STEP: u32 = 128;

    /// How far one walks along places until it has come back often enough, in 1024ths of a cell; `None` if it never does.
    fn enough(places: impl Iterator<Item = (i32, i32)>, delay: Delay) -> Option<u32> {
        let mut lap = Lap::default();
        let mut walked = 0;
        for (x, y) in places {
            lap.walk(Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y)), STEP, delay);
            walked += STEP;
            if lap.is_enough() {
                return Some(walked);
            }
        }
        None
    }

    /// Round and round, so far in all each time.
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
    fn circles_of_any_length_are_found_after_a_few_rounds() {
        for cells in (3..40).chain([77, 130, 300]) {
            let around = cells * 1024;
            let walked = enough(circle(around), Delay::None).expect("a circle");
            assert!(walked <= 12 * around.max(16 * 1024), "{cells} cells: {walked}");
        }
    }

    #[test]
    fn among_others_it_takes_four_times_as_many() {
        let (alone, among) =
            (enough(circle(9 * 1024), Delay::None), enough(circle(9 * 1024), Delay::Traffic));
        assert!(among > alone.map(|walked| 3 * walked), "{alone:?} {among:?}");
    }

    #[test]
    fn who_trembles_on_the_spot_is_found_too() {
        let spot = (0..20_000).map(|step| (5000 + 700 * (step % 2), 5000));
        assert!(enough(spot, Delay::None).is_some());
    }

    #[test]
    fn nobody_is_who_gets_on_or_turns_back_once() {
        let straight = (0..9000).map(|step| (step * STEP as i32, 0));
        assert_eq!(enough(straight, Delay::None), None);
        let back = (0..3000).chain((0..3000).rev()).map(|step| (step * STEP as i32, 0));
        assert_eq!(enough(back, Delay::None), None);
        // To and fro through a slalom, never twice at one place.
        let slalom = (0..9000).map(|step: i32| ((step % 60 - 30).abs() * STEP as i32, step * 40));
        assert_eq!(enough(slalom, Delay::None), None);
    }
}
