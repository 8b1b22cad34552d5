//! Slots: finite, different, far enough apart, on ground their members can stop on and get to; whatever the formation, count and ground.

use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, Dir8, Fixed, LocomotorId, SizeClass, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::groups::{
    Fit, Footing, Formation, FormationError, Formations, MAX_MEMBERS, MapFooting, Member, Muster,
    OpenFooting, Role, Shape, Slot, room_between,
};
use waymarch::sectors::Sectors;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::picture::Picture;
use waymarch_testkit::splitmix::SplitMix;

const SOLDIER: Fixed = Fixed::from_raw(410);

fn plain_formations() -> [Formation; 9] {
    [
        Formation::Adaptive,
        Formation::Relative,
        Formation::Box,
        Formation::Line,
        Formation::Column,
        Formation::Wedge,
        Formation::Circle,
        Formation::Scatter,
        Formation::Hex,
    ]
}

/// Soldiers in a block around a cell.
fn soldiers(count: u32, around: CellPos) -> Vec<Member> {
    let side = count.isqrt() + 1;
    let at = |id: u32| Fine::centre(around.offset((id % side) as i32, (id / side) as i32));
    (0..count).map(|id| Member { id, at: at(id), radius: SOLDIER, ..Member::default() }).collect()
}

/// Members of four sizes and three roles, strewn about.
fn motley(count: u32, seed: u64) -> Vec<Member> {
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

fn muster(formation: &Formation, centre: Fine, facing: Angle) -> Muster<'_> {
    Muster { formation, centre, facing, gap: Fixed::ZERO }
}

/// What must hold of slots; pairs are compared along one axis only as far as they can be too near.
fn check(slots: &[Slot], members: &[Member], gap: Fixed, footing: &impl Footing, what: &str) {
    let mut classes: Vec<_> =
        members.iter().map(|member| (member.role, member.radius, member.agent)).collect();
    let mut of_slots: Vec<_> = slots.iter().map(|slot| (slot.role, slot.radius, slot.agent)).collect();
    classes.sort();
    of_slots.sort();
    assert_eq!(classes, of_slots, "{what}: each class has its slots");
    for slot in slots {
        assert!(footing.is_reachable(slot.agent, slot.at.cell()), "{what}: {:?} can be reached", slot.at);
        assert!(footing.may_stop(slot.agent, slot.radius, slot.at), "{what}: one may stop at {:?}", slot.at);
    }
    let widest = slots.iter().map(|slot| slot.radius).max().unwrap_or(Fixed::ZERO);
    let most = room_between(widest, widest, gap);
    let mut by_x: Vec<&Slot> = slots.iter().collect();
    by_x.sort_by_key(|slot| slot.at);
    for (number, a) in by_x.iter().enumerate() {
        for b in by_x[number + 1..].iter().take_while(|b| i64::from(b.at.x) - i64::from(a.at.x) < most) {
            let room = room_between(a.radius, b.radius, gap) as u64;
            let apart = a.at.distance_squared(b.at);
            assert!(apart >= room * room, "{what}: {:?} and {:?} are too near", a.at, b.at);
        }
    }
}

fn arrange(
    muster: &Muster<'_>,
    members: &[Member],
    footing: &impl Footing,
    what: &str,
) -> (Shape, Vec<Slot>) {
    let mut slots = Vec::new();
    let shape = Formations::default()
        .arrange(muster, members, footing, &mut slots)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    check(&slots, members, muster.gap, footing, what);
    (shape, slots)
}

#[test]
fn every_formation_of_one_to_two_hundred_has_its_slots_on_a_plain() {
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    for formation in plain_formations() {
        for count in 0..=200 {
            let members = soldiers(count, cell(0, 0));
            let facing = Angle((count * 911) as u16);
            let asked = muster(&formation, Fine::centre(cell(200, 150)), facing);
            formations.arrange(&asked, &members, &OpenFooting, &mut slots).expect("room enough");
            check(&slots, &members, Fixed::ZERO, &OpenFooting, &format!("{count} {formation:?}"));
            // All of them fit as they are: a plain refuses nobody.
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
            let asked = muster(&formation, Fine::centre(cell(900, 900)), Angle(5555));
            arrange(&asked, &members, &OpenFooting, &format!("{count} {formation:?}"));
        }
    }
}

