//! Overlays that read the whole map: portals, passages, a search, a field to a goal.
//! On a huge map that takes seconds, so a thread of its own draws them from a copy of the ground.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use waymarch::base::{Agent, CellPos};
use waymarch::config::ValidConfig;
use waymarch::cost::CostLayer;
use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
use waymarch::passages::Passages;
use waymarch::query::{Goal, PathQuery, Threat};
use waymarch::search::{
    JumpPlanes, Recorder, Route, SearchEvent, SearchRun, SearchScratch, WeightedPlanes, WeightedSearch,
    astar_with, jps_with, jpsw_with,
};
use waymarch::sectors::Doors;
use waymarch::world::PlannerChoice;

use super::{Line, OverlayGrid};
use crate::outbox::{Outbox, Outgoing};

/// Overlays of maps with more than 1024 × 1024 cells are drawn in the background.
const MAX_CELLS: usize = 1024 * 1024;
/// At most 100,000 events of a search are shown.
const MAX_EVENTS: usize = 100_000;

/// Which whole-map overlay is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WholeMapKind {
    Portals,
    Passages,
    Search,
    Flow,
    Integration,
}

/// Scratch: a whole-map overlay that is to be drawn, with everything it needs except the ground.
#[derive(Clone, Debug)]
pub(crate) struct WholeMapOverlay {
    pub(crate) kind: WholeMapKind,
    pub(crate) agent: Agent,
    pub(crate) config: ValidConfig,
    /// The planner that the engine would choose for the agent.
    pub(crate) planner: PlannerChoice,
    /// The unit's cell and the last cell of its route, if the unit has a route.
    pub(crate) ends: Option<(CellPos, CellPos)>,
    pub(crate) grid: OverlayGrid,
}

impl WholeMapOverlay {
    /// The `WMO1` message. Cost: at worst linear in the map's cells.
    pub(crate) fn draw(&self, layer: &CostLayer) -> Vec<u8> {
        match self.kind {
            WholeMapKind::Portals => self.portals(layer),
            WholeMapKind::Passages => self.passages(layer),
            WholeMapKind::Search => self.search(layer),
            WholeMapKind::Flow => {
                let field = self.field(layer);
                self.grid.arrows(|at| match field.as_ref().map(|field| field.direction(at)) {
                    Some(Flow::Step(dir)) => dir.index(),
                    Some(Flow::Goal) => 8,
                    _ => 255,
                })
            }
            WholeMapKind::Integration => {
                let field = self.field(layer);
                // 1024 is the cost of a straight step onto a cell of cost 1.
                let cells = |cost: u64| (cost >> 10).min(u64::from(u32::MAX)) as u32;
                self.grid.heat(|at| field.as_ref()?.cost_to_goal(at).map(|cost| cells(cost.0)))
            }
        }
    }

    /// The doors between sectors. At lower resolution only main doors are sent, because all doors together would cover the map.
    fn portals(&self, layer: &CostLayer) -> Vec<u8> {
        let doors = Doors::new(layer, self.agent, self.config.step_rule(), Threat::Ignore);
        let Ok(doors) = doors else { return self.grid.lines(&[]) };
        let middle = |at: CellPos| [at.centre().x.raw(), at.centre().y.raw()];
        let main: std::collections::BTreeSet<_> = doors.main_pairs().collect();
        let area = self.grid.area;
        let wanted = |pair: &(CellPos, CellPos)| {
            (area.contains(pair.0) || area.contains(pair.1))
                && (self.grid.is_full_resolution() || main.contains(pair))
        };
        let line = |pair: (CellPos, CellPos)| -> Line {
            (if main.contains(&pair) { 3 } else { 4 }, vec![middle(pair.0), middle(pair.1)])
        };
        self.grid.lines(&doors.pairs().filter(wanted).map(line).collect::<Vec<_>>())
    }

    /// The narrow cells of the map: a number per passage, and one per junction.
    fn passages(&self, layer: &CostLayer) -> Vec<u8> {
        let Ok(passages) = Passages::new(layer, self.agent, self.config.step_rule()) else {
            return self.grid.areas(|_| None);
        };
        self.grid.areas(|at| {
            let own = || layer.grid().id(at).filter(|_| passages.is_narrow(at));
            passages.at(at).map(|passage| passage.id.0).or_else(own).map(|cell| cell.0)
        })
    }

