//! A World as bytes, and back: for saved games, peers that join late, and rollback.

use alloc::vec::Vec;

use crate::base::{ByteReader, ByteWriter, FrameKind, LoadError, Persist};
use crate::cost::SectorId;
use crate::nav::Navigator;
use crate::nav::NavigatorState;
use crate::service::{PathService, ServiceState};
use crate::world::check::{check_sides, check_unreviewed};
use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::save::state::UnitsState;
use crate::world::state::State;
use crate::world::units::unit::PlayerId;
use crate::world::world::World;

/// The frame of a saved World.
const WORLD: FrameKind = FrameKind::engine(*b"WMwd", None);

/// World: a loaded and checked save. Taking it over cannot fail.
struct WorldState<'a> {
    nav: NavigatorState<'a>,
    service: ServiceState,
    units: UnitsState,
    unreviewed: Option<Vec<SectorId>>,
}

impl<'a> WorldState<'a> {
    fn load(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let mut reader = ByteReader::new(bytes);
        let mut inside = WORLD.open(&mut reader)?;
        reader.finish()?;
        let mut nav = NavigatorState::load(&mut inside)?;
        let service = ServiceState::load(&mut inside, &nav)?;
        let units = UnitsState::load(&mut inside, &nav)?;
        if inside.version() < 11 {
            // Maps have the teams of the players as sides since version 11.
            for player in (0..=u8::MAX).map(PlayerId) {
                nav.set_side(player.into(), units.units.body.teams.of(player).0);
            }
        }
        check_sides(&units.units, &nav).map_err(|what| inside.error(what))?;
        let unreviewed = Option::<Vec<u32>>::load(&mut inside)?;
        inside.finish()?;
        let unreviewed: Option<Vec<SectorId>> =
            unreviewed.map(|list| list.into_iter().map(SectorId).collect());
        let listed = unreviewed.iter().flatten().copied();
        check_unreviewed(listed, &nav).map_err(|what| inside.error(what))?;
        Ok(Self { nav, service, units, unreviewed })
    }
}

impl World {
    /// All World data as bytes. Equal Worlds give equal bytes.
    ///
    /// Call it between any two commands or ticks, also while routes are being searched. Events are not saved: they belong to the last tick.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// world.order(&[unit], Order::move_to(cell(50, 40)))?;
    /// (0..20).for_each(|_| world.tick());
    /// let saved = world.save();
    ///
    /// let mut peer = World::load(&saved)?; // joins late
    /// (0..20).for_each(|_| world.tick());
    /// (0..20).for_each(|_| peer.tick());
    /// assert_eq!(peer.state_hash(), world.state_hash());
    ///
    /// world.restore(&saved)?; // rollback, and on
    /// (0..20).for_each(|_| world.tick());
    /// assert_eq!(peer.state_hash(), world.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut writer = ByteWriter::new();
        self.save_into(&mut writer);
        writer.into_bytes()
    }

    /// Appends the bytes of [`World::save`] to a writer. For games that save every tick and reuse the memory.
    pub fn save_into(&self, writer: &mut ByteWriter) {
        WORLD.write(writer, |writer| {
            self.nav().save_parts(writer);
            self.state.service.save_parts(writer);
            self.state.save_units(writer);
            let unreviewed = self.state.unreviewed.list(self.nav().layer().changes());
            unreviewed.map(|sectors| sectors.map(|sector| sector.0).collect::<Vec<u32>>()).save(writer);
        });
    }

    /// The saved World. It has the same hash and continues in the same way.
    ///
    /// *Cost:* as much as [`Navigator::new`].
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are cut short, damaged, of another version, or not a saved World.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let state = WorldState::load(bytes)?;
        let mut game = State::new(PathService::new(Navigator::from_state(state.nav)), 0);
        take_over(&mut game, state.service, state.units, state.unreviewed);
        Ok(Self::from_state(game))
    }

    /// Returns this World to a save by changing only what differs; see [`Navigator::restore`]. For rollback: usually much cheaper than
    /// [`World::load`].
    ///
    /// # Errors
    /// [`LoadError`] as for [`World::load`]. Nothing has changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let state = WorldState::load(bytes)?;
        self.state.service.nav_mut().apply(state.nav);
        take_over(&mut self.state, state.service, state.units, state.unreviewed);
        self.follow_state();
        Ok(())
    }
}

/// Takes over everything but the navigator, which the caller has taken over already.
fn take_over(state: &mut State, service: ServiceState, units: UnitsState, unreviewed: Option<Vec<SectorId>>) {
    state.service.apply_parts(service);
    let UnitsState { seed, types, orders, units, groups, zones, reservations, threats, notices } = units;
    (state.seed, state.types, state.orders, state.units) = (seed, types, orders, units);
    (state.groups, state.zones, state.reservations, state.threats) = (groups, zones, reservations, threats);
    state.notices = notices;
    state.unreviewed = UnreviewedEdits::saved(unreviewed, state.service.nav().layer().changes());
    state.events.clear();
}
