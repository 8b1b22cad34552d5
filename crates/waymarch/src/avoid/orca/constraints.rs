//! All half-planes of one unit. Most of them are never built, because the chosen velocity certainly keeps them.

use super::encounter::Encounter;
use super::share::Share;
use crate::avoid::half_plane::HalfPlane;
use crate::avoid::neighbours::UnitState;
use crate::avoid::settings::MAX_NEIGHBOURS;
use crate::avoid::walls::MAX_WALLS;
use crate::base::{WideVec, root};

/// The largest number of half-planes of one unit: 4 walls and 12 neighbours.
pub(super) const MAX_HALF_PLANES: usize = MAX_WALLS + MAX_NEIGHBOURS;

/// Rounding moves a half-plane by less than 4/65,536 of a cell per tick.
const ROUNDING: i64 = 4;
/// A velocity that is clear by an extra 8/65,536 of a cell per tick is inside in spite of any rounding error.
pub(super) const CERTAIN: i64 = 2 * ROUNDING;

/// Scratch: what a half-plane of a neighbour is built from.
#[derive(Clone, Copy, Debug)]
struct Pending {
    slot: u32,
    /// The time horizon in ticks.
    horizon: u16,
    share: Share,
}

/// Scratch: the half-planes of one unit, walls first. The half-planes of leaders are kept apart: they limit only the unit's speed.
///
/// *Invariant:* after [`Constraints::build_needed`] a half-plane that is not built contains all velocities that are no further
/// from the unit's own velocity than the preferred one. So results are the same as if all were built.
pub(in crate::avoid) struct Constraints<'a> {
    me: &'a UnitState,
    states: &'a [UnitState],
    /// Walls and neighbours from the front, leaders from the back.
    half_planes: [HalfPlane; MAX_HALF_PLANES],
    /// Entries of neighbours from the front, in the order of their half-planes; walls have no entry. Entries of leaders from the back.
    pending: [Pending; MAX_NEIGHBOURS],
    pending_leaders: usize,
    /// One bit for each half-plane that is not built.
    unbuilt: u32,
    /// One bit for each unbuilt half-plane that the preferred velocity may violate.
    needed: u32,
    count: usize,
    /// The half-planes before this one are walls.
    wall_count: usize,
    leader_count: usize,
    /// Ticks in which units that overlap separate.
    separation: i64,
    /// The squared difference between the preferred velocity and the unit's own.
    preferred_change_squared: i64,
    /// The same difference, not squared, plus the rounding error.
    preferred_change: i64,
}

impl<'a> Constraints<'a> {
    /// No half-planes, for the unit `me` with the velocity `preferred`. Units that overlap separate within `separation` ticks.
    #[inline]
    pub(in crate::avoid) fn new(
        me: &'a UnitState,
        states: &'a [UnitState],
        preferred: WideVec,
        separation: i64,
    ) -> Self {
        let square = preferred.minus(me.vel.wide()).length_squared();
        Self {
            me,
            states,
            half_planes: [HalfPlane::NONE; MAX_HALF_PLANES],
            pending: [Pending { slot: 0, horizon: 0, share: Share::NONE }; MAX_NEIGHBOURS],
            pending_leaders: 0,
            unbuilt: 0,
            needed: 0,
            separation,
            count: 0,
            wall_count: 0,
            leader_count: 0,
            preferred_change_squared: square,
            preferred_change: root(square) + ROUNDING,
        }
    }

    /// Adds walls. To be called first, with at most [`MAX_WALLS`] half-planes.
    #[inline]
    pub(in crate::avoid) fn push_walls(&mut self, walls: &[HalfPlane]) {
        let count = walls.len().min(MAX_WALLS);
        self.half_planes[..count].copy_from_slice(&walls[..count]);
        (self.count, self.wall_count) = (count, count);
    }

