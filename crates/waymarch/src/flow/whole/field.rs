//! One field: from every cell the way into one goal.

use alloc::vec::Vec;

use super::flow_byte::{Flow, FlowByte};
use super::goals::{GoalCells, Part};
use super::ground::{CostsNow, Ground};
use super::key::FieldKey;
use super::label::{Label, Labels, TooDear};
use super::mend::{Edited, GaveUp, Mend};
use super::scratch::WholeScratch;
use super::spread::{Making, Spread};
use crate::base::{CellPos, GridSize};
use crate::cost::{ChangeMark, CostLayer, IMPASSABLE, Padding, StepRule};
use crate::query::{Cost, PlanError};

/// What a field keeps beside its directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keep {
    /// The remaining cost of every cell and the cost of standing on it: five more bytes a cell (nine where ways cost over 2^32), by
    /// which the field can be mended after edits.
    #[default]
    Costs,
    /// Nothing: one byte a cell. The field is made anew after every edit.
    DirectionsOnly,
}

/// What following the layer came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Followed {
    /// Nothing that counts for this field changed.
    Unchanged,
    /// So many cells changed or got another way, some perhaps counted several times.
    Mended(u32),
    /// So much changed, or so little was kept, that the field was made anew.
    Rebuilt,
}

/// Derived: what [`Keep::Costs`] keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) ground: Ground,
    pub(super) labels: Labels,
}

impl Kept {
    pub(super) fn memory_bytes(&self) -> usize {
        self.ground.cost.len() + self.labels.memory_bytes()
    }
}

/// For whom and where to a field leads, and by which steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) key: FieldKey,
    pub(super) rule: StepRule,
}

/// Derived from a [`CostLayer`]: the cheapest way into a goal from every cell of the map.
///
/// Following it from any cell costs exactly what the cheapest route does; every step leaves less to go, so there are no loops. Of
/// equally cheap steps the one with the lowest direction number is taken, whatever was done first: a field that followed edits equals
/// one made anew, bit for bit. Making it costs a look at every cell and its neighbours; nothing is allocated when it is made
/// again in the same memory.
///
/// ```
/// use waymarch::base::{cell, Dir8, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::flow::whole::{FieldKey, Flow, Keep, WholeField, WholeScratch};
/// use waymarch::query::Goal;
///
/// let map = Map::flat("field", GridSize::new(40, 30)?, Rules::spec_000()).validate()?;
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
    /// Padded.
    pub(super) flow: Vec<u8>,
    /// Empty unless costs are kept.
    pub(super) kept: Kept,
    /// How far the layer's changes were followed.
    known: ChangeMark,
}

