//! The cells of a goal from which a field starts, and whether a step leads into them.

use super::error::FieldError;
use crate::base::{Agent, CellPos, CellRect, Dir8};
use crate::cost::{CostField, CostLayer, StepRule};
use crate::query::{Goal, PlanError, Shape, Side};

/// Whether an open cell is in the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Goal,
    Rest,
}

/// The cells of a goal where an agent can stand and stop.
#[derive(Clone, Copy)]
pub(super) struct GoalCells<'a> {
    layer: &'a CostLayer,
    field: &'a CostField,
    agent: Agent,
    goal: &'a Goal,
}

impl<'a> GoalCells<'a> {
    pub(super) fn new(layer: &'a CostLayer, agent: Agent, goal: &'a Goal) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        goal.validate(layer.grid())?;
        Ok(Self { layer, field, agent, goal })
    }

    /// Whether a cell is one of them.
    pub(super) fn contains(&self, at: CellPos) -> bool {
        self.is_fit(at) && self.goal.contains(at)
    }

    /// Whether the agent can stand and stop here.
    fn is_fit(&self, at: CellPos) -> bool {
        self.field.is_passable(at) && self.layer.can_stop(at, self.agent)
    }

    /// All cells within `area` that can be goal cells; some may occur several times.
    pub(super) fn candidates(&self, area: CellRect) -> impl Iterator<Item = CellPos> {
        let (inside, anywhere) = match self.goal.side() {
            Side::In => (self.goal.shapes(), CellRect::default()),
            Side::Out => (&[][..], area),
        };
        let of_shape = move |shape: &Shape| shape.bounds().intersect(area).cells();
        inside.iter().flat_map(of_shape).chain(anywhere.cells())
    }

    /// Reports all goal cells, and some cells that are not in the goal. If a cell is reported several times, the last report is right.
    ///
    /// Shapes that units must leave are processed one by one, so that many shapes do not cost each cell a check of all.
    pub(super) fn mark(&self, mut tell: impl FnMut(CellPos, Part)) {
        let map = self.layer.grid().rect();
        let of_shape = |shape: &Shape| {
            let shape = *shape;
            shape.bounds().intersect(map).cells().filter(move |&at| shape.contains(at))
        };
        let inside = self.goal.shapes().iter().flat_map(of_shape);
        match self.goal.side() {
            Side::In => inside.filter(|&at| self.is_fit(at)).for_each(|at| tell(at, Part::Goal)),
            Side::Out => {
                map.cells().filter(|&at| self.is_fit(at)).for_each(|at| tell(at, Part::Goal));
                inside.filter(|&at| self.field.is_passable(at)).for_each(|at| tell(at, Part::Rest));
            }
        }
    }

    /// Whether there is a goal cell, and a step into one from outside the goal.
    ///
    /// # Errors
    /// [`FieldError`] saying what is missing.
    pub(super) fn check(&self, rule: StepRule) -> Result<(), FieldError> {
        let mut is_closed = true;
        for at in self.candidates(self.layer.grid().rect()) {
            if !self.contains(at) {
                continue;
            }
            is_closed = false;
            if self.can_be_entered(at, rule) {
                return Ok(());
            }
        }
        if !is_closed {
            return Err(FieldError::Isolated);
        }
        Err(FieldError::Plan(match *self.goal {
            Goal::In(Shape::Point(at)) if !self.field.is_passable(at) => PlanError::GoalBlocked { at },
            Goal::In(Shape::Point(at)) => PlanError::GoalNoStop { at },
            _ => PlanError::GoalClosed,
        }))
    }

    /// Whether a step leads into `at` from a cell that is no goal cell. Between open cells steps are legal in both directions.
    fn can_be_entered(&self, at: CellPos, rule: StepRule) -> bool {
        let legal = self.field.legal_steps(at, rule);
        Dir8::ALL.into_iter().any(|dir| legal >> dir.index() & 1 == 1 && !self.contains(at.step(dir)))
    }

    /// The cells whose changes can change the result of [`GoalCells::check`], as one rectangle on the map.
    pub(super) fn watched(&self) -> CellRect {
        let map = self.layer.grid().rect();
        match self.goal.side() {
            Side::Out => map,
            Side::In => {
                let bounds = self.goal.shapes().iter().map(|shape| shape.bounds().intersect(map)).fold(
                    CellRect::default(),
                    |all, bounds| if bounds.is_empty() { all } else { all.union(bounds) },
                );
                // A step starts at a neighbour, and the corner rule reads the cells beside the step. Whether a unit may stop depends on all
                // cells under it, also if it stands on a neighbour that is in the goal.
                let size = self.agent.size;
                bounds.grow(1 + size.reach_north_west(), 1 + size.reach_south_east()).intersect(map)
            }
        }
    }
}