#[test]
fn sizes_and_roles_may_be_mixed_and_gaps_wide() {
    for formation in plain_formations() {
        for (seed, count) in [1, 2, 3, 5, 9, 14, 40, 130, 400].into_iter().enumerate() {
            let members = motley(count, seed as u64);
            for gap in [Fixed::ZERO, Fixed::from_raw(777), Fixed::from_cells(3)] {
                let asked = Muster { gap, ..muster(&formation, Fine::centre(cell(300, 100)), Angle(9999)) };
                arrange(&asked, &members, &OpenFooting, &format!("{count} {formation:?} gap {gap}"));
            }
        }
    }
}

#[test]
fn sizes_of_all_magnitudes_stand_together() {
    let radii = [0, 1, 3, 16, 100, 410, 1024, 5000, 16 * 1024];
    let members: Vec<Member> = (0..90)
        .map(|id| Member {
            id,
            radius: Fixed::from_raw(radii[id as usize % radii.len()]),
            ..Member::default()
        })
        .collect();
    for formation in plain_formations() {
        let asked = muster(&formation, Fine::centre(cell(500, 500)), Angle(1));
        arrange(&asked, &members, &OpenFooting, &format!("{formation:?}"));
    }
}

#[test]
fn front_roles_stand_before_middle_ones_and_those_before_back_ones() {
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
            arrange(&muster(&formation, Fine::centre(cell(90, 90)), north), &members, &OpenFooting, "roles");
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
            arrange(&muster(formation, Fine::centre(cell(90, 90)), north), &members, &OpenFooting, "extent");
        let span = |part: fn(&Slot) -> i32| {
            let (low, high) = (slots.iter().map(part).min(), slots.iter().map(part).max());
            (high.expect("slots") - low.expect("slots")) >> 16
        };
        (span(|slot| slot.at.x), span(|slot| slot.at.y))
    };
    assert_eq!(extent(&Formation::Line), (33, 0), "abreast");
    assert_eq!(extent(&Formation::Column), (0, 33), "in file");
    let (wide, deep) = extent(&Formation::Box);
    assert!(wide.abs_diff(deep) <= 1, "{wide}×{deep}");
    let (wide, deep) = extent(&Formation::Hex);
    assert!(wide <= 6 && deep <= 6, "tight: {wide}×{deep}");
    let (wide, deep) = extent(&Formation::Scatter);
    assert!(wide > 10 && deep > 10, "far apart: {wide}×{deep}");
    let (_, wedge) = arrange(
        &muster(&Formation::Wedge, Fine::centre(cell(90, 90)), north),
        &members,
        &OpenFooting,
        "wedge",
    );
    let tip: Vec<&Slot> = wedge.iter().filter(|slot| slot.rank == 0).collect();
    assert_eq!(tip.len(), 1);
    assert!(wedge.iter().all(|slot| slot.at.y >= tip[0].at.y), "the tip is ahead");
    let (_, ring) = arrange(
        &muster(&Formation::Circle, Fine::centre(cell(90, 90)), north),
        &members,
        &OpenFooting,
        "ring",
    );
    let from_middle = |slot: &Slot| slot.at.distance_squared(Fine::centre(cell(90, 90))).isqrt() >> 16;
    assert!(ring.iter().all(|slot| from_middle(slot) >= 4), "empty within");
}

