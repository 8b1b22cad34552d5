//! An overlay that a page has switched on, and what it was drawn from last.

use std::time::Instant;

use waymarch::base::CellPos;

use super::{DependsOn, depends_on, route_ends};
use crate::game::Game;
use crate::page_message::OverlayRequest;

/// Everything the picture of an overlay depends on. While it stays equal, the overlay need not be drawn again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DrawnFrom {
    ground: [u64; 2],
    ends: Option<(Option<CellPos>, CellPos)>,
    /// 0 for overlays that do not change with every tick.
    epoch: u64,
}

/// World: an overlay that a page has switched on.
#[derive(Clone, Debug)]
pub(crate) struct OverlaySubscription {
    pub(crate) kind: u16,
    pub(crate) unit: Option<u32>,
    /// Unit indices, for overlays about several units.
    pub(crate) units: Vec<u32>,
    pub(crate) area: Option<[i32; 4]>,
    /// What it was drawn from last, and when.
    pub(crate) drawn: Option<(DrawnFrom, Instant)>,
}

impl OverlaySubscription {
    pub(crate) fn new(request: &OverlayRequest) -> Self {
        let OverlayRequest { kind, unit, units, area, .. } = request;
        Self { kind: *kind, unit: *unit, units: units.clone(), area: *area, drawn: None }
    }

    /// Forgets the units and the last picture: another game is played.
    pub(crate) fn forget_units(&mut self) {
        (self.unit, self.drawn) = (None, None);
        self.units.clear();
    }

    /// What the overlay would be drawn from now.
    pub(crate) fn source(&self, game: &Game, number: usize, epoch: u64) -> DrawnFrom {
        let ends = || route_ends(game.world(), self.unit.and_then(|index| game.unit(index)));
        let (ends, epoch) = match depends_on(number) {
            DependsOn::Ground => (None, 0),
            DependsOn::Goal => (ends().map(|(_, to)| (None, to)), 0),
            DependsOn::RouteEnds => (ends().map(|(from, to)| (Some(from), to)), 0),
            DependsOn::World => (None, epoch),
        };
        DrawnFrom { ground: game.ground_version(), ends, epoch }
    }

    /// Whether it was never drawn, or from something else than now.
    pub(crate) fn is_out_of_date(&self, game: &Game, number: usize, epoch: u64) -> bool {
        self.drawn.is_none_or(|(from, _)| from != self.source(game, number, epoch))
    }
}
