//! A map one can ask for routes and edit while it is asked.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, LocomotorId, StateHash, Tick};
use crate::config::{Config, ConfigError, ValidConfig};
use crate::cost::{
    CostLayer, EditError, GateState, Map, MapError, SectorChange, Stamp, StampId, TerrainId, ThreatId,
    ThreatSource,
};
use crate::plan::{PathCache, PathKey, Scope};
use crate::planners::{
    FarScratch, Hybrid, PlanScratch, PlanView, Planner, PlannerChoice, PlannerReason, choose, heeds_threat,
};
use crate::query::{Controller, GoalQuery, Outcome, PathQuery, PlanError, Threat};
use crate::search::{
    JumpState, JumpStore, Route, Smoother, WeightedPlanes, WeightedSearch, astar, goal_search, jpsw,
};
use crate::sectors::{Sectors, SnapMemory};

/// Why a navigator could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavigatorError {
    /// The map is wrong.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The settings are.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A map to ask for routes and to edit: where most users start.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::world::Navigator;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
/// let mut nav = Navigator::new(map, Config::default())?;
/// let foot = nav.locomotor("foot").unwrap();
///
/// let before = nav.path(cell(3, 4), cell(60, 4), foot)?;
/// assert_eq!(before.cells().count(), 58);
///
/// nav.place(&Stamp::solid(3, 9), cell(30, 0))?; // a building in the way
/// let after = nav.path(cell(3, 4), cell(60, 4), foot)?;
/// assert!(after.cost > before.cost);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Navigator {
    pub(super) config: ValidConfig,
    pub(super) layer: CostLayer,
    pub(super) sectors: Sectors,
    pub(super) hybrid: Hybrid,
    /// Routes found before.
    pub(super) cache: PathCache,
    pub(super) now: Tick,
    pub(super) scratch: PlanScratch,
    pub(super) smoother: Smoother,
    /// Snaps asked for before.
    pub(super) snaps: SnapMemory,
}

/// Legs of far routes are remembered for so many times the routes that are: about those of a route across a map of 4096×4096 cells.
const LEGS_PER_ROUTE: u32 = 32;

impl Navigator {
    /// Checks map and settings and builds layers 1 and 2, and jump planes for the fields of one cost.
    ///
    /// # Errors
    /// [`NavigatorError`] naming what is wrong.
    pub fn new(map: Map, config: Config) -> Result<Self, NavigatorError> {
        let config = config.validate()?;
        let layer = CostLayer::new(&map.validate()?, config.cost_settings());
        Ok(Self::on_layer(layer, config))
    }

    /// With everything that follows from a layer, at tick 0.
    pub(super) fn on_layer(layer: CostLayer, config: ValidConfig) -> Self {
        // A map that is being loaded is waited for: at tick 0 all is ready.
        let hybrid = Hybrid::ready(&layer, &config);
        let sectors = Sectors::new(&layer, config.step_rule());
        let legs = config.get().path_cache_size.saturating_mul(LEGS_PER_ROUTE);
        Self {
            cache: PathCache::new(config.get().path_cache_size),
            config,
            layer,
            sectors,
            hybrid,
            now: Tick::ZERO,
            scratch: PlanScratch { far: FarScratch::remembering(legs), ..PlanScratch::new() },
            smoother: Smoother::new(),
            snaps: SnapMemory::default(),
        }
    }

    /// Remembers as many answers as other settings say, from now on.
    pub(super) fn keep_answers(&mut self, config: &ValidConfig) {
        let size = config.get().path_cache_size;
        self.cache = PathCache::new(size);
        self.scratch.far = FarScratch::remembering(size.saturating_mul(LEGS_PER_ROUTE));
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &ValidConfig {
        &self.config
    }

    /// Layer 1, to look at.
    #[must_use]
    pub fn layer(&self) -> &CostLayer {
        &self.layer
    }

    /// The present tick.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.now
    }

