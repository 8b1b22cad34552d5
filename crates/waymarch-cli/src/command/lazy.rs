//! `waymarch render --layer lazy`: a lazy field after a few questions.

use waymarch::base::{CellPos, Dir8};
use waymarch::cost::Neighbours;
use waymarch::flow::lazy::{LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround};

use crate::diagnostics::{Failure, Kind};
use crate::scene::Scene;

/// A flow that was asked, and the ways it gave.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) flow: LazyFlow,
    pub(super) goal: CellPos,
    pub(super) ways: Vec<Vec<CellPos>>,
}

/// The map laid into a closed world without edges, asked for the way to `goal` from a few places: `start` if there is one, else
/// some a sixth to a quarter of the map away, so that there is a frontier to see.
pub(super) fn ask(scene: &Scene, goal: CellPos, start: Option<CellPos>) -> Result<Asked, Failure> {
    let field = scene.field()?;
    let mut ground = SparseGround::closed();
    for at in field.grid().rect().cells() {
        ground.set_cost(at, field.cost(at));
    }
    let steps = match scene.config.get().neighbours {
        Neighbours::Four => LazySteps::FourUniform,
        Neighbours::Eight => LazySteps::EightWeighted,
    };
    let settings = LazySettings { steps, expansion_buffer: 10, ..LazySettings::default() };
    let settings =
        settings.validate().map_err(|error| Failure::new(Kind::Invalid, format!("lazy fields: {error}")))?;
    let mut flow = LazyFlow::new(ground, settings);
    let mut ways = Vec::new();
    for from in start.map_or_else(|| places_around(scene, goal), |start| vec![start]) {
        if let Some(way) = follow(&mut flow, from, goal) {
            ways.push(way);
        }
    }
    if flow.field(goal).is_none() {
        let message = format!("no cell that can reach {goal} was found to ask from");
        return Err(Failure::new(Kind::NoRoute, message).help("name two open cells with --from and --to"));
    }
    Ok(Asked { flow, goal, ways })
}

/// Open cells to ask from, in three directions.
fn places_around(scene: &Scene, goal: CellPos) -> Vec<CellPos> {
    let grid = scene.layer.grid();
    let side = grid.width().min(grid.height()) as i32;
    let places = [(Dir8::W, side / 6), (Dir8::SE, side / 7), (Dir8::N, side / 4)].map(|(dir, far)| {
        // The first open one from there on towards the goal.
        let towards = (0..=far).rev().map(|far| goal.offset(dir.dx() * far, dir.dy() * far));
        towards.into_iter().find(|&at| at != goal && scene.field().is_ok_and(|field| field.is_passable(at)))
    });
    places.into_iter().flatten().collect()
}

/// The cells that the answers lead past, or `None` if they do not lead there.
fn follow(flow: &mut LazyFlow, start: CellPos, goal: CellPos) -> Option<Vec<CellPos>> {
    let mut way = vec![start];
    loop {
        let at = *way.last()?;
        match flow.get_direction(at, goal) {
            LazyAnswer::Go(dir) => way.push(at.step(dir)),
            LazyAnswer::Arrived => return Some(way),
            LazyAnswer::Unreachable | LazyAnswer::Unknown => return None,
        }
    }
}
