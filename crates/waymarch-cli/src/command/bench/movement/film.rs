//! Pictures of a scene while it is played, at about even intervals.

use std::collections::BTreeMap;

use waymarch::base::GridSize;
use waymarch::world::{Unit, World};
use waymarch_cli::picture::Style;

use super::super::super::ground_picture::GroundPicture;
use super::outcomes::{Activity, OutcomeTracker};
use crate::scale::{fine_position, fixed_cells};

/// The longer side of the ground is about 300 pixels long, but cells have at least one pixel.
const GROUND_PIXELS: u32 = 300;
/// The first shots are 4 ticks apart. When there are more than 24, every second one is dropped and the distance doubles.
const FIRST_EVERY: u64 = 4;
const MAX_SHOTS: usize = 24;
/// A unit slower than a tenth of its speed waits.
const WAITING_SPEED: f64 = 0.1;

/// How a unit is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Dot {
    Idle,
    Arrived,
    /// A unit that started in the western half of the map.
    West,
    /// A unit that started in the eastern half of the map.
    East,
    Waiting,
    GaveUp,
}

/// The units of one tick.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    pub(super) tick: u64,
    /// The number of its ground in [`Film::grounds`].
    pub(super) ground: usize,
    /// Positions in cells, by kind and by radius in 1,024ths of a cell.
    pub(super) dots: BTreeMap<(Dot, i32), Vec<[f64; 2]>>,
}

/// All shots of a scene.
pub(super) struct Film {
    pub(super) size: GridSize,
    pub(super) shots: Vec<Shot>,
    /// Pictures of the ground as PNG files: one, and another after each change of the map.
    pub(super) grounds: Vec<Vec<u8>>,
    picture: GroundPicture,
    every: u64,
    /// By unit index: whether the unit started in the western half.
    from_west: Vec<bool>,
}

impl Film {
    /// Begins with a shot of the `World` before its first tick.
    pub(super) fn new(world: &World) -> Self {
        let style = Style { target: GROUND_PIXELS, relief: 0 };
        let picture = GroundPicture::new(world, &[], style);
        let mut film = Self {
            size: world.nav().layer().grid(),
            shots: Vec::new(),
            grounds: vec![picture.canvas().encode()],
            picture,
            every: FIRST_EVERY,
            from_west: Vec::new(),
        };
        film.shoot(world, &OutcomeTracker::default());
        film
    }

    /// Takes a shot if it is time for one.
    pub(super) fn tick(&mut self, world: &World, orders: &OutcomeTracker) {
        if !world.now().0.is_multiple_of(self.every) {
            return;
        }
        if self.shots.len() >= MAX_SHOTS {
            self.every *= 2;
            let every = self.every;
            self.shots.retain(|shot| shot.tick.is_multiple_of(every));
        }
        if world.now().0.is_multiple_of(self.every) {
            self.shoot(world, orders);
        }
    }

    /// Takes the last shot.
    pub(super) fn end(&mut self, world: &World, orders: &OutcomeTracker) {
        if self.shots.last().is_none_or(|shot| shot.tick != world.now().0) {
            self.shoot(world, orders);
        }
        let used: Vec<usize> = self.shots.iter().map(|shot| shot.ground).collect();
        // Grounds of dropped shots are not needed.
        for (number, ground) in self.grounds.iter_mut().enumerate() {
            if !used.contains(&number) {
                ground.clear();
            }
        }
    }

    fn shoot(&mut self, world: &World, orders: &OutcomeTracker) {
        if self.picture.follow(world, &[]) {
            self.grounds.push(self.picture.canvas().encode());
        }
        let mut dots: BTreeMap<(Dot, i32), Vec<[f64; 2]>> = BTreeMap::new();
        let middle = f64::from(self.size.width()) / 2.0;
        for unit in world.units() {
            let Some(at) = world.place_of(unit.id).map(fine_position) else { continue };
            let index = unit.id.index() as usize;
            if index >= self.from_west.len() {
                self.from_west.resize(index + 1, at[0] < middle);
            }
            let dot = match orders.activity(world, unit.id) {
                Activity::Idle => Dot::Idle,
                Activity::Arrived => Dot::Arrived,
                Activity::GaveUp => Dot::GaveUp,
                Activity::Travelling if is_waiting(world, &unit) => Dot::Waiting,
                Activity::Travelling if self.from_west[index] => Dot::West,
                Activity::Travelling => Dot::East,
            };
            let radius = world.unit_type(unit.kind).map_or(384, |kind| kind.radius.raw());
            dots.entry((dot, radius)).or_default().push(at);
        }
        self.shots.push(Shot { tick: world.now().0, ground: self.grounds.len() - 1, dots });
    }
}

/// Whether a unit stands, or almost. Before the first tick no unit waits.
fn is_waiting(world: &World, unit: &Unit) -> bool {
    let speed = world.unit_type(unit.kind).map_or(0.0, |kind| fixed_cells(kind.speed.raw()));
    let [x, y] = [unit.velocity.x, unit.velocity.y].map(|part| fixed_cells(part.raw()));
    world.now().0 > 0 && x.hypot(y) < WAITING_SPEED * speed
}
