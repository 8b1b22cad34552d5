//! Formation slots for every formation and count: far enough apart, on ground where their members can stop and that they can reach.

use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, Dir8, Fixed, cell};
use waymarch::groups::{
    Fit, Footing, Formation, FormationError, FormationRequest, Formations, MAX_MEMBERS, Member, OpenFooting,
    Role, Shape, Slot,
};
use waymarch_testkit::formation_slots::{SOLDIER, arrange, check, plain_formations, request, soldiers};
use waymarch_testkit::splitmix::SplitMix;

/// Members of four sizes and three roles at random positions.
fn mixed_members(count: u32, seed: u64) -> Vec<Member> {
    let mut rng = SplitMix::new(seed);
    (0..count)
        .map(|id| Member {
            id: id * 7 + 3,
            at: Fine::new(rng.below(40 << 16) as i32, rng.below(40 << 16) as i32),
            radius: Fixed::from_raw(rng.pick(&[200, 410, 410, 700, 1300])),
            role: rng.pick(&[Role::Front, Role::Middle, Role::Middle, Role::Back]),
            ..Member::default()
        })
        .collect()
}

#[test]
fn every_formation_of_one_to_two_hundred_has_its_slots_on_a_plain() {
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    for formation in plain_formations() {
        for count in 0..=200 {
            let members = soldiers(count, cell(0, 0));
            let facing = Angle((count * 911) as u16);
            let asked = request(&formation, Fine::centre(cell(200, 150)), facing);
            formations.arrange(&asked, &members, &OpenFooting, &mut slots).expect("room enough");
            check(&slots, &members, Fixed::ZERO, &OpenFooting, &format!("{count} {formation:?}"));
            // On a plain every slot fits where the formation has it.
            let moved = slots.iter().filter(|slot| slot.fit == Fit::Moved).count();
            assert_eq!(moved, 0, "{count} {formation:?}");
        }
    }
}

#[test]
fn thousands_have_their_slots_too() {
    for formation in plain_formations() {
        for count in [333, 1000, 2500, 5000] {
            let members = soldiers(count, cell(0, 0));
            let asked = request(&formation, Fine::centre(cell(900, 900)), Angle(5555));
            arrange(&asked, &members, &OpenFooting, &format!("{count} {formation:?}"));
        }
    }
}

#[test]
fn sizes_and_roles_may_be_mixed_and_gaps_wide() {
    for formation in plain_formations() {
        for (seed, count) in [1, 2, 3, 5, 9, 14, 40, 130, 400].into_iter().enumerate() {
            let members = mixed_members(count, seed as u64);
            for gap in [Fixed::ZERO, Fixed::from_raw(777), Fixed::from_cells(3)] {
                let asked = FormationRequest {
                    gap,
                    ..request(&formation, Fine::centre(cell(300, 100)), Angle(9999))
                };
                arrange(&asked, &members, &OpenFooting, &format!("{count} {formation:?} gap {gap}"));
            }
        }
    }
}

#[test]
fn very_different_sizes_stand_together() {
    let radii = [0, 1, 3, 16, 100, 410, 1024, 5000, 16 * 1024];
    let members: Vec<Member> = (0..90)
        .map(|id| Member {
            id,
            radius: Fixed::from_raw(radii[id as usize % radii.len()]),
            ..Member::default()
        })
        .collect();
    for formation in plain_formations() {
        let asked = request(&formation, Fine::centre(cell(500, 500)), Angle(1));
        arrange(&asked, &members, &OpenFooting, &format!("{formation:?}"));
    }
}

#[test]
fn front_roles_stand_before_middle_roles_and_these_before_back_roles() {
    let north = Angle::from(Dir8::N);
    let mut members = soldiers(60, cell(0, 0));
    for member in &mut members {
        member.role = [Role::Front, Role::Middle, Role::Back][member.id as usize % 3];
    }
    let exact = [
        Formation::Box,
        Formation::Line,
        Formation::Column,
        Formation::Wedge,
        Formation::Hex,
        Formation::Adaptive,
    ];
    for formation in exact {
        let (_, slots) =
            arrange(&request(&formation, Fine::centre(cell(90, 90)), north), &members, &OpenFooting, "roles");
        let rows = |role: Role| slots.iter().filter(move |slot| slot.role == role).map(|slot| slot.at.y);
        let rear = |role: Role| rows(role).max().expect("there are some");
        let front = |role: Role| rows(role).min().expect("there are some");
        assert!(rear(Role::Front) <= front(Role::Middle), "{formation:?}");
        assert!(rear(Role::Middle) <= front(Role::Back), "{formation:?}");
    }
}

