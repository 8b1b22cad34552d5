//! The order storm of `waymarch bench flow`: many units in ten groups, all ordered across the map in one tick.

use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::base::{Agent, CellPos, CellRect, LocomotorId, Purpose, Rng, Tick, WorldPos, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowId, Heading, TileAim, TileFlows, TileSettings};
use waymarch::query::{PlanError, Threat};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors, Sectors};

use crate::report::{grouped, rounded};

/// Groups that are ordered at once.
const GROUPS: usize = 10;
/// Ticks after the order that are measured.
const LATER: u64 = 30;
/// Members of a group stand at most this many cells from its middle.
const CAMP: i32 = 12;

/// What came of one storm; the keys are a promise to scripts.
#[derive(Debug, Serialize)]
pub(super) struct Storm {
    map: String,
    units: usize,
    groups: usize,
    /// Planning and all headings of the tick in which everybody is ordered.
    order_tick_ms: f64,
    /// The dearest and the mean of the ticks after it, headings included.
    worst_later_ms: f64,
    mean_later_ms: f64,
    /// Units without a heading in the tick of the order, and in the last one measured.
    without_heading: usize,
    without_heading_later: usize,
    /// Groups that could not be ordered.
    failed: usize,
}

impl Storm {
    /// Whether everybody had somewhere to go.
    pub(super) fn is_good(&self) -> bool {
        (self.without_heading, self.without_heading_later, self.failed) == (0, 0, 0)
    }
}

/// A group before it is ordered.
struct Group {
    goal: CellPos,
    members: Vec<CellPos>,
}

/// Orders `units` units across a map in one tick and watches what it costs.
pub(super) fn measure(word: &str, map: &ValidMap, units: usize, seed: u32) -> Storm {
    let (rule, agent) = (StepRule::default(), Agent::from(LocomotorId(0)));
    let layer = CostLayer::new(map, CostSettings::default());
    let sectors = Sectors::new(&layer, rule);
    let groups = muster(&layer, &sectors, agent, units, seed);
    let mut storm = Storm {
        map: word.to_owned(),
        units: groups.iter().map(|group| group.members.len()).sum(),
        groups: groups.len(),
        order_tick_ms: 0.0,
        worst_later_ms: 0.0,
        mean_later_ms: 0.0,
        without_heading: 0,
        without_heading_later: 0,
        failed: GROUPS - groups.len(),
    };
    let Ok(doors) = Doors::new(&layer, agent, rule, Threat::Ignore) else { return storm };
    let mut scratch = DoorScratch::default();
    // A game does this while the map is loaded.
    doors.prepare_all(&layer, &mut scratch);
    let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
    let start = Instant::now();
    let mut ordered = Vec::new();
    for group in &groups {
        match order(&layer, &doors, &mut flows, agent, group, &mut scratch) {
            Ok(flow) => ordered.push((flow, group)),
            Err(_) => storm.failed += 1,
        }
    }
    flows.tick(&layer, Tick(1));
    storm.without_heading = lost(&layer, &mut flows, &ordered);
    storm.order_tick_ms = rounded(start.elapsed().as_secs_f64() * 1e3, 3);
    let mut total = 0.0;
    for now in 2..2 + LATER {
        let start = Instant::now();
        flows.tick(&layer, Tick(now));
        storm.without_heading_later = lost(&layer, &mut flows, &ordered);
        let taken = start.elapsed().as_secs_f64() * 1e3;
        total += taken;
        storm.worst_later_ms = rounded(storm.worst_later_ms.max(taken), 3);
    }
    storm.mean_later_ms = rounded(total / LATER as f64, 3);
    storm
}

/// Ten groups in camps, each with a goal on the other side of the map that all its members can reach.
fn muster(layer: &CostLayer, sectors: &Sectors, agent: Agent, units: usize, seed: u32) -> Vec<Group> {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(5));
    let mut groups = Vec::new();
    for _ in 0..GROUPS * 400 {
        if groups.len() == GROUPS {
            break;
        }
        let mut spot = || cell(random.below(width) as i32, random.below(height) as i32);
        let (camp, goal) = (spot(), spot());
        let far = camp.x.abs_diff(goal.x).max(camp.y.abs_diff(goal.y)) * 2 > width.min(height);
        if !far || !layer.can_stop(goal, agent) || !sectors.reachable(camp, goal, agent) {
            continue;
        }
        let around = CellRect::at(camp.offset(-CAMP, -CAMP), CAMP as u32 * 2, CAMP as u32 * 2);
        let free = around.intersect(layer.grid().rect());
        let free: Vec<CellPos> = free.cells().filter(|&at| sectors.reachable(at, goal, agent)).collect();
        // Big groups stand close together: several units to a cell.
        let members = (0..units / GROUPS).filter_map(|unit| free.get(unit * 7 % free.len().max(1)).copied());
        groups.push(Group { goal, members: members.collect() });
    }
    groups
}

/// Orders a group: a flow to its goal, over the sectors that lie on its members' way.
fn order(
    layer: &CostLayer,
    doors: &Doors,
    flows: &mut TileFlows,
    agent: Agent,
    group: &Group,
    scratch: &mut DoorScratch,
) -> Result<FlowId, PlanError> {
    let flow = flows.open(layer, TileAim::new(agent, group.goal))?;
    let mut route = DoorRoute::default();
    // A route for the first, and for those whom the others' routes do not lead.
    for &from in &group.members {
        if matches!(flows.heading(layer, flow, from.centre()), Heading::Nowhere(_))
            && doors.route(layer, from, group.goal, scratch, &mut route)
        {
            flows.widen(layer, flow, &route, Breadth::Around);
        }
    }
    Ok(flow)
}

/// How many units have no heading.
fn lost(layer: &CostLayer, flows: &mut TileFlows, ordered: &[(FlowId, &Group)]) -> usize {
    let mut lost = 0;
    for (flow, group) in ordered {
        for member in &group.members {
            let at: WorldPos = member.centre();
            lost += usize::from(matches!(flows.heading(layer, *flow, at), Heading::Nowhere(_)));
        }
    }
    lost
}

/// The storms people see.
pub(super) fn table(storms: &[Storm]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "order storm",
        "units",
        "groups",
        "order tick ms",
        "later mean ms",
        "later worst ms",
        "without heading",
        "later",
        "failed",
    ]);
    for storm in storms {
        table.add_row([
            storm.map.clone(),
            grouped(storm.units as u64),
            grouped(storm.groups as u64),
            format!("{:.2}", storm.order_tick_ms),
            format!("{:.2}", storm.mean_later_ms),
            format!("{:.2}", storm.worst_later_ms),
            grouped(storm.without_heading as u64),
            grouped(storm.without_heading_later as u64),
            grouped(storm.failed as u64),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
