//! Groups whose paths cross: one group waits until the other has passed.
//!
//! Two blocks that walk into each other at right angles lock. Each unit avoids the others by walking along with them, and both groups end up far
//! from their goals. So members of the group that was formed later stop before the ground that the earlier group is about to enter, and
//! continue when it has passed. A group that has waited for 15 seconds goes first for 8 seconds.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine, Grounds, KindId, Stance, Walls};
use crate::base::{Fixed, Scratch, Tick, WideVec, poison_list, reserve_total};
use crate::world::formation::forming::FormingScratch;
use crate::world::groups::right_of_way::RightOfWay;
use crate::world::movement::settle::is_open_around;
use crate::world::movement::terrain::KindGrounds;
use crate::world::state::State;
use crate::world::traffic::near_pairs::Nearby;
use crate::world::traffic::wait_events::Waits;
use crate::world::units::membership::Branch;
use crate::world::units::order_progress::Phase;
use crate::world::units::teams::TeamId;

/// Blocks of fewer than 8 walking units neither wait nor are waited for: units avoid a few others by themselves.
const LEAST: i64 = 8;
/// A group waits for the nearest 4 of the blocks that cross its path.
const MOST_AHEAD: usize = 4;
/// Groups whose centres are more than 48 cells apart do not wait for each other.
const NEAR: u64 = 48 * FINE_CELL as u64;
/// A unit that would reach the other group's ground in more than 12 seconds does not wait yet.
const SECONDS: i64 = 12;
/// Units keep 1/2 cell between the bodies of both groups.
const ROOM: i64 = FINE_CELL as i64 / 2;
/// A waiting unit stops 1.5 cells before the ground of the other block, because braking takes time.
const STOP: i64 = FINE_CELL as i64 * 3 / 2;
/// A group that takes more than 9 cells of ground per member is not a block.
const LOOSE: i64 = 9;
/// Groups whose directions differ by less than 45 degrees do not cross: the cosine is at least 720 / 1024.
const ACROSS: i64 = 720;
/// Groups meet head-on if the cosine between their directions is less than -880 / 1024: within about 30 degrees of opposite.
const OPPOSED: i64 = 880;
/// No unit waits where ground is closed within 8 cells: it would block the units behind it, and units that come out.
const OPEN: i32 = 8;

/// Two lengths: along a direction and to the right of it, or to the east and to the south.
type Pair = (i64, i64);

/// Scratch: the members of a group that walk straight to their slots, as one block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// The group's index.
    pub(crate) group: u32,
    right_of_way: RightOfWay,
    /// The team of its units. Groups of enemies do not wait for each other.
    team: TeamId,
    /// The collision layers of its units, as bits. Groups without a common layer do not wait for each other.
    layers: u8,
    count: i64,
    /// Sums over the members: positions, offsets to their slots, velocities.
    at: Pair,
    way: Pair,
    moves: Pair,
    /// Its middle, its direction of length 1024, and how far members have to go on average.
    middle: Fine,
    ahead: Pair,
    rest: i64,
    /// The average velocity of the members along the block's direction, per tick.
    pace: i64,
    /// The average speed of members that no unit delays, per tick. Until [`Block::aim`] it is the sum over the members.
    speed: i64,
    /// The largest radius of a member.
    radius: i64,
    /// How far the members' centres reach from the block's middle: along its direction, and to the right of it. `back` and `left` are at most 0.
    back: i64,
    front: i64,
    left: i64,
    right: i64,
    /// The blocks with right of way over it: squared distance, and index in the list.
    lets: [(u64, u32); MOST_AHEAD],
    let_count: usize,
}

/// Scratch: the blocks of one check, by group index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) list: Vec<Block>,
    pub(crate) nearby: Nearby,
    /// Two blocks that will meet head-on, the later of the list first, and where they will meet.
    pub(crate) meeting: Vec<(u32, u32, Fine)>,
}

/// Scratch of crossing and meeting groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrossingScratch {
    blocks: Blocks,
    /// How members of each group wait, by group index.
    waits: Vec<Waits>,
}

