//! Stations: slots around a target in range, a target to surround, a building or a dock.

use alloc::vec::Vec;

use super::arrange::Formations;
use super::footing::{Footing, LineOfFire};
use super::formation::{Formation, FormationError, FormationRequest, Slot};
use super::geometry::{direction, fine, moved, offset, turned};
use super::member::{Member, Packing};
use super::placement::Spacing;
use super::shapes::{Ideal, Ranks, arc, spread};
use super::slot_condition::{Anywhere, SlotCondition};
use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Angle, CellPos, CellRect, Fixed};

/// At most 256 rings of slots.
const MOST_RINGS: u16 = 256;
/// The queue of a dock begins up to 64 places behind the end of a narrow lane.
const MOST_SKIPPED: i64 = 64;
/// Ranges, radii and half sides of buildings are limited to 1,024 cells.
const MOST_REACH: i64 = 1 << (FINE_BITS + 10);

fn reach(length: Fixed) -> i64 {
    fine(length).clamp(0, MOST_REACH)
}

fn half_side(from: i32, to: i32) -> i64 {
    ((i64::from(to) - i64::from(from)) << (FINE_BITS - 1)).clamp(0, MOST_REACH)
}

/// What a group stands around.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Station {
    /// Within weapon range of a target: at least `least` and at most `most` away, with a clear line of fire. Slots begin on the side that
    /// the group comes from.
    InRange {
        /// The centre of the target.
        target: Fine,
        /// The shortest range.
        least: Fixed,
        /// The longest range.
        most: Fixed,
    },
    /// All around a target, evenly spaced and as near as possible.
    Surround {
        /// The centre of the target.
        target: Fine,
        /// The target's radius.
        radius: Fixed,
    },
    /// Along the outside of a building. Slots near the group come first.
    Park {
        /// The building's cells.
        building: CellRect,
    },
    /// One slot at the berth, the others in a line. The slots are in order, for [`Approach::Queue`](super::Approach::Queue).
    Dock {
        /// The slot of the first member.
        berth: Fine,
        /// The direction of the line, away from the berth.
        queue: Angle,
    },
}

impl Station {
    /// The point that the slots are around.
    fn middle(&self) -> Fine {
        match *self {
            Self::InRange { target, .. } | Self::Surround { target, .. } => target,
            Self::Dock { berth, .. } => berth,
            Self::Park { building } => {
                let half = |a: i32, b: i32| {
                    let sum = (i64::from(a) + i64::from(b)) * i64::from(FINE_CELL / 2);
                    sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
                };
                Fine::new(half(building.x0, building.x1), half(building.y0, building.y1))
            }
        }
    }
}

/// A group at a station.
#[derive(Debug)]
pub struct StationRequest<'a, L> {
    /// What the group stands around.
    pub station: Station,
    /// Extra room between members: 0..=[`MAX_GAP`](super::MAX_GAP).
    pub gap: Fixed,
    /// Used by [`Station::InRange`] only.
    pub fire: &'a L,
}

/// Slots in range, with a clear line of fire.
struct InRange<'a, L> {
    target: Fine,
    least: i64,
    most: i64,
    fire: &'a L,
}

impl<L: LineOfFire> SlotCondition for InRange<'_, L> {
    fn accepts(&self, at: Fine) -> bool {
        let square = i128::from(at.distance_squared(self.target));
        let within = |length: i64| i128::from(length).pow(2);
        square >= within(self.least) && square <= within(self.most) && self.fire.is_clear(at, self.target)
    }

    fn expands(&self, at: CellPos) -> bool {
        let reach = i128::from(self.most + 2 * i64::from(FINE_CELL));
        i128::from(Fine::centre(at).distance_squared(self.target)) <= reach * reach
    }
}

