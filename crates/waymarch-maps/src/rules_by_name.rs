//! Rules for files that only name their terrains: known names get the standard costs.

use waymarch::cost::{IMPASSABLE, MAX_CELL_COST, Rules, Surface, TerrainDef};

/// A terrain as an image or a tile names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NamedTerrain<'a> {
    /// Its name, unique in the file.
    pub(crate) name: &'a str,
    /// Its cost for all locomotors (255: impassable). With `None` it has the standard cost of its name, or else the normal cost.
    pub(crate) cost: Option<u8>,
    /// Its colour.
    pub(crate) colour: Option<[u8; 3]>,
}

/// The standard locomotors with these terrains, numbered in order. `normal` (1..=254) is the cost of ordinary ground.
pub(crate) fn rules_for<'a>(normal: u8, terrains: impl Iterator<Item = NamedTerrain<'a>>) -> Rules {
    let standard = Rules::standard();
    // Standard costs are multiples of the normal cost.
    let scaled = |cost: u8| match cost {
        IMPASSABLE => IMPASSABLE,
        cost => (u16::from(cost) * u16::from(normal)).min(u16::from(MAX_CELL_COST)) as u8,
    };
    let mut rules =
        Rules { normal, terrains: Vec::new(), costs: Vec::new(), speeds: Vec::new(), ..standard.clone() };
    for NamedTerrain { name, cost, colour } in terrains {
        let known = standard.terrains.iter().position(|def| def.name == name);
        let surface = known.map_or(Surface::Ground, |at| standard.terrains[at].surface);
        let mut def = TerrainDef::new(name, surface);
        def.colour = colour;
        rules.terrains.push(def);
        rules.costs.push(match (cost, known) {
            (Some(cost), _) => vec![Some(cost); rules.locomotors.len()],
            (None, Some(at)) => standard.costs[at].iter().map(|&cost| cost.map(scaled)).collect(),
            (None, None) => Vec::new(),
        });
    }
    rules
}
