//! The state of a game: everything that decides its future.

use crate::base::{Agent, Tick};
use crate::config::Config;
use crate::nav::Navigator;
use crate::service::PathService;
use crate::world::deadlock::zone::Zones;
use crate::world::events::Events;
use crate::world::groups::group::Groups;
use crate::world::movement::guidance::Guides;
use crate::world::notices::Notices;
use crate::world::orders::order_book::OrderBook;
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::orders::reroute::UnreviewedEdits;
use crate::world::reservation::turns::Reservations;
use crate::world::units::columns::Units;
use crate::world::units::unit_threats::UnitThreats;
use crate::world::units::unit_type::{UnitType, UnitTypes};

/// World: everything that decides the future of a game. It is hashed and saved, except for [`State::events`].
///
/// A phase of the tick takes the parts of it that the phase may change, and its own scratch. Only `traffic/`, `congestion/` and `save/` add methods to it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The map, requests and routes.
    pub(crate) service: PathService,
    pub(crate) types: UnitTypes,
    pub(crate) units: Units,
    pub(crate) orders: OrderBook,
    pub(crate) groups: Groups,
    pub(crate) zones: Zones,
    pub(crate) reservations: Reservations,
    pub(crate) threats: UnitThreats,
    /// The map edits since routes were last reviewed.
    pub(crate) unreviewed: UnreviewedEdits,
    pub(crate) seed: u64,
    /// What commands have caused since the last tick.
    pub(crate) notices: Notices,
    /// Output of the last tick: neither hashed nor saved.
    pub(crate) events: Events,
}

impl State {
    /// A state without units, on a map without unreviewed edits.
    pub(crate) fn new(service: PathService, seed: u64) -> Self {
        let service = service.kept_by_world();
        let mut units = Units::new(service.nav().config().get().ticks_per_second);
        units.body.take_sides(service.nav().layer().threat());
        let unreviewed = UnreviewedEdits::nothing(service.nav().layer().changes());
        Self {
            service,
            types: UnitTypes::default(),
            units,
            orders: OrderBook::default(),
            groups: Groups::default(),
            zones: Zones::default(),
            reservations: Reservations::default(),
            threats: UnitThreats::default(),
            unreviewed,
            seed,
            notices: Notices::default(),
            events: Events::default(),
        }
    }

    /// The map.
    pub(crate) fn nav(&self) -> &Navigator {
        self.service.nav()
    }

    /// Moves threat sources to their units, in the ticks in which this takes effect.
    pub(crate) fn move_threats(&mut self) {
        let every = u64::from(self.config().threat_update_frequency);
        if !self.threats.is_empty() && self.now().next().0 % every == 0 {
            self.threats.follow(&self.units, self.service.nav_mut());
        }
    }

    /// The settings.
    pub(crate) fn config(&self) -> &Config {
        self.service.nav().config().get()
    }

    /// The number of ticks that have passed.
    pub(crate) fn now(&self) -> Tick {
        self.service.nav().now()
    }

    /// The type of the unit at an index.
    pub(crate) fn type_of(&self, index: usize) -> Option<&UnitType> {
        self.types.get(self.units.body.kind[index])
    }

    /// The agent of a unit: that of its type, with the costs for its team.
    pub(crate) fn agent_of(&self, index: usize) -> Option<Agent> {
        Some(self.units.agent(index, self.type_of(index)?, self.service.nav().layer()))
    }

    /// The parts that orders read.
    pub(crate) fn order_view(&self) -> OrderView<'_> {
        let Self { service, types, units, orders, groups, .. } = self;
        OrderView { service, types, units, orders, groups }
    }

    /// The parts that carrying out orders may change.
    pub(crate) fn order_parts(&mut self) -> OrderParts<'_> {
        let Self { service, units, orders, groups, events, types, seed, .. } = self;
        OrderParts { service, units, orders, groups, events, types, seed: *seed }
    }

    /// A read-only view for guidance, which any thread may use.
    pub(crate) fn guides(&self) -> Guides<'_> {
        Guides {
            service: &self.service,
            units: &self.units,
            types: &self.types,
            groups: &self.groups,
            now: self.now(),
        }
    }
}

/// Whether work with a period of `every` ticks is due. It is due at tick `offset` of each period.
pub(crate) fn is_due(now: Tick, every: u64, offset: u64) -> bool {
    now.0 % every == offset
}
