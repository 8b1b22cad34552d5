//! The letters of MovingAI maps as terrains with costs.

use waymarch::cost::{
    IMPASSABLE, LocomotorDef, Rules, Surface, SurfaceMask, TerrainDef, TerrainId, TerrainModifier,
};

/// The terrains in the order of their ids, with their letters; the first letter is used for writing.
pub(super) const TERRAINS: [(&str, &str); 6] =
    [("Ground", "."), ("Grass", "G"), ("OutOfBounds", "@O"), ("Tree", "T"), ("Swamp", "S"), ("Water", "W")];

/// The terrain of a letter.
pub(super) fn terrain_of(letter: u8) -> Option<TerrainId> {
    let at = TERRAINS.iter().position(|(_, letters)| letters.as_bytes().contains(&letter))?;
    u8::try_from(at).ok().map(TerrainId)
}

/// The benchmark's uniform rules: every passable cell costs 1.
///
/// `foot` crosses ground, grass and swamp; `float` only water; `amphibious` all four; `fly` everything.
#[must_use]
pub fn rules() -> Rules {
    const X: u8 = IMPASSABLE;
    let costs = [[1, X, 1, 1], [1, X, 1, 1], [X, X, X, 1], [X, X, X, 1], [1, X, 1, 1], [X, 1, 1, 1]];
    with_costs(1, costs)
}

/// The weighted variant: ground 1, swamp 1.5, water 2.5 (as 2, 3 and 5 with a normal cost of 2); trees and `@` are closed.
///
/// Here `foot` can wade through water; `float` and `amphibious` pay the normal cost there.
#[must_use]
pub fn weighted_rules() -> Rules {
    const X: u8 = IMPASSABLE;
    let costs = [[2, X, 2, 2], [2, X, 2, 2], [X, X, X, 2], [X, X, X, 2], [3, X, 3, 2], [5, 2, 2, 2]];
    with_costs(2, costs)
}

/// Costs by terrain, for foot, float, amphibious and fly.
fn with_costs(normal: u8, costs: [[u8; 4]; 6]) -> Rules {
    let land = SurfaceMask::GROUND;
    let terrains = TERRAINS.iter().map(|&(name, _)| match name {
        "Water" => TerrainDef::new(name, Surface::Water),
        "Tree" | "OutOfBounds" => {
            TerrainDef::new(name, Surface::Ground).modified(TerrainModifier::Impassable)
        }
        _ => TerrainDef::new(name, Surface::Ground),
    });
    Rules {
        normal,
        terrains: terrains.collect(),
        locomotors: vec![
            LocomotorDef::new("foot", land),
            LocomotorDef::new("float", SurfaceMask::WATER),
            LocomotorDef::new("amphibious", land | SurfaceMask::WATER),
            LocomotorDef::new("fly", SurfaceMask::AIR),
        ],
        costs: costs.iter().map(|row| row.iter().copied().map(Some).collect()).collect(),
        speeds: Vec::new(),
    }
}
