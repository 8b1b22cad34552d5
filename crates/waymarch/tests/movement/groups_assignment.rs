//! Slot assignment: the sum of squared legs is minimal, legs do not cross, and the order of members changes nothing.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, Dir8, Fixed, cell};
use waymarch::groups::{
    Approach, Assignment, EXACT_UP_TO, Fit, Formation, FormationRequest, Formations, Member, OpenFooting,
    Role, Slot, crossings,
};
use waymarch_testkit::assignment::least_squares;
use waymarch_testkit::splitmix::SplitMix;

const SOLDIER: Fixed = Fixed::from_raw(410);

fn slot_at(at: Fine) -> Slot {
    let Member { agent, role, .. } = Member::default();
    Slot { at, agent, radius: SOLDIER, role, rank: 0, file: 0, fit: Fit::Ideal }
}

fn soldier(id: u32, at: Fine) -> Member {
    Member { id, at, radius: SOLDIER, ..Member::default() }
}

/// Random points in a square of `side` cells whose corner is at (`corner`, `corner`) cells.
fn scattered(rng: &mut SplitMix, count: usize, corner: i32, side: u32) -> Vec<Fine> {
    let mut part = || (corner << 16) + rng.below(side << 16) as i32;
    (0..count).map(|_| Fine::new(part(), part())).collect()
}

fn assign(members: &[Member], slots: &[Slot], approach: Approach) -> Vec<u32> {
    let mut taken = Vec::new();
    Assignment::default().assign(members, slots, approach, &mut taken);
    let taken: Vec<u32> = taken.into_iter().map(|slot| slot.expect("every member has a slot")).collect();
    let mut different = taken.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), members.len(), "each slot has one member");
    taken
}

/// The sum of squared legs, with members and slots moved to a common centre. The distance between the centres is the same for all
/// assignments and would hide their differences.
fn total(members: &[Member], slots: &[Slot], taken: &[u32]) -> i128 {
    let (from, to) = centred(members, slots);
    let leg = |(x, y): (i64, i64), (to_x, to_y): (i64, i64)| {
        i128::from(x - to_x).pow(2) + i128::from(y - to_y).pow(2)
    };
    from.iter().zip(taken).map(|(&at, &slot)| leg(at, to[slot as usize])).sum()
}

type Plain = Vec<(i64, i64)>;

fn centred(members: &[Member], slots: &[Slot]) -> (Plain, Plain) {
    let centre = |points: Vec<(i64, i64)>| -> Vec<(i64, i64)> {
        let count = points.len().max(1) as i64;
        let x = points.iter().map(|at| at.0).sum::<i64>() / count;
        let y = points.iter().map(|at| at.1).sum::<i64>() / count;
        points.into_iter().map(|at| (at.0 - x, at.1 - y)).collect()
    };
    let plain = |at: Fine| (i64::from(at.x), i64::from(at.y));
    (
        centre(members.iter().map(|member| plain(member.at)).collect()),
        centre(slots.iter().map(|slot| plain(slot.at)).collect()),
    )
}

fn formed(formation: &Formation, members: &[Member], at: Fine, facing: Angle) -> Vec<Slot> {
    let mut slots = Vec::new();
    let request = FormationRequest { formation, centre: at, facing, gap: Fixed::ZERO };
    Formations::default().arrange(&request, members, &OpenFooting, &mut slots).expect("room on a plain");
    slots
}

#[test]
fn up_to_two_hundred_no_assignment_is_better() {
    let mut rng = SplitMix::new(12);
    let counts = (1..=24).chain([31, 48, 77, 100, 131, 160, 199, EXACT_UP_TO]);
    for count in counts {
        // Scattered, in one line, all at one point, and on a lattice with many ties.
        let lattice: Vec<Fine> = (0..count as i32).map(|k| Fine::centre(cell(k % 9, k / 9))).collect();
        let line: Vec<Fine> = (0..count as i32).map(|k| Fine::centre(cell(3 * k, 40))).collect();
        let one = vec![Fine::centre(cell(5, 5)); count];
        for (kind, at) in [scattered(&mut rng, count, 0, 30), lattice, line, one].iter().enumerate() {
            let members: Vec<Member> = (0..).zip(at).map(|(id, &at)| soldier(id, at)).collect();
            let slots: Vec<Slot> = scattered(&mut rng, count, 60, 25).into_iter().map(slot_at).collect();
            let taken = assign(&members, &slots, Approach::Open);
            let (from, to) = centred(&members, &slots);
            let (ours, best) = (total(&members, &slots, &taken), least_squares(&from, &to));
            // Legs are compared on a scale of a few thousand steps over the group's extent.
            assert!(
                ours >= best && (ours - best) * 1_000 <= 3 * best,
                "{count} of kind {kind}: {ours} for {best}"
            );
        }
    }
}

