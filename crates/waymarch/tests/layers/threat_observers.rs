//! Threat by observer: own and allied sources do not frighten, and queries without a relevant source cost no more than without threat.

use waymarch::base::{ByteReader, ByteWriter, CellPos, GridSize, LocomotorId, StampId, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, Map, Rules, Stamp, ThreatId, ThreatSource};
use waymarch::query::{Observer, PathQuery, Threat};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::world::{Navigator, PlannerChoice};
use waymarch_testkit::dijkstra::shortest;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::rule::CostGrid;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::{costs_of, threat_for};

const SIDE: u32 = 40;
const FOOT: LocomotorId = LocomotorId(0);

fn field(side: u32) -> Navigator {
    let map = Map::flat("field", GridSize::new(side, side).expect("legal"), Rules::standard());
    Navigator::new(map, Config::default()).expect("legal")
}

fn add(nav: &mut Navigator, at: CellPos, radius: u16, owner: Option<u8>) -> ThreatId {
    let source = ThreatSource { at, radius, strength: 90, falloff: Falloff::Linear };
    let id = nav.add_threat(source).expect("on the map");
    nav.set_threat_owner(id, owner.map(Observer)).expect("it is there");
    id
}

fn refresh(nav: &mut Navigator) {
    (0..nav.config().get().threat_update_frequency).for_each(|_| nav.tick());
}

/// Sources come, move, change their owner and go; players change sides; the navigator is saved, loaded and taken back.
#[test]
fn every_observer_gets_the_route_that_dijkstra_finds_with_its_threat() {
    let mut seen = 0;
    for seed in 0..6_u64 {
        let (mut rng, mut ids) = (SplitMix::new(seed), Vec::new());
        let grid = Grid::patches(seed, SIDE, SIDE, &[1, 2, 5, 255]);
        let mut nav = Navigator::new(grid.to_map("twin"), Config::default()).expect("legal");
        let mut saved = None;
        for step in 0..40 {
            let at = cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32);
            let owner = rng.pick(&[None, Some(0), Some(1), Some(2)]);
            match rng.below(8) {
                0..3 => ids.push(add(&mut nav, at, rng.below(12) as u16, owner)),
                3 if !ids.is_empty() => {
                    let id = ids[rng.below(ids.len() as u32) as usize];
                    // A source from before a restore may be gone.
                    let _gone = nav.set_threat_owner(id, owner.map(Observer)).err();
                }
                4 if !ids.is_empty() => {
                    let id = ids.swap_remove(rng.below(ids.len() as u32) as usize);
                    let _gone = nav.remove_threat(id).err();
                }
                5 => nav.set_side(Observer(rng.below(4) as u8), rng.below(4) as u8),
                6 => {
                    let mut writer = ByteWriter::new();
                    nav.save(&mut writer);
                    let loaded = Navigator::load(&mut ByteReader::new(writer.bytes())).expect("its own save");
                    assert_eq!(loaded.state_hash(), nav.state_hash());
                    saved = Some(writer.into_bytes());
                }
                _ => {
                    if let Some(bytes) = &saved {
                        nav.restore(&mut ByteReader::new(bytes)).expect("its own save");
                    }
                }
            }
            refresh(&mut nav);
            assert!(nav.layer().same_derived(&nav.layer().rebuilt()), "seed {seed} step {step}");
            for observer in [0, 1, 2, 3].map(Observer) {
                let threat = Threat::HeedAs(observer);
                let view = nav.layer().threat().view(threat);
                let (size, padding) =
                    (nav.layer().grid(), nav.layer().field(FOOT.into()).expect("foot").padding());
                for at in size.rect().cells() {
                    let expected = threat_for(nav.layer(), observer, at);
                    assert_eq!(view.at(padding.pad(at).index()), expected, "{seed} {step} {observer:?} {at}");
                }
                let costs = costs_of(nav.layer(), FOOT.into(), threat);
                let (Some(from), Some(to)) = (costs.random_open(&mut rng), costs.random_open(&mut rng))
                else {
                    continue;
                };
                let grid = CostGrid { cost: &costs.cost, width: SIDE, height: SIDE };
                let twin = shortest(grid, nav.config().step_rule(), from, to);
                let query = PathQuery::new(from, to, FOOT).with_threat(threat);
                let mut route = Route::new();
                let found = nav.path_into(&query, &mut route).ok().map(|()| route.cost.0);
                assert_eq!(found, twin.map(|(cost, _)| cost), "seed {seed} step {step} {query:?}");
                let far = nav.path_far(&query, &mut route).ok().map(|()| route.cost.0);
                assert_eq!(far, found, "near goals get the cheapest route");
                seen += u32::from(matches!(nav.layer().threat().effective(threat), Threat::HeedAs(_)));
            }
        }
    }
    assert!(seen > 100, "only {seen} queries of observers with sources of their own and others");
}

