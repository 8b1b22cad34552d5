//! The scratch of each phase of a tick, in the order of the phases.

use alloc::vec::Vec;

use crate::avoid::{Avoidance, ValidAvoidSettings};
use crate::base::{CellPos, CellRect, Scratch, poison_list, reserve_total};
use crate::world::ahead::PrepareAhead;
use crate::world::congestion::gate_queues::QueueScratch;
use crate::world::deadlock::plan::DeadlockScratch;
use crate::world::formation::forming::{FormingDemand, FormingScratch};
use crate::world::formation::oncoming::OncomingScratch;
use crate::world::formation::pace::PaceScratch;
use crate::world::formation::slot_exchange::ExchangeScratch;
use crate::world::movement::guide_units::GuidanceScratch;
use crate::world::orders::ending::EndingScratch;
use crate::world::orders::sighting::SightingScratch;
use crate::world::reservation::users::ReservationScratch;
use crate::world::traffic::crossing::CrossingScratch;
use crate::world::units::occupancy::Occupancy;

/// Memory is reserved for 256 changed sectors between two reviews of routes. More are rare.
const CHANGED_AREAS: usize = 256;

/// Scratch of the phases of a tick, and the Derived [`Pipeline::occupancy`]. Between ticks the scratch means nothing.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    /// Review: the areas that edits changed.
    pub(crate) changed_areas: Vec<CellRect>,
    /// Orders: forming groups, giving them slots and gates.
    pub(crate) forming: FormingScratch,
    /// Orders: queues at gates, and detours around them.
    pub(crate) queues: QueueScratch,
    /// Orders: enemies in sight.
    pub(crate) sighting: SightingScratch,
    /// Derived: which units cover which cells, as of the last search for routes.
    pub(crate) occupancy: Occupancy,
    /// Guidance: groups that cross or meet.
    pub(crate) crossing: CrossingScratch,
    /// Guidance: deadlocks and their zones.
    pub(crate) deadlocks: DeadlockScratch,
    /// Guidance: users of passages.
    pub(crate) reservations: ReservationScratch,
    /// Guidance: gates that are crossed in both directions.
    pub(crate) oncoming: OncomingScratch,
    /// Guidance: exchange of formation slots.
    pub(crate) exchange: ExchangeScratch,
    /// Guidance: speeds within groups.
    pub(crate) pace: PaceScratch,
    /// Guidance and avoidance: what guides each unit.
    pub(crate) guidance: GuidanceScratch,
    /// Avoidance: velocities and contacts. The phase after it reads the delays noted here.
    pub(crate) avoidance: Avoidance,
    /// After the last phase: units that leave ground that units keep free.
    pub(crate) endings: EndingScratch,
    /// After the last phase: work ahead of need.
    pub(crate) ahead: PrepareAhead,
    /// Whether debug builds check the whole state every few ticks.
    pub(crate) whole_checks: WholeChecks,
}

/// Whether debug builds check the whole state every few ticks. It changes no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WholeChecks {
    Made,
    /// For tests that count allocations.
    Skipped,
}

/// Upper estimates of what the next ticks need memory for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PipelineDemand {
    /// Units in the order that was just given.
    pub(crate) ordered: usize,
    /// Length of the unit columns.
    pub(crate) units: usize,
    /// Groups that exist, and some more.
    pub(crate) groups: usize,
}

impl Pipeline {
    /// Empty scratch for these avoidance settings.
    pub(crate) fn new(settings: &ValidAvoidSettings) -> Self {
        Self {
            changed_areas: Vec::new(),
            forming: FormingScratch::default(),
            queues: QueueScratch::default(),
            sighting: SightingScratch::default(),
            occupancy: Occupancy::default(),
            crossing: CrossingScratch::default(),
            deadlocks: DeadlockScratch::default(),
            reservations: ReservationScratch::default(),
            oncoming: OncomingScratch::default(),
            exchange: ExchangeScratch::default(),
            pace: PaceScratch::default(),
            guidance: GuidanceScratch::default(),
            avoidance: Avoidance::new(settings),
            endings: EndingScratch::default(),
            ahead: PrepareAhead::default(),
            whole_checks: WholeChecks::Made,
        }
    }
}

impl Scratch for Pipeline {
    type Demand = PipelineDemand;

    fn poison(&mut self) {
        poison_list(&mut self.changed_areas, CellRect::at(CellPos::new(-7, -7), 7, 7));
        self.forming.poison();
        self.queues.poison();
        self.sighting.poison();
        self.crossing.poison();
        self.deadlocks.poison();
        self.reservations.poison();
        self.oncoming.poison();
        self.exchange.poison();
        self.pace.poison();
        self.guidance.poison();
        self.avoidance.poison();
        self.endings.poison();
        self.ahead.poison();
    }

    fn reserve(&mut self, demand: PipelineDemand) {
        let PipelineDemand { ordered, units, groups } = demand;
        reserve_total(&mut self.changed_areas, CHANGED_AREAS);
        self.forming.reserve(FormingDemand { ordered, units });
        self.queues.reserve(units);
        self.crossing.reserve(groups);
        self.deadlocks.reserve(units);
        self.oncoming.reserve(units);
        self.exchange.reserve(units);
        self.endings.reserve(units);
        self.avoidance.reserve(units);
    }
}
