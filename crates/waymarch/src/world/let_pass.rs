//! Groups that cross each other's way: one lets the other pass.
//!
//! Two blocks that walk into each other at right angles lock. Each unit keeps clear of the others by going along with them, and both groups end up far
//! past where they wanted to go. So members of the group that was formed later stop before the ground that the earlier one is about to walk over, and
//! go on when it has passed. Who has waited for long goes first for a while.

use alloc::vec::Vec;

use super::byway::Branch;
use super::errand::Phase;
use super::ground::KindGrounds;
use super::nearby::Nearby;
use super::simulation::World;
use super::units::PlayerId;
use super::waiting::Waits;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine, Grounds, KindId, Stance, Walls};
use crate::base::{Fixed, Tick, isqrt, make_room, persist_fields, spoil};

/// Groups of fewer who are under way neither wait nor are waited for: units get past a few by themselves.
const LEAST: i64 = 8;
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
/// Groups that go within 45 degrees of the same way do not cross: the cosine of that, in 1024ths.
const ACROSS: i64 = 720;
/// Groups oppose each other if the cosine between their ways is less than minus this: within some thirty degrees of head on.
const OPPOSED: i64 = 880;
/// So many seconds a group lets others pass, and then goes before all others for so many.
const PATIENCE: [i64; 2] = [15, 8];
/// Nobody waits where ground is closed within so many cells: it would be in the way of those behind it, and of those who come out.
const OPEN: i32 = 8;
/// Ticks from one look to the next.
pub(super) const LET_PASS_EVERY: u64 = 4;

/// A length along a way and one to the right of it; or east and south.
type Pair = (i64, i64);

/// World: what says which of two groups goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RightOfWay {
    /// When it was formed.
    pub(super) since: Tick,
    /// For how many looks it has let others pass, less those at which it did not; below nothing, for how many it goes before all others.
    pub(super) waited: i16,
}

persist_fields! {
    RightOfWay { since: Tick, waited: i16 }
}

impl RightOfWay {
    /// Of one that is formed now.
    pub(super) fn new(since: Tick) -> Self {
        Self { since, waited: 0 }
    }

    /// After a look at which so many members waited.
    fn note(&mut self, waiting: u32, ticks_per_second: u32) {
        let looks = |seconds: i64| (seconds * i64::from(ticks_per_second) / LET_PASS_EVERY as i64) as i16;
        self.waited = match (self.waited, waiting) {
            (..0, _) => self.waited + 1,
            (_, 0) => (self.waited - 1).max(0),
            _ if self.waited >= looks(PATIENCE[0]) => -looks(PATIENCE[1]),
            _ => self.waited + 1,
        };
    }
}

/// Scratch: the members of a group who go straight to their slots, as one block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// The group's slot.
    pub(super) group: u32,
    turn: RightOfWay,
    /// Whose it is: nobody lets others' units pass.
    owner: PlayerId,
    count: i64,
    /// Sums over members: where they are, where they want to go, how they move.
    at: Pair,
    way: Pair,
    moves: Pair,
    /// Its middle, its direction of length 1024, and how far members have to go on average.
    middle: Fine,
    ahead: Pair,
    rest: i64,
    /// How fast it goes, and could go where it is, per tick. The latter is a sum over members at first.
    pace: i64,
    speed: i64,
    radius: i64,
    /// From its middle, along its direction and to the right of it.
    back: i64,
    front: i64,
    left: i64,
    right: i64,
    /// The blocks that it lets pass, by how far they are and by place in the list.
    lets: [(u64, u32); MOST_AHEAD],
    let_count: usize,
}

/// Scratch: the blocks of a look, by slot of the group.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    pub(super) list: Vec<Block>,
    pub(super) nearby: Nearby,
    /// Two who come towards each other, the later of the list first, and where they will meet.
    pub(super) meeting: Vec<(u32, u32, Fine)>,
}

