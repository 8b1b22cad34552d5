//! Formations on real ground: slots that cannot be where they should be move to the nearest free place.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::footing::Footing;
use super::formation::{Fit, FormationError, Slot};
use super::member::{Member, Packing, moved, offset};
use super::shapes::Ideal;
use super::taken::{CellSet, Near, Taken};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Agent, CellPos, Fixed, make_room, spoil};

/// Cells at most that are looked at for room, for one class of members.
const MOST_SEARCHED: usize = 1 << 18;
/// How far from the centre ground is looked for, in cells.
const FURTHEST_HOME: i32 = 96;
/// Half-cell steps at most from a place that is refused to the centre.
const MOST_STEPS: i64 = 1024;

/// A further condition on slots, such as a line of fire. Those that find no place that meets it stand elsewhere.
pub(super) trait Fitness {
    fn fits(&self, at: Fine) -> bool;

    /// Whether it is worth looking beyond a cell for places that fit.
    fn goes_on(&self, at: CellPos) -> bool;

    /// Whether a place near the centre will do to begin from; asked of very many places.
    fn is_home(&self, _at: Fine) -> bool {
        true
    }
}

/// None.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anywhere;

impl Fitness for Anywhere {
    fn fits(&self, _at: Fine) -> bool {
        true
    }

    fn goes_on(&self, _at: CellPos) -> bool {
        true
    }
}

/// A class of members that look for room together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    agent: Agent,
    radius: Fixed,
}

/// A cell to look at, nearest first; the order is total.
type Waiting = Reverse<(u64, i32, i32, u32)>;

/// Scratch: how slots find places.
#[derive(Clone, Debug, Default)]
pub(super) struct Placer {
    taken: Taken,
    near: Near,
    seen: CellSet,
    walk: Vec<CellPos>,
    heap: BinaryHeap<Waiting>,
    anchors: Vec<Fine>,
    refused: Vec<u32>,
    points: Vec<(u64, Fine)>,
    /// Places that others have.
    pub(super) held: Vec<(Fine, Fixed)>,
}

/// What is to be placed: members in order, with the place each would have on a plain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    pub(super) members: &'a [Member],
    pub(super) order: &'a [u32],
    pub(super) ideals: &'a [Ideal],
    pub(super) centre: Fine,
    pub(super) gap: Fixed,
    /// How close places may be that are where they should be; those that have to move are loose.
    pub(super) packing: Packing,
}

impl Plan<'_> {
    fn member(&self, place: usize) -> &Member {
        &self.members[self.order[place] as usize]
    }

    fn ideal(&self, place: usize) -> Option<Fine> {
        self.ideals[place].at.map(|by| moved(self.centre, by))
    }

    fn kind(&self, place: usize) -> Kind {
        let member = self.member(place);
        Kind { agent: member.agent, radius: member.radius }
    }

    /// The cells the formation extends over, and a few around them: north-west and south-east corner.
    fn bounds(&self) -> (CellPos, CellPos) {
        let (mut low, mut high) = (self.centre, self.centre);
        for at in (0..self.order.len()).filter_map(|place| self.ideal(place)) {
            low = Fine::new(low.x.min(at.x), low.y.min(at.y));
            high = Fine::new(high.x.max(at.x), high.y.max(at.y));
        }
        (low.cell().offset(-3, -3), high.cell().offset(3, 3))
    }
}

impl Placer {
    /// Makes memory ahead of need, for so many members: they look for ground around obstacles, and others hold places beside theirs.
    pub(super) fn make_room(&mut self, members: usize) {
        const SOME: usize = 256;
        let ahead = SOME + 2 * members;
        self.heap.reserve((2 * ahead).saturating_sub(self.heap.len()));
        make_room(&mut self.anchors, ahead);
        make_room(&mut self.held, ahead);
        make_room(&mut self.refused, members);
        self.taken.make_room(2 * ahead);
    }

    /// Fills it with rubbish; no answer changes.
    pub(super) fn poison(&mut self) {
        let at = Fine::new(7, -7);
        self.taken.poison();
        self.near.poison();
        self.seen.poison();
        spoil(&mut self.walk, at.cell());
        self.heap.push(Reverse((0, 7, 7, u32::MAX)));
        spoil(&mut self.anchors, at);
        spoil(&mut self.refused, u32::MAX);
        spoil(&mut self.points, (0, at));
        spoil(&mut self.held, (at, Fixed::ONE));
    }

