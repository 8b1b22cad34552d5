//! Slots, lanes and exchanges together: groups that go through a door, moved by avoidance.

use waymarch::avoid::{Avoidance, Crowd, Fine, Guide, Kinematics, SpatialIndex, Spawn, Walls};
use waymarch::base::{Angle, CellPos, Fixed, cell};
use waymarch::groups::{
    Approach, Assignment, Formation, FormationRequest, Formations, Gate, Lanes, Member, OpenFooting, Swapper,
    Traffic, Walker,
};

/// A wall along column 30 with a door from row 40 on, as many cells wide as the number says. 0 means no wall.
struct Door(i32);

impl Walls for Door {
    fn is_open(&self, at: CellPos) -> bool {
        self.0 == 0 || at.x != 30 || (40..40 + self.0).contains(&at.y)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exchange {
    Never,
    OnTheWay,
}

const NEAR: u64 = 1 << 14;

/// The tick at which all members were within a quarter of a cell of their slots, and the number of members there at tick 3000.
fn march(count: u32, door: i32, approach: Approach, exchange: Exchange) -> (u32, usize) {
    let infantry = Kinematics { radius: Fixed::from_raw(410), ..Kinematics::INFANTRY };
    let mut crowd = Crowd::new(20);
    let kind = crowd.add_kind(infantry).expect("a legal kind");
    let side = count.isqrt() as i32 + 1;
    let mut members: Vec<Member> = (0..count)
        .map(|id| {
            let (column, row) = (id as i32 % side, id as i32 / side);
            let at = Fine::new((22 << 16) - column * 60_000, (40 << 16) + (row - side / 2) * 60_000);
            Member { id, at, radius: infantry.radius, ..Member::default() }
        })
        .collect();
    let gate = Gate { left: Fine::new(30 << 16, 40 << 16), right: Fine::new(30 << 16, (40 + door) << 16) };
    let middle = Fine::new(30 << 16, (40 << 16) + (door << 15));
    for member in &mut members {
        member.left = (member.at.distance_squared(middle).isqrt() >> 8) as u32;
    }
    let request = FormationRequest {
        formation: &Formation::Hex,
        centre: Fine::centre(cell(44, 40)),
        facing: Angle::ZERO,
        gap: Fixed::ZERO,
    };
    let (mut slots, mut taken) = (Vec::new(), Vec::new());
    Formations::default().arrange(&request, &members, &OpenFooting, &mut slots).expect("room");
    Assignment::default().assign(&members, &slots, approach, &mut taken);
    let mut goal: Vec<Fine> = taken.iter().map(|slot| slots[slot.expect("a slot") as usize].at).collect();
    let (mut scratch, mut places) = (Vec::new(), Vec::new());
    let lanes = Lanes::of(&members, middle, &mut scratch, &mut places);
    for member in &members {
        let spawn = Spawn { id: member.id, kind, at: member.at, team: 0, group: 1, ..Spawn::default() };
        crowd.spawn(&spawn).expect("a legal unit");
    }
    let mut avoidance = Avoidance::default();
    let mut swapper = Swapper::default();
    let mut index = SpatialIndex::new(Fixed::ONE);
    let (mut walkers, mut pairs) = (Vec::new(), Vec::new());
    let mut through = vec![door == 0; count as usize];
    for tick in 0..3000 {
        for unit in 0..count as usize {
            let at = crowd.positions()[unit];
            // 10,000 / 65,536 of a cell beyond the wall.
            through[unit] |= at.x > (31 << 16) + 10_000;
            let guide = if through[unit] {
                let left = (at.distance_squared(goal[unit]).isqrt() >> 8) as u32;
                Guide { aim: goal[unit], goal: goal[unit], left }
            } else {
                let mut aim = lanes.aim(places[unit], infantry.radius, &gate, middle, Traffic::OneWay);
                // First to the face of the wall, then through.
                aim.x = if at.x < (30 << 16) - 50_000 { 30 << 16 } else { 32 << 16 };
                let left = 1_000_000 + (at.distance_squared(aim).isqrt() >> 8) as u32;
                Guide { aim, goal: goal[unit], left }
            };
            if at.distance_squared(goal[unit]) > NEAR * NEAR / 4 {
                crowd.guide(unit, guide);
            }
        }
        avoidance.tick(&mut crowd, &Door(door));
        if exchange == Exchange::OnTheWay {
            index.rebuild(crowd.positions(), crowd.ids());
            walkers.clear();
            walkers.extend((0..count as usize).map(|unit| Walker {
                id: unit as u32,
                at: crowd.positions()[unit],
                slot: goal[unit],
                kin: u32::from(through[unit]),
            }));
            swapper.find(&walkers, &index, Fixed::from_cells(2), &mut pairs);
            for &(a, b) in &pairs {
                goal.swap(a as usize, b as usize);
                for unit in [a as usize, b as usize] {
                    crowd.guide(unit, Guide::to(goal[unit]));
                }
            }
        }
        let there = |unit: &usize| crowd.positions()[*unit].distance_squared(goal[*unit]) <= NEAR * NEAR;
        if (0..count as usize).filter(there).count() == count as usize {
            return (tick, count as usize);
        }
    }
    let there = |unit: &usize| crowd.positions()[*unit].distance_squared(goal[*unit]) <= NEAR * NEAR;
    (3000, (0..count as usize).filter(there).count())
}

#[test]
fn least_legs_are_best_on_open_ground_and_through_doors() {
    let gate = |door: i32| Approach::Through(Fine::new(31 << 16, (40 << 16) + (door << 15)));
    for (exchange, door) in
        [(Exchange::Never, 3), (Exchange::OnTheWay, 3), (Exchange::Never, 0), (Exchange::OnTheWay, 0)]
    {
        let (open, arrived) = march(60, door, Approach::Open, exchange);
        let (through, _) = march(60, door, gate(door), exchange);
        println!("door of {door}, exchange {exchange:?}: {open} ticks, first furthest {through}");
        assert_eq!(arrived, 60, "all members arrived");
        assert!(open * 20 <= through * 21, "door of {door}, {exchange:?}: {open} against {through}");
    }
}

#[test]
fn exchanges_of_slots_save_time() {
    let (without, _) = march(60, 3, Approach::Open, Exchange::Never);
    let (with, _) = march(60, 3, Approach::Open, Exchange::OnTheWay);
    assert!(with < without, "{with} ticks with, {without} without");
}