impl PartialEq for WholeField {
    /// Whether both lead the same ways at the same costs; not how wide the numbers are that they are kept in.
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
    /// Makes the field that leads to `key`'s goal by the steps of `rule`. A goal that is closed gives a field that leads nowhere.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`], or [`PlanError::Goal`] for a goal that makes no sense on this map.
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
            kept: Kept::default(),
            known: layer.changes().mark_now(),
        };
        field.rebuild(layer, scratch)?;
        Ok(field)
    }

    /// Makes it lead elsewhere, in the memory it has.
    ///
    /// # Errors
    /// As [`WholeField::new`]; it then leads where it led before.
    pub fn aim(
        &mut self,
        layer: &CostLayer,
        key: &FieldKey,
        scratch: &mut WholeScratch,
    ) -> Result<(), PlanError> {
        GoalCells::new(layer, key.agent, &key.goal)?;
        self.target.key.clone_from(key);
        self.rebuild(layer, scratch)
    }

    /// Makes it anew from the layer as it is.
    ///
    /// # Errors
    /// As [`WholeField::new`], for a layer that is not the one it was made from; nothing is changed then.
    pub fn rebuild(&mut self, layer: &CostLayer, scratch: &mut WholeScratch) -> Result<(), PlanError> {
        let key = &self.target.key;
        let cells = GoalCells::new(layer, key.agent, &key.goal)?;
        let field = layer.field(key.agent).ok_or(PlanError::UnknownAgent(key.agent))?;
        (self.size, self.padding) = (field.grid(), field.padding());
        let mut kept = match self.keep {
            Keep::Costs => core::mem::take(&mut self.kept),
            Keep::DirectionsOnly => core::mem::take(&mut scratch.kept),
        };
        kept.ground.fill(CostsNow::new(layer, field, key.threat));
        let done = match &mut kept.labels {
            Labels::Narrow(labels) => self.spread(labels, &kept.ground, cells, scratch),
            Labels::Wide(labels) => self.spread(labels, &kept.ground, cells, scratch),
        };
        if done == Err(TooDear) {
            let mut labels: Vec<u64> = Vec::new();
            // Eight bytes are enough for every legal map.
            let _enough = self.spread(&mut labels, &kept.ground, cells, scratch);
            kept.labels = Labels::Wide(labels);
        }
        self.flow.clear();
        match &kept.labels {
            Labels::Narrow(labels) => self.flow.extend(labels.iter().map(|label| label.byte())),
            Labels::Wide(labels) => self.flow.extend(labels.iter().map(|label| label.byte())),
        }
        match self.keep {
            Keep::Costs => self.kept = kept,
            Keep::DirectionsOnly => scratch.kept = kept,
        }
        self.known = layer.changes().mark_now();
        Ok(())
    }

    /// All labels from the goal outward.
    fn spread<L: Label>(
        &self,
        labels: &mut Vec<L>,
        ground: &Ground,
        cells: GoalCells<'_>,
        scratch: &mut WholeScratch,
    ) -> Result<(), TooDear> {
        labels.clear();
        let blank = |&cost: &u8| if cost == IMPASSABLE { L::CLOSED } else { L::UNREACHED };
        labels.extend(ground.cost.iter().map(blank));
        let WholeScratch { front, touched, .. } = scratch;
        front.clear();
        touched.clear();
        cells.mark(|at, part| {
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
            front.push(0, place);
        }
        let stride = self.padding.stride() as usize;
        Spread { cost: &ground.cost, labels, front, stride, shift: ground.shift }.run(
            self.target.rule,
            &[],
            &mut Making,
        )
    }

    /// Follows what changed in the layer it was made from since it last did; afterwards it equals a field made anew.
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
        scratch.sectors.clear();
        match since {
            Some(changed) => scratch.sectors.extend_from_slice(changed),
            None => scratch.sectors.extend(log.sectors().all()),
        }
        scratch.sectors.sort_unstable();
        scratch.sectors.dedup();
        match self.mend(layer, scratch)? {
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

    fn mend(
        &mut self,
        layer: &CostLayer,
        scratch: &mut WholeScratch,
    ) -> Result<Result<u32, GaveUp>, PlanError> {
        let key = &self.target.key;
        let cells = GoalCells::new(layer, key.agent, &key.goal)?;
        let field = layer.field(key.agent).ok_or(PlanError::UnknownAgent(key.agent))?;
        let now = CostsNow::new(layer, field, key.threat);
        let edited = Edited { now, cells, target: &self.target, sectors: layer.changes().sectors() };
        let Kept { ground, labels } = &mut self.kept;
        let flow = &mut self.flow[..];
        Ok(match labels {
            Labels::Narrow(labels) => Mend { labels, ground, flow, scratch }.run(&edited),
            Labels::Wide(labels) => Mend { labels, ground, flow, scratch }.run(&edited),
        })
    }

    /// Which way from `at`; [`Flow::Closed`] off the map.
    #[inline]
    #[must_use]
    pub fn direction(&self, at: CellPos) -> Flow {
        self.byte(at).flow()
    }

    /// The same as a byte.
    #[inline]
    #[must_use]
    pub fn byte(&self, at: CellPos) -> FlowByte {
        if !self.size.contains(at) {
            return FlowByte::CLOSED;
        }
        self.flow.get(self.padding.pad(at).index()).map_or(FlowByte::CLOSED, |&byte| FlowByte(byte))
    }

    /// What the way from `at` into the goal costs; `None` where there is none, and if costs are not kept.
    #[inline]
    #[must_use]
    pub fn cost_to_goal(&self, at: CellPos) -> Option<Cost> {
        if !self.size.contains(at) {
            return None;
        }
        self.kept.labels.way(self.padding.pad(at).index()).map(|(cost, _)| Cost(cost))
    }

    /// For whom and where to it leads.
    #[must_use]
    pub fn key(&self) -> &FieldKey {
        &self.target.key
    }

    /// By which steps it leads.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.target.rule
    }

    /// What it keeps.
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
