//! Finds the gates of a group's route: where it bends, and where it is narrower than the group.

use alloc::vec::Vec;

use super::gate::{Gate, RouteGate};
use super::geometry::{length, moved, offset};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{CellPos, Scratch, poison_list};

/// The width is measured at points of the route 1 cell apart.
const EVERY: i64 = FINE_CELL as i64;
/// Walls beside the route are searched in steps of 1/8 of a cell.
const STEP: i64 = FINE_CELL as i64 / 8;
/// A gate reaches at most 24 cells from the route on each side.
const WIDEST: i64 = 24 * FINE_CELL as i64;
/// A gate is at most 49 cells wide from wall to wall: rounding adds less than a cell.
pub(crate) const WIDEST_GATE: i64 = 2 * WIDEST + FINE_CELL as i64;
/// At most 2048 points of a route are measured. The rest is measured when the group is nearer.
const MOST_POINTS: usize = 2048;
/// A turn of more than about 11 degrees is a bend: its sine in 1024ths is above 200.
const BEND: i64 = 200;
/// A gate narrower than 1.5 cells has one lane.
const ONE_LANE: i64 = FINE_CELL as i64 * 3 / 2;
/// Of gates less than 2 cells apart along the route, one is kept.
const APART: i64 = 2 * FINE_CELL as i64;

/// A route that meets a door's line at less than about 15 degrees leads past the door: its sine in 1024ths is below 256.
const ALONG: i64 = 256;

/// The slant of a gate that members cross at right angles, in 1024ths.
const STRAIGHT: u16 = 1024;
/// The largest slant of a gate at a bend, in 1024ths: 10 % more than the group's width. More would be a detour for the outer members.
const SLANTED: i64 = 1124;

/// Scratch: finds gates. Keep one and reuse it: it allocates nothing once it has grown.
#[derive(Clone, Debug, Default)]
pub struct GateFinder {
    points: Vec<Sample>,
}

/// A measured point of the route.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Fine,
    /// The direction of the route, of length 1024.
    ahead: (i64, i64),
    /// The direction in which its line is crossed, of length 1024: the same, unless the route passes a door at an angle.
    facing: (i64, i64),
    /// The distance to the wall on the left, as far as it was searched.
    left: i64,
    /// The same on the right.
    right: i64,
    /// Its distance along the route.
    along: i64,
    bends: bool,
    slant: u16,
}

impl Sample {
    fn width(&self) -> i64 {
        self.left + self.right
    }

    /// Measures the distance to walls on both sides, at most `far`.
    fn measure(&mut self, far: i64, is_open: &impl Fn(CellPos) -> bool) {
        let (x, y) = self.ahead;
        self.left = free_distance(self.at, (y, -x), far, is_open);
        self.right = free_distance(self.at, (-y, x), far, is_open);
    }

    /// As [`Sample::measure`]. But if a line from north to south or from west to east is shorter, and shorter than the group's `width`, that
    /// line is taken instead. At a bend it must be shorter by a third: the line of a bend lies at an angle on purpose.
    ///
    /// A route may pass a door in a thin wall at an angle. The line at right angles to the route then meets no wall: it runs from the open
    /// ground before the door to the open ground behind it. Most places on it are behind the wall, and units with such places would push
    /// each other against the edge of the door.
    fn measure_askew(&mut self, width: i64, far: i64, is_open: &impl Fn(CellPos) -> bool) {
        self.measure(far, is_open);
        self.facing = self.ahead;
        for (x, y) in [(self.ahead.0, 0), (0, self.ahead.1)] {
            // Not along the route.
            if x.abs().max(y.abs()) < ALONG {
                continue;
            }
            let (x, y) = (1024 * x.signum(), 1024 * y.signum());
            let less = if self.bends { self.width() * 2 / 3 } else { self.width() - STEP };
            let most = less.min(width).max(0);
            let left = free_distance(self.at, (y, -x), most, is_open);
            let right =
                if left < most { free_distance(self.at, (-y, x), most - left, is_open) } else { most };
            if left + right < most {
                (self.left, self.right, self.facing) = (left, right, (x, y));
            }
        }
    }

    fn gate(&self) -> RouteGate {
        let (x, y) = self.facing;
        let aside = |by: i64| moved(self.at, (-y * by / 1024, x * by / 1024));
        let gate = Gate { left: aside(-self.left), right: aside(self.right) };
        RouteGate { gate, taut: self.at, ahead: (x as i16, y as i16), slant: self.slant }
    }
}

impl Scratch for GateFinder {
    /// The memory depends on the length of the route, and is about [`MOST_POINTS`] points at most.
    type Demand = ();

