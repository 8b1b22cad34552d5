//! Slots in goals that are more than a point: inside, on the side the group comes from, and at the edge when it is full.

use alloc::vec::Vec;

use super::arrange::Formations;
use super::footing::Footing;
use super::formation::{FormationError, Muster, Shape as Taken, Slot};
use super::member::{Member, Packing, moved, offset, room_between};
use super::place::Fitness;
use super::shapes::Ideal;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{CellPos, CellRect, Fixed};
use crate::query::{Goal, Shape, Side};

/// Goals of more shapes than this have no slots: every place that is tried is held against each of them.
pub const MOST_SHAPES: usize = 64;
/// So many cells of a goal at most are looked at for the one nearest to a group.
const MOST_CELLS: usize = 1 << 16;
/// Places are looked for so far beyond a goal: the parts of one may be this far apart. In 1024ths of a cell.
const BEYOND: u64 = 2 * 1024;

/// In the goal, with the cell that stands for the broadest member.
struct Inside<'a> {
    goal: &'a Goal,
    /// How far the cell that stands for a member may lie north-west of its middle.
    shift: Fine,
}

impl Inside<'_> {
    fn holds(&self, at: Fine) -> bool {
        let corner = moved(at, (-i64::from(self.shift.x), -i64::from(self.shift.y)));
        self.goal.contains(at.cell()) && self.goal.contains(corner.cell())
    }
}

impl Fitness for Inside<'_> {
    fn fits(&self, at: Fine) -> bool {
        self.holds(at)
    }

    fn goes_on(&self, at: CellPos) -> bool {
        self.goal.gap(at) <= BEYOND
    }

    fn is_home(&self, at: Fine) -> bool {
        self.holds(at)
    }
}

impl Formations {
    /// Writes a slot for each member inside a goal to `out`, as [`Formations::arrange`] does around a centre; the formation's middle lies on the side
    /// that the group comes from, so far inside that it fits, or in the middle of a goal that is too small. Who finds no room inside stands at its
    /// edge. In a list of single cells everybody has one, the nearest ones to the group. `muster.centre` is where the group comes from, as far as the goal is
    /// concerned: where it is, or where its way enters. `map` are the cells there are.
    ///
    /// Gives where the middle is and the formation that was taken, `None` (and no slots) for goals that have no inside or more than [`MOST_SHAPES`] shapes.
    ///
    /// ```
    /// use waymarch::avoid::Fine;
    /// use waymarch::base::{Angle, CellRect, Fixed, cell};
    /// use waymarch::groups::{Formation, Formations, Member, Muster, OpenFooting};
    /// use waymarch::query::Goal;
    ///
    /// let soldier = |id| Member { id, at: Fine::centre(cell(2, 10 + id as i32)), radius: Fixed::from_raw(400), ..Member::default() };
    /// let members: Vec<Member> = (0..9).map(soldier).collect();
    /// let goal = Goal::rect(CellRect::at(cell(30, 5), 20, 20));
    /// let west = Fine::centre(cell(2, 14));
    /// let muster = Muster { formation: &Formation::Box, centre: west, facing: Angle::ZERO, gap: Fixed::ZERO };
    /// let (map, mut slots) = (CellRect::at(cell(0, 0), 64, 64), Vec::new());
    /// Formations::default().arrange_within(&goal, map, &muster, &members, &OpenFooting, &mut slots)?;
    /// assert!(slots.iter().all(|slot| goal.contains(slot.at.cell())));
    /// assert!(slots.iter().all(|slot| slot.at.cell().x < 34), "on the near side: they come from the west");
    /// # Ok::<(), waymarch::groups::FormationError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormationError`], as [`Formations::arrange`].
    pub fn arrange_within(
        &mut self,
        goal: &Goal,
        map: CellRect,
        muster: &Muster<'_>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Option<(Fine, Taken)>, FormationError> {
        out.clear();
        let group = muster.centre;
        let wide = members.iter().map(|member| member.radius).max().unwrap_or(Fixed::ZERO);
        let pitch = room_between(wide, wide, muster.gap);
        let half = (pitch * pitch).saturating_mul(members.len() as i64).isqrt() / 2;
        let Some(centre) = middle_within(goal, map, group, half) else { return Ok(None) };
        let muster = Muster { centre, ..*muster };
        let even = members.iter().any(|member| member.agent.size.side() % 2 == 0);
        let shift = if even { FINE_CELL / 2 } else { 0 };
        let inside = Inside { goal, shift: Fine::new(shift, shift) };
        let taken = if is_list(goal) {
            muster.check(members)?;
            self.line_up(members);
            self.cells_of(goal, map, group, centre);
            self.ideals.resize(members.len(), Ideal::NEAR_CENTRE);
            Taken::Custom
        } else {
            self.ideals_of(&muster, members, footing)?
        };
        self.settle(centre, (muster.gap, Packing::Loose), members, footing, &inside, out)?;
        self.finish(taken, muster.facing, out);
        Ok(Some((centre, taken)))
    }

