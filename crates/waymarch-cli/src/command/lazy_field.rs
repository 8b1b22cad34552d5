//! `waymarch render --layer lazy`: a lazy flow field after a few queries.

use waymarch::base::{CellPos, Dir8};
use waymarch::cost::Neighbours;
use waymarch::flow::lazy::{LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround};

use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;

/// A lazy flow after its queries, and the routes that it gave.
#[derive(Debug)]
pub(super) struct QueriedFlow {
    pub(super) flow: LazyFlow,
    pub(super) goal: CellPos,
    pub(super) routes: Vec<Vec<CellPos>>,
}

/// Queries a lazy flow for routes to `goal`, so that its frontier can be drawn. The routes start at `start`, or else at up to three
/// cells between a seventh and a quarter of the map away. Cells off the map are closed.
///
/// # Errors
/// If no route to the goal was found.
pub(super) fn ask(setup: &MapSetup, goal: CellPos, start: Option<CellPos>) -> Result<QueriedFlow, Failure> {
    let field = setup.field()?;
    let mut ground = SparseGround::closed();
    for at in field.grid().rect().cells() {
        ground.set_cost(at, field.cost(at));
    }
    let steps = match setup.config.get().neighbours {
        Neighbours::Four => LazySteps::FourUniform,
        Neighbours::Eight => LazySteps::EightWeighted,
    };
    let settings = LazySettings { steps, expansion_buffer: 10, ..LazySettings::default() };
    let settings = settings
        .validate()
        .map_err(|error| Failure::new(Kind::Invalid, format!("settings of lazy fields: {error}")))?;
    let mut flow = LazyFlow::new(ground, settings);
    let mut routes = Vec::new();
    for from in start.map_or_else(|| starts_around(setup, goal), |start| vec![start]) {
        if let Some(route) = follow(&mut flow, from, goal) {
            routes.push(route);
        }
    }
    if flow.field(goal).is_none() {
        let message = format!("found no start from which {goal} can be reached");
        return Err(Failure::new(Kind::NoRoute, message).help("give two open cells with --from and --to"));
    }
    Ok(QueriedFlow { flow, goal, routes })
}

/// Open cells to start from: west, south-east and north of the goal.
fn starts_around(setup: &MapSetup, goal: CellPos) -> Vec<CellPos> {
    let grid = setup.layer.grid();
    let side = grid.width().min(grid.height()) as i32;
    let places = [(Dir8::W, side / 6), (Dir8::SE, side / 7), (Dir8::N, side / 4)].map(|(dir, far)| {
        // The first open cell from there towards the goal.
        let towards = (0..=far).rev().map(|far| goal.offset(dir.dx() * far, dir.dy() * far));
        towards.into_iter().find(|&at| at != goal && setup.field().is_ok_and(|field| field.is_passable(at)))
    });
    places.into_iter().flatten().collect()
}

/// The cells from `start` to `goal` as the flow leads; `None` if it does not lead there.
fn follow(flow: &mut LazyFlow, start: CellPos, goal: CellPos) -> Option<Vec<CellPos>> {
    let mut route = vec![start];
    loop {
        let at = *route.last()?;
        match flow.get_direction(at, goal) {
            LazyAnswer::Go(dir) => route.push(at.step(dir)),
            LazyAnswer::Arrived => return Some(route),
            LazyAnswer::Unreachable | LazyAnswer::Unknown => return None,
        }
    }
}
