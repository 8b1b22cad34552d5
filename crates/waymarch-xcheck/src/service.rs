//! The path service alone: requests of every kind, edits, cancelled and repaired routes.

use crate::{Digest, Lines, Options, SplitMix, maps, report};
use waymarch::base::{Agent, CellPos, CellRect, Executor, Fixed, LocomotorId, SizeClass, cell};
use waymarch::config::{Config, InfluenceAvoidance};
use waymarch::cost::{Falloff, Stamp, TerrainId, ThreatSource};
use waymarch::flow::tiles::TileReader;
use waymarch::planners::PlannerList;
use waymarch::query::{BlockedBy, Detail, Goal, PathAsk, Priority, Threat};
use waymarch::world::{Blockers, Navigator, PathId, PathService, Pathfinder};

/// Blockers in four of five cells of every sixth row.
struct BlockedRows;
impl Blockers for BlockedRows {
    fn near(&self, _: PathId, at: CellPos, reach: i32, _: BlockedBy, out: &mut Vec<CellPos>) {
        out.extend(
            CellRect::at(at.offset(-reach, -reach), 2 * reach as u32 + 1, 2 * reach as u32 + 1)
                .cells()
                .filter(|c| c.y.rem_euclid(6) == 1 && c.x.rem_euclid(5) != 2),
        );
    }
}

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options) {
    let ticks = options.amount.choose(150, 50);
    for (number, (map, planner)) in [
        (maps::mixed(21, 90, 70), None),
        (maps::rooms(22, 100, 80), None),
        (maps::maze(23, 80, 80), Some("hpa")),
        (maps::river(24, 90, 60), Some("jpsw-1050")),
    ]
    .into_iter()
    .enumerate()
    {
        let config = Config {
            max_paths_per_tick: 6,
            max_path_nodes_per_tick: 500,
            path_lanes: 3,
            sector_size: 16,
            flowfield_group_threshold: 5,
            short_path_threshold: 24,
            influence_avoidance: InfluenceAvoidance::All,
            ..Config::default()
        };
        let nav = Navigator::new(map, config).unwrap();
        let mut s = PathService::new(nav);
        if let Some(name) = planner {
            s.set_planner(PlannerList::builtin().take(name));
        }
        let mut m = SplitMix(500 + number as u64);
        let mut ids: Vec<PathId> = Vec::new();
        let mut h = Digest::new();
        let mut reader = TileReader::new();
        let grid = s.nav().layer().grid();
        let any = |m: &mut SplitMix| cell(m.range(0, grid.width() as i32), m.range(0, grid.height() as i32));
        let mut goal = any(&mut m);
        for tick in 0..ticks {
            if tick % 15 == 0 {
                goal = any(&mut m);
            }
            for _ in 0..3 {
                let from = any(&mut m).centre();
                let agent = Agent {
                    locomotor: LocomotorId(m.below(3) as u8),
                    size: SizeClass::new(m.pick(&[1, 1, 2, 3])).unwrap(),
                };
                let to = if m.chance(600) { goal } else { any(&mut m) };
                let mut ask = match m.below(6) {
                    0 => PathAsk::to_goal(from, Goal::circle(to, Fixed::from_cells(3)), agent),
                    1 => PathAsk::to_goal(from, Goal::rect(CellRect::at(to, 3, 3)), agent),
                    _ => PathAsk::new(from, to, agent),
                };
                ask = ask
                    .with_priority(m.pick(&[Priority::High, Priority::Normal, Priority::Low]))
                    .with_threat(m.pick(&[Threat::Ignore, Threat::Heed]))
                    .with_detail(m.pick(&[Detail::Full, Detail::Full, Detail::Simplified, Detail::Direct]))
                    .with_blocked_by(m.pick(&[
                        BlockedBy::None,
                        BlockedBy::None,
                        BlockedBy::All,
                        BlockedBy::Stationary,
                    ]));
                if m.chance(300) {
                    ask = ask.or_nearest();
                }
                if m.chance(200) {
                    ask = ask.alone();
                }
                if m.chance(100) {
                    ask = ask.avoiding(CellRect::at(any(&mut m), 5, 5));
                }
                ids.push(s.request(ask));
            }
            match tick % 11 {
                3 => h.debug(
                    s.nav_mut().place(&Stamp::solid(1 + m.below(5), 1 + m.below(5)).lasting(40), any(&mut m)),
                ),
                5 => h.debug(
                    s.nav_mut().set_terrain(CellRect::at(any(&mut m), 3, 3), TerrainId(m.below(4) as u8)),
                ),
                7 => h.debug(s.nav_mut().add_threat(ThreatSource {
                    at: any(&mut m),
                    radius: 6,
                    strength: 90,
                    falloff: Falloff::Quadratic,
                })),
                9 => {
                    let at = any(&mut m).centre();
                    s.invalidate_area(at, Fixed::from_cells(3));
                    ids.push(s.request_path(at, goal.centre(), LocomotorId(0)));
                }
                _ => {}
            }
            if ids.len() > 40 {
                let i = m.below(ids.len() as u32) as usize;
                h.debug(s.cancel(ids.swap_remove(i)));
                let id = m.pick(&ids);
                h.debug(s.repair(id, any(&mut m).centre(), 1));
                s.moved(id, any(&mut m).centre());
            }
            s.tick_with(executor, &BlockedRows);
            for &id in &ids {
                h.debug((s.status(id), s.guidance(id), s.end(id), s.report(id)));
                h.debug(s.get_path(id));
                if tick % 7 == 0 {
                    h.debug(s.ask(id));
                    let at = any(&mut m).centre();
                    h.debug_old(s.heading(id, at, &mut reader));
                    h.debug(s.is_passable(at, LocomotorId(1)));
                }
            }
            h.debug(s.groups().collect::<Vec<_>>());
            if tick % 50 == 49 {
                report!(
                    out,
                    "service {number} tick {tick} waiting {} len {} work {:?} longest {} nav {} {:016x}",
                    s.waiting(),
                    s.len(),
                    s.work(),
                    s.longest_wait(3),
                    s.nav().state_hash(),
                    h.value()
                );
                s.poison_scratch();
            }
        }
    }
}