impl Blocks {
    /// Makes memory ahead of need, for so many groups.
    pub(super) fn make_room(&mut self, groups: usize) {
        make_room(&mut self.list, groups);
        make_room(&mut self.meeting, groups);
        self.nearby.make_room(groups);
    }

    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        let rubbish =
            Block { group: u32::MAX, count: 7, let_count: MOST_AHEAD, front: 7, ..Block::default() };
        spoil(&mut self.list, rubbish);
        spoil(&mut self.meeting, (u32::MAX, 7, Fine::new(7, 7)));
        self.nearby.poison();
    }

    /// The block of the group in a slot.
    fn of(&self, group: u32) -> Option<&Block> {
        self.list.binary_search_by_key(&group, |block| block.group).ok().map(|place| &self.list[place])
    }
}

/// Somebody who is to wait, perhaps.
#[derive(Clone, Copy, Debug)]
struct Walker {
    at: Fine,
    /// How it would move, per tick, and how far it has to go.
    vel: Pair,
    rest: i64,
    radius: i64,
    /// How far it is behind the first of its group.
    depth: i64,
}

impl Block {
    /// Which of two blocks goes first: the least.
    fn order(&self) -> (bool, Tick, u32) {
        (self.turn.waited >= 0, self.turn.since, self.group)
    }

    /// An offset as seen from the block: along its way, and to the right of it.
    fn turned(&self, (x, y): Pair) -> Pair {
        let (dx, dy) = self.ahead;
        ((x * dx + y * dy) >> 10, (y * dx - x * dy) >> 10)
    }

    /// Where a point is as seen from its middle.
    fn seen_at(&self, at: Fine) -> Pair {
        self.turned(offset(self.middle, at))
    }

    /// Takes up a member.
    fn add(&mut self, at: Fine, way: Pair, vel: Fine, speed: i64) {
        let add = |sum: Pair, (x, y): Pair| (sum.0.saturating_add(x), sum.1.saturating_add(y));
        self.count += 1;
        self.speed = self.speed.saturating_add(speed);
        self.rest = self.rest.saturating_add(length(way));
        self.at = add(self.at, offset(Fine::ZERO, at));
        self.way = add(self.way, way);
        self.moves = add(self.moves, offset(Fine::ZERO, vel));
    }

    /// Finds its direction and its speed once all members are in.
    fn aim(&mut self) {
        let count = self.count.max(1);
        let mean = |sum: Pair| (sum.0 / count, sum.1 / count);
        let ((x, y), at) = (mean(self.way), mean(self.at));
        let long = length((x, y)).max(1);
        let moves = mean(self.moves);
        self.middle = Fine::new(at.0 as i32, at.1 as i32);
        (self.speed, self.rest) = (self.speed / count, self.rest / count);
        self.ahead = (x * 1024 / long, y * 1024 / long);
        self.pace = self.turned(moves).0;
    }

    /// Takes up the place of a member, once its direction is known.
    fn stretch(&mut self, at: Fine) {
        let (along, aside) = self.seen_at(at);
        (self.back, self.front) = (self.back.min(along), self.front.max(along));
        (self.left, self.right) = (self.left.min(aside), self.right.max(aside));
    }

    /// Whether it gets on, as a block. Nobody waits for one who does not.
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

    /// How far its members and their bodies reach from its middle.
    pub(super) fn extent(&self) -> i64 {
        self.front.max(self.right).max(-self.left) + self.radius
    }

    pub(super) fn middle(&self) -> Fine {
        self.middle
    }