#[test]
fn hundreds_are_within_one_per_cent_of_the_best_from_any_shape_into_any_other() {
    let mut rng = SplitMix::new(5);
    let formations = [
        Formation::Box,
        Formation::Line,
        Formation::Hex,
        Formation::Circle,
        Formation::Wedge,
        Formation::Column,
    ];
    let mut worst = 0;
    for count in [EXACT_UP_TO + 1, 320, 500] {
        for formation in &formations {
            let facing = Angle(rng.below(65_536) as u16);
            for at in [
                scattered(&mut rng, count, 0, 24),
                (0..count as i32).map(|k| Fine::centre(cell(k % 40, k / 40))).collect(),
            ] {
                let members: Vec<Member> = (0..).zip(&at).map(|(id, &at)| soldier(id, at)).collect();
                let slots = formed(formation, &members, Fine::centre(cell(45, 30)), facing);
                let taken = assign(&members, &slots, Approach::Open);
                let plain = |at: Fine| (i64::from(at.x), i64::from(at.y));
                let from: Vec<(i64, i64)> = members.iter().map(|member| plain(member.at)).collect();
                let to: Vec<(i64, i64)> = slots.iter().map(|slot| plain(slot.at)).collect();
                let leg = |(a, &b): (&(i64, i64), &u32)| {
                    let b = to[b as usize];
                    i128::from(a.0 - b.0).pow(2) + i128::from(a.1 - b.1).pow(2)
                };
                let (ours, best) =
                    (from.iter().zip(&taken).map(leg).sum::<i128>(), least_squares(&from, &to));
                let off = (ours - best) * 100_000 / best;
                worst = worst.max(off);
                assert!(off <= 1000, "{count} {formation:?}: {off} / 100,000 above the optimum");
            }
        }
    }
    println!("at worst {worst} / 100,000 above the optimum");
}

/// The number of crossing legs when ten soldiers move by a few cells.
fn crossed(abreast: i32, formation: &Formation, (dx, dy): (i32, i32)) -> u64 {
    let place = |id: i32| Fine::centre(cell(20 + id % abreast, 20 + id / abreast));
    let members: Vec<Member> = (0..10).map(|id| soldier(id, place(id as i32))).collect();
    let middle = |count: i32| (20 << 16) + count * 32_768;
    let centre = Fine::new(middle(abreast) + (dx << 16), middle(10 / abreast) + (dy << 16));
    let slots = formed(formation, &members, centre, Angle::atan2(dy, dx));
    let taken = assign(&members, &slots, Approach::Open);
    let legs: Vec<(Fine, Fine)> =
        members.iter().zip(&taken).map(|(member, &slot)| (member.at, slots[slot as usize].at)).collect();
    crossings(&legs)
}

#[test]
fn ten_units_ordered_back_two_cells_do_not_cross() {
    let moves = [(0, 2), (0, -2), (2, 0), (-2, 0), (2, 2), (-2, 1)];
    for offset in moves {
        for abreast in [1, 2, 5, 10] {
            for formation in [Formation::Adaptive, Formation::Relative] {
                assert_eq!(
                    crossed(abreast, &formation, offset),
                    0,
                    "{abreast} abreast, {formation:?} by {offset:?}"
                );
            }
        }
    }
    // Soldiers in a line that move back and form a line again.
    for by in [(0, 2), (0, -2)] {
        assert_eq!(crossed(10, &Formation::Line, by), 0);
        assert_eq!(crossed(5, &Formation::Line, by), 0, "two ranks become one");
    }
    // Soldiers that take another formation cross little.
    let formations = [Formation::Box, Formation::Line, Formation::Column, Formation::Hex, Formation::Wedge];
    let all: u64 =
        formations.iter().flat_map(|formation| moves.map(|offset| crossed(5, formation, offset))).sum();
    let pairs = 45 * (formations.len() * moves.len()) as u64;
    println!("{all} pairs of {pairs} cross");
    assert!(all * 33 <= pairs, "{all} of {pairs} pairs cross");
}

#[test]
fn members_in_front_take_the_slots_ahead() {
    let members: Vec<Member> =
        (0..40).map(|id| soldier(id, Fine::centre(cell(id as i32 % 4, id as i32 / 4)))).collect();
    // The group goes north: the first rows are ahead.
    let slots = formed(&Formation::Box, &members, Fine::centre(cell(2, -60)), Dir8::N.into());
    let taken = assign(&members, &slots, Approach::Open);
    let row = |id: usize| slots[taken[id] as usize].at.y;
    assert!((0..4).map(row).max() < (36..40).map(row).min(), "the first row stands before the last");
}

