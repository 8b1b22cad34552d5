//! What most commands work on: a map from wherever it comes, settings, layer 1, and who moves.

use std::path::Path;

use waymarch::base::{Agent, CellPos, SizeClass, Tick};
use waymarch::config::{Config, ValidConfig};
use waymarch::cost::{CostField, CostLayer, Map, ThreatSource, ValidMap};
use waymarch::query::PlanError;
use waymarch_maps::generate::{BUILTIN, GenerateOptions, builtin, generate};
use waymarch_maps::{LoadOptions, load_map, read_file, refine, yaml};

use crate::arguments::{AgentArgs, EndArgs, MapArgs, grid_size};
use crate::diagnostics::{Failure, Kind};
use crate::regions::Regions;

/// A map ready to be asked.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) map: ValidMap,
    pub(crate) config: ValidConfig,
    pub(crate) layer: CostLayer,
    pub(crate) agent: Agent,
}

/// Where a route starts and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) from: CellPos,
    pub(crate) to: CellPos,
}

/// The map that `word` names: built-in, generated, or a file.
pub(crate) fn find_map(word: &str, options: &LoadOptions) -> Result<ValidMap, Failure> {
    let map = plain_map(word, options)?;
    map.validate().map_err(|error| Failure::new(Kind::Invalid, format!("{word}: {error}")))
}

fn plain_map(word: &str, options: &LoadOptions) -> Result<Map, Failure> {
    if let Some(map) = builtin(word) {
        return Ok(refine(map, options)?);
    }
    if let Some(recipe) = word.strip_prefix("generate:") {
        let wrong = |why: String| {
            let help = "write it as generate:SEED:WxH, for example generate:7:128x96";
            Failure::new(Kind::Usage, format!("`{word}`: {why}")).help(help)
        };
        let (seed, size) =
            recipe.split_once(':').ok_or_else(|| wrong("seed and size are needed".to_owned()))?;
        let seed = seed.parse().map_err(|_| wrong(format!("the seed `{seed}` is not a whole number")))?;
        let size = grid_size(size).map_err(wrong)?;
        return Ok(refine(generate(seed, size, &GenerateOptions::default()), options)?);
    }
    let path = Path::new(word);
    let is_bare = !word.contains(['/', '\\', '.']);
    if is_bare && !path.exists() {
        let names: Vec<&str> = BUILTIN.iter().map(|(name, _)| *name).collect();
        return Err(Failure::unknown("map file or built-in map", word, &names));
    }
    Ok(load_map(path, options)?)
}

/// The settings of a file, or the defaults.
pub(crate) fn find_config(path: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = path else { return Ok(Config::default()) };
    let bytes = read_file(path, LoadOptions::default().max_file_bytes)?;
    Ok(yaml::read_config(&path.display().to_string(), &bytes)?)
}

impl Scene {
    /// Loads and checks everything.
    pub(crate) fn open(which: &MapArgs, who: &AgentArgs) -> Result<Self, Failure> {
        let map = find_map(&which.map, &which.reading.options())?;
        let mut config = find_config(who.config.as_deref())?;
        if let Err(place) = config.size_classes.binary_search(&who.size) {
            if who.config.is_some() {
                let message = format!("no unit of size {} under these settings", who.size);
                let help = format!("`size_classes` is {:?}", config.size_classes);
                return Err(Failure::new(Kind::UnknownName, message).help(help));
            }
            config.size_classes.insert(place, who.size);
        }
        let config = config.validate().map_err(|error| Failure::new(Kind::Invalid, error.to_string()))?;
        let rules = map.rules();
        let names: Vec<&str> = rules.rules().locomotors.iter().map(|def| def.name.as_str()).collect();
        let name = who.locomotor.as_deref().or(names.first().copied()).unwrap_or_default();
        let locomotor = rules.locomotor(name).ok_or_else(|| Failure::unknown("locomotor", name, &names))?;
        let size = SizeClass::new(who.size).unwrap_or_default();
        let layer = CostLayer::new(&map, config.cost_settings());
        let mut scene = Self { map, config, layer, agent: Agent { locomotor, size } };
        scene.threaten(&who.threats)?;
        Ok(scene)
    }

