//! What all lanes read in a tick, and the scratch of one lane.

use alloc::vec::Vec;

use super::super::request::ROUTE_POINTS;
use super::job::BLOCKER_RANGE;
use crate::base::{CellPos, Scratch, Vec2, poison_list, reserve_total};
use crate::planners::{FarDemand, Hybrid, PlanScratch, PlanView, Planner};
use crate::query::{Cost, Smoothing};
use crate::search::{Route, SmoothPath, Smoother};
use crate::sectors::{DoorRoute, DoorScratch, SnapMemory};

/// What all lanes read in a tick.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) view: PlanView<'a>,
    pub(crate) hybrid: &'a Hybrid,
    /// The game's own planner, if it has set one.
    pub(crate) custom: Option<&'a dyn Planner>,
    pub(crate) smoothing: Smoothing,
}

/// Scratch of one lane. The remembered nearest cells (`snaps`) are Derived: they save work and change no answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneScratch {
    pub(super) plan: PlanScratch,
    pub(super) snaps: SnapMemory,
    pub(super) smoother: Smoother,
    pub(super) route: Route,
    pub(super) smooth: SmoothPath,
    pub(super) detour: DetourScratch,
    door_route: DoorRoute,
}

impl LaneScratch {
    /// Memory for a search over doors, and for its route.
    pub(crate) fn doors(&mut self) -> (&mut DoorScratch, &mut DoorRoute) {
        (self.plan.far.doors_scratch(), &mut self.door_route)
    }

    /// Cells and blocks tested so far to find nearest reachable cells. Remembered answers add nothing.
    pub(super) fn snap_work(&self) -> u64 {
        self.snaps.looked_at()
    }
}

impl Scratch for LaneScratch {
    /// Cells of the map.
    type Demand = usize;

    /// The remembered nearest cells (`snaps`) stay: they are Derived.
    fn poison(&mut self) {
        let rubbish = CellPos::new(-7, 7);
        self.plan.poison();
        self.snaps.poison_scratch();
        self.smoother.poison();
        self.route = Route { waypoints: [rubbish; 3].into(), cost: Cost(7), expanded: 7 };
        poison_list(&mut self.smooth.points, rubbish.centre());
        poison_list(&mut self.door_route.cells, rubbish);
        self.detour.poison();
    }

    fn reserve(&mut self, cells: usize) {
        self.plan.reserve(FarDemand { cells, turns: ROUTE_POINTS });
        self.snaps.reserve();
        self.detour.reserve(());
        self.smoother.reserve(ROUTE_POINTS);
        reserve_total(&mut self.route.waypoints, ROUTE_POINTS);
        reserve_total(&mut self.smooth.points, ROUTE_POINTS);
        reserve_total(&mut self.door_route.cells, ROUTE_POINTS);
    }
}

/// Scratch: the cells of a route, the detour around units on it, and an old route that is being repaired.
#[derive(Clone, Debug, Default)]
pub(super) struct DetourScratch {
    pub(super) cells: Vec<CellPos>,
    pub(super) route: Route,
    pub(super) old_points: Vec<Vec2>,
}

impl Scratch for DetourScratch {
    /// Always the same amount of memory.
    type Demand = ();

    fn poison(&mut self) {
        let rubbish = CellPos::new(7, -7);
        poison_list(&mut self.cells, rubbish);
        poison_list(&mut self.route.waypoints, rubbish);
        poison_list(&mut self.old_points, rubbish.centre());
    }

    fn reserve(&mut self, (): ()) {
        /// Memory for 1024 cells of a route.
        const CELLS: usize = 1024;
        reserve_total(&mut self.cells, CELLS);
        reserve_total(&mut self.route.waypoints, 8 * BLOCKER_RANGE);
        reserve_total(&mut self.old_points, ROUTE_POINTS);
    }
}
