//! A map with route queries and edits: [`Navigator`].

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, LocomotorId, Observer, StateHash, Tick};
use crate::config::{Config, ConfigError, ValidConfig};
use crate::cost::{
    CostLayer, EditError, GateState, Map, MapError, SectorChange, Stamp, StampId, TerrainId, ThreatId,
    ThreatSource,
};
use crate::nav::memory::{ADDRESSABLE, check_memory};
use crate::plan::PathCache;
use crate::planners::{
    FarScratch, Hybrid, PlanRun, PlanScratch, PlanView, Planner, PlannerChoice, PlannerReason,
};
use crate::query::{Controller, GoalQuery, Outcome, PathQuery, PlanError, Threat};
use crate::search::{JumpStore, NoProbe, Route, Smoother, goal_search};
use crate::sectors::{Sectors, SnapMemory};

/// Why a navigator could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavigatorError {
    /// The map is not valid.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The settings are not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A map that answers route queries and can be edited. Most games start here.
///
/// ```
/// use waymarch::base::{cell, GridSize};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp};
/// use waymarch::world::Navigator;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
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
    pub(crate) config: ValidConfig,
    pub(crate) layer: CostLayer,
    pub(crate) sectors: Sectors,
    pub(crate) hybrid: Hybrid,
    /// Routes of earlier queries.
    pub(crate) cache: PathCache,
    pub(crate) now: Tick,
    pub(crate) scratch: PlanScratch,
    pub(crate) smoother: Smoother,
    /// Nearest cells of earlier queries.
    pub(crate) snaps: SnapMemory,
}

/// 32 legs of far routes are remembered for each remembered route: about as many as a route across 4096×4096 cells has.
const LEGS_PER_ROUTE: u32 = 32;

impl Navigator {
    /// A navigator for this map. Checks map and settings, then builds the costs, the sectors, and jump planes for the fields of one cost.
    ///
    /// # Errors
    /// [`NavigatorError`] names what is not valid.
    pub fn new(map: Map, config: Config) -> Result<Self, NavigatorError> {
        let config = config.validate()?;
        let map = map.validate()?;
        check_memory(&config, map.map().size, map.map().rules.locomotors.len(), ADDRESSABLE)?;
        let layer = CostLayer::new(&map, config.cost_settings());
        Ok(Self::on_layer(layer, config))
    }

    /// Refuses settings with which this map needs more memory than can be addressed.
    pub(crate) fn check_memory_for(&self, config: &ValidConfig) -> Result<(), ConfigError> {
        let locomotors = self.layer.rules().rules().locomotors.len() * (1 + self.layer.gate_sides().len());
        check_memory(config, self.layer.grid(), locomotors, ADDRESSABLE)
    }

