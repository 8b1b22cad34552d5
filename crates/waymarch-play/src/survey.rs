//! Overlays that look at much of the map: doors, a search, a field to a goal. On huge maps that takes seconds, so it is done beside the
//! game, on a copy of its ground.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use waymarch::base::{Agent, CellPos};
use waymarch::config::ValidConfig;
use waymarch::cost::CostLayer;
use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
use waymarch::query::{Goal, PathQuery, Threat};
use waymarch::search::{
    JumpPlanes, Recorder, Route, SearchEvent, SearchScratch, WeightedPlanes, WeightedSearch, astar_with,
    jps_with, jpsw_with,
};
use waymarch::sectors::Doors;
use waymarch::world::PlannerChoice;

use crate::outbox::{Outbox, Post};
use crate::paper::{Line, Paper};

/// Maps with more cells are looked at beside the game.
const MAX_CELLS: usize = 1024 * 1024;
/// At most so many events of a search are shown.
const MAX_EVENTS: usize = 100_000;

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    Portals,
    Search,
    Flow,
    Integration,
}

/// Scratch: an overlay that is to be drawn, with all it takes but the ground.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub(crate) look: Look,
    pub(crate) agent: Agent,
    pub(crate) config: ValidConfig,
    /// The search that the engine would choose.
    pub(crate) planner: PlannerChoice,
    /// Where the unit is and where it goes, if there is one that goes somewhere.
    pub(crate) ends: Option<(CellPos, CellPos)>,
    pub(crate) paper: Paper,
}

impl Survey {
    /// The message. Cost: linear in the map's cells at worst.
    pub(crate) fn draw(&self, layer: &CostLayer) -> Vec<u8> {
        match self.look {
            Look::Portals => self.portals(layer),
            Look::Search => self.search(layer),
            Look::Flow => {
                let field = self.field(layer);
                self.paper.arrows(|at| match field.as_ref().map(|field| field.direction(at)) {
                    Some(Flow::Step(dir)) => dir.index(),
                    Some(Flow::Goal) => 8,
                    _ => 255,
                })
            }
            Look::Integration => {
                let field = self.field(layer);
                // In whole cells of the cheapest ground.
                let cells = |cost: u64| (cost >> 10).min(u64::from(u32::MAX)) as u32;
                self.paper.heat(|at| field.as_ref()?.cost_to_goal(at).map(|cost| cells(cost.0)))
            }
        }
    }

    /// From afar only main doors: all of them would be one blot.
    fn portals(&self, layer: &CostLayer) -> Vec<u8> {
        let doors = Doors::new(layer, self.agent, self.config.step_rule(), Threat::Ignore);
        let Ok(doors) = doors else { return self.paper.lines(&[]) };
        let middle = |at: CellPos| [at.centre().x.raw(), at.centre().y.raw()];
        let main: std::collections::BTreeSet<_> = doors.main_pairs().collect();
        let area = self.paper.area;
        let wanted = |pair: &(CellPos, CellPos)| {
            (area.contains(pair.0) || area.contains(pair.1)) && (self.paper.is_fine() || main.contains(pair))
        };
        let line = |pair: (CellPos, CellPos)| -> Line {
            (if main.contains(&pair) { 3 } else { 4 }, vec![middle(pair.0), middle(pair.1)])
        };
        self.paper.lines(&doors.pairs().filter(wanted).map(line).collect::<Vec<_>>())
    }

    /// The question of a unit's way, asked again from where it is, by the search that the engine would choose for it.
    fn search(&self, layer: &CostLayer) -> Vec<u8> {
        let Some((from, to)) = self.ends else { return self.paper.cells(&[]) };
        let mut recorder = Recorder::with_limit(MAX_EVENTS);
        self.watch(layer, &PathQuery::new(from, to, self.agent), &mut recorder);
        let cells = recorder.events().iter().map(|event| match *event {
            SearchEvent::Begin { from, .. } => (from, 3),
            SearchEvent::Expand(node) => (node.at, 1),
            SearchEvent::Reach(node, _) if node.jump().is_some() => (node.at, 2),
            SearchEvent::Reach(node, _) => (node.at, 0),
        });
        self.paper.cells(&cells.chain([(to, 4)]).collect::<Vec<_>>())
    }

    /// Searches with somebody watching. A question without an answer is watched as far as it goes.
    fn watch(&self, layer: &CostLayer, query: &PathQuery, recorder: &mut Recorder) {
        let rule = self.config.step_rule();
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        let done = match (self.planner, layer.field(query.agent)) {
            (PlannerChoice::JpsPlus, Some(field)) => {
                jps_with(layer, query, &JumpPlanes::full(field), &mut scratch, &mut route, recorder)
            }
            (PlannerChoice::Jps, Some(field)) => {
                jps_with(layer, query, &JumpPlanes::straight(field), &mut scratch, &mut route, recorder)
            }
            (PlannerChoice::Jpsw, Some(_)) => WeightedPlanes::new(layer, query.agent, rule, Threat::Ignore)
                .and_then(|planes| {
                    let how = WeightedSearch::new(&planes).with_quality(self.config.quality());
                    jpsw_with(layer, query, &how, &mut scratch, &mut route, recorder)
                }),
            _ => astar_with(layer, query, rule, &mut scratch, &mut route, recorder),
        };
        let _ = done;
    }

    /// A field to where the unit goes.
    fn field(&self, layer: &CostLayer) -> Option<WholeField> {
        let key = FieldKey::new(self.agent, Goal::point(self.ends?.1));
        WholeField::new(layer, &key, self.config.step_rule(), Keep::Costs, &mut WholeScratch::new()).ok()
    }
}

/// Derived: the copy of the ground that is drawn from beside the game, and whether somebody draws.
///
/// *Invariant:* one drawing at a time, whatever the number of pages; what was begun for another world is thrown away.
#[derive(Debug, Default)]
pub(crate) struct Surveyor {
    copy: Option<([u64; 2], Arc<CostLayer>)>,
    busy: Arc<AtomicBool>,
}

impl Surveyor {
    /// Whether a map takes too long to look at between two ticks.
    pub(crate) fn is_needed(layer: &CostLayer) -> bool {
        layer.grid().cells() > MAX_CELLS
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Draws on a thread of its own, and sends it. `version` is another number whenever the ground is another.
    pub(crate) fn draw(&mut self, layer: &CostLayer, version: [u64; 2], survey: Survey, to: Outbox) {
        let copy = match self.copy.take() {
            Some((known, copy)) if known == version => copy,
            _ => Arc::new(layer.clone()),
        };
        self.copy = Some((version, Arc::clone(&copy)));
        self.busy.store(true, Ordering::Release);
        let busy = Arc::downgrade(&self.busy);
        std::thread::spawn(move || {
            let bytes = survey.draw(&copy);
            drop(copy);
            // Whoever waited for it may play another game by now, or be gone.
            if let Some(busy) = busy.upgrade() {
                let _ = to.send(Post::Binary(Bytes::from(bytes)));
                busy.store(false, Ordering::Release);
            }
        });
    }

    /// Nobody looks any more: the copy is big.
    pub(crate) fn forget(&mut self) {
        self.copy = None;
    }
}
