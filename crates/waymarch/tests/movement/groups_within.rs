//! Slots in goals with an area: equals a scan of all places.

use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, CellRect, Fixed, cell};
use waymarch::groups::{
    Footing, Formation, FormationError, FormationRequest, Formations, GoalArea, Member, OpenFooting, Slot,
    has_slots, room_between,
};
use waymarch::query::{Goal, Shape};
use waymarch_testkit::splitmix::SplitMix;

const SIDE: i32 = 48;

/// Ground with pillars: single closed cells that do not touch each other.
struct Pillars(Vec<CellPos>);

impl Pillars {
    fn new(seed: u64, count: u32) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut cells = Vec::new();
        for _ in 0..count {
            let at = cell(2 * rng.below(24) as i32, 2 * rng.below(24) as i32);
            if !cells.contains(&at) {
                cells.push(at);
            }
        }
        Self(cells)
    }

    fn is_open(&self, at: CellPos) -> bool {
        at.x >= 0 && at.y >= 0 && at.x < SIDE && at.y < SIDE && !self.0.contains(&at)
    }
}

impl Footing for Pillars {
    fn may_stop(&self, _: Agent, _: Fixed, at: Fine) -> bool {
        self.is_open(at.cell())
    }

    fn is_reachable(&self, _: Agent, at: CellPos) -> bool {
        self.is_open(at)
    }
}

fn members(count: u32, rng: &mut SplitMix) -> Vec<Member> {
    let wide = [384, 384, 512];
    (0..count)
        .map(|id| Member {
            id,
            at: Fine::centre(cell(rng.below(8) as i32, rng.below(40) as i32)),
            radius: Fixed::from_raw(wide[rng.below(3) as usize]),
            ..Member::default()
        })
        .collect()
}

fn goals() -> Vec<Goal> {
    let list = (0..12).map(|n| Shape::Point(cell(20 + 2 * (n % 4), 21 + 3 * (n / 4)))).collect();
    vec![
        Goal::rect(CellRect::at(cell(20, 10), 9, 14)),
        Goal::rect(CellRect::at(cell(40, 40), 30, 30)),
        Goal::rect(CellRect::at(cell(25, 25), 2, 1)),
        Goal::circle(cell(30, 20), Fixed::from_cells(6)),
        Goal::circle(cell(60, 20), Fixed::from_cells(20)),
        Goal::ring(cell(24, 24), Fixed::from_cells(6), Fixed::from_cells(9)),
        Goal::AnyOf(list),
        Goal::AnyOf(vec![
            Shape::Rect(CellRect::at(cell(20, 5), 4, 4)),
            Shape::Circle { centre: cell(30, 40), radius: Fixed::from_cells(4) },
        ]),
    ]
}

fn arrange(goal: &Goal, formation: &Formation, members: &[Member], ground: &impl Footing) -> Vec<Slot> {
    let map = CellRect::at(cell(0, 0), SIDE as u32, SIDE as u32);
    let centre = waymarch::groups::middle_of(members);
    let request = FormationRequest { formation, centre, facing: Angle::ZERO, gap: Fixed::ZERO };
    let mut slots = Vec::new();
    let found =
        Formations::default().arrange_in_goal(&GoalArea { goal, map }, &request, members, ground, &mut slots);
    assert!(found.expect("room").is_some());
    slots
}

fn has_room(slots: &[Slot], at: Fine, radius: Fixed) -> bool {
    slots.iter().all(|slot| {
        let room = room_between(slot.radius, radius, Fixed::ZERO) as u64;
        slot.at.distance_squared(at) >= room * room
    })
}

/// The slow twin: a free place for a member in the parts of the goal that touch a slot, on a grid of quarter cells.
fn free_place(goal: &Goal, ground: &Pillars, slots: &[Slot], radius: Fixed) -> Option<Fine> {
    let shapes = goal.shapes().iter();
    let used = shapes.filter(|shape| slots.iter().any(|slot| shape.contains(slot.at.cell())));
    let cells = used.flat_map(|shape| {
        let all = shape.bounds().intersect(CellRect::at(cell(0, 0), SIDE as u32, SIDE as u32)).cells();
        all.filter(|&at| shape.contains(at)).collect::<Vec<_>>()
    });
    let points = cells.flat_map(|at| {
        (0..16).map(move |n| Fine::new((at.x << 16) + (n % 4) * 16_384, (at.y << 16) + (n / 4) * 16_384))
    });
    let mut points = points.into_iter().filter(|at| ground.is_open(at.cell()));
    points.find(|&at| has_room(slots, at, radius))
}