    /// Adds threat sources and lets them show.
    pub(crate) fn threaten(&mut self, threats: &[ThreatSource]) -> Result<(), Failure> {
        for &source in threats {
            let added = self.layer.add_threat(source);
            added.map_err(|error| Failure::new(Kind::Usage, format!("--threat: {error}")))?;
        }
        self.layer.advance(Tick::ZERO);
        Ok(())
    }

    /// The plain map.
    pub(crate) fn plain(&self) -> &Map {
        self.map.map()
    }

    /// What counts for the one who moves.
    pub(crate) fn field(&self) -> Result<&CostField, Failure> {
        self.layer.field(self.agent).ok_or_else(|| no_route(&PlanError::UnknownAgent(self.agent)))
    }

    /// The name of the one who moves.
    pub(crate) fn locomotor_name(&self) -> &str {
        let def = self.map.rules().locomotor_def(self.agent.locomotor);
        def.map_or("", |def| def.name.as_str())
    }

    /// The ends asked for. One left out is the first or last player start, or where that cannot be reached, a far
    /// corner of the region that can.
    pub(crate) fn ends(&self, asked: &EndArgs) -> Result<Ends, Failure> {
        let size = self.layer.grid();
        let (from, to) = match asked.from[..] {
            [] => (None, asked.to),
            [from] => (Some(from), asked.to),
            _ => return Err(Failure::new(Kind::Usage, "--from: one start is enough here")),
        };
        for at in [from, to].into_iter().flatten() {
            if !size.contains(at) {
                return Err(no_route(&PlanError::OffMap { at, size }));
            }
        }
        if let (Some(from), Some(to)) = (from, to) {
            return Ok(Ends { from, to });
        }
        let regions = Regions::of(self.field()?, self.config.step_rule());
        let starts = &self.plain().starts;
        if let (Some(&first), Some(&last)) = (starts.first(), starts.last()) {
            let (from, to) = (from.unwrap_or(first), to.unwrap_or(last));
            if from != to && regions.joined(from, to) {
                return Ok(Ends { from, to });
            }
        }
        let given = from.or(to).map(|at| regions.at(at));
        let Some(region) = given.unwrap_or_else(|| regions.largest()) else {
            let who = self.locomotor_name();
            return Err(match from.or(to) {
                None => Failure::new(Kind::NoRoute, format!("no cell of this map is open to `{who}`")),
                Some(at) if from.is_some() => no_route(&PlanError::StartBlocked { at }),
                Some(at) => no_route(&PlanError::GoalBlocked { at }),
            });
        };
        let can_stop = |at: &CellPos| self.layer.can_stop(*at, self.agent);
        let corner = |at: &CellPos| (i64::from(at.x) + i64::from(at.y), *at);
        let near = regions.cells(region).min_by_key(corner).unwrap_or_default();
        let far = regions.cells(region).filter(can_stop).max_by_key(corner).unwrap_or_default();
        Ok(Ends { from: from.unwrap_or(near), to: to.unwrap_or(far) })
    }
}

/// A question without a route for an answer.
pub(crate) fn no_route(error: &PlanError) -> Failure {
    let failure = Failure::new(Kind::NoRoute, error.to_string());
    match error {
        PlanError::OffMap { size, .. } => {
            let (x, y) = (size.width() - 1, size.height() - 1);
            failure.help(format!("cells go from 0,0 in the north-west to {x},{y}"))
        }
        PlanError::StartBlocked { .. } | PlanError::GoalBlocked { .. } => {
            failure.help("`waymarch render --layer passability` shows where it can stand")
        }
        PlanError::GoalClosed | PlanError::GoalUnreachable { .. } => {
            failure.help("`waymarch path --nearest` goes as near to a goal as can be")
        }
        _ => failure,
    }
}
