//! A workload for an instruction counter: flow fields, tiles and headings on generated maps.
//!
//! ```sh
//! cargo build --release -p waymarch-maps --example flow_counts
//! for rounds in 1 11; do
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/flow_counts whole 256 uniform $rounds
//! done
//! ```
//!
//! Prints the amount of work done. Divide the difference of two instruction counts by the difference of two amounts to get the cost of one piece.

use std::error::Error;

use waymarch::base::{Agent, CellPos, Fixed, GridSize, LocomotorId, Vec2};
use waymarch::cost::{CostLayer, CostSettings, IMPASSABLE, StepRule};
use waymarch::flow::tiles::{Breadth, FlowTarget, Heading, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeScratch};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_maps::generate::{GenerateOptions, generate};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, side, ground, rounds] = &words[..] else {
        return Err("usage: flow_counts whole|tile|heading SIDE uniform|weighted ROUNDS".into());
    };
    let (side, rounds): (u32, usize) = (side.parse()?, rounds.parse()?);
    let mut map = generate(1, GridSize::new(side, side)?, &GenerateOptions::default());
    if ground == "uniform" {
        map.elevation.clear();
        let normal = map.rules.normal;
        let costs = map.rules.costs.iter_mut().flatten().flatten();
        costs.filter(|cost| **cost != IMPASSABLE).for_each(|cost| *cost = normal);
    }
    let layer = CostLayer::new(&map.validate()?, CostSettings::default());
    let agent = Agent::from(LocomotorId(0));
    let field = layer.field(agent).ok_or("no such agent")?;
    let open: Vec<CellPos> = layer.grid().rect().cells().filter(|&at| field.is_passable(at)).collect();
    let spots = |first: usize| open.iter().copied().cycle().skip(first).step_by(open.len() / 13 + 1);
    let pieces = match what.as_str() {
        "whole" => whole(&layer, agent, spots(open.len() / 3).take(rounds))?,
        "tile" => tiles(&layer, agent, spots(0).zip(spots(open.len() / 2)), rounds)?,
        "heading" => headings(&layer, agent, (open[0], open[open.len() - 1]), &open, rounds)?,
        _ => return Err("whole, tile or heading".into()),
    };
    println!("{pieces}");
    Ok(())
}

/// Computes whole-map fields one after the other in the same memory.
fn whole(
    layer: &CostLayer,
    agent: Agent,
    goals: impl Iterator<Item = CellPos>,
) -> Result<u64, Box<dyn Error>> {
    let (mut scratch, mut field, mut made) = (WholeScratch::new(), None::<WholeField>, 0);
    for goal in goals {
        let key = FieldKey::new(agent, goal);
        match &mut field {
            None => {
                field = Some(WholeField::new(layer, &key, StepRule::default(), Keep::Costs, &mut scratch)?);
            }
            Some(field) => field.retarget(layer, &key, &mut scratch)?,
        }
        made += 1;
    }
    Ok(made)
}

/// Opens and finishes flows one after the other; returns the number of tiles.
fn tiles(
    layer: &CostLayer,
    agent: Agent,
    ends: impl Iterator<Item = (CellPos, CellPos)>,
    rounds: usize,
) -> Result<u64, Box<dyn Error>> {
    let rule = StepRule::default();
    let doors = Doors::new(layer, agent, rule, Threat::Ignore)?;
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let mut flows = TileFlows::new(layer, rule, TileSettings::default());
    let mut routes = Vec::new();
    // The number of routes does not depend on the rounds, because routes are not what is counted.
    for (from, to) in ends.take(26) {
        if doors.route(layer, from, to, &mut scratch, &mut route) {
            routes.push((to, route.clone()));
        }
    }
    for (to, route) in routes.iter().cycle().take(rounds) {
        let id = flows.open(layer, FlowTarget::new(agent, *to))?;
        flows.widen(layer, id, route, Breadth::Around);
        flows.finish(layer, id);
        flows.close(id);
    }
    Ok(flows.work().integrated)
}

/// A thousand headings per round, at positions all over one flow's corridor.
fn headings(
    layer: &CostLayer,
    agent: Agent,
    (from, to): (CellPos, CellPos),
    open: &[CellPos],
    rounds: usize,
) -> Result<u64, Box<dyn Error>> {
    let rule = StepRule::default();
    let doors = Doors::new(layer, agent, rule, Threat::Ignore)?;
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    doors.route(layer, from, to, &mut scratch, &mut route);
    let mut flows = TileFlows::new(layer, rule, TileSettings { capacity: 1000, ..TileSettings::default() });
    let id = flows.open(layer, FlowTarget::new(agent, to))?;
    flows.widen(layer, id, &route, Breadth::Around);
    flows.finish(layer, id);
    let mut reader = TileReader::new();
    let mut heads = |at: Vec2| !matches!(flows.heading(layer, id, at, &mut reader), Heading::Nowhere(_));
    let places: Vec<Vec2> = open
        .iter()
        .enumerate()
        .map(|(n, at)| {
            let centre = at.centre();
            let within = |axis: Fixed, by: usize| Fixed::from_raw(axis.raw() - 512 + (by % 1024) as i32);
            Vec2 { x: within(centre.x, n * 37), y: within(centre.y, n * 101) }
        })
        .filter(|&at| heads(at))
        .collect();
    let asked = places.iter().cycle().step_by(7).take(1000 * rounds);
    Ok(asked.filter(|&&at| heads(at)).count() as u64)
}