impl Formations {
    /// Writes a slot for each member of a group at a station, as [`Formations::arrange`] does. Members that find no slot in range with a
    /// clear line of fire get one nearby.
    ///
    /// ```
    /// use waymarch::avoid::Fine;
    /// use waymarch::base::{Fixed, cell};
    /// use waymarch::groups::{ClearLine, Formations, Member, OpenFooting, Station, StationRequest};
    ///
    /// let members: Vec<Member> =
    ///     (0..6).map(|id| Member { id, radius: Fixed::from_raw(400), ..Member::default() }).collect();
    /// let target = Fine::centre(cell(20, 20));
    /// let station = Station::InRange { target, least: Fixed::from_cells(3), most: Fixed::from_cells(8) };
    /// let guns = StationRequest { station, gap: Fixed::ZERO, fire: &ClearLine };
    /// let mut slots = Vec::new();
    /// Formations::default().arrange_station(&guns, &members, &OpenFooting, &mut slots)?;
    /// assert!(slots.iter().all(|slot| slot.at.distance_squared(target).isqrt() <= 8 << 16));
    /// # Ok::<(), waymarch::groups::FormationError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormationError`], as [`Formations::arrange`].
    pub fn arrange_station(
        &mut self,
        request: &StationRequest<'_, impl LineOfFire>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        out.clear();
        let StationRequest { ref station, gap, fire } = *request;
        let middle = station.middle();
        let formation = &Formation::Box;
        FormationRequest { formation, centre: middle, facing: Angle::ZERO, gap }.check(members)?;
        self.sort_members(members);
        let (group, _) = spread(members);
        let towards = direction(offset(middle, group));
        let mut ranks = Ranks { members, order: &self.order, facing: towards, gap };
        self.ideals.clear();
        let out_of_middle = match *station {
            Station::InRange { most, least, .. } => {
                in_range(&ranks, reach(least), reach(most), &mut self.ideals);
                reach(most)
            }
            Station::Surround { radius, .. } => {
                let first = reach(radius) + ranks.widest() / 2;
                surround(&ranks, first, &mut self.ideals);
                first
            }
            Station::Park { building } => {
                park(&ranks, building, middle, group, &mut self.ideals);
                let (x, y) = (half_side(building.x0, building.x1), half_side(building.y0, building.y1));
                x.max(y) + ranks.widest()
            }
            Station::Dock { queue, .. } => {
                ranks.facing = queue;
                let closes = |radius: Fixed, by| footing.closes_passage(radius, moved(middle, by));
                line(&ranks, closes, &mut self.ideals);
                0
            }
        };
        self.ideals.resize(members.len(), Ideal::NEAR_CENTRE);
        // Refused slots are pulled to the side that the group comes from, not to the target.
        let by = turned(0, -out_of_middle, towards);
        let centre = moved(middle, by);
        for ideal in &mut self.ideals {
            ideal.at = ideal.at.map(|at| (at.0 - by.0, at.1 - by.1));
        }
        let spacing = Spacing { centre, gap, packing: Packing::Loose };
        match *station {
            Station::InRange { target, least, most } => {
                let condition = InRange { target, least: reach(least), most: reach(most), fire };
                self.settle(spacing, members, footing, &condition, out)
            }
            _ => self.settle(spacing, members, footing, &Anywhere, out),
        }
    }

    /// Renamed to [`Formations::arrange_station`], which takes `station`, `gap` and `fire` as a [`StationRequest`].
    ///
    /// # Errors
    /// As [`Formations::arrange_station`].
    #[deprecated(since = "0.2.0", note = "use `arrange_station` with a `StationRequest`")]
    pub fn station(
        &mut self,
        station: &Station,
        gap: Fixed,
        members: &[Member],
        footing: &impl Footing,
        fire: &impl LineOfFire,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        self.arrange_station(&StationRequest { station: *station, gap, fire }, members, footing, out)
    }
}

