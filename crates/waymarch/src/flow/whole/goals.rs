//! Which cells of a goal a field starts from, and whether anything can lead into them.

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

    /// Every cell within `area` that can be one of them, some perhaps several times.
    pub(super) fn candidates(&self, area: CellRect) -> impl Iterator<Item = CellPos> {
        let (inside, anywhere) = match self.goal.side() {
            Side::In => (self.goal.shapes(), CellRect::default()),
            Side::Out => (&[][..], area),
        };
        let of_shape = move |shape: &Shape| shape.bounds().intersect(area).cells();
        inside.iter().flat_map(of_shape).chain(anywhere.cells())
    }

    /// Tells of every one of them, and of some cells that are none; what is told last of a cell is right.
    ///
    /// Shapes to be left are gone through one by one, so that many of them do not cost each cell a look at all.
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

    /// Whether there is any such cell, and a step into one of them from outside the goal.
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

    /// Whether a step leads from a cell that is none of them into `at`: between open cells steps are legal both ways.
    fn can_be_entered(&self, at: CellPos, rule: StepRule) -> bool {
        let mut around = 0;
        for dir in Dir8::ALL {
            around |= usize::from(self.field.is_passable(at.step(dir))) << dir.index();
        }
        let legal = rule.table()[around];
        Dir8::ALL.into_iter().any(|dir| legal >> dir.index() & 1 == 1 && !self.contains(at.step(dir)))
    }

    /// The cells whose changes can change what [`GoalCells::check`] says, as one rectangle of cells on the map.
    pub(super) fn watched(&self) -> CellRect {
        let map = self.layer.grid().rect();
        match self.goal.side() {
            Side::Out => map,
            Side::In => {
                let bounds = self.goal.shapes().iter().map(|shape| shape.bounds().intersect(map)).fold(
                    CellRect::default(),
                    |all, bounds| if bounds.is_empty() { all } else { all.union(bounds) },
                );
                // A step's beginning and the cells beside it are neighbours; a stop feels all cells under the unit, and a
                // neighbour may be part of the goal and feel those under it.
                let size = self.agent.size;
                bounds.grow(1 + size.reach_north_west(), 1 + size.reach_south_east()).intersect(map)
            }
        }
    }
}
