//! Avoidance alone: every model and way of pushing, with walls and without.

use crate::{Digest, Lines, Options, SplitMix, maps, report};
use waymarch::avoid::{
    AvoidSettings, Avoidance, Crowd, Fine, Guide, Kinematics, Mover, OpenGround, Reverse, SpatialIndex,
    Spawn, Turning,
};
use waymarch::base::{Angle, Executor, Fixed, cell};
use waymarch::config::{AvoidanceModel, PushMechanics};
use waymarch::cost::{CostLayer, CostSettings};

fn dump(h: &mut Digest, c: &Crowd, a: &Avoidance) {
    for i in 0..c.len() {
        let (p, v, w) = (c.positions()[i], c.velocities()[i], c.chosen_velocities()[i]);
        [p.x, p.y, v.x, v.y, w.x, w.y].iter().for_each(|&n| h.signed(n.into()));
        h.number(c.ids()[i].into());
        h.debug((c.stance(i), c.heading(i), c.home(i), c.guide_of(i), c.pace(i), c.position(i), a.delay(i)));
    }
    h.number(c.resting() as u64);
}

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options) {
    let map = maps::blocks(31, 60, 60).validate().unwrap();
    let layer = CostLayer::new(&map, CostSettings::default());
    let field = layer.field(waymarch::base::LocomotorId(0).into()).unwrap();
    let ticks_played = options.amount.choose(90, 30);
    for &model in AvoidanceModel::ALL {
        for &push in PushMechanics::ALL {
            for walls in [false, true] {
                let mut m = SplitMix(8 + model as u64 * 5 + push as u64);
                let ticks = [20, 60, 10][push as usize % 3];
                let mut c = Crowd::new(ticks);
                let kinds = [
                    c.add_kind(Kinematics::INFANTRY).unwrap(),
                    c.add_kind(Kinematics {
                        speed: Fixed::from_cells(3),
                        radius: Fixed::from_raw(700),
                        weight: 90,
                        ..Kinematics::TANK
                    })
                    .unwrap(),
                    c.add_kind(Kinematics {
                        turning: Turning::Rate { degrees: 90, in_place: 20, reverse: Reverse::Never },
                        radius: Fixed::from_raw(300),
                        ..Kinematics::INFANTRY
                    })
                    .unwrap(),
                ];
                let mut n = 0;
                let mut tries = 0;
                while n < 110 && tries < 2000 {
                    tries += 1;
                    let at = cell(m.range(2, 58), m.range(2, 58));
                    if walls && !field.is_passable(at) {
                        continue;
                    }
                    let mover = if n % 17 == 3 { Mover::Game } else { Mover::Engine };
                    let spawn = Spawn {
                        id: n * 3 + 1,
                        kind: m.pick(&kinds),
                        at: Fine::centre(at),
                        team: (n % 3) as u8,
                        group: n % 5,
                        heading: Angle(m.next() as u16),
                        mover,
                    };
                    let place = c.spawn(&spawn).unwrap();
                    if n % 4 != 0 {
                        let to = cell(60 - at.x, 60 - at.y);
                        c.guide(place, Guide { left: m.below(1 << 23), ..Guide::to(Fine::centre(to)) });
                    }
                    n += 1;
                }
                let settings = AvoidSettings {
                    model,
                    push,
                    neighbours: 3 + (push as u8) * 4,
                    ..AvoidSettings::default()
                };
                let mut a = Avoidance::new(&settings.validate().unwrap());
                let mut h = Digest::new();
                for tick in 0..ticks_played {
                    if walls {
                        a.tick_with(&mut c, field, executor);
                    } else {
                        a.tick_with(&mut c, &OpenGround, executor);
                    }
                    if tick % 13 == 5 {
                        let i = m.below(c.len() as u32) as usize;
                        match m.below(9) {
                            0 => c.stop(i),
                            1 => c.settle(i),
                            2 => c.hold(i),
                            3 => c.remove(i),
                            4 => c.set_pace(i, Fixed::from_raw(400)),
                            5 => c.set_group(i, 9),
                            6 => c.turn(i, Angle(1234)),
                            7 => c.send(i, Fine::centre(cell(30, 30))),
                            _ => c.wake_all(),
                        }
                    }
                    if tick % 20 == 7 {
                        a.poison();
                    }
                    for i in 0..c.len() {
                        if c.ids()[i] % 17 == 10 {
                            let (p, w) = (c.positions()[i], c.chosen_velocities()[i]);
                            c.put(i, p.plus(w), w);
                        }
                    }
                    if tick % 30 == 29 {
                        dump(&mut h, &c, &a);
                    }
                }
                let steered: Vec<Fine> = a.steer(&mut c, &OpenGround, executor).to_vec();
                h.debug(steered);
                report!(
                    out,
                    "crowd {} {} walls={walls} units {} {:016x}",
                    model.name(),
                    push.name(),
                    c.len(),
                    h.value()
                );
            }
        }
    }
    let mut h = Digest::new();
    let mut m = SplitMix(77);
    for n in [0, 1, 2, 50, 700] {
        let pos: Vec<Fine> = (0..n)
            .map(|_| Fine::new(m.range(-9_000_000, 9_000_000), m.range(-9_000_000, 9_000_000) / 3))
            .collect();
        let ids: Vec<u32> = (0..n).map(|i| (i * 7 + 3) % 1000).collect();
        let mut index = SpatialIndex::new(Fixed::from_raw(2400));
        index.rebuild(&pos, &ids);
        h.debug((index.order(), index.slots()));
        let mut found = Vec::new();
        for _ in 0..30 {
            let at = Fine::new(m.range(-9_000_000, 9_000_000), m.range(-3_000_000, 3_000_000));
            index.within(at, Fixed::from_cells(9), &mut found);
            h.debug(&found);
            index.nearest(at, 6, Fixed::from_cells(20), &mut found);
            h.debug(&found);
            index.in_box(at, at.plus(Fine::new(500_000, 900_000)), &mut found);
            h.debug(&found);
        }
    }
    out.hash("crowd.spatial", h);
    // Units on a lattice: many have the same distance, so ids decide.
    let mut h = Digest::new();
    for n in [9_i32, 100, 900] {
        let side = (n as u32).isqrt() as i32;
        let pos: Vec<Fine> = (0..n).map(|i| Fine::centre(cell(20 + i % side, 30 + i / side))).collect();
        let ids: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(40_503) ^ 0x0102_0000).collect();
        let mut index = SpatialIndex::new(Fixed::from_raw(2400));
        index.rebuild(&pos, &ids);
        let mut found = Vec::new();
        for i in 0..60 {
            let at =
                pos[(i * 37) as usize % pos.len()].plus(Fine::new(if i % 3 == 0 { 32_768 } else { 0 }, 0));
            index.within(at, Fixed::from_cells(4), &mut found);
            h.debug(&found);
            index.nearest(at, 7, Fixed::from_cells(9), &mut found);
            h.debug(&found);
        }
    }
    out.hash("crowd.ties", h);
}
