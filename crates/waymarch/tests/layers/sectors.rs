//! Sectors: domains equal a flood fill over the whole map, through edits.

use std::collections::BTreeMap;

use waymarch::base::{Agent, CellPos, CellRect, Fixed, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, LocomotorDef, Map, Rules, Stamp, StampId, StepRule, Surface,
    SurfaceMask, TerrainDef, TerrainId,
};
use waymarch::query::{Goal, PlanError, Shape};
use waymarch::sectors::{Sectors, SnapScratch};
use waymarch_testkit::connectivity;
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

/// Asks for each cell whether it reaches the next cell, a cell beside its sector, and a random cell.
fn check_reachable(sectors: &Sectors, grid: GridSize, agent: Agent, truth: &[Option<usize>], what: &str) {
    let cells: Vec<CellPos> = grid.rect().cells().collect();
    for (number, &from) in cells.iter().enumerate() {
        for other in [number + 1, number + 9, (number + 1) * 7919] {
            let (other, to) = (other % cells.len(), cells[other % cells.len()]);
            let expected = truth[number].is_some() && truth[number] == truth[other];
            assert_eq!(sectors.reachable(from, to, agent), expected, "{what} {agent:?} {from} {to}");
        }
    }
}

/// Domains equal the twin's: the same cells have a domain, and two cells share one exactly if they do in the twin.
fn check(layer: &CostLayer, sectors: &Sectors, rule: StepRule, what: &str) {
    let grid = layer.grid();
    for agent in layer.agents() {
        let field = layer.field(agent).expect("an agent of the layer");
        let costs: Vec<u8> = grid.rect().cells().map(|at| field.cost(at)).collect();
        let truth = connectivity::domains(&costs, grid.width(), grid.height(), rule);
        check_reachable(sectors, grid, agent, &truth, what);
        let mut pairs = BTreeMap::new();
        for (at, expected) in grid.rect().cells().zip(truth) {
            let found = sectors.domain(at, agent);
            assert_eq!(found.is_some(), expected.is_some(), "{what} {rule:?} {agent:?} {at}");
            if let (Some(found), Some(expected)) = (found, expected) {
                let before = pairs.insert(found, expected);
                assert!(before.is_none_or(|before| before == expected), "{what} {rule:?} {agent:?} {at}");
            }
        }
        let different: std::collections::BTreeSet<_> = pairs.values().collect();
        assert_eq!(different.len(), pairs.len(), "{what} {rule:?} {agent:?}: one domain has two names");
        assert_eq!(sectors.domains(agent) as usize, pairs.len(), "{what} {rule:?} {agent:?}");
    }
}

fn settings(sector_size: u32) -> CostSettings {
    CostSettings { sector_size, ..CostSettings::default() }
}

#[test]
fn domains_are_what_a_flood_says_on_every_kind_of_map_and_rule() {
    let mut rng = SplitMix::new(1);
    for seed in 0..6 {
        let (width, height) = (1 + rng.below(150), 1 + rng.below(150));
        for (name, grid) in every_kind(seed, width, height) {
            let map = grid.to_map(name).validate().expect("legal");
            let layer = CostLayer::new(&map, settings(8 << rng.below(5)));
            for rule in RULES {
                check(&layer, &Sectors::new(&layer, rule), rule, name);
            }
        }
    }
}

/// Land, water and shallows for a soldier, a boat and a hovercraft, so that locomotors share zones.
fn archipelago(seed: u64, width: u32, height: u32) -> Map {
    let rules = Rules {
        normal: 1,
        terrains: vec![
            TerrainDef::new("land", Surface::Ground),
            TerrainDef::new("water", Surface::Water),
            TerrainDef::new("rock", Surface::Ground),
        ],
        locomotors: vec![
            LocomotorDef::new("foot", SurfaceMask::GROUND),
            LocomotorDef::new("boat", SurfaceMask::WATER),
            LocomotorDef::new("hover", SurfaceMask::GROUND.with(SurfaceMask::WATER)),
        ],
        costs: vec![vec![Some(1), None, Some(1)], vec![None, Some(1), Some(1)], vec![None, None, None]],
        speeds: Vec::new(),
    };
    let mut map = Map::flat("archipelago", GridSize::new(width, height).expect("legal"), rules);
    let (land, rock) = (Grid::caves(seed, width, height), Grid::scatter(seed, width, height, 60));
    for (at, terrain) in map.terrain.iter_mut().enumerate() {
        *terrain = match (land.cost[at], rock.cost[at]) {
            (_, 255) => TerrainId(2),
            (255, _) => TerrainId(1),
            _ => TerrainId(0),
        };
    }
    map
}

