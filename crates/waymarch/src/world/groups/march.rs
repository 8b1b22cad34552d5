//! The march of a group: a frame moves along the group's route, and carries the formation slots with it.

use crate::base::{Angle, CellPos, FINE_CELL, Fine, GridSize, WideVec, persist_fields, round_unit};
use crate::groups::WIDEST_GATE;
use crate::world::groups::group::{Group, GroupGate};
use crate::world::units::membership::{Branch, Membership, RouteProgress};

/// The frame leaves 3 cells between the exit of a narrow place and its last rank, so that members that come out have room.
const CLEAR_OF_EXIT: i64 = 3 * FINE_CELL as i64;
/// Members head for the gate of a narrow place once their first rank is 1 cell before it.
const BEFORE_ENTRY: i64 = FINE_CELL as i64;
/// At a bend of 48 degrees or more, where members need 1124 / 1024 of their width, the formation turns around the corner.
const SHARP: u16 = 1124;
/// A turn has 65,536 parts, so an arc as long as its radius has 65,536 / 2π = 10,430 of them.
const RADIAN: i64 = 10_430;

/// World: how the formation slots of a group lie around its anchor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SlotLayout {
    /// Where the formation faces in its slots.
    pub(crate) facing: Angle,
    /// The distance from the anchor to the farthest slot, in 65,536ths of a cell.
    pub(crate) reach: i64,
    /// The distance to either side at which the outermost slot lies.
    pub(crate) half_width: i64,
}

/// World: the frame in which the members of a group keep their formation while they travel. It is the formation at its goal, moved and turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct March {
    /// Where the anchor of the formation is now.
    pub(crate) at: Fine,
    /// Where the formation faces now.
    pub(crate) facing: Angle,
    /// The number of the gate that the frame crosses next.
    pub(crate) gate: u16,
    /// How far the frame may move in a tick, in 65,536ths of a cell.
    pub(crate) speed: i32,
    /// How far it moved in the last tick.
    pub(crate) velocity: Fine,
    /// The last gate of a narrow place that the group is about to pass: members cross it lane by lane, and the frame waits for the first of them.
    pub(crate) passing: Option<u16>,
}

persist_fields! {
    SlotLayout { facing: Angle, reach: i64, half_width: i64 }
    March { at: Fine, facing: Angle, gate: u16, speed: i32, velocity: Fine, passing: Option<u16> }
}

impl SlotLayout {
    /// The layout of slots around a centre.
    pub(crate) fn of(centre: Fine, facing: Angle, slots: impl Iterator<Item = Fine>) -> Self {
        slots.fold(Self { facing, reach: 0, half_width: 0 }, |layout, slot| {
            let offset = centre.offset_to(slot);
            let aside = ahead_of(facing).cross(offset) >> 16;
            Self {
                reach: layout.reach.max(offset.length()),
                half_width: layout.half_width.max(aside.abs()),
                ..layout
            }
        })
    }

    /// Whether loading accepts it: slots are on the map, which is at most 2^14 cells wide.
    pub(crate) fn is_valid(&self) -> bool {
        let lengths = 0..=i64::from(FINE_CELL) << 15;
        lengths.contains(&self.reach) && lengths.contains(&self.half_width)
    }
}

impl March {
    /// Whether loading accepts it.
    pub(crate) fn is_valid(&self, grid: GridSize) -> bool {
        grid.contains(self.at.cell()) && (0..=64 * FINE_CELL).contains(&self.speed)
    }

    /// The place of a formation slot in the frame.
    pub(crate) fn place(&self, group: &Group, slot: Fine) -> Fine {
        let turn = Angle(self.facing.0.wrapping_sub(group.layout.facing.0));
        self.at.plus(rotated(group.anchor.offset_to(slot), turn).fine())
    }

    /// Where a place of the frame will be in one second.
    pub(crate) fn lead(&self, place: Fine, ticks_per_second: u32) -> Fine {
        place.plus(self.velocity.wide().times(i64::from(ticks_per_second)).fine())
    }

    /// How far a place of the frame is to the right of its middle, as an offset.
    pub(crate) fn aside(&self, place: Fine) -> WideVec {
        let right = WideVec::new(-i64::from(self.facing.sin_16()), i64::from(self.facing.cos_16()));
        let by = right.dot(self.at.offset_to(place)) >> 16;
        WideVec::new((right.x * by) >> 16, (right.y * by) >> 16)
    }
}

