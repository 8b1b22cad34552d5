//! The fields in use, and goals that have none.

use alloc::vec::Vec;

use super::error::FieldError;
use super::field::{Keep, WholeField};
use super::goals::GoalCells;
use super::key::FieldKey;
use super::scratch::WholeScratch;
use crate::base::{CellRect, Tick};
use crate::cost::{ChangeMark, CostLayer, StepRule};

/// How many fields and refusals are kept, and what each field keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholeFieldsSettings {
    /// The most fields that are kept; at least 1.
    pub fields: u32,
    /// The most goals without a field that are remembered; 0 counts as 1.
    pub refusals: u32,
    /// What each field keeps.
    pub keep: Keep,
}

impl Default for WholeFieldsSettings {
    /// 16 fields with costs, 256 refusals.
    fn default() -> Self {
        Self { fields: 16, refusals: 256, keep: Keep::Costs }
    }
}

/// Work counters for reports. No answer depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WholeFieldsWork {
    /// The number of fields made.
    pub made: u64,
    /// Queries answered by a field that was kept, repaired if needed.
    pub found: u64,
    /// How often a goal was checked for a step that leads into it.
    pub checked: u64,
    /// Queries refused without checking the goal.
    pub refused: u64,
}

/// Derived from a [`CostLayer`]: the whole-map fields in use, by agent, threat and goal.
///
/// It is a cache: its size changes how much work an answer takes, never the answer. So the state hash leaves it out. A field is brought up
/// to date when it is queried. When there are too many fields, the cache evicts the one that was used longest ago; of several, the first by
/// key. The cache also remembers goals that are closed or that no step leads into, until something changes in or around them.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::flow::whole::{FieldKey, WholeFields, WholeFieldsSettings};
/// use waymarch::query::Goal;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let mut fields = WholeFields::new(StepRule::default(), WholeFieldsSettings::default());
/// let mine = FieldKey::new(LocomotorId(0), Goal::point(cell(50, 20)));
/// let mut path = Vec::new();
/// for unit in [cell(3, 4), cell(4, 60)] {
///     fields.get(&layer, &mine, Tick(7))?.path_into(unit, &mut path)?;
///     assert_eq!(path.last(), Some(&cell(50, 20)));
/// }
/// assert_eq!((fields.work().made, fields.work().found), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WholeFields {
    rule: StepRule,
    settings: WholeFieldsSettings,
    /// The kept fields and refusals, sorted by key.
    entries: Vec<Entry>,
    /// An evicted field. The next new field uses its memory.
    spare: Option<WholeField>,
    scratch: WholeScratch,
    work: WholeFieldsWork,
}

#[derive(Clone, Debug)]
struct Entry {
    key: FieldKey,
    used: Tick,
    /// Whether the goal can have a field, as of `checked`.
    verdict: Result<(), FieldError>,
    checked: ChangeMark,
    /// The cells on which the verdict depends.
    watched: CellRect,
    /// `None` if the goal was refused.
    field: Option<WholeField>,
}

impl WholeFields {
    /// A cache without fields.
    #[must_use]
    pub fn new(rule: StepRule, settings: WholeFieldsSettings) -> Self {
        let settings = WholeFieldsSettings { fields: settings.fields.max(1), ..settings };
        Self {
            rule,
            settings,
            entries: Vec::new(),
            spare: None,
            scratch: WholeScratch::new(),
            work: WholeFieldsWork::default(),
        }
    }

    /// The field for `key` on the layer as it is now. Always pass the same layer. The order of a goal's shapes does not matter: the key of
    /// the field is in [normal form](FieldKey::normal).
    ///
    /// Cheap if the field is kept and nothing changed. Otherwise the field is repaired or made.
    ///
    /// # Errors
    /// [`FieldError`] if the query is not legal, the goal is closed, or no step leads into it.
    pub fn get(&mut self, layer: &CostLayer, key: &FieldKey, now: Tick) -> Result<&WholeField, FieldError> {
        if key.is_normal() {
            return self.get_normal(layer, key, now);
        }
        // Check the goal first, so that an error names the shapes as they were given.
        GoalCells::new(layer, key.agent, &key.goal)?;
        self.get_normal(layer, &key.clone().normal(), now)
    }

