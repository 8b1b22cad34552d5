//! The ground of one unit for straight lines: which lines are clear, and what they cost.

use super::error::SmoothError;
use super::line_of_sight::{Breadth, clear};
use super::segment::{Lines, SIDE, Segment};
use crate::base::{Agent, CellPos, Vec2};
use crate::cost::{CostField, CostLayer, StepRule, ThreatView, with_threat};
use crate::query::Threat;

/// Fraction bits of a [`LineCost`] below a 1024th: 8, so that rounding seldom decides.
pub(super) const FINE: u32 = 8;

/// The cost and the length of a straight line, in 256ths of a 1024th.
///
/// In each cell a line costs its length inside times the cost of the cell. The exact cost is irrational. `low` is never above it, `high`
/// never below, and they differ by less than the cost of the most expensive cell plus two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LineCost {
    pub(super) low: u64,
    pub(super) high: u64,
    /// The length of the line, rounded down.
    pub(super) length: u64,
}

/// The ground of one agent under one rule, with or without threat, as lines of sight and smoothing read it.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    field: &'a CostField,
    /// The threat of each cell, padded like the costs of the field. Empty if threat does not count.
    threat: ThreatView<'a>,
    breadth: Breadth,
    /// The cost of all cells, if they have the same.
    one_cost: Option<u8>,
    cheapest: u8,
}

impl<'a> Sight<'a> {
    /// The ground of `agent`.
    ///
    /// # Errors
    /// [`SmoothError::UnknownAgent`] if there is no cost field for it.
    pub fn new(
        layer: &'a CostLayer,
        agent: Agent,
        threat: Threat,
        rule: StepRule,
    ) -> Result<Self, SmoothError> {
        let field = layer.field(agent).ok_or(SmoothError::UnknownAgent(agent))?;
        let threat = layer.threat().view(threat);
        let (cheapest, dearest) = (field.cheapest(), field.dearest());
        let one_cost = (threat.is_empty() && cheapest == dearest).then_some(cheapest);
        Ok(Self { field, threat, breadth: Breadth::of(rule), one_cost, cheapest })
    }

    /// The cost field.
    #[must_use]
    pub fn field(&self) -> &'a CostField {
        self.field
    }

    /// Whether the unit may move straight from `a` to `b`; see [`line_of_sight`](super::line_of_sight).
    #[must_use]
    pub fn is_clear(&self, a: Vec2, b: Vec2) -> bool {
        clear(self.field, self.breadth, a, b)
    }

    /// Whether all cells cost the same, so that only length matters.
    pub(super) fn is_even(&self) -> bool {
        self.one_cost.is_some()
    }

    /// The cost of a cell on the map, with threat if it counts.
    pub(super) fn cell_cost(&self, at: CellPos) -> u8 {
        self.padded_cost(self.field.padding().pad(at).index())
    }

    /// The least cost of a line of this length.
    pub(super) fn least(&self, length: u64) -> u64 {
        length * u64::from(self.cheapest)
    }

    #[inline]
    fn padded_cost(&self, at: usize) -> u8 {
        let cost = self.field.padded()[at];
        if self.threat.is_empty() { cost } else { with_threat(cost, self.threat.at(at)) }
    }

    /// The cost of a line between two points on the map, the same in both directions. On a border between two cells, the cell with the
    /// higher cost counts.
    pub(super) fn line_cost(&self, a: Vec2, b: Vec2) -> LineCost {
        let segment = Segment::new(a, b, 0);
        // Under 2^47, so the shift loses nothing.
        let square = segment.length_squared() << (2 * FINE);
        let length = square.isqrt();
        let longest = length + u64::from(length * length < square);
        if let Some(cost) = self.one_cost {
            let cost = u64::from(cost);
            return LineCost { low: length * cost, high: longest * cost, length };
        }
        if length == 0 {
            return LineCost::default();
        }
        // At most 254 × 2^46, as a whole number over `whole`.
        let paid = u128::from(self.weigh(&segment));
        let whole = u128::from(segment.along().unsigned_abs()) * segment.scale().unsigned_abs() as u128;
        let low = paid * u128::from(length) / whole;
        let high = (paid * u128::from(longest)).div_ceil(whole);
        LineCost { low: low as u64, high: high as u64, length }
    }

    /// Adds up, over all cells that a segment crosses, the cost of the cell times the extent of the segment in it. The extent is along the
    /// segment's lines. The sum is exact, times [`Segment::scale`].
    fn weigh(&self, segment: &Segment) -> u64 {
        let padding = self.field.padding();
        let (origin, stride) = (padding.pad(CellPos::new(0, 0)).index() as i64, i64::from(padding.stride()));
        let (place_step, line_step) = match segment.lines {
            Lines::Rows => (1, stride),
            Lines::Columns => (stride, 1),
        };
        let side = SIDE * segment.scale();
        let mut paid = 0;
        for span in segment.spans() {
            let line = origin + span.line * line_step;
            for place in span.first..=span.last {
                let within = span.high.min((place + 1) * side) - span.low.max(place * side);
                let at = line + place * place_step;
                let mut cost = self.padded_cost(at as usize);
                if segment.is_on_border() {
                    cost = cost.max(self.padded_cost((at - line_step) as usize));
                }
                paid += within.unsigned_abs() * u64::from(cost);
            }
        }
        paid
    }
}
