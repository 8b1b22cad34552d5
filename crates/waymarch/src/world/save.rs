//! A World as bytes, and back: for saved games, for peers that join late, for rollback.

use alloc::vec::Vec;

use super::navigator::Navigator;
use super::navigator_state::NavigatorState;
use super::review::Unseen;
use super::service::{MapFacts, ServiceState};
use super::simulation::World;
use super::world_state::UnitsState;
use crate::base::{ByteReader, ByteWriter, FrameKind, LoadError, Persist};
use crate::cost::SectorId;

/// The bytes of a World.
const WORLD: FrameKind = FrameKind { mark: *b"WMwd", version: 7 };

/// World: everything that was saved, checked: taking it over cannot fail any more.
struct WorldState<'a> {
    nav: NavigatorState<'a>,
    service: ServiceState,
    units: UnitsState,
    unseen: Option<Vec<SectorId>>,
}

impl<'a> WorldState<'a> {
    fn load(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let mut reader = ByteReader::new(bytes);
        let mut inside = WORLD.open(&mut reader)?;
        reader.finish()?;
        let nav = NavigatorState::load(&mut inside)?;
        let has_costs = |agent| nav.has_costs(agent);
        let facts = MapFacts { grid: nav.grid(), sectors: nav.sectors(), has_costs: &has_costs };
        let service = ServiceState::load(&mut inside, &facts)?;
        let units = UnitsState::load(&mut inside, nav.grid(), nav.ticks_per_second(), has_costs)?;
        let unseen = Option::<Vec<u32>>::load(&mut inside)?;
        inside.finish()?;
        let sectors = nav.sectors().count() as u64;
        if unseen.iter().flatten().any(|&sector| u64::from(sector) >= sectors) {
            return Err(inside.error("a change in a sector that is not on the map"));
        }
        Ok(Self { nav, service, units, unseen: unseen.map(|list| list.into_iter().map(SectorId).collect()) })
    }
}

impl World {
    /// Everything that decides the future, as bytes: equal Worlds give equal bytes.
    ///
    /// May be called between any two commands or ticks, also while routes are being found. Events are not in it: they belong to the
    /// tick before.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
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

    /// The same behind what a writer holds already: for those who save every tick and use memory again.
    pub fn save_into(&self, writer: &mut ByteWriter) {
        WORLD.write(writer, |writer| {
            self.nav().save_parts(writer);
            self.service.save_parts(writer);
            self.save_units(writer);
            let unseen = self.unseen.list(self.nav().layer().changes());
            unseen.map(|sectors| sectors.map(|sector| sector.0).collect::<Vec<u32>>()).save(writer);
        });
    }

    /// A World as it was saved: the same hash, the same future. Costs what making its [`Navigator`] does.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are cut short, changed, of another version, or no World's.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let state = WorldState::load(bytes)?;
        let mut world = Self::new(Navigator::from_state(state.nav));
        world.take_over(state.service, state.units, state.unseen);
        Ok(world)
    }

    /// Takes this World back to what was saved, by what differs: see [`Navigator::restore`]. For rollback.
    ///
    /// # Errors
    /// [`LoadError`] as [`World::load`] has it; nothing was changed then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let state = WorldState::load(bytes)?;
        self.service.nav_mut().apply(state.nav);
        self.take_over(state.service, state.units, state.unseen);
        Ok(())
    }

    /// Takes over all but the navigator, which has been taken over already.
    fn take_over(&mut self, service: ServiceState, units: UnitsState, unseen: Option<Vec<SectorId>>) {
        self.service.apply_parts(service);
        let UnitsState { seed, types, orders, units, groups } = units;
        (self.seed, self.types, self.orders, self.units) = (seed, types, orders, units);
        self.groups = groups;
        self.unseen = Unseen::saved(unseen, self.service.nav().layer().changes());
        self.follow_avoid_settings();
        self.events.clear();
        self.occupy();
    }
}
