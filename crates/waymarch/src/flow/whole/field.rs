//! One field: from every cell the direction into one goal.

use alloc::vec::Vec;

use super::goals::{GoalCells, Part};
use super::ground::Ground;
use super::kept::KeptCosts;
use super::key::{FieldKey, Target};
use super::repair::{Edited, GaveUp, Repair};
use super::scratch::{RepairScratch, WholeScratch};
use crate::base::{CellPos, GridSize};
use crate::cost::{ChangeMark, CostLayer, IMPASSABLE, Padding, StepRule};
use crate::flow::dijkstra::{Flow, FlowByte, Label, Labels, Making, Spread, TooDear};
use crate::query::{Cost, PlanError};

/// What a field keeps besides its directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keep {
    /// The remaining cost and the cell cost of every cell: 5 more bytes per cell, or 9 if a route costs about 2^32 or more. The field can
    /// be repaired after edits.
    #[default]
    Costs,
    /// Nothing: the field takes the 1 byte per cell of its directions. It is rebuilt after every edit.
    DirectionsOnly,
}

/// What [`WholeField::follow`] did to the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Followed {
    /// No change affects this field.
    Unchanged,
    /// The field was repaired. This many cells changed their cost or direction; some may count several times.
    Mended(u32),
    /// The field was rebuilt: too much had changed, or it keeps no costs.
    Rebuilt,
}

/// Derived from a [`CostLayer`]: the cheapest route into a goal from every cell of the map.
///
/// A unit that follows the field from any cell takes a cheapest route. Every step lowers the remaining cost, so there are no loops. Of
/// equally cheap steps the lowest direction number counts, so a field that followed edits equals a new one, bit for bit. Making a field
/// visits every cell and its neighbours. Making it again in the same memory allocates nothing.
///
/// ```
/// use waymarch::base::{cell, Dir8, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
/// use waymarch::query::Goal;
///
/// let map = Map::flat("field", GridSize::new(40, 30)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// let mut scratch = WholeScratch::new();
/// let key = FieldKey::new(LocomotorId(0), Goal::point(cell(30, 10)));
/// let mut field = WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch)?;
/// assert_eq!(field.direction(cell(20, 10)), Flow::Step(Dir8::E));
///
/// layer.place(&Stamp::solid(2, 9), cell(25, 6), Tick::ZERO)?; // a wall in the way
/// field.follow(&layer, &mut scratch)?;
/// let mut path = Vec::new();
/// let cost = field.path_into(cell(20, 10), &mut path)?;
/// assert_eq!(path.first(), Some(&cell(20, 10)));
/// assert_eq!(path.last(), Some(&cell(30, 10)));
/// assert_eq!(field.cost_to_goal(cell(20, 10)), Some(cost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WholeField {
    pub(super) target: Target,
    keep: Keep,
    size: GridSize,
    padding: Padding,
    /// The flow byte of each cell, in padded order.
    pub(super) flow: Vec<u8>,
    /// Empty unless costs are kept.
    pub(super) kept: KeptCosts,
    /// How far the layer's changes were followed.
    known: ChangeMark,
}

impl PartialEq for WholeField {
    /// Whether both have the same directions and costs. The width of their labels does not matter.
    fn eq(&self, other: &Self) -> bool {
        let what = |field: &Self| (field.keep, field.size);
        let cells = || self.size.rect().cells();
        what(self) == what(other)
            && self.target == other.target
            && self.flow == other.flow
            && self.kept.ground.cost == other.kept.ground.cost
            && cells().all(|at| self.cost_to_goal(at) == other.cost_to_goal(at))
    }
}

impl Eq for WholeField {}

impl WholeField {
    /// Makes the field that leads to `key`'s goal by the steps of `rule`. If the goal is closed, the field leads nowhere.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`], or [`PlanError::Goal`] if the goal is not legal on this map.
    pub fn new(
        layer: &CostLayer,
        key: &FieldKey,
        rule: StepRule,
        keep: Keep,
        scratch: &mut WholeScratch,
    ) -> Result<Self, PlanError> {
        let size = layer.grid();
        let mut field = Self {
            target: Target { key: key.clone(), rule },
            keep,
            size,
            padding: Padding::new(size),
            flow: Vec::new(),
            kept: KeptCosts::default(),
            known: layer.changes().mark_now(),
        };
        field.rebuild(layer, scratch)?;
        Ok(field)
    }

