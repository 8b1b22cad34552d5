//! Lazy fields together: queries, the fields that are kept, and edits.

use alloc::vec::Vec;

use super::field::{Edit, LazyField};
use super::ground::{CLOSED, SparseGround};
use super::pocket::PocketFlood;
use super::settings::ValidLazySettings;
use crate::base::{CellPos, Dir8, HashState, StateHasher, Tick};

/// The direction to the goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LazyAnswer {
    /// Take this step: the first of a cheapest route. Of equally cheap routes the lowest direction counts.
    Go(Dir8),
    /// The start is the goal.
    Arrived,
    /// It is proven that there is no route. Either the start or the goal is closed, or all cells connected with one of them were explored
    /// and do not include the other.
    Unreachable,
    /// The goal's field was explored to its limit and the start is not in it. There may be a route.
    Unknown,
}

/// A field, with the tick in which it was last used.
#[derive(Clone, Debug)]
struct Kept {
    used: Tick,
    field: LazyField,
}

/// World: a [`SparseGround`], edited here. Derived from it: the fields that units asked for.
///
/// Units ask at every step and remember nothing. The first query for a goal explores the cells between goal and start; later queries from
/// there only read. A query whose start is explored costs two lookups and allocates nothing.
///
/// *Invariant:* an answer is a function of ground, settings, start and goal. It does not depend on earlier queries, on edits that were
/// undone, on the tick, or on `max_fields`.
///
/// ```
/// use waymarch::base::{cell, Dir8};
/// use waymarch::flow::lazy::{LazyAnswer, LazyFlow, LazySettings, SparseGround};
///
/// let mut flow = LazyFlow::new(SparseGround::open(), LazySettings::default().validate()?);
/// let goal = cell(2_000_000_000, 0);
/// assert_eq!(flow.get_direction(cell(1_999_999_990, 0), goal), LazyAnswer::Go(Dir8::E));
///
/// flow.block(cell(1_999_999_995, 0)); // a wall in the way: north around it is as good as south
/// assert_eq!(flow.get_direction(cell(1_999_999_994, 0), goal), LazyAnswer::Go(Dir8::N));
///
/// for dir in Dir8::ALL {
///     flow.block(goal.step(dir));
/// }
/// assert_eq!(flow.get_direction(cell(1_999_999_990, 0), goal), LazyAnswer::Unreachable);
/// # Ok::<(), waymarch::flow::lazy::LazySettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LazyFlow {
    ground: SparseGround,
    settings: ValidLazySettings,
    now: Tick,
    /// The fields that are kept, sorted by goal.
    fields: Vec<Kept>,
    pocket: PocketFlood,
}

impl LazyFlow {
    /// A flow on this ground, without fields.
    #[must_use]
    pub fn new(ground: SparseGround, settings: ValidLazySettings) -> Self {
        let (fields, pocket) = (Vec::new(), PocketFlood::default());
        Self { ground, settings, now: Tick::ZERO, fields, pocket }
    }

    /// The ground.
    #[must_use]
    pub fn ground(&self) -> &SparseGround {
        &self.ground
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &ValidLazySettings {
        &self.settings
    }

    /// Sets the tick. When there are too many fields, the one used longest ago is dropped.
    pub fn advance(&mut self, now: Tick) {
        self.now = now;
    }

    /// The direction from `start` to `goal`.
    ///
    /// Costs two lookups if the field has explored the start already. Otherwise it floods up to
    /// [`pocket_limit`](super::LazySettings::pocket_limit) cells around the start. Then it explores all levels up to the start, and
    /// [`expansion_buffer`](super::LazySettings::expansion_buffer) cells farther. All queries of one field together explore no more than
    /// [`explore_limit`](super::LazySettings::explore_limit) cells and one level.
    pub fn get_direction(&mut self, start: CellPos, goal: CellPos) -> LazyAnswer {
        if start == goal {
            return LazyAnswer::Arrived;
        }
        let place = self.fields.binary_search_by_key(&goal, |kept| kept.field.goal);
        if let Ok(place) = place {
            let kept = &mut self.fields[place];
            kept.used = self.now;
            if let Some(dir) = kept.field.direction(start) {
                return LazyAnswer::Go(dir);
            }
            if kept.field.is_exhausted() {
                return LazyAnswer::Unreachable;
            }
        }
        self.explore(start, goal, place)
    }

    /// Answers a query that no kept field answers.
    fn explore(&mut self, start: CellPos, goal: CellPos, place: Result<usize, usize>) -> LazyAnswer {
        let settings = *self.settings.get();
        if !self.ground.is_open(start) || !self.ground.is_open(goal) {
            return LazyAnswer::Unreachable;
        }
        if self.pocket.encloses(&self.ground, start, goal, settings.pocket_limit) {
            return LazyAnswer::Unreachable;
        }
        let place = place.unwrap_or_else(|place| self.add(goal, place));
        let field = &mut self.fields[place].field;
        field.explore_to(&self.ground, start, &settings);
        match field.direction(start) {
            Some(dir) => LazyAnswer::Go(dir),
            None if field.is_exhausted() => LazyAnswer::Unreachable,
            None => LazyAnswer::Unknown,
        }
    }

    /// Adds a field at its place in the sorted list. If there are too many fields, it first drops the one used longest ago.
    fn add(&mut self, goal: CellPos, mut place: usize) -> usize {
        if self.fields.len() as u64 >= u64::from(self.settings.get().max_fields) {
            let oldest = (0..self.fields.len()).min_by_key(|&at| self.fields[at].used).unwrap_or(0);
            self.fields.remove(oldest);
            place -= usize::from(oldest < place);
        }
        let field = LazyField::new(goal, self.settings.get().steps);
        self.fields.insert(place, Kept { used: self.now, field });
        place
    }

    /// Closes a cell.
    pub fn block(&mut self, at: CellPos) {
        self.set_cost(at, CLOSED);
    }

    /// Gives a cell the cost of unchanged ground again.
    pub fn clear(&mut self, at: CellPos) {
        self.set_cost(at, self.ground.rest());
    }

    /// Sets the cost of a cell: 1..=254 or [`CLOSED`] (0 counts as 1). Fields that may be wrong after the edit are deleted, and made again
    /// when they are needed. The others stay. Costs a few lookups per field.
    pub fn set_cost(&mut self, at: CellPos, cost: u8) {
        let before = self.ground.set_cost(at, cost);
        let edit = match (before, cost.max(1)) {
            (before, after) if before == after => return,
            (CLOSED, _) => Edit::Opened,
            (_, CLOSED) => Edit::Closed,
            _ => Edit::Recosted,
        };
        self.fields.retain_mut(|kept| kept.field.outlives(at, edit));
    }

    /// The fields that are kept, by goal: for pictures and figures.
    pub fn fields(&self) -> impl Iterator<Item = &LazyField> {
        self.fields.iter().map(|kept| &kept.field)
    }

    /// The field towards `goal`, if it is kept. Reading it changes nothing.
    #[must_use]
    pub fn field(&self, goal: CellPos) -> Option<&LazyField> {
        let place = self.fields.binary_search_by_key(&goal, |kept| kept.field.goal).ok()?;
        Some(&self.fields[place].field)
    }
}

impl HashState for LazyFlow {
    /// Hashes ground and settings; the fields follow from them.
    fn hash_state(&self, h: &mut StateHasher) {
        self.ground.hash_state(h);
        self.settings.hash_state(h);
    }
}
