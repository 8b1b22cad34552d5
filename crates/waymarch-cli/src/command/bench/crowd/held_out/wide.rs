//! Scenes with crossings, pillars and generated maps.

use waymarch::base::{Agent, CellPos, GridSize, LocomotorId, Purpose, Rng, Tick, cell};
use waymarch::config::Config;
use waymarch::world::Navigator;
use waymarch_maps::generate::{GenerateOptions, Landform, generate};

use super::draft::{Block, Draft};

/// Two streets of 8 cells that cross, with a group at each end.
pub(super) fn crossroads() -> Draft {
    let ends = [[6.0, 30.0], [54.0, 30.0], [30.0, 6.0], [30.0, 54.0]];
    let streets = Draft::solid(60, 60).clear([1, 26, 59, 34]).clear([26, 1, 34, 59]);
    ends.iter().fold(streets, |draft, &[x, y]| {
        let (columns, rows) = if y == 30.0 { (4, 6) } else { (6, 4) };
        draft.send(Block::new([x, y], columns, rows), [60.0 - x, 60.0 - y])
    })
}

/// Three groups whose routes cross at one point, at angles of 120 degrees.
pub(super) fn three_ways() -> Draft {
    let groups = (0..3).map(|number| 120.0 * f64::from(number));
    groups.fold(Draft::field(80, 80), |draft, turn| {
        let (sin, cos) = turn.to_radians().sin_cos();
        let block = Block { spacing: 1.2, turn, ..Block::new([40.0 - 24.0 * cos, 40.0 - 24.0 * sin], 5, 8) };
        draft.send(block, [40.0 + 24.0 * cos, 40.0 + 24.0 * sin])
    })
}

/// Random pillars of 1×1 and 2×2 cells, at least 2 cells apart.
pub(super) fn pillars() -> Draft {
    let mut random = Rng::keyed(9, Tick::ZERO, 0, Purpose(9));
    let mut draft = Draft::field(90, 50);
    for _ in 0..600 {
        let side = 1 + random.below(2) as i32;
        let (x, y) = (25 + random.below(40) as i32, 2 + random.below(45) as i32);
        let around = (y - 2..y + side + 2).flat_map(|y| (x - 2..x + side + 2).map(move |x| cell(x, y)));
        if !around.into_iter().any(|at| draft.is_closed(at)) {
            draft = draft.wall([x, y, x + side, y + side]);
        }
    }
    draft.send(Block::new([12.0, 25.0], 12, 10), [78.0, 25.0])
}

pub(super) fn coast() -> Draft {
    generated(11, Landform::Coast)
}

pub(super) fn inland() -> Draft {
    generated(12, Landform::Inland)
}

/// Two groups of 60 units exchange the player starts of a generated map. Cells that are impassable on foot are walls; all others have
/// the same cost.
fn generated(seed: u64, landform: Landform) -> Draft {
    const SIDE: u32 = 96;
    let empty = || Draft::field(SIDE as i32, SIDE as i32);
    let Ok(size) = GridSize::new(SIDE, SIDE) else { return empty() };
    let options = GenerateOptions { players: Some(2), ..GenerateOptions::for_landform(landform) };
    let map = generate(seed, size, &options);
    let starts = map.starts.clone();
    let Ok(nav) = Navigator::new(map, Config::default()) else { return empty() };
    let agent = Agent::from(LocomotorId(0));
    let mut draft = empty();
    for y in 0..SIDE as i32 {
        for x in 0..SIDE as i32 {
            let open = nav.layer().field(agent).is_some_and(|field| field.is_passable(cell(x, y)));
            if !open {
                draft = draft.wall([x, y, x + 1, y + 1]);
            }
        }
    }
    let camp = |start: CellPos| {
        let mut around: Vec<CellPos> = (-12..=12)
            .flat_map(|y| (-12..=12).map(move |x| start.offset(x, y)))
            .filter(|&at| !draft.is_closed(at) && nav.reachable(start, at, agent))
            .collect();
        let apart = |at: &CellPos| (at.x - start.x).pow(2) + (at.y - start.y).pow(2);
        around.sort_by_key(|at| (apart(at), at.y, at.x));
        around.truncate(60);
        around.into_iter().map(|at| [f64::from(at.x) + 0.5, f64::from(at.y) + 0.5]).collect::<Vec<_>>()
    };
    let [Some(one), Some(two)] = [starts.first(), starts.get(1)].map(|start| start.map(|&start| camp(start)))
    else {
        return draft;
    };
    let there: Vec<_> = one.iter().copied().zip(two.iter().copied()).collect();
    let back: Vec<_> = there.iter().map(|&(at, goal)| (goal, at)).collect();
    draft.group(0.4, there.into_iter()).group(0.4, back.into_iter())
}