impl Scratch for CrossingScratch {
    /// The number of groups.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish =
            Block { group: u32::MAX, count: 7, let_count: MOST_AHEAD, front: 7, ..Block::default() };
        poison_list(&mut self.blocks.list, rubbish);
        poison_list(&mut self.blocks.meeting, (u32::MAX, 7, Fine::new(7, 7)));
        self.blocks.nearby.poison();
        poison_list(&mut self.waits, Waits::POISON);
    }

    fn reserve(&mut self, groups: usize) {
        reserve_total(&mut self.blocks.list, groups);
        reserve_total(&mut self.blocks.meeting, groups);
        self.blocks.nearby.reserve(groups);
        reserve_total(&mut self.waits, groups);
    }
}

impl Blocks {
    /// The block of the group with an index.
    fn of(&self, group: u32) -> Option<&Block> {
        self.list.binary_search_by_key(&group, |block| block.group).ok().map(|place| &self.list[place])
    }
}

/// A unit that may have to wait.
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
    /// The key of the block's right of way: of two blocks the one with the smaller key goes first.
    fn order(&self) -> (bool, Tick, u32) {
        (self.right_of_way.waited >= 0, self.right_of_way.since, self.group)
    }

    /// An offset as seen from the block: along its direction, and to the right of it.
    fn turned(&self, (x, y): Pair) -> Pair {
        let (dx, dy) = self.ahead;
        ((x * dx + y * dy) >> 10, (y * dx - x * dy) >> 10)
    }

    /// The offset from the block's middle to a point: along the block's direction, and to the right of it.
    fn seen_at(&self, at: Fine) -> Pair {
        self.turned(offset(self.middle, at))
    }

    /// Adds a member.
    fn add(&mut self, at: Fine, way: Pair, vel: Fine, speed: i64) {
        let add = |sum: Pair, (x, y): Pair| (sum.0.saturating_add(x), sum.1.saturating_add(y));
        self.count += 1;
        self.speed = self.speed.saturating_add(speed);
        self.rest = self.rest.saturating_add(length(way));
        self.at = add(self.at, offset(Fine::ZERO, at));
        self.way = add(self.way, way);
        self.moves = add(self.moves, offset(Fine::ZERO, vel));
    }

    /// Computes the block's middle, direction and speed. Call it after all members were added.
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

    /// Extends the block to the position of a member, once its direction is known.
    fn stretch(&mut self, at: Fine) {
        let (along, aside) = self.seen_at(at);
        (self.back, self.front) = (self.back.min(along), self.front.max(along));
        (self.left, self.right) = (self.left.min(aside), self.right.max(aside));
    }

    /// Whether the block moves on and is dense. No group waits for a block that is not.
    pub(crate) fn marches(&self) -> bool {
        let side = |low: i64, high: i64| (high - low) / i64::from(FINE_CELL) + 1;
        let ground = side(self.back, self.front).saturating_mul(side(self.left, self.right));
        2 * self.pace >= self.speed && ground <= LOOSE * self.count
    }

    /// Its direction, of length 1024.
    pub(crate) fn ahead(&self) -> Pair {
        self.ahead
    }

    /// The block's width across its direction, with the bodies of the outermost members.
    pub(crate) fn width(&self) -> i64 {
        self.right - self.left + 2 * self.radius
    }

    /// Whether units of two blocks make way for each other, and may have to.
    fn gives_way_to(&self, other: &Self) -> bool {
        self.team == other.team && self.layers & other.layers != 0
    }

    /// Whether two blocks of one team walk in opposite directions: see [`OPPOSED`].
    pub(crate) fn opposes(&self, other: &Self) -> bool {
        let dot = (self.ahead.0 * other.ahead.0 + self.ahead.1 * other.ahead.1) >> 10;
        self.gives_way_to(other) && dot < -OPPOSED
    }

    /// How far its members and their bodies reach from its middle, ahead or to one side.
    pub(crate) fn extent(&self) -> i64 {
        self.front.max(self.right).max(-self.left) + self.radius
    }

    pub(crate) fn middle(&self) -> Fine {
        self.middle
    }

    /// The point where the block will meet an opposing one, and the distance between their first members. `None` if they pass beside each other, or if
    /// one of them arrives before they meet.
    pub(crate) fn meeting(&self, other: &Self) -> Option<(Fine, i64)> {
        let (along, aside) = self.seen_at(other.middle);
        let gap = along - other.front - self.front;
        let room = self.radius + other.radius;
        // The blocks face each other, so the right side of the other block lies to the left as seen from this one.
        let beside = aside - other.right > self.right + room || aside - other.left < self.left - room;
        let both = self.speed + other.speed;
        if beside || gap <= 0 || both == 0 {
            return None;
        }
        let own = gap * self.speed / both;
        // A block that arrives before they meet needs no gate.
        if own > self.rest || gap - own > other.rest {
            return None;
        }
        let (forth, across) = (self.front + own, aside / 2);
        let (dx, dy) = self.ahead;
        let shift = ((forth * dx - across * dy) >> 10, (forth * dy + across * dx) >> 10);
        Some((Fine::new(shifted(self.middle.x, shift.0), shifted(self.middle.y, shift.1)), gap))
    }

    /// The squared distance to another block nearby, if their paths cross.
    fn crosses(&self, other: &Self) -> Option<u64> {
        let dot = (self.ahead.0 * other.ahead.0 + self.ahead.1 * other.ahead.1) >> 10;
        let far = self.middle.distance_squared(other.middle);
        (self.gives_way_to(other) && (-OPPOSED..ACROSS).contains(&dot) && far < NEAR * NEAR).then_some(far)
    }

    /// Notes that another block has right of way, if it is one of the nearest.
    fn note(&mut self, other: (u64, u32)) {
        let place = self.lets[..self.let_count].partition_point(|held| *held < other);
        if place < MOST_AHEAD {
            self.let_count = (self.let_count + 1).min(MOST_AHEAD);
            self.lets[place..self.let_count].rotate_right(1);
            self.lets[place] = other;
        }
    }

    /// Whether a unit of another group has to stop now for this block, if all keep their velocities.
    fn stops(&self, who: &Walker, ticks: i64) -> bool {
        let room = self.radius + who.radius + ROOM;
        let (along, aside) = self.seen_at(who.at);
        let (forth, across) = self.turned(who.vel);
        let (left, right) = (self.left - room - aside, self.right + room - aside);
        let (near, far) = if across > 0 { (left, right) } else { (right, left) };
        // A unit on the block's ground or beyond it walks on, so that it leaves that ground soon. So does a unit that does not walk across it.
        if across == 0 || near.signum() != across.signum() {
            return false;
        }
        let (enter, leave) = (near / across, far / across + 1);
        // A unit that enters the ground only later, or arrives before it enters, does not wait yet.
        if enter > ticks || enter.saturating_mul(length(who.vel)) > who.rest {
            return false;
        }
        // The block goes no farther than to its own slots.
        let there = |tick: i64| along + forth * tick - (self.pace * tick).min(self.rest);
        let (first, last) = (there(enter), there(leave.min(2 * ticks)));
        let meets = first.max(last) > self.back - room && first.min(last) < self.front + room;
        // Members behind the first one stop when it does, so that they do not push it forward.
        meets && enter.saturating_mul(length(who.vel)) <= who.depth + STOP
    }
}

