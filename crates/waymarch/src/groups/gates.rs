//! Gates on a group's way: where it bends, and where it is too narrow for all to walk abreast.

use alloc::vec::Vec;

use super::lanes::Gate;
use super::member::{moved, offset};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{CellPos, isqrt, spoil};

/// Widths are taken at points of the way so far apart: a cell.
const EVERY: i64 = FINE_CELL as i64;
/// Walls beside the way are felt for in such steps: an eighth of a cell.
const STEP: i64 = FINE_CELL as i64 / 8;
/// No gate is wider on one side of the way: 24 cells.
const WIDEST: i64 = 24 * FINE_CELL as i64;
/// No gate is wider, wall to wall. Rounding adds less than a cell.
pub(crate) const WIDEST_GATE: i64 = 2 * WIDEST + FINE_CELL as i64;
/// A way is looked at in so many points at most; what lies beyond is looked at when the group is nearer.
const MOST_POINTS: usize = 2048;
/// Turns by less than about eleven degrees are no bends: the sine of it in 1024ths.
const BEND: i64 = 200;
/// Nobody passes another in a gate that is narrower than this: one and a half cells.
const ONE_LANE: i64 = FINE_CELL as i64 * 3 / 2;
/// Gates nearer to each other along the way than this are one: two cells.
const APART: i64 = 2 * FINE_CELL as i64;

/// A way that leads less than this towards a door, of 1024, leads past it: it would meet its line at fifteen degrees.
const ALONG: i64 = 256;

/// Members cross a gate at right angles, and it takes their own width.
const STRAIGHT: u16 = 1024;
/// A group makes up for at most so much of what a bend takes from its width: a tenth. Those outside have further to go.
const SLANTED: i64 = 1124;

/// World: a gate that a group goes through, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WayGate {
    /// The line from wall to wall, or as far as the group needs.
    pub gate: Gate,
    /// Where the way crosses it: the shortest way of the group's middle.
    pub taut: Fine,
    /// Which way it is crossed, of length 1024.
    pub ahead: (i16, i16),
    /// What a group's width becomes along its line, in 1024ths: more than all at bends, whose line members cross askew.
    pub slant: u16,
}

impl WayGate {
    /// Whether somebody at a point has passed it.
    #[must_use]
    pub fn is_behind(&self, at: Fine) -> bool {
        let (x, y) = offset(self.taut, at);
        x * i64::from(self.ahead.0) + y * i64::from(self.ahead.1) > 0
    }

    /// Whether a straight way from one point to another crosses it, between its ends and in its direction.
    #[must_use]
    pub fn is_crossed(&self, from: Fine, to: Fine) -> bool {
        let past = |at: Fine| {
            let (x, y) = offset(self.taut, at);
            i128::from(x) * i128::from(self.ahead.0) + i128::from(y) * i128::from(self.ahead.1)
        };
        let (before, beyond) = (past(from), past(to));
        if before > 0 || beyond <= 0 {
            return false;
        }
        // Which side of an end the way passes.
        let side = |end: Fine| {
            let ((x, y), (leg_x, leg_y)) = (offset(from, end), offset(from, to));
            i128::from(leg_x) * i128::from(y) - i128::from(leg_y) * i128::from(x)
        };
        side(self.gate.left) <= 0 && side(self.gate.right) >= 0
    }

    /// A point so far beyond another in the direction of the crossing.
    #[must_use]
    pub fn beyond(&self, at: Fine, by: i64) -> Fine {
        moved(at, (i64::from(self.ahead.0) * by / 1024, i64::from(self.ahead.1) * by / 1024))
    }

    /// The same gate for those who come the other way.
    #[must_use]
    pub fn turned_round(&self) -> Self {
        let Gate { left, right } = self.gate;
        let ahead = (-self.ahead.0, -self.ahead.1);
        Self { gate: Gate { left: right, right: left }, ahead, ..*self }
    }

