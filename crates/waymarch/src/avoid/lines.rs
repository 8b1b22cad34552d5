//! The half-planes of one unit. Most of them are never made: those that are surely kept need not be.

use super::fine::{UNIT_BITS, Wide};
use super::half_plane::{Meeting, Share};
use super::program::{Line, MAX_LINES};
use super::seen::Seen;
use super::settings::MAX_NEIGHBOURS;
use super::walls::MAX_WALLS;
use crate::base::root;

/// Half-planes are off by less than this, for the roundings.
const ROUNDINGS: i64 = 4;
/// So much further off, nothing is outside of them by any rounding.
pub(super) const SURELY: i64 = 2 * ROUNDINGS;

/// Scratch: what a half-plane is to be made of.
#[derive(Clone, Copy, Debug)]
struct Sketch {
    slot: u32,
    /// Ticks to look ahead.
    horizon: u16,
    share: Share,
}

/// Scratch: half-planes in the making, walls first; and apart from these what only slows a unit down.
///
/// Invariant: after [`Lines::make_needed`] a half-plane that has not been made holds all velocities that are no further from the unit's own than the one wanted. So
/// whoever asks sees no difference.
pub(super) struct Lines<'a> {
    me: &'a Seen,
    seen: &'a [Seen],
    /// Those behind leaders from the end on.
    all: [Line; MAX_LINES],
    /// Those of neighbours, from the end of the walls on; those of leaders from the end on.
    sketches: [Sketch; MAX_NEIGHBOURS],
    followed: usize,
    /// A bit for each that has not been made, and for those of them that will have to be.
    open: u32,
    needed: u32,
    count: usize,
    /// The first so many are walls.
    hard: usize,
    leaders: usize,
    /// Ticks in which units part that overlap.
    touch: i64,
    /// How far the velocity that the unit wants is from the one it has, squared; and a bit more than that.
    wanted: i64,
    off: i64,
}

impl<'a> Lines<'a> {
    /// None yet, for a unit that wants the velocity `wanted`. Units that overlap part within `touch` ticks.
    #[inline]
    pub(super) fn new(me: &'a Seen, seen: &'a [Seen], wanted: Wide, touch: i64) -> Self {
        let square = wanted.minus(me.vel.wide()).square();
        Self {
            me,
            seen,
            all: [Line::NONE; MAX_LINES],
            sketches: [Sketch { slot: 0, horizon: 0, share: Share::NONE }; MAX_NEIGHBOURS],
            followed: 0,
            open: 0,
            needed: 0,
            touch,
            count: 0,
            hard: 0,
            leaders: 0,
            wanted: square,
            off: root(square) + ROUNDINGS,
        }
    }

    /// Walls; to be given first, and no more than four.
    #[inline]
    pub(super) fn push_walls(&mut self, walls: &[Line]) {
        let count = walls.len().min(MAX_WALLS);
        self.all[..count].copy_from_slice(&walls[..count]);
        (self.count, self.hard) = (count, count);
    }

    /// What has to be kept to.
    #[inline]
    pub(super) fn push(&mut self, line: Line) {
        if self.count + self.leaders < MAX_LINES {
            self.all[self.count] = line;
            self.count += 1;
        }
    }

    /// What has to be kept to with regard to the unit in a slot, made only if it is needed.
    #[inline]
    pub(super) fn push_meeting(&mut self, slot: u32, other: &Seen, horizon: i64, share: Share) {
        let clear = meet(self.me, other, horizon).is_clear(self.off, share);
        self.sketch(slot, horizon, share, u32::from(clear));
    }

    /// The same for two of whom each does half: what most are. `key` is the square of their distance less that of their radii.
    #[inline(always)]
    pub(super) fn push_half(&mut self, slot: u32, other: &Seen, key: i64, horizon: i64) {
        let clear = meet(self.me, other, horizon).is_clear_by(2 * self.off, key);
        self.sketch(slot, horizon, Share::HALF, u32::from(clear));
    }

    /// The same for several with their keys, after walls and nothing else.
    #[inline]
    pub(super) fn push_halves(&mut self, neighbours: impl Iterator<Item = (u32, i64)>, horizon: i64) {
        let (wide, me, seen) = (2 * self.off, self.me, self.seen);
        let (mut needed, mut count) = (0_u32, 0_u32);
        for ((slot, key), sketch) in neighbours.zip(&mut self.sketches) {
            let clear = meet(me, &seen[slot as usize], horizon).is_clear_by(wide, key);
            *sketch = Sketch { slot, horizon: horizon as u16, share: Share::HALF };
            needed |= u32::from(!clear) << count;
            count += 1;
        }
        self.needed = needed << self.count;
        self.open = ((1 << count) - 1) << self.count;
        self.count += count as usize;
    }

    /// `clear` is 1 if it is surely kept. Without a branch that nobody can foresee.
    #[inline(always)]
    fn sketch(&mut self, slot: u32, horizon: i64, share: Share, clear: u32) {
        // There are no more than there is room for: walls and neighbours.
        if let Some(sketch) = self.sketches.get_mut(self.count - self.hard) {
            *sketch = Sketch { slot, horizon: horizon as u16, share };
            self.open |= 1 << self.count;
            self.needed |= (1 - clear) << self.count;
            self.count += 1;
        }
    }

