//! The flow of units through a gap in a wall, and how long one side waits there.

use waymarch::world::{UnitId, World};

use crate::scale::fine_position;

/// A unit waits at the gap if it is at most 6 cells from the mouth on its side.
const NEAR_CELLS: f64 = 6.0;

/// A gap in a wall from north to south.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The columns of the wall, from west to east.
    pub(super) wall: [f64; 2],
    /// The middle row of the gap.
    pub(super) row: f64,
}

/// The sides of the wall.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    West,
    East,
}

struct TrackedUnit {
    id: UnitId,
    home: Side,
    /// When it last crossed the middle of the wall to the other side; `None` if it is at home.
    crossed: Option<u64>,
}

/// The time in which one side waits while the other passes.
#[derive(Clone, Copy, Default)]
struct SideWait {
    /// Since when units of this side wait and none of them crosses.
    since: Option<u64>,
    /// When a unit of the other side last crossed in this time.
    other_crossed: Option<u64>,
    longest: u64,
}

impl SideWait {
    fn end(&mut self) {
        if let (Some(since), Some(last)) = (self.since.take(), self.other_crossed.take()) {
            self.longest = self.longest.max(last - since);
        }
    }
}

/// Follows the units of a scene through its gap.
pub(super) struct GapTracker {
    gap: Gap,
    units: Vec<TrackedUnit>,
    waits: [SideWait; 2],
}

impl GapTracker {
    /// Starts with the units where they are: each side is the home of the units that stand there.
    pub(super) fn new(gap: Gap, world: &World) -> Self {
        let middle = gap.middle();
        let unit = |(id, _)| {
            let x = position(world, id)?[0];
            let home = if x < middle { Side::West } else { Side::East };
            Some(TrackedUnit { id, home, crossed: None })
        };
        Self { gap, units: world.positions().filter_map(unit).collect(), waits: [SideWait::default(); 2] }
    }

    /// Adds the tick that has just passed.
    pub(super) fn tick(&mut self, world: &World) {
        let now = world.now().0;
        let (mut crossed, mut waiting) = ([false; 2], [false; 2]);
        for unit in &mut self.units {
            let Some(at) = position(world, unit.id) else { continue };
            let side = unit.home as usize;
            let is_at_home = (at[0] < self.gap.middle()) == (unit.home == Side::West);
            match (is_at_home, unit.crossed) {
                (true, _) => unit.crossed = None,
                (false, None) => {
                    unit.crossed = Some(now);
                    crossed[side] = true;
                }
                _ => {}
            }
            let mouth = [self.gap.wall[side], self.gap.row];
            let is_outside = if unit.home == Side::West { at[0] < mouth[0] } else { at[0] > mouth[0] };
            let is_near = (at[0] - mouth[0]).hypot(at[1] - mouth[1]) <= NEAR_CELLS;
            waiting[side] |= is_outside && is_near && world.orders_of(unit.id).next().is_some();
        }
        for side in 0..2 {
            let wait = &mut self.waits[side];
            if crossed[side] || !waiting[side] {
                wait.end();
            }
            if waiting[side] {
                wait.since.get_or_insert(now);
                if crossed[1 - side] {
                    wait.other_crossed = Some(now);
                }
            }
        }
    }

    /// Units per tick from the first crossing to the last; `None` if fewer than two units crossed.
    pub(super) fn flow(&self) -> Option<f64> {
        let crossed = || self.units.iter().filter_map(|unit| unit.crossed);
        let (first, last) = crossed().min().zip(crossed().max())?;
        (last > first).then(|| crossed().count() as f64 / (last - first) as f64)
    }

    /// The longest time in which one side waited and the other side passed, in ticks.
    pub(super) fn longest_side_wait(&mut self) -> u64 {
        self.waits.iter_mut().for_each(SideWait::end);
        self.waits.iter().map(|wait| wait.longest).max().unwrap_or(0)
    }
}

impl Gap {
    fn middle(self) -> f64 {
        f64::midpoint(self.wall[0], self.wall[1])
    }
}

fn position(world: &World, unit: UnitId) -> Option<[f64; 2]> {
    world.place_of(unit).map(fine_position)
}