/// Arcs from the longest range inwards. Each begins on the group's side and grows to the left and right.
fn in_range(ranks: &Ranks<'_>, least: i64, most: i64, out: &mut Vec<Ideal>) {
    let (count, pitch) = (ranks.len(), ranks.widest());
    // A little less than the longest range, so that rounded angles keep slots in range.
    let mut radius = most - (most >> 12) - 8;
    let mut rank = 0;
    while out.len() < count && radius >= least.max(0) && rank < MOST_RINGS {
        let step = arc(pitch, radius).unwrap_or(65_536);
        let fit = (65_536 / step).max(1);
        for number in 0..fit.min((count - out.len()) as i64) {
            // 0, 1, -1, 2, -2, ...
            let side = if number % 2 == 0 { -(number / 2) } else { number / 2 + 1 };
            let turn = Angle((side * step).rem_euclid(65_536) as u16);
            let at = turned(0, -radius, ranks.facing + turn);
            out.push(Ideal { at: Some(at), rank, file: number as u16 });
        }
        rank += 1;
        radius -= pitch;
    }
}

/// Rings from the inside outwards, each with as many slots as fit, evenly spaced.
fn surround(ranks: &Ranks<'_>, first: i64, out: &mut Vec<Ideal>) {
    let mut radius = first;
    for rank in 0..MOST_RINGS {
        if out.len() >= ranks.len() {
            return;
        }
        ranks.ring(out.len(), rank, radius, out);
        radius += ranks.widest();
    }
}

/// Rectangles from the inside outwards. The slots of each are sorted by their distance from the group.
fn park(ranks: &Ranks<'_>, building: CellRect, middle: Fine, group: Fine, out: &mut Vec<Ideal>) {
    let pitch = ranks.widest().max(1);
    let (half_x, half_y) = (half_side(building.x0, building.x1), half_side(building.y0, building.y1));
    for rank in 0..MOST_RINGS {
        let start = out.len();
        if start >= ranks.len() {
            return;
        }
        let away = pitch / 2 + 1 + i64::from(rank) * pitch;
        let (x, y) = (half_x + away, half_y + away);
        let mut put = |x: i64, y: i64| {
            out.push(Ideal { at: Some((x, y)), rank, file: (out.len() - start).min(65_535) as u16 });
        };
        // Each side without its last corner.
        for (from, to) in [((-x, -y), (x, -y)), ((x, -y), (x, y)), ((x, y), (-x, y)), ((-x, y), (-x, -y))] {
            let (dx, dy): (i64, i64) = (to.0 - from.0, to.1 - from.1);
            let steps = (dx.abs().max(dy.abs()) / pitch).max(1);
            (0..steps).for_each(|step| put(from.0 + dx * step / steps, from.1 + dy * step / steps));
        }
        out[start..].sort_unstable_by_key(|ideal| {
            let by = ideal.at.unwrap_or_default();
            (moved(middle, by).distance_squared(group), by)
        });
        out.truncate(ranks.len());
    }
}

/// The berth, and a line with a double gap behind the berth, so that its unit can get out. The line leaves out places that would close a passage: the lane to the berth.
fn line(ranks: &Ranks<'_>, closes: impl Fn(Fixed, (i64, i64)) -> bool, out: &mut Vec<Ideal>) {
    let mut away = 0;
    for place in 0..ranks.len() {
        if place > 0 {
            let (before, own) = (ranks.get(place - 1).radius, ranks.get(place).radius);
            let pitch = ranks.pitch(before, own);
            away += pitch * if place == 1 { 2 } else { 1 };
            let is_closing = |away: i64| closes(own, turned(0, -away, ranks.facing));
            let skipped =
                (0..MOST_SKIPPED).take_while(|&steps| is_closing(away + steps * pitch)).count() as i64;
            // A lane that is longer than that holds the queue.
            away += if skipped < MOST_SKIPPED { skipped * pitch } else { 0 };
        }
        let at = turned(0, -away, ranks.facing);
        out.push(Ideal { at: Some(at), rank: place.min(65_535) as u16, file: 0 });
    }
}
