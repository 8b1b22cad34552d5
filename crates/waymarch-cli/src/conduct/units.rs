//! How the units of a World moved among each other.

use serde::Serialize;
use waymarch::world::{EventKind, Order, UnitId, World};

use super::{Gait, Overlaps, Strides};
use crate::report::rounded;

/// What became of units, and how they moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct UnitReport {
    /// Units that are where their last order led, of those who were told to go to a place and not to stop or hold since.
    pub(crate) arrived_pct: f64,
    /// When the last of them arrived, in seconds; none if somebody has not.
    pub(crate) makespan_s: Option<f64>,
    /// Units times ticks that overlap by more than a hundredth of both radii.
    pub(crate) ovl_pct: f64,
    /// The deepest overlap, of both radii.
    pub(crate) maxpen_pct: f64,
    /// Degrees of turning per tick on the way, while moving.
    pub(crate) jitter_deg: f64,
    /// Changes between turning left and right by more than five degrees, per unit and second.
    pub(crate) flips_s: f64,
    /// Ticks on the way at less than a tenth of the speed.
    pub(crate) stuck_pct: f64,
}

/// How a unit's last order ended, if it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// It was never told anything, or is on its way.
    Open,
    /// It arrived then.
    There(u64),
    GaveUp,
}

/// A unit as it was a tick ago.
#[derive(Clone, Copy, Debug)]
struct Walker {
    id: UnitId,
    at: [f64; 2],
    gait: Gait,
    ending: Ending,
}

/// Follows the units of a World from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walks {
    /// By the unit's number.
    walkers: Vec<Option<Walker>>,
    strides: Strides,
    overlaps: Overlaps,
    places: Vec<[f64; 2]>,
    radii: Vec<f64>,
}

impl Walks {
    /// A tick has passed.
    pub(crate) fn tick(&mut self, world: &World) {
        self.places.clear();
        self.radii.clear();
        for unit in world.units() {
            let Some(place) = world.place_of(unit.id) else { continue };
            let at = [place.x, place.y].map(|part| f64::from(part) / 65_536.0);
            let cells = |raw: i32| f64::from(raw) / 1024.0;
            let kind = world.unit_type(unit.kind);
            self.places.push(at);
            self.radii.push(kind.map_or(0.0, |kind| cells(kind.radius.raw())));
            let index = unit.id.index() as usize;
            self.walkers.resize(self.walkers.len().max(index + 1), None);
            let new = Walker { id: unit.id, at, gait: Gait::default(), ending: Ending::Open };
            let walker = self.walkers[index].get_or_insert(new);
            if walker.id != unit.id {
                *walker = new;
            }
            let goes = matches!(
                world.orders_of(unit.id).next(),
                Some(Order::Move(_) | Order::Form { .. } | Order::Patrol(_))
            );
            if goes {
                let slow = 0.1 * kind.map_or(0.0, |kind| cells(kind.speed.raw()));
                self.strides.step(&mut walker.gait, walker.at, at, slow);
            } else {
                walker.gait = Gait::default();
            }
            walker.at = at;
        }
        let radii = &self.radii;
        self.overlaps.look(&self.places, |unit| radii[unit]);
        for event in world.events() {
            let walker = self.walkers.get_mut(event.unit.index() as usize).and_then(Option::as_mut);
            let Some(walker) = walker.filter(|walker| walker.id == event.unit) else { continue };
            match event.what {
                EventKind::OrderStarted => walker.ending = Ending::Open,
                EventKind::Arrived => walker.ending = Ending::There(world.now().0),
                EventKind::GaveUp(_) => walker.ending = Ending::GaveUp,
                _ => {}
            }
        }
    }

    /// What it came to, for the World at the end.
    pub(crate) fn report(&self, world: &World) -> UnitReport {
        let hz = f64::from(world.nav().config().get().ticks_per_second);
        let (mut there, mut told, mut last) = (0_usize, 0_usize, 0);
        for walker in self.walkers.iter().flatten().filter(|walker| world.unit(walker.id).is_some()) {
            let to_a_place = match world.orders_of(walker.id).next() {
                Some(Order::Move(_) | Order::Form { .. }) => true,
                Some(_) => false,
                None => walker.ending != Ending::Open,
            };
            if to_a_place {
                told += 1;
                if let (Ending::There(tick), None) = (walker.ending, world.orders_of(walker.id).next()) {
                    there += 1;
                    last = last.max(tick);
                }
            }
        }
        UnitReport {
            arrived_pct: crate::report::percent(there, told),
            makespan_s: (told > 0 && there == told).then(|| rounded(last as f64 / hz, 2)),
            ovl_pct: rounded(self.overlaps.part() * 100.0, 3),
            maxpen_pct: rounded(self.overlaps.deepest() * 100.0, 2),
            jitter_deg: rounded(self.strides.jitter(), 3),
            flips_s: rounded(self.strides.flips(hz), 3),
            stuck_pct: rounded(self.strides.stuck() * 100.0, 2),
        }
    }
}