    /// Repeats the search for the unit's route from its present cell, with the planner that the engine would choose.
    fn search(&self, layer: &CostLayer) -> Vec<u8> {
        let Some((from, to)) = self.ends else { return self.grid.cells(&[]) };
        let mut recorder = Recorder::with_limit(MAX_EVENTS);
        self.watch(layer, &PathQuery::new(from, to, self.agent), &mut recorder);
        let cells = recorder.events().iter().map(|event| match *event {
            SearchEvent::Begin { from, .. } => (from, 3),
            SearchEvent::Expand(node) => (node.at, 1),
            SearchEvent::Reach(node, _) if node.jump().is_some() => (node.at, 2),
            SearchEvent::Reach(node, _) => (node.at, 0),
        });
        self.grid.cells(&cells.chain([(to, 4)]).collect::<Vec<_>>())
    }

    /// Runs the search and records its events. A search that fails is recorded as far as it went.
    fn watch(&self, layer: &CostLayer, query: &PathQuery, recorder: &mut Recorder) {
        let rule = self.config.step_rule();
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        let done = match (self.planner, layer.field(query.agent)) {
            (PlannerChoice::JpsPlus, Some(field)) => jps_with(
                layer,
                query,
                &JumpPlanes::full(field),
                SearchRun { scratch: &mut scratch, out: &mut route, probe: recorder },
            ),
            (PlannerChoice::Jps, Some(field)) => jps_with(
                layer,
                query,
                &JumpPlanes::straight(field),
                SearchRun { scratch: &mut scratch, out: &mut route, probe: recorder },
            ),
            (PlannerChoice::Jpsw, Some(_)) => WeightedPlanes::new(layer, query.agent, rule, Threat::Ignore)
                .and_then(|planes| {
                    let how = WeightedSearch::new(&planes).with_quality(self.config.quality());
                    jpsw_with(
                        layer,
                        query,
                        &how,
                        SearchRun { scratch: &mut scratch, out: &mut route, probe: recorder },
                    )
                }),
            _ => astar_with(
                layer,
                query,
                rule,
                SearchRun { scratch: &mut scratch, out: &mut route, probe: recorder },
            ),
        };
        let _ = done;
    }

    /// A flow field to the unit's goal.
    fn field(&self, layer: &CostLayer) -> Option<WholeField> {
        let key = FieldKey::new(self.agent, Goal::point(self.ends?.1));
        WholeField::new(layer, &key, self.config.step_rule(), Keep::Costs, &mut WholeScratch::new()).ok()
    }
}

/// Derived: a copy of the ground for the background thread, and whether that thread is at work.
///
/// *Invariant:* one overlay at a time is drawn, whatever the number of pages. A picture that was begun for another world is thrown away.
#[derive(Debug, Default)]
pub(crate) struct BackgroundDrawer {
    copy: Option<([u64; 2], Arc<CostLayer>)>,
    busy: Arc<AtomicBool>,
}

impl BackgroundDrawer {
    /// Whether the map is too large to draw an overlay between two ticks.
    pub(crate) fn is_needed(layer: &CostLayer) -> bool {
        layer.grid().cells() > MAX_CELLS
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Draws on a new thread and sends the message. `version` differs whenever the ground differs.
    pub(crate) fn draw(
        &mut self,
        layer: &CostLayer,
        version: [u64; 2],
        overlay: WholeMapOverlay,
        to: Outbox,
    ) {
        let copy = match self.copy.take() {
            Some((known, copy)) if known == version => copy,
            _ => Arc::new(layer.clone()),
        };
        self.copy = Some((version, Arc::clone(&copy)));
        self.busy.store(true, Ordering::Release);
        let busy = Arc::downgrade(&self.busy);
        std::thread::spawn(move || {
            let bytes = overlay.draw(&copy);
            drop(copy);
            // The session may play another game by now; then nothing is sent.
            if let Some(busy) = busy.upgrade() {
                let _ = to.send(Outgoing::Binary(Bytes::from(bytes)));
                busy.store(false, Ordering::Release);
            }
        });
    }

    /// Frees the copy of the ground: no page shows an overlay that needs it.
    pub(crate) fn drop_copy(&mut self) {
        self.copy = None;
    }
}
