//! A map of levels with route queries: [`LevelNavigator`].

use alloc::vec;
use alloc::vec::Vec;

use super::error::{LevelNavigatorError, LevelPlanError};
use super::planner::LevelPlanner;
use super::reach::LevelReach;
use super::route::LevelRoute;
use crate::base::{Agent, CellPos, HashState, LevelCell, LevelId, LocomotorId, StateHash, StateHasher, Tick};
use crate::config::{Config, ValidConfig};
use crate::cost::CostLayer;
use crate::levels::{Atlas, Bars, DeckState, LevelMap, LinkState, LinkSteps};
use crate::query::{PathQuery, Threat};
use crate::search::{Linked, Route, SearchScratch, Smoother, WeightedPlanes, linked_astar, linked_jpsw};
use crate::sectors::Sectors;

/// A map of several levels that answers exact route queries and can be edited.
///
/// Positions are over the base, with a level: `cell(3, 4).on(LevelId(1))`. It knows no threat, no far routes over doors, no flow fields and no
/// shapes as goals, and a World cannot use it yet: `docs/spec-notes.md` has the list.
///
/// ```
/// use waymarch::base::{Dir8, GridSize, LevelId, cell};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, Stamp, TerrainId};
/// use waymarch::levels::{Deck, DeckState, LevelMap};
/// use waymarch::nav::LevelNavigator;
///
/// let mut base = Map::flat("gorge", GridSize::new(40, 20)?, Rules::standard());
/// base.stamps.push(waymarch::cost::PlacedStamp { at: cell(18, 0), stamp: Stamp::solid(4, 20) });
/// let bridge = Deck::new("bridge", cell(18, 8), GridSize::new(4, 2)?, 512, TerrainId(0)).joined(&[Dir8::W, Dir8::E]);
/// let mut nav = LevelNavigator::new(LevelMap { decks: vec![bridge], ..LevelMap::new(base) }, Config::default())?;
/// let foot = nav.locomotor("foot").unwrap();
/// let (west, east) = (cell(3, 8).on(LevelId::BASE), cell(36, 8).on(LevelId::BASE));
/// assert!(nav.reachable(west, east, foot));
///
/// nav.set_deck(LevelId(1), DeckState::Destroyed)?;
/// assert!(!nav.reachable(west, east, foot));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelNavigator {
    pub(super) config: ValidConfig,
    /// The levels, with the present heights. Terrain and stamps are in `layer`.
    pub(super) map: LevelMap,
    pub(super) decks: Vec<DeckState>,
    pub(super) links: Vec<LinkState>,
    pub(super) now: Tick,
    pub(super) atlas: Atlas,
    pub(super) bars: Bars,
    pub(super) layer: CostLayer,
    pub(super) sectors: Sectors,
    /// In the order of [`CostLayer::agents`].
    pub(super) agents: Vec<AgentLevels>,
    pub(super) scratch: SearchScratch,
    pub(super) route: Route,
    pub(super) smoother: Smoother,
}

/// Derived: what one agent needs besides costs and sectors.
#[derive(Clone, Debug)]
pub(super) struct AgentLevels {
    pub(super) steps: LinkSteps,
    pub(super) reach: LevelReach,
    /// Made by the first query.
    planes: Option<WeightedPlanes>,
}

