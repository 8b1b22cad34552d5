//! How groups of a World kept together and in form.

use std::collections::BTreeMap;

use serde::Serialize;
use waymarch::avoid::Fine;
use waymarch::groups::{arrival_spread, cohesion, formation_error};
use waymarch::world::{EventKind, GroupId, World};

use crate::report::rounded;

/// How far members are from their middle is looked at every so many ticks.
const LOOK_EVERY: u64 = 10;
/// In 65,536ths of a cell.
const CELL: f64 = 65_536.0;

/// What became of groups of two and more.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct GroupReport {
    /// How many there were of which at least two have arrived.
    pub(crate) arrived_groups: usize,
    /// How far members were from the middle of their group while it was under way, in cells; none if no group was.
    pub(crate) cohesion: Option<f64>,
    /// How far members are from where their formation has them at the end, in cells: the root of the mean square, whatever way the whole has to go.
    pub(crate) form_error: Option<f64>,
    /// Ticks from a group's first arrival to its last, on average, and without the twentieth at each end.
    pub(crate) arrival_spread: Option<f64>,
    pub(crate) arrival_spread_most: Option<f64>,
}

/// Follows the groups of a World from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marches {
    /// The group of each unit, by its number, before the tick: who has arrived may have another by now.
    before: Vec<Option<GroupId>>,
    arrivals: BTreeMap<GroupId, Vec<u64>>,
    apart: f64,
    looks: usize,
}

impl Marches {
    /// A tick has passed.
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
        if world.now().0.is_multiple_of(LOOK_EVERY) {
            let standing = standing(world);
            let under_way = world.groups().filter_map(|group| standing.get(&group));
            for (at, _) in under_way.filter(|(at, _)| at.len() > 1) {
                self.apart += cohesion(at).mean as f64 / CELL * at.len() as f64;
                self.looks += at.len();
            }
        }
    }

    /// What it came to, for the World at the end.
    pub(crate) fn report(&self, world: &World) -> GroupReport {
        let (mut square, mut members) = (0.0, 0);
        for (at, slots) in standing(world).values().filter(|(at, _)| at.len() > 1) {
            let error = formation_error(at, slots) as f64 / CELL;
            square += error * error * at.len() as f64;
            members += at.len();
        }
        let spreads: Vec<_> = self.arrivals.values().filter(|ticks| ticks.len() > 1).collect();
        let spreads: Vec<_> = spreads.into_iter().map(|ticks| arrival_spread(&mut ticks.clone())).collect();
        let mean = |sum: f64, count: usize| (count > 0).then(|| rounded(sum / count as f64, 2));
        let ticks =
            |of: fn(&waymarch::groups::ArrivalSpread) -> u64| spreads.iter().map(of).sum::<u64>() as f64;
        GroupReport {
            arrived_groups: spreads.len(),
            cohesion: mean(self.apart, self.looks),
            form_error: (members > 0).then(|| rounded((square / members as f64).sqrt(), 3)),
            arrival_spread: mean(ticks(|spread| spread.whole), spreads.len()),
            arrival_spread_most: mean(ticks(|spread| spread.most), spreads.len()),
        }
    }
}

/// Where the members of each group are, and where they are to be.
fn standing(world: &World) -> BTreeMap<GroupId, (Vec<Fine>, Vec<Fine>)> {
    let mut groups: BTreeMap<GroupId, (Vec<Fine>, Vec<Fine>)> = BTreeMap::new();
    for (unit, _) in world.positions() {
        let place = world.group_of(unit).zip(world.place_of(unit)).zip(world.slot_of(unit));
        if let Some(((group, at), slot)) = place {
            let (places, slots) = groups.entry(group).or_default();
            places.push(at);
            slots.push(slot);
        }
    }
    groups
}
