//! Formations on real ground: a slot that the ground refuses moves to the nearest free place.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::cell_sets::{CellSet, WalkableCells};
use super::footing::Footing;
use super::formation::{Fit, FormationError, Slot};
use super::geometry::{moved, offset};
use super::member::{Member, Packing};
use super::occupied_slots::OccupiedSlots;
use super::shapes::Ideal;
use super::slot_condition::{Anywhere, SlotCondition};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Agent, CellPos, Fixed, Scratch, poison_list, reserve_total};

/// At most 262,144 cells are searched for free places, for one class of members.
const MOST_SEARCHED: usize = 1 << 18;

/// The start of the search is at most 96 cells from the centre.
const FARTHEST_START: i32 = 96;

/// A refused slot is pulled towards the start in at most 1024 steps of half a cell.
const MOST_STEPS: i64 = 1024;

/// Memory for 256 slots besides the members' own slots.
const SLOTS_AHEAD: usize = 256;

/// Members of one agent and radius: they can stand at the same points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    agent: Agent,
    radius: Fixed,
}

/// A cell to search: its squared distance to the anchor, row, column, and the anchor's index. The nearest cell comes first; no two are
/// equal.
type OpenCell = Reverse<(u64, i32, i32, u32)>;

/// What is to be placed: members in order, each with its slot on open ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotPlan<'a> {
    pub(super) members: &'a [Member],
    /// Indices into `members`.
    pub(super) order: &'a [u32],
    /// One for each entry of `order`.
    pub(super) ideals: &'a [Ideal],
    pub(super) spacing: Spacing,
}

/// Where slots are placed, and how near to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spacing {
    pub(super) centre: Fine,
    pub(super) gap: Fixed,
    /// For slots that are where the formation puts them. Slots that move are always packed loosely.
    pub(super) packing: Packing,
}

impl SlotPlan<'_> {
    fn member(&self, index: usize) -> &Member {
        &self.members[self.order[index] as usize]
    }

    fn ideal(&self, index: usize) -> Option<Fine> {
        self.ideals[index].at.map(|by| moved(self.spacing.centre, by))
    }

    fn kind(&self, index: usize) -> Kind {
        let member = self.member(index);
        Kind { agent: member.agent, radius: member.radius }
    }

    /// The north-west and south-east corner of the formation, with three cells around it.
    fn bounds(&self) -> (CellPos, CellPos) {
        let (mut low, mut high) = (self.spacing.centre, self.spacing.centre);
        for at in (0..self.order.len()).filter_map(|index| self.ideal(index)) {
            low = Fine::new(low.x.min(at.x), low.y.min(at.y));
            high = Fine::new(high.x.max(at.x), high.y.max(at.y));
        }
        (low.cell().offset(-3, -3), high.cell().offset(3, 3))
    }
}

/// What a placement reads.
struct Placement<'a, F, C> {
    plan: &'a SlotPlan<'a>,
    footing: &'a F,
    condition: &'a C,
}

/// Scratch: places slots on real ground.
#[derive(Clone, Debug, Default)]
pub(super) struct Placer {
    search: PlaceSearch,
    /// Indices of slots that cannot be where the formation puts them.
    refused: Vec<u32>,
    /// Places of other units that the next placement keeps clear of.
    pub(super) reserved: Vec<(Fine, Fixed)>,
}

/// Scratch: the search for free places.
#[derive(Clone, Debug, Default)]
struct PlaceSearch {
    occupied: OccupiedSlots,
    walkable: WalkableCells,
    stack: Vec<CellPos>,
    seen: CellSet,
    open: BinaryHeap<OpenCell>,
    anchors: Vec<Fine>,
    points: Vec<(u64, Fine)>,
}

impl Scratch for Placer {
    /// Members of a group. The memory also suffices for cells around obstacles, and for as many places of other units.
    type Demand = usize;

