//! Units that stand in gates and make way for nobody: those who hold their ground, and other players' at rest.
//!
//! A gate that they fill is as good as closed, however few wait before it. Friends who have nothing to do make way, and do not count.

use alloc::vec::Vec;

use super::group::Group;
use super::lineup::{headway, lanes_of};
use super::orders::Order;
use super::simulation::World;
use super::units::PlayerId;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine, Stance};
use crate::base::{CellPos, Fixed, make_room, spoil};
use crate::groups::{GateFinder, WayGate, lanes_in};

/// So far beyond a gate's line the narrow place is looked at: eight cells,
const DEEP: i64 = 8 * FINE_CELL as i64;
/// every half of one.
const EVERY: i64 = FINE_CELL as i64 / 2;
/// What those before a gate that nobody gets through wait for each of them, in 1024ths of a cell: longer than any way round takes.
const NEVER: u64 = 1 << 22;

/// Scratch: somebody who makes way for nobody, or for nobody of others.
#[derive(Clone, Copy, Debug)]
struct Keeper {
    at: Fine,
    radius: i64,
    owner: PlayerId,
    /// Whether it makes way for nobody, not even for its own player's.
    holds: bool,
}

/// Scratch: all of them, from west to east.
#[derive(Clone, Debug, Default)]
pub(super) struct Keepers {
    list: Vec<Keeper>,
    widest: i64,
    /// What they take of a line across a narrow place.
    taken: Vec<(i64, i64)>,
}

impl Keepers {
    /// Makes memory ahead of need, for so many units.
    pub(super) fn make_room(&mut self, units: usize) {
        make_room(&mut self.list, units);
        make_room(&mut self.taken, units);
    }

    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self) {
        spoil(&mut self.list, Keeper { at: Fine::new(7, 7), radius: 7, owner: PlayerId(7), holds: true });
        spoil(&mut self.taken, (i64::MIN, i64::MAX));
        self.widest = 7;
    }
}

/// How far one walks between two of a group who pass a gate of so many lanes one after the other.
pub(super) fn wait_at(group: &Group, lanes: u32) -> u64 {
    if lanes == 0 { NEVER } else { headway(group, lanes) }
}

impl World {
    /// Writes down who makes way for nobody, or for its own player's units only. *Cost:* a look at each unit.
    pub(super) fn note_keepers(&self, keepers: &mut Keepers) {
        keepers.list.clear();
        let mut owners = self.units.ids.ids().map(|id| self.units.owner[id.index() as usize]);
        let first = owners.next();
        let alone = owners.all(|owner| Some(owner) == first);
        for slot in 0..self.units.slots() {
            let holds = match self.units.id_at(slot).map(|_| self.units.stance(slot)) {
                Some(Stance::Holding) => true,
                // Where there is one player, all make way for all.
                Some(Stance::Idle) if !alone => false,
                _ => continue,
            };
            let radius = self.types.get(self.units.kind[slot]).map_or(Fixed::ZERO, |kind| kind.radius);
            let radius = i64::from(radius.raw()) << (FINE_BITS - Fixed::BITS);
            keepers.list.push(Keeper {
                at: self.units.middle(slot),
                radius,
                owner: self.units.owner[slot],
                holds,
            });
        }
        keepers.list.sort_unstable_by_key(|keeper| (keeper.at.x, keeper.at.y));
        keepers.widest = keepers.list.iter().map(|keeper| keeper.radius).max().unwrap_or(0);
    }

    /// How many members of a group get through a gate, and the narrow place behind it, side by side beside those who make no way for its owner.
    pub(super) fn free_lanes(
        &self,
        group: &Group,
        owner: PlayerId,
        way: &WayGate,
        keepers: &mut Keepers,
    ) -> u32 {
        let all = lanes_of(group, way);
        let Keepers { list, widest, taken } = keepers;
        // Who comes to fight does not go round those it finds.
        let attacks = matches!(self.orders.get(group.order), Some(Order::AttackMove { .. }));
        let (width, own) = (way.width(), i64::from(group.radius.raw()) << (FINE_BITS - Fixed::BITS));
        let reach = DEEP + width + *widest;
        let first = list.partition_point(|keeper| i64::from(keeper.at.x) < i64::from(way.taut.x) - reach);
        let near = list[first..].iter();
        let near = near.take_while(|keeper| i64::from(keeper.at.x) <= i64::from(way.taut.x) + reach);
        let near = near.filter(|keeper| {
            let south = i64::from(keeper.at.y) - i64::from(way.taut.y);
            let stays = if keeper.owner == owner { keeper.holds } else { !attacks };
            stays && south.abs() <= reach
        });
        if near.clone().next().is_none() {
            return all;
        }
        let Some(field) = self.service.nav().layer().field(group.agent.locomotor.into()) else { return all };
        let is_open = |at: CellPos| field.is_passable(at);
        let ahead = (i64::from(way.ahead.0), i64::from(way.ahead.1));
        let mut least = all;
        for step in 0..=DEEP / EVERY {
            let at = way.beyond(way.taut, step * EVERY);
            let line = GateFinder::across(at, ahead, width, is_open);
            // Where it is wider, the narrow place is over.
            if !is_open(at.cell()) || line.width() > width + i64::from(FINE_CELL) {
                break;
            }
            let aside = |point: Fine| frame(ahead, at, point).1;
            let (left, right) = (aside(line.gate.left), aside(line.gate.right));
            // What is narrower than the broadest of them is no matter of who stands in it.
            if right - left < 2 * own {
                continue;
            }
            taken.clear();
            taken.extend(near.clone().filter_map(|keeper| {
                let (along, aside) = frame(ahead, at, keeper.at);
                let (begin, end) = (aside - keeper.radius, aside + keeper.radius);
                let beside = along.abs() <= keeper.radius + own / 2;
                // Those behind the walls are in nobody's way.
                (beside && end > left && begin < right).then_some((begin, end))
            }));
            taken.sort_unstable();
            let (mut lanes, mut from) = (0_u32, left);
            for &(begin, end) in taken.iter().chain(&[(right, right)]) {
                let room = begin.min(right) - from;
                lanes += if room >= 2 * own { lanes_in(room, group.radius) } else { 0 };
                from = from.max(end);
            }
            if !taken.is_empty() {
                least = least.min(lanes);
            }
        }
        least
    }
}

/// Where a point is as seen from another: in a direction of length 1024, and to the right of it.
fn frame(ahead: (i64, i64), from: Fine, to: Fine) -> (i64, i64) {
    let (x, y) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    ((x * ahead.0 + y * ahead.1) / 1024, (y * ahead.0 - x * ahead.1) / 1024)
}
