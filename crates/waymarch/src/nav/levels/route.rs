//! A route over several levels.

use alloc::vec::Vec;

use crate::base::{CellPos, LevelCell, LevelId};
use crate::levels::{Atlas, LinkState, LinkSteps, Passage};
use crate::query::Cost;
use crate::search::Route;

/// Where a route goes through a link or over the end of a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Crossing {
    /// The index of the waypoint before it. The next waypoint is behind it.
    pub after: usize,
    /// What the route goes through.
    pub through: Passage,
}

/// A route over several levels: the cells where it starts, turns, changes its level and ends. Reuse it to reuse its memory.
///
/// Between two waypoints the route is straight or exactly diagonal on one level, or it goes through a link: see [`LevelRoute::crossings`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelRoute {
    /// Start, turning points, both ends of each link, and goal.
    pub waypoints: Vec<LevelCell>,
    /// The links, in the order of the route.
    pub crossings: Vec<Crossing>,
    /// The cost: of all steps, and of all links.
    pub cost: Cost,
    /// The nodes expanded to find it.
    pub expanded: u32,
}

impl LevelRoute {
    /// An empty route.
    #[must_use]
    pub const fn new() -> Self {
        Self { waypoints: Vec::new(), crossings: Vec::new(), cost: Cost::ZERO, expanded: 0 }
    }

    /// The parts of the route that are walked on one level, each with its waypoints; at least one waypoint each.
    pub fn legs(&self) -> impl Iterator<Item = (LevelId, &[LevelCell])> {
        let ends = self.crossings.iter().map(|crossing| crossing.after + 1);
        let starts = core::iter::once(0).chain(ends.clone());
        let legs = starts.zip(ends.chain([self.waypoints.len()]));
        legs.filter_map(|(first, end)| {
            let points = self.waypoints.get(first..end)?;
            Some((points.first()?.level, points))
        })
    }

    /// Every cell from start to goal. Two successive cells are a step on one level, or the ends of a link.
    pub fn cells(&self) -> impl Iterator<Item = LevelCell> {
        self.legs().flat_map(|(level, points)| {
            let waypoints = points.iter().map(|point| point.at).collect();
            let leg = Route { waypoints, ..Route::new() };
            let cells: Vec<CellPos> = leg.cells().collect();
            cells.into_iter().map(move |at| at.on(level))
        })
    }

    /// Takes the route that a search found in the atlas.
    pub(super) fn take(&mut self, route: &Route, atlas: &Atlas, steps: &LinkSteps) {
        self.waypoints.clear();
        self.crossings.clear();
        (self.cost, self.expanded) = (route.cost, route.expanded);
        let mut points = route.waypoints.iter().copied().peekable();
        let mut before: Option<CellPos> = None;
        while let Some(at) = points.next() {
            if before == Some(at) {
                // The same waypoint again: a link starts here.
                let open = steps.from(at).iter().filter(|step| step.state == LinkState::Open);
                let taken =
                    open.filter(|step| points.peek() == Some(&step.to)).min_by_key(|step| step.length);
                let after = self.waypoints.len() - 1;
                self.crossings.extend(taken.map(|step| Crossing { after, through: step.through }));
            } else {
                self.waypoints.extend(atlas.place(at));
            }
            before = Some(at);
        }
    }
}
