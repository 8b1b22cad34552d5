//! A case: one map with its queries, from MovingAI files or random.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use waymarch::base::{Agent, CellPos, LocomotorId, Purpose, Rng, SizeClass, Tick};
use waymarch::config::ValidConfig;
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::planners::PlanView;
use waymarch::query::PathQuery;
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::sectors::Sectors;
use waymarch_maps::movingai::{Query, read_scen};
use waymarch_maps::{FileError, LoadOptions, read_file};

use super::reference::Reference;
use crate::diagnostics::{Failure, Kind};
use crate::load::find_map;
use crate::map_setup::MapSetup;
use crate::planner::settings;
use crate::regions::Regions;

/// The built-in maps for random queries, when there are no files.
const RANDOM_MAPS: [&str; 6] = ["valley", "islands", "pass", "maze", "rooms", "open"];
/// 100 random queries on each of them.
const RANDOM_QUERIES: usize = 100;

/// The source of a case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CaseSource {
    /// A `.scen` file with its map beside it.
    File(PathBuf),
    /// `count` random queries on a map, which is a name or a file.
    Random { map: String, seed: u64, count: usize },
}

/// A query, and what its route is compared with.
#[derive(Clone, Debug)]
pub(crate) struct CaseQuery {
    /// The number of the query in its file, from 0.
    pub(crate) number: usize,
    pub(crate) from: CellPos,
    pub(crate) to: CellPos,
    /// The shortest length in cells as the file has it, and the error that rounding allows.
    pub(super) optimum: Option<(f64, f64)>,
    /// The least cost, once the reference search has run; `None` inside if there is no route.
    searched: OnceCell<Option<u64>>,
}

impl CaseQuery {
    fn new(number: usize, from: CellPos, to: CellPos, optimum: Option<(f64, f64)>) -> Self {
        Self { number, from, to, optimum, searched: OnceCell::new() }
    }

    /// The least cost, if it is known.
    pub(in crate::command) fn checked(&self) -> Option<u64> {
        self.searched.get().copied().flatten()
    }

    /// The least cost. The reference search runs if it has not yet.
    pub(super) fn least_cost(&self, reference: &Reference) -> Option<u64> {
        *self.searched.get_or_init(|| reference.least_cost(self.from, self.to))
    }
}

/// Why a query of a file is skipped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::command) enum SkipReason {
    StartClosed,
    GoalClosed,
    NeedsWater,
    NotJoined,
}

impl SkipReason {
    /// The reason in the report; scripts rely on it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::StartClosed => "start closed to foot",
            Self::GoalClosed => "goal closed to foot",
            Self::NeedsWater => "no way but through water",
            Self::NotJoined => "no way at all",
        }
    }
}

/// A map and its queries.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) layer: CostLayer,
    sectors: Sectors,
    config: ValidConfig,
    pub(crate) agent: Agent,
    pub(crate) rule: StepRule,
    pub(super) reference: Reference,
    pub(crate) queries: Vec<CaseQuery>,
    /// Queries without a route on foot, and the reason. Planners must not find a route for them.
    pub(in crate::command) skipped: Vec<(CaseQuery, SkipReason)>,
}

