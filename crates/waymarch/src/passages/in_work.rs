//! Passages that are found a few rows at a time.

use super::follow::Passages;
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::{CostLayer, StepRule};
use crate::query::PlanError;

/// Derived, unfinished: passages that are found a few rows of the map at a time.
///
/// The map may be edited meanwhile. The result equals passages that are found at once.
#[derive(Clone, Debug)]
pub(crate) struct PassagesInWork {
    passages: Passages,
    /// The rows that were looked at.
    rows: u32,
}

impl PassagesInWork {
    /// A map of which no ground was looked at.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] if the locomotor or size has no costs.
    pub(crate) fn begin(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        Ok(Self { passages: Passages::unseen(layer, agent, rule)?, rows: 0 })
    }

    /// Whether these passages are for that agent.
    pub(crate) fn is_for(&self, agent: Agent, rule: StepRule) -> bool {
        (self.passages.agent(), self.passages.rule()) == (agent, rule)
    }

    /// Whether these passages are for units that step by that rule.
    pub(crate) fn has_rule(&self, rule: StepRule) -> bool {
        self.passages.rule() == rule
    }

    /// The rows that were not looked at yet.
    pub(crate) fn unseen_rows(&self, layer: &CostLayer) -> u32 {
        layer.grid().height().saturating_sub(self.rows)
    }

    /// Looks at up to `rows` rows. Returns whether all were looked at.
    pub(crate) fn work(&mut self, layer: &CostLayer, rows: u32) -> bool {
        // On another map this finds all passages at once.
        self.passages.follow(layer);
        let grid = layer.grid();
        let rows = rows.min(grid.height().saturating_sub(self.rows));
        if rows > 0 {
            let area = CellRect::at(CellPos::new(0, self.rows as i32), grid.width(), rows);
            self.passages.look_at(layer, area);
        }
        self.rows += rows;
        self.rows >= grid.height()
    }

    /// Looks at the rest.
    pub(crate) fn finish(mut self, layer: &CostLayer) -> Passages {
        self.work(layer, u32::MAX);
        self.passages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{GridSize, LocomotorId, Tick, cell};
    use crate::cost::{CostSettings, Map, Rules, Stamp};

    #[test]
    fn passages_found_in_slices_between_edits_equal_passages_found_at_once() {
        let size = GridSize::new(90, 60).expect("legal");
        let map = Map::flat("field", size, Rules::standard()).validate().expect("legal");
        let agent = LocomotorId(0).into();
        for rows in [1, 7, 60] {
            let mut layer = CostLayer::new(&map, CostSettings::default());
            // Walls with gaps, which passages cross from slice to slice.
            for x in [10, 12, 14, 40, 41, 70] {
                layer.place(&Stamp::solid(1, 50), cell(x, 3), Tick::ZERO).expect("it fits");
            }
            let begin = PassagesInWork::begin(&layer, agent, StepRule::default());
            let mut work = begin.expect("foot has costs");
            let mut slices = 0;
            while !work.work(&layer, rows) {
                slices += 1;
                let at = cell(slices * 29 % 85, slices * 23 % 55);
                layer.place(&Stamp::solid(4, 2), at, Tick::ZERO).expect("it fits");
            }
            let made = work.finish(&layer);
            let new = Passages::new(&layer, agent, StepRule::default()).expect("foot has costs");
            assert!(made.is_current(&layer) && !new.is_empty());
            assert!(made == new, "{rows} rows at a time");
        }
    }
}