    /// Adds a half-plane.
    #[inline]
    pub(in crate::avoid) fn push(&mut self, half_plane: HalfPlane) {
        if self.count + self.leader_count < MAX_HALF_PLANES {
            self.half_planes[self.count] = half_plane;
            self.count += 1;
        }
    }

    /// Adds the half-plane of the neighbour in a slot, to be built when it is needed.
    #[inline]
    pub(in crate::avoid) fn push_neighbour(
        &mut self,
        slot: u32,
        other: &UnitState,
        horizon: i64,
        share: Share,
    ) {
        let clear = Encounter::between(self.me, other, horizon).is_clear(self.preferred_change, share);
        self.push_pending(Pending { slot, horizon: horizon as u16, share }, u32::from(clear));
    }

    /// [`Constraints::push_neighbour`] with half of the correction, the most common share. `key` is the squared distance minus the
    /// squared sum of radii.
    #[inline(always)]
    pub(in crate::avoid) fn push_half(&mut self, slot: u32, other: &UnitState, key: i64, horizon: i64) {
        let clear = Encounter::between(self.me, other, horizon).is_clear_by(2 * self.preferred_change, key);
        self.push_pending(Pending { slot, horizon: horizon as u16, share: Share::HALF }, u32::from(clear));
    }

    /// [`Constraints::push_half`] for all neighbours, given as slots and keys. To be called after walls only.
    #[inline]
    pub(in crate::avoid) fn push_halves(
        &mut self,
        neighbours: impl Iterator<Item = (u32, i64)>,
        horizon: i64,
    ) {
        let (margin, me, states) = (2 * self.preferred_change, self.me, self.states);
        let (mut needed, mut count) = (0_u32, 0_u32);
        for ((slot, key), pending) in neighbours.zip(&mut self.pending) {
            let clear = Encounter::between(me, &states[slot as usize], horizon).is_clear_by(margin, key);
            *pending = Pending { slot, horizon: horizon as u16, share: Share::HALF };
            needed |= u32::from(!clear) << count;
            count += 1;
        }
        self.needed = needed << self.count;
        self.unbuilt = ((1 << count) - 1) << self.count;
        self.count += count as usize;
    }

    /// `clear` is 1 if the preferred velocity certainly keeps the half-plane. A number instead of a `bool`, to avoid an
    /// unpredictable branch.
    #[inline(always)]
    fn push_pending(&mut self, pending: Pending, clear: u32) {
        // There are at most `MAX_NEIGHBOURS` neighbours, so the entry exists.
        if let Some(entry) = self.pending.get_mut(self.count - self.wall_count) {
            *entry = pending;
            self.unbuilt |= 1 << self.count;
            self.needed |= (1 - clear) << self.count;
            self.count += 1;
        }
    }

    /// Builds the half-planes that the preferred velocity may violate. To be called when all neighbours are added.
    #[inline]
    pub(in crate::avoid) fn build_needed(&mut self) {
        while self.needed != 0 {
            self.build(self.needed.trailing_zeros() as usize);
            self.needed &= self.needed - 1;
        }
    }

    /// Adds a half-plane that only limits the unit's speed.
    #[inline]
    pub(in crate::avoid) fn push_leader(&mut self, half_plane: HalfPlane) {
        if self.count + self.leader_count < MAX_HALF_PLANES {
            self.leader_count += 1;
            self.half_planes[MAX_HALF_PLANES - self.leader_count] = half_plane;
        }
    }

    /// If `follows` is 1, notes the unit in a slot as a leader for [`Constraints::build_leaders`]; if 0, does nothing.
    /// A number instead of a `bool`, to avoid an unpredictable branch.
    #[inline]
    pub(in crate::avoid) fn push_pending_leader(&mut self, slot: u32, horizon: i64, follows: usize) {
        // Each neighbour has at most one entry, so front and back do not meet.
        if let Some(entry) = self.pending.iter_mut().nth_back(self.pending_leaders) {
            *entry = Pending { slot, horizon: horizon as u16, share: Share::ALL };
            self.pending_leaders += follows;
        }
    }