    /// A navigator at tick 0, with everything that is derived from `layer`.
    pub(crate) fn on_layer(layer: CostLayer, config: ValidConfig) -> Self {
        // Loading may take long, so the jump planes are made now: at tick 0 they are ready.
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

    /// Empties the caches of routes and legs and gives them the sizes that `config` sets.
    pub(crate) fn keep_answers(&mut self, config: &ValidConfig) {
        let size = config.get().path_cache_size;
        self.cache = PathCache::new(size);
        self.scratch.far = FarScratch::remembering(size.saturating_mul(LEGS_PER_ROUTE));
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &ValidConfig {
        &self.config
    }

    /// Layer 1: the costs.
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

    /// The cheapest route from `from` to `to` for a player's `agent`: a locomotor, or a locomotor with a size. If `route_per_mille` is
    /// above 1000, a route on weighted ground may cost up to that many thousandths of the cheapest.
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path(&mut self, from: CellPos, to: CellPos, agent: impl Into<Agent>) -> Result<Route, PlanError> {
        self.path_for(Controller::Player, from, to, agent)
    }

    /// As [`Navigator::path`], for a unit that `controller` commands. The setting `influence_avoidance` decides whether it heeds threat.
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
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

    /// Writes the route for `query` to `out` and reuses its memory. Use it in hot paths.
    ///
    /// A query whose ends are not connected costs no search. The first query of an agent on weighted ground makes its planes; see
    /// [`Navigator::make_ready`].
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_into(&mut self, query: &PathQuery, out: &mut Route) -> Result<(), PlanError> {
        out.clear();
        let Self { hybrid, layer, sectors, config, now, scratch, cache, .. } = self;
        let view = PlanView { layer, sectors, config, now: *now };
        view.refuse(query)?;
        hybrid.prepare_exact(&view, query.agent, query.threat);
        hybrid.exact_with(&view, query, Some(cache), PlanRun { scratch, out, probe: &mut NoProbe })
    }

    /// The search that answers exact queries of `agent` now, and why. It depends on the map, the settings and the tick only, never on the
    /// machine or on earlier queries.
    ///
    /// ```
    /// use waymarch::base::{cell, CellRect, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, TerrainId};
    /// use waymarch::query::Threat;
    /// use waymarch::world::{Navigator, PlannerChoice};
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::standard()), Config::default())?;
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
        self.hybrid.exact_choice_for(&self.view(), agent.into(), threat)
    }

    /// The jump planes. A game can build them on its own threads; see [`JumpStore::jobs`].
    pub fn jumps_mut(&mut self) -> Option<&mut JumpStore> {
        self.hybrid.jumps_mut()
    }

    /// What planners may read.
    #[must_use]
    pub fn view(&self) -> PlanView<'_> {
        PlanView { layer: &self.layer, sectors: &self.sectors, config: &self.config, now: self.now }
    }

    /// Makes the tables that queries of an agent need, near and far.
    pub(crate) fn prepare_for(&mut self, agent: Agent, threat: Threat) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.prepare_for(&PlanView { layer, sectors, config, now: *now }, agent, threat);
    }

    /// Brings the tables of the planners up to date after edits.
    pub(crate) fn follow_planners(&mut self) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.map_changed(&PlanView { layer, sectors, config, now: *now });
    }

    /// The planner behind all queries. A game can ask it on its own threads; see [`Navigator::prepare`].
    #[must_use]
    pub fn hybrid(&self) -> &Hybrid {
        &self.hybrid
    }

    /// Makes the tables that these queries need. [`Navigator::hybrid`] can then answer them through a shared reference.
    pub fn prepare(&mut self, batch: &[PathQuery]) {
        let Self { hybrid, layer, sectors, config, now, .. } = self;
        hybrid.prepare(&PlanView { layer, sectors, config, now: *now }, batch);
    }

    /// Brings sectors and jump planes up to date after an edit.
    fn edited<T>(&mut self, done: Result<T, EditError>) -> Result<T, EditError> {
        self.sectors.follow(&self.layer);
        if let Some(jumps) = self.hybrid.jumps_mut() {
            jumps.follow(&self.layer, self.now);
        }
        done
    }

    /// Writes a route to a goal that is a shape to `out`. Returns whether it reaches the goal or only the nearest cell. A query can have
    /// several starts, limits, turn costs and ignored stamps; see [`goal_search`].
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::query::{Goal, GoalQuery, Outcome};
    /// use waymarch::search::Route;
    /// use waymarch::world::Navigator;
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut nav = Navigator::new(map, Config::default())?;
    /// let foot = nav.locomotor("foot").unwrap();
    /// let mut route = Route::new();
    ///
    /// // Into firing range of a tower, from the nearer of two camps.
    /// let (camps, range) = ([cell(2, 2), cell(60, 60)], Goal::circle(cell(40, 44), Fixed::from_cells(5)));
    /// let query = GoalQuery::new(&camps, &range, foot);
    /// assert_eq!(nav.path_to_goal(&query, &mut route)?, Outcome::Reached);
    /// assert_eq!(route.waypoints[0], cell(60, 60));
    ///
    /// // A fortress covers the whole range: go to the nearest cell, or ignore the fortress.
    /// let fortress = nav.place(&Stamp::solid(13, 13), cell(34, 38))?;
    /// assert!(nav.path_to_goal(&query, &mut route).is_err());
    /// assert_eq!(nav.path_to_goal(&query.or_nearest(), &mut route)?, Outcome::Nearest);
    /// assert_eq!(nav.path_to_goal(&query.ignoring(&[fortress]), &mut route)?, Outcome::Reached);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlanError`] with the reason why there is no route.
    pub fn path_to_goal(&mut self, query: &GoalQuery<'_>, out: &mut Route) -> Result<Outcome, PlanError> {
        goal_search(&self.layer, query, self.config.step_rule(), &mut self.scratch.search, out)
    }

    /// Places a stamp with its north-west cell at `at`; see [`CostLayer::place`].
    ///
    /// # Errors
    /// [`EditError`] if the stamp does not fit.
    pub fn place(&mut self, stamp: &Stamp, at: CellPos) -> Result<StampId, EditError> {
        let done = self.layer.place(stamp, at, self.now);
        self.edited(done)
    }

    /// Removes a stamp; see [`CostLayer::remove`].
    ///
    /// # Errors
    /// [`EditError`] if there is no such stamp.
    pub fn remove(&mut self, id: StampId) -> Result<(), EditError> {
        let done = self.layer.remove(id);
        self.edited(done)
    }

    /// Opens or closes a stamp's gate cells; see [`CostLayer::set_gate`].
    ///
    /// # Errors
    /// [`EditError`] if there is no such stamp or gate.
    pub fn set_gate(&mut self, id: StampId, gate: GateState) -> Result<(), EditError> {
        let (sides, new) = (self.layer.gate_sides().len(), self.layer.new_sides(gate).sides().count());
        let locomotors = self.layer.rules().rules().locomotors.len() * (1 + sides + new);
        if new > 0 && check_memory(&self.config, self.layer.grid(), locomotors, ADDRESSABLE).is_err() {
            return Err(EditError::TooManySides { most: sides });
        }
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

    /// Writes the sectors that changed since the last call to `out`; see [`CostLayer::take_changes`].
    pub fn take_changes(&mut self, out: &mut Vec<SectorChange>) {
        self.layer.take_changes(out);
    }

    /// Adds a threat source; see [`CostLayer::add_threat`].
    ///
    /// # Errors
    /// [`EditError`] if it is off the map or too wide.
    pub fn add_threat(&mut self, source: ThreatSource) -> Result<ThreatId, EditError> {
        self.layer.add_threat(source)
    }

    /// Moves or changes a threat source; see [`CostLayer::set_threat`].
    ///
    /// # Errors
    /// [`EditError`] if it was removed, or would be off the map or too wide.
    pub fn set_threat(&mut self, id: ThreatId, source: ThreatSource) -> Result<(), EditError> {
        self.layer.set_threat(id, source)
    }

    /// Gives a threat source to an owner; see [`CostLayer::set_threat_owner`].
    ///
    /// # Errors
    /// [`EditError`] if it was removed.
    pub fn set_threat_owner(&mut self, id: ThreatId, owner: Option<Observer>) -> Result<(), EditError> {
        self.layer.set_threat_owner(id, owner)
    }

    /// Puts an observer on a side; see [`CostLayer::set_side`]. A World keeps the sides of its players equal to their teams.
    pub fn set_side(&mut self, observer: Observer, side: u8) {
        self.layer.set_side(observer, side);
    }

    /// Removes a threat source; see [`CostLayer::remove_threat`].
    ///
    /// # Errors
    /// [`EditError`] if it was removed already.
    pub fn remove_threat(&mut self, id: ThreatId) -> Result<(), EditError> {
        self.layer.remove_threat(id)
    }

    /// Advances by one tick. Stamps expire and due jump planes are published. Every `threat_update_frequency` ticks the costs are updated
    /// with changed threat.
    pub fn tick(&mut self) {
        self.now = self.now.next();
        self.layer.advance(self.now);
        self.sectors.follow(&self.layer);
        if let Some(jumps) = self.hybrid.jumps_mut() {
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