#[test]
fn custom_places_are_taken_and_those_beyond_the_list_stand_around_the_centre() {
    let cells = |x: i32, y: i32| Fine::new(x << 16, y << 16);
    let formation = Formation::Custom(vec![cells(0, -5), cells(-5, 5), cells(5, 5), cells(5, 5)]);
    let members = soldiers(6, cell(0, 0));
    let centre = Fine::centre(cell(60, 60));
    let (shape, slots) =
        arrange(&muster(&formation, centre, Dir8::E.into()), &members, &OpenFooting, "custom");
    assert_eq!(shape, Shape::Custom);
    let at = |slot: &Slot| (slot.at.x - centre.x, slot.at.y - centre.y);
    // Facing east, what was ahead is east and what was right is south.
    assert_eq!(at(&slots[0]), (5 << 16, 0));
    assert_eq!(at(&slots[1]), (-5 << 16, -5 << 16));
    assert_eq!(at(&slots[2]), (-5 << 16, 5 << 16));
    assert_eq!(slots[3].fit, Fit::Moved, "a place given twice is taken once");
    let near = |slot: &Slot| slot.at.distance_squared(centre).isqrt() >> 16;
    assert!(near(&slots[4]) <= 1 && near(&slots[5]) <= 1);
}

/// A map, and what is needed to ask about it.
struct Place {
    layer: CostLayer,
    sectors: Sectors,
}

impl Place {
    fn new(grid: &Grid) -> Self {
        let map = grid.to_map("ground").validate().expect("a legal map");
        let settings = CostSettings {
            sizes: vec![SizeClass::ONE, SizeClass::TWO, SizeClass::THREE],
            ..CostSettings::default()
        };
        let layer = CostLayer::new(&map, settings);
        let sectors = Sectors::new(&layer, StepRule::default());
        Self { layer, sectors }
    }

    fn picture(text: &str) -> Self {
        let map = Picture::new(text).map.validate().expect("a legal map");
        let layer = CostLayer::new(&map, CostSettings::default());
        let sectors = Sectors::new(&layer, StepRule::default());
        Self { layer, sectors }
    }

    fn footing<'a>(&'a self, starts: &'a [(Agent, CellPos)]) -> MapFooting<'a> {
        MapFooting::new(&self.layer, &self.sectors, starts)
    }
}

const FOOT: Agent = Agent { locomotor: LocomotorId(0), size: SizeClass::ONE };

#[test]
fn on_any_ground_slots_are_where_members_can_be() {
    let mut rng = SplitMix::new(77);
    for seed in 0..6 {
        let grids = [
            Grid::scatter(seed, 90, 90, 250),
            Grid::maze(seed, 91, 91),
            Grid::rooms(seed, 90, 90, 7),
            Grid::caves(seed, 90, 90),
            Grid::city(seed, 90, 90),
        ];
        for (kind, grid) in grids.iter().enumerate() {
            let place = Place::new(grid);
            let Some(start) = grid.random_open(&mut rng) else { continue };
            let starts = [(FOOT, start)];
            let footing = place.footing(&starts);
            for formation in plain_formations() {
                let count = 1 + rng.below(120);
                let members = soldiers(count, start);
                let centre = Fine::new(rng.below(90 << 16) as i32, rng.below(90 << 16) as i32);
                let asked = muster(&formation, centre, Angle(rng.below(65_536) as u16));
                let what = format!("seed {seed} kind {kind} {formation:?} {count}");
                let mut slots = Vec::new();
                match Formations::default().arrange(&asked, &members, &footing, &mut slots) {
                    Ok(_) => check(&slots, &members, Fixed::ZERO, &footing, &what),
                    Err(FormationError::NoRoom { placed, .. }) => {
                        assert_eq!(placed as usize, slots.len());
                        // Only a domain that is really too small, or really far, may say that.
                        let reach: usize = (0..90 * 90)
                            .filter(|at| footing.is_reachable(FOOT, cell(at % 90, at / 90)))
                            .count();
                        assert!(reach < 2 * count as usize, "{what}: no room on {reach} cells");
                    }
                    Err(error) => panic!("{what}: {error}"),
                }
            }
        }
    }
}