    fn get_normal(
        &mut self,
        layer: &CostLayer,
        key: &FieldKey,
        now: Tick,
    ) -> Result<&WholeField, FieldError> {
        let mut at = match self.entries.binary_search_by(|entry| entry.key.cmp(key)) {
            Ok(at) => {
                self.check_again(layer, at)?;
                at
            }
            Err(at) => {
                let entry = self.look(layer, key, now)?;
                self.entries.insert(at, entry);
                at
            }
        };
        self.entries[at].used = now;
        if let Err(why) = self.entries[at].verdict {
            self.retire_field(at);
            self.forget_refusals(at);
            return Err(why);
        }
        if let Some(field) = &mut self.entries[at].field {
            self.work.found += 1;
            field.follow(layer, &mut self.scratch)?;
        } else {
            self.work.made += 1;
            at = self.free_a_field(at);
            let field = self.make(layer, key)?;
            self.entries[at].field = Some(field);
        }
        match &self.entries[at] {
            Entry { field: Some(field), .. } => Ok(field),
            // Not reached: the field was just set.
            Entry { .. } => Err(FieldError::Isolated),
        }
    }

    /// A new entry without a field, with its goal checked.
    fn look(&mut self, layer: &CostLayer, key: &FieldKey, now: Tick) -> Result<Entry, FieldError> {
        let cells = GoalCells::new(layer, key.agent, &key.goal)?;
        self.work.checked += 1;
        Ok(Entry {
            key: key.clone(),
            used: now,
            verdict: cells.check(self.rule),
            checked: layer.changes().mark_now(),
            watched: cells.watched(),
            field: None,
        })
    }

    /// Checks a goal again if something changed that could make a difference.
    fn check_again(&mut self, layer: &CostLayer, at: usize) -> Result<(), FieldError> {
        let (log, entry) = (layer.changes(), &mut self.entries[at]);
        let sectors = log.sectors();
        let may_differ = log.since(entry.checked).is_none_or(|changed| {
            changed.iter().any(|&sector| !sectors.area(sector).intersect(entry.watched).is_empty())
        });
        if may_differ {
            let cells = GoalCells::new(layer, entry.key.agent, &entry.key.goal)?;
            self.work.checked += 1;
            entry.verdict = cells.check(self.rule);
        } else if entry.verdict.is_err() && entry.field.is_none() {
            self.work.refused += 1;
        }
        entry.checked = log.mark_now();
        Ok(())
    }

    /// Evicts a field if there are too many, but never the one at `kept`. Returns the index of that entry afterwards.
    fn free_a_field(&mut self, kept: usize) -> usize {
        if self.count(Entry::is_field) < self.settings.fields as usize {
            return kept;
        }
        let Some(oldest) = self.oldest(Entry::is_field, Some(kept)) else { return kept };
        self.retire_field(oldest);
        self.entries.remove(oldest);
        kept - usize::from(oldest < kept)
    }

    /// Makes a field for `key`, in the memory of an evicted one if there is one.
    fn make(&mut self, layer: &CostLayer, key: &FieldKey) -> Result<WholeField, FieldError> {
        Ok(match self.spare.take() {
            Some(mut field) => {
                field.retarget(layer, key, &mut self.scratch)?;
                field
            }
            None => WholeField::new(layer, key, self.rule, self.settings.keep, &mut self.scratch)?,
        })
    }

    /// Drops the refusal used longest ago if there are too many, but never the one at `kept`.
    fn forget_refusals(&mut self, kept: usize) {
        if self.count(Entry::is_refusal) > self.settings.refusals.max(1) as usize {
            if let Some(oldest) = self.oldest(Entry::is_refusal, Some(kept)) {
                self.entries.remove(oldest);
            }
        }
    }

    fn count(&self, kind: impl Fn(&Entry) -> bool) -> usize {
        self.entries.iter().filter(|entry| kind(entry)).count()
    }

    /// The entry of a kind that was used longest ago; of several, the first by key.
    fn oldest(&self, kind: impl Fn(&Entry) -> bool, but: Option<usize>) -> Option<usize> {
        let all = self.entries.iter().enumerate().filter(|&(at, entry)| Some(at) != but && kind(entry));
        all.min_by_key(|&(at, entry)| (entry.used, at)).map(|(at, _)| at)
    }

    fn retire_field(&mut self, at: usize) {
        if let Some(field) = self.entries[at].field.take() {
            self.spare = Some(field);
        }
    }

    /// The fields that are kept, by key.
    pub fn fields(&self) -> impl Iterator<Item = &WholeField> {
        self.entries.iter().filter_map(|entry| entry.field.as_ref())
    }

    /// Drops everything. Answers stay the same.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.spare = None;
    }

    /// Work counters since the start.
    #[must_use]
    pub fn work(&self) -> WholeFieldsWork {
        self.work
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let fields: usize = self.fields().chain(&self.spare).map(WholeField::memory_bytes).sum();
        fields + self.scratch.memory_bytes()
    }
}

impl Entry {
    fn is_field(&self) -> bool {
        self.field.is_some()
    }

    fn is_refusal(&self) -> bool {
        self.field.is_none()
    }
}
