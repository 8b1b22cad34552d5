//! How the groups of a `World` kept together and in formation.

use std::collections::BTreeMap;

use serde::Serialize;
use waymarch::base::Fine;
use waymarch::groups::{ArrivalSpread, arrival_spread, cohesion, formation_error};
use waymarch::world::{EventKind, GroupId, World};

use crate::report::rounded;
use crate::scale::fine_cells;

/// Cohesion is sampled every 10 ticks: half a second.
const SAMPLE_TICKS: u64 = 10;

/// What became of groups of two or more units.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct GroupReport {
    /// Groups of which at least two members have arrived.
    pub(crate) arrived_groups: usize,
    /// The mean distance of members from the centre of their group while it travels, in cells; `None` if no group travelled.
    pub(crate) cohesion: Option<f64>,
    /// The distance of members from their formation slots at the end, in cells: the root mean square, after the slots are shifted so
    /// that both centres are equal.
    pub(crate) form_error: Option<f64>,
    /// Ticks from a group's first arrival to its last, on average.
    pub(crate) arrival_spread: Option<f64>,
    /// The same without the first and the last 5 % of the arrivals.
    pub(crate) arrival_spread_most: Option<f64>,
}

/// Follows the groups of a `World` from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupTracker {
    /// The group of each unit before the tick, by unit index: a unit that has just arrived may belong to another group now.
    before: Vec<Option<GroupId>>,
    /// The ticks of arrival of each group's members.
    arrivals: BTreeMap<GroupId, Vec<u64>>,
    /// The sum of distances from the group's centre, and the number of distances in it.
    distances: f64,
    samples: usize,
}

/// The members of one group: their positions and their slots, in the same order.
#[derive(Default)]
struct Placement {
    at: Vec<Fine>,
    slots: Vec<Fine>,
}

impl GroupTracker {
    /// Adds the tick that has just passed.
    pub(crate) fn tick(&mut self, world: &World) {
        for event in world.events() {
            let ends = matches!(event.what, EventKind::Arrived | EventKind::ReachedStop(_));
            let group = self.before.get(event.unit.index() as usize).copied().flatten();
            if let (true, Some(group)) = (ends, group) {
                self.arrivals.entry(group).or_default().push(world.now().0);
            }
        }
        self.before.clear();
        for (unit, _) in world.positions() {
            let index = unit.index() as usize;
            self.before.resize(self.before.len().max(index + 1), None);
            self.before[index] = world.group_of(unit);
        }
        if world.now().0.is_multiple_of(SAMPLE_TICKS) {
            let placements = placements(world);
            let travelling = world.groups().filter_map(|group| placements.get(&group));
            for Placement { at, .. } in travelling.filter(|group| group.at.len() > 1) {
                self.distances += fine_cells(cohesion(at).mean) * at.len() as f64;
                self.samples += at.len();
            }
        }
    }

    /// The report for the `World` as it is at the end.
    pub(crate) fn report(&self, world: &World) -> GroupReport {
        let (mut square, mut members) = (0.0, 0);
        for Placement { at, slots } in placements(world).values().filter(|group| group.at.len() > 1) {
            let error = fine_cells(formation_error(at, slots));
            square += error * error * at.len() as f64;
            members += at.len();
        }
        let groups = self.arrivals.values().filter(|ticks| ticks.len() > 1);
        let spreads: Vec<ArrivalSpread> = groups.map(|ticks| arrival_spread(&mut ticks.clone())).collect();
        let mean = |sum: f64, count: usize| (count > 0).then(|| rounded(sum / count as f64, 2));
        let ticks = |of: fn(&ArrivalSpread) -> u64| spreads.iter().map(of).sum::<u64>() as f64;
        GroupReport {
            arrived_groups: spreads.len(),
            cohesion: mean(self.distances, self.samples),
            form_error: (members > 0).then(|| rounded((square / members as f64).sqrt(), 3)),
            arrival_spread: mean(ticks(|spread| spread.whole), spreads.len()),
            arrival_spread_most: mean(ticks(|spread| spread.most), spreads.len()),
        }
    }
}

/// Where the members of each group are, and where their slots are.
fn placements(world: &World) -> BTreeMap<GroupId, Placement> {
    let mut groups: BTreeMap<GroupId, Placement> = BTreeMap::new();
    for (unit, _) in world.positions() {
        let member = world.group_of(unit).zip(world.place_of(unit)).zip(world.slot_of(unit));
        if let Some(((group, at), slot)) = member {
            let placement = groups.entry(group).or_default();
            placement.at.push(at);
            placement.slots.push(slot);
        }
    }
    groups
}
