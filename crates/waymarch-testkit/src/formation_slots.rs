//! Groups to form, and checks of their formation slots, pair by pair.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, CellPos, Fixed};
use waymarch::groups::{Footing, Formation, FormationRequest, Formations, Member, Shape, Slot};

/// A soldier's radius: 410/1024 cell.
pub const SOLDIER: Fixed = Fixed::from_raw(410);

/// All formations except custom ones.
#[must_use]
pub fn plain_formations() -> [Formation; 9] {
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

/// Soldiers in a block south-east of a cell.
#[must_use]
pub fn soldiers(count: u32, around: CellPos) -> Vec<Member> {
    let side = count.isqrt() + 1;
    let at = |id: u32| Fine::centre(around.offset((id % side) as i32, (id / side) as i32));
    (0..count).map(|id| Member { id, at: at(id), radius: SOLDIER, ..Member::default() }).collect()
}

/// A formation order without gaps.
#[must_use]
pub fn request(formation: &Formation, centre: Fine, facing: Angle) -> FormationRequest<'_> {
    FormationRequest { formation, centre, facing, gap: Fixed::ZERO }
}

/// The least distance between two units: 1.06 times the sum of their radii (each at least 1/16 cell), plus the gap.
fn room(a: Fixed, b: Fixed, gap: Fixed) -> i64 {
    let wide = |radius: Fixed| (i64::from(radius.raw()) * 64).max(4096);
    ((wide(a) + wide(b)) * 106 + 99) / 100 + i64::from(gap.raw()) * 64
}

/// Checks the properties of formation slots. Pairs are compared along one axis only as far as they can be too near.
///
/// # Panics
/// If a property does not hold.
pub fn check(slots: &[Slot], members: &[Member], gap: Fixed, footing: &impl Footing, what: &str) {
    let mut classes: Vec<_> =
        members.iter().map(|member| (member.role, member.radius, member.agent)).collect();
    let mut of_slots: Vec<_> = slots.iter().map(|slot| (slot.role, slot.radius, slot.agent)).collect();
    classes.sort();
    of_slots.sort();
    assert_eq!(classes, of_slots, "{what}: each class has its slots");
    for slot in slots {
        assert!(footing.is_reachable(slot.agent, slot.at.cell()), "{what}: {:?} can be reached", slot.at);
        assert!(
            footing.may_stop(slot.agent, slot.radius, slot.at),
            "{what}: a unit may stop at {:?}",
            slot.at
        );
    }
    let widest = slots.iter().map(|slot| slot.radius).max().unwrap_or(Fixed::ZERO);
    let most = room(widest, widest, gap);
    let mut by_x: Vec<&Slot> = slots.iter().collect();
    by_x.sort_by_key(|slot| slot.at);
    for (number, a) in by_x.iter().enumerate() {
        for b in by_x[number + 1..].iter().take_while(|b| i64::from(b.at.x) - i64::from(a.at.x) < most) {
            let apart_by = room(a.radius, b.radius, gap) as u64;
            let apart = a.at.distance_squared(b.at);
            assert!(apart >= apart_by * apart_by, "{what}: {:?} and {:?} are too near", a.at, b.at);
        }
    }
}

/// The formation slots of an order, checked.
///
/// # Panics
/// If there is not enough room, or a property of the slots does not hold.
pub fn arrange(
    request: &FormationRequest<'_>,
    members: &[Member],
    footing: &impl Footing,
    what: &str,
) -> (Shape, Vec<Slot>) {
    let mut slots = Vec::new();
    let shape = Formations::default()
        .arrange(request, members, footing, &mut slots)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    check(&slots, members, request.gap, footing, what);
    (shape, slots)
}
