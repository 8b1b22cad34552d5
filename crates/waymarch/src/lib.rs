//! Deterministic, integer-only pathfinding and group movement for real-time strategy games.
//!
//! The same inputs in the same order give the same routes, positions and hashes, bit for bit, on every machine, with any number of threads.
//! The engine reads no files and no clock. It takes plain data and checks it once.
//!
//! # Four levels of use
//!
//! Choose the level by how much of the work your game does itself. Each level works without the next.
//!
//! ## 1. Queries: `Navigator`
//!
//! Routes on a map that can be edited. A query returns when its search is complete; nothing limits how long that takes.
//!
//! ```
//! use waymarch::{Config, Goal, GridSize, Map, Navigator, Rules, Stamp, cell};
//!
//! let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
//! let mut nav = Navigator::new(map, Config::default())?;
//! let foot = nav.locomotor("foot").ok_or("no such locomotor")?;
//! let before = nav.path(cell(3, 4), cell(60, 4), foot)?; // the cheapest route
//! nav.place(&Stamp::solid(3, 9), cell(30, 0))?; // a building across it
//! let after = nav.path(cell(3, 4), cell(60, 4), foot)?;
//! assert!(after.cost > before.cost);
//! let near = nav.path_or_nearest(cell(3, 4), &Goal::point(cell(31, 4)), foot)?; // into the building
//! assert_eq!(near.snapped.to, cell(29, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## 2. Requests within a budget: `PathService`
//!
//! Many units ask at once. A tick does a fixed amount of work, counted in nodes, so an order to a thousand units does not stall the game.
//! If enough units share a destination, they get one flow field (`Config::flowfield_group_threshold`).
//!
//! ```
//! use waymarch::service::{Guidance, PathStatus};
//! use waymarch::{Config, GridSize, Map, Navigator, PathAsk, PathService, Rules, cell};
//!
//! let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
//! let nav = Navigator::new(map, Config::default())?;
//! let foot = nav.locomotor("foot").ok_or("no such locomotor")?;
//! let mut service = PathService::new(nav);
//! let id = service.request(PathAsk::new(cell(3, 4).centre(), cell(60, 40), foot));
//! while service.status(id) != Some(PathStatus::Complete) {
//!     service.tick(); // at most `Config::max_path_nodes_per_tick` nodes
//! }
//! let Some(Guidance::Waypoints(points)) = service.guidance(id) else { return Err("a flow".into()) };
//! assert_eq!(points.last(), Some(&cell(60, 40).centre()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## 3. Your own movement: `World` with `Mover::Game`
//!
//! Orders, groups and avoidance give each unit a velocity. Your game moves the unit, with its own physics, and reports the new position.
//!
//! ```
//! use waymarch::world::Mover;
//! use waymarch::{Config, GridSize, Map, Navigator, Order, PlayerId, Rules, UnitType, World, cell};
//!
//! let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
//! let mut world = World::new(Navigator::new(map, Config::default())?);
//! let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
//! let puppet = world.add_type(UnitType { mover: Mover::Game, ..UnitType::new("puppet", foot) })?;
//! let unit = world.spawn(puppet, PlayerId(0), cell(3, 3))?;
//! world.order(&[unit], Order::move_to(cell(20, 9)))?;
//! for _ in 0..400 {
//!     world.tick();
//!     let velocity = world.desired_velocity(unit); // cells a tick
//!     let position = world.unit(unit).ok_or("removed")?.position + velocity;
//!     world.put(unit, position, velocity)?;
//! }
//! assert_eq!(world.cell_of(unit), Some(cell(20, 9)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## 4. The whole world: `World`
//!
//! Units carry out orders, form groups, keep clear of each other and report events. A world can be hashed, saved, restored and recorded.
//!
//! ```
//! use waymarch::{Config, EventKind, Formation, GridSize, Map, Navigator, Order, PlayerId, Rules, UnitType, World, cell};
//!
//! let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
//! let mut world = World::new(Navigator::new(map, Config::default())?);
//! let foot = world.nav().locomotor("foot").ok_or("no such locomotor")?;
//! let soldier = world.add_type(UnitType::new("soldier", foot))?;
//! let squad = world.spawn_many(soldier, PlayerId(0), &[cell(3, 3), cell(4, 3), cell(5, 3)])?;
//! world.order(&squad, Order::move_to(cell(30, 20)).formation(Formation::Line))?;
//! let mut peer = World::load(&world.save())?; // another player's machine
//! let mut arrived = 0;
//! for _ in 0..600 {
//!     world.tick();
//!     peer.tick();
//!     arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
//! }
//! assert_eq!(arrived, 3);
//! assert_eq!(world.state_hash(), peer.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! - In development builds, put `[profile.dev.package.waymarch] opt-level = 3` into the game's `Cargo.toml`.
//! - The first query of an agent on a map prepares search data. A World does this ahead, a little in each tick, for the agents of its units. For orders in the
//!   first seconds, [`Navigator::make_ready`] and [`Navigator::make_ready_far`] do it at load time; for a World, call them on [`World::queries`]. On maps wider or higher than
//!   1024 cells, far routes of a World are rougher until its tables count as made: [`World::make_tables_now`] makes them at once.
//! - With the feature `parallel`, `world::Threads` runs the work of a tick on several threads. The result is the same with any number of threads.
//!
//! # Names and positions
//!
//! [`prelude`] has the names that games use most. A position is a cell ([`CellPos`]) or a point ([`Vec2`], in 1024ths of a cell); [`CellPos::centre`]
//! and [`Vec2::cell`] convert them. [`base::Fine`] is the scale in which avoidance and formations count: 64 times finer, for games that use these rooms
//! without a World. `From` converts it to a point and back.
//!
//! # Drawing
//!
//! [`Interpolation`] gives the poses of all units between two ticks. The feature `render` adds conversions to `f32`: `Fixed::to_f32`, `Vec2::to_f32`,
//! `Angle::to_radians`. The engine itself computes with integers only, with and without the feature.
//!
//! # Modules
//!
//! The modules follow the data flow. A module uses only modules of a smaller rank.
//!
//! | rank | module | the question it answers |
//! |---|---|---|
//! | 0 | [`base`] | Cells, directions, ids, fixed point, random numbers, state hash, containers with a fixed order |
//! | 1 | [`query`] | How is a query worded, and how can it end? |
//! | 1 | [`cost`] | Layer 1: what does a cell cost for this locomotor and size? |
//! | 2 | [`levels`] | Which decks and links does a map have, and how do they lie in one grid? |
//! | 2 | [`config`] | Which settings are there, and in which range? |
//! | 2 | [`sectors`] | Layer 2: which sectors and doors does the map have, and is a cell reachable at all? |
//! | 2 | [`passages`] | Where is ground too narrow for two units to pass each other? |
//! | 3 | `mapf` | Which cell does each of several units step to, so that all get on? |
//! | 3 | [`search`] | Layer 3a: which cells does the route pass? |
//! | 3 | [`flow`] | Layer 3b: which direction leads to the goal from every cell? |
//! | 4 | [`plan`] | Is a remembered route still valid? Do requests get routes or a flow field? |
//! | 5 | [`planners`] | Which search answers a query? |
//! | 5 | [`avoid`] | Layer 4: how do units keep clear of each other? |
//! | 6 | [`groups`] | Layer 5: where do the members of a group stand, and which lane do they take? Pure functions |
//! | 6 | [`nav`] | A map with all of its search data: the [`Navigator`] |
//! | 7 | [`service`] | Which requests are served in this tick? The [`PathService`] |
//! | 8 | [`world`] | Units, orders, groups, ticks, snapshots, recordings: the [`World`] |
//!
//! Each module's page says which rules of behaviour it has and what it owns. Structs that hold state say in their first line which kind of data they are:
//! *World* (authoritative, hashed and saved), *Derived* (a function of World data) or *Scratch* (meaningless between calls).
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(clippy::disallowed_types, clippy::disallowed_methods, clippy::float_arithmetic)]

extern crate alloc;

pub mod avoid;
pub mod base;
pub mod config;
pub mod cost;
pub mod flow;
pub mod groups;
pub mod levels;
mod mapf;
pub mod nav;
pub mod passages;
pub mod plan;
pub mod planners;
pub mod prelude;
pub mod query;
pub mod search;
pub mod sectors;
pub mod service;
pub mod world;

// The names that most programs start with. The prelude has all of them, and more.
#[doc(no_inline)]
pub use crate::{
    base::{Angle, CellPos, Fixed, GridSize, Vec2, cell},
    config::Config,
    cost::{Map, Rules, Stamp},
    groups::Formation,
    nav::Navigator,
    query::{Goal, PathAsk},
    search::Route,
    service::PathService,
    world::{
        Command, Event, EventKind, Frame, Interpolation, Order, PlayerId, Unit, UnitId, UnitType, UnitTypeId,
        World,
    },
};
