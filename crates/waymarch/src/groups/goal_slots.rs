//! Slots inside a goal area: on the side that the group comes from, and at the edge when the goal is full.

use alloc::vec::Vec;

use super::arrange::Formations;
use super::footing::Footing;
use super::formation::{FormationError, FormationRequest, Shape as Made, Slot};
use super::geometry::{moved, offset};
use super::layout::FormationLayout;
use super::member::{Member, Packing, room_between};
use super::placement::Spacing;
use super::shapes::Ideal;
use super::slot_condition::SlotCondition;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{CellPos, CellRect, Fixed};
use crate::query::{Goal, Shape, Side};

/// A goal with more than 64 shapes gets no slots: every point that is tried is tested against each shape.
pub const MOST_SHAPES: usize = 64;
/// At most 65,536 cells of a goal are searched for the one nearest to a group.
const MOST_CELLS: usize = 1 << 16;
/// Slots are searched up to 2 cells beyond a goal, in 1024ths of a cell: the parts of a goal may be that far apart.
const BEYOND: u64 = 2 * 1024;

/// A goal, and the map that it lies on.
#[derive(Clone, Copy, Debug)]
pub struct GoalArea<'a> {
    /// The goal.
    pub goal: &'a Goal,
    /// All cells of the map.
    pub map: CellRect,
}

/// Slots inside the goal. For agents of an even size, the cell of a unit may lie north-west of its centre: both must be inside.
struct Inside<'a> {
    goal: &'a Goal,
    /// How far that cell may lie from the centre.
    shift: Fine,
}

impl SlotCondition for Inside<'_> {
    fn accepts(&self, at: Fine) -> bool {
        let corner = moved(at, (-i64::from(self.shift.x), -i64::from(self.shift.y)));
        self.goal.contains(at.cell()) && self.goal.contains(corner.cell())
    }

    fn expands(&self, at: CellPos) -> bool {
        self.goal.gap(at) <= BEYOND
    }

    fn may_start(&self, at: Fine) -> bool {
        self.accepts(at)
    }
}

impl Formations {
    /// Writes a slot for each member inside a goal to `out`, as [`Formations::arrange`] does around a centre. `request.centre` is where the
    /// group comes from: its position, or the point where its route enters the goal.
    ///
    /// The formation's centre lies on that side of the goal, far enough inside for the formation to fit. In a goal that is too small, it lies
    /// in the middle. Members without room inside stand at the edge. If the goal is a list of single cells, each member gets one, the
    /// nearest cells first.
    ///
    /// Returns the formation's centre and the formation that was made. `None`, and no slots, for goals without an inside or with more than
    /// [`MOST_SHAPES`] shapes.
    ///
    /// ```
    /// use waymarch::avoid::Fine;
    /// use waymarch::base::{Angle, CellRect, Fixed, cell};
    /// use waymarch::groups::{Formation, FormationRequest, Formations, GoalArea, Member, OpenFooting};
    /// use waymarch::query::Goal;
    ///
    /// let soldier = |id| Member { id, at: Fine::centre(cell(2, 10 + id as i32)), radius: Fixed::from_raw(400), ..Member::default() };
    /// let members: Vec<Member> = (0..9).map(soldier).collect();
    /// let goal = Goal::rect(CellRect::at(cell(30, 5), 20, 20));
    /// let west = Fine::centre(cell(2, 14));
    /// let request = FormationRequest { formation: &Formation::Box, centre: west, facing: Angle::ZERO, gap: Fixed::ZERO };
    /// let area = GoalArea { goal: &goal, map: CellRect::at(cell(0, 0), 64, 64) };
    /// let mut slots = Vec::new();
    /// Formations::default().arrange_in_goal(&area, &request, &members, &OpenFooting, &mut slots)?;
    /// assert!(slots.iter().all(|slot| goal.contains(slot.at.cell())));
    /// assert!(slots.iter().all(|slot| slot.at.cell().x < 34), "on the near side: they come from the west");
    /// # Ok::<(), waymarch::groups::FormationError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormationError`], as [`Formations::arrange`].
    pub fn arrange_in_goal(
        &mut self,
        area: &GoalArea<'_>,
        request: &FormationRequest<'_>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Option<(Fine, Made)>, FormationError> {
        out.clear();
        let (goal, group) = (area.goal, request.centre);
        let wide = members.iter().map(|member| member.radius).max().unwrap_or(Fixed::ZERO);
        let pitch = room_between(wide, wide, request.gap);
        let half = (pitch * pitch).saturating_mul(members.len() as i64).isqrt() / 2;
        let Some(centre) = centre_in_goal(area, group, half) else { return Ok(None) };
        let request = FormationRequest { centre, ..*request };
        let even = members.iter().any(|member| member.agent.size.side() % 2 == 0);
        let shift = if even { FINE_CELL / 2 } else { 0 };
        let inside = Inside { goal, shift: Fine::new(shift, shift) };
        let made = if is_list_of_cells(goal) {
            request.check(members)?;
            self.sort_members(members);
            self.write_cells(area, group, centre);
            self.ideals.resize(members.len(), Ideal::NEAR_CENTRE);
            Made::Custom
        } else {
            self.ideals_of(&request, &FormationLayout::default(), members, footing)?
        };
        let spacing = Spacing { centre, gap: request.gap, packing: Packing::Loose };
        self.settle(spacing, members, footing, &inside, out)?;
        self.finish(made, request.facing, out);
        Ok(Some((centre, made)))
    }

