//! What a map costs in memory, by component, against spec 000's budget.

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

/// Which agents are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// The first so many locomotors; all if there are fewer.
    pub(crate) locomotors: usize,
    /// Sizes from one to this.
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
    /// Layers 1 and 2 alone.
    layers_bytes: usize,
    layers_bytes_per_cell_and_locomotor: f64,
    /// What spec 000 allows for a map of this size and as many agents.
    budget_bytes: usize,
    within_budget: bool,
}

/// Makes everything for the agents counted, and weighs it.
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

/// Every component and its bytes: whoever adds one to the engine adds a line here.
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
        ("128 remembered routes", remembered_routes(layer)),
        ("256 remembered nearest cells", SnapMemory::full_bytes()),
        ("search scratch", scratch_of_a_search(layer, sectors)),
    ];
    parts.extend(rest.map(|(name, bytes)| (name.to_owned(), bytes)));
    parts
}

/// What a navigator's cache of routes takes at its usual size, all of which it takes with the first route.
fn remembered_routes(layer: &CostLayer) -> usize {
    let mut cache = PathCache::new(Config::default().path_cache_size);
    let Some(agent) = layer.agents().next() else { return 0 };
    let key = PathKey::new(&PathQuery::new(CellPos::default(), CellPos::default(), agent), 0);
    let scope = Scope { cost: 0, grain: 1, neighbours: StepRule::default().neighbours };
    cache.put(key, &Route::new(), scope, layer, Tick::ZERO);
    cache.memory_bytes()
}

/// What one search leaves behind for the next: between the first and the last cell that are connected.
fn scratch_of_a_search(layer: &CostLayer, sectors: &Sectors) -> usize {
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
        // What counts is the memory it took, whether or not the last cell may be stopped on.
        let _ = astar(layer, &query, StepRule::default(), &mut scratch, &mut Route::new());
    }
    scratch.memory_bytes()
}

/// Spec 000's table of memory, its "locomotor" being a locomotor and size: 1.4 MB for 128×128 cells and four of them.
fn budget(grid: GridSize, agents: usize) -> usize {
    let (cells, sectors) =
        (grid.cells(), grid.width().div_ceil(32) as usize * grid.height().div_ceil(32) as usize);
    let (cost_fields, domains, jump_tables) = (cells * agents, cells * agents, cells * agents * 16);
    let (threat, sector_graph) = (cells, sectors * 128 * agents);
    let (flow_tiles, scratch) = (64 * 32 * 32 * 3, 32 * 1024);
    cost_fields + domains + jump_tables + threat + sector_graph + flow_tiles + scratch
}

impl Memory {
    /// As a table for people.
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
        text.push_str(&line("layers 1 and 2", self.layers_bytes, &per_locomotor));
        text.push_str(&line("all of it", self.total_bytes, ""));
        let met = if self.within_budget { "met" } else { "NOT met" };
        text.push_str(&line("budget of spec 000", self.budget_bytes, met));
        text
    }
}