impl Case {
    /// What planners read.
    pub(in crate::command) fn view(&self) -> PlanView<'_> {
        PlanView { layer: &self.layer, sectors: &self.sectors, config: &self.config, now: Tick::ZERO }
    }

    /// A case on a map that is loaded already, for its agent. Plain A* finds the least cost of every query.
    pub(in crate::command) fn on(setup: &MapSetup, queries: &QuerySource) -> Result<Self, Failure> {
        let (field, rule) = (setup.field()?, setup.config.step_rule());
        let regions = Regions::of(field, rule);
        let mut case = Self {
            name: setup.plain().name.clone(),
            layer: setup.layer.clone(),
            sectors: setup.sectors(),
            config: setup.config.clone(),
            agent: setup.agent,
            rule,
            reference: Reference::new(field, rule),
            queries: Vec::new(),
            skipped: Vec::new(),
        };
        match queries {
            QuerySource::Random { seed, count } => case.add_random(&regions, *seed, *count),
            QuerySource::File { path, limit } => {
                let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
                let scenario = read_scen(&path.display().to_string(), &bytes)?;
                for number in spread(scenario.queries.len(), *limit) {
                    let query = &scenario.queries[number];
                    case.same_size(query, number, path)?;
                    let asked = CaseQuery::new(number, query.start, query.goal, None);
                    match case.skip_reason(&asked, &regions) {
                        None => case.queries.push(asked),
                        Some(reason) => case.skipped.push((asked, reason)),
                    }
                }
            }
        }
        case.find_least_costs();
        Ok(case)
    }

    /// Refuses a query of a file for a map of another size.
    fn same_size(&self, query: &Query, number: usize, path: &Path) -> Result<(), Failure> {
        let size = self.layer.grid();
        if (query.width, query.height) == (size.width(), size.height()) {
            return Ok(());
        }
        let (path, wide, high) = (path.display(), query.width, query.height);
        let message =
            format!("{path}: query {number} is for a map of {wide}×{high}, but {} is {size}", self.name);
        Err(Failure::new(Kind::File, message))
    }

    /// Why a query has no route for the agent; `None` if it has one.
    fn skip_reason(&self, query: &CaseQuery, regions: &Regions) -> Option<SkipReason> {
        match (regions.at(query.from), regions.at(query.to)) {
            (None, _) => Some(SkipReason::StartClosed),
            (_, None) => Some(SkipReason::GoalClosed),
            (from, to) if from != to => Some(SkipReason::NotJoined),
            _ => None,
        }
    }

    /// Adds random queries between cells of the largest connected region where the agent may stop.
    fn add_random(&mut self, regions: &Regions, seed: u64, count: usize) {
        let Some(region) = regions.largest() else { return };
        let can_stop = |at: &CellPos| self.layer.can_stop(*at, self.agent);
        let cells: Vec<CellPos> = regions.cells(region).filter(can_stop).collect();
        if cells.is_empty() {
            return;
        }
        let mut rng = Rng::keyed(seed, Tick::ZERO, cells.len() as u64, Purpose(1));
        for number in 0..count {
            let [from, to] = [(); 2].map(|()| cells[rng.below(cells.len() as u32) as usize]);
            self.queries.push(CaseQuery::new(number, from, to, None));
        }
    }

    /// Finds the least cost of each query without a length in a file, by plain A*.
    fn find_least_costs(&self) {
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        for query in self.queries.iter().filter(|query| query.optimum.is_none()) {
            query.searched.get_or_init(|| {
                let asked = PathQuery::new(query.from, query.to, self.agent);
                let found = astar(&self.layer, &asked, self.rule, &mut scratch, &mut route);
                found.is_ok().then_some(route.cost.0)
            });
        }
    }
}

/// Where the queries on a given map come from.
#[derive(Clone, Debug)]
pub(in crate::command) enum QuerySource {
    /// A `.scen` file: at most `limit` queries, evenly spread.
    File { path: PathBuf, limit: usize },
    /// `count` random queries.
    Random { seed: u64, count: usize },
}

/// `count` numbers below `len`, evenly spread and ascending; all numbers if `count` is larger.
fn spread(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(len);
    (0..count).map(move |i| i * len / count)
}

/// The cases of the given paths, sorted by path. Folders are searched at any depth for `.scen` files.
pub(super) fn find_cases(paths: &[PathBuf]) -> Result<Vec<CaseSource>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let before = found.len();
        if path.is_dir() {
            search(path, &mut found)?;
            if found.len() == before {
                let message = format!("{}: no .scen file in this folder", path.display());
                return Err(Failure::new(Kind::File, message));
            }
        } else {
            std::fs::metadata(path).map_err(|error| FileError::io(path, &error))?;
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    Ok(found.into_iter().map(CaseSource::File).collect())
}

/// Random queries on built-in maps.
pub(super) fn random_cases() -> Vec<CaseSource> {
    let case = |map: &str| CaseSource::Random { map: map.to_owned(), seed: 1, count: RANDOM_QUERIES };
    RANDOM_MAPS.into_iter().map(case).collect()
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let io = |error: std::io::Error| FileError::io(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(io)?);
        // Links are not followed: a link to a parent folder would never end.
        if kind.is_dir() {
            search(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "scen") {
            found.push(path);
        }
    }
    Ok(())
}

impl CaseSource {
    /// Loads the case with at most `limit` queries, without least costs.
    pub(crate) fn draw(&self, limit: usize, options: &LoadOptions) -> Result<Case, Failure> {
        match self {
            Self::File(path) => from_file(path, limit, options),
            Self::Random { map, seed, count } => random(map, *seed, limit.min(*count), options),
        }
    }