    /// Ideals on the cells of a list, the nearest to the group first.
    fn cells_of(&mut self, goal: &Goal, map: CellRect, group: Fine, centre: Fine) {
        self.ideals.clear();
        for at in goal.shapes().iter().flat_map(|shape| shape.bounds().intersect(map).cells()) {
            self.ideals.push(Ideal { at: Some(offset(centre, Fine::centre(at))), rank: 0, file: 0 });
        }
        let far = |ideal: &Ideal| {
            let at = moved(centre, ideal.at.unwrap_or_default());
            (at.distance_squared(group), at)
        };
        self.ideals.sort_unstable_by_key(far);
        self.ideals.dedup();
        for (file, ideal) in (0..).zip(&mut self.ideals) {
            ideal.file = file;
        }
    }
}

/// Whether a goal is several single cells.
fn is_list(goal: &Goal) -> bool {
    matches!(goal, Goal::AnyOf(shapes) if shapes.iter().all(|shape| matches!(shape, Shape::Point(_))))
}

/// Whether a group that was given a goal has slots in it.
#[must_use]
pub fn has_slots(goal: &Goal) -> bool {
    goal.side() == Side::In && goal.shapes().len() <= MOST_SHAPES
}

/// Where a group that is at `group` and reaches `half` from its middle has its middle in a goal: in the nearest of its shapes.
fn middle_within(goal: &Goal, map: CellRect, group: Fine, half: i64) -> Option<Fine> {
    if !has_slots(goal) {
        return None;
    }
    let near = |shape: &&Shape| shape.gap(group.cell());
    let shape = goal.shapes().iter().min_by_key(near)?;
    let at = on_map(middle_of(*shape, map, group, half), map);
    if goal.contains(at.cell()) {
        return Some(at);
    }
    // Part of the shape lies off the map, or it is too thin to hold the point.
    let cells = shape.bounds().intersect(map).cells().take(MOST_CELLS);
    let far = |cell: &CellPos| (Fine::centre(*cell).distance_squared(at), cell.y, cell.x);
    cells.filter(|&cell| shape.contains(cell)).min_by_key(far).map(Fine::centre)
}

fn on_map(at: Fine, map: CellRect) -> Fine {
    let within = |part: i32, low: i32, high: i32| {
        let (low, high) = (i64::from(low) << FINE_BITS, (i64::from(high) << FINE_BITS) - 1);
        i64::from(part).clamp(low, high.max(low)) as i32
    };
    Fine::new(within(at.x, map.x0, map.x1), within(at.y, map.y0, map.y1))
}

fn middle_of(shape: Shape, map: CellRect, group: Fine, half: i64) -> Fine {
    match shape {
        Shape::Point(at) => Fine::centre(at),
        Shape::Rect(rect) => {
            let rect = rect.intersect(map);
            let side = |at: i32, low: i32, high: i32| {
                let (low, high) = (i64::from(low) << FINE_BITS, i64::from(high) << FINE_BITS);
                let middle = (low + high) / 2;
                let in_from = half.min((high - low) / 2).max(0);
                let (low, high) = ((low + in_from).min(middle), (high - in_from).max(middle));
                i64::from(at).clamp(low, high) as i32
            };
            Fine::new(side(group.x, rect.x0, rect.x1), side(group.y, rect.y0, rect.y1))
        }
        Shape::Circle { centre, radius } => {
            let most = (reach(radius) - half).max(0);
            towards(Fine::centre(centre), group, 0, most)
        }
        Shape::Ring { centre, inner, outer } => {
            let (inner, outer) = (reach(inner), reach(outer));
            let in_from = half.min((outer - inner) / 2).max(0);
            towards(Fine::centre(centre), group, inner + in_from, outer - in_from)
        }
    }
}

/// A radius in 65,536ths of a cell, as far as any map reaches.
fn reach(radius: Fixed) -> i64 {
    (i64::from(radius.raw()) << (FINE_BITS - Fixed::BITS)).clamp(0, 1 << 30)
}

/// The point on the way from a centre to a group that is at least and at most so far from the centre; eastwards for a group at the centre.
fn towards(centre: Fine, group: Fine, least: i64, most: i64) -> Fine {
    let (x, y) = offset(centre, group);
    let long = (centre.distance_squared(group).isqrt() as i64).max(1);
    let (x, y, far) = if (x, y) == (0, 0) { (1, 0, 0) } else { (x, y, long) };
    let wanted = far.clamp(least.min(most), most.max(least));
    let part = |whole: i64| (i128::from(whole) * i128::from(wanted) / i128::from(long)) as i64;
    moved(centre, (part(x), part(y)))
}
