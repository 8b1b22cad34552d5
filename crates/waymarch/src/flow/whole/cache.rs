//! The fields in use: kept while they are asked for, given up in a fixed order, refusals remembered too.

use alloc::vec::Vec;

use super::error::FieldError;
use super::field::{Keep, WholeField};
use super::goals::GoalCells;
use super::key::FieldKey;
use super::scratch::WholeScratch;
use crate::base::{CellRect, Tick};
use crate::cost::{ChangeMark, CostLayer, StepRule};

/// How many fields are kept, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WholeFieldsSettings {
    /// At most so many fields; at least one is.
    pub fields: u32,
    /// At most so many goals that cannot be reached are remembered.
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

/// What was done so far, for reports: no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WholeFieldsWork {
    /// Fields made.
    pub made: u64,
    /// Questions answered by a field that was there, mended if need be.
    pub found: u64,
    /// Goals looked at for whether anything can lead into them.
    pub checked: u64,
    /// Questions refused without a look at the goal.
    pub refused: u64,
}

/// Derived from a [`CostLayer`]: the whole-map fields in use, by agent, threat and goal.
///
/// A cache: how many it keeps changes what answers cost, never what they are, so it is not part of the state's hash. A field is
/// brought up to date when it is asked for. The one given up is the one used longest ago, and of those the first by key. Goals that
/// are closed, or that nothing can lead into, are remembered as such until something changes in or around them.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::flow::whole::{FieldKey, WholeFields, WholeFieldsSettings};
/// use waymarch::query::Goal;
///
/// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()).validate()?;
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
    /// By key.
    entries: Vec<Entry>,
    /// A field given up, whose memory the next one takes over.
    spare: Option<WholeField>,
    scratch: WholeScratch,
    work: WholeFieldsWork,
}

#[derive(Clone, Debug)]
struct Entry {
    key: FieldKey,
    used: Tick,
    /// Whether the goal is worth a field, as of `checked`.
    verdict: Result<(), FieldError>,
    checked: ChangeMark,
    /// The cells on which the verdict depends.
    watched: CellRect,
    /// There unless the goal was refused.
    field: Option<WholeField>,
}

impl WholeFields {
    /// None yet.
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

    /// The field for `key` on the layer as it is. Always ask with the same layer. The order of a goal's shapes does not matter: the
    /// field's own key is the [normal](FieldKey::normal) one.
    ///
    /// Costs nothing much if it is there and nothing changed; otherwise what mending or making it costs.
    ///
    /// # Errors
    /// [`FieldError`] for a question that makes no sense, a goal that is closed, or one that nothing can lead into.
    pub fn get(&mut self, layer: &CostLayer, key: &FieldKey, now: Tick) -> Result<&WholeField, FieldError> {
        if key.is_normal() {
            return self.get_normal(layer, key, now);
        }
        // What is wrong with a goal is said of the shapes as they were given.
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
            // Not reached: it was just put there.
            Entry { .. } => Err(FieldError::Isolated),
        }
    }

    /// An entry without a field, its goal looked at.
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

    /// Looks at a goal again if something changed where that could make a difference.
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

    /// Gives a field up if there are as many as there may be, never that at `kept`; gives the place of that afterwards.
    fn free_a_field(&mut self, kept: usize) -> usize {
        if self.count(Entry::is_field) < self.settings.fields as usize {
            return kept;
        }
        let Some(oldest) = self.oldest(Entry::is_field, Some(kept)) else { return kept };
        self.retire_field(oldest);
        self.entries.remove(oldest);
        kept - usize::from(oldest < kept)
    }

    /// A field for `key`, in the memory of one that is not needed any more.
    fn make(&mut self, layer: &CostLayer, key: &FieldKey) -> Result<WholeField, FieldError> {
        Ok(match self.spare.take() {
            Some(mut field) => {
                field.aim(layer, key, &mut self.scratch)?;
                field
            }
            None => WholeField::new(layer, key, self.rule, self.settings.keep, &mut self.scratch)?,
        })
    }

    /// Forgets refusals over the limit, never that at `kept`.
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

    /// Which entry of a kind was used longest ago, the first by key of several.
    fn oldest(&self, kind: impl Fn(&Entry) -> bool, but: Option<usize>) -> Option<usize> {
        let all = self.entries.iter().enumerate().filter(|&(at, entry)| Some(at) != but && kind(entry));
        all.min_by_key(|&(at, entry)| (entry.used, at)).map(|(at, _)| at)
    }

    fn retire_field(&mut self, at: usize) {
        if let Some(field) = self.entries[at].field.take() {
            self.spare = Some(field);
        }
    }

    /// The fields kept, by key.
    pub fn fields(&self) -> impl Iterator<Item = &WholeField> {
        self.entries.iter().filter_map(|entry| entry.field.as_ref())
    }

    /// Forgets everything; the answers stay the same.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.spare = None;
    }

    /// What was done so far.
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