#[test]
fn big_and_small_share_real_ground() {
    let grid = Grid::patches(5, 80, 80, &[1, 1, 255]);
    let place = Place::new(&grid);
    let size = |side: u8| Agent { locomotor: LocomotorId(0), size: SizeClass::new(side).expect("legal") };
    let open = |agent: Agent| {
        let field = place.layer.field(agent).expect("it exists");
        let cells = (0..80 * 80).map(|at| cell(at % 80, at / 80));
        cells.filter(|&at| field.is_passable(at)).max_by_key(|&at| {
            let reach = (0..80 * 80).step_by(37).map(|to| cell(to % 80, to / 80));
            (reach.filter(|&to| place.sectors.reachable(at, to, agent)).count(), at)
        })
    };
    let starts: Vec<(Agent, CellPos)> =
        [1, 2, 3].iter().map(|&side| (size(side), open(size(side)).expect("some ground"))).collect();
    let footing = place.footing(&starts);
    let members: Vec<Member> = (0..45)
        .map(|id| {
            let (agent, at) = starts[id as usize % 3];
            let radius = Fixed::from_raw(400 * i32::from(agent.size.side()));
            Member { id, at: Fine::centre(at), agent, radius, ..Member::default() }
        })
        .collect();
    for formation in plain_formations() {
        for centre in [cell(40, 40), cell(10, 70), cell(70, 15)] {
            let asked = muster(&formation, Fine::centre(centre), Angle(20_000));
            arrange(&asked, &members, &footing, &format!("{formation:?} at {centre}"));
        }
    }
}

#[test]
fn a_formation_half_in_the_water_reshapes_on_the_shore() {
    // Water east of column 20.
    let mut grid = Grid::filled(40, 40, 1);
    for (x, y) in grid.cells() {
        if x >= 20 {
            grid.set((x, y), 255);
        }
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(2, 20))];
    let footing = place.footing(&starts);
    let members = soldiers(36, cell(0, 0));
    let asked = muster(&Formation::Box, Fine::centre(cell(20, 20)), Dir8::N.into());
    let (_, slots) = arrange(&asked, &members, &footing, "half in the water");
    let far = |slot: &Slot| slot.at.distance_squared(asked.centre).isqrt() >> 16;
    assert!(slots.iter().all(|slot| far(slot) <= 7), "they stay together");
    let kept = slots.iter().filter(|slot| slot.fit == Fit::Ideal).count();
    assert!((12..=20).contains(&kept), "the half on land keeps its form: {kept}");
}

#[test]
fn nobody_is_sent_behind_the_wall() {
    // A wall with its only gate far away: the block around the goal lies over it.
    let mut grid = Grid::filled(60, 60, 1);
    for x in 0..59 {
        grid.set((x, 30), 255);
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(20, 20))];
    let footing = place.footing(&starts);
    let members = soldiers(50, cell(15, 15));
    for formation in [Formation::Box, Formation::Hex, Formation::Circle, Formation::Scatter, Formation::Line]
    {
        let asked = muster(&formation, Fine::centre(cell(20, 28)), Dir8::E.into());
        let (_, slots) = arrange(&asked, &members, &footing, "wall");
        assert!(slots.iter().all(|slot| slot.at.cell().y < 30), "{formation:?}");
    }
}

#[test]
fn where_there_is_no_room_the_place_grows_along_the_corridor() {
    let mut grid = Grid::filled(120, 9, 255);
    for x in 0..120 {
        grid.set((x, 4), 1);
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(0, 4))];
    let footing = place.footing(&starts);
    for formation in plain_formations() {
        let members = soldiers(60, cell(0, 4));
        let asked = muster(&formation, Fine::centre(cell(60, 4)), Dir8::E.into());
        arrange(&asked, &members, &footing, &format!("{formation:?} in a corridor"));
    }
    // More than fit: the others are told, and those who fit have slots.
    let members = soldiers(400, cell(0, 4));
    let asked = muster(&Formation::Box, Fine::centre(cell(60, 4)), Dir8::E.into());
    let mut slots = Vec::new();
    let refused = Formations::default().arrange(&asked, &members, &footing, &mut slots);
    let Err(FormationError::NoRoom { placed, wanted: 400, .. }) = refused else { panic!("{refused:?}") };
    assert!(placed as usize == slots.len() && placed >= 110, "{placed}");
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
        let asked = muster(&Formation::Adaptive, Fine::centre(centre), Dir8::E.into());
        arrange(&asked, members, &Asked(footing), "adaptive").0
    };
    let plain = |_: CellPos| true;
    assert_eq!(choose(&plain, &soldiers(20, cell(0, 0)), cell(80, 3)), Shape::Box);
    assert_eq!(choose(&plain, &soldiers(200, cell(0, 0)), cell(80, 3)), Shape::Hex);
    assert_eq!(choose(&plain, &soldiers(20, cell(0, 0)), cell(4, 5)), Shape::Relative, "a short way");
    let road = |at: CellPos| at.y == 3 || at.y == 4 || at.x < 20;
    assert_eq!(choose(&road, &soldiers(60, cell(0, 0)), cell(80, 3)), Shape::Column, "a narrow road");
    assert_eq!(choose(&plain, &soldiers(1, cell(0, 0)), cell(80, 3)), Shape::Box);
}