#[test]
fn formations_look_like_their_names() {
    let north = Angle::from(Dir8::N);
    let members = soldiers(40, cell(0, 0));
    let extent = |formation: &Formation| {
        let (_, slots) =
            arrange(&request(formation, Fine::centre(cell(90, 90)), north), &members, &OpenFooting, "extent");
        let span = |part: fn(&Slot) -> i32| {
            let (low, high) = (slots.iter().map(part).min(), slots.iter().map(part).max());
            (high.expect("slots") - low.expect("slots")) >> 16
        };
        (span(|slot| slot.at.x), span(|slot| slot.at.y))
    };
    assert_eq!(extent(&Formation::Line), (33, 0), "abreast");
    assert_eq!(extent(&Formation::Column), (0, 33), "one file");
    let (wide, deep) = extent(&Formation::Box);
    assert!(wide.abs_diff(deep) <= 1, "{wide}×{deep}");
    let (wide, deep) = extent(&Formation::Hex);
    assert!(wide <= 6 && deep <= 6, "tight: {wide}×{deep}");
    let (wide, deep) = extent(&Formation::Scatter);
    assert!(wide > 10 && deep > 10, "wide and deep: {wide}×{deep}");
    let (_, wedge) = arrange(
        &request(&Formation::Wedge, Fine::centre(cell(90, 90)), north),
        &members,
        &OpenFooting,
        "wedge",
    );
    let tip: Vec<&Slot> = wedge.iter().filter(|slot| slot.rank == 0).collect();
    assert_eq!(tip.len(), 1);
    assert!(wedge.iter().all(|slot| slot.at.y >= tip[0].at.y), "the tip is ahead");
    let (_, ring) = arrange(
        &request(&Formation::Circle, Fine::centre(cell(90, 90)), north),
        &members,
        &OpenFooting,
        "ring",
    );
    let from_middle = |slot: &Slot| slot.at.distance_squared(Fine::centre(cell(90, 90))).isqrt() >> 16;
    assert!(ring.iter().all(|slot| from_middle(slot) >= 4), "empty within");
}

#[test]
fn custom_places_are_taken_and_extra_members_stand_around_the_centre() {
    let cells = |x: i32, y: i32| Fine::new(x << 16, y << 16);
    let formation = Formation::Custom(vec![cells(0, -5), cells(-5, 5), cells(5, 5), cells(5, 5)]);
    let members = soldiers(6, cell(0, 0));
    let centre = Fine::centre(cell(60, 60));
    let (shape, slots) =
        arrange(&request(&formation, centre, Dir8::E.into()), &members, &OpenFooting, "custom");
    assert_eq!(shape, Shape::Custom);
    let at = |slot: &Slot| (slot.at.x - centre.x, slot.at.y - centre.y);
    // The group faces east: ahead is east and right is south.
    assert_eq!(at(&slots[0]), (5 << 16, 0));
    assert_eq!(at(&slots[1]), (-5 << 16, -5 << 16));
    assert_eq!(at(&slots[2]), (-5 << 16, 5 << 16));
    assert_eq!(slots[3].fit, Fit::Moved, "a place given twice is taken once");
    let near = |slot: &Slot| slot.at.distance_squared(centre).isqrt() >> 16;
    assert!(near(&slots[4]) <= 1 && near(&slots[5]) <= 1);
}

#[test]
fn custom_places_may_be_closer_than_formations_have_them_as_long_as_bodies_fit() {
    let members = soldiers(7, cell(0, 0));
    let body = 2 * (i64::from(SOLDIER.raw()) << 6);
    for (per_cent, kept) in [(106, 7), (103, 7), (90, 4)] {
        let places = (0..7).map(|place| Fine::new((place * body * per_cent / 100) as i32, 0)).collect();
        let formation = Formation::Custom(places);
        let asked = request(&formation, Fine::centre(cell(60, 60)), Dir8::N.into());
        let mut slots = Vec::new();
        Formations::default().arrange(&asked, &members, &OpenFooting, &mut slots).expect("room enough");
        let ideal = slots.iter().filter(|slot| slot.fit == Fit::Ideal).count();
        assert_eq!(ideal, kept, "{per_cent} % of a body apart");
    }
}