    /// Writes a slot for each member, in order. Of members without room there is none.
    pub(super) fn place(
        &mut self,
        plan: &Plan<'_>,
        footing: &impl Footing,
        fitness: &impl Fitness,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        out.clear();
        let count = plan.order.len();
        let radii = (0..count).map(|place| plan.member(place).radius);
        self.taken.clear(radii.chain(self.held.iter().map(|held| held.1)), plan.gap);
        self.held.drain(..).for_each(|(at, radius)| self.taken.insert(at, radius));
        out.extend((0..count).map(|place| {
            let (member, ideal) = (plan.member(place), &plan.ideals[place]);
            let Member { agent, radius, role, .. } = *member;
            Slot { at: plan.centre, agent, radius, role, rank: ideal.rank, file: ideal.file, fit: Fit::Moved }
        }));
        self.refused.clear();
        let mut walked = None;
        let mut home = (None, None);
        for (place, slot) in out.iter_mut().enumerate() {
            let kind = plan.kind(place);
            if home.0 != Some(kind) {
                home = (Some(kind), find_home(footing, fitness, kind, plan.centre));
            }
            if walked != Some((kind.agent, home.1.map(Fine::cell))) {
                self.walk_around(plan, footing, kind.agent, home.1);
                walked = Some((kind.agent, home.1.map(Fine::cell)));
            }
            match plan.ideal(place) {
                Some(at) if self.is_good(footing, kind, at, plan.packing) && fitness.fits(at) => {
                    self.taken.insert(at, kind.radius);
                    (slot.at, slot.fit) = (at, Fit::Ideal);
                }
                _ => self.refused.push(place as u32),
            }
        }
        self.move_refused(plan, footing, fitness, out)
    }

    /// Whether a member may have its slot at a point.
    fn is_good(&self, footing: &impl Footing, kind: Kind, at: Fine, packing: Packing) -> bool {
        self.near.contains(at.cell())
            && self.taken.has_room(at, kind.radius, packing)
            && footing.is_reachable(kind.agent, at.cell())
            && footing.may_stop(kind.agent, kind.radius, at)
    }

