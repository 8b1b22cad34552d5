//! The threat of each cell as one observer sees it.

use super::map::ThreatMap;
use super::own_sums::OwnSums;
use crate::base::Threat;

/// The threat of all cells for one choice of [`Threat`]. Reading a cell takes one table lookup; three for an observer with sources of its own.
#[derive(Clone, Copy, Debug)]
pub struct ThreatView<'a> {
    /// The threat of all sources, padded; empty if no source counts.
    values: &'a [u8],
    own: Option<Own<'a>>,
}

/// What an observer subtracts.
#[derive(Clone, Copy, Debug)]
struct Own<'a> {
    all: &'a [u32],
    own: &'a OwnSums,
    max_cost: u32,
}

impl<'a> ThreatView<'a> {
    /// A view without threat.
    pub const NONE: Self = Self { values: &[], own: None };

    /// Whether no source counts in this view.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.values.is_empty()
    }

    /// The threat of the cell with this index in padded order.
    #[inline]
    #[must_use]
    pub fn at(self, place: usize) -> u8 {
        let Some(&value) = self.values.get(place) else { return 0 };
        let Some(Own { all, own, max_cost }) = self.own else { return value };
        match own.at(place) {
            0 => value,
            own => (all[place] - own).min(max_cost) as u8,
        }
    }
}

impl ThreatMap {
    /// The threat as `threat` says.
    #[must_use]
    pub fn view(&self, threat: Threat) -> ThreatView<'_> {
        let values = self.padded();
        let Threat::HeedAs(observer) = threat else {
            return if threat == Threat::Heed { ThreatView { values, own: None } } else { ThreatView::NONE };
        };
        match self.own.of(self.sides.of(observer)) {
            None => ThreatView { values, own: None },
            Some((count, _)) if count == self.counted => ThreatView::NONE,
            Some((_, own)) => {
                let max_cost = u32::from(self.max_cost);
                ThreatView { values, own: Some(Own { all: &self.sums, own, max_cost }) }
            }
        }
    }

    /// Whether two choices have the same view.
    #[must_use]
    pub fn same_view(&self, one: Threat, other: Threat) -> bool {
        let both_empty = || self.view(one).is_empty() && self.view(other).is_empty();
        one == other || both_empty() || self.effective(one) == self.effective(other)
    }

    /// The simplest choice with the same view as `threat`: [`Threat::Ignore`] if no source frightens the observer, [`Threat::Heed`] if all do.
    /// Otherwise it names the observer with the smallest number on the same side. Tables for one choice serve all choices that are the same.
    #[must_use]
    pub fn effective(&self, threat: Threat) -> Threat {
        let Threat::HeedAs(observer) = threat else {
            return if self.is_empty() { Threat::Ignore } else { threat };
        };
        if self.is_empty() {
            return Threat::Ignore;
        }
        match self.own.of(self.sides.of(observer)) {
            None => Threat::Heed,
            Some((count, _)) if count == self.counted => Threat::Ignore,
            Some(_) => Threat::HeedAs(self.sides.first(observer)),
        }
    }
}