    /// The locomotor called `name` in the map's rules.
    #[must_use]
    pub fn locomotor(&self, name: &str) -> Option<LocomotorId> {
        self.layer.rules().locomotor(name)
    }

    /// The cheapest route from `from` to `to` for a player's `agent` (a locomotor, or a locomotor with a size); on weighted ground
    /// one within `route_per_mille` of the cheapest, which is the cheapest unless that is set.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is none.
    pub fn path(&mut self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> Result<Route, PlanError> {
        self.path_for(Controller::Player, from, to, agent)
    }

    /// The same for a unit that `controller` commands: `influence_avoidance` decides whether it heeds threat.
    ///
    /// # Errors
    /// [`PlanError`] saying why there is none.
    pub fn path_for(
        &mut self,
        controller: Controller,
        from: CellPos,
        to: CellPos,
        agent: impl Into<Agent>,
    ) -> Result<Route, PlanError> {
        let query = PathQuery::new(from, to, agent).with_threat(self.config.threat_for(controller));
        let mut route = Route::new();
        self.path_into(&query, &mut route)?;
        Ok(route)
    }

    /// Answers `query`, as it stands, into `out`, whose memory is reused: the form for hot paths.
    ///
    /// That there is no way at all costs no search. The first question of an agent on weighted ground makes planes for it; see
    /// [`Navigator::make_ready`].
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route.
    pub fn path_into(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        let domain = |at| self.sectors.domain(at, query.agent);
        let domains = domain(query.from).zip(domain(query.to));
        let both_open = domains.is_some();
        if let Some((from, to)) = domains {
            // A goal that may not be stopped on is refused as such, whether or not it can be reached.
            if from != to && self.layer.can_stop(query.to, query.agent) {
                out.clear();
                return Err(PlanError::Unreachable { from: query.from, to: query.to });
            }
        }
        let (layer, scratch, rule) = (&self.layer, &mut self.scratch.search, self.config.step_rule());
        let Hybrid { jumps, weighted, .. } = &mut self.hybrid;
        let state = jumps.as_ref().map_or(JumpState::Building(Tick::MAX), |jumps| jumps.state(query.agent));
        let (choice, _, data) = choose(layer, self.config.get(), state, query.threat);
        let planes = match choice {
            // Planes are made for questions that have an answer; A* refuses the others.
            PlannerChoice::Jpsw if both_open => {
                Some(weighted.up_to_date(layer, query.agent, rule, Threat::Ignore)?)
            }
            _ => None,
        };
        // Heeded threat moves all the time, and what is closed is refused at once.
        let key = (both_open && !heeds_threat(layer, query))
            .then(|| PathKey::new(query, choice as u32 | planes.map_or(0, WeightedPlanes::coarseness) << 8));
        if key.is_some_and(|key| self.cache.get(key, layer, self.now, out)) {
            return Ok(());
        }
        match (data, planes) {
            (Some(data), _) => data.plan(layer, query, scratch, out),
            (None, Some(planes)) => {
                let how = WeightedSearch::new(planes).with_quality(self.config.quality());
                // These planes ignore threat, and there is none to heed if the query would.
                let query = query.with_threat(Threat::Ignore);
                jpsw(layer, &query, &how, scratch, out)
            }
            _ => astar(layer, query, rule, scratch, out),
        }?;
        if let Some(key) = key {
            // A route that may be dearer than the cheapest may come from as far as the dearest it may be.
            let cost = self.config.quality().most(out.cost.0);
            let scope = Scope { cost, grain: 1, neighbours: rule.neighbours };
            self.cache.put(key, out, scope, layer, self.now);
        }
        Ok(())
    }

    /// Whether questions of `agent` that heed no threat are answered by planes for weighted ground.
    pub(super) fn is_weighted(&self, agent: Agent) -> bool {
        self.planner_for(agent, Threat::Ignore).0 == PlannerChoice::Jpsw
    }

    /// Which search answers `agent` now, with threat heeded or not, and why: it depends on the map, the settings and the
    /// tick only, never on the machine or on earlier questions.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, TerrainId};
    /// use waymarch::query::Threat;
    /// use waymarch::world::{Navigator, PlannerChoice};
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()), Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// assert_eq!(nav.planner_for(foot, Threat::Ignore).0, PlannerChoice::JpsPlus);
    /// nav.set_terrain(CellRect::at(cell(10, 10), 5, 5), TerrainId(2))?; // rough ground
    /// let (choice, why) = nav.planner_for(foot, Threat::Ignore);
    /// assert_eq!(choice, PlannerChoice::Jpsw);
    /// assert_eq!(why.to_string(), "jump point search needs ground of one cost");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn planner_for(&self, agent: impl Into<Agent>, threat: Threat) -> (PlannerChoice, PlannerReason) {
        let state = self.hybrid.jump_state(agent.into());
        let (choice, reason, _) = choose(&self.layer, self.config.get(), state, threat);
        (choice, reason)
    }

    /// The jump planes, to run their jobs on threads of one's own; see [`JumpStore::jobs`].
    pub fn jumps_mut(&mut self) -> Option<&mut JumpStore> {
        self.hybrid.jumps.as_mut()
    }

    /// What planners look at.
    #[must_use]
    pub fn view(&self) -> PlanView<'_> {
        PlanView { layer: &self.layer, sectors: &self.sectors, config: &self.config, now: self.now }
    }

    /// Makes ready whatever questions of an agent may need, near and far.
    pub(crate) fn prepare_for(&mut self, agent: Agent, threat: Threat) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.prepare_for(&PlanView { layer, sectors, config, now: *now }, agent, threat);
    }

    /// Lets what planners keep follow the map.
    pub(crate) fn follow_planners(&mut self) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.map_changed(&PlanView { layer, sectors, config, now: *now });
    }

    /// The planner that chooses among all, to ask on threads of one's own; see [`Navigator::prepare`].
    #[must_use]
    pub fn hybrid(&self) -> &Hybrid {
        &self.hybrid
    }

    /// Makes ready whatever these questions need, so that [`Navigator::hybrid`] can answer them through a shared reference.
    pub fn prepare(&mut self, batch: &[PathQuery]) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.prepare(&PlanView { layer, sectors, config, now: *now }, batch);
    }

    /// Brings what is derived from the layer up to date after an edit.
    fn edited<T>(&mut self, done: Result<T, EditError>) -> Result<T, EditError> {
        self.sectors.follow(&self.layer);
        if let Some(jumps) = &mut self.hybrid.jumps {
            jumps.follow(&self.layer, self.now);
        }
        done
    }

    /// Answers a question whose goal is a shape, as it stands, into `out`, and says how far the route goes: any of several
    /// starts, limits, turn costs, stamps to overlook. See [`goal_search`].
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::{Goal, GoalQuery, Outcome};
    /// use waymarch::search::Route;
    /// use waymarch::world::Navigator;
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000());
    /// let mut nav = Navigator::new(map, Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// let mut route = Route::new();
    ///
    /// // Into firing range of a tower, from whichever of two camps is nearer.
    /// let (camps, range) = ([cell(2, 2), cell(60, 60)], Goal::circle(cell(40, 44), Fixed::from_cells(5)));
    /// let query = GoalQuery::new(&camps, &range, foot);
    /// assert_eq!(nav.path_to_goal(&query, &mut route)?, Outcome::Reached);
    /// assert_eq!(route.waypoints[0], cell(60, 60));
    ///
    /// // A fortress covers all of it: as near as can be, or as if it were not there.
    /// let fortress = nav.place(&Stamp::solid(13, 13), cell(34, 38))?;
    /// assert!(nav.path_to_goal(&query, &mut route).is_err());
    /// assert_eq!(nav.path_to_goal(&query.or_nearest(), &mut route)?, Outcome::Nearest);
    /// assert_eq!(nav.path_to_goal(&query.ignoring(&[fortress]), &mut route)?, Outcome::Reached);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError`] saying why there is no route.
    pub fn path_to_goal(&mut self, query: &GoalQuery<'_>, out: &mut Route) -> Result<Outcome, PlanError> {
        goal_search(&self.layer, query, self.config.step_rule(), &mut self.scratch.search, out)
    }

    /// Stands a stamp with its north-west cell at `at`; see [`CostLayer::place`].
    ///
    /// # Errors
    /// [`EditError`] when it does not fit.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos) -> Result<StampId, EditError> {
        let done = self.layer.place(stamp, at, self.now);
        self.edited(done)
    }

    /// Takes a stamp away; see [`CostLayer::remove`].
    ///
    /// # Errors
    /// [`EditError`] when it does not stand.
    pub fn remove(&mut self, id: StampId) -> Result<(), EditError> {
        let done = self.layer.remove(id);
        self.edited(done)
    }

    /// Opens or closes a stamp's gate cells; see [`CostLayer::set_gate`].
    ///
    /// # Errors
    /// [`EditError`] when there is no such stamp or gate.
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), EditError> {
        let done = self.layer.set_gate(id, gate);
        self.edited(done)
    }

    /// Repaints the base terrain; see [`CostLayer::set_terrain`].
    ///
    /// # Errors
    /// [`EditError`] for an unknown terrain or an area off the map.
    pub fn set_terrain(&mut self, area: CellRect, terrain: TerrainId) -> Result<(), EditError> {
        let done = self.layer.set_terrain(area, terrain);
        self.edited(done)
    }

    /// Sets the height of an area; see [`CostLayer::set_elevation`].
    ///
    /// # Errors
    /// [`EditError`] for an area off the map.
    pub fn set_elevation(&mut self, area: CellRect, height: i16) -> Result<(), EditError> {
        let done = self.layer.set_elevation(area, height);
        self.edited(done)
    }

    /// Takes the sectors that changed since this was last called; see [`CostLayer::take_changes`].
    pub fn take_changes(&mut self, out: &mut Vec<SectorChange>) {
        self.layer.take_changes(out);
    }

    /// Adds a threat source; see [`CostLayer::add_threat`].
    ///
    /// # Errors
    /// [`EditError`] when it is off the map or too wide.
    pub fn add_threat(&mut self, source: ThreatSource) -> Result<ThreatId, EditError> {
        self.layer.add_threat(source)
    }

    /// Moves or changes a threat source; see [`CostLayer::set_threat`].
    ///
    /// # Errors
    /// [`EditError`] when it is gone, or would be off the map or too wide.
    pub fn set_threat(&mut self, id: ThreatId, source: ThreatSource) -> Result<(), EditError> {
        self.layer.set_threat(id, source)
    }

    /// Removes a threat source; see [`CostLayer::remove_threat`].
    ///
    /// # Errors
    /// [`EditError`] when it is gone already.
    pub fn remove_threat(&mut self, id: ThreatId) -> Result<(), EditError> {
        self.layer.remove_threat(id)
    }

    /// One tick passes: stamps expire, jump planes that are due are published, and threat shows every `threat_update_frequency` ticks.
    pub fn tick(&mut self) {
        self.now = self.now.next();
        self.layer.advance(self.now);
        self.sectors.follow(&self.layer);
        if let Some(jumps) = &mut self.hybrid.jumps {
            jumps.advance(&self.layer, self.now);
        }
    }

    /// The hash of everything that decides future answers.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        StateHash::builder()
            .part("clock", &self.now)
            .part("config", &self.config)
            .part("cost", &self.layer)
            .part("jumps", &self.hybrid)
            .finish()
    }
}