impl State {
    /// Makes members wait for groups that cross their path: they have pace zero until the other group has passed.
    ///
    /// The decision follows from the present positions. Of two groups the one that was formed later waits, unless it has waited for long. So no two groups
    /// wait for each other.
    ///
    /// *Cost:* three passes over all units, one step per pair of blocks within 96 cells, and up to 4 steps per unit of a group that has to wait.
    pub(crate) fn grant_right_of_way(&mut self, scratch: &mut CrossingScratch, forming: &mut FormingScratch) {
        self.forget_meetings();
        let CrossingScratch { blocks, waits } = scratch;
        waits.clear();
        waits.resize(self.groups.list.slot_count(), Waits::default());
        self.find_blocks(blocks);
        self.part_oncoming(blocks, forming);
        for index in 0..self.units.column_len() {
            if self.units.id_at(index).is_none() {
                continue;
            }
            let lets_pass = self.stopped_by(index, blocks);
            self.note_wait(index, lets_pass, waits);
            let place = self.units.place(index);
            if lets_pass.is_some() != self.units.grants_right_of_way(index) {
                self.units
                    .body
                    .crowd
                    .set_pace(place, if lets_pass.is_some() { Fixed::ZERO } else { Fixed::ONE });
            }
        }
        let per_second = self.config().ticks_per_second;
        for (id, group) in self.groups.list.iter_mut() {
            group.right_of_way.note(waits[id.index() as usize].now, per_second);
        }
        self.report_waits(waits);
    }