    /// Finds the cells around the formation that one can walk to from its centre within its surroundings: a slot beyond a wall
    /// would send its member around it.
    fn walk_around(&mut self, plan: &Plan<'_>, footing: &impl Footing, agent: Agent, home: Option<Fine>) {
        let Some(home) = home.map(Fine::cell) else {
            self.near.everywhere();
            return;
        };
        let (low, high) = plan.bounds();
        let (low, high) = (
            CellPos::new(low.x.min(home.x), low.y.min(home.y)),
            CellPos::new(high.x.max(home.x), high.y.max(home.y)),
        );
        if !self.near.nowhere_in(low, high) {
            return;
        }
        self.walk.clear();
        self.near.insert(home);
        self.walk.push(home);
        while let Some(at) = self.walk.pop() {
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = at.offset(dx, dy);
                if self.near.is_new(next) && footing.is_reachable(agent, next) {
                    self.near.insert(next);
                    self.walk.push(next);
                }
            }
        }
    }

    /// Finds places for all that were refused, the biggest first.
    fn move_refused(
        &mut self,
        plan: &Plan<'_>,
        footing: &impl Footing,
        fitness: &impl Fitness,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        let mut refused = core::mem::take(&mut self.refused);
        refused.sort_unstable_by_key(|&place| {
            let kind = plan.kind(place as usize);
            (Reverse(kind.radius), kind.agent, place)
        });
        let mut left = 0;
        let mut from = 0;
        while from < refused.len() {
            let kind = plan.kind(refused[from] as usize);
            let same = refused[from..].iter().take_while(|&&place| plan.kind(place as usize) == kind).count();
            let places = &refused[from..from + same];
            let mut done = self.search(plan, footing, (fitness, fitness), places, out);
            if done < same {
                done += self.search(plan, footing, (fitness, &Anywhere), &places[done..], out);
            }
            // Those without room are put together at the start of the list.
            refused.copy_within(from + done..from + same, left);
            left += same - done;
            from += same;
        }
        refused.truncate(left);
        refused.sort_unstable();
        let first = refused.first().map(|&place| plan.member(place as usize).id);
        let mut place = 0;
        out.retain(|_| {
            place += 1;
            refused.binary_search(&(place - 1)).is_err()
        });
        self.refused = refused;
        match first {
            Some(id) => {
                Err(FormationError::NoRoom { placed: out.len() as u32, wanted: plan.order.len() as u32, id })
            }
            None => Ok(()),
        }
    }

    /// Spreads from where members of one kind were refused over the cells around, and puts them where there is room; gives how many. They begin
    /// where the first of two conditions will have them, and look for places that meet the second.
    fn search(
        &mut self,
        plan: &Plan<'_>,
        footing: &impl Footing,
        (pull, fitness): (&impl Fitness, &impl Fitness),
        places: &[u32],
        out: &mut [Slot],
    ) -> usize {
        let Some(&first) = places.first() else { return 0 };
        let kind = plan.kind(first as usize);
        let Some(home) = find_home(footing, pull, kind, plan.centre) else { return 0 };
        self.walk_around(plan, footing, kind.agent, Some(home));
        self.anchor(plan, footing, pull, places, home);
        // Fine enough for bodies to be packed tightly and for corridors of a cell.
        let per_side = if kind.radius <= Fixed::ONE { 4 } else { 2 };
        let mut done = 0;
        while let Some(Reverse((_, y, x, anchor))) = self.heap.pop() {
            let cell = CellPos::new(x, y);
            let aim = self.anchors[anchor as usize];
            self.points_in(cell, per_side, aim);
            for point in 0..self.points.len() {
                let at = self.points[point].1;
                let free = self.taken.has_room(at, kind.radius, Packing::Loose) && fitness.fits(at);
                if free && footing.may_stop(kind.agent, kind.radius, at) {
                    self.taken.insert(at, kind.radius);
                    out[places[done] as usize].at = at;
                    done += 1;
                    if done == places.len() {
                        return done;
                    }
                }
            }
            if self.seen.len() > MOST_SEARCHED {
                break;
            }
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let next = cell.offset(dx, dy);
                if fitness.goes_on(next) && footing.is_reachable(kind.agent, next) && self.seen.insert(next) {
                    self.heap.push(Reverse((
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

    /// Where the refused begin to look: on the way from their place to the centre, the first ground that bears them.
    fn anchor(
        &mut self,
        plan: &Plan<'_>,
        footing: &impl Footing,
        pull: &impl Fitness,
        places: &[u32],
        home: Fine,
    ) {
        self.heap.clear();
        self.seen.clear();
        self.anchors.clear();
        for &place in places {
            let anchor = match plan.ideal(place as usize) {
                Some(ideal) => {
                    let kind = plan.kind(place as usize);
                    self.pulled_in(footing, kind, ideal, home, |at| pull.is_home(at))
                }
                None => home,
            };
            let cell = anchor.cell();
            if self.seen.insert(cell) {
                let number = self.anchors.len() as u32;
                self.heap.push(Reverse((
                    Fine::centre(cell).distance_squared(anchor),
                    cell.y,
                    cell.x,
                    number,
                )));
                self.anchors.push(anchor);
            }
        }
    }

    fn pulled_in(
        &self,
        footing: &impl Footing,
        kind: Kind,
        ideal: Fine,
        home: Fine,
        will_do: impl Fn(Fine) -> bool,
    ) -> Fine {
        let (x, y) = offset(ideal, home);
        let steps = (x.abs().max(y.abs()) / i64::from(FINE_CELL / 2)).clamp(1, MOST_STEPS);
        for step in 0..steps {
            let at = moved(ideal, (x * step / steps, y * step / steps));
            if will_do(at)
                && self.near.contains(at.cell())
                && footing.is_reachable(kind.agent, at.cell())
                && footing.may_stop(kind.agent, kind.radius, at)
            {
                return at;
            }
        }
        home
    }

    /// The points of a cell that are tried, the nearest to `aim` first.
    fn points_in(&mut self, cell: CellPos, per_side: i32, aim: Fine) {
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

/// The place nearest to the centre where a member of this kind can stop, if there is one that will do; otherwise the nearest of all.
fn find_home(footing: &impl Footing, fitness: &impl Fitness, kind: Kind, centre: Fine) -> Option<Fine> {
    let fitting = nearest_home(footing, kind, centre, |at| fitness.is_home(at));
    fitting.or_else(|| nearest_home(footing, kind, centre, |_| true))
}

/// On the grid of half cells, in rings of cells around the centre.
fn nearest_home(
    footing: &impl Footing,
    kind: Kind,
    centre: Fine,
    will_do: impl Fn(Fine) -> bool,
) -> Option<Fine> {
    let good = |at: Fine| {
        will_do(at)
            && footing.is_reachable(kind.agent, at.cell())
            && footing.may_stop(kind.agent, kind.radius, at)
    };
    if good(centre) {
        return Some(centre);
    }
    let own = centre.cell();
    let mut best: Option<(u64, Fine)> = None;
    for ring in 0..=FURTHEST_HOME {
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
                    let nearer = best.is_none_or(|best| found < best) && will_do(at);
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