/// The direction that an angle names, of length 65,536.
fn ahead_of(facing: Angle) -> WideVec {
    WideVec::new(i64::from(facing.cos_16()), i64::from(facing.sin_16()))
}

/// An offset, turned clockwise.
fn rotated(offset: WideVec, by: Angle) -> WideVec {
    let ahead = ahead_of(by);
    let round = |value: i64| (value + (1 << 15)) >> 16;
    WideVec::new(
        round(offset.x * ahead.x - offset.y * ahead.y),
        round(offset.x * ahead.y + offset.y * ahead.x),
    )
}

impl Group {
    /// The width that the formation needs, with the bodies of the outermost members.
    pub(crate) fn formation_width(&self) -> i64 {
        2 * (self.layout.half_width + self.radius.to_fine_i64())
    }

    /// The frame, unless the group passes a narrow place.
    pub(crate) fn frame(&self) -> Option<&March> {
        self.march.as_ref().filter(|march| march.passing.is_none())
    }

    /// The place of a member in the frame. `None` if the group does not keep its formation now, or if a narrow gate lies between the member and the
    /// frame.
    pub(crate) fn frame_slot(&self, membership: &Membership) -> Option<Fine> {
        let frame = self.frame()?;
        self.is_beside(frame, &membership.route).then(|| frame.place(self, membership.slot))
    }

    fn is_narrow(&self, number: usize) -> bool {
        self.main_gates.get(number).is_some_and(|gate| self.is_too_narrow(gate))
    }

    /// Whether walls on both sides leave the formation less room in a gate than it needs. A wall on one side is passed on the other.
    fn is_too_narrow(&self, gate: &GroupGate) -> bool {
        let needs = self.formation_width();
        let searched = needs.min(WIDEST_GATE / 2) - FINE_CELL as i64;
        let walled = |end: Fine| gate.way.taut.offset_to(end).length() < searched;
        gate.width() < needs && walled(gate.way.gate.left) && walled(gate.way.gate.right)
    }

    /// Decides where the frame crosses each gate. At a sharp bend, and beside closed ground that is wider than the half of the formation on that side, the
    /// whole formation passes at the side that is open. Smaller obstacles part it, and the frame goes straight on.
    pub(crate) fn plan_crossings(&mut self, grid: GridSize, is_open: impl Fn(CellPos) -> bool) {
        let half = self.formation_width() / 2;
        for number in 0..self.main_gates.len() {
            let gate = self.main_gates[number];
            let taut = gate.way.taut;
            let sides = [gate.way.gate.left, gate.way.gate.right].map(|end| taut.offset_to(end));
            let [left, right] = sides.map(WideVec::length);
            let lacks = [half - left, half - right];
            // The side with less room, and how much it lacks.
            let (side, lack) = if lacks[0] > lacks[1] { (0, lacks[0]) } else { (1, lacks[1]) };
            let free = -lacks[1 - side];
            let spare = lack.min(free);
            let across = sides[1 - side].polar().map(|polar| polar.unit);
            let Some(across) = across.filter(|_| spare > 0 && !self.is_too_narrow(&gate)) else { continue };
            let is_open_again = || {
                let beyond = half - lack + FINE_CELL as i64;
                let steps = (half - beyond) / FINE_CELL as i64;
                (0..=steps).any(|step| {
                    let by = beyond + step * i64::from(FINE_CELL);
                    is_open(taut.plus(across.along(by).negative().fine()).cell())
                })
            };
            let crossing = taut.plus(across.along(spare).fine());
            let is_sharp = gate.way.slant >= SHARP;
            if (is_sharp || !is_open_again()) && grid.contains(crossing.cell()) {
                self.main_gates[number].crossing = crossing;
            }
        }
    }

    /// Whether no narrow gate lies between a member and the frame.
    fn is_beside(&self, frame: &March, route: &RouteProgress) -> bool {
        let (own, its) = (usize::from(route.gate()), usize::from(frame.gate));
        route.branch() == Branch::Main && !(own.min(its)..own.max(its)).any(|number| self.is_narrow(number))
    }

    /// The point that the frame heads for, before the gate with this number: where the route crosses the gate, or the anchor of the slots.
    fn turning_point(&self, gate: usize) -> Fine {
        self.main_gates.get(gate).map_or(self.anchor, |gate| gate.crossing)
    }