    fn poison(&mut self) {
        let at = Fine::new(7, -7);
        self.search.occupied.poison();
        self.search.walkable.poison();
        self.search.seen.poison();
        poison_list(&mut self.search.stack, at.cell());
        self.search.open.push(Reverse((0, 7, 7, u32::MAX)));
        poison_list(&mut self.search.anchors, at);
        poison_list(&mut self.search.points, (0, at));
        poison_list(&mut self.refused, u32::MAX);
        poison_list(&mut self.reserved, (at, Fixed::ONE));
    }

    fn reserve(&mut self, members: usize) {
        let slots = SLOTS_AHEAD + 2 * members;
        self.search.open.reserve((2 * slots).saturating_sub(self.search.open.len()));
        reserve_total(&mut self.search.anchors, slots);
        reserve_total(&mut self.reserved, slots);
        reserve_total(&mut self.refused, members);
        self.search.occupied.reserve(2 * slots);
    }
}

impl Placer {
    /// Writes a slot for each member, in order. Members without room get none.
    ///
    /// # Errors
    /// [`FormationError::NoRoom`] if a member got no slot.
    pub(super) fn place(
        &mut self,
        plan: &SlotPlan<'_>,
        footing: &impl Footing,
        condition: &impl SlotCondition,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        out.clear();
        let Self { search, refused, reserved } = self;
        let placement = Placement { plan, footing, condition };
        let Spacing { centre, gap, packing } = plan.spacing;
        let count = plan.order.len();
        let radii = (0..count).map(|index| plan.member(index).radius);
        search.occupied.clear(radii.chain(reserved.iter().map(|place| place.1)), gap);
        reserved.drain(..).for_each(|(at, radius)| search.occupied.insert(at, radius));
        out.extend((0..count).map(|index| {
            let (member, ideal) = (plan.member(index), &plan.ideals[index]);
            let Member { agent, radius, role, .. } = *member;
            Slot { at: centre, agent, radius, role, rank: ideal.rank, file: ideal.file, fit: Fit::Moved }
        }));
        refused.clear();
        let mut walked = None;
        let mut start = (None, None);
        for (index, slot) in out.iter_mut().enumerate() {
            let kind = plan.kind(index);
            if start.0 != Some(kind) {
                start = (Some(kind), placement.find_start(kind));
            }
            if walked != Some((kind.agent, start.1.map(Fine::cell))) {
                search.find_walkable(plan, footing, kind.agent, start.1);
                walked = Some((kind.agent, start.1.map(Fine::cell)));
            }
            match plan.ideal(index) {
                Some(at) if search.is_free(footing, kind, at, packing) && condition.accepts(at) => {
                    search.occupied.insert(at, kind.radius);
                    (slot.at, slot.fit) = (at, Fit::Ideal);
                }
                _ => refused.push(index as u32),
            }
        }
        self.move_refused(&placement, out)
    }

    /// Finds places for all refused slots. Slots of large members come first.
    fn move_refused(
        &mut self,
        placement: &Placement<'_, impl Footing, impl SlotCondition>,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        let Self { search, refused, .. } = self;
        let plan = placement.plan;
        refused.sort_unstable_by_key(|&index| {
            let kind = plan.kind(index as usize);
            (Reverse(kind.radius), kind.agent, index)
        });
        let mut left = 0;
        let mut from = 0;
        while from < refused.len() {
            let kind = plan.kind(refused[from] as usize);
            let same = refused[from..].iter().take_while(|&&index| plan.kind(index as usize) == kind).count();
            let slots = &refused[from..from + same];
            let mut done = search.find_places(placement, placement.condition, slots, out);
            if done < same {
                done += search.find_places(placement, &Anywhere, &slots[done..], out);
            }
            // Slots without a place are collected at the start of the list.
            refused.copy_within(from + done..from + same, left);
            left += same - done;
            from += same;
        }
        refused.truncate(left);
        refused.sort_unstable();
        let first = refused.first().map(|&index| plan.member(index as usize).id);
        let mut index = 0;
        out.retain(|_| {
            index += 1;
            refused.binary_search(&(index - 1)).is_err()
        });
        match first {
            Some(id) => {
                Err(FormationError::NoRoom { placed: out.len() as u32, wanted: plan.order.len() as u32, id })
            }
            None => Ok(()),
        }
    }
}