#[test]
fn domains_follow_walls_bridges_and_craters_and_equal_a_rebuild() {
    for (seed, rule) in (0..).zip(RULES) {
        let mut rng = SplitMix::new(seed);
        let (width, height) = if seed % 2 == 0 { (190, 83) } else { (70, 140) };
        let map = archipelago(seed, width, height).validate().expect("legal");
        let mut layer = CostLayer::new(&map, settings(8));
        let mut sectors = Sectors::new(&layer, rule);
        let mut standing: Vec<StampId> = Vec::new();
        let mut counts = Vec::new();
        for step in 0..80 {
            match rng.below(5) {
                0 if !standing.is_empty() => {
                    let id = standing.swap_remove(rng.below(standing.len() as u32) as usize);
                    layer.remove(id).expect("it stands");
                }
                1 => {
                    let at = cell(rng.below(width - 2) as i32, rng.below(height - 1) as i32);
                    layer
                        .set_terrain(CellRect::at(at, 3, 2), TerrainId(rng.below(3) as u8))
                        .expect("on the map");
                }
                _ => {
                    let (w, h) = match rng.below(3) {
                        0 => (1, 1 + rng.below(64)),
                        1 => (1 + rng.below(64), 1),
                        _ => (1 + rng.below(4), 1 + rng.below(4)),
                    };
                    let at = cell(rng.below(width - w + 1) as i32, rng.below(height - h + 1) as i32);
                    standing.push(layer.place(&Stamp::solid(w, h), at, Tick::ZERO).expect("it fits"));
                }
            }
            // Following several edits at once gives the same result as following each edit.
            if rng.chance(300) {
                continue;
            }
            sectors.follow(&layer);
            assert!(sectors == Sectors::new(&layer, rule), "{rule:?}, step {step}");
            if step % 8 < 2 {
                check(&layer, &sectors, rule, &format!("step {step}"));
            }
            counts.push(sectors.domains(LocomotorId(0)));
        }
        counts.dedup();
        assert!(counts.len() > 10, "domains were split and merged: {counts:?}");
    }
}

/// The walls of 0 A.D.'s tests, placed and removed one after the other.
#[test]
fn facts_of_another_engines_tests_hold_at_every_sector_size() {
    for side in [8, 16, 32, 64, 128] {
        let map = Grid::filled(240, 240, 1).to_map("open").validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings { sizes: vec![SizeClass::ONE], ..settings(side) });
        let mut sectors = Sectors::new(&layer, StepRule::default());
        let foot = Agent::from(LocomotorId(0));
        let wall = |layer: &mut CostLayer, sectors: &mut Sectors, at: CellPos, (w, h): (u32, u32)| {
            // Several pieces, because a stamp has at most 64 cells a side.
            let pieces = (0..h).step_by(60).map(|y| (y as i32, Stamp::solid(w, (h - y).min(60))));
            let place =
                |(y, piece): (i32, Stamp)| layer.place(&piece, at.offset(0, y), Tick::ZERO).expect("it fits");
            let ids: Vec<StampId> = pieces.map(place).collect();
            sectors.follow(layer);
            ids
        };
        let remove = |layer: &mut CostLayer, sectors: &mut Sectors, ids: Vec<StampId>| {
            ids.into_iter().for_each(|id| layer.remove(id).expect("it stands"));
            sectors.follow(layer);
        };
        assert_eq!(sectors.domains(foot), 1);
        let whole = wall(&mut layer, &mut sectors, cell(125, 0), (1, 240));
        assert_eq!(sectors.domains(foot), 2);
        assert!(!sectors.reachable(cell(20, 120), cell(170, 120), foot));
        assert_eq!(sectors.domain(cell(125, 7), foot), None);
        remove(&mut layer, &mut sectors, whole);
        assert_eq!(sectors.domains(foot), 1);
        wall(&mut layer, &mut sectors, cell(125, 120), (1, 30));
        wall(&mut layer, &mut sectors, cell(96, 70), (1, 130));
        wall(&mut layer, &mut sectors, cell(192, 70), (1, 130));
        assert_eq!(sectors.domains(foot), 1);
        wall(&mut layer, &mut sectors, cell(96, 110), (44, 1));
        wall(&mut layer, &mut sectors, cell(96, 140), (44, 1));
        let lid = wall(&mut layer, &mut sectors, cell(140, 110), (1, 31));
        assert_eq!(sectors.domains(foot), 2);
        assert!(!sectors.reachable(cell(120, 115), cell(5, 5), foot));
        remove(&mut layer, &mut sectors, lid);
        assert_eq!(sectors.domains(foot), 1);
        assert!(sectors.reachable(cell(120, 115), cell(5, 5), foot));
    }
}

#[test]
fn cells_off_the_map_and_unknown_agents_have_no_domain() {
    let map = Grid::filled(20, 20, 1).to_map("open").validate().expect("legal");
    let layer = CostLayer::new(&map, settings(8));
    let sectors = Sectors::new(&layer, StepRule::default());
    let foot = LocomotorId(0);
    for at in [cell(-1, 0), cell(0, 20), cell(i32::MAX, i32::MIN)] {
        assert_eq!(sectors.domain(at, foot), None);
        assert!(!sectors.reachable(at, cell(3, 3), foot));
    }
    assert_eq!(sectors.domain(cell(3, 3), LocomotorId(9)), None);
    assert!(!sectors.reachable(cell(3, 3), cell(3, 3), LocomotorId(9)));
}

