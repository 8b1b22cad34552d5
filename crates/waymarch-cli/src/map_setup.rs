//! A map loaded and ready for searches: with settings, cost layer and agent. Most commands start from it.

use waymarch::base::{Agent, CellPos, SizeClass, Tick};
use waymarch::config::ValidConfig;
use waymarch::cost::{CostField, CostLayer, Map, ThreatSource, ValidMap};
use waymarch::planners::PlanView;
use waymarch::query::PlanError;
use waymarch::sectors::Sectors;

use crate::arguments::{AgentArgs, EndArgs, MapArgs, ReadArgs};
use crate::diagnostics::{Failure, Kind};
use crate::load::{find_config, find_only_map};
use crate::regions::Regions;

/// A map with its settings, its cost layer and the agent that moves on it.
#[derive(Debug)]
pub(crate) struct MapSetup {
    pub(crate) map: ValidMap,
    pub(crate) config: ValidConfig,
    pub(crate) layer: CostLayer,
    pub(crate) agent: Agent,
}

/// The start and the goal of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) from: CellPos,
    pub(crate) to: CellPos,
}

impl MapSetup {
    /// Loads the map and the settings, checks both and builds the cost layer.
    ///
    /// # Errors
    /// If a file cannot be read, a name is unknown, or map, rules or settings contradict themselves.
    pub(crate) fn open(which: &MapArgs, agent: &AgentArgs) -> Result<Self, Failure> {
        Self::open_named(&which.map, &which.reading, agent)
    }

    /// As [`MapSetup::open`], for commands that take the map without `--map`.
    pub(crate) fn open_named(name: &str, reading: &ReadArgs, agent: &AgentArgs) -> Result<Self, Failure> {
        let map = find_only_map(name, &reading.options())?;
        let mut config = find_config(agent.config.as_deref())?;
        if let Err(place) = config.size_classes.binary_search(&agent.size) {
            if agent.config.is_some() {
                let message = format!("the settings have no units of size {}", agent.size);
                let help = format!("the setting `size_classes` is {:?}", config.size_classes);
                return Err(Failure::new(Kind::UnknownName, message).help(help));
            }
            config.size_classes.insert(place, agent.size);
        }
        let config = config.validate().map_err(Failure::invalid)?;
        let rules = map.rules();
        let names: Vec<&str> = rules.rules().locomotors.iter().map(|def| def.name.as_str()).collect();
        let name = agent.locomotor.as_deref().or(names.first().copied()).unwrap_or_default();
        let locomotor = rules.locomotor(name).ok_or_else(|| Failure::unknown("locomotor", name, &names))?;
        let size = SizeClass::new(agent.size).unwrap_or_default();
        let layer = CostLayer::new(&map, config.cost_settings());
        let mut setup = Self { map, config, layer, agent: Agent { locomotor, size } };
        setup.threaten(&agent.threats)?;
        Ok(setup)
    }

    /// Adds threat sources and updates the threat layer.
    pub(crate) fn threaten(&mut self, threats: &[ThreatSource]) -> Result<(), Failure> {
        for &source in threats {
            let added = self.layer.add_threat(source);
            added.map_err(|error| Failure::new(Kind::Usage, format!("--threat: {error}")))?;
        }
        self.layer.advance(Tick::ZERO);
        Ok(())
    }

    /// Layer 2 of the map: rooms, and which cells are connected.
    pub(crate) fn sectors(&self) -> Sectors {
        Sectors::new(&self.layer, self.config.step_rule())
    }

    /// What planners read.
    pub(crate) fn view<'a>(&'a self, sectors: &'a Sectors) -> PlanView<'a> {
        PlanView { layer: &self.layer, sectors, config: &self.config, now: Tick::ZERO }
    }

    /// The map as it was read.
    pub(crate) fn plain(&self) -> &Map {
        self.map.map()
    }

    /// The cost field of the agent.
    pub(crate) fn field(&self) -> Result<&CostField, Failure> {
        self.layer.field(self.agent).ok_or_else(|| Failure::from(PlanError::UnknownAgent(self.agent)))
    }

    /// The name of the agent's locomotor.
    pub(crate) fn locomotor_name(&self) -> &str {
        let def = self.map.rules().locomotor_def(self.agent.locomotor);
        def.map_or("", |def| def.name.as_str())
    }

    /// Start and goal from the arguments. A missing start is the first player start, a missing goal the last one. If no route
    /// connects the two, cells in opposite corners of one region are taken instead.
    ///
    /// # Errors
    /// If a cell is off the map or closed, or if no cell is open to the agent.
    pub(crate) fn ends(&self, asked: &EndArgs) -> Result<Ends, Failure> {
        let size = self.layer.grid();
        let (from, to) = match asked.from[..] {
            [] => (None, asked.to),
            [from] => (Some(from), asked.to),
            _ => return Err(Failure::new(Kind::Usage, "--from: this command takes one start")),
        };
        for at in [from, to].into_iter().flatten() {
            if !size.contains(at) {
                return Err(Failure::from(PlanError::OffMap { at, size }));
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
            let locomotor = self.locomotor_name();
            return Err(match from.or(to) {
                None => Failure::new(
                    Kind::NoRoute,
                    format!("no cell of this map is passable for the locomotor `{locomotor}`"),
                ),
                Some(at) if from.is_some() => Failure::from(PlanError::StartBlocked { at }),
                Some(at) => Failure::from(PlanError::GoalBlocked { at }),
            });
        };
        let can_stop = |at: &CellPos| self.layer.can_stop(*at, self.agent);
        let corner = |at: &CellPos| (i64::from(at.x) + i64::from(at.y), *at);
        let near = regions.cells(region).min_by_key(corner).unwrap_or_default();
        let far = regions.cells(region).filter(can_stop).max_by_key(corner).unwrap_or_default();
        Ok(Ends { from: from.unwrap_or(near), to: to.unwrap_or(far) })
    }
}
