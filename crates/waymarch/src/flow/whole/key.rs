//! The key of a field: its agent, whether threat counts, and its goal.

use core::cmp::Ordering;

use crate::base::Agent;
use crate::cost::StepRule;
use crate::query::{Goal, Shape, Threat};

/// The agent, threat setting and goal of a field. Two fields with equal keys on one layer are equal.
///
/// Ordered by agent, threat and goal, so that every choice among fields is the same on every machine. Keys with the same shapes in another order are
/// different keys for the same field; [`FieldKey::normal`] makes them equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FieldKey {
    /// The locomotor and size of the units.
    pub agent: Agent,
    /// Whether threat adds to the costs.
    pub threat: Threat,
    /// The goal. Of several shapes the nearest counts.
    pub goal: Goal,
}

impl FieldKey {
    /// Leads `agent` into `goal`, ignoring threat.
    #[must_use]
    pub fn new(agent: impl Into<Agent>, goal: impl Into<Goal>) -> Self {
        Self { agent: agent.into(), threat: Threat::Ignore, goal: goal.into() }
    }

    /// The same key, with threat counted or ignored.
    #[must_use]
    pub fn with_threat(mut self, threat: Threat) -> Self {
        self.threat = threat;
        self
    }

    /// The normal form of the key, which caches use: each shape once, sorted, and a single shape not in a list.
    ///
    /// ```
    /// use waymarch::base::{cell, LocomotorId};
    /// use waymarch::flow::whole::FieldKey;
    /// use waymarch::query::{Goal, Shape};
    ///
    /// let [a, b] = [cell(3, 4), cell(50, 4)].map(Shape::Point);
    /// let key = |shapes| FieldKey::new(LocomotorId(0), Goal::AnyOf(shapes));
    /// assert_eq!(key(vec![b, a, b]).normal(), key(vec![a, b]));
    /// assert_eq!(key(vec![a, a]).normal(), FieldKey::new(LocomotorId(0), cell(3, 4)));
    /// ```
    #[must_use]
    pub fn normal(mut self) -> Self {
        if let Goal::AnyOf(shapes) | Goal::OutOfAll(shapes) = &mut self.goal {
            shapes.sort_unstable_by_key(numbers);
            shapes.dedup();
        }
        match &self.goal {
            Goal::AnyOf(shapes) if shapes.len() == 1 => self.goal = Goal::In(shapes[0]),
            Goal::OutOfAll(shapes) if shapes.len() == 1 => self.goal = Goal::OutOf(shapes[0]),
            _ => {}
        }
        self
    }

    /// Whether the key is in normal form. Compares each shape with the next.
    #[must_use]
    pub fn is_normal(&self) -> bool {
        match &self.goal {
            Goal::In(_) | Goal::OutOf(_) => true,
            Goal::AnyOf(shapes) | Goal::OutOfAll(shapes) => {
                shapes.len() != 1 && shapes.is_sorted_by(|a, b| numbers(a) < numbers(b))
            }
        }
    }

    /// Agent, threat and kind of goal as numbers.
    fn agent_and_kind(&self) -> (u8, u8, Threat, u8) {
        let goal = match self.goal {
            Goal::In(_) => 0,
            Goal::AnyOf(_) => 1,
            Goal::OutOf(_) => 2,
            Goal::OutOfAll(_) => 3,
        };
        (self.agent.locomotor.0, self.agent.size.side(), self.threat, goal)
    }
}

/// A shape as numbers.
fn numbers(shape: &Shape) -> (u8, [i32; 4]) {
    match *shape {
        Shape::Point(at) => (0, [at.x, at.y, 0, 0]),
        Shape::Circle { centre, radius } => (1, [centre.x, centre.y, radius.raw(), 0]),
        Shape::Ring { centre, inner, outer } => (2, [centre.x, centre.y, inner.raw(), outer.raw()]),
        Shape::Rect(rect) => (3, [rect.x0, rect.y0, rect.x1, rect.y1]),
    }
}

impl Ord for FieldKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let shapes = |key: &Self| key.goal.shapes().len();
        let ours = self.goal.shapes().iter().map(numbers);
        let theirs = other.goal.shapes().iter().map(numbers);
        (self.agent_and_kind(), shapes(self))
            .cmp(&(other.agent_and_kind(), shapes(other)))
            .then_with(|| ours.cmp(theirs))
    }
}

impl PartialOrd for FieldKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What a field leads to, and by which steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) key: FieldKey,
    pub(super) rule: StepRule,
}