    /// Builds the half-planes of all noted leaders that may slow down a unit with this velocity.
    pub(in crate::avoid) fn build_leaders(&mut self, velocity: WideVec) {
        let off = root(velocity.minus(self.me.vel.wide()).length_squared()) + CERTAIN;
        for at in MAX_NEIGHBOURS - self.pending_leaders..MAX_NEIGHBOURS {
            let pending = self.pending[at];
            let mut encounter = self.encounter(pending);
            // Behind a leader the sum of radii counts 1.5 % less than elsewhere.
            encounter.radii -= 3 * encounter.radii / 200;
            if !encounter.is_clear(off, Share::ALL) {
                self.push_leader(encounter.half_plane(self.me.vel.wide(), Share::ALL));
            }
        }
    }

    /// The half-planes that only limit the unit's speed, in no particular order.
    #[inline]
    pub(in crate::avoid) fn leaders(&self) -> &[HalfPlane] {
        &self.half_planes[MAX_HALF_PLANES - self.leader_count..]
    }

    /// The number of half-planes of walls and neighbours, built or not.
    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// The number of half-planes of walls. They come first.
    #[inline]
    pub(super) const fn wall_count(&self) -> usize {
        self.wall_count
    }

    /// 1 if there are walls, else 0.
    #[inline]
    pub(in crate::avoid) fn has_walls(&self) -> u8 {
        u8::from(self.wall_count > 0)
    }

    /// The first `count` half-planes. Builds the missing ones.
    #[inline]
    pub(super) fn built(&mut self, count: usize) -> &[HalfPlane] {
        while self.unbuilt != 0 && (self.unbuilt.trailing_zeros() as usize) < count {
            self.build(self.unbuilt.trailing_zeros() as usize);
        }
        &self.half_planes[..count]
    }

    /// The half-plane `at`, which is built, and all before it.
    #[inline]
    pub(super) fn with_previous(&mut self, at: usize) -> (&HalfPlane, &[HalfPlane]) {
        self.built(at);
        (&self.half_planes[at], &self.half_planes[..at])
    }

    /// The first half-plane from `start` on that a velocity violates by more than `tolerance`.
    #[inline]
    pub(super) fn first_violated(
        &mut self,
        start: usize,
        velocity: WideVec,
        tolerance: i64,
    ) -> Option<usize> {
        let square = velocity.minus(self.me.vel.wide()).length_squared();
        if square > self.preferred_change_squared {
            self.build_doubtful(start, root(square) + ROUNDING);
        }
        let mut rest = (!self.unbuilt & ((1 << self.count) - 1)) >> start << start;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            if self.half_planes[at % MAX_HALF_PLANES].violation(velocity) > tolerance {
                return Some(at);
            }
            rest &= rest - 1;
        }
        None
    }

    /// Builds the half-planes from `start` on that may be violated by a velocity that differs from the unit's own by `off`.
    fn build_doubtful(&mut self, start: usize, off: i64) {
        let mut rest = self.unbuilt >> start << start;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            if !self.is_clear(at, off) {
                self.build(at);
            }
            rest &= rest - 1;
        }
    }

    fn is_clear(&self, at: usize, off: i64) -> bool {
        let pending = self.pending[at - self.wall_count];
        self.encounter(pending).is_clear(off, pending.share)
    }

    fn encounter(&self, pending: Pending) -> Encounter {
        let other = &self.states[pending.slot as usize];
        let encounter = Encounter::between(self.me, other, i64::from(pending.horizon));
        Encounter { separation: self.separation, ..encounter }
    }

    fn build(&mut self, at: usize) {
        let pending = self.pending[at - self.wall_count];
        self.half_planes[at] = self.encounter(pending).half_plane(self.me.vel.wide(), pending.share);
        self.unbuilt &= !(1 << at);
    }
}