impl PlaceSearch {
    /// Whether a member may have its slot at a point.
    fn is_free(&self, footing: &impl Footing, kind: Kind, at: Fine, packing: Packing) -> bool {
        self.walkable.contains(at.cell())
            && self.occupied.has_room(at, kind.radius, packing)
            && footing.is_reachable(kind.agent, at.cell())
            && footing.may_stop(kind.agent, kind.radius, at)
    }

    /// Finds the cells around the formation that can be walked to from `start` without leaving the formation's bounds. A slot behind a wall
    /// would send its member on a long detour.
    fn find_walkable(
        &mut self,
        plan: &SlotPlan<'_>,
        footing: &impl Footing,
        agent: Agent,
        start: Option<Fine>,
    ) {
        let Some(start) = start.map(Fine::cell) else {
            self.walkable.set_all();
            return;
        };
        let (low, high) = plan.bounds();
        let (low, high) = (
            CellPos::new(low.x.min(start.x), low.y.min(start.y)),
            CellPos::new(high.x.max(start.x), high.y.max(start.y)),
        );
        if !self.walkable.begin(low, high) {
            return;
        }
        self.stack.clear();
        self.walkable.insert(start);
        self.stack.push(start);
        while let Some(at) = self.stack.pop() {
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = at.offset(dx, dy);
                if self.walkable.is_new(next) && footing.is_reachable(agent, next) {
                    self.walkable.insert(next);
                    self.stack.push(next);
                }
            }
        }
    }

    /// Searches the cells around the refused `slots`, all of one kind, and moves each to the next free point that `accepts` allows. The
    /// search starts at points that the placement's own condition allows. Returns how many slots were moved.
    fn find_places(
        &mut self,
        placement: &Placement<'_, impl Footing, impl SlotCondition>,
        accepts: &impl SlotCondition,
        slots: &[u32],
        out: &mut [Slot],
    ) -> usize {
        let Placement { plan, footing, .. } = *placement;
        let Some(&first) = slots.first() else { return 0 };
        let kind = plan.kind(first as usize);
        let Some(start) = placement.find_start(kind) else { return 0 };
        self.find_walkable(plan, footing, kind.agent, Some(start));
        self.set_anchors(placement, slots, start);
        // The points are close enough to pack small members tightly, and to fill corridors one cell wide.
        let per_side = if kind.radius <= Fixed::ONE { 4 } else { 2 };
        let mut done = 0;
        while let Some(Reverse((_, y, x, anchor))) = self.open.pop() {
            let cell = CellPos::new(x, y);
            let aim = self.anchors[anchor as usize];
            self.list_points(cell, per_side, aim);
            for point in 0..self.points.len() {
                let at = self.points[point].1;
                let free = self.occupied.has_room(at, kind.radius, Packing::Loose) && accepts.accepts(at);
                if free && footing.may_stop(kind.agent, kind.radius, at) {
                    self.occupied.insert(at, kind.radius);
                    out[slots[done] as usize].at = at;
                    done += 1;
                    if done == slots.len() {
                        return done;
                    }
                }
            }
            if self.seen.len() > MOST_SEARCHED {
                break;
            }
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = cell.offset(dx, dy);
                if accepts.expands(next) && footing.is_reachable(kind.agent, next) && self.seen.insert(next) {
                    self.open.push(Reverse((
                        Fine::centre(next).distance_squared(aim),
                        next.y,
                        next.x,
                        anchor,
                    )));
                }
            }
        }
        done
    }

    /// Sets the anchors: for each refused slot, the first point between it and `start` where its member can stop.
    fn set_anchors(
        &mut self,
        placement: &Placement<'_, impl Footing, impl SlotCondition>,
        slots: &[u32],
        start: Fine,
    ) {
        self.open.clear();
        self.seen.clear();
        self.anchors.clear();
        for &index in slots {
            let anchor = match placement.plan.ideal(index as usize) {
                Some(ideal) => self.pull_in(placement, placement.plan.kind(index as usize), ideal, start),
                None => start,
            };
            let cell = anchor.cell();
            if self.seen.insert(cell) {
                let number = self.anchors.len() as u32;
                self.open.push(Reverse((
                    Fine::centre(cell).distance_squared(anchor),
                    cell.y,
                    cell.x,
                    number,
                )));
                self.anchors.push(anchor);
            }
        }
    }

    /// The first point on the line from `ideal` to `start` where a member of this kind can stop; `start` if there is none.
    fn pull_in(
        &self,
        placement: &Placement<'_, impl Footing, impl SlotCondition>,
        kind: Kind,
        ideal: Fine,
        start: Fine,
    ) -> Fine {
        let Placement { footing, condition, .. } = *placement;
        let (x, y) = offset(ideal, start);
        let steps = (x.abs().max(y.abs()) / i64::from(FINE_CELL / 2)).clamp(1, MOST_STEPS);
        for step in 0..steps {
            let at = moved(ideal, (x * step / steps, y * step / steps));
            if condition.may_start(at)
                && self.walkable.contains(at.cell())
                && footing.is_reachable(kind.agent, at.cell())
                && footing.may_stop(kind.agent, kind.radius, at)
            {
                return at;
            }
        }
        start
    }

    /// Lists the points of a cell to try, the nearest to `aim` first.
    fn list_points(&mut self, cell: CellPos, per_side: i32, aim: Fine) {
        self.points.clear();
        let step = FINE_CELL / per_side;
        let corner = Fine::new(cell.x.saturating_mul(FINE_CELL), cell.y.saturating_mul(FINE_CELL));
        for row in 0..per_side {
            for column in 0..per_side {
                let at =
                    Fine::new(corner.x.saturating_add(column * step), corner.y.saturating_add(row * step));
                self.points.push((at.distance_squared(aim), at));
            }
        }
        self.points.sort_unstable();
    }
}

