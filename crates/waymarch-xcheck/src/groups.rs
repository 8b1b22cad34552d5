//! Groups alone: formations, assignment of slots, gates, lanes, splits, exchanges.

use crate::{Digest, Lines, Options, SplitMix, maps, report};
use waymarch::avoid::{Fine, SpatialIndex};
use waymarch::base::{Agent, Angle, CellRect, Fixed, LocomotorId, SizeClass, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::groups::{
    Approach, Assignment, ClearLine, Crosser, Crossing, Footing, Formation, FormationRequest, Formations,
    GateFinder, GoalArea, LanePlace, Lanes, MapFooting, Member, OpenFooting, Role, Slot, Splitter, Standing,
    Station, StationRequest, Swapper, Traffic, Walker, arrival_spread, cohesion, crossings, facing_towards,
    formation_error, has_slots, lanes_in, middle_of, room_between, swap_gain,
};
use waymarch::query::{Goal, Shape};
use waymarch::sectors::Sectors;

fn formations() -> Vec<Formation> {
    use Formation as F;
    let custom = (0..15).map(|i| Fine::new((i % 4) * 90_000 - 100_000, (i / 4) * 70_000)).collect();
    vec![
        F::Adaptive,
        F::Relative,
        F::Box,
        F::Line,
        F::Column,
        F::Wedge,
        F::Circle,
        F::Scatter,
        F::Hex,
        F::Custom(custom),
    ]
}

fn members(m: &mut SplitMix, n: u32, around: (i32, i32), spread: i32) -> Vec<Member> {
    (0..n)
        .map(|i| {
            let size = m.pick(&[1, 1, 1, 2, 3]);
            let at = Fine::centre(cell(
                around.0 + m.range(-spread, spread + 1),
                around.1 + m.range(-spread, spread + 1),
            ));
            Member {
                id: i * 5 + 2,
                at: at.plus(Fine::new(m.range(-20_000, 20_000), m.range(-20_000, 20_000))),
                agent: Agent { locomotor: LocomotorId(0), size: SizeClass::new(size).unwrap() },
                radius: Fixed::from_raw(384 * i32::from(size)),
                speed: Fixed::from_raw(100 + m.range(0, 90)),
                role: m.pick(&[Role::Front, Role::Middle, Role::Middle, Role::Back]),
                left: m.below(1 << 22),
            }
        })
        .collect()
}

fn slots(h: &mut Digest, slots: &[Slot]) {
    slots.iter().for_each(|s| h.debug(s));
}

pub(crate) fn run(out: &mut Lines<'_>, options: &Options) {
    let map = maps::blocks(41, 90, 80).validate().unwrap();
    let layer = CostLayer::new(&map, CostSettings::default());
    let sectors = Sectors::new(&layer, StepRule::default());
    let mut m = SplitMix(4);
    let mut makes = Formations::default();
    let mut assign = Assignment::default();
    let most = options.amount.choose(260, 30);
    for n in [1_u32, 2, 7, 30, 90, 260].into_iter().filter(|&n| n <= most) {
        let mut h = Digest::new();
        let all = members(&mut m, n, (20, 20), 9);
        let starts: Vec<(Agent, waymarch::base::CellPos)> = [1, 2, 3]
            .iter()
            .map(|&s| {
                let agent = Agent { locomotor: LocomotorId(0), size: SizeClass::new(s).unwrap() };
                let f = layer.field(agent).unwrap();
                (agent, layer.grid().rect().cells().filter(|&c| f.is_passable(c)).nth(300).unwrap())
            })
            .collect();
        let footing = MapFooting::new(&layer, &sectors, &starts);
        for formation in formations() {
            for facing in [Angle::ZERO, Angle(9000), Angle(40_000)] {
                let request = FormationRequest {
                    formation: &formation,
                    centre: Fine::centre(cell(60, 50)),
                    facing,
                    gap: Fixed::from_raw(150),
                };
                let (mut open, mut real, mut taken) = (Vec::new(), Vec::new(), Vec::new());
                h.debug(makes.arrange(&request, &all, &OpenFooting, &mut open));
                slots(&mut h, &open);
                makes.keep_clear_of([(Fine::centre(cell(61, 50)), Fixed::from_cells(2))].into_iter());
                h.debug(makes.arrange(&request, &all, &footing, &mut real));
                slots(&mut h, &real);
                for approach in
                    [Approach::Open, Approach::Through(Fine::centre(cell(55, 45))), Approach::Queue]
                {
                    assign.assign(&all, &real, approach, &mut taken);
                    h.debug(&taken);
                    let legs: Vec<(Fine, Fine)> = all
                        .iter()
                        .zip(&taken)
                        .filter_map(|(a, t)| Some((a.at, real[(*t)? as usize].at)))
                        .collect();
                    h.number(crossings(&legs));
                    let (a, b): (Vec<Fine>, Vec<Fine>) = legs.into_iter().unzip();
                    h.number(formation_error(&a, &b));
                }
            }
            let goals = [
                Goal::rect(CellRect::at(cell(50, 30), 15, 12)),
                Goal::circle(cell(60, 60), Fixed::from_cells(5)),
                Goal::AnyOf((0..40).map(|i| Shape::Point(cell(30 + i % 8, 60 + i / 8))).collect()),
                Goal::OutOf(Shape::Circle { centre: cell(20, 20), radius: Fixed::from_cells(15) }),
            ];
            for goal in &goals {
                let request = FormationRequest {
                    formation: &formation,
                    centre: middle_of(&all),
                    facing: Angle(100),
                    gap: Fixed::ZERO,
                };
                let mut s = Vec::new();
                h.debug(has_slots(goal));
                let area = GoalArea { goal, map: layer.grid().rect() };
                h.debug(makes.arrange_in_goal(&area, &request, &all, &footing, &mut s));
                slots(&mut h, &s);
            }
        }
        let stations = [
            Station::InRange {
                target: Fine::centre(cell(50, 40)),
                least: Fixed::from_cells(3),
                most: Fixed::from_cells(9),
            },
            Station::Surround { target: Fine::centre(cell(50, 40)), radius: Fixed::from_raw(900) },
            Station::Park { building: CellRect::at(cell(48, 38), 5, 4) },
            Station::Dock { berth: Fine::centre(cell(50, 40)), queue: Angle(20_000) },
        ];
        for station in stations {
            let mut s = Vec::new();
            let request = StationRequest { station, gap: Fixed::from_raw(90), fire: &ClearLine };
            h.debug(makes.arrange_station(&request, &all, &footing, &mut s));
            slots(&mut h, &s);
        }
        let mut s = Vec::new();
        h.debug(makes.disperse(Fixed::from_cells(6), &all, &footing, &mut s));
        slots(&mut h, &s);
        let at: Vec<Fine> = all.iter().map(|a| a.at).collect();
        h.debug((cohesion(&at), middle_of(&all), facing_towards(&all, Fine::centre(cell(1, 70)), Angle(5))));
        let mut ticks: Vec<u64> = (0..n).map(|_| u64::from(m.below(900)) << 30).collect();
        h.debug(arrival_spread(&mut ticks));
        h.debug((
            room_between(all[0].radius, Fixed::ONE, Fixed::HALF),
            footing.is_reachable(all[0].agent, cell(60, 60)),
        ));

        // A route, its gates and their lanes.
        let f = layer.field(LocomotorId(0).into()).unwrap();
        let route: Vec<Fine> = [(20, 20), (33, 25), (40, 44), (60, 50), (80, 71)]
            .iter()
            .map(|&(x, y)| Fine::centre(cell(x, y)))
            .collect();
        let mut finder = GateFinder::default();
        let mut gates = Vec::new();
        for width in [65_536, 400_000, 1_500_000, 9_000_000] {
            finder.find(&route, width, |at| f.is_passable(at), &mut gates);
            h.debug(&gates);
            let (mut scratch, mut places) = (Vec::new(), Vec::new());
            let lanes = Lanes::of(&all, route[1], &mut scratch, &mut places);
            h.debug((&lanes, &places));
            for g in &gates {
                h.debug((
                    g.width(),
                    g.turned_round(),
                    g.beyond(route[2], 70_000),
                    g.is_behind(route[3]),
                    g.is_crossed(route[0], route[4]),
                ));
                h.number(lanes_in(g.width(), Fixed::from_raw(400)).into());
                for place in places.iter().take(12).chain([&LanePlace { rank: 65_535, across: 1 }]) {
                    for traffic in [Traffic::OneWay, Traffic::Opposing] {
                        h.debug(lanes.aim(*place, Fixed::from_raw(400), &g.gate, g.taut, traffic));
                    }
                }
                h.debug(lanes.across(g, Fixed::from_raw(500)));
            }
            h.debug(GateFinder::across(route[2], (724, 724), 900_000, |at| f.is_passable(at)));
        }
        // A near and a far crossing.
        let crossers: Vec<Crosser> = (0..n)
            .map(|i| Crosser {
                id: i,
                standing: m.pick(&[
                    Standing::Free,
                    Standing::Free,
                    Standing::Near,
                    Standing::Far,
                    Standing::OtherNear,
                    Standing::OtherFar,
                ]),
                near: u64::from(m.below(5000)) << 8,
                far: u64::from(m.below(9000)) << 8,
            })
            .collect();
        let (near, far) =
            (Crossing { headway: 3000, rest: 90_000 }, Crossing { headway: 1000, rest: 200_000 });
        let mut sent = Vec::new();
        let mut splitter = Splitter::default();
        let ends = splitter.split(near, far, &crossers, &mut sent);
        h.debug((ends, ends.gain(), &sent, splitter.longest_wait(near, &crossers)));
        // Exchanges of slots.
        let walkers: Vec<Walker> = all
            .iter()
            .map(|a| Walker {
                id: a.id,
                at: a.at,
                slot: Fine::centre(cell(m.range(40, 60), m.range(40, 60))),
                kin: a.agent.size.side().into(),
            })
            .collect();
        let mut index = SpatialIndex::new(Fixed::from_cells(2));
        index.rebuild(
            &walkers.iter().map(|w| w.at).collect::<Vec<_>>(),
            &walkers.iter().map(|w| w.id).collect::<Vec<_>>(),
        );
        let mut pairs = Vec::new();
        Swapper::default().find(&walkers, &index, Fixed::from_cells(6), &mut pairs);
        h.debug(&pairs);
        h.signed(swap_gain(&walkers[0], &walkers[walkers.len() - 1]));
        report!(out, "groups of {n}: {} pairs swap {:016x}", pairs.len(), h.value());
    }
}