#[test]
fn no_slot_is_outside_of_a_goal_that_has_room() {
    let formations = [
        Formation::Adaptive,
        Formation::Box,
        Formation::Line,
        Formation::Wedge,
        Formation::Hex,
        Formation::Relative,
    ];
    let mut rng = SplitMix::new(3);
    for (number, goal) in goals().iter().enumerate() {
        for (formation, count) in
            formations.iter().flat_map(|formation| [1, 4, 19, 70].map(|n| (formation, n)))
        {
            let members = members(count, &mut rng);
            let ground = Pillars::new(u64::from(count) + number as u64, if count % 2 == 0 { 0 } else { 60 });
            let slots = arrange(goal, formation, &members, &ground);
            assert_eq!(slots.len(), count as usize);
            for (place, slot) in slots.iter().enumerate() {
                assert!(ground.is_open(slot.at.cell()), "{goal:?} {formation:?}: {slot:?}");
                assert!(has_room(&slots[..place], slot.at, slot.radius), "{goal:?} {formation:?}: {slot:?}");
            }
            let outside =
                slots.iter().filter(|slot| !goal.contains(slot.at.cell())).map(|slot| slot.radius).min();
            if let Some(radius) = outside {
                let free = free_place(goal, &ground, &slots, radius);
                assert_eq!(free, None, "{goal:?} {formation:?} of {count}: a slot lies outside");
            }
        }
    }
}

#[test]
fn the_order_of_members_does_not_matter() {
    let mut rng = SplitMix::new(5);
    for goal in goals() {
        let mut members = members(25, &mut rng);
        let key = |slot: &Slot| (slot.at, slot.radius);
        let sorted = |mut slots: Vec<Slot>| {
            slots.sort_unstable_by_key(key);
            slots
        };
        let one = sorted(arrange(&goal, &Formation::Adaptive, &members, &OpenFooting));
        members.reverse();
        let other = sorted(arrange(&goal, &Formation::Adaptive, &members, &OpenFooting));
        assert_eq!(one, other, "{goal:?}");
    }
}

#[test]
fn reserved_places_are_kept_clear() {
    let members = members(9, &mut SplitMix::new(1));
    let request = FormationRequest {
        formation: &Formation::Box,
        centre: Fine::centre(cell(20, 20)),
        facing: Angle::ZERO,
        gap: Fixed::ZERO,
    };
    let mut formations = Formations::default();
    let mut slots = Vec::new();
    formations.arrange(&request, &members, &OpenFooting, &mut slots).expect("room");
    let before = slots.clone();
    let held: Vec<(Fine, Fixed)> = before.iter().map(|slot| (slot.at, slot.radius)).collect();
    formations.keep_clear_of(held.iter().copied());
    formations.arrange(&request, &members, &OpenFooting, &mut slots).expect("room");
    assert!(
        slots.iter().all(|slot| has_room(&before, slot.at, slot.radius)),
        "new slots keep clear of the old ones"
    );
    formations.arrange(&request, &members, &OpenFooting, &mut slots).expect("room");
    assert_eq!(slots, before, "forgotten");
}

#[test]
fn goals_without_an_inside_have_no_slots() {
    let rect = CellRect::at(cell(5, 5), 9, 9);
    let many = Goal::AnyOf(vec![Shape::Rect(rect); 65]);
    assert!(!has_slots(&Goal::rect(rect).inverse()) && !has_slots(&many) && has_slots(&Goal::rect(rect)));
    let members = members(3, &mut SplitMix::new(1));
    let request = FormationRequest {
        formation: &Formation::Box,
        centre: Fine::ZERO,
        facing: Angle::ZERO,
        gap: Fixed::ZERO,
    };
    let mut slots = Vec::new();
    let map = CellRect::at(cell(0, 0), 40, 40);
    let out = Goal::rect(rect).inverse();
    let area = GoalArea { goal: &out, map };
    let found = Formations::default().arrange_in_goal(&area, &request, &members, &OpenFooting, &mut slots);
    assert_eq!((found, slots.len()), (Ok(None), 0));
    let wide = FormationRequest { gap: Fixed::from_cells(17), ..request };
    let area = GoalArea { goal: &Goal::rect(rect), map };
    let found = Formations::default().arrange_in_goal(&area, &wide, &members, &OpenFooting, &mut slots);
    assert_eq!(found, Err(FormationError::Gap(Fixed::from_cells(17))));
}