    /// Begins a march, or continues it on another route.
    pub(crate) fn begin_march(&mut self, at: Fine) {
        let before = self.march.take();
        let at = before.map_or(at, |march| march.at);
        let gate = self.main_gates.iter().take_while(|gate| gate.is_passed(at)).count() as u16;
        let to = at.offset_to(self.turning_point(usize::from(gate))).fine();
        let facing = before.map_or(Angle::atan2(to.y >> 1, to.x >> 1), |march| march.facing);
        self.march = Some(March { at, facing, gate, speed: 0, velocity: Fine::ZERO, passing: None });
    }

    /// Moves the frame by one tick. It turns no faster than a member at the outermost slot can walk.
    pub(crate) fn advance_march(&mut self) {
        let Some(mut march) = self.march.filter(|march| march.passing.is_none()) else { return };
        let before = march.at;
        let count = self.main_gates.len();
        let number = usize::from(march.gate).min(count);
        let offset = march.at.offset_to(self.turning_point(number));
        let left = offset.length();
        let speed = i64::from(march.speed);
        if left <= speed {
            march.at = self.turning_point(number);
            march.gate = march.gate.saturating_add(u16::from(number < count));
        } else if let Some(polar) = offset.polar() {
            march.at = march.at.plus(polar.unit.along(speed).fine());
        }
        march.velocity = march.at.minus(before);
        let is_last = number == count;
        let to = offset.fine();
        let towards = match is_last && left <= self.layout.reach {
            true => self.layout.facing,
            false if left == 0 => march.facing,
            false => Angle::atan2(to.y >> 1, to.x >> 1),
        };
        let most = self.speed.to_fine_i64() * RADIAN / self.layout.reach.max(i64::from(FINE_CELL));
        march.facing = march.facing.turn_towards(towards, most.clamp(1, 1 << 14) as u16);
        let is_over = is_last && left == 0 && march.facing == self.layout.facing;
        march.passing = self.narrow_place_ahead(&march);
        self.march = (!is_over).then_some(march);
    }

    /// The last gate of the narrow place that the first rank of the frame reaches next, if it is there.
    fn narrow_place_ahead(&self, march: &March) -> Option<u16> {
        let (mut along, mut from) = (0, march.at);
        let first = usize::from(march.gate);
        let entry = (first..self.main_gates.len()).find_map(|number| {
            let at = self.turning_point(number);
            along += from.offset_to(at).length();
            from = at;
            (along > self.layout.reach + BEFORE_ENTRY || self.is_narrow(number)).then_some((number, along))
        });
        let (entry, _) = entry.filter(|&(_, along)| along <= self.layout.reach + BEFORE_ENTRY)?;
        // Narrow gates between which the formation has no room belong to one narrow place.
        let (mut exit, mut along, mut from) = (entry, 0, self.turning_point(entry));
        for number in entry + 1..self.main_gates.len() {
            let at = self.turning_point(number);
            along += from.offset_to(at).length();
            from = at;
            if along > 2 * self.layout.reach + CLEAR_OF_EXIT {
                break;
            }
            if self.is_narrow(number) {
                (exit, along) = (number, 0);
            }
        }
        Some(exit as u16)
    }

    /// The frame behind the narrow place that the group passes, clear of its exit. `None` if the goal is nearer.
    pub(crate) fn frame_beyond(&self, exit: u16) -> Option<March> {
        let mut left = self.layout.reach + CLEAR_OF_EXIT;
        let mut number = usize::from(exit);
        let mut from = self.turning_point(number);
        while number < self.main_gates.len() {
            number += 1;
            let offset = from.offset_to(self.turning_point(number));
            let long = offset.length();
            if let Some(polar) = offset.polar().filter(|_| long > left) {
                let to = offset.fine();
                return Some(March {
                    at: from.plus(
                        WideVec::new(round_unit(polar.unit.x * left), round_unit(polar.unit.y * left)).fine(),
                    ),
                    facing: Angle::atan2(to.y >> 1, to.x >> 1),
                    gate: number as u16,
                    speed: 0,
                    velocity: Fine::ZERO,
                    passing: None,
                });
            }
            (left, from) = (left - long, self.turning_point(number));
        }
        None
    }
}
