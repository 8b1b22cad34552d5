//! Orders that units begin: which groups are formed in this tick, and which in a later one.

use crate::groups::MAX_MEMBERS;
use crate::world::formation::forming::{FormingScratch, form};
use crate::world::formation::parts::GroupParts;
use crate::world::formation::placement::forms_groups;
use crate::world::orders::parts::OrderView;
use crate::world::units::condition::Ending;
use crate::world::units::order_queue::OrderStage;

/// Groups of up to 512 members are formed in a tick: an order to thousands of units must not make one tick long. A larger group is formed as a whole.
const MEMBERS_PER_TICK: usize = 512;
/// If very many units wait for groups, groups of 1/16 of them are formed in a tick.
const WAITING_PART: usize = 16;

/// Finds orders that units without a group begin, and forms a group of all units that have such an order. Of many groups, some are deferred to later ticks.
pub(super) fn find_begun_orders(parts: &mut GroupParts<'_>, scratch: &mut FormingScratch) {
    let FormingScratch { begun, called, deferred, .. } = scratch;
    begun.clear();
    deferred.clear();
    let view = parts.view();
    for index in 0..view.units.column_len() {
        if let Some(stage) = begins(&view, index) {
            if begun.last() != Some(&stage) {
                begun.push(stage);
            }
        }
    }
    begun.sort_unstable();
    begun.dedup();
    begun.retain(|&stage| parts.groups.at_stage(stage).is_none());
    if begun.is_empty() {
        return;
    }
    called.clear();
    for index in 0..parts.units.column_len() {
        if parts.units.conditions.is_aboard(index) {
            continue;
        }
        // A unit that ends its present order takes part in the later ones only.
        let ends = usize::from(parts.units.conditions.ending(index) != Ending::None);
        for order in parts.units.called_by(index).skip(ends) {
            let first = begun.partition_point(|begun| begun.order < order);
            let stages = begun[first..].iter().take_while(|begun| begun.order == order);
            called.extend(stages.map(|&stage| (stage, index as u32)));
        }
    }
    called.sort_unstable();
    called.dedup();
    let most = MEMBERS_PER_TICK.max(called.len() / WAITING_PART);
    // If groups are deferred, each stage is the first in some tick.
    let is_over = called.len() > most;
    let rotated = if is_over { parts.service.nav().now().0 % begun.len() as u64 } else { 0 } as usize;
    let mut formed = 0;
    for number in 0..scratch.begun.len() {
        let stage = scratch.begun[(number + rotated) % scratch.begun.len()];
        let first = scratch.called.partition_point(|called| called.0 < stage);
        let count = scratch.called[first..].partition_point(|called| called.0 == stage);
        let alone = count == 1 && parts.orders.get(stage.order).is_none_or(|order| !order.has_slot_alone());
        if alone || count > MAX_MEMBERS {
            continue;
        }
        if formed > 0 && formed + count > most {
            scratch.deferred.push(stage);
            continue;
        }
        formed += count;
        form(parts, stage, first..first + count, scratch);
    }
    scratch.deferred.sort_unstable();
}

/// The stage of the order that a unit is about to begin, if units with that order form a group.
pub(super) fn begins(view: &OrderView<'_>, index: usize) -> Option<OrderStage> {
    let stage = view.units.stage(index)?;
    if !view.units.is_to_begin(index) || view.units.is_paused(index) {
        return None;
    }
    forms_groups(view.orders.get(stage.order)?, view.service.nav().config().get()).then_some(stage)
}