    /// Makes the field lead to another goal, in the memory it has.
    ///
    /// # Errors
    /// As [`WholeField::new`]; the field then keeps its goal.
    pub fn retarget(
        &mut self,
        layer: &CostLayer,
        key: &FieldKey,
        scratch: &mut WholeScratch,
    ) -> Result<(), PlanError> {
        GoalCells::new(layer, key.agent, &key.goal)?;
        self.target.key.clone_from(key);
        self.rebuild(layer, scratch)
    }

    /// See [`WholeField::retarget`].
    ///
    /// # Errors
    /// As [`WholeField::retarget`].
    #[deprecated(since = "0.2.0", note = "renamed to `retarget`")]
    pub fn aim(
        &mut self,
        layer: &CostLayer,
        key: &FieldKey,
        scratch: &mut WholeScratch,
    ) -> Result<(), PlanError> {
        self.retarget(layer, key, scratch)
    }

    /// Rebuilds the field from the layer as it is now.
    ///
    /// # Errors
    /// As [`WholeField::new`], if the layer is not the one that the field was made from. The field is then unchanged.
    pub fn rebuild(&mut self, layer: &CostLayer, scratch: &mut WholeScratch) -> Result<(), PlanError> {
        let key = &self.target.key;
        let cells = GoalCells::new(layer, key.agent, &key.goal)?;
        let costs = layer.view(key.agent, key.threat);
        let costs = costs.ok_or(PlanError::UnknownAgent(key.agent))?;
        (self.size, self.padding) = (costs.field.grid(), costs.field.padding());
        let WholeScratch { kept: unkept, repair } = scratch;
        let kept = match self.keep {
            Keep::Costs => &mut self.kept,
            Keep::DirectionsOnly => unkept,
        };
        kept.ground.fill(costs);
        let from_goal = FromGoal { cells, padding: self.padding, rule: self.target.rule };
        let done = match &mut kept.labels {
            Labels::Narrow(labels) => from_goal.spread(labels, &kept.ground, repair),
            Labels::Wide(labels) => from_goal.spread(labels, &kept.ground, repair),
        };
        if done == Err(TooDear) {
            let mut labels: Vec<u64> = Vec::new();
            // Labels of 8 bytes are wide enough for every legal map.
            let _enough = from_goal.spread(&mut labels, &kept.ground, repair);
            kept.labels = Labels::Wide(labels);
        }
        self.flow.clear();
        match &kept.labels {
            Labels::Narrow(labels) => self.flow.extend(labels.iter().map(|label| label.byte())),
            Labels::Wide(labels) => self.flow.extend(labels.iter().map(|label| label.byte())),
        }
        self.known = layer.changes().mark_now();
        Ok(())
    }

    /// Follows what changed in the layer since the last call. Afterwards the field equals a new one.
    ///
    /// # Errors
    /// As [`WholeField::rebuild`].
    pub fn follow(&mut self, layer: &CostLayer, scratch: &mut WholeScratch) -> Result<Followed, PlanError> {
        let log = layer.changes();
        let since = log.since(self.known);
        if since.is_some_and(<[_]>::is_empty) && layer.grid() == self.size {
            return Ok(Followed::Unchanged);
        }
        if self.keep == Keep::DirectionsOnly || layer.grid() != self.size {
            self.rebuild(layer, scratch)?;
            return Ok(Followed::Rebuilt);
        }
        log.collect_since(self.known, &mut scratch.repair.sectors);
        match self.repair(layer, scratch)? {
            Ok(0) => {
                self.known = log.mark_now();
                Ok(Followed::Unchanged)
            }
            Ok(changes) => {
                self.known = log.mark_now();
                Ok(Followed::Mended(changes))
            }
            Err(GaveUp) => {
                self.rebuild(layer, scratch)?;
                Ok(Followed::Rebuilt)
            }
        }
    }