    /// Loads the case with at most `limit` queries, evenly spread. The reference search finds the least cost of `check` of them.
    pub(super) fn open(&self, limit: usize, check: usize, options: &LoadOptions) -> Result<Case, Failure> {
        let case = self.draw(limit, options)?;
        for at in spread(case.queries.len(), check) {
            case.queries[at].least_cost(&case.reference);
        }
        case.find_least_costs();
        Ok(case)
    }
}

/// The cost layer of a map for units of one cell, the only size in these queries.
fn layer_of(map: &ValidMap) -> CostLayer {
    CostLayer::new(map, CostSettings { sizes: vec![SizeClass::ONE], ..CostSettings::default() })
}

fn foot(map: &ValidMap) -> Agent {
    map.rules().locomotor("foot").unwrap_or(LocomotorId(0)).into()
}

fn empty_case(name: String, map: &ValidMap) -> Result<(Case, Regions), Failure> {
    let (layer, agent, rule) = (layer_of(map), foot(map), StepRule::default());
    let missing = || Failure::new(Kind::Invalid, format!("{name}: no locomotor to measure with"));
    let field = layer.field(agent).ok_or_else(missing)?;
    let (reference, regions) = (Reference::new(field, rule), Regions::of(field, rule));
    let (sectors, config) = (Sectors::new(&layer, rule), settings(rule));
    let (queries, skipped) = (Vec::new(), Vec::new());
    Ok((Case { name, layer, sectors, config, agent, rule, reference, queries, skipped }, regions))
}

fn from_file(path: &Path, limit: usize, options: &LoadOptions) -> Result<Case, Failure> {
    let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
    let scenario = read_scen(&path.display().to_string(), &bytes)?;
    let map_path = map_beside(path, scenario.queries.first())?;
    let map = find_map(&map_path.display().to_string(), options)?;
    let (mut case, regions) = empty_case(map.map().name.clone(), &map)?;
    let wet = map.rules().locomotor("amphibious").and_then(|id| case.layer.field(id.into()));
    let wet = wet.map(|field| Regions::of(field, case.rule));
    // The lengths in the file hold only if all open cells have the same cost.
    let one_cost = case.layer.field(case.agent).is_some_and(|field| field.cheapest() >= field.dearest());
    for number in spread(scenario.queries.len(), limit) {
        let query = &scenario.queries[number];
        case.same_size(query, number, path)?;
        let optimum = (query.optimum.scaled as f64 / 1e8, query.optimum.tolerance() as f64 / 1e8);
        let (from, to) = (query.start, query.goal);
        let asked = CaseQuery::new(number, from, to, one_cost.then_some(optimum));
        let reason = case.skip_reason(&asked, &regions).map(|reason| match reason {
            SkipReason::NotJoined if wet.as_ref().is_some_and(|wet| wet.joined(from, to)) => {
                SkipReason::NeedsWater
            }
            other => other,
        });
        match reason {
            None => case.queries.push(asked),
            Some(reason) => case.skipped.push((asked, reason)),
        }
    }
    Ok(case)
}

/// The map of a scenario: `X.map` beside `X.map.scen`, or else the file that its queries name, in the same folder.
fn map_beside(path: &Path, first: Option<&Query>) -> Result<PathBuf, Failure> {
    let plain = path.with_extension("");
    let named = first.and_then(|query| query.map.rsplit(['/', '\\']).next());
    let named = named.map(|name| path.with_file_name(name));
    let found = [Some(plain.clone()), named].into_iter().flatten().find(|path| path.is_file());
    found.ok_or_else(|| {
        let message = format!("{}: its map is not in the same folder", path.display());
        Failure::new(Kind::File, message).help(format!("looked for {}", plain.display()))
    })
}

/// Random queries between cells of the largest connected region.
fn random(map: &str, seed: u64, count: usize, options: &LoadOptions) -> Result<Case, Failure> {
    let valid = find_map(map, options)?;
    let title = &valid.map().name;
    let name = if Path::new(map).exists() && !title.is_empty() { title.clone() } else { map.to_owned() };
    let (mut case, regions) = empty_case(name, &valid)?;
    case.add_random(&regions, seed, count);
    Ok(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_numbers_start_with_the_first() {
        assert_eq!(spread(10, 3).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(spread(3, 9).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(3, usize::MAX).count(), 3);
        assert_eq!(spread(0, 9).count() + spread(9, 0).count(), 0);
    }

    #[test]
    fn random_queries_have_a_route_and_a_least_cost() {
        let case = random_cases()[5].open(5, 0, &LoadOptions::default()).unwrap();
        assert_eq!(case.queries.len(), 5);
        assert!(case.queries.iter().all(|query| query.checked().is_some()));
    }
}