/// The nodes of a query, and the search that answers it.
fn nodes(nav: &mut Navigator, threat: Threat) -> (u32, PlannerChoice) {
    let query = PathQuery::new(cell(2, 30), cell(150, 121), FOOT).with_threat(threat);
    let mut route = Route::new();
    nav.path_into(&query, &mut route).expect("open ground");
    (route.expanded, nav.planner_for(FOOT, threat).0)
}

#[test]
fn one_source_does_not_turn_queries_into_astar() {
    let mut nav = field(160);
    let mut rng = SplitMix::new(5);
    for _ in 0..60 {
        let at = cell(rng.below(156) as i32, rng.below(156) as i32);
        nav.place(&Stamp::solid(4, 4), at).expect("on the map");
    }
    let clear = |nav: &mut Navigator, at| {
        let stamps: Vec<StampId> = nav.layer().stamps_on(at).map(|(id, _)| id).collect();
        stamps.into_iter().for_each(|id| nav.remove(id).expect("it stands"));
    };
    clear(&mut nav, cell(2, 30));
    clear(&mut nav, cell(150, 121));
    (0..20).for_each(|_| nav.tick());
    let plain = nodes(&mut nav, Threat::Ignore);
    let source = add(&mut nav, cell(140, 5), 6, Some(1));
    refresh(&mut nav);
    // The owner and its allies pay nothing for the source.
    assert_eq!(nodes(&mut nav, Threat::HeedAs(Observer(1))), plain);
    nav.set_side(Observer(2), 1);
    assert_eq!(nodes(&mut nav, Threat::HeedAs(Observer(2))), plain);
    // An enemy gets a jump point search.
    let (enemy, choice) = nodes(&mut nav, Threat::HeedAs(Observer(3)));
    assert_eq!(choice, PlannerChoice::Jpsw);
    let query = PathQuery::new(cell(2, 30), cell(150, 121), FOOT).with_threat(Threat::Heed);
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    astar(nav.layer(), &query, nav.config().step_rule(), &mut scratch, &mut route).expect("open ground");
    assert!(enemy * 4 < route.expanded, "{enemy} nodes, A* {}", route.expanded);
    // The queries are as before once the source is gone.
    nav.remove_threat(source).expect("it is there");
    refresh(&mut nav);
    assert_eq!(nodes(&mut nav, Threat::HeedAs(Observer(3))), plain);
}

#[test]
fn a_source_changes_its_owner_at_the_next_refresh_and_a_player_its_side_at_once() {
    let mut nav = field(SIDE);
    let id = add(&mut nav, cell(20, 20), 5, Some(1));
    refresh(&mut nav);
    let sees = |nav: &Navigator, observer| nav.layer().threat().effective(Threat::HeedAs(Observer(observer)));
    assert_eq!([1, 2].map(|observer| sees(&nav, observer)), [Threat::Ignore, Threat::Heed]);
    nav.set_threat_owner(id, Some(Observer(2))).expect("it is there");
    assert_eq!([1, 2].map(|observer| sees(&nav, observer)), [Threat::Ignore, Threat::Heed]);
    refresh(&mut nav);
    assert_eq!([1, 2].map(|observer| sees(&nav, observer)), [Threat::Heed, Threat::Ignore]);
    nav.set_side(Observer(1), 2);
    assert_eq!([1, 2].map(|observer| sees(&nav, observer)), [Threat::Ignore, Threat::Ignore]);
    nav.set_side(Observer(2), 9);
    assert_eq!([1, 2].map(|observer| sees(&nav, observer)), [Threat::Heed, Threat::Ignore]);
}

#[test]
fn a_clamped_cell_still_differs_between_observers() {
    let mut nav = field(SIDE);
    for owner in [1, 1, 2, 2] {
        add(&mut nav, cell(20, 20), 5, Some(owner));
    }
    refresh(&mut nav);
    let max = nav.config().get().threat_max_cost;
    let middle = nav.layer().field(FOOT.into()).expect("foot").padding().pad(cell(20, 20)).index();
    let at = |observer| nav.layer().threat().view(Threat::HeedAs(Observer(observer))).at(middle);
    assert_eq!([1, 2, 3].map(at), [max, max, max], "180 is more than the most");
    let mut nav = field(SIDE);
    for (owner, count) in [(1, 1), (2, 2)] {
        (0..count).for_each(|_| {
            let _ = add(&mut nav, cell(20, 20), 5, Some(owner));
        });
    }
    refresh(&mut nav);
    let at = |observer| nav.layer().threat().view(Threat::HeedAs(Observer(observer))).at(middle);
    assert_eq!([1, 2, 3].map(at), [max, 90, max]);
}
