//! A probe that records the events of a search.

use alloc::vec::Vec;

use super::probe::{Probe, Reach, Visit};
use crate::base::CellPos;

/// An event of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SearchEvent {
    /// A search began.
    Begin {
        /// The start.
        from: CellPos,
        /// The goal.
        to: CellPos,
    },
    /// A node was expanded.
    Expand(Visit),
    /// A node was reached.
    Reach(Visit, Reach),
}

/// Keeps the first events of searches up to a limit, and counts the others.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
/// use waymarch::query::PathQuery;
/// use waymarch::search::{astar_with, Recorder, Route, SearchEvent, SearchRun, SearchScratch};
///
/// let map = Map::flat("field", GridSize::new(8, 8)?, Rules::standard()).validate()?;
/// let layer = CostLayer::new(&map, CostSettings::default());
/// let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
/// let query = PathQuery::new(cell(0, 0), cell(7, 5), LocomotorId(0));
/// let mut recorder = Recorder::with_limit(1000);
/// astar_with(&layer, &query, StepRule::default(), SearchRun { scratch: &mut scratch, out: &mut route, probe: &mut recorder })?;
/// assert_eq!(recorder.events()[0], SearchEvent::Begin { from: cell(0, 0), to: cell(7, 5) });
/// assert_eq!(recorder.left_out(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    events: Vec<SearchEvent>,
    limit: usize,
    left_out: u64,
}

impl Recorder {
    /// Keeps up to `limit` events of at most 56 bytes each. Memory is allocated as they come.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { events: Vec::new(), limit, left_out: 0 }
    }

    /// The events, in order.
    #[must_use]
    pub fn events(&self) -> &[SearchEvent] {
        &self.events
    }

    /// The number of events that came after the limit was reached.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Forgets all events; keeps the memory and the limit.
    pub fn clear(&mut self) {
        self.events.clear();
        self.left_out = 0;
    }

    fn keep(&mut self, event: SearchEvent) {
        if self.events.len() < self.limit {
            self.events.push(event);
        } else {
            self.left_out += 1;
        }
    }
}

impl Probe for Recorder {
    fn begin(&mut self, from: CellPos, to: CellPos) {
        self.keep(SearchEvent::Begin { from, to });
    }

    fn expand(&mut self, node: Visit) {
        self.keep(SearchEvent::Expand(node));
    }

    fn reach(&mut self, node: Visit, how: Reach) {
        self.keep(SearchEvent::Reach(node, how));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell;

    #[test]
    fn an_event_takes_no_more_memory_than_the_documentation_says() {
        assert!(size_of::<SearchEvent>() <= 56);
    }

    #[test]
    fn events_beyond_the_limit_are_counted_not_kept() {
        let mut recorder = Recorder::with_limit(2);
        let node = Visit { at: cell(1, 1), parent: Some(cell(0, 0)), turn: cell(1, 1), cost: 1448, ahead: 0 };
        recorder.begin(cell(0, 0), cell(1, 1));
        recorder.reach(node, Reach::First);
        recorder.expand(node);
        assert_eq!((recorder.events().len(), recorder.left_out()), (2, 1));
        recorder.clear();
        recorder.expand(node);
        assert_eq!((recorder.events(), recorder.left_out()), (&[SearchEvent::Expand(node)][..], 0));
    }
}
