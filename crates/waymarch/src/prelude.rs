//! The names that most games need, in one `use`: what the crate root has, and the types around a `World`.
//!
//! There are two kinds of positions: cells ([`CellPos`], made by [`cell`]) and points ([`Vec2`], in 1024ths of a cell). [`CellPos::centre`] and
//! [`Vec2::cell`] convert them. All lengths and speeds are [`Fixed`], all directions [`Angle`].
//!
//! ```
//! use waymarch::prelude::*;
//!
//! let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
//! let mut world = World::new(Navigator::new(map, Config::default())?);
//! let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
//! let soldier = world.add_type(UnitType::new("soldier", foot))?;
//! let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
//! world.order(&[unit], Order::move_to(cell(9, 3)))?;
//! while !world.events().iter().any(|event| event.what == EventKind::Arrived) {
//!     world.tick();
//! }
//! assert_eq!(world.unit(unit).ok_or("removed")?.position.cell(), cell(9, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(no_inline)]
pub use crate::{
    base::{
        Agent, Angle, CellPos, CellRect, Fixed, GridSize, LocomotorId, SizeClass, StampId, Tick, Vec2, cell,
    },
    config::Config,
    cost::{GateState, Map, Rules, Stamp, TerrainId, ThreatId, ThreatSource},
    groups::Formation,
    nav::Navigator,
    query::{Goal, PathAsk},
    search::Route,
    service::{Guidance, PathId, PathService, PathStatus},
    world::{
        Applied, Around, Command, CommandError, Event, EventKind, Frame, GiveUp, Interpolation, Mover, Order,
        PlayerId, Pose, Presence, Recorder, Recording, Replay, RouteChange, Stance, Target, TeamId, Unit,
        UnitId, UnitType, UnitTypeId, When, World,
    },
};