#[test]
fn the_first_member_through_a_narrow_gate_goes_farthest() {
    let gate = Fine::centre(cell(50, 10));
    let members: Vec<Member> = (0..60)
        .map(|id| Member {
            left: 100 + (id * 37) % 60,
            ..soldier(id, Fine::centre(cell(id as i32 % 10, id as i32 / 10)))
        })
        .collect();
    let slots = formed(&Formation::Hex, &members, Fine::centre(cell(70, 10)), Dir8::E.into());
    let taken = assign(&members, &slots, Approach::Through(gate));
    let mut by_time: Vec<usize> = (0..60).collect();
    by_time.sort_by_key(|&id| members[id].left);
    let far = |id: usize| slots[taken[id] as usize].at.distance_squared(gate);
    assert!(by_time.windows(2).all(|pair| far(pair[0]) >= far(pair[1])));
}

#[test]
fn queues_are_in_the_order_of_arrival() {
    let members: Vec<Member> =
        (0..9).map(|id| Member { left: (id * 5) % 9, ..soldier(id, Fine::ZERO) }).collect();
    let slots: Vec<Slot> = (0..9).map(|x| slot_at(Fine::centre(cell(x, 0)))).collect();
    let taken = assign(&members, &slots, Approach::Queue);
    assert!(members.iter().zip(&taken).all(|(member, &slot)| slot == member.left));
}

#[test]
fn each_class_gets_its_own_slots() {
    let mut rng = SplitMix::new(31);
    let mut members = Vec::new();
    for (id, at) in (0..).zip(scattered(&mut rng, 300, 0, 40)) {
        let radius = Fixed::from_raw(rng.pick(&[300, 410, 900]));
        let role = rng.pick(&[Role::Front, Role::Back]);
        members.push(Member { radius, role, ..soldier(id, at) });
    }
    let slots = formed(&Formation::Box, &members, Fine::centre(cell(100, 100)), Angle(3000));
    for approach in [Approach::Open, Approach::Through(Fine::ZERO), Approach::Queue] {
        for (member, slot) in members.iter().zip(assign(&members, &slots, approach)) {
            let slot = &slots[slot as usize];
            assert_eq!((slot.radius, slot.role, slot.agent), (member.radius, member.role, member.agent));
        }
    }
}

#[test]
fn too_few_slots_leave_out_the_farthest_and_too_many_stay_empty() {
    let members: Vec<Member> = (0..5).map(|id| soldier(id, Fine::centre(cell(10 * id as i32, 0)))).collect();
    let slots: Vec<Slot> = (0..3).map(|x| slot_at(Fine::centre(cell(x, 5)))).collect();
    let mut taken = Vec::new();
    let mut assignment = Assignment::default();
    assignment.assign(&members, &slots, Approach::Open, &mut taken);
    assert_eq!(taken, [Some(0), Some(1), Some(2), None, None]);
    assignment.assign(&members[..2], &slots, Approach::Open, &mut taken);
    assert_eq!(taken, [Some(0), Some(1)]);
    assignment.assign(&members, &[], Approach::Open, &mut taken);
    assert_eq!(taken, [None; 5]);
    assignment.assign(&[], &slots, Approach::Open, &mut taken);
    assert!(taken.is_empty());
}

#[test]
fn the_order_of_members_changes_nothing() {
    let mut rng = SplitMix::new(2);
    let mut used = Assignment::default();
    for count in [10, 150, 700] {
        let mut members: Vec<Member> =
            (0..).zip(scattered(&mut rng, count, 0, 50)).map(|(id, at)| soldier(id, at)).collect();
        let slots = formed(&Formation::Hex, &members, Fine::centre(cell(90, 90)), Angle(100));
        for approach in [Approach::Open, Approach::Through(Fine::centre(cell(70, 70))), Approach::Queue] {
            let by_id = |members: &[Member], taken: &[Option<u32>]| {
                let mut pairs: Vec<_> = members.iter().map(|member| member.id).zip(taken.to_vec()).collect();
                pairs.sort_unstable();
                pairs
            };
            let mut taken = Vec::new();
            Assignment::default().assign(&members, &slots, approach, &mut taken);
            let before = by_id(&members, &taken);
            for at in (1..members.len()).rev() {
                members.swap(at, rng.below(at as u32 + 1) as usize);
            }
            used.assign(&members, &slots, approach, &mut taken);
            assert_eq!(before, by_id(&members, &taken), "{count} {approach:?}");
        }
    }
}

#[test]
fn extreme_numbers_cause_no_panic() {
    let far = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
    let members: Vec<Member> =
        (0..250).map(|id: usize| soldier(9, Fine::new(far[id % 6], far[id / 6 % 6]))).collect();
    let slots: Vec<Slot> =
        (0..250).map(|id: usize| slot_at(Fine::new(far[id / 3 % 6], far[id % 6]))).collect();
    for count in [2, 36, 250] {
        for approach in [Approach::Open, Approach::Through(Fine::new(i32::MIN, i32::MAX)), Approach::Queue] {
            assign(&members[..count], &slots[..count], approach);
        }
    }
}
