//! Cost layers for the tests of sectors and doors, and their costs as plain grids.

use waymarch::base::{Agent, CellPos};
use waymarch::cost::{CostLayer, CostSettings, with_threat};
use waymarch::query::{Observer, Threat};
use waymarch_testkit::grids::Grid;

/// The cost layer of a grid, with sectors of `sector_size` cells.
pub(crate) fn layer(grid: &Grid, sector_size: u32) -> CostLayer {
    let map = grid.to_map("twin").validate().expect("the testkit makes legal maps");
    CostLayer::new(&map, CostSettings { sector_size, ..CostSettings::default() })
}

/// The threat at `at` for an observer, source by source. All changes of sources must have taken effect.
pub(crate) fn threat_for(layer: &CostLayer, observer: Observer, at: CellPos) -> u8 {
    let threat = layer.threat();
    let frightens = |id| threat.owner(id).is_none_or(|owner| threat.side(owner) != threat.side(observer));
    let sources = threat.sources().filter(|&(id, _)| frightens(id));
    let sum: u32 = sources.map(|(_, source)| u32::from(source.strength_at(at))).sum();
    sum.min(u32::from(CostSettings::default().threat_max_cost)) as u8
}

/// The costs of `agent` as a grid for the twin.
pub(crate) fn costs_of(layer: &CostLayer, agent: Agent, threat: Threat) -> Grid {
    let (size, field) = (layer.grid(), layer.field(agent).expect("an agent of the layer"));
    let mut grid = Grid::filled(size.width(), size.height(), 1);
    for (cost, at) in grid.cost.iter_mut().zip(size.rect().cells()) {
        *cost = match threat {
            Threat::Ignore => field.cost(at),
            Threat::Heed => with_threat(field.cost(at), layer.threat().at(at)),
            Threat::HeedAs(observer) => with_threat(field.cost(at), threat_for(layer, observer, at)),
        };
    }
    grid
}
