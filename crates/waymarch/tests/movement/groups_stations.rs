//! Slots around targets, buildings and docks.

use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, CellRect, Dir8, Fixed, cell};
use waymarch::groups::{
    ClearLine, Fit, Footing, Formations, LineOfFire, Member, OpenFooting, Slot, Station, StationRequest,
    room_between,
};

const SOLDIER: Fixed = Fixed::from_raw(410);

fn soldiers(count: u32, at: CellPos) -> Vec<Member> {
    (0..count).map(|id| Member { id, at: Fine::centre(at), radius: SOLDIER, ..Member::default() }).collect()
}

/// Ground whose closed cells are given by a function.
struct Ground<F>(F);

impl<F: Fn(CellPos) -> bool> Footing for Ground<F> {
    fn may_stop(&self, _: Agent, _: Fixed, at: Fine) -> bool {
        !(self.0)(at.cell())
    }

    fn is_reachable(&self, _: Agent, at: CellPos) -> bool {
        !(self.0)(at)
    }
}

fn slots_of(
    station: &Station,
    members: &[Member],
    footing: &impl Footing,
    fire: &impl LineOfFire,
) -> Vec<Slot> {
    let mut slots = Vec::new();
    let request = StationRequest { station: *station, gap: Fixed::ZERO, fire };
    Formations::default().arrange_station(&request, members, footing, &mut slots).expect("there is room");
    assert_eq!(slots.len(), members.len());
    for (number, a) in slots.iter().enumerate() {
        assert!(footing.may_stop(a.agent, a.radius, a.at));
        for b in &slots[number + 1..] {
            let room = room_between(a.radius, b.radius, Fixed::ZERO) as u64;
            assert!(a.at.distance_squared(b.at) >= room * room, "{:?} and {:?}", a.at, b.at);
        }
    }
    slots
}

fn far(slot: &Slot, from: Fine) -> u64 {
    slot.at.distance_squared(from).isqrt()
}

#[test]
fn guns_stand_in_range_on_the_side_they_come_from() {
    let target = Fine::centre(cell(50, 50));
    let (least, most) = (Fixed::from_cells(4), Fixed::from_cells(9));
    for count in [1, 2, 5, 13, 40, 150] {
        let members = soldiers(count, cell(10, 50));
        let station = Station::InRange { target, least, most };
        let slots = slots_of(&station, &members, &OpenFooting, &ClearLine);
        assert!(slots.iter().all(|slot| (4 << 16..=9 << 16).contains(&far(slot, target))), "{count}");
        if count <= 13 {
            assert!(slots.iter().all(|slot| slot.at.x < target.x), "{count}: on the near side");
        }
    }
}

#[test]
fn guns_that_find_no_room_in_range_stand_behind_those_that_do() {
    let target = Fine::centre(cell(50, 50));
    let station = Station::InRange { target, least: Fixed::from_cells(4), most: Fixed::from_cells(6) };
    let slots = slots_of(&station, &soldiers(300, cell(10, 50)), &OpenFooting, &ClearLine);
    let within = slots.iter().filter(|slot| (4 << 16..=6 << 16).contains(&far(slot, target))).count();
    assert!(within >= 60, "the ring is full: {within}");
    assert!(slots.iter().all(|slot| far(slot, target) < 16 << 16), "the other guns are near");
}

#[test]
fn guns_see_their_target() {
    // A wall between the guns and the target, with a window.
    let wall = |at: CellPos| at.x == 45 && at.y != 50;
    let target = Fine::centre(cell(50, 50));
    let sees = |from: Fine, to: Fine| {
        (0..=200).all(|step| {
            let part = |a: i32, b: i32| a + ((i64::from(b) - i64::from(a)) * step / 200) as i32;
            !wall(Fine::new(part(from.x, to.x), part(from.y, to.y)).cell())
        })
    };
    let station = Station::InRange { target, least: Fixed::from_cells(2), most: Fixed::from_cells(10) };
    let slots = slots_of(&station, &soldiers(8, cell(20, 50)), &Ground(wall), &sees);
    assert!(slots.iter().all(|slot| sees(slot.at, target)), "{slots:?}");
    assert!(slots.iter().all(|slot| far(slot, target) <= 10 << 16));
}

