//! Faults that tests put into branches and replays: the check of games must find them.

use waymarch::base::{Fixed, LoadError, Vec2};
use waymarch::world::{Event, EventKind, World};

/// What is wrong with a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The first unit that moves is 1/1024 cell away from its place.
    Position,
    /// Events of arrivals are missing.
    LostEvent,
    /// One byte of a save is wrong while a stamp stands.
    Byte,
    /// The save is refused while a stamp stands.
    RefusedSave,
    /// The branch panics while a stamp stands.
    Panic,
}

impl Fault {
    /// What the fault does to a World before each tick.
    ///
    /// # Errors
    /// If the fault is a refused save.
    pub(super) fn before_tick(self, world: &mut World) -> Result<(), LoadError> {
        match self {
            Self::Position => {
                let moving = world.units().find(|unit| unit.velocity != Vec2::ZERO);
                if let Some(unit) = moving {
                    let at = unit.position + Vec2::new(Fixed::from_raw(1), Fixed::ZERO);
                    // A unit at the edge of the map cannot be moved off it.
                    let _ = world.put(unit.id, at, unit.velocity);
                }
                Ok(())
            }
            Self::RefusedSave if has_stamp(world) => World::load(&[]).map(drop),
            Self::Panic if has_stamp(world) => panic!("a faulty branch"),
            _ => Ok(()),
        }
    }

    /// The events of a tick, as the fault shows them.
    pub(super) fn events(self, mut events: Vec<Event>) -> Vec<Event> {
        if self == Self::LostEvent {
            events.retain(|event| event.what != EventKind::Arrived);
        }
        events
    }

    /// The saved bytes, as the fault shows them.
    pub(super) fn bytes(self, world: &World, mut bytes: Vec<u8>) -> Vec<u8> {
        let middle = bytes.len() / 2;
        if self == Self::Byte && has_stamp(world) {
            bytes[middle] ^= 1;
        }
        bytes
    }
}

fn has_stamp(world: &World) -> bool {
    world.nav().layer().stamps().next().is_some()
}
