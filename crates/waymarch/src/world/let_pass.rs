//! Groups that cross each other's way: one lets the other pass.
//!
//! Two blocks that walk into each other at right angles lock. Each unit keeps clear of the others by going along with them, and both groups end up far
//! past where they wanted to go. So members of the later group stop before the ground that the earlier one is about to walk over, and go on
//! when it has passed.

use alloc::vec::Vec;

use super::byway::Branch;
use super::errand::Phase;
use super::group::View;
use super::simulation::World;
use super::units::PlayerId;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine, Stance};
use crate::base::{Fixed, isqrt};

/// Groups of fewer who are under way neither wait nor are waited for: units get past a few by themselves.
const LEAST: i64 = 8;
/// The first so many groups are looked at.
const MOST: usize = 256;
/// A group waits for the first so many of those that cross its way.
const MOST_AHEAD: usize = 4;
/// Groups whose middles are further apart do not wait for each other: 48 cells.
const NEAR: u64 = 48 * FINE_CELL as u64;
/// Who would not come to the other's ground within so many seconds does not wait yet.
const SECONDS: i64 = 12;
/// Room left beside others, beyond both radii: half a cell.
const ROOM: i64 = FINE_CELL as i64 / 2;
/// Who waits stops so far before that, to come to a stand in time: one and a half cells.
const STOP: i64 = FINE_CELL as i64 * 3 / 2;
/// A group that takes more ground than this for each of its members is no block: nine cells.
const LOOSE: i64 = 9;
/// Groups cross if the cosine between their ways is less than this, in 1024ths: within 45 degrees of a right angle.
const ACROSS: i64 = 720;

/// Groups oppose each other if it is less than minus this: within some thirty degrees of head on.
const OPPOSED: i64 = 880;

/// A length along a way and one to the right of it; or east and south.
type Pair = (i64, i64);

/// Scratch: the members of a group who go straight to their slots, as one block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// The group's slot: who has the smaller one goes first.
    pub(super) group: u32,
    /// Whose it is: nobody lets others' units pass.
    owner: PlayerId,
    count: i64,
    /// Sums over members: where they are, where they want to go, how they move.
    at: Pair,
    way: Pair,
    moves: Pair,
    /// Its direction, of length 1024.
    ahead: Pair,
    /// How fast it goes, and could go, per tick.
    pace: i64,
    speed: i64,
    radius: i64,
    /// From its middle, along its direction and to the right of it.
    back: i64,
    front: i64,
    left: i64,
    right: i64,
    /// The blocks that it lets pass, by place in the list.
    lets: [u16; MOST_AHEAD],
    let_count: usize,
}

/// Somebody who is to wait, perhaps.
#[derive(Clone, Copy, Debug)]
struct Walker {
    at: Fine,
    /// How it would move, per tick.
    vel: Pair,
    radius: i64,
    /// How far it is behind the first of its group.
    depth: i64,
}

impl Block {
    fn middle(&self) -> Fine {
        let count = self.count.max(1);
        Fine::new((self.at.0 / count) as i32, (self.at.1 / count) as i32)
    }

    /// An offset as seen from the block: along its way, and to the right of it.
    fn turned(&self, (x, y): Pair) -> Pair {
        let (dx, dy) = self.ahead;
        ((x * dx + y * dy) >> 10, (y * dx - x * dy) >> 10)
    }

    /// Where a point is as seen from its middle.
    fn seen_at(&self, at: Fine) -> Pair {
        self.turned(offset(self.middle(), at))
    }

    /// Takes up a member.
    fn add(&mut self, at: Fine, way: Pair, vel: Fine) {
        let add = |sum: Pair, (x, y): Pair| (sum.0.saturating_add(x), sum.1.saturating_add(y));
        self.count += 1;
        self.at = add(self.at, offset(Fine::ZERO, at));
        self.way = add(self.way, way);
        self.moves = add(self.moves, offset(Fine::ZERO, vel));
    }

    /// Finds its direction and its speed once all members are in.
    fn aim(&mut self) {
        let mean = |sum: Pair| (sum.0 / self.count.max(1), sum.1 / self.count.max(1));
        let (x, y) = mean(self.way);
        let long = length((x, y)).max(1);
        let moves = mean(self.moves);
        self.ahead = (x * 1024 / long, y * 1024 / long);
        self.pace = self.turned(moves).0;
    }

