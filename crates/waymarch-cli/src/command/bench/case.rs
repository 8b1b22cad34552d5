//! What is measured: a map with queries, from MovingAI files or made here.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use waymarch::base::{Agent, CellPos, LocomotorId, Purpose, Rng, SizeClass, Tick};
use waymarch::cost::{CostLayer, CostSettings, StepRule, ValidMap};
use waymarch::query::PathQuery;
use waymarch::search::{Route, SearchScratch, astar};
use waymarch_maps::movingai::{Query, read_scen};
use waymarch_maps::{FileError, LoadOptions, read_file};

use super::plain::Plain;
use crate::diagnostics::{Failure, Kind};
use crate::regions::Regions;
use crate::scene::find_map;

/// The built-in maps that queries are made on, when there are no files.
const MADE: [&str; 6] = ["valley", "islands", "pass", "maze", "rooms", "open"];
/// How many queries are made on each.
const MADE_QUERIES: usize = 100;

/// Where a case comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum CaseSource {
    /// A `.scen` file with its map beside it.
    File(PathBuf),
    /// Random queries on a map: its name or file, their seed and how many.
    Random { map: String, seed: u64, count: usize },
}

/// A query and what its route is compared with.
#[derive(Clone, Debug)]
pub(super) struct CaseQuery {
    /// Its number in the file, from 0.
    pub(super) number: usize,
    pub(super) from: CellPos,
    pub(super) to: CellPos,
    /// The file's shortest length in cells and how far its rounding may be off.
    pub(super) optimum: Option<(f64, f64)>,
    /// What the independent search found, once it was asked.
    searched: OnceCell<Option<u64>>,
}

impl CaseQuery {
    fn new(number: usize, from: CellPos, to: CellPos, optimum: Option<(f64, f64)>) -> Self {
        Self { number, from, to, optimum, searched: OnceCell::new() }
    }

    /// The least cost, if the independent search was asked.
    pub(super) fn checked(&self) -> Option<u64> {
        self.searched.get().copied().flatten()
    }

    /// The least cost by the independent search, which is asked if it was not yet.
    pub(super) fn least_cost(&self, judge: &Plain) -> Option<u64> {
        *self.searched.get_or_init(|| judge.least_cost(self.from, self.to))
    }
}

/// Why queries of a file were not asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum SkipReason {
    StartClosed,
    GoalClosed,
    NeedsWater,
    NotJoined,
}

impl SkipReason {
    /// In words.
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
pub(super) struct Case {
    pub(super) name: String,
    pub(super) layer: CostLayer,
    pub(super) agent: Agent,
    pub(super) rule: StepRule,
    pub(super) judge: Plain,
    pub(super) queries: Vec<CaseQuery>,
    /// Queries that have no route on foot, with the reason; planners must not find one.
    pub(super) skipped: Vec<(CaseQuery, SkipReason)>,
}

/// `count` numbers below `len`, evenly spread and ascending; all when there are no more.
fn spread(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(len);
    (0..count).map(move |i| i * len / count)
}

/// All cases of the paths given: files themselves, folders searched to the bottom, in order of their paths.
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

/// The cases made here.
pub(super) fn made_cases() -> Vec<CaseSource> {
    let made = |map: &str| CaseSource::Random { map: map.to_owned(), seed: 1, count: MADE_QUERIES };
    MADE.into_iter().map(made).collect()
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let io = |error: std::io::Error| FileError::io(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(io)?);
        // Links are not followed: a link to a folder above would never end.
        if kind.is_dir() {
            search(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "scen") {
            found.push(path);
        }
    }
    Ok(())
}

impl CaseSource {
    /// Loads it with at most `limit` queries and searches for no least costs.
    pub(super) fn draw(&self, limit: usize, options: &LoadOptions) -> Result<Case, Failure> {
        match self {
            Self::File(path) => from_file(path, limit, options),
            Self::Random { map, seed, count } => random(map, *seed, limit.min(*count), options),
        }
    }

    /// Loads it: at most `limit` queries, evenly spread, the least cost searched for `check` of them.
    pub(super) fn open(&self, limit: usize, check: usize, options: &LoadOptions) -> Result<Case, Failure> {
        let case = self.draw(limit, options)?;
        for at in spread(case.queries.len(), check) {
            case.queries[at].least_cost(&case.judge);
        }
        // Without lengths in a file, the rest are compared with plain A*.
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        for query in case.queries.iter().filter(|query| query.optimum.is_none()) {
            query.searched.get_or_init(|| {
                let asked = PathQuery::new(query.from, query.to, case.agent);
                let found = astar(&case.layer, &asked, case.rule, &mut scratch, &mut route);
                found.is_ok().then_some(route.cost.0)
            });
        }
        Ok(case)
    }
}

/// Layer 1 of a map for units of one cell: nothing else is asked.
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
    let (judge, regions) = (Plain::new(field, rule), Regions::of(field, rule));
    let (queries, skipped) = (Vec::new(), Vec::new());
    Ok((Case { name, layer, agent, rule, judge, queries, skipped }, regions))
}

