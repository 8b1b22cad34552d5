//! One agent's ground, as tiles and headings look at it.

use crate::base::{Agent, CellPos, Dir8};
use crate::cost::{CostField, CostLayer, IMPASSABLE, StepRule, with_threat};
use crate::flow::whole::front::NARROWEST;
use crate::query::Threat;

/// What cells cost one agent, and how it may step.
#[derive(Clone, Copy)]
pub(super) struct TileGround<'a> {
    pub(super) field: &'a CostField,
    /// Padded; empty where none counts.
    threat: &'a [u8],
    pub(super) rule: StepRule,
}

impl<'a> TileGround<'a> {
    #[inline]
    pub(super) fn new(layer: &'a CostLayer, agent: Agent, threat: Threat, rule: StepRule) -> Option<Self> {
        let threat = match threat {
            Threat::Ignore => &[][..],
            Threat::Heed => layer.threat().padded(),
        };
        Some(Self { field: layer.field(agent)?, threat, rule })
    }

    /// How wide buckets may be, as a power of two.
    pub(super) fn shift(&self) -> u32 {
        NARROWEST + u32::from(self.field.cheapest()).max(1).ilog2()
    }

    /// What a cell costs; 255 off the map.
    #[inline]
    pub(super) fn cost(&self, at: CellPos) -> u8 {
        if !self.field.grid().contains(at) {
            return IMPASSABLE;
        }
        let place = self.field.padding().pad(at).index();
        with_threat(self.field.padded()[place], self.threat.get(place).copied().unwrap_or(0))
    }

    /// Copies the costs of `width` cells from `at` eastwards, all on the map, into `row`.
    pub(super) fn copy_row(&self, at: CellPos, row: &mut [u8]) {
        let first = self.field.padding().pad(at).index();
        let last = first + row.len();
        row.copy_from_slice(&self.field.padded()[first..last]);
        if let Some(threat) = self.threat.get(first..last) {
            for (cost, &threat) in row.iter_mut().zip(threat) {
                *cost = with_threat(*cost, threat);
            }
        }
    }

    /// Whether a step from a cell on the map is legal.
    pub(super) fn may(&self, at: CellPos, dir: Dir8) -> bool {
        self.field.is_passable(at) && self.legal(at) >> dir.index() & 1 == 1
    }

    /// The legal steps from a cell on the map, bit = direction number.
    #[inline]
    pub(super) fn legal(&self, at: CellPos) -> u8 {
        let (padding, costs) = (self.field.padding(), self.field.padded());
        let (place, stride) = (padding.pad(at).index(), padding.stride() as usize);
        let row = |start: usize| costs.get(start..).and_then(<[u8]>::first_chunk::<3>).copied();
        let open = |cost: u8| usize::from(cost != IMPASSABLE);
        let (Some(north), Some(middle), Some(south)) =
            (row(place - stride - 1), row(place - 1), row(place + stride - 1))
        else {
            return 0;
        };
        let around = open(north[1])
            | open(north[2]) << 1
            | open(middle[2]) << 2
            | open(south[2]) << 3
            | open(south[1]) << 4
            | open(south[0]) << 5
            | open(middle[0]) << 6
            | open(north[0]) << 7;
        self.rule.table()[around]
    }
}