    /// Its length, in 65,536ths of a cell.
    #[must_use]
    pub fn width(&self) -> i64 {
        length(offset(self.gate.left, self.gate.right))
    }
}

/// Scratch: finds gates. Keep one and use it again: it allocates nothing once it has grown.
#[derive(Clone, Debug, Default)]
pub struct GateFinder {
    points: Vec<Sample>,
}

/// A point of the way.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Fine,
    /// Which way the way goes there, of length 1024.
    ahead: (i64, i64),
    /// Which way its line is crossed, of length 1024: the same, unless the way goes askew through a door.
    facing: (i64, i64),
    /// How far it is to walls, or as far as it was looked.
    left: i64,
    right: i64,
    /// How far along the way it lies.
    along: i64,
    bends: bool,
    slant: u16,
}

impl Sample {
    fn width(&self) -> i64 {
        self.left + self.right
    }

    /// Feels for walls on both sides, no further than `far`.
    fn measure(&mut self, far: i64, is_open: &impl Fn(CellPos) -> bool) {
        let (x, y) = self.ahead;
        self.left = room(self.at, (y, -x), far, is_open);
        self.right = room(self.at, (-y, x), far, is_open);
    }

    /// The same, and for walls north and south or east and west of it, if these are nearer to each other and no further apart than the group is wide,
    /// `width`. A bend's line lies askew on purpose: it has to be longer by half.
    ///
    /// Straight across a way that goes askew through a door in a thin wall there is no wall. The line runs from the open ground before the door
    /// to that beyond it, most places in it are behind walls, and all who have those head for one point: they press each other against the jamb.
    fn measure_askew(&mut self, width: i64, far: i64, is_open: &impl Fn(CellPos) -> bool) {
        self.measure(far, is_open);
        self.facing = self.ahead;
        for (x, y) in [(self.ahead.0, 0), (0, self.ahead.1)] {
            // Not along the way.
            if x.abs().max(y.abs()) < ALONG {
                continue;
            }
            let (x, y) = (1024 * x.signum(), 1024 * y.signum());
            let less = if self.bends { self.width() * 2 / 3 } else { self.width() - STEP };
            let most = less.min(width).max(0);
            let left = room(self.at, (y, -x), most, is_open);
            let right = if left < most { room(self.at, (-y, x), most - left, is_open) } else { most };
            if left + right < most {
                (self.left, self.right, self.facing) = (left, right, (x, y));
            }
        }
    }

    fn gate(&self) -> WayGate {
        let (x, y) = self.facing;
        let aside = |by: i64| moved(self.at, (-y * by / 1024, x * by / 1024));
        let gate = Gate { left: aside(-self.left), right: aside(self.right) };
        WayGate { gate, taut: self.at, ahead: (x as i16, y as i16), slant: self.slant }
    }
}

impl GateFinder {
    /// Writes the gates of a way to `out`, in the order they are crossed.
    ///
    /// `way` are the bends of a shortest way, from where the group's middle is to its goal; `width` is how broad the group is, from wall to wall, in 65,536ths
    /// of a cell; `is_open` says whether members can walk on a cell. There is a gate at each bend, which lets the group
    /// keep its width round the corner, and where the way becomes narrower than the group and wide again.
    ///
    /// *Cost:* for each cell of the way a look at one to four cells per cell of its width.
    pub fn find(
        &mut self,
        way: &[Fine],
        width: i64,
        is_open: impl Fn(CellPos) -> bool,
        out: &mut Vec<WayGate>,
    ) {
        out.clear();
        self.walk(way);
        let far = (width + EVERY).clamp(EVERY, WIDEST);
        for sample in &mut self.points {
            sample.measure_askew(width, far, &is_open);
        }
        // Nobody looked further.
        let width = width.min(2 * far);
        self.sharpen(width, far, &is_open);
        self.choose(width, out);
    }

