//! Counts the flow tiles that the groups of a battle need, and how many of them already exist.

use serde::Serialize;
use waymarch::base::{Agent, CellPos};
use waymarch::cost::{CostLayer, StepRule};
use waymarch::flow::tiles::{Breadth, FlowId, FlowTarget, TileFlows, TileSettings};
use waymarch::sectors::DoorRoute;

use crate::report::rounded;

/// The tiles of battles at one bias; scripts rely on the keys.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TileRow {
    /// `own`: each group has its own goal; `one`: all groups have one goal.
    goals: &'static str,
    /// `route`: the sectors that routes pass; `around`: also the sectors around them.
    corridor: &'static str,
    /// Tiles that the groups need, counted for each group alone.
    needed: u64,
    /// Tiles made.
    made: u64,
    /// Sectors integrated, which takes the time. Some give the same tile as before.
    integrated: u64,
    /// The share of needed tiles that already existed.
    hit_rate_pct: f64,
}

impl TileRow {
    /// Adds up rows of the same kind.
    pub(super) fn sums<'a>(rows: impl Iterator<Item = &'a Self>) -> Vec<Self> {
        let mut sums: Vec<Self> = Vec::new();
        for row in rows {
            match sums.iter_mut().find(|sum| (sum.goals, sum.corridor) == (row.goals, row.corridor)) {
                None => sums.push(row.clone()),
                Some(sum) => {
                    sum.needed += row.needed;
                    sum.made += row.made;
                    sum.integrated += row.integrated;
                }
            }
        }
        for sum in &mut sums {
            let hits = sum.needed as f64 - sum.made as f64;
            sum.hit_rate_pct = rounded(100.0 * hits / (sum.needed as f64).max(1.0), 2);
        }
        sums
    }

    /// The hit rate along routes, for the table.
    pub(super) fn text(rows: &[Self], goals: &str) -> String {
        let row = rows.iter().find(|row| (row.goals, row.corridor) == (goals, "route"));
        row.map_or(String::new(), |row| format!("{:.1} %", row.hit_rate_pct))
    }
}

/// The corridors and tiles of one battle: one flow per goal. The cache is large enough to keep all tiles.
pub(super) struct TileCount<'a> {
    layer: &'a CostLayer,
    agent: Agent,
    kinds: [Kind; 2],
}

struct Kind {
    breadth: Breadth,
    flows: TileFlows,
    open: Vec<(CellPos, FlowId)>,
    needed: u64,
}

impl<'a> TileCount<'a> {
    pub(super) fn new(layer: &'a CostLayer, agent: Agent) -> Self {
        let settings = TileSettings { capacity: u32::MAX, ..TileSettings::default() };
        let kind = |breadth| Kind {
            breadth,
            flows: TileFlows::new(layer, StepRule::default(), settings),
            open: Vec::new(),
            needed: 0,
        };
        Self { layer, agent, kinds: [Breadth::Route, Breadth::Around].map(kind) }
    }

    /// Leads a group along a route to a goal.
    pub(super) fn lead(&mut self, to: CellPos, route: &DoorRoute) {
        let (layer, aim) = (self.layer, FlowTarget::new(self.agent, to));
        for Kind { breadth, flows, open, needed } in &mut self.kinds {
            // A flow for this group alone tells how many tiles it needs.
            let Ok(alone) = flows.open(layer, aim) else { continue };
            flows.widen(layer, alone, route, *breadth);
            *needed += flows.corridor(alone).count() as u64;
            let id = match open.iter().find(|(goal, _)| *goal == to) {
                None => {
                    open.push((to, alone));
                    alone
                }
                Some(&(_, id)) => {
                    flows.close(alone);
                    flows.widen(layer, id, route, *breadth);
                    id
                }
            };
            flows.finish(layer, id);
        }
    }

    /// The rows for the report.
    pub(super) fn rows(&self, goals: &'static str) -> impl Iterator<Item = TileRow> {
        self.kinds.iter().map(move |kind| TileRow {
            goals,
            corridor: if kind.breadth == Breadth::Route { "route" } else { "around" },
            needed: kind.needed,
            made: kind.flows.tiles() as u64,
            integrated: kind.flows.work().integrated,
            hit_rate_pct: 0.0,
        })
    }
}
