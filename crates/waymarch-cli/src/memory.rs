//! The memory that a map takes, by component, beside a budget.

use serde::Serialize;
use waymarch::base::{CellPos, GridSize, SizeClass, Tick};
use waymarch::config::Config;
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::flow::tiles::{TileFlows, TileSettings};
use waymarch::plan::{PathCache, PathKey, Scope};
use waymarch::query::{PathQuery, Threat};
use waymarch::search::{JumpPlanes, Route, SearchScratch, astar};
use waymarch::sectors::{Doors, Sectors, SnapMemory};

use crate::report::{bytes, rounded};

/// The agents whose memory is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// This many locomotors, the first of the rules; all if there are fewer.
    pub(crate) locomotors: usize,
    /// Unit sizes from 1 to this, in cells.
    pub(crate) sizes: u8,
}

#[derive(Debug, Serialize)]
pub(crate) struct MemoryRow {
    component: String,
    bytes: usize,
    bytes_per_cell: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Memory {
    locomotors: usize,
    sizes: usize,
    agents: usize,
    rows: Vec<MemoryRow>,
    total_bytes: usize,
    /// Cost layer and sectors alone.
    layers_bytes: usize,
    layers_bytes_per_cell_and_locomotor: f64,
    /// The budget for a map of this size and this many agents; see `budget`.
    budget_bytes: usize,
    within_budget: bool,
}

/// Builds every component for the counted agents and adds up its bytes.
pub(crate) fn weigh(map: &ValidMap, counted: Counted) -> Result<Memory, String> {
    let mut plain = map.map().clone();
    plain.rules.locomotors.truncate(counted.locomotors);
    let locomotors = plain.rules.locomotors.len();
    for costs in &mut plain.rules.costs {
        costs.truncate(locomotors);
    }
    let map = plain.validate().map_err(|error| error.to_string())?;
    let sizes = (1..=counted.sizes).filter_map(SizeClass::new).collect();
    let layer = CostLayer::new(&map, CostSettings { sizes, ..CostSettings::default() });
    let sectors = Sectors::new(&layer, StepRule::default());
    let layers_bytes = layer.memory_bytes() + sectors.memory_bytes();
    let parts = components(&layer, &sectors);
    let (cells, agents) = (layer.grid().cells(), layer.agents().count());
    let total_bytes = parts.iter().map(|(_, bytes)| bytes).sum();
    let budget_bytes = budget(layer.grid(), agents);
    let per_cell = |bytes: usize| rounded(bytes as f64 / cells as f64, 2);
    Ok(Memory {
        locomotors,
        sizes: layer.sizes().len(),
        agents,
        rows: parts
            .into_iter()
            .map(|(component, bytes)| MemoryRow { component, bytes, bytes_per_cell: per_cell(bytes) })
            .collect(),
        total_bytes,
        layers_bytes,
        layers_bytes_per_cell_and_locomotor: per_cell(layers_bytes / locomotors.max(1)),
        budget_bytes,
        within_budget: total_bytes <= budget_bytes,
    })
}

/// Every component and its bytes. A new component of the engine needs a line here.
fn components(layer: &CostLayer, sectors: &Sectors) -> Vec<(String, usize)> {
    let (cost, rooms) = (layer.memory(), sectors.memory());
    let mut parts = vec![("terrain and heights".to_owned(), cost.terrain + cost.heights)];
    for (def, &bytes) in layer.rules().rules().locomotors.iter().zip(&cost.fields) {
        parts.push((format!("cost fields of {}", def.name), bytes));
    }
    let jump_planes = layer.agents().filter_map(|agent| layer.field(agent));
    let jump_planes = jump_planes.map(|field| JumpPlanes::full(field).memory_bytes()).sum();
    let doors =
        layer.agents().filter_map(|agent| Doors::new(layer, agent, StepRule::default(), Threat::Ignore).ok());
    let doors = doors.map(|doors| doors.memory_bytes()).sum();
    let rest = [
        ("stamps", cost.stamps),
        ("threat", cost.threat),
        ("changes", cost.changes),
        ("zones", rooms.zones),
        ("rooms", rooms.rooms),
        ("domains", rooms.domains),
        ("doors", doors),
        ("jump planes", jump_planes),
        (
            "64 flow tiles",
            64 * TileFlows::new(layer, StepRule::default(), TileSettings::default()).tile_bytes(),
        ),
        ("128 remembered routes", path_cache(layer)),
        ("256 remembered nearest cells", SnapMemory::full_bytes()),
        ("search scratch", search_scratch(layer, sectors)),
    ];
    parts.extend(rest.map(|(name, bytes)| (name.to_owned(), bytes)));
    parts
}

/// The bytes of a navigator's path cache at its default size. At this size the cache allocates all of them with the first route.
fn path_cache(layer: &CostLayer) -> usize {
    let mut cache = PathCache::new(Config::default().path_cache_size);
    let Some(agent) = layer.agents().next() else { return 0 };
    let key = PathKey::new(&PathQuery::new(CellPos::default(), CellPos::default(), agent), 0);
    let scope = Scope { cost: 0, grain: 1, neighbours: StepRule::default().neighbours };
    cache.put(key, &Route::new(), scope, layer, Tick::ZERO);
    cache.memory_bytes()
}

/// The bytes that a search scratch keeps after one search between the first open cell and the last cell reachable from it.
fn search_scratch(layer: &CostLayer, sectors: &Sectors) -> usize {
    let mut scratch = SearchScratch::new();
    let Some(agent) = layer.agents().next() else { return 0 };
    let open = |at: &CellPos| layer.field(agent).is_some_and(|field| field.is_passable(*at));
    let mut cells = layer.grid().rect().cells();
    let ends = cells.find(open).and_then(|from| {
        let reached = cells.filter(|&to| sectors.reachable(from, to, agent));
        Some((from, reached.last()?))
    });
    if let Some((from, to)) = ends {
        let query = PathQuery::new(from, to, agent);
        // Only the memory matters here, not whether a unit may stop on the last cell.
        let _ = astar(layer, &query, StepRule::default(), &mut scratch, &mut Route::new());
    }
    scratch.memory_bytes()
}

/// The memory budget in bytes: 1.4 MB for 128×128 cells and four agents, growing with cells and agents.
fn budget(grid: GridSize, agents: usize) -> usize {
    let (cells, sectors) =
        (grid.cells(), grid.width().div_ceil(32) as usize * grid.height().div_ceil(32) as usize);
    let (cost_fields, domains, jump_tables) = (cells * agents, cells * agents, cells * agents * 16);
    let (threat, sector_graph) = (cells, sectors * 128 * agents);
    let (flow_tiles, scratch) = (64 * 32 * 32 * 3, 32 * 1024);
    cost_fields + domains + jump_tables + threat + sector_graph + flow_tiles + scratch
}

impl Memory {
    /// The table for people.
    pub(crate) fn describe(&self) -> String {
        let widest = self.rows.iter().map(|row| row.component.chars().count()).max().unwrap_or(0).max(22);
        let line = |name: &str, count: usize, more: &str| {
            format!("  {name:widest$}  {:>11}  {more}\n", bytes(count as u64))
        };
        let mut text = format!("Memory for {} locomotors at {} sizes\n\n", self.locomotors, self.sizes);
        for row in &self.rows {
            text.push_str(&line(&row.component, row.bytes, &format!("{:>6.2} per cell", row.bytes_per_cell)));
        }
        let per_locomotor =
            format!("{:>6.2} per cell and locomotor", self.layers_bytes_per_cell_and_locomotor);
        text.push_str(&line("cost layer and sectors", self.layers_bytes, &per_locomotor));
        text.push_str(&line("total", self.total_bytes, ""));
        let met = if self.within_budget { "met" } else { "NOT met" };
        text.push_str(&line("budget", self.budget_bytes, met));
        text
    }
}