    /// Fills it with rubbish; no answer changes.
    pub(crate) fn poison(&mut self) {
        let at = Fine::new(-7, 7);
        let rubbish =
            Sample { at, ahead: (7, 7), facing: (7, 7), left: 7, right: 7, along: 7, bends: true, slant: 7 };
        spoil(&mut self.points, rubbish);
    }

    /// A gate across all ground that is open at a point of a way in this direction, of length 1024, no further than `far` on each side.
    #[must_use]
    pub fn across(at: Fine, ahead: (i64, i64), far: i64, is_open: impl Fn(CellPos) -> bool) -> WayGate {
        let ahead = (ahead.0.clamp(-1024, 1024), ahead.1.clamp(-1024, 1024));
        let mut here =
            Sample { at, ahead, facing: ahead, left: 0, right: 0, along: 0, bends: false, slant: STRAIGHT };
        here.measure(far.clamp(EVERY, WIDEST), &is_open);
        here.gate()
    }

    /// Moves the first point of each narrow stretch to where it begins, to a 16th of the distance between points.
    ///
    /// Units merge before a door, where there is room. With the gate in the middle of the wall they merge in the doorway: a door of one cell let a fifth
    /// fewer through.
    fn sharpen(&mut self, width: i64, far: i64, is_open: &impl Fn(CellPos) -> bool) {
        for number in 1..self.points.len() {
            let (mut wide, mut narrow) = (self.points[number - 1], self.points[number]);
            let enters = wide.width() >= width && narrow.width() < width;
            if !enters || wide.ahead != narrow.ahead || wide.bends || narrow.bends {
                continue;
            }
            for _ in 0..4 {
                let at = moved(wide.at, half(offset(wide.at, narrow.at)));
                let mut middle = Sample { at, along: (wide.along + narrow.along) / 2, ..narrow };
                middle.measure_askew(width, far, is_open);
                if middle.width() < width {
                    narrow = middle;
                } else {
                    wide = middle;
                }
            }
            self.points[number] = narrow;
        }
    }

    /// Points along the way, a cell apart, and its bends.
    fn walk(&mut self, way: &[Fine]) {
        self.points.clear();
        let (mut along, mut before) = (0, None);
        for pair in way.windows(2) {
            let leg = offset(pair[0], pair[1]);
            let long = length(leg);
            if long < STEP {
                continue;
            }
            let ahead = (leg.0 * 1024 / long, leg.1 * 1024 / long);
            if let Some(before) = before {
                self.bend(pair[0], before, ahead, along);
            }
            before = Some(ahead);
            let count = long / EVERY;
            for step in 1..=count {
                if self.points.len() >= MOST_POINTS {
                    return;
                }
                let part = (leg.0 * step / (count + 1), leg.1 * step / (count + 1));
                let at = along + long * step / (count + 1);
                self.points.push(Sample {
                    at: moved(pair[0], part),
                    ahead,
                    facing: ahead,
                    left: 0,
                    right: 0,
                    along: at,
                    bends: false,
                    slant: STRAIGHT,
                });
            }
            along += long;
        }
    }

    /// A bend of the way: its gate lies across both directions alike.
    fn bend(&mut self, at: Fine, from: (i64, i64), to: (i64, i64), along: i64) {
        let sum = (from.0 + to.0, from.1 + to.1);
        let long = length(sum);
        let turned = from.0 * to.1 - from.1 * to.0;
        // Somebody who turns right round has no direction between.
        let ahead = if long < 256 { to } else { (sum.0 * 1024 / long, sum.1 * 1024 / long) };
        let bends = turned.abs() > BEND * 1024 || from.0 * to.0 + from.1 * to.1 < 0;
        // The sum is as long as twice the cosine of half the turn.
        let slant = (1024 * 2048 / long.max(1)).clamp(i64::from(STRAIGHT), SLANTED) as u16;
        self.points.push(Sample { at, ahead, facing: ahead, left: 0, right: 0, along, bends, slant });
    }