    fn repair(
        &mut self,
        layer: &CostLayer,
        scratch: &mut WholeScratch,
    ) -> Result<Result<u32, GaveUp>, PlanError> {
        let key = &self.target.key;
        let cells = GoalCells::new(layer, key.agent, &key.goal)?;
        let now = layer.view(key.agent, key.threat);
        let now = now.ok_or(PlanError::UnknownAgent(key.agent))?;
        let edited = Edited { now, cells, target: &self.target, sectors: layer.changes().sectors() };
        let KeptCosts { ground, labels } = &mut self.kept;
        let (flow, scratch) = (&mut self.flow[..], &mut scratch.repair);
        Ok(match labels {
            Labels::Narrow(labels) => Repair { labels, ground, flow, scratch }.run(&edited),
            Labels::Wide(labels) => Repair { labels, ground, flow, scratch }.run(&edited),
        })
    }

    /// The direction from `at`; [`Flow::Closed`] off the map.
    #[inline]
    #[must_use]
    pub fn direction(&self, at: CellPos) -> Flow {
        self.byte(at).flow()
    }

    /// The direction from `at` as a byte; see [`WholeField::direction`].
    #[inline]
    #[must_use]
    pub fn byte(&self, at: CellPos) -> FlowByte {
        if !self.size.contains(at) {
            return FlowByte::CLOSED;
        }
        self.flow.get(self.padding.pad(at).index()).map_or(FlowByte::CLOSED, |&byte| FlowByte(byte))
    }

    /// What the route from `at` into the goal costs; `None` if there is no route, or costs are not kept.
    #[inline]
    #[must_use]
    pub fn cost_to_goal(&self, at: CellPos) -> Option<Cost> {
        if !self.size.contains(at) {
            return None;
        }
        self.kept.labels.cost_and_step(self.padding.pad(at).index()).map(|(cost, _)| Cost(cost))
    }

    /// The agent and the goal of the field.
    #[must_use]
    pub fn key(&self) -> &FieldKey {
        &self.target.key
    }

    /// The step rule.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.target.rule
    }

    /// What the field keeps besides its directions.
    #[must_use]
    pub fn keeps(&self) -> Keep {
        self.keep
    }

    /// The map's size.
    #[must_use]
    pub fn grid(&self) -> GridSize {
        self.size
    }

    pub(super) fn padding(&self) -> Padding {
        self.padding
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.flow.len() + self.kept.memory_bytes()
    }
}

/// A search outward from the goal over the whole map.
#[derive(Clone, Copy)]
struct FromGoal<'a> {
    cells: GoalCells<'a>,
    padding: Padding,
    rule: StepRule,
}

impl FromGoal<'_> {
    /// Finds all labels from the goal outward.
    fn spread<L: Label>(
        &self,
        labels: &mut Vec<L>,
        ground: &Ground,
        scratch: &mut RepairScratch,
    ) -> Result<(), TooDear> {
        labels.clear();
        let blank = |&cost: &u8| if cost == IMPASSABLE { L::CLOSED } else { L::UNREACHED };
        labels.extend(ground.cost.iter().map(blank));
        let RepairScratch { queue, touched, .. } = scratch;
        queue.clear();
        touched.clear();
        self.cells.mark(|at, part| {
            let place = self.padding.pad(at);
            labels[place.index()] = match part {
                Part::Goal => L::GOAL,
                Part::Rest => L::UNREACHED,
            };
            if part == Part::Goal {
                touched.push(place.0);
            }
        });
        for &place in touched.iter().filter(|&&place| labels[place as usize] == L::GOAL) {
            queue.push(0, place);
        }
        let stride = self.padding.stride() as usize;
        let mut spread = Spread { cost: &ground.cost, labels, queue, stride, shift: ground.shift };
        spread.run(self.rule, &[], &mut Making)
    }
}
