//! Reading a path off a field.

use alloc::vec::Vec;

use super::error::WalkError;
use super::field::{Keep, WholeField};
use crate::base::{CellPos, Dir8};
use crate::cost::{CostLayer, IMPASSABLE, PadId, step_length, with_threat};
use crate::flow::dijkstra::Flow;
use crate::query::{Cost, Goal, PlanError, Shape};

impl WholeField {
    /// Writes the path from `from` into the goal to `out` (which is cleared): the start, its turns, and the cell of the goal where it ends. Returns its
    /// cost.
    ///
    /// The work grows with the number of cells of the path. Allocates nothing once `out` has grown.
    ///
    /// # Errors
    /// [`WalkError`] saying why there is no path; `out` is then empty. A damaged field is noticed and never followed in circles.
    pub fn path_into(&self, from: CellPos, out: &mut Vec<CellPos>) -> Result<Cost, WalkError> {
        out.clear();
        if self.keeps() == Keep::DirectionsOnly {
            return Err(WalkError::CostsNotKept);
        }
        let cost = &self.kept.ground.cost;
        let told = |at| self.cost_to_goal(at).map(|cost| cost.0);
        self.walk(from, out, |place, _| cost.get(place).copied().unwrap_or(IMPASSABLE), told)
    }

    /// As [`WholeField::path_into`], with costs from the layer, for fields that keep none.
    ///
    /// # Errors
    /// As [`WholeField::path_into`]; also where the path meets an edit of the layer that the field did not follow.
    pub fn path_over(
        &self,
        layer: &CostLayer,
        from: CellPos,
        out: &mut Vec<CellPos>,
    ) -> Result<Cost, WalkError> {
        out.clear();
        let agent = self.key().agent;
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let (view, padding) = (layer.threat().view(self.key().threat), field.padding());
        let threat = |at| view.at(padding.pad(at).index());
        self.walk(from, out, |_, at| with_threat(field.cost(at), threat(at)), |_| None)
    }

    /// Walks along the field. `cost` gives what cells cost, and `told` the remaining cost where it is known.
    fn walk(
        &self,
        from: CellPos,
        out: &mut Vec<CellPos>,
        cost: impl Fn(usize, CellPos) -> u8,
        told: impl Fn(CellPos) -> Option<u64>,
    ) -> Result<Cost, WalkError> {
        self.check_start(from)?;
        out.push(from);
        let (mut at, mut paid, mut last_dir) = (from, 0, None::<Dir8>);
        let whole = told(from);
        // No path visits a cell twice.
        for _ in 0..=self.grid().cells() {
            let left = whole.map(|whole| whole.checked_sub(paid));
            let step = match self.direction(at) {
                _ if left.is_some_and(|left| left != told(at)) => None,
                Flow::Goal if at == from => return Ok(Cost(paid)),
                Flow::Goal if left.is_none_or(|left| left == Some(0)) => {
                    out.push(at);
                    return Ok(Cost(paid));
                }
                Flow::Step(dir) => Some(dir),
                Flow::Goal | Flow::Nowhere | Flow::Closed => None,
            };
            let next = step.map(|dir| (dir, at.step(dir))).filter(|&(_, next)| self.grid().contains(next));
            let Some((dir, next)) = next else {
                out.clear();
                return Err(WalkError::Corrupt { at });
            };
            if last_dir.is_some_and(|last_dir| last_dir != dir) {
                out.push(at);
            }
            let PadId(place) = self.padding().pad(next);
            let entered = cost(place as usize, next);
            if entered == IMPASSABLE {
                out.clear();
                return Err(WalkError::Corrupt { at: next });
            }
            paid += u64::from(step_length(dir)) * u64::from(entered);
            (at, last_dir) = (next, Some(dir));
        }
        out.clear();
        Err(WalkError::Corrupt { at })
    }

    fn check_start(&self, from: CellPos) -> Result<(), PlanError> {
        if !self.grid().contains(from) {
            return Err(PlanError::OffMap { at: from, size: self.grid() });
        }
        match (self.direction(from), &self.key().goal) {
            (Flow::Step(_) | Flow::Goal, _) => Ok(()),
            (Flow::Closed, _) => Err(PlanError::StartBlocked { at: from }),
            (Flow::Nowhere, &Goal::In(Shape::Point(to))) => Err(PlanError::Unreachable { from, to }),
            (Flow::Nowhere, _) => Err(PlanError::GoalUnreachable { from }),
        }
    }
}