    /// The gates among the points.
    fn choose(&self, width: i64, out: &mut Vec<WayGate>) {
        let narrow = |sample: &Sample| sample.width() < width;
        let mut last: Option<&Sample> = None;
        for (number, sample) in self.points.iter().enumerate() {
            let before = number.checked_sub(1).map(|number| &self.points[number]);
            let after = self.points.get(number + 1);
            // The first and the last of a narrow stretch, and places in it that are narrower than both sides of them.
            // Where the way begins or ends in one, that is no gate: nobody comes from before it, nor goes beyond.
            let wide = |other: Option<&Sample>| other.is_some_and(|other| !narrow(other));
            let edge = narrow(sample) && (wide(before) || wide(after));
            let waist = narrow(sample)
                && before.is_some_and(|other| other.width() > sample.width() + 2 * STEP)
                && after.is_some_and(|other| other.width() >= sample.width());
            if !(sample.bends || edge || waist) {
                continue;
            }
            match last {
                Some(held) if sample.along - held.along < APART => {
                    // Of two so near to each other the narrower stays; a bend counts for more than no bend, but not for more than a door that only one
                    // fits through: where the way turns into it, all have to pass it one by one.
                    let is_door = |sample: &Sample| sample.width() < ONE_LANE;
                    let better = if is_door(sample) == is_door(held) {
                        (!sample.bends, sample.width()) < (!held.bends, held.width())
                    } else {
                        is_door(sample)
                    };
                    if better && out.pop().is_some() {
                        out.push(sample.gate());
                        last = Some(sample);
                    }
                }
                _ => {
                    out.push(sample.gate());
                    last = Some(sample);
                }
            }
        }
    }
}

/// How far one can go from a point in a direction of length 1024 before ground is closed, at most `far`.
///
/// *Cost:* a look at one to four cells for each cell of open ground, and eight at points of the last.
fn room(at: Fine, (x, y): (i64, i64), far: i64, is_open: &impl Fn(CellPos) -> bool) -> i64 {
    let cell = |by: i64| moved(at, (x * by / 1024, y * by / 1024)).cell();
    let open = |by: i64| is_open(cell(by));
    let (mut free, mut here) = (0, at.cell());
    'open: while free < far {
        // All points between two lie in the rectangle of their cells: where that is open, none of them has to be looked at.
        let there = cell(free + EVERY);
        let near = here.x.abs_diff(there.x) <= 1 && here.y.abs_diff(there.y) <= 1;
        let between = [there, here, CellPos::new(here.x, there.y), CellPos::new(there.x, here.y)];
        let looks = match (here.x == there.x, here.y == there.y) {
            (true, true) => 1,
            (false, false) => 4,
            _ => 2,
        };
        if near && free + EVERY <= far && between[..looks].iter().all(|&at| is_open(at)) {
            (free, here) = (free + EVERY, there);
            continue;
        }
        for _ in 0..EVERY / STEP {
            let next = (free + STEP).min(far);
            if free < far && !open(next) {
                break 'open;
            }
            free = next;
        }
        here = cell(free);
    }
    if free >= far {
        return far;
    }
    // To a 64th of a cell.
    let mut step = STEP / 2;
    while step >= STEP / 8 {
        if free + step < far && open(free + step) {
            free += step;
        }
        step /= 2;
    }
    free
}

fn half((x, y): (i64, i64)) -> (i64, i64) {
    (x / 2, y / 2)
}

/// The length of an offset, rounded down.
fn length((x, y): (i64, i64)) -> i64 {
    if let (Ok(x), Ok(y)) = (i32::try_from(x), i32::try_from(y)) {
        let square = |part: i32| u64::from(part.unsigned_abs()).pow(2);
        return isqrt(square(x) + square(y)) as i64;
    }
    let square = |part: i64| u128::from(part.unsigned_abs()).pow(2);
    (square(x) + square(y)).isqrt() as i64
}