fn from_file(path: &Path, limit: usize, options: &LoadOptions) -> Result<Case, Failure> {
    let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
    let scenario = read_scen(&path.display().to_string(), &bytes)?;
    let map_path = map_beside(path, scenario.queries.first())?;
    let map = find_map(&map_path.display().to_string(), options)?;
    let (mut case, regions) = empty_case(map.map().name.clone(), &map)?;
    let wet = map.rules().locomotor("amphibious").and_then(|id| case.layer.field(id.into()));
    let wet = wet.map(|field| Regions::of(field, case.rule));
    let size = map.map().size;
    // The file's lengths are for ground of one cost.
    let one_cost = case.layer.field(case.agent).is_some_and(|field| field.cheapest() >= field.dearest());
    for number in spread(scenario.queries.len(), limit) {
        let query = &scenario.queries[number];
        if (query.width, query.height) != (size.width(), size.height()) {
            let message = format!(
                "{}: query {number} is for a map of {}×{}, but {} is {size}",
                path.display(),
                query.width,
                query.height,
                map_path.display()
            );
            return Err(Failure::new(Kind::File, message));
        }
        let optimum = (query.optimum.scaled as f64 / 1e8, query.optimum.tolerance() as f64 / 1e8);
        let (from, to) = (query.start, query.goal);
        let asked = CaseQuery::new(number, from, to, one_cost.then_some(optimum));
        let reason = if regions.joined(from, to) {
            None
        } else if regions.at(from).is_none() {
            Some(SkipReason::StartClosed)
        } else if regions.at(to).is_none() {
            Some(SkipReason::GoalClosed)
        } else if wet.as_ref().is_some_and(|wet| wet.joined(from, to)) {
            Some(SkipReason::NeedsWater)
        } else {
            Some(SkipReason::NotJoined)
        };
        match reason {
            None => case.queries.push(asked),
            Some(reason) => case.skipped.push((asked, reason)),
        }
    }
    Ok(case)
}

/// The map of a scenario: `X.map` beside `X.map.scen`, else the file its queries name, in the same folder.
fn map_beside(path: &Path, first: Option<&Query>) -> Result<PathBuf, Failure> {
    let plain = path.with_extension("");
    let named = first.and_then(|query| query.map.rsplit(['/', '\\']).next());
    let named = named.map(|name| path.with_file_name(name));
    let found = [Some(plain.clone()), named].into_iter().flatten().find(|path| path.is_file());
    found.ok_or_else(|| {
        let message = format!("{}: its map is not beside it", path.display());
        Failure::new(Kind::File, message).help(format!("looked for {}", plain.display()))
    })
}

/// Random queries between cells of the largest region.
fn random(map: &str, seed: u64, count: usize, options: &LoadOptions) -> Result<Case, Failure> {
    let valid = find_map(map, options)?;
    let title = &valid.map().name;
    let name = if Path::new(map).exists() && !title.is_empty() { title.clone() } else { map.to_owned() };
    let (mut case, regions) = empty_case(name, &valid)?;
    let Some(region) = regions.largest() else { return Ok(case) };
    let can_stop = |at: &CellPos| case.layer.can_stop(*at, case.agent);
    let cells: Vec<CellPos> = regions.cells(region).filter(can_stop).collect();
    if cells.is_empty() {
        return Ok(case);
    }
    let mut rng = Rng::keyed(seed, Tick::ZERO, cells.len() as u64, Purpose(1));
    for number in 0..count {
        let [from, to] = [(); 2].map(|()| cells[rng.below(cells.len() as u32) as usize]);
        case.queries.push(CaseQuery::new(number, from, to, None));
    }
    Ok(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_from_the_first_on() {
        assert_eq!(spread(10, 3).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(spread(3, 9).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(3, usize::MAX).count(), 3);
        assert_eq!(spread(0, 9).count() + spread(9, 0).count(), 0);
    }

    #[test]
    fn made_queries_are_joined_and_have_a_least_cost() {
        let case = made_cases()[5].open(5, 0, &LoadOptions::default()).unwrap();
        assert_eq!(case.queries.len(), 5);
        assert!(case.queries.iter().all(|query| query.checked().is_some()));
    }
}
