//! Groups that come towards each other: both keep right.
//!
//! Two blocks that walk into each other head on stand there until they have seeped through each other, one by one. So both get a gate where they are about
//! to meet, across all the ground that is open there, and pass it as they pass any gate that others come through the other way: each on the right
//! half of it.

use super::group::{GroupId, Passage};
use super::let_pass::Block;
use super::simulation::World;
use crate::avoid::FINE_CELL;
use crate::groups::{GateFinder, Traffic, WayGate};

/// Blocks get their gate when their first members are no further apart: sixteen cells.
const FAR: i64 = 16 * FINE_CELL as i64;
/// Nor nearer: it takes some way to get into lanes. Three cells.
const NEAR: i64 = 3 * FINE_CELL as i64;
/// Groups are given no more gates.
const MOST_GATES: usize = 64;

impl World {
    /// Gives gates to groups that are about to meet head on.
    pub(super) fn part_oncoming(&mut self, blocks: &[Block]) {
        for own in 1..blocks.len() {
            for other in 0..own {
                let (one, two) = (&blocks[other], &blocks[own]);
                if one.opposes(two) && one.marches() && two.marches() {
                    self.part(one, two);
                }
            }
        }
    }

    fn part(&mut self, one: &Block, two: &Block) {
        let Some((at, gap)) = one.meeting(two) else { return };
        if !(NEAR..=FAR).contains(&gap) {
            return;
        }
        let ids = [one, two].map(|block| self.groups.list.id_at(block.group));
        let [Some(first), Some(second)] = ids else { return };
        let Some(group) = self.groups.list.get(first) else { return };
        let Some(field) = self.service.nav().layer().field(group.agent.locomotor.into()) else { return };
        let is_open = |at| field.is_passable(at);
        let far = one.width().max(two.width());
        if !is_open(at.cell()) {
            return;
        }
        let gate = GateFinder::across(at, one.ahead(), far, is_open);
        self.give_gate(first, gate);
        self.give_gate(second, gate.turned_round());
    }

    fn give_gate(&mut self, id: GroupId, way: WayGate) {
        let Some(group) = self.groups.list.get_mut(id) else { return };
        let len = group.passages.len();
        if len >= MOST_GATES {
            return;
        }
        if group.passages.capacity() == len {
            let spare = &mut self.sergeant.spare_passages.0;
            let mut longer = spare.take(len + 1);
            longer.extend_from_slice(&group.passages);
            spare.keep(core::mem::replace(&mut group.passages, longer));
        }
        group.passages.push(Passage { way, traffic: Traffic::Opposing });
    }
}
