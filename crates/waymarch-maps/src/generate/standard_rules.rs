//! The rules named "standard": the terrains of generated maps, and what they cost each locomotor.

use waymarch::cost::{
    CrushMask, IMPASSABLE, LocomotorDef, Mobility, Rules, Surface, SurfaceMask, TerrainDef, TerrainId,
    TerrainModifier,
};

/// The terrains of [`standard_rules`], by number.
pub mod ground {
    use waymarch::cost::TerrainId;

    /// Open grass.
    pub const CLEAR: TerrainId = TerrainId(0);
    /// A paved road.
    pub const ROAD: TerrainId = TerrainId(1);
    /// Stony, uneven ground.
    pub const ROUGH: TerrainId = TerrainId(2);
    /// Trees; closed to wheels.
    pub const FOREST: TerrainId = TerrainId(3);
    /// Sand at the shore.
    pub const BEACH: TerrainId = TerrainId(4);
    /// Bare earth: village yards.
    pub const DIRT: TerrainId = TerrainId(5);
    /// Shallow running water; foot can wade it.
    pub const RIVER: TerrainId = TerrainId(6);
    /// The sea and lakes.
    pub const WATER: TerrainId = TerrainId(7);
    /// A bridge: ground units cross on it, boats below it.
    pub const BRIDGE: TerrainId = TerrainId(8);
    /// A rock face; climbers only.
    pub const CLIFF: TerrainId = TerrainId(9);
    /// Boulders and peaks; flyers only.
    pub const ROCK: TerrainId = TerrainId(10);
    /// Masonry; flyers only.
    pub const WALL: TerrainId = TerrainId(11);
    /// Ruins.
    pub const RUBBLE: TerrainId = TerrainId(12);
    /// A field of ore.
    pub const ORE: TerrainId = TerrainId(13);
}

/// A row of the table: name, surface, and the cost for each locomotor in the order of [`standard_rules`].
type Row = (&'static str, Surface, [u8; 7]);

/// The built-in rules: fourteen terrains and seven locomotors (foot, wheel, track, float, hover, climber, fly). The normal cost is 100.
///
/// Wheels are fastest on roads, tracks crush walls of class 0, hovercraft cross land and water, climbers cross cliffs.
///
/// ```
/// use waymarch_maps::generate::{ground, standard_rules};
/// let rules = standard_rules().validate()?;
/// let wheel = rules.locomotor("wheel").unwrap();
/// assert!(rules.cost(ground::ROAD, wheel) < rules.cost(ground::CLEAR, wheel));
/// # Ok::<(), waymarch::cost::RulesError>(())
/// ```
#[must_use]
pub fn standard_rules() -> Rules {
    use Surface::{Cliff, Ground, Rubble, Water};
    const X: u8 = IMPASSABLE;
    //                                       foot wheel track float hover climber fly
    const TABLE: [Row; 14] = [
        ("Clear", Ground, [100, 100, 100, X, 100, 100, 100]),
        ("Road", Ground, [80, 60, 80, X, 80, 80, 100]),
        ("Rough", Ground, [130, 170, 120, X, 130, 120, 100]),
        ("Forest", Ground, [180, X, 220, X, X, 160, 100]),
        ("Beach", Ground, [115, 150, 120, X, 90, 115, 100]),
        ("Dirt", Ground, [100, 110, 100, X, 100, 100, 100]),
        ("River", Water, [220, X, X, X, 100, 220, 100]),
        ("Water", Water, [X, X, X, 100, 100, X, 100]),
        ("Bridge", Ground, [85, 80, 85, 100, 85, 85, 100]),
        ("Cliff", Cliff, [X, X, X, X, X, 200, 100]),
        ("Rock", Ground, [X, X, X, X, X, X, 100]),
        ("Wall", Ground, [X, X, X, X, X, X, 100]),
        ("Rubble", Rubble, [170, X, 140, X, X, 150, 100]),
        ("Ore", Ground, [110, 120, 110, X, 110, 110, 100]),
    ];
    let land = SurfaceMask::GROUND;
    let rubble = land | SurfaceMask::RUBBLE;
    let climbs = rubble | SurfaceMask::CLIFF;
    let terrains = TABLE.iter().map(|&(name, surface, _)| {
        let closed = matches!(name, "Rock" | "Wall");
        let modifier = if closed { TerrainModifier::Impassable } else { TerrainModifier::Normal };
        TerrainDef::new(name, surface).modified(modifier)
    });
    Rules {
        normal: 100,
        terrains: terrains.collect(),
        locomotors: vec![
            LocomotorDef::new("foot", rubble),
            LocomotorDef::new("wheel", land),
            LocomotorDef { crushes: CrushMask(1), ..LocomotorDef::new("track", rubble) },
            LocomotorDef::new("float", SurfaceMask::WATER),
            LocomotorDef::new("hover", land | SurfaceMask::WATER),
            LocomotorDef { mobility: Mobility::Climber, ..LocomotorDef::new("climber", climbs) },
            LocomotorDef::new("fly", SurfaceMask::AIR),
        ],
        costs: TABLE.iter().map(|(_, _, row)| row.iter().map(|&cost| Some(cost)).collect()).collect(),
        speeds: Vec::new(),
    }
}

/// Marks a start's yard while a map is generated: clear ground that only a road may cover.
pub(super) const YARD: TerrainId = TerrainId(200);

/// Marks the centre of a yard, which stays clear.
pub(super) const YARD_CENTRE: TerrainId = TerrainId(201);
