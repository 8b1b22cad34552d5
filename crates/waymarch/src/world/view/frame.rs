//! Frames: what can be seen of all units after a tick.

use alloc::vec::Vec;

use crate::base::Tick;
use crate::world::units::unit::Unit;
use crate::world::world::World;

/// What can be seen of all units after a tick. Plain data of the game: for renderers, spectators and network messages. It is no part of the World and cannot
/// be loaded into one; for that, see [`World::save`].
///
/// ```
/// use waymarch::prelude::*;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
/// let mut world = World::new(Navigator::new(map, Config::default())?);
/// let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
/// let soldier = world.add_type(UnitType::new("soldier", foot))?;
/// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
/// let mut frame = Frame::of(&world);
/// world.tick();
/// frame.take(&world); // reuses the memory
/// assert_eq!((frame.tick, frame.units[0].id), (world.now(), unit));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// The number of ticks that had passed.
    pub tick: Tick,
    /// All units, by unit index.
    pub units: Vec<Unit>,
}

impl Frame {
    /// The present frame of a World.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let mut frame = Self::default();
        frame.take(world);
        frame
    }

    /// Becomes the present frame of a World. Allocates only if there are more units than ever before.
    pub fn take(&mut self, world: &World) {
        self.tick = world.now();
        self.units.clear();
        self.units.extend(world.units());
    }
}