    /// The index of the group that a unit has to wait for now; of several the nearest.
    pub(crate) fn stopped_by(&self, index: usize, blocks: &Blocks) -> Option<u32> {
        let (group, way) = self.goes_straight(index)?;
        let own = blocks.of(group)?;
        if own.let_count == 0 {
            return None;
        }
        let ticks = SECONDS * i64::from(self.config().ticks_per_second);
        let at = self.units.middle(index);
        let (speed, radius) = self.speed_and_radius(index);
        let long = length(way).max(1);
        let vel = (way.0 * speed / long, way.1 * speed / long);
        let who = Walker { at, vel, rest: long, radius, depth: own.front - own.seen_at(at).0 };
        let mut lets = own.lets[..own.let_count].iter().map(|&(_, other)| &blocks.list[other as usize]);
        let other = lets.find(|other| other.stops(&who, ticks))?;
        is_open_around(&self.order_view(), index, OPEN).then_some(other.group)
    }

    /// The speed per tick of a unit that no other unit delays, on the ground where it is, and its radius, in 65,536ths of a cell.
    fn speed_and_radius(&self, index: usize) -> Pair {
        let fine = |length: Fixed| length.to_fine_i64();
        let kind = self.units.body.kind[index];
        let Some(known) = self.types.get(kind) else { return (0, 0) };
        let nav = self.service.nav();
        let grounds =
            KindGrounds { layer: nav.layer(), types: &self.types, corners: nav.config().get().corner_rule };
        let ground = i64::from(grounds.of(KindId(kind.0)).pace(self.units.middle(index)));
        // A waiting unit will continue at its own speed.
        let pace = match self.units.body.crowd.pace(self.units.place(index)) {
            Fixed::ZERO => Fixed::ONE,
            pace => pace,
        };
        let slowed = (fine(self.units.speed(index, known)) * ground) >> 10;
        ((slowed * i64::from(pace.raw())) >> Fixed::BITS, fine(known.radius))
    }

    /// The group index of a unit that walks straight to its slot, and the offset to the slot.
    fn goes_straight(&self, index: usize) -> Option<(u32, Pair)> {
        self.units.id_at(index)?;
        let goes =
            self.units.progress[index].phase == Phase::Going && self.units.stance(index) == Stance::Moving;
        let membership = self.units.membership(index).filter(|_| goes)?;
        let group = self.groups.list.get(membership.group)?;
        let last = group.next_gate(&membership.route).is_none();
        let straight =
            membership.route.branch() == Branch::Main && membership.route.visibility().is_clear() && last;
        straight.then(|| (membership.group.index(), offset(self.units.middle(index), membership.slot)))
    }

    /// Finds the blocks, by group index, and which blocks have right of way over each.
    pub(crate) fn find_blocks(&self, blocks: &mut Blocks) {
        let Blocks { list: blocks, nearby, .. } = blocks;
        blocks.clear();
        blocks.resize(self.groups.list.slot_count(), Block::default());
        for index in 0..self.units.column_len() {
            let Some((group, way)) = self.goes_straight(index) else { continue };
            let (speed, radius) = self.speed_and_radius(index);
            let block = &mut blocks[group as usize];
            let velocity = self.units.body.crowd.velocities()[self.units.place(index)];
            block.add(self.units.middle(index), way, velocity, speed);
            (block.group, block.team) = (group, self.units.body.team(index));
            block.layers |= self.units.body.layers(index).bits();
            block.radius = block.radius.max(radius);
        }
        blocks.retain(|block| block.count >= LEAST);
        if blocks.len() < 2 {
            return;
        }
        blocks.iter_mut().for_each(Block::aim);
        for index in 0..self.units.column_len() {
            let Some((group, _)) = self.goes_straight(index) else { continue };
            if let Ok(block) = blocks.binary_search_by_key(&group, |block| block.group) {
                blocks[block].stretch(self.units.middle(index));
            }
        }
        for block in blocks.iter_mut() {
            let group = self.groups.list.id_at(block.group).and_then(|id| self.groups.list.get(id));
            block.right_of_way = group.map_or_else(RightOfWay::default, |group| group.right_of_way);
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

/// A coordinate plus an offset, saturating.
fn shifted(from: i32, by: i64) -> i32 {
    i64::from(from).saturating_add(by).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

fn length((x, y): Pair) -> i64 {
    WideVec::new(x, y).length()
}
