//! Where units start, and the random cells of scattering units and stamps.

use waymarch::base::{Agent, Angle, CellPos, CellRect, Fixed, Purpose, Rng, Tick};
use waymarch::cost::CostLayer;

use super::types::Placement;

/// The purpose of the random numbers for scattering units and placing stamps.
const ACTION_RNG: Purpose = Purpose(0x5CE2_0001);

/// The random numbers of one action at one tick.
pub(super) fn action_rng(seed: u64, now: Tick, action: usize) -> Rng {
    Rng::keyed(seed, now, action as u64, ACTION_RNG)
}

/// A random cell of `area`, which must not be empty.
pub(super) fn random_cell(rng: &mut Rng, area: CellRect) -> CellPos {
    let side = |low: i32, high: i32| high.abs_diff(low).max(1);
    let (dx, dy) = (rng.below(side(area.x0, area.x1)), rng.below(side(area.y0, area.y1)));
    CellPos::new(area.x0, area.y0).offset(dx as i32, dy as i32)
}

/// The cell on the opposite side of `centre`, clamped to the map.
pub(super) fn opposite(at: CellPos, centre: CellPos, layer: &CostLayer) -> CellPos {
    let (width, height) = (layer.grid().width() as i32, layer.grid().height() as i32);
    let across = |at: i32, centre: i32| centre.saturating_mul(2).saturating_sub(at);
    CellPos::new(across(at.x, centre.x).clamp(0, width - 1), across(at.y, centre.y).clamp(0, height - 1))
}

impl Placement {
    /// The number of units.
    #[must_use]
    pub fn count(&self) -> u32 {
        match self {
            Self::Cells(cells) => cells.len() as u32,
            Self::Rect(_, count) | Self::Ring { count, .. } => *count,
        }
    }

    /// The cells on which units of `agent` start. They are fewer than [`Self::count`] if there is not enough room.
    pub(super) fn cells(&self, layer: &CostLayer, agent: Agent) -> Vec<CellPos> {
        let is_open = |at: &CellPos| layer.field(agent).is_some_and(|field| field.is_passable(*at));
        match self {
            Self::Cells(cells) => cells.clone(),
            Self::Rect(area, count) => {
                // A unit that is wider than a cell takes a square of cells.
                let side = i32::from(agent.size.side());
                let on_grid = |at: &CellPos| (at.x - area.x0) % side == 0 && (at.y - area.y0) % side == 0;
                let cells = area.intersect(layer.grid().rect()).cells();
                cells.filter(on_grid).filter(is_open).take(*count as usize).collect()
            }
            Self::Ring { centre, radius, count } => {
                let place = |number: u32| {
                    let angle = Angle((u64::from(number) * 65_536 / u64::from((*count).max(1))) as u16);
                    let reach = |part: Fixed| (radius.saturating_mul(part) + Fixed::HALF).floor_cells();
                    centre.offset(reach(angle.cos()), reach(angle.sin()))
                };
                (0..*count).map(place).filter(is_open).collect()
            }
        }
    }
}
