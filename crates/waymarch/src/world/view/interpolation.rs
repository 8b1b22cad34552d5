//! Interpolation: where are all units between two ticks?

use core::iter::Peekable;
use core::mem::swap;
use core::slice::Iter;

use super::frame::Frame;
use crate::base::{Angle, Fixed, Vec2};
use crate::world::units::unit::Unit;
use crate::world::world::World;

/// A unit that moves farther than 4 cells in a tick jumps. No unit walks or is pushed that far: a unit makes at most 1 cell a tick, ground makes that 2.5, and pushes 3.
const JUMP: Fixed = Fixed::from_cells(4);

/// The poses of all units between the last two ticks of a World, for renderers that draw more often than the World ticks.
///
/// Call [`Interpolation::tick`] after each tick, and [`Interpolation::at`] for each picture. With the feature `render`, `Vec2::to_f32` and
/// `Angle::to_radians` give floats.
///
/// ```
/// use waymarch::base::Fixed;
/// use waymarch::prelude::*;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
/// let mut world = World::new(Navigator::new(map, Config::default())?);
/// let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
/// let soldier = world.add_type(UnitType::new("soldier", foot))?;
/// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
/// world.order(&[unit], Order::move_to(cell(30, 3)))?;
/// (0..20).for_each(|_| world.tick());
///
/// let mut drawn = Interpolation::new(&world);
/// let before = world.unit(unit).ok_or("removed")?.position;
/// world.tick();
/// drawn.tick(&world);
/// let after = world.unit(unit).ok_or("removed")?.position;
/// for pose in drawn.at(Fixed::HALF) {
///     assert!(before.x < pose.position.x && pose.position.x < after.x);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpolation {
    before: Frame,
    after: Frame,
}

/// Where a unit is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pose {
    /// The unit as it is after the last tick; for a unit that leaves, as it was before. With a [`Unit::transport`] it is not seen.
    pub unit: Unit,
    /// Its centre at this moment.
    pub position: Vec2,
    /// Its facing at this moment.
    pub facing: Angle,
    /// Whether it exists before and after the last tick.
    pub presence: Presence,
}

/// Whether a unit exists before and after the last tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Presence {
    /// It exists in both, and is drawn between its two positions.
    Stays,
    /// It exists in both, but it was put somewhere else: it is drawn at its new position.
    Jumps,
    /// It exists after the tick only, and is drawn where it appears.
    Appears,
    /// It existed before the tick only, and is drawn where it was. A renderer fades it out, or leaves it out.
    Leaves,
}

impl Interpolation {
    /// Both frames are the present one: units stand until the first tick.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let frame = Frame::of(world);
        Self { before: frame.clone(), after: frame }
    }

    /// Takes over the present frame of the World. Call it after each tick, and after commands that are to be seen before the next tick.
    ///
    /// If the World has another tick than at the last call, the last frame becomes the earlier one, also after a rollback. Allocates only if there are more
    /// units than ever before.
    pub fn tick(&mut self, world: &World) {
        if world.now() != self.after.tick {
            swap(&mut self.before, &mut self.after);
        }
        self.after.take(world);
    }

    /// Forgets the past: call it when another game is loaded.
    pub fn reset(&mut self, world: &World) {
        self.before.take(world);
        self.after.take(world);
    }

    /// The poses of all units at a fraction of the last tick: 0 is the earlier frame, 1 the later one. Values outside are clamped. By unit index; allocates
    /// nothing.
    ///
    /// A unit turns the shorter way.
    pub fn at(&self, fraction: Fixed) -> impl Iterator<Item = Pose> + '_ {
        Poses {
            before: self.before.units.iter().peekable(),
            after: self.after.units.iter().peekable(),
            fraction: fraction.clamp(Fixed::ZERO, Fixed::ONE),
        }
    }

    /// The earlier frame.
    #[must_use]
    pub fn before(&self) -> &Frame {
        &self.before
    }

    /// The later frame.
    #[must_use]
    pub fn after(&self) -> &Frame {
        &self.after
    }
}

/// Merges two frames, both sorted by unit id.
struct Poses<'a> {
    before: Peekable<Iter<'a, Unit>>,
    after: Peekable<Iter<'a, Unit>>,
    fraction: Fixed,
}

impl Iterator for Poses<'_> {
    type Item = Pose;

    fn next(&mut self) -> Option<Pose> {
        let still = |unit: &Unit, presence| Pose {
            unit: *unit,
            position: unit.position,
            facing: unit.facing,
            presence,
        };
        match (self.before.peek(), self.after.peek()) {
            (Some(old), Some(new)) if old.id == new.id => {
                let pose = between(old, new, self.fraction);
                self.before.next();
                self.after.next();
                Some(pose)
            }
            (Some(old), Some(new)) if new.id < old.id => {
                self.after.next().map(|unit| still(unit, Presence::Appears))
            }
            (Some(_), _) => self.before.next().map(|unit| still(unit, Presence::Leaves)),
            (None, _) => self.after.next().map(|unit| still(unit, Presence::Appears)),
        }
    }
}

/// The pose of a unit that exists in both frames.
fn between(old: &Unit, new: &Unit, fraction: Fixed) -> Pose {
    let way = new.position - old.position;
    if way.length() > JUMP {
        return Pose { unit: *new, position: new.position, facing: new.facing, presence: Presence::Jumps };
    }
    // Rounded towards the earlier frame, in the same way for all directions. Fraction 1 is exact.
    let part = |far: Fixed| Fixed::saturate(i64::from(far.raw()) * i64::from(fraction.raw()) / 1024);
    let position = old.position + Vec2::new(part(way.x), part(way.y));
    // As a signed number the difference is the shorter turn.
    let turn = i32::from(new.facing.0.wrapping_sub(old.facing.0) as i16) * fraction.raw() / 1024;
    let facing = Angle(old.facing.0.wrapping_add(turn as u16));
    Pose { unit: *new, position, facing, presence: Presence::Stays }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::Stance;
    use crate::world::units::condition::Concealment;
    use crate::world::units::unit::{PlayerId, UnitId};
    use crate::world::units::unit_type::UnitTypeId;

    fn unit(at: Vec2, facing: Angle) -> Unit {
        Unit {
            id: UnitId::new(0, 0),
            kind: UnitTypeId(0),
            owner: PlayerId(0),
            position: at,
            facing,
            velocity: Vec2::ZERO,
            stance: Stance::default(),
            speed: 100,
            concealment: Concealment::default(),
            transport: None,
        }
    }

    #[test]
    fn a_unit_turns_the_shorter_way_also_across_east() {
        let turned = |from: u16, to: u16, raw: i32| {
            let [old, new] = [from, to].map(|facing| unit(Vec2::ZERO, Angle(facing)));
            between(&old, &new, Fixed::from_raw(raw)).facing.0
        };
        assert_eq!(turned(65_000, 464, 512), 65_500);
        assert_eq!(turned(464, 65_000, 512), 65_500);
        assert_eq!(turned(464, 65_000, 0), 464);
        assert_eq!(turned(464, 65_000, 1024), 65_000);
        assert_eq!(turned(16_384, 8192, 256), 14_336);
    }

    #[test]
    fn no_direction_has_an_advantage() {
        let moved = |x: i32, y: i32| {
            let way = Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y));
            between(&unit(Vec2::ZERO, Angle::ZERO), &unit(way, Angle::ZERO), Fixed::from_raw(300)).position
        };
        assert_eq!(moved(101, -77), -moved(-101, 77));
        assert_eq!(moved(4096, 0).x, Fixed::from_raw(1200));
    }
}
