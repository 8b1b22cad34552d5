//! Ground without borders, and maps with more than 65,536 cells.

use waymarch::base::{CellRect, Tick, cell};
use waymarch::config::Config;
use waymarch::cost::{StepRule, TerrainId};
use waymarch::flow::lazy::{LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeScratch};
use waymarch::query::PathQuery;
use waymarch::search::Route;
use waymarch::world::Navigator;

use super::hash_route;
use super::state;
use crate::{Amount, Digest, Lines, SplitMix, maps, report};

pub(crate) fn lazy(out: &mut Lines<'_>) {
    for steps in [LazySteps::FourUniform, LazySteps::EightWeighted] {
        let mut h = Digest::new();
        let settings = LazySettings {
            steps,
            expansion_buffer: 12,
            explore_limit: 30_000,
            pocket_limit: 100,
            max_fields: 4,
        };
        let mut flow = LazyFlow::new(SparseGround::open(), settings.validate().unwrap());
        let mut m = SplitMix(9);
        let bases =
            [cell(0, 0), cell(2_000_000_000, 0), cell(i32::MAX - 40, i32::MAX - 40), cell(i32::MIN + 40, 77)];
        let mut answers = [0_u32; 4];
        for turn in 0..260_u64 {
            flow.advance(Tick(turn));
            let base = bases[(turn / 20 % 4) as usize];
            let near = |m: &mut SplitMix, r: i32| base.offset(m.range(-r, r), m.range(-r, r));
            for _ in 0..6 {
                let at = near(&mut m, 25);
                match m.below(5) {
                    0 => flow.clear(at),
                    1 => {
                        let c = m.below(256) as u8;
                        flow.set_cost(at, c);
                    }
                    _ => flow.block(at),
                }
            }
            let goal = near(&mut m, 8);
            for _ in 0..8 {
                let start = near(&mut m, 30);
                let a = flow.get_direction(start, goal);
                answers[match a {
                    waymarch::flow::lazy::LazyAnswer::Go(_) => 0,
                    waymarch::flow::lazy::LazyAnswer::Arrived => 1,
                    waymarch::flow::lazy::LazyAnswer::Unreachable => 2,
                    waymarch::flow::lazy::LazyAnswer::Unknown => 3,
                }] += 1;
                h.debug(a);
            }
            if turn % 40 == 39 {
                for f in flow.fields() {
                    h.debug((f.goal(), f.explored(), f.is_exhausted(), f.boundary()));
                    h.debug(f.directions().collect::<Vec<_>>());
                    h.debug(f.frontier(flow.ground()));
                }
                h.debug(flow.ground().changed_cells().collect::<Vec<_>>());
                h.number(flow.ground().chunks() as u64);
                h.number(state(&flow));
            }
        }
        report!(out, "q.lazy {steps:?} {answers:?} {:016x}", h.value());
    }
}

/// Maps with cell numbers that need more than 16 bits.
pub(crate) fn wide(out: &mut Lines<'_>, amount: Amount) {
    let sizes: &[(u32, u32)] =
        if amount == Amount::Quick { &[(2000, 24)] } else { &[(2000, 24), (24, 2000), (600, 500)] };
    let mut h = Digest::new();
    for &(w, hh) in sizes {
        let mut map = maps::flat(w, hh);
        let mut m = SplitMix(u64::from(w));
        for _ in 0..w * hh / 900 {
            let area = CellRect::at(
                cell(m.range(0, w as i32), m.range(0, hh as i32)),
                1 + m.below(6),
                1 + m.below(9),
            );
            let t = m.pick(&[6, 6, 2]);
            area.cells().for_each(|at| map.set_terrain(at, TerrainId(t)));
        }
        let mut nav = Navigator::new(map, Config { size_classes: vec![1, 2], ..Config::default() }).unwrap();
        h.text(nav.state_hash());
        let foot = nav.locomotor("foot").unwrap();
        let wheel = nav.locomotor("wheel").unwrap();
        let mut route = Route::new();
        for _ in 0..6 {
            let (a, b) = (
                cell(m.range(0, w as i32 / 8 + 2), m.range(0, hh as i32 / 8 + 2)),
                cell(w as i32 - 1 - m.range(0, 9), hh as i32 - 1 - m.range(0, 9)),
            );
            for l in [foot, wheel] {
                let q = PathQuery::new(a, b, l);
                let done = nav.path_into(&q, &mut route);
                hash_route(&mut h, done, &route);
                let done = nav.path_far(&q, &mut route);
                hash_route(&mut h, done, &route);
                h.debug(nav.path_smooth(a, b, l).map(|p| (p.cost, p.length, p.points)));
            }
        }
        let f = WholeField::new(
            nav.layer(),
            &FieldKey::new(foot, cell(w as i32 / 2, hh as i32 / 2)),
            StepRule::default(),
            Keep::Costs,
            &mut WholeScratch::new(),
        );
        if let Ok(f) = f {
            for at in nav.layer().grid().rect().cells().step_by(17) {
                h.debug((f.byte(at), f.cost_to_goal(at)));
            }
        }
    }
    out.hash("q.wide", h);
}
