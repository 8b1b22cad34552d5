//! Zone distances: the least cost of any route from one zone to another.

use alloc::vec;
use alloc::vec::Vec;

use super::base::Base;
use super::spread::{Parts, Spread, Towards, UNREACHED};
use super::{ToGoal, between};
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::{CostLayer, IMPASSABLE, StepRule};
use crate::query::PlanError;

/// The work limit for making the distances: 2^24 (about 16 million) cell visits. Zones grow until zones × cells is within the limit and
/// there are at most 1024 zones. A map with more cells than the limit gets one zone.
const WORK: u64 = 1 << 24;
/// A zone lies in a square with sides of at least 8 cells.
const SMALLEST: u32 = 8;

/// Derived from one field's costs at one moment: the least cost from any cell of one zone to any cell of another.
///
/// A zone is a connected part of a square of cells. The distances are true least costs, so the bound is admissible for every step rule.
/// (Hops between zones times the cost of a straight step would overestimate where zones touch at a corner.) Takes two bytes per cell and
/// four per pair of zones. Within a zone the bound is 0.
///
/// After an edit the distances stay in use while no cell is cheaper than when they were made; see [`ZoneDistances::holds`].
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::search::ZoneDistances;
///
/// let map = Map::flat("field", GridSize::new(40, 40)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(1, 39), cell(20, 0), Tick::ZERO)?;
/// let zones = ZoneDistances::new(&layer, LocomotorId(0).into(), StepRule::default())?;
/// // The bound accounts for the wall between the two cells.
/// assert!(zones.at_least(cell(19, 0), cell(21, 0)) > Some(40 * 1024));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneDistances {
    base: Base,
    side: u32,
    count: usize,
    /// The zone of each padded cell.
    zone: Vec<u16>,
    /// The distance that a stored value of 1 stands for.
    unit: u64,
    /// The stored distances, by zone of the goal, then by zone of the start.
    distance: Vec<u32>,
}

impl ZoneDistances {
    /// Makes the distances of `agent` under `rule`. Visits every cell once per zone: at most 16 million visits, or one per cell on a larger
    /// map.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        let base = Base::new(layer, agent, rule)?;
        let mut spread = Spread::new(&base);
        let most = (WORK / base.grid().cells() as u64).clamp(1, 1 << 10) as usize;
        let (side, parts) = divide(&base, spread.legal(), most);
        // If the map has more connected parts than zones, the other parts share the last zone. That only lowers the bound of this zone, so
        // it stays true.
        let count = parts.first.len().clamp(1, most);
        let zone: Vec<u16> = parts.label.iter().map(|&label| label.min(count as u32 - 1) as u16).collect();
        let mut cells = vec![Vec::new(); count];
        for (place, &zone) in zone.iter().enumerate() {
            if base.costs()[place] != IMPASSABLE {
                cells[usize::from(zone)].push(place as u32);
            }
        }
        let mut full = vec![UNREACHED; count * count];
        for (goal, row) in full.chunks_mut(count).enumerate() {
            spread.run(cells[goal].iter().copied(), Towards::Sources);
            for (place, &zone) in zone.iter().enumerate() {
                let least = &mut row[usize::from(zone)];
                *least = spread.distance[place].min(*least);
            }
        }
        let farthest = full.iter().copied().filter(|&distance| distance != UNREACHED).max();
        let unit = farthest.unwrap_or(0).div_ceil(u64::from(u32::MAX)).max(1);
        // Between zones that are not connected the bound is 0.
        let pack = |&far: &u64| if far == UNREACHED { 0 } else { (far / unit) as u32 };
        let distance = full.iter().map(pack).collect();
        Ok(Self { base, side, count, zone, unit, distance })
    }

    /// Follows a change of costs within `changed`. Ignores a layer of another size.
    pub fn update(&mut self, layer: &CostLayer, changed: CellRect) {
        self.base.update(layer, changed);
    }

    /// Whether searches may use the distances: no cell is cheaper than when they were made.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.base.holds()
    }

    /// The number of zones.
    #[must_use]
    pub fn zones(&self) -> usize {
        self.count
    }

    /// The side of the square of a zone, in cells.
    #[must_use]
    pub fn side(&self) -> u32 {
        self.side
    }

    /// A lower bound on the cost of the cheapest route between two open cells; `None` off the map, or while [`ZoneDistances::holds`] is
    /// false.
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
        let start = usize::from(self.zone[goal]) * self.count;
        Across { zone: &self.zone, row: &self.distance[start..start + self.count], unit: self.unit }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.base.memory_bytes() + self.zone.len() * 2 + self.distance.len() * 4
    }
}

/// The connected parts within squares: the smallest squares that make at most `most` zones, or the whole map.
fn divide(base: &Base, legal: &[u8], most: usize) -> (u32, Parts) {
    let whole = base.grid().width().max(base.grid().height());
    let mut side = SMALLEST;
    loop {
        let stride = base.padding().stride() as usize;
        // The padding is one cell north and one west.
        let square = |place: usize| {
            let (x, y) = ((place - 1) % stride, (place - 1) / stride - 1);
            (x / side as usize, y / side as usize)
        };
        let parts = Parts::new(base, legal, |from, to| square(from) == square(to));
        if parts.first.len() <= most || side >= whole {
            return (side, parts);
        }
        side *= 2;
    }
}

struct Across<'a> {
    zone: &'a [u16],
    row: &'a [u32],
    unit: u64,
}

impl ToGoal for Across<'_> {
    #[inline]
    fn at_least(&mut self, place: usize, _: CellPos) -> u64 {
        u64::from(self.row[usize::from(self.zone[place])]) * self.unit
    }
}