    /// Renamed to [`Formations::arrange_in_goal`], which takes `goal` and `map` as a [`GoalArea`].
    ///
    /// # Errors
    /// As [`Formations::arrange_in_goal`].
    #[deprecated(since = "0.2.0", note = "use `arrange_in_goal` with a `GoalArea`")]
    pub fn arrange_within(
        &mut self,
        goal: &Goal,
        map: CellRect,
        request: &FormationRequest<'_>,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<Option<(Fine, Made)>, FormationError> {
        self.arrange_in_goal(&GoalArea { goal, map }, request, members, footing, out)
    }

    /// Writes a slot on each cell of a list of cells, the nearest to the group first.
    fn write_cells(&mut self, area: &GoalArea<'_>, group: Fine, centre: Fine) {
        self.ideals.clear();
        for at in area.goal.shapes().iter().flat_map(|shape| shape.bounds().intersect(area.map).cells()) {
            self.ideals.push(Ideal { at: Some(offset(centre, Fine::centre(at))), rank: 0, file: 0 });
        }
        let distance = |ideal: &Ideal| {
            let at = moved(centre, ideal.at.unwrap_or_default());
            (at.distance_squared(group), at)
        };
        self.ideals.sort_unstable_by_key(distance);
        self.ideals.dedup();
        for (file, ideal) in (0..).zip(&mut self.ideals) {
            ideal.file = file;
        }
    }
}

/// Whether a goal is a list of single cells.
fn is_list_of_cells(goal: &Goal) -> bool {
    matches!(goal, Goal::AnyOf(shapes) if shapes.iter().all(|shape| matches!(shape, Shape::Point(_))))
}

/// Whether a group gets slots inside this goal.
#[must_use]
pub fn has_slots(goal: &Goal) -> bool {
    goal.side() == Side::In && goal.shapes().len() <= MOST_SHAPES
}

/// The centre of a formation in a goal: in the shape nearest to `group`. The formation reaches `half` from its centre.
fn centre_in_goal(area: &GoalArea<'_>, group: Fine, half: i64) -> Option<Fine> {
    let GoalArea { goal, map } = *area;
    if !has_slots(goal) {
        return None;
    }
    let gap = |shape: &&Shape| shape.gap(group.cell());
    let shape = goal.shapes().iter().min_by_key(gap)?;
    let at = clamp_to_map(centre_in_shape(*shape, map, group, half), map);
    if goal.contains(at.cell()) {
        return Some(at);
    }
    // The point is off the map, or the shape is too thin to contain it.
    let cells = shape.bounds().intersect(map).cells().take(MOST_CELLS);
    let distance = |cell: &CellPos| (Fine::centre(*cell).distance_squared(at), cell.y, cell.x);
    cells.filter(|&cell| shape.contains(cell)).min_by_key(distance).map(Fine::centre)
}

/// The nearest point on the map.
fn clamp_to_map(at: Fine, map: CellRect) -> Fine {
    let within = |part: i32, low: i32, high: i32| {
        let (low, high) = (i64::from(low) << FINE_BITS, (i64::from(high) << FINE_BITS) - 1);
        i64::from(part).clamp(low, high.max(low)) as i32
    };
    Fine::new(within(at.x, map.x0, map.x1), within(at.y, map.y0, map.y1))
}

/// The centre of a formation in a shape, on the side of `group`.
fn centre_in_shape(shape: Shape, map: CellRect, group: Fine, half: i64) -> Fine {
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

/// A radius in 65,536ths of a cell, at most 16,384 cells.
fn reach(radius: Fixed) -> i64 {
    radius.to_fine_i64().clamp(0, 1 << 30)
}

/// The point between `centre` and `group` that is nearest to the group, at least `least` and at most `most` from the centre. East of the
/// centre for a group at the centre.
fn towards(centre: Fine, group: Fine, least: i64, most: i64) -> Fine {
    let (x, y) = offset(centre, group);
    let long = (centre.distance_squared(group).isqrt() as i64).max(1);
    let (x, y, far) = if (x, y) == (0, 0) { (1, 0, 0) } else { (x, y, long) };
    let wanted = far.clamp(least.min(most), most.max(least));
    let part = |whole: i64| (i128::from(whole) * i128::from(wanted) / i128::from(long)) as i64;
    moved(centre, (part(x), part(y)))
}
