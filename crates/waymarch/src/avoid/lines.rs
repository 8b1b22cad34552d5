//! The half-planes of one unit. Most of them are never made: those that are surely kept need not be.

use super::fine::{Fine, Wide};
use super::half_plane::{Meeting, Share};
use super::program::{Line, MAX_LINES};
use super::root::root;
use super::settings::MAX_NEIGHBOURS;
use super::walls::MAX_WALLS;

/// Half-planes are off by less than this, for the roundings.
const ROUNDINGS: i64 = 4;

/// Scratch: what a half-plane is to be made of, for units that do not touch.
#[derive(Clone, Copy, Debug)]
struct Sketch {
    offset: Fine,
    approach: Fine,
    radii: i32,
    horizon: i32,
    share: Share,
}

impl Sketch {
    const NONE: Self =
        Self { offset: Fine::ZERO, approach: Fine::ZERO, radii: 0, horizon: 1, share: Share::NONE };

    #[inline]
    fn meeting(&self) -> Meeting {
        Meeting {
            offset: self.offset.wide(),
            approach: self.approach.wide(),
            radii: i64::from(self.radii),
            horizon: i64::from(self.horizon),
            touch: 1,
            apart: Wide::ZERO,
        }
    }
}

/// Scratch: half-planes in the making, walls first; and apart from these what only slows a unit down.
///
/// Invariant: a half-plane that has not been made holds all velocities that are no further from the unit's own than the one wanted. So
/// whoever asks sees no difference.
#[derive(Debug)]
pub(super) struct Lines {
    /// Those behind leaders from the end on.
    all: [Line; MAX_LINES],
    /// Those of neighbours, from the end of the walls on.
    sketches: [Sketch; MAX_NEIGHBOURS],
    /// A bit for each that has not been made.
    open: u32,
    count: usize,
    /// The first so many are walls.
    hard: usize,
    leaders: usize,
    /// The velocity that the unit has.
    own: Wide,
    /// How far the velocity that it wants is from that, squared; and a bit more than that.
    wanted: i64,
    off: i64,
}

impl Lines {
    /// None yet, for a unit that has the velocity `own` and wants `wanted`.
    #[inline]
    pub(super) fn new(own: Wide, wanted: Wide) -> Self {
        let square = wanted.minus(own).square();
        Self {
            all: [Line::default(); MAX_LINES],
            sketches: [Sketch::NONE; MAX_NEIGHBOURS],
            open: 0,
            count: 0,
            hard: 0,
            leaders: 0,
            own,
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

    /// The same, made only if it is needed.
    #[inline]
    pub(super) fn push_meeting(&mut self, meeting: &Meeting, share: Share) {
        let place = self.count - self.hard;
        if place < MAX_NEIGHBOURS && meeting.is_clear(self.off, share) {
            self.sketches[place] = Sketch {
                offset: meeting.offset.fine(),
                approach: meeting.approach.fine(),
                radii: meeting.radii as i32,
                horizon: meeting.horizon as i32,
                share,
            };
            self.open |= 1 << self.count;
            self.count += 1;
        } else {
            self.push(meeting.half_plane(self.own, share));
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

    /// The line at a place if a velocity may lie outside of it; `None` if it is surely inside.
    #[inline]
    pub(super) fn doubtful(&mut self, at: usize, velocity: Wide) -> Option<Line> {
        if self.open >> at & 1 != 0 {
            let square = velocity.minus(self.own).square();
            let sketch = &self.sketches[at - self.hard];
            if square <= self.wanted || sketch.meeting().is_clear(root(square) + ROUNDINGS, sketch.share) {
                return None;
            }
            self.make(at);
        }
        Some(self.all[at])
    }

    fn make(&mut self, at: usize) {
        let sketch = &self.sketches[at - self.hard];
        self.all[at] = sketch.meeting().half_plane(self.own, sketch.share);
        self.open &= !(1 << at);
    }
}
