//! Unusual crowds: extreme numbers cause neither panics nor overflows.

use waymarch::avoid::{
    AvoidSettings, Avoidance, Crowd, Fine, Guide, KindId, Kinematics, OpenGround, Reverse, Spawn, SpawnError,
    Turning, Walls,
};
use waymarch::base::{CellPos, Fixed, Serial};
use waymarch::config::{AvoidanceModel, PushMechanics};
use waymarch_testkit::splitmix::SplitMix;

/// Every third cell is closed.
struct Chequered;

impl Walls for Chequered {
    fn is_open(&self, at: CellPos) -> bool {
        at.x.wrapping_add(at.y).rem_euclid(3) != 0
    }
}

fn coordinate(rng: &mut SplitMix) -> i32 {
    match rng.below(8) {
        0 => i32::MAX,
        1 => i32::MIN,
        2 => 0,
        3 => (rng.next_u64() as i32) >> 3,
        _ => (rng.below(8 << 16)) as i32,
    }
}

fn kinds(crowd: &mut Crowd) -> Vec<KindId> {
    let fixed = Fixed::from_raw;
    let free = Turning::Free;
    let slow = Turning::Rate { degrees: 1, in_place: 1, reverse: Reverse::WhenShorter };
    let quick = Turning::Rate { degrees: 3600, in_place: 180, reverse: Reverse::Never };
    let (huge, tiny) = (Fixed::MAX, fixed(1));
    let all = [
        Kinematics {
            radius: fixed(64),
            speed: fixed(1),
            acceleration: tiny,
            braking: huge,
            turning: free,
            weight: 1,
        },
        Kinematics { speed: Fixed::ZERO, ..Kinematics::TANK },
        Kinematics {
            radius: fixed(8192),
            speed: fixed(65_536),
            acceleration: huge,
            braking: tiny,
            turning: slow,
            weight: 255,
        },
        Kinematics {
            radius: fixed(8192),
            speed: fixed(65_536),
            acceleration: huge,
            braking: huge,
            turning: quick,
            weight: 16,
        },
        Kinematics::INFANTRY,
        Kinematics::TANK,
    ];
    all.map(|kind| crowd.add_kind(kind).expect("values at the ends of the ranges are legal")).to_vec()
}

fn disturb(crowd: &mut Crowd, kinds: &[KindId], rng: &mut SplitMix, next_id: &mut u32) {
    let place = rng.below(crowd.len() as u32 + 2) as usize;
    let mut point = || Fine::new(coordinate(rng), coordinate(rng));
    let (a, b) = (point(), point());
    match rng.below(10) {
        0 | 1 => {
            let kind = kinds[rng.below(kinds.len() as u32) as usize];
            let (team, group) = (rng.below(2) as u8, rng.below(3));
            *next_id += 1;
            crowd
                .spawn(&Spawn { id: *next_id, kind, at: a, team, group, ..Spawn::default() })
                .expect("a new id");
        }
        2 => crowd.remove(place),
        3 => crowd.put(place, a, b),
        4 => crowd.hold(place),
        5 => crowd.stop(place),
        6 => crowd.set_pace(place, Fixed::from_raw(a.x)),
        _ => crowd
            .guide(place, Guide { aim: a, goal: if rng.below(2) == 0 { a } else { b }, left: rng.below(9) }),
    }
}

#[test]
fn extreme_crowds_cause_no_panic() {
    let mut rng = SplitMix::new(77);
    for &model in AvoidanceModel::ALL {
        for ticks in [1, 20, 240] {
            let mut crowd = Crowd::new(ticks);
            let kinds = kinds(&mut crowd);
            let settings = AvoidSettings {
                model,
                push: [PushMechanics::None, PushMechanics::Gentle, PushMechanics::Aggressive]
                    [rng.below(3) as usize],
                neighbours: 1 + rng.below(12) as u8,
                range: Fixed::from_cells(1 + rng.below(64) as i32),
                horizon: 1 + rng.below(1000),
                strength: Fixed::from_cells(64),
                margin: Fixed::from_cells(rng.below(65) as i32),
                commitment: 255,
                contact_passes: rng.below(17) as u8,
            };
            let mut avoidance = Avoidance::new(&settings.validate().expect("in range"));
            let mut next_id = 0;
            for _ in 0..150 {
                for _ in 0..3 {
                    disturb(&mut crowd, &kinds, &mut rng, &mut next_id);
                }
                match rng.below(3) {
                    0 => avoidance.tick(&mut crowd, &OpenGround),
                    1 => avoidance.tick(&mut crowd, &Chequered),
                    _ => {
                        let velocities = avoidance.steer(&mut crowd, &Chequered, &Serial).len();
                        assert_eq!(velocities, crowd.len());
                    }
                }
            }
        }
    }
}

#[test]
fn invalid_units_are_refused_by_name() {
    let mut crowd = Crowd::new(20);
    let unknown = Spawn { id: 4, kind: KindId(0), ..Spawn::default() };
    assert_eq!(crowd.spawn(&unknown), Err(SpawnError::UnknownKind { kind: KindId(0) }));
    crowd.add_kind(Kinematics::INFANTRY).expect("legal");
    assert_eq!(crowd.spawn(&unknown), Ok(0));
    assert_eq!(crowd.spawn(&unknown), Err(SpawnError::IdTaken { id: 4 }));
    // Calls for units that do not exist change nothing.
    let before = crowd.clone();
    crowd.guide(1, Guide::default());
    crowd.hold(1);
    crowd.stop(usize::MAX);
    crowd.put(1, Fine::ZERO, Fine::ZERO);
    crowd.set_group(1, 1);
    crowd.set_pace(1, Fixed::ZERO);
    crowd.remove(1);
    assert_eq!(crowd, before);
}
