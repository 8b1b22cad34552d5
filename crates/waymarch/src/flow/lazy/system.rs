//! Lazy fields together: who asks for what, what is kept, what an edit makes wrong.

use alloc::vec::Vec;

use super::field::{Edit, LazyField};
use super::ground::{CLOSED, SparseGround};
use super::pocket::PocketFlood;
use super::settings::ValidLazySettings;
use crate::base::{CellPos, Dir8, HashState, StateHasher, Tick};

/// Which way to the goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LazyAnswer {
    /// Take this step: it is the first of a cheapest way, and of equally good ones the lowest direction.
    Go(Dir8),
    /// The start is the goal.
    Arrived,
    /// There is no way, and that is proven: the start or the goal is closed, or all that is connected with one of them was
    /// explored and does not include the other.
    Unreachable,
    /// The goal's field was explored to its limit and the start is not in it. There may be a way.
    Unknown,
}

/// A field with when it was asked for last.
#[derive(Clone, Debug)]
struct Kept {
    used: Tick,
    field: LazyField,
}

/// World: a [`SparseGround`], edited here; and Derived from it, the fields units asked for (spec 002's pathfinding system).
///
/// Units ask at every step, and remember nothing. The first to ask for a goal pays for the cells between; the others read. A
/// question whose cell is explored costs two lookups and makes no memory.
///
/// *Invariant:* an answer is a function of ground, settings, start and goal. It depends on nothing that was asked before, on no edit
/// that was undone, on no tick and on no `max_fields`.
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
    /// Ordered by goal.
    fields: Vec<Kept>,
    pocket: PocketFlood,
}

impl LazyFlow {
    /// No field yet.
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

    /// Says what time it is: fields not asked for longest go first.
    pub fn advance(&mut self, now: Tick) {
        self.now = now;
    }

    /// Which way from `start` to `goal`: spec 002's public entry point.
    ///
    /// Costs two lookups where the field is explored already. Otherwise up to
    /// [`pocket_limit`](super::LazySettings::pocket_limit) cells around the start, and the levels up to the start's and
    /// [`expansion_buffer`](super::LazySettings::expansion_buffer) more: in all no more than
    /// [`explore_limit`](super::LazySettings::explore_limit) cells and a level, per field and not per question.
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

    /// The answer where the field has none yet, if there is a field at all.
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

    /// Adds a field where it belongs in the order, having made room for it.
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

    /// Gives a cell the cost of the rest of the world again.
    pub fn clear(&mut self, at: CellPos) {
        self.set_cost(at, self.ground.rest());
    }

    /// Gives a cell a cost, 1..=254 or [`CLOSED`] (0 counts as 1). Fields that the edit may make wrong are forgotten whole, to be made
    /// anew when asked for; the others go on. Costs a few lookups per field.
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

    /// The field towards `goal`, if it is kept; asking changes nothing.
    #[must_use]
    pub fn field(&self, goal: CellPos) -> Option<&LazyField> {
        let place = self.fields.binary_search_by_key(&goal, |kept| kept.field.goal).ok()?;
        Some(&self.fields[place].field)
    }
}

impl HashState for LazyFlow {
    /// Writes ground and settings; the fields follow from them.
    fn hash_state(&self, h: &mut StateHasher) {
        self.ground.hash_state(h);
        self.settings.hash_state(h);
    }
}
