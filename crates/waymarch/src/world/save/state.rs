//! Save and load of units, unit types, teams, orders and groups. The map and the path service have their own.

use crate::base::{ByteReader, ByteWriter, LoadError, Persist};
use crate::nav::MapFacts;
use crate::service::PathService;
use crate::world::check::{CheckedParts, check_loads, check_rules, check_users};
use crate::world::deadlock::zone::Zones;
use crate::world::groups::group::Groups;
use crate::world::notices::Notices;
use crate::world::orders::effort::Efforts;
use crate::world::orders::order_book::OrderBook;
use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::reservation::turns::Reservations;
use crate::world::state::State;
use crate::world::units::columns::Units;
use crate::world::units::teams::Teams;
use crate::world::units::unit::PlayerId;
use crate::world::units::unit_threats::UnitThreats;
use crate::world::units::unit_type::UnitTypes;
use crate::world::world::World;

impl State {
    /// Writes seed, unit types, teams, orders, units and groups.
    pub(crate) fn save_units(&self, writer: &mut ByteWriter) {
        self.seed.save(writer);
        self.types.save(writer);
        self.units.body.teams.save(writer);
        self.orders.save(writer);
        self.units.save(writer);
        self.units.save_conditions(writer);
        self.groups.save(writer);
        self.zones.save(writer);
        self.reservations.save(writer);
        self.threats.save(writer);
        self.notices.save(writer);
        self.orders.efforts.save(writer);
    }
}

impl World {
    /// Writes everything but the map and the path service, without a checksum. For tests of damaged bytes, which a checksum hides.
    #[doc(hidden)]
    pub fn save_units(&self, writer: &mut ByteWriter) {
        self.state.save_units(writer);
    }

    /// Reads what [`World::save_units`] wrote.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a valid state for the map of `service`.
    #[doc(hidden)]
    pub fn load_units(mut service: PathService, reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let loaded = UnitsState::load(reader, service.nav())?;
        let UnitsState { seed, types, orders, units, groups, zones, reservations, threats, notices } = loaded;
        for player in (0..=u8::MAX).map(PlayerId) {
            service.nav_mut().set_side(player.into(), units.body.teams.of(player).0);
        }
        let unreviewed = UnreviewedEdits::saved(None, service.nav().layer().changes());
        let state = State {
            types,
            orders,
            units,
            groups,
            zones,
            reservations,
            threats,
            notices,
            unreviewed,
            ..State::new(service, seed)
        };
        Ok(Self::from_state(state))
    }
}

/// World: loaded and checked units, unit types, orders and groups.
#[derive(Clone, Debug)]
pub(crate) struct UnitsState {
    pub(crate) seed: u64,
    pub(crate) types: UnitTypes,
    pub(crate) orders: OrderBook,
    pub(crate) units: Units,
    pub(crate) groups: Groups,
    pub(crate) zones: Zones,
    pub(crate) reservations: Reservations,
    pub(crate) threats: UnitThreats,
    pub(crate) notices: Notices,
}

impl UnitsState {
    /// Reads what [`World::save_units`] wrote, for a map.
    pub(crate) fn load(reader: &mut ByteReader<'_>, map: &impl MapFacts) -> Result<Self, LoadError> {
        let seed = u64::load(reader)?;
        let types = UnitTypes::load(reader)?;
        let teams = Teams::load(reader)?;
        let mut orders = OrderBook::load(reader)?;
        check_rules(&types, &orders, map).map_err(|what| reader.error(what))?;
        let units = Units::load(reader, &types, teams, map)?;
        check_users(&orders, &units).map_err(|what| reader.error(what))?;
        check_loads(&types, &units).map_err(|what| reader.error(what))?;
        let groups = Groups::load(reader)?;
        let zones = Zones::load(reader)?;
        let reservations = Reservations::load(reader)?;
        let threats = reader.added(11, UnitThreats::default)?;
        threats.check(&units, map).map_err(|what| reader.error(what))?;
        let notices = reader.added(11, Notices::default)?;
        orders.efforts = reader.added(11, Efforts::default)?;
        orders.efforts.check(|order| orders.get(order).is_some()).map_err(|what| reader.error(what))?;
        let parts = CheckedParts {
            types: &types,
            orders: &orders,
            units: &units,
            groups: &groups,
            zones: &zones,
            reservations: &reservations,
        };
        parts.check(map).map_err(|what| reader.error(what))?;
        Ok(Self { seed, types, orders, units, groups, zones, reservations, threats, notices })
    }
}