impl LevelNavigator {
    /// A navigator for this map. Checks map and settings, then builds costs and sectors.
    ///
    /// # Errors
    /// [`LevelNavigatorError`] names what is not valid.
    pub fn new(map: LevelMap, config: Config) -> Result<Self, LevelNavigatorError> {
        let config = config.validate()?;
        let valid = map.validate()?;
        let (atlas, map) = (valid.atlas().clone(), valid.map().clone());
        let decks = vec![DeckState::Standing; map.decks.len()];
        let bars = Bars::new(&map, valid.base().rules());
        let barred = bars.of_all(&map, &atlas, &decks);
        let layer = CostLayer::with_bars(valid.joined(), config.cost_settings(), barred);
        let sectors = Sectors::new(&layer, config.step_rule());
        let steps = layer.agents().map(|agent| LinkSteps::new(&map, &atlas, agent));
        let agents =
            steps.map(|steps| AgentLevels { reach: LevelReach::new(&sectors, &steps), steps, planes: None });
        Ok(Self {
            agents: agents.collect(),
            config,
            links: map.links.iter().map(|link| link.state).collect(),
            map,
            decks,
            now: Tick::ZERO,
            atlas,
            bars,
            layer,
            sectors,
            scratch: SearchScratch::new(),
            route: Route::new(),
            smoother: Smoother::new(),
        })
    }