fn random_goal(rng: &mut SplitMix, width: u32, height: u32) -> Goal {
    let mut at = || cell(rng.below(width) as i32, rng.below(height) as i32);
    let (a, b) = (at(), at());
    let (inner, wide) = (rng.below(9) as i32, rng.below(9) as i32);
    let ring =
        Shape::Ring { centre: a, inner: Fixed::from_cells(inner), outer: Fixed::from_cells(inner + wide) };
    match rng.below(7) {
        0 | 1 => Goal::point(a),
        2 => Goal::circle(a, Fixed::from_cells(wide)),
        3 => Goal::In(ring),
        4 => Goal::rect(CellRect::at(a, 1 + rng.below(9), 1 + rng.below(9))),
        5 => Goal::AnyOf(vec![Shape::Point(a), Shape::Point(b), ring]),
        _ => Goal::OutOf(Shape::Circle { centre: a, radius: Fixed::from_cells(wide) }),
    }
}

#[test]
fn snapped_ends_are_the_nearest_of_all_cells() {
    let mut rng = SplitMix::new(4);
    let mut scratch = SnapScratch::default();
    let (mut reached, mut missed, mut stuck) = (0, 0, 0);
    for seed in 0..10 {
        let (width, height) = (30 + rng.below(100), 30 + rng.below(100));
        let map = archipelago(seed, width, height).validate().expect("legal");
        let mut layer = CostLayer::new(&map, settings(8 << rng.below(3)));
        for _ in 0..6 {
            let at = cell(rng.below(width - 5) as i32, rng.below(height - 5) as i32);
            layer.place(&Stamp::solid(5, 5), at, Tick::ZERO).expect("it fits");
        }
        let sectors = Sectors::new(&layer, StepRule::default());
        for agent in layer.agents() {
            let cells: Vec<CellPos> = layer.grid().rect().cells().collect();
            for _ in 0..12 {
                let from = cells[rng.below(cells.len() as u32) as usize];
                let goal = random_goal(&mut rng, width, height);
                let leave = Goal::point(from);
                let open = cells.iter().filter(|&&at| sectors.domain(at, agent).is_some());
                let Some(&start) = open.min_by_key(|&&at| (leave.gap(at), at)) else {
                    let found = sectors.snap(&layer, from, &goal, agent, &mut scratch);
                    assert_eq!(found, Err(PlanError::StartBlocked { at: from }));
                    continue;
                };
                let found =
                    sectors.snap(&layer, from, &goal, agent, &mut scratch).expect("there is open ground");
                let there = cells
                    .iter()
                    .filter(|&&at| sectors.reachable(start, at, agent) && layer.can_stop(at, agent));
                // A unit that is already in its goal stays.
                let key = |&&at: &&CellPos| (goal.gap(at), goal.contains(start) && at != start, at);
                let end = there.min_by_key(key).expect("it can stop");
                assert_eq!(
                    (found.from, found.to, found.gap),
                    (start, *end, goal.gap(*end)),
                    "{agent:?} {from} {goal:?}"
                );
                reached += u32::from(found.gap == 0);
                missed += u32::from(found.gap > 0);
                stuck += u32::from(found.from != from);
            }
        }
    }
    assert!(reached > 100 && missed > 100 && stuck > 100, "{reached} {missed} {stuck}");
}

#[test]
fn what_cannot_be_snapped_says_why() {
    let map = Grid::filled(20, 20, 1).to_map("open").validate().expect("legal");
    let layer = CostLayer::new(&map, settings(8));
    let sectors = Sectors::new(&layer, StepRule::default());
    let ask = |from, goal: &Goal, locomotor| {
        sectors.snap(&layer, from, goal, locomotor, &mut SnapScratch::default())
    };
    let (here, foot) = (Goal::point(cell(3, 3)), LocomotorId(0));
    assert!(matches!(ask(cell(20, 3), &here, foot), Err(PlanError::OffMap { .. })));
    assert!(matches!(ask(cell(2, 3), &here, LocomotorId(7)), Err(PlanError::UnknownAgent(_))));
    assert!(matches!(ask(cell(2, 3), &Goal::AnyOf(vec![]), foot), Err(PlanError::Goal(_))));
    assert!(ask(cell(2, 3), &here, foot).is_ok_and(|snapped| snapped.gap == 0));
}

#[test]
fn sectors_catch_up_with_a_layer_whose_change_log_was_taken_by_another_reader() {
    let mut rng = SplitMix::new(8);
    let map = archipelago(3, 90, 90).validate().expect("legal");
    let mut layer = CostLayer::new(&map, settings(8));
    let mut sectors = Sectors::new(&layer, StepRule::default());
    for edits in [0, 1, 20, 3000] {
        for _ in 0..edits {
            let at = cell(rng.below(88) as i32, rng.below(89) as i32);
            layer.set_terrain(CellRect::at(at, 3, 2), TerrainId(rng.below(3) as u8)).expect("on the map");
            layer.take_changes(&mut Vec::new());
        }
        sectors.follow(&layer);
        assert!(sectors == Sectors::new(&layer, StepRule::default()), "{edits} edits");
    }
}
