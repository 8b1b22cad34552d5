//! Rules for files that only name their terrains: the standard costs where the name is a standard one.

use waymarch::cost::{IMPASSABLE, MAX_CELL_COST, Rules, Surface, TerrainDef};

/// A terrain as a picture or a tile names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Named<'a> {
    /// Its name, unique among those given.
    pub(crate) name: &'a str,
    /// What it costs everyone (255: impassable); `None` takes the standard cost, or the normal one.
    pub(crate) cost: Option<u8>,
    /// The colour to draw it in.
    pub(crate) colour: Option<[u8; 3]>,
}

/// The standard locomotors with these terrains, numbered in order; `normal` (1..=254) is the cost of ordinary ground.
pub(crate) fn rules_for<'a>(normal: u8, terrains: impl Iterator<Item = Named<'a>>) -> Rules {
    let standard = Rules::spec_000();
    // Standard costs are in units of normal ground.
    let scaled = |cost: u8| match cost {
        IMPASSABLE => IMPASSABLE,
        cost => (u16::from(cost) * u16::from(normal)).min(u16::from(MAX_CELL_COST)) as u8,
    };
    let mut rules =
        Rules { normal, terrains: Vec::new(), costs: Vec::new(), speeds: Vec::new(), ..standard.clone() };
    for Named { name, cost, colour } in terrains {
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