    fn poison(&mut self) {
        let at = Fine::new(-7, 7);
        let rubbish =
            Sample { at, ahead: (7, 7), facing: (7, 7), left: 7, right: 7, along: 7, bends: true, slant: 7 };
        poison_list(&mut self.points, rubbish);
    }

    fn reserve(&mut self, (): ()) {}
}

impl GateFinder {
    /// Writes the gates of a route to `out`, in the order in which they are crossed.
    ///
    /// `route` has the bends of a shortest route, from the group's centre to its goal. `width` is the group's width in 65,536ths of a cell.
    /// `is_open` says whether members can walk on a cell. There is a gate at each bend, so that the group keeps its width around the
    /// corner. There are gates also where the route becomes narrower than the group, and where it becomes wider again.
    ///
    /// *Cost:* reads one to four cells per cell of width, for each cell of the route.
    pub fn find(
        &mut self,
        route: &[Fine],
        width: i64,
        is_open: impl Fn(CellPos) -> bool,
        out: &mut Vec<RouteGate>,
    ) {
        out.clear();
        self.sample(route);
        let far = (width + EVERY).clamp(EVERY, WIDEST);
        for sample in &mut self.points {
            sample.measure_askew(width, far, &is_open);
        }
        // Walls farther away were not searched.
        let width = width.min(2 * far);
        self.sharpen(width, far, &is_open);
        self.choose(width, out);
    }

    /// A gate at a point of a route with the direction `ahead`, of length 1024: over all open ground, at most `far` on each side.
    #[must_use]
    pub fn across(at: Fine, ahead: (i64, i64), far: i64, is_open: impl Fn(CellPos) -> bool) -> RouteGate {
        let ahead = (ahead.0.clamp(-1024, 1024), ahead.1.clamp(-1024, 1024));
        let mut here =
            Sample { at, ahead, facing: ahead, left: 0, right: 0, along: 0, bends: false, slant: STRAIGHT };
        here.measure(far.clamp(EVERY, WIDEST), &is_open);
        here.gate()
    }

    /// Moves the first point of each narrow stretch to where the stretch begins, exact to 1/16 of the distance between points.
    ///
    /// So units merge before a door, where there is room. Measured with the gate inside the doorway, a door of one cell let 20 % fewer
    /// units through.
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

    /// Lists points along the route, 1 cell apart, and its bends.
    fn sample(&mut self, route: &[Fine]) {
        self.points.clear();
        let (mut along, mut before) = (0, None);
        for pair in route.windows(2) {
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

    /// Adds a bend of the route. Its gate has the same angle to both legs.
    fn bend(&mut self, at: Fine, from: (i64, i64), to: (i64, i64), along: i64) {
        let sum = (from.0 + to.0, from.1 + to.1);
        let long = length(sum);
        let turned = from.0 * to.1 - from.1 * to.0;
        // A route that turns back has no direction between its legs.
        let ahead = if long < 256 { to } else { (sum.0 * 1024 / long, sum.1 * 1024 / long) };
        let bends = turned.abs() > BEND * 1024 || from.0 * to.0 + from.1 * to.1 < 0;
        // The length of the sum is twice the cosine of half the turn.
        let slant = (1024 * 2048 / long.max(1)).clamp(i64::from(STRAIGHT), SLANTED) as u16;
        self.points.push(Sample { at, ahead, facing: ahead, left: 0, right: 0, along, bends, slant });
    }

    /// Chooses gates among the points.
    fn choose(&self, width: i64, out: &mut Vec<RouteGate>) {
        let narrow = |sample: &Sample| sample.width() < width;
        let mut last: Option<&Sample> = None;
        for (number, sample) in self.points.iter().enumerate() {
            let before = number.checked_sub(1).map(|number| &self.points[number]);
            let after = self.points.get(number + 1);
            // Gates are the first and the last point of a narrow stretch, and points in it that are narrower than their neighbours.
            // A stretch in which the route begins or ends has no gate at that end.
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
                    // Of two near gates one is kept: a door with one lane first, because all members pass it one by one; then a bend; then
                    // the narrower gate.
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

/// The distance from a point to closed ground in a direction of length 1024, at most `far`.
///
/// *Cost:* reads one to four cells for each cell of open ground, and tests about eleven points in the last cell.
fn free_distance(at: Fine, (x, y): (i64, i64), far: i64, is_open: &impl Fn(CellPos) -> bool) -> i64 {
    let cell = |by: i64| moved(at, (x * by / 1024, y * by / 1024)).cell();
    let open = |by: i64| is_open(cell(by));
    let (mut free, mut here) = (0, at.cell());
    'open: while free < far {
        // All points between two lie in the rectangle of their cells. If that is open, no point needs a test.
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
    // Refine the distance to 1/64 of a cell.
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