#[test]
fn a_target_is_surrounded_evenly() {
    let target = Fine::centre(cell(50, 50));
    for count in [3, 6, 12, 16] {
        let station = Station::Surround { target, radius: Fixed::from_cells(3) };
        let slots = slots_of(&station, &soldiers(count, cell(10, 10)), &OpenFooting, &ClearLine);
        let mut turns: Vec<u16> =
            slots.iter().map(|slot| Angle::atan2(slot.at.y - target.y, slot.at.x - target.x).0).collect();
        turns.sort_unstable();
        let even = 65_536 / count;
        for (number, &turn) in turns.iter().enumerate() {
            let next = turns[(number + 1) % turns.len()];
            assert!(u32::from(next.wrapping_sub(turn)).abs_diff(even) < 64, "{count}: {turns:?}");
        }
        assert!(slots.iter().all(|slot| (3 << 16..4 << 16).contains(&far(slot, target))));
    }
    let many = slots_of(
        &Station::Surround { target, radius: Fixed::ONE },
        &soldiers(120, cell(10, 10)),
        &OpenFooting,
        &ClearLine,
    );
    assert!(many.iter().all(|slot| far(slot, target) < 8 << 16), "in several rings");
}

#[test]
fn parked_units_stand_along_the_walls_the_nearest_first() {
    let building = CellRect::at(cell(40, 40), 6, 4);
    let footing = Ground(move |at: CellPos| building.contains(at));
    let station = Station::Park { building };
    let few = slots_of(&station, &soldiers(4, cell(20, 42)), &footing, &ClearLine);
    assert!(few.iter().all(|slot| slot.at.cell().x < 40), "on the side they come from");
    let all = slots_of(&station, &soldiers(24, cell(20, 42)), &footing, &ClearLine);
    let around = building.grow(1, 1);
    assert!(all.iter().all(|slot| around.contains(slot.at.cell())), "one row around it holds them");
    let more = slots_of(&station, &soldiers(70, cell(20, 42)), &footing, &ClearLine);
    assert!(more.iter().all(|slot| building.grow(4, 4).contains(slot.at.cell())));
}

#[test]
fn a_dock_has_a_berth_and_a_line_that_bends_where_it_must() {
    let berth = Fine::centre(cell(10, 10));
    let station = Station::Dock { berth, queue: Dir8::E.into() };
    let slots = slots_of(&station, &soldiers(6, cell(30, 10)), &OpenFooting, &ClearLine);
    assert_eq!(slots[0].at, berth);
    assert!(slots.windows(2).all(|pair| pair[1].at.x > pair[0].at.x && pair[1].at.y == berth.y));
    // A straight line would go into the sea.
    let sea = Ground(|at: CellPos| at.x >= 14);
    let slots = slots_of(&station, &soldiers(6, cell(5, 10)), &sea, &ClearLine);
    assert_eq!((slots[0].at, slots[0].fit), (berth, Fit::Ideal));
    assert!(slots.iter().any(|slot| slot.fit == Fit::Moved));
}

#[test]
fn extreme_stations_cause_no_panic() {
    let members = soldiers(9, cell(5, 5));
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    let lengths = [i32::MIN, -1, 0, 1, i32::MAX].map(Fixed::from_raw);
    for target in [Fine::ZERO, Fine::new(i32::MIN, i32::MAX), Fine::centre(cell(5, 5))] {
        for least in lengths {
            for most in lengths {
                for station in [
                    Station::InRange { target, least, most },
                    Station::Surround { target, radius: most },
                    Station::Park {
                        building: CellRect { x0: least.raw(), y0: most.raw(), x1: most.raw(), y1: 9 },
                    },
                    Station::Dock { berth: target, queue: Angle(7) },
                ] {
                    let request = StationRequest { station, gap: Fixed::ZERO, fire: &ClearLine };
                    let _refused = formations.arrange_station(&request, &members, &OpenFooting, &mut slots);
                    assert!(slots.len() == 9 || slots.is_empty(), "{station:?}");
                }
            }
        }
    }
}