    /// The levels as described, with the present heights. Stamps and terrain that an edit changed are not in it.
    #[must_use]
    pub fn map(&self) -> &LevelMap {
        &self.map
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &ValidConfig {
        &self.config
    }

    /// The locomotor called `name` in the map's rules.
    #[must_use]
    pub fn locomotor(&self, name: &str) -> Option<LocomotorId> {
        self.layer.rules().locomotor(name)
    }

    /// Whether a deck stands; `None` for the base and for levels that do not exist.
    #[must_use]
    pub fn deck(&self, level: LevelId) -> Option<DeckState> {
        self.decks.get(level.deck()?).copied()
    }

    /// Whether a link is open; `None` if there is no such link.
    #[must_use]
    pub fn link(&self, link: u16) -> Option<LinkState> {
        self.links.get(usize::from(link)).copied()
    }

    /// What a cell costs `agent`; `None` where it cannot stand.
    #[must_use]
    pub fn cost(&self, at: LevelCell, agent: impl Into<Agent>) -> Option<u8> {
        let (field, cell) = (self.layer.field(agent.into())?, self.atlas.cell(at)?);
        field.is_passable(cell).then(|| field.cost(cell))
    }

    /// Whether `agent` can stand on both cells and get from one to the other, over any levels and links. The time does not depend on
    /// the distance.
    #[must_use]
    pub fn reachable(&self, from: LevelCell, to: LevelCell, agent: impl Into<Agent>) -> bool {
        let (agent, ends) = (agent.into(), self.atlas.cell(from).zip(self.atlas.cell(to)));
        let of = self.agents.iter().find(|of| of.steps.agent() == agent);
        ends.zip(of).is_some_and(|((from, to), of)| of.reach.reachable(&self.sectors, &of.steps, from, to))
    }

    /// The cheapest route of `agent`.
    ///
    /// # Errors
    /// [`LevelPlanError`] saying why there is no route.
    pub fn path(
        &mut self,
        from: LevelCell,
        to: LevelCell,
        agent: impl Into<Agent>,
    ) -> Result<LevelRoute, LevelPlanError> {
        let mut route = LevelRoute::new();
        self.path_with(LevelPlanner::default(), (from, to), agent.into(), &mut route)?;
        Ok(route)
    }

    /// Writes the cheapest route between two cells, as a planner finds it, to `out` and reuses its memory.
    ///
    /// A query whose ends are not connected costs no search. The first query of an agent makes its planes; after an edit the planes follow.
    ///
    /// # Errors
    /// [`LevelPlanError`] saying why there is no route.
    pub fn path_with(
        &mut self,
        planner: LevelPlanner,
        (from, to): (LevelCell, LevelCell),
        agent: Agent,
        out: &mut LevelRoute,
    ) -> Result<(), LevelPlanError> {
        let (start, goal) = self.open_ends(from, to, agent)?;
        if !self.reachable(from, to, agent) {
            return Err(LevelPlanError::Unreachable { from, to });
        }
        let Self { agents, layer, atlas, config, scratch, route, .. } = self;
        let AgentLevels { steps, planes, .. } = agents
            .iter_mut()
            .find(|of| of.steps.agent() == agent)
            .ok_or(LevelPlanError::UnknownAgent(agent))?;
        let (rule, query) = (config.step_rule(), PathQuery::new(start, goal, agent));
        let linked = Linked { layer, atlas, steps };
        let found = match planner {
            LevelPlanner::Astar => linked_astar(&linked, &query, rule, scratch, route),
            LevelPlanner::Jpsw => {
                let planes = match planes {
                    Some(planes) => planes,
                    None => {
                        let made = WeightedPlanes::new(layer, agent, rule, Threat::Ignore);
                        let made = planes.insert(made.map_err(|_| LevelPlanError::UnknownAgent(agent))?);
                        let mut starts: Vec<CellPos> = steps.all().iter().map(|step| step.from).collect();
                        starts.dedup();
                        made.stop_at(starts);
                        made
                    }
                };
                planes.follow(layer);
                linked_jpsw(&linked, &query, planes, scratch, route)
            }
        };
        // The ends are open and connected, so a search can only fail to connect them.
        found.map_err(|_| LevelPlanError::Unreachable { from, to })?;
        out.take(route, atlas, steps);
        Ok(())
    }

    /// The ends of a query in the atlas. Refuses closed ends, and goals on which the unit may not stop.
    fn open_ends(
        &self,
        from: LevelCell,
        to: LevelCell,
        agent: Agent,
    ) -> Result<(CellPos, CellPos), LevelPlanError> {
        let field = self.layer.field(agent).ok_or(LevelPlanError::UnknownAgent(agent))?;
        let cell = |at| self.atlas.cell(at).ok_or(LevelPlanError::NoSuchCell { at });
        let (start, goal) = (cell(from)?, cell(to)?);
        if !field.is_passable(start) {
            return Err(LevelPlanError::StartBlocked { at: from });
        }
        if !field.is_passable(goal) {
            return Err(LevelPlanError::GoalBlocked { at: to });
        }
        if !self.layer.can_stop(goal, agent) {
            return Err(LevelPlanError::GoalNoStop { at: to });
        }
        Ok((start, goal))
    }

    /// Whether all Derived data equal those that are made anew from the World data. For tests.
    #[must_use]
    pub fn is_as_rebuilt(&self) -> bool {
        let layer = self.layer.rebuilt();
        let sectors = Sectors::new(&layer, self.config.step_rule());
        let cells = self.atlas.size().rect().cells();
        let barred = cells.map(|at| self.bars.at(&self.map, &self.atlas, &self.decks, at));
        let bars_hold = self.layer.bars().is_empty() || barred.eq(self.layer.bars().iter().copied());
        let reaches = self.agents.iter().all(|of| of.reach == LevelReach::new(&sectors, &of.steps));
        bars_hold && reaches && layer.same_derived(&self.layer) && sectors == self.sectors
    }

    /// Bytes held by costs, and by all that is derived from them, without scratch.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let agents = self.agents.iter().map(|of| {
            let planes = of.planes.as_ref().map_or(0, WeightedPlanes::memory_bytes);
            of.steps.memory_bytes() + of.reach.memory_bytes() + planes
        });
        self.layer.memory_bytes()
            + self.layer.bars().len() * 4
            + self.sectors.memory_bytes()
            + self.atlas.memory_bytes()
            + agents.sum::<usize>()
    }

    /// The hash of everything that decides future answers.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        StateHash::builder()
            .part("clock", &self.now)
            .part("config", &self.config)
            .part("cost", &self.layer)
            .part("levels", &States(self))
            .finish()
    }
}

/// The states of decks and links, for the hash. The bars of cells are hashed with the costs.
struct States<'a>(&'a LevelNavigator);

impl HashState for States<'_> {
    fn hash_state(&self, hasher: &mut StateHasher) {
        for &deck in &self.0.decks {
            hasher.write_u8(deck as u8);
        }
        for &link in &self.0.links {
            hasher.write_u8(link as u8);
        }
    }
}