    /// Makes those that are not surely kept: to be called when all have been given.
    #[inline]
    pub(super) fn make_needed(&mut self) {
        while self.needed != 0 {
            self.make(self.needed.trailing_zeros() as usize);
            self.needed &= self.needed - 1;
        }
    }

    /// What only slows the unit down.
    #[inline]
    pub(super) fn push_leader(&mut self, line: Line) {
        if self.count + self.leaders < MAX_LINES {
            self.leaders += 1;
            self.all[MAX_LINES - self.leaders] = line;
        }
    }

    /// The unit in a slot goes first if `follows` is 1: [`Lines::make_leaders`] makes a half-plane of it. Without a branch that nobody can foresee.
    #[inline]
    pub(super) fn push_followed(&mut self, slot: u32, horizon: i64, follows: usize) {
        // A neighbour has one sketch at most, so that there is room.
        if let Some(sketch) = self.sketches.iter_mut().nth_back(self.followed) {
            *sketch = Sketch { slot, horizon: horizon as u16, share: Share::ALL };
            self.followed += follows;
        }
    }

    /// Makes half-planes of those who go first and slow a unit down that goes at `velocity`, and of some who do not.
    pub(super) fn make_leaders(&mut self, velocity: Wide) {
        let off = root(velocity.minus(self.me.vel.wide()).square()) + SURELY;
        for at in MAX_NEIGHBOURS - self.followed..MAX_NEIGHBOURS {
            let sketch = self.sketches[at];
            let mut meeting = self.meeting(sketch);
            meeting.radii -= 3 * meeting.radii / 200;
            if !meeting.is_clear(off, Share::ALL) {
                self.push_leader(meeting.half_plane(self.me.vel.wide(), Share::ALL));
            }
        }
    }

    /// What only slows the unit down, in no order.
    #[inline]
    pub(super) fn leaders(&self) -> &[Line] {
        &self.all[MAX_LINES - self.leaders..]
    }

    /// How many there are.
    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// How many are walls.
    #[inline]
    pub(super) const fn hard(&self) -> usize {
        self.hard
    }

    /// 1 if there are walls.
    #[inline]
    pub(super) fn any_wall(&self) -> u8 {
        u8::from(self.hard > 0)
    }

    /// The first so many, made if they were not.
    #[inline]
    pub(super) fn made(&mut self, count: usize) -> &[Line] {
        while self.open != 0 && (self.open.trailing_zeros() as usize) < count {
            self.make(self.open.trailing_zeros() as usize);
        }
        &self.all[..count]
    }

    /// The line at a place that has been made, and those before it.
    #[inline]
    pub(super) fn with_those_before(&mut self, at: usize) -> (&Line, &[Line]) {
        self.made(at);
        (&self.all[at], &self.all[..at])
    }

    /// The place of the first line from `start` on that a velocity is outside of by more than `band`.
    #[inline]
    pub(super) fn first_outside(&mut self, start: usize, velocity: Wide, band: i64) -> Option<usize> {
        let square = velocity.minus(self.me.vel.wide()).square();
        if square > self.wanted {
            self.make_doubtful(start, root(square) + ROUNDINGS);
        }
        let mut left = (!self.open & ((1 << self.count) - 1)) >> start << start;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            if self.all[at % MAX_LINES].outside(velocity) > band {
                return Some(at);
            }
            left &= left - 1;
        }
        None
    }

    /// Makes those from `start` on that velocities may lie outside of which differ from mine by `off`.
    fn make_doubtful(&mut self, start: usize, off: i64) {
        let mut left = self.open >> start << start;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            if !self.is_clear(at, off) {
                self.make(at);
            }
            left &= left - 1;
        }
    }

    fn is_clear(&self, at: usize, off: i64) -> bool {
        let sketch = self.sketches[at - self.hard];
        self.meeting(sketch).is_clear(off, sketch.share)
    }

    fn meeting(&self, sketch: Sketch) -> Meeting {
        let other = &self.seen[sketch.slot as usize];
        Meeting { touch: self.touch, ..meet(self.me, other, i64::from(sketch.horizon)) }
    }

    fn make(&mut self, at: usize) {
        let sketch = self.sketches[at - self.hard];
        self.all[at] = self.meeting(sketch).half_plane(self.me.vel.wide(), sketch.share);
        self.open &= !(1 << at);
    }
}

/// What one unit sees of the other.
#[inline(always)]
pub(super) fn meet(me: &Seen, other: &Seen, horizon: i64) -> Meeting {
    let east = if me.id > other.id { 1 } else { -1 };
    Meeting {
        offset: me.offset_to(other),
        approach: me.vel.wide().minus(other.vel.wide()),
        radii: i64::from(me.radius) + i64::from(other.radius),
        horizon,
        touch: 1,
        apart: Wide::new(east << UNIT_BITS, 0),
    }
}
