//! Maps of odd sizes: one cell, one row, one column.

use waymarch::base::{Agent, LocomotorId, SizeClass, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{Stamp, TerrainId};
use waymarch::planners::{PlanScratch, PlannerList};
use waymarch::query::{Goal, PathQuery};
use waymarch::search::Route;
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};

use super::hash_route;
use crate::{Digest, Lines, SplitMix, maps, report};

pub(crate) fn run(out: &mut Lines<'_>) {
    for (width, height) in [(1, 1), (1, 2), (2, 1), (2, 7), (4096, 1), (1, 700), (3, 3), (33, 9)] {
        let mut random = SplitMix(u64::from(width * 10_000 + height));
        let mut map = maps::flat(width, height);
        for at in map.size.rect().cells() {
            if random.chance(60) {
                map.set_terrain(at, TerrainId(2));
            }
        }
        let mut digest = Digest::new();
        let mut nav = Navigator::new(map, Config::default()).expect("a legal map");
        digest.text(nav.state_hash());
        for round in 0..2 {
            if round == 1 {
                let at = cell(width as i32 / 2, height as i32 / 2);
                digest.debug(nav.place(&Stamp::solid(1, 1), at));
                nav.tick();
            }
            ask(&mut digest, &mut nav, &mut random);
        }
        let nav_hash = nav.state_hash();
        play(&mut digest, World::new(nav));
        report!(out, "q.odd {width}x{height} {nav_hash} {:016x}", digest.value());
    }
}

/// Asks every planner and every query of the navigator.
fn ask(digest: &mut Digest, nav: &mut Navigator, random: &mut SplitMix) {
    let size = nav.layer().grid();
    let (mut route, mut scratch) = (Route::new(), PlanScratch::new());
    for _ in 0..4 {
        let any = |random: &mut SplitMix| {
            cell(random.range(0, size.width() as i32), random.range(0, size.height() as i32))
        };
        let agent = Agent {
            locomotor: LocomotorId(random.below(3) as u8),
            size: SizeClass::new(random.pick(&[1, 1, 2, 3])).expect("a legal size"),
        };
        let query = PathQuery::new(any(random), any(random), agent);
        for planner in PlannerList::builtin().iter_mut() {
            planner.map_changed(&nav.view());
            planner.prepare(&nav.view(), &[query]);
            let done = planner.plan(&nav.view(), &query, &mut scratch, &mut route);
            hash_route(digest, done, &route);
        }
        let done = nav.path_far(&query, &mut route);
        hash_route(digest, done, &route);
        let smooth = nav.path_smooth(query.from, query.to, agent);
        digest.debug(smooth.map(|path| (path.cost, path.length, path.points)));
        digest.debug(nav.path_or_nearest(query.from, &Goal::point(query.to), agent));
        digest.debug(nav.reachable(query.from, query.to, agent));
    }
}

/// Plays 30 ticks with up to five units.
fn play(digest: &mut Digest, mut world: World) {
    let size = world.nav().layer().grid();
    let kind = world.add_type(UnitType::new("soldier", LocomotorId(0)));
    digest.debug(&kind);
    let Ok(kind) = kind else { return };
    let mut units = Vec::new();
    for x in 0..5 {
        let spawned = world.spawn(kind, PlayerId(0), cell(x % size.width() as i32, 0));
        digest.debug(&spawned);
        units.extend(spawned.ok());
    }
    let goal = cell(size.width() as i32 - 1, size.height() as i32 - 1);
    digest.debug(world.order(&units, Order::move_to(goal)));
    for _ in 0..30 {
        world.tick();
        world.events().iter().for_each(|event| digest.debug(event));
    }
    digest.text(world.state_hash());
    digest.bytes(&world.save());
    digest.debug(World::load(&world.save()).map(|world| world.now() == Tick(30)));
}