#[test]
fn relative_groups_keep_their_shape() {
    let mut members = motley(25, 3);
    for member in &mut members {
        (member.radius, member.role) = (SOLDIER, Role::Middle);
        member.at = Fine::new((member.id as i32 % 5) << 17, (member.id as i32 / 35) << 17);
    }
    let asked = muster(&Formation::Relative, Fine::centre(cell(60, 60)), Dir8::W.into());
    let (_, slots) = arrange(&asked, &members, &OpenFooting, "relative");
    assert!(slots.iter().all(|slot| slot.fit == Fit::Ideal));
    // Far-flung ones are drawn together.
    members[0].at = Fine::centre(cell(3000, 0));
    let (_, slots) = arrange(&asked, &members, &OpenFooting, "far-flung");
    let far = |slot: &Slot| slot.at.distance_squared(asked.centre).isqrt() >> 16;
    assert!(slots.iter().all(|slot| far(slot) < 40));
}

#[test]
fn slots_do_not_depend_on_the_order_of_members_or_on_what_was_asked_before() {
    let place = Place::picture(
        "..........
         ..........
         ...##.....
         ...##.....
         ..........
         ..........",
    );
    let starts = [(FOOT, cell(0, 0))];
    let footing = place.footing(&starts);
    let mut used = Formations::default();
    let mut rng = SplitMix::new(4);
    for formation in plain_formations() {
        let mut members = soldiers(14, cell(1, 1));
        let asked = muster(&formation, Fine::centre(cell(4, 3)), Angle(4321));
        let (mut first, mut again) = (Vec::new(), Vec::new());
        Formations::default().arrange(&asked, &members, &footing, &mut first).expect("room");
        for at in (1..members.len()).rev() {
            members.swap(at, rng.below(at as u32 + 1) as usize);
        }
        used.arrange(&asked, &members, &footing, &mut again).expect("room");
        assert_eq!(first, again, "{formation:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    let mut members = soldiers(3, cell(0, 0));
    let asked = muster(&Formation::Box, Fine::centre(cell(5, 5)), Angle(0));
    let mut ask = |asked: &Muster<'_>, members: &[Member]| {
        formations.arrange(asked, members, &OpenFooting, &mut slots).map(|_| ())
    };
    members[1].radius = Fixed::from_raw(-1);
    assert_eq!(ask(&asked, &members), Err(FormationError::Radius { id: 1, radius: Fixed::from_raw(-1) }));
    members[1].radius = Fixed::from_cells(17);
    assert!(matches!(ask(&asked, &members), Err(FormationError::Radius { id: 1, .. })));
    members[1].radius = SOLDIER;
    let tight = Muster { gap: Fixed::from_raw(-1), ..asked };
    assert_eq!(ask(&tight, &members), Err(FormationError::Gap(Fixed::from_raw(-1))));
    let off = Muster { centre: Fine::new(i32::MAX, 0), ..asked };
    assert_eq!(ask(&off, &members), Err(FormationError::Centre(off.centre)));
    let many = vec![members[0]; MAX_MEMBERS + 1];
    assert_eq!(ask(&asked, &many), Err(FormationError::TooMany(MAX_MEMBERS + 1)));
}

#[test]
fn odd_numbers_do_no_harm() {
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
                &muster(formation, centre, Angle(u16::MAX)),
                &members,
                &OpenFooting,
                &format!("odd {formation:?}"),
            );
        }
    }
}
