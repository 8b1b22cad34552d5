//! Groups to form up, and what must hold of their slots, looked at pair by pair.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, CellPos, Fixed};
use waymarch::groups::{Footing, Formation, Formations, Member, Muster, Shape, Slot};

/// A soldier's radius.
pub const SOLDIER: Fixed = Fixed::from_raw(410);

/// All formations but lists of places.
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

/// An order without gaps.
#[must_use]
pub fn muster(formation: &Formation, centre: Fine, facing: Angle) -> Muster<'_> {
    Muster { formation, centre, facing, gap: Fixed::ZERO }
}

/// How far apart two have to be: 1.06 times the radii, at least 1/16 of a cell each, and the gap.
fn room(a: Fixed, b: Fixed, gap: Fixed) -> i64 {
    let wide = |radius: Fixed| (i64::from(radius.raw()) * 64).max(4096);
    ((wide(a) + wide(b)) * 106 + 99) / 100 + i64::from(gap.raw()) * 64
}

/// What must hold of slots; pairs are compared along one axis only as far as they can be too near.
///
/// # Panics
/// When something does not.
pub fn check(slots: &[Slot], members: &[Member], gap: Fixed, footing: &impl Footing, what: &str) {
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

/// The slots of an order, checked.
///
/// # Panics
/// When there is no room, or something about the slots is not as it must be.
pub fn arrange(
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