    /// Where it will meet one that comes the other way, and how far the first of both are apart; `None` if they pass by each other, or one is there before.
    pub(super) fn meeting(&self, other: &Self) -> Option<(Fine, i64)> {
        let (along, aside) = self.seen_at(other.middle);
        let gap = along - other.front - self.front;
        let room = self.radius + other.radius;
        // The other's right is my left.
        let beside = aside - other.right > self.right + room || aside - other.left < self.left - room;
        let both = self.speed + other.speed;
        if beside || gap <= 0 || both == 0 {
            return None;
        }
        let own = gap * self.speed / both;
        // Who is there before they meet comes to no harm.
        if own > self.rest || gap - own > other.rest {
            return None;
        }
        let (forth, across) = (self.front + own, aside / 2);
        let (dx, dy) = self.ahead;
        let shift = ((forth * dx - across * dy) >> 10, (forth * dy + across * dx) >> 10);
        Some((Fine::new(shifted(self.middle.x, shift.0), shifted(self.middle.y, shift.1)), gap))
    }

    /// How far another is whose way crosses its own, near by: the square of it.
    fn crosses(&self, other: &Self) -> Option<u64> {
        let dot = (self.ahead.0 * other.ahead.0 + self.ahead.1 * other.ahead.1) >> 10;
        let far = self.middle.distance_squared(other.middle);
        (self.owner == other.owner && (-OPPOSED..ACROSS).contains(&dot) && far < NEAR * NEAR).then_some(far)
    }

    /// Lets another pass, if it is one of the nearest.
    fn note(&mut self, other: (u64, u32)) {
        let place = self.lets[..self.let_count].partition_point(|held| *held < other);
        if place < MOST_AHEAD {
            self.let_count = (self.let_count + 1).min(MOST_AHEAD);
            self.lets[place..self.let_count].rotate_right(1);
            self.lets[place] = other;
        }
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
        // Nor does anybody wait who is there before that.
        if enter > ticks || enter.saturating_mul(length(who.vel)) > who.rest {
            return false;
        }
        // It goes no further than to its own slots.
        let there = |tick: i64| along + forth * tick - (self.pace * tick).min(self.rest);
        let (first, last) = (there(enter), there(leave.min(2 * ticks)));
        let meets = first.max(last) > self.back - room && first.min(last) < self.front + room;
        // Those behind stop when the first does, so that nobody presses it forward.
        meets && enter.saturating_mul(length(who.vel)) <= who.depth + STOP
    }
}

impl World {
    /// Lets members of groups wait for others who cross their way: they have no pace until those are past.
    ///
    /// It follows from where units are, every time anew; of two groups the one waits that was formed later, unless it has waited for long, so that none
    /// waits for one that waits for it. Costs two looks at each unit and one at each pair of blocks within 96 cells of each other, and for those who have
    /// somebody to wait for one at each of these blocks.
    pub(super) fn let_pass(&mut self) {
        self.forget_meetings();
        let mut blocks = core::mem::take(&mut self.blocks);
        let mut waits = core::mem::take(&mut self.waits);
        waits.clear();
        waits.resize(self.groups.list.slot_count(), Waits::default());
        self.find_blocks(&mut blocks);
        self.part_oncoming(&mut blocks);
        for slot in 0..self.units.slots() {
            if self.units.id_at(slot).is_none() {
                continue;
            }
            let lets_pass = self.stopped_by(slot, &blocks);
            self.note_wait(slot, lets_pass, &mut waits);
            let place = self.units.place(slot);
            if lets_pass.is_some() != self.waits_for_others(slot) {
                self.units.crowd.set_pace(place, if lets_pass.is_some() { Fixed::ZERO } else { Fixed::ONE });
            }
        }
        let per_second = self.service.nav().config().get().ticks_per_second;
        for (id, group) in self.groups.list.iter_mut() {
            group.turn.note(waits[id.index() as usize].now, per_second);
        }
        self.tell_who_waits(&waits);
        (self.blocks, self.waits) = (blocks, waits);
    }

    /// Whether a unit waits until another group has passed.
    pub(super) fn waits_for_others(&self, slot: usize) -> bool {
        self.units.crowd.pace(self.units.place(slot)) == Fixed::ZERO
    }

