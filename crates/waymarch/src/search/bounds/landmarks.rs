//! Landmarks: lower bounds by the triangle inequality, from true distances to and from eight far cells.

use alloc::vec;
use alloc::vec::Vec;

use super::base::Base;
use super::spread::{Parts, Spread, Towards, UNREACHED};
use super::{ToGoal, between};
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::{CostLayer, StepRule};
use crate::query::PlanError;

/// The number of landmarks: 8.
const LANDMARKS: usize = 8;
/// Distances per cell: 16, two for each landmark, from it and to it.
const LANES: usize = 2 * LANDMARKS;

/// The greatest stored distance: 65,534. The value 65,535 means that there is no route. A greater distance is stored as this one, and the
/// bounds stay true, because clamping both distances never increases their difference.
const FARTHEST: u64 = u16::MAX as u64 - 1;

/// Derived from the costs of one field at one moment: the distances of each cell from and to eight landmarks.
///
/// If a landmark is 30 away from here and 50 away from the goal, the goal is at least 20 away from here. The bound is the best of sixteen
/// such differences.
///
/// Each connected part of the map has eight landmarks of its own, far away from each other. All share the same memory: 32 bytes per cell.
/// After an edit the landmarks stay in use while no cell is cheaper than when they were made; see [`Landmarks::holds`].
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::search::Landmarks;
///
/// let map = Map::flat("field", GridSize::new(40, 40)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let wall = layer.place(&Stamp::solid(1, 39), cell(20, 0), Tick::ZERO)?;
/// let landmarks = Landmarks::new(&layer, LocomotorId(0).into(), StepRule::default())?;
/// // The bound accounts for the wall between the two cells.
/// assert!(landmarks.at_least(cell(19, 0), cell(21, 0)) > Some(60 * 1024));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Landmarks {
    base: Base,
    /// The distance that a stored value of 1 stands for.
    unit: u64,
    /// For each padded cell: the distances from the landmarks, then [`u16::MAX`] minus the distances to them. So in every lane the bound is
    /// the goal's value minus this cell's value.
    lanes: Vec<[u16; LANES]>,
}

impl Landmarks {
    /// Makes the landmarks of `agent` under `rule`. Takes 17 visits of every cell.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        let base = Base::new(layer, agent, rule)?;
        let mut spread = Spread::new(&base);
        let parts = Parts::new(&base, spread.legal(), |_, _| true);
        spread.run(parts.first.iter().copied(), Towards::Cells);
        let mut nearest = spread.distance.clone();
        // Distances can be stored up to at least twice the greatest distance from one cell. Hardly any distance is greater, and a greater
        // one is clamped.
        let farthest_one = nearest.iter().copied().filter(|&distance| distance != UNREACHED).max();
        let unit = (2 * farthest_one.unwrap_or(0)).div_ceil(FARTHEST).max(1);
        let stored = |distance: u64| {
            if distance == UNREACHED { u16::MAX } else { (distance / unit).min(FARTHEST) as u16 }
        };
        let mut lanes = vec![[0; LANES]; parts.label.len()];
        for number in 0..LANDMARKS {
            let sources = farthest(&parts, &nearest);
            spread.run(sources.iter().copied(), Towards::Sources);
            for (lanes, &distance) in lanes.iter_mut().zip(&spread.distance) {
                lanes[LANDMARKS + number] = u16::MAX - stored(distance);
            }
            spread.run(sources.iter().copied(), Towards::Cells);
            for (place, &distance) in spread.distance.iter().enumerate() {
                lanes[place][number] = stored(distance);
                nearest[place] = if number == 0 { distance } else { distance.min(nearest[place]) };
            }
        }
        Ok(Self { base, unit, lanes })
    }

    /// Follows a change of costs within `changed`. Ignores a layer of another size.
    pub fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        self.base.update(layer, changed);
    }

    /// Whether searches may use the landmarks: no cell is cheaper than when they were made.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.base.holds()
    }

    /// A lower bound on the cost of the cheapest route between two open cells; `None` off the map, or while [`Landmarks::holds`] is false.
    #[must_use]
    pub fn at_least(&self, from: CellPos, to: CellPos) -> Option<u64> {
        if !self.base.contains(to) {
            return None;
        }
        let mut goal = self.towards(self.base.padding().pad(to).index());
        between(&self.base, from, |place| goal.at_least(place.index(), from))
    }

    pub(super) fn base(&self) -> &Base {
        &self.base
    }

    /// The bound on the cost to `goal`, an index in padded order.
    pub(in crate::search) fn towards(&self, goal: usize) -> impl ToGoal {
        Passed { goal: self.lanes[goal], lanes: &self.lanes, unit: self.unit }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.base.memory_bytes() + self.lanes.len() * size_of::<[u16; LANES]>()
    }
}

/// In each connected part, the cell with the greatest value of `nearest`; of several the first.
fn farthest(parts: &Parts, nearest: &[u64]) -> Vec<u32> {
    let mut found = parts.first.clone();
    for (place, &label) in parts.label.iter().enumerate() {
        if let Some(best) = found.get_mut(label as usize) {
            if nearest[place] > nearest[*best as usize] {
                *best = place as u32;
            }
        }
    }
    found
}

struct Passed<'a> {
    goal: [u16; LANES],
    lanes: &'a [[u16; LANES]],
    unit: u64,
}

impl ToGoal for Passed<'_> {
    #[inline]
    fn at_least(&mut self, place: usize, _: CellPos) -> u64 {
        let here = &self.lanes[place];
        let mut most = 0;
        for (goal, here) in self.goal.iter().zip(here) {
            most = most.max(goal.saturating_sub(*here));
        }
        // Both values were rounded down, so the true difference may be almost 1 less.
        u64::from(most.saturating_sub(1)) * self.unit
    }
}