#[test]
fn adaptive_groups_do_what_a_player_expects() {
    let choose = |footing: &dyn Fn(CellPos) -> bool, members: &[Member], centre: CellPos| {
        struct Asked<'a>(&'a dyn Fn(CellPos) -> bool);
        impl Footing for Asked<'_> {
            fn may_stop(&self, _: Agent, _: Fixed, at: Fine) -> bool {
                (self.0)(at.cell())
            }
            fn is_reachable(&self, _: Agent, at: CellPos) -> bool {
                (self.0)(at)
            }
        }
        let asked = request(&Formation::Adaptive, Fine::centre(centre), Dir8::E.into());
        arrange(&asked, members, &Asked(footing), "adaptive").0
    };
    let plain = |_: CellPos| true;
    assert_eq!(choose(&plain, &soldiers(20, cell(0, 0)), cell(80, 3)), Shape::Box);
    assert_eq!(choose(&plain, &soldiers(200, cell(0, 0)), cell(80, 3)), Shape::Hex);
    assert_eq!(choose(&plain, &soldiers(20, cell(0, 0)), cell(4, 5)), Shape::Relative, "a short move");
    let road = |at: CellPos| at.y == 3 || at.y == 4 || at.x < 20;
    assert_eq!(choose(&road, &soldiers(60, cell(0, 0)), cell(80, 3)), Shape::Column, "a narrow road");
    assert_eq!(choose(&plain, &soldiers(1, cell(0, 0)), cell(80, 3)), Shape::Box);
}

#[test]
fn relative_groups_keep_their_shape() {
    let mut members = mixed_members(25, 3);
    for member in &mut members {
        (member.radius, member.role) = (SOLDIER, Role::Middle);
        member.at = Fine::new((member.id as i32 % 5) << 17, (member.id as i32 / 35) << 17);
    }
    let asked = request(&Formation::Relative, Fine::centre(cell(60, 60)), Dir8::W.into());
    let (_, slots) = arrange(&asked, &members, &OpenFooting, "relative");
    assert!(slots.iter().all(|slot| slot.fit == Fit::Ideal));
    // Members that are far away are moved closer.
    members[0].at = Fine::centre(cell(3000, 0));
    let (_, slots) = arrange(&asked, &members, &OpenFooting, "far-flung");
    let far = |slot: &Slot| slot.at.distance_squared(asked.centre).isqrt() >> 16;
    assert!(slots.iter().all(|slot| far(slot) < 40));
}

#[test]
fn invalid_formations_are_refused_by_name() {
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    let mut members = soldiers(3, cell(0, 0));
    let asked = request(&Formation::Box, Fine::centre(cell(5, 5)), Angle(0));
    let mut ask = |asked: &FormationRequest<'_>, members: &[Member]| {
        formations.arrange(asked, members, &OpenFooting, &mut slots).map(|_| ())
    };
    members[1].radius = Fixed::from_raw(-1);
    assert_eq!(ask(&asked, &members), Err(FormationError::Radius { id: 1, radius: Fixed::from_raw(-1) }));
    members[1].radius = Fixed::from_cells(17);
    assert!(matches!(ask(&asked, &members), Err(FormationError::Radius { id: 1, .. })));
    members[1].radius = SOLDIER;
    let tight = FormationRequest { gap: Fixed::from_raw(-1), ..asked };
    assert_eq!(ask(&tight, &members), Err(FormationError::Gap(Fixed::from_raw(-1))));
    let off = FormationRequest { centre: Fine::new(i32::MAX, 0), ..asked };
    assert_eq!(ask(&off, &members), Err(FormationError::Centre(off.centre)));
    let many = vec![members[0]; MAX_MEMBERS + 1];
    assert_eq!(ask(&asked, &many), Err(FormationError::TooMany(MAX_MEMBERS + 1)));
}

#[test]
fn extreme_numbers_cause_no_panic() {
    let far = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
    let members: Vec<Member> = (0..36)
        .map(|id| Member {
            id: 5,
            at: Fine::new(far[id % 6], far[id / 6]),
            radius: Fixed::from_raw(id as i32),
            left: u32::MAX,
            speed: Fixed::from_raw(i32::MIN),
            ..Member::default()
        })
        .collect();
    let edge = 1 << 30;
    let custom = Formation::Custom(far.iter().map(|&part| Fine::new(part, part)).collect());
    for formation in plain_formations().iter().chain([&custom]) {
        for centre in [Fine::new(edge, -edge), Fine::ZERO] {
            arrange(
                &request(formation, centre, Angle(u16::MAX)),
                &members,
                &OpenFooting,
                &format!("odd {formation:?}"),
            );
        }
    }
}