    /// Takes up the place of a member, once its direction is known.
    fn stretch(&mut self, at: Fine) {
        let (along, aside) = self.seen_at(at);
        (self.back, self.front) = (self.back.min(along), self.front.max(along));
        (self.left, self.right) = (self.left.min(aside), self.right.max(aside));
    }

    /// Whether it gets on, as a block. Nobody waits for one who does not: so every wait has an end.
    pub(super) fn marches(&self) -> bool {
        let side = |low: i64, high: i64| (high - low) / i64::from(FINE_CELL) + 1;
        let ground = side(self.back, self.front).saturating_mul(side(self.left, self.right));
        2 * self.pace >= self.speed && ground <= LOOSE * self.count
    }

    /// Its direction, of length 1024.
    pub(super) fn ahead(&self) -> Pair {
        self.ahead
    }

    /// How broad it is.
    pub(super) fn width(&self) -> i64 {
        self.right - self.left + 2 * self.radius
    }

    /// Whether the two go opposite ways.
    pub(super) fn opposes(&self, other: &Self) -> bool {
        let dot = (self.ahead.0 * other.ahead.0 + self.ahead.1 * other.ahead.1) >> 10;
        self.owner == other.owner && dot < -OPPOSED
    }

    /// Where it will meet one that comes the other way, and how far the first of both are apart; `None` if they pass by each other.
    pub(super) fn meeting(&self, other: &Self) -> Option<(Fine, i64)> {
        let (along, aside) = self.seen_at(other.middle());
        let gap = along - other.front - self.front;
        let room = self.radius + other.radius;
        // The other's right is my left.
        let beside = aside - other.right > self.right + room || aside - other.left < self.left - room;
        let both = self.speed + other.speed;
        if beside || gap <= 0 || both == 0 {
            return None;
        }
        let (forth, across) = (self.front + gap * self.speed / both, aside / 2);
        let (dx, dy) = self.ahead;
        let shift = ((forth * dx - across * dy) >> 10, (forth * dy + across * dx) >> 10);
        let middle = self.middle();
        Some((Fine::new(shifted(middle.x, shift.0), shifted(middle.y, shift.1)), gap))
    }

    /// Whether the ways of the two cross, near by.
    fn crosses(&self, other: &Self) -> bool {
        let dot = (self.ahead.0 * other.ahead.0 + self.ahead.1 * other.ahead.1) >> 10;
        self.owner == other.owner
            && dot.abs() < ACROSS
            && self.middle().distance_squared(other.middle()) < NEAR * NEAR
    }

    /// Whether somebody of another group has to stop now to let this block pass, if all go on as they do.
    fn stops(&self, who: &Walker, ticks: i64) -> bool {
        let room = self.radius + who.radius + ROOM;
        let (along, aside) = self.seen_at(who.at);
        let (forth, across) = self.turned(who.vel);
        let (left, right) = (self.left - room - aside, self.right + room - aside);
        let (near, far) = if across > 0 { (left, right) } else { (right, left) };
        // On its ground already, or beyond: the sooner it is gone, the better.
        if across == 0 || near.signum() != across.signum() {
            return false;
        }
        let (enter, leave) = (near / across, far / across + 1);
        if enter > ticks {
            return false;
        }
        let there = |tick: i64| along + (forth - self.pace) * tick;
        let (first, last) = (there(enter), there(leave.min(2 * ticks)));
        let meets = first.max(last) > self.back - room && first.min(last) < self.front + room;
        // Those behind stop when the first does, so that nobody presses it forward.
        meets && enter.saturating_mul(length(who.vel)) <= who.depth + STOP
    }
}

impl World {
    /// Lets members of groups wait for others who cross their way: they have no pace until those are past.
    ///
    /// It follows from where units are, every time anew; of two groups the one with the greater slot waits, so that none waits for one that waits for
    /// it. Costs two looks at each unit, and for those who have somebody to wait for one at each of these blocks.
    pub(super) fn let_pass(&mut self) {
        let mut blocks = core::mem::take(&mut self.blocks);
        self.find_blocks(&mut blocks);
        self.part_oncoming(&blocks);
        let ticks = SECONDS * i64::from(self.service.nav().config().get().ticks_per_second);
        for slot in 0..self.units.slots() {
            if self.units.id_at(slot).is_none() {
                continue;
            }
            let waits = self.is_stopped(slot, &blocks, ticks);
            let place = self.units.place(slot);
            if waits != self.waits_for_others(slot) {
                self.units.crowd.set_pace(place, if waits { Fixed::ZERO } else { Fixed::ONE });
            }
        }
        self.blocks = blocks;
    }

