//! Units that stand in gates and do not make way: units that hold their position, and units of enemies at rest.
//!
//! A gate that they fill counts as closed, even if few units wait before it. Idle units of the same player and of allies make way, and do not count.
//! Units on other collision layers do not count either.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine, Stance};
use crate::base::{CellPos, CollisionLayers, Fixed, Scratch, poison_list, reserve_total};
use crate::groups::{GateFinder, RouteGate, lanes_in};
use crate::world::congestion::queue_length::{headway, lanes_of};
use crate::world::groups::group::Group;
use crate::world::orders::order::Order;
use crate::world::state::State;
use crate::world::units::unit::PlayerId;

/// The narrow place behind a gate is checked up to 8 cells beyond the gate's line.
const DEEP: i64 = 8 * FINE_CELL as i64;
/// The narrow place is checked every 1/2 cell.
const EVERY: i64 = FINE_CELL as i64 / 2;
/// The wait per unit before a closed gate: 4,096 cells of walking, in 1024ths of a cell. That is longer than any detour.
const NEVER: u64 = 1 << 22;

/// Scratch: a unit that does not make way, at least not for enemies.
#[derive(Clone, Copy, Debug)]
struct Blockade {
    at: Fine,
    radius: i64,
    owner: PlayerId,
    layers: CollisionLayers,
    /// Whether it does not make way for its own player and allies either.
    holds: bool,
}

/// Scratch: all such units, from west to east.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blockades {
    list: Vec<Blockade>,
    widest: i64,
    /// The parts of a line across a narrow place that they cover.
    taken: Vec<(i64, i64)>,
}

impl Scratch for Blockades {
    /// The number of units.
    type Demand = usize;

    fn poison(&mut self) {
        let at = Fine::new(7, 7);
        poison_list(
            &mut self.list,
            Blockade { at, radius: 7, owner: PlayerId(7), layers: CollisionLayers::ALL, holds: true },
        );
        poison_list(&mut self.taken, (i64::MIN, i64::MAX));
        self.widest = 7;
    }

    fn reserve(&mut self, units: usize) {
        reserve_total(&mut self.list, units);
        reserve_total(&mut self.taken, units);
    }
}

/// What decides which units make way for a group: its owner, and the layers of its members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    pub(crate) owner: PlayerId,
    pub(crate) layers: CollisionLayers,
}

/// The distance that a unit walks in the time between two members that pass a gate with this number of lanes, in 1024ths of a cell.
pub(crate) fn wait_at(group: &Group, lanes: u32) -> u64 {
    if lanes == 0 { NEVER } else { headway(group, lanes) }
}

impl State {
    /// The party of these members, by unit index; `None` if there are none.
    pub(crate) fn party_of(&self, members: impl IntoIterator<Item = usize>) -> Option<Party> {
        let body = &self.units.body;
        let parties =
            members.into_iter().map(|index| Party { owner: body.owner[index], layers: body.layers(index) });
        parties.reduce(|all, one| Party { layers: all.layers | one.layers, ..all })
    }

    /// Writes the units that do not make way, or only for their own player and allies. *Cost:* two passes over all units.
    pub(crate) fn note_blockers(&self, blockades: &mut Blockades) {
        blockades.list.clear();
        let mut owners = self.units.body.ids.ids().map(|id| self.units.body.owner[id.index() as usize]);
        let first = owners.next();
        let teams = &self.units.body.teams;
        let alone = owners.all(|owner| first.is_some_and(|first| teams.relation(first, owner).is_friendly()));
        for index in 0..self.units.column_len() {
            if self.units.conditions.is_aboard(index) {
                continue;
            }
            let holds = match self.units.id_at(index).map(|_| self.units.stance(index)) {
                Some(Stance::Holding) => true,
                // With one team only, idle units make way for all units.
                Some(Stance::Idle) if !alone => false,
                _ => continue,
            };
            let radius = self.type_of(index).map_or(Fixed::ZERO, |kind| kind.radius);
            let radius = radius.to_fine_i64();
            blockades.list.push(Blockade {
                at: self.units.middle(index),
                radius,
                owner: self.units.body.owner[index],
                layers: self.units.body.layers(index),
                holds,
            });
        }
        blockades.list.sort_unstable_by_key(|blockades| (blockades.at.x, blockades.at.y));
        blockades.widest = blockades.list.iter().map(|blockades| blockades.radius).max().unwrap_or(0);
    }

    /// How many members of a group can pass a gate, and the narrow place behind it, side by side. Units that do not make way for the group's
    /// members take lanes.
    pub(crate) fn free_lanes(
        &self,
        group: &Group,
        party: Party,
        way: &RouteGate,
        blockades: &mut Blockades,
    ) -> u32 {
        let all = lanes_of(group, way);
        let Blockades { list, widest, taken } = blockades;
        // An attack-move does not go around enemies.
        let attacks = matches!(self.orders.get(group.stage.order), Some(Order::AttackMove { .. }));
        let (width, own) = (way.width(), group.radius.to_fine_i64());
        let reach = DEEP + width + *widest;
        let first =
            list.partition_point(|blockades| i64::from(blockades.at.x) < i64::from(way.taut.x) - reach);
        let near = list[first..].iter();
        let near = near.take_while(|blockades| i64::from(blockades.at.x) <= i64::from(way.taut.x) + reach);
        let near = near.filter(|blockades| {
            let south = i64::from(blockades.at.y) - i64::from(way.taut.y);
            let relation = self.units.body.teams.relation(party.owner, blockades.owner);
            let stays = if relation.is_friendly() { blockades.holds } else { !attacks };
            stays && party.layers.meets(blockades.layers) && south.abs() <= reach
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
            // The narrow place ends where the ground is closed, or wider than the gate by more than a cell.
            if !is_open(at.cell()) || line.width() > width + i64::from(FINE_CELL) {
                break;
            }
            let aside = |point: Fine| frame(ahead, at, point).1;
            let (left, right) = (aside(line.gate.left), aside(line.gate.right));
            // Skip cross-sections narrower than the widest member.
            if right - left < 2 * own {
                continue;
            }
            taken.clear();
            taken.extend(near.clone().filter_map(|blockades| {
                let (along, aside) = frame(ahead, at, blockades.at);
                let (begin, end) = (aside - blockades.radius, aside + blockades.radius);
                let beside = along.abs() <= blockades.radius + own / 2;
                // Units behind the walls do not block the line.
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

/// The offset from one point to another: along a direction of length 1024, and to the right of it.
fn frame(ahead: (i64, i64), from: Fine, to: Fine) -> (i64, i64) {
    let (x, y) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    ((x * ahead.0 + y * ahead.1) / 1024, (y * ahead.0 - x * ahead.1) / 1024)
}