impl<F: Footing, C: SlotCondition> Placement<'_, F, C> {
    /// The point nearest to the centre where a member of this kind can stop and the search may start. If there is none, the nearest point
    /// where the member can stop.
    fn find_start(&self, kind: Kind) -> Option<Fine> {
        let allowed = self.nearest_start(kind, |at| self.condition.may_start(at));
        allowed.or_else(|| self.nearest_start(kind, |_| true))
    }

    /// The nearest point to the centre at which a member of this kind can stop and which `may_start` allows. Tries the centre, then three
    /// points of each cell, in rings of cells around the centre.
    fn nearest_start(&self, kind: Kind, may_start: impl Fn(Fine) -> bool) -> Option<Fine> {
        let (footing, centre) = (self.footing, self.plan.spacing.centre);
        let good = |at: Fine| {
            may_start(at)
                && footing.is_reachable(kind.agent, at.cell())
                && footing.may_stop(kind.agent, kind.radius, at)
        };
        if good(centre) {
            return Some(centre);
        }
        let own = centre.cell();
        let mut best: Option<(u64, Fine)> = None;
        for ring in 0..=FARTHEST_START {
            for y in -ring..=ring {
                let step = if y.abs() == ring { 1 } else { (2 * ring).max(1) };
                for x in (-ring..=ring).step_by(step as usize) {
                    let cell = own.offset(x, y);
                    if !footing.is_reachable(kind.agent, cell) {
                        continue;
                    }
                    let middle = Fine::centre(cell);
                    let quarter = FINE_CELL / 4;
                    for (dx, dy) in [(0, 0), (quarter, quarter), (-quarter, -quarter)] {
                        let at = Fine::new(middle.x.saturating_add(dx), middle.y.saturating_add(dy));
                        let found = (at.distance_squared(centre), at);
                        let nearer = best.is_none_or(|best| found < best) && may_start(at);
                        if nearer && footing.may_stop(kind.agent, kind.radius, at) {
                            best = Some(found);
                        }
                    }
                }
            }
            // Cells of later rings are at least this far away.
            let next = u64::from(ring.unsigned_abs()) << 16;
            if best.is_some_and(|(found, _)| found <= next * next) {
                break;
            }
        }
        best.map(|(_, at)| at)
    }
}