    /// Whether a unit waits until another group has passed.
    pub(super) fn waits_for_others(&self, slot: usize) -> bool {
        self.units.crowd.pace(self.units.place(slot)) == Fixed::ZERO
    }

    fn is_stopped(&self, slot: usize, blocks: &[Block], ticks: i64) -> bool {
        let Some((group, way)) = self.goes_straight(slot) else { return false };
        let Ok(own) = blocks.binary_search_by_key(&group, |block| block.group) else { return false };
        let own = &blocks[own];
        if own.let_count == 0 {
            return false;
        }
        let at = self.units.middle(slot);
        let (speed, radius) = self.speed_and_radius(slot);
        let long = length(way).max(1);
        let vel = (way.0 * speed / long, way.1 * speed / long);
        let who = Walker { at, vel, radius, depth: own.front - own.seen_at(at).0 };
        own.lets[..own.let_count].iter().any(|&other| blocks[usize::from(other)].stops(&who, ticks))
    }

    /// In 65,536ths of a cell, and per tick.
    fn speed_and_radius(&self, slot: usize) -> Pair {
        let fine = |length: Fixed| i64::from(length.raw()) << (FINE_BITS - Fixed::BITS);
        self.types.get(self.units.kind[slot]).map_or((0, 0), |kind| (fine(kind.speed), fine(kind.radius)))
    }

    /// The group of a unit that goes straight to its slot, and the way there.
    fn goes_straight(&self, slot: usize) -> Option<(u32, Pair)> {
        self.units.id_at(slot)?;
        let goes = self.units.errand[slot].phase == Phase::Going && self.units.stance(slot) == Stance::Moving;
        let post = self.units.post[slot].filter(|_| goes)?;
        let group = self.groups.list.get(post.group)?;
        let last = usize::from(post.gate) >= group.gates(post.branch).len();
        let straight = post.branch == Branch::Main && post.view == View::Clear && last;
        straight.then(|| (post.group.index(), offset(self.units.middle(slot), post.slot)))
    }

    /// The blocks, by group, and whom each lets pass.
    fn find_blocks(&self, blocks: &mut Vec<Block>) {
        blocks.clear();
        blocks.resize(self.groups.list.slot_count(), Block::default());
        for slot in 0..self.units.slots() {
            let Some((group, way)) = self.goes_straight(slot) else { continue };
            let (speed, radius) = self.speed_and_radius(slot);
            let block = &mut blocks[group as usize];
            block.add(self.units.middle(slot), way, self.units.crowd.velocities()[self.units.place(slot)]);
            (block.group, block.owner) = (group, self.units.owner[slot]);
            (block.speed, block.radius) = (block.speed.max(speed), block.radius.max(radius));
        }
        blocks.retain(|block| block.count >= LEAST);
        blocks.truncate(MOST);
        if blocks.len() < 2 {
            return;
        }
        blocks.iter_mut().for_each(Block::aim);
        for slot in 0..self.units.slots() {
            let Some((group, _)) = self.goes_straight(slot) else { continue };
            if let Ok(block) = blocks.binary_search_by_key(&group, |block| block.group) {
                blocks[block].stretch(self.units.middle(slot));
            }
        }
        for own in 1..blocks.len() {
            for other in 0..own {
                let count = blocks[own].let_count;
                if count < MOST_AHEAD && blocks[other].crosses(&blocks[own]) && blocks[other].marches() {
                    blocks[own].lets[count] = other as u16;
                    blocks[own].let_count += 1;
                }
            }
        }
    }
}

fn offset(from: Fine, to: Fine) -> Pair {
    (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y))
}

/// A coordinate so much further on, or as far as there are any.
fn shifted(from: i32, by: i64) -> i32 {
    i64::from(from).saturating_add(by).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

fn length((x, y): Pair) -> i64 {
    let square = |part: i64| part.unsigned_abs().checked_mul(part.unsigned_abs());
    match square(x).zip(square(y)).and_then(|(x, y)| x.checked_add(y)) {
        Some(square) => isqrt(square) as i64,
        None => (i128::from(x) * i128::from(x) + i128::from(y) * i128::from(y)).isqrt() as i64,
    }
}