    /// The slot of the group that a unit has to let pass now, the nearest of several.
    pub(super) fn stopped_by(&self, slot: usize, blocks: &Blocks) -> Option<u32> {
        let (group, way) = self.goes_straight(slot)?;
        let own = blocks.of(group)?;
        if own.let_count == 0 {
            return None;
        }
        let ticks = SECONDS * i64::from(self.service.nav().config().get().ticks_per_second);
        let at = self.units.middle(slot);
        let (speed, radius) = self.speed_and_radius(slot);
        let long = length(way).max(1);
        let vel = (way.0 * speed / long, way.1 * speed / long);
        let who = Walker { at, vel, rest: long, radius, depth: own.front - own.seen_at(at).0 };
        let mut lets = own.lets[..own.let_count].iter().map(|&(_, other)| &blocks.list[other as usize]);
        let other = lets.find(|other| other.stops(&who, ticks))?;
        self.is_open_around(slot, OPEN).then_some(other.group)
    }

    /// How fast a unit goes where it is if nobody is in its way, per tick, and its radius, in 65,536ths of a cell.
    fn speed_and_radius(&self, slot: usize) -> Pair {
        let fine = |length: Fixed| i64::from(length.raw()) << (FINE_BITS - Fixed::BITS);
        let kind = self.units.kind[slot];
        let Some(known) = self.types.get(kind) else { return (0, 0) };
        let nav = self.service.nav();
        let grounds =
            KindGrounds { layer: nav.layer(), types: &self.types, corners: nav.config().get().corner_rule };
        let ground = i64::from(grounds.of(KindId(kind.0)).pace(self.units.middle(slot)));
        // Who waits goes on at its own speed.
        let pace = match self.units.crowd.pace(self.units.place(slot)) {
            Fixed::ZERO => Fixed::ONE,
            pace => pace,
        };
        let slowed = (fine(known.speed) * ground) >> 10;
        ((slowed * i64::from(pace.raw())) >> Fixed::BITS, fine(known.radius))
    }

    /// The group of a unit that goes straight to its slot, and the way there.
    fn goes_straight(&self, slot: usize) -> Option<(u32, Pair)> {
        self.units.id_at(slot)?;
        let goes = self.units.errand[slot].phase == Phase::Going && self.units.stance(slot) == Stance::Moving;
        let post = self.units.post[slot].filter(|_| goes)?;
        let group = self.groups.list.get(post.group)?;
        let last = usize::from(post.gate) >= group.gates(post.branch).len();
        let straight = post.branch == Branch::Main && post.view.is_clear() && last;
        straight.then(|| (post.group.index(), offset(self.units.middle(slot), post.slot)))
    }

    /// The blocks, by group, and whom each lets pass.
    pub(super) fn find_blocks(&self, blocks: &mut Blocks) {
        let Blocks { list: blocks, nearby, .. } = blocks;
        blocks.clear();
        blocks.resize(self.groups.list.slot_count(), Block::default());
        for slot in 0..self.units.slots() {
            let Some((group, way)) = self.goes_straight(slot) else { continue };
            let (speed, radius) = self.speed_and_radius(slot);
            let block = &mut blocks[group as usize];
            let velocity = self.units.crowd.velocities()[self.units.place(slot)];
            block.add(self.units.middle(slot), way, velocity, speed);
            (block.group, block.owner) = (group, self.units.owner[slot]);
            block.radius = block.radius.max(radius);
        }
        blocks.retain(|block| block.count >= LEAST);
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
        for block in blocks.iter_mut() {
            let group = self.groups.list.id_at(block.group).and_then(|id| self.groups.list.get(id));
            block.turn = group.map_or_else(RightOfWay::default, |group| group.turn);
        }
        nearby.lay((0..).zip(blocks.iter().map(|block| block.middle)), NEAR as i64);
        nearby.pairs(|one, two| {
            let Some(far) = blocks[one as usize].crosses(&blocks[two as usize]) else { return };
            let order = |number: u32| blocks[number as usize].order();
            let (first, other) = if order(one) < order(two) { (one, two) } else { (two, one) };
            if blocks[first as usize].marches() {
                blocks[other as usize].note((far, first));
            }
        });
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
