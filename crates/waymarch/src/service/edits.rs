//! How many places of the map were edited since the last tick.

use crate::cost::{ChangeLog, ChangeMark};

/// World: edited places since the last tick.
#[derive(Clone, Debug)]
pub(crate) struct EditCount {
    /// Places edited before `counted_to`.
    places: u32,
    /// Derived: the last change of the map that `places` includes.
    counted_to: ChangeMark,
}

impl EditCount {
    /// A count that starts at `places` and adds all later changes of the map.
    pub(crate) fn new(places: u32, changes: &ChangeLog) -> Self {
        Self { places, counted_to: changes.mark_now() }
    }

    /// Places edited since the last tick.
    pub(crate) fn total(&self, changes: &ChangeLog) -> u32 {
        let since = changes.count_since(self.counted_to);
        self.places.saturating_add(u32::try_from(since).unwrap_or(u32::MAX))
    }

    /// Counts all changes up to now.
    pub(crate) fn update(&mut self, changes: &ChangeLog) {
        *self = Self::new(self.total(changes), changes);
    }

    /// Places counted by the last [`EditCount::update`].
    pub(crate) fn counted(&self) -> u32 {
        self.places
    }

    /// Skips the changes up to now: they are not counted.
    pub(crate) fn skip(&mut self, changes: &ChangeLog) {
        self.counted_to = changes.mark_now();
    }

    /// Forgets the counted places: the tick has handled them.
    pub(crate) fn clear(&mut self) {
        self.places = 0;
    }
}
