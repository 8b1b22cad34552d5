//! Passages: equal to a slow twin on every kind of map, and to a rebuild after every edit.

use waymarch::base::{Agent, CellPos, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, Stamp, StepRule};
use waymarch::passages::{Beyond, Passage, PassageId, Passages};
use waymarch::query::{PlanError, Threat};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::passages::Ground;
use waymarch_testkit::picture::Picture;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::{costs_of, layer};

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

fn agent(side: u8) -> Agent {
    Agent { locomotor: LocomotorId(0), size: SizeClass::new(side).expect("a legal size") }
}

/// Compares narrow cells, passages, mouths and cell counts with the twin.
fn check(layer: &CostLayer, passages: &Passages, rule: StepRule, what: &str) {
    let side = passages.agent().size.side();
    let (single, own) =
        (costs_of(layer, agent(1), Threat::Ignore), costs_of(layer, passages.agent(), Threat::Ignore));
    let size = (layer.grid().width(), layer.grid().height());
    let ground =
        Ground { single: &single.cost, own: &own.cost, size, side: i32::from(side), rule: rule.into() };
    let names = ground.passages();
    for (at, name) in ground.cells().zip(&names) {
        let here = cell(at.0, at.1);
        assert_eq!(passages.is_narrow(here), ground.is_narrow(at), "{what} {rule:?} size {side}: {here}");
        let found = passages.at(here).map(|passage| passage.id.0.index());
        assert_eq!(found, *name, "{what} {rule:?} size {side}: {here}");
    }
    for passage in passages.iter() {
        let name = passage.id.0.index();
        let cells = names.iter().filter(|other| **other == Some(name)).count();
        assert_eq!(passage.cells as usize, cells, "{what}: {passage:?}");
        assert_eq!(passages.cells_of(passage).count(), cells, "{what}: {passage:?}");
        assert!(passage.length >= 1 && passage.length <= passage.cells, "{what}: {passage:?}");
        let mouths = ground.mouths(&names, name);
        assert_eq!(passage.mouths.len(), mouths.len(), "{what} {rule:?}: {passage:?} {mouths:?}");
        for (mouth, group) in passage.mouths.iter().zip(&mouths) {
            assert_eq!((mouth.outside.x, mouth.outside.y), group[0], "{what}: {passage:?}");
            assert_eq!(mouth.width as usize, group.len(), "{what} {rule:?}: {passage:?} {mouths:?}");
            assert_eq!(mouth.beyond == Beyond::Junction, ground.is_narrow(group[0]), "{what}: {passage:?}");
            assert_eq!(passages.at(mouth.inside).map(|inside| inside.id), Some(passage.id), "{what}");
        }
    }
}

fn all(passages: &Passages) -> Vec<Passage> {
    passages.iter().cloned().collect()
}

#[test]
fn passages_equal_the_twins_on_every_kind_of_map_rule_and_size() {
    let mut rng = SplitMix::new(5);
    for seed in 0..3 {
        let (width, height) = (1 + rng.below(90), 1 + rng.below(70));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid, 16);
            for side in 1..=3 {
                let rule = rng.pick(&RULES);
                let passages = Passages::new(&layer, agent(side), rule).expect("an agent of the layer");
                check(&layer, &passages, rule, name);
            }
        }
    }
}

#[test]
fn passages_that_follow_edits_equal_a_rebuild() {
    let mut rng = SplitMix::new(11);
    for seed in 0..4 {
        let (width, height) = (20 + rng.below(90), 20 + rng.below(70));
        for (name, grid) in every_kind(seed, width, height) {
            let mut layer = layer(&grid, 16);
            let (side, rule) = (1 + rng.below(3) as u8, rng.pick(&RULES));
            let mut passages = Passages::new(&layer, agent(side), rule).expect("an agent of the layer");
            let mut placed = Vec::new();
            for edit in 0..30 {
                for _ in 0..1 + rng.below(3) {
                    let at = cell(rng.below(width) as i32, rng.below(height) as i32);
                    let stamp = Stamp::solid(1 + rng.below(4), 1 + rng.below(4));
                    if rng.chance(600) {
                        placed.extend(layer.place(&stamp, at, Tick::ZERO));
                    } else if !placed.is_empty() {
                        let number = rng.below(placed.len() as u32) as usize;
                        layer.remove(placed.swap_remove(number)).expect("it stands");
                    }
                }
                passages.follow(&layer);
                assert!(passages.is_current(&layer));
                let rebuilt = Passages::new(&layer, agent(side), rule).expect("an agent of the layer");
                assert_eq!(all(&passages), all(&rebuilt), "{name}, edit {edit}");
                assert!(passages == rebuilt, "{name}, edit {edit}: narrow cells differ");
                for at in layer.grid().rect().cells() {
                    let names = [&passages, &rebuilt].map(|some| some.at(at).map(|passage| passage.id));
                    assert_eq!(names[0], names[1], "{name}, edit {edit}: {at}");
                }
                if edit % 10 == 9 {
                    check(&layer, &passages, rule, name);
                }
            }
        }
    }
}

/// The passages of a picture for units of one cell.
fn drawn(picture: &str) -> Passages {
    let map = Picture::new(picture).map.validate().expect("legal");
    let layer = CostLayer::new(&map, CostSettings::default());
    Passages::new(&layer, agent(1), StepRule::default()).expect("an agent of the layer")
}

fn name(passages: &Passages, at: CellPos) -> PassageId {
    passages.at(at).unwrap_or_else(|| panic!("no passage at {at}")).id
}

#[test]
fn a_gap_in_a_wall_has_two_mouths_and_a_dead_end_has_one() {
    let passages = drawn(
        "....#....
         ....#....
         .........
         ....#....
         ....#..##
         ....#..#.
         ....####.
         ########.",
    );
    let gap = passages.at(cell(4, 2)).expect("a gap of one cell");
    assert_eq!((gap.length, gap.cells, gap.mouths.len()), (1, 1, 2));
    assert!(gap.mouths.iter().all(|mouth| mouth.beyond == Beyond::Open && mouth.width == 1));
    assert!(!passages.is_narrow(cell(5, 5)), "two units pass each other in a corridor of two cells");
    let corridor = passages.at(cell(8, 6)).expect("a closed corridor of one cell");
    assert_eq!((corridor.length, corridor.mouths.len()), (3, 0));
}

#[test]
fn corridors_that_meet_are_joined_by_a_junction() {
    let passages = drawn(
        "####.####
         ####.####
         .........
         ####.####
         ####.####",
    );
    assert!(passages.is_narrow(cell(4, 2)) && passages.at(cell(4, 2)).is_none(), "a junction");
    assert_eq!(passages.len(), 4);
    let north = passages.at(cell(4, 0)).expect("a dead end");
    assert_eq!((north.length, north.mouths.len(), north.mouths[0].beyond), (2, 1, Beyond::Junction));
    let mut joined = Vec::new();
    passages.joined(north, &mut joined);
    let others = [cell(0, 2), cell(5, 2), cell(4, 3)].map(|at| name(&passages, at));
    assert_eq!(joined, others);
}

#[test]
fn an_agent_without_costs_is_refused() {
    let layer = layer(&waymarch_testkit::grids::Grid::filled(8, 8, 1), 16);
    let stranger = Agent { locomotor: LocomotorId(31), ..agent(1) };
    let refused = Passages::new(&layer, stranger, StepRule::default()).expect_err("no such locomotor");
    assert_eq!(refused, PlanError::UnknownAgent(stranger));
}
