//! Twins of a World: one that is loaded from its save, and one that is restored from it. They go on like the original.

use waymarch::base::{Agent, GridSize, SizeClass, Vec2};
use waymarch::config::Config;
use waymarch::cost::{LocomotorDef, Map, Rules, SurfaceMask, TerrainId};
use waymarch::world::{Navigator, UnitArea, UnitFilter, UnitId, UnitType, UnitTypeId, World};

/// The terrain of the standard rules that is closed to all.
pub(crate) const WALL: TerrainId = TerrainId(6);

/// A World on flat ground.
pub(crate) fn field(width: u32, height: u32, rules: Rules, config: Config) -> World {
    let map = Map::flat("field", GridSize::new(width, height).expect("legal"), rules);
    World::new(Navigator::new(map, config).expect("legal"))
}

/// The standard rules, and a locomotor `air`.
pub(crate) fn rules_with_air() -> Rules {
    let mut rules = Rules::standard();
    rules.locomotors.push(LocomotorDef::new("air", SurfaceMask::AIR));
    rules
}

/// The units with a body in the whole map.
pub(crate) fn units_in_all(world: &World, filter: UnitFilter) -> Vec<UnitId> {
    let to = Vec2::from_cells(4096, 4096);
    let mut found = Vec::new();
    world.units_in(UnitArea::Rect { from: Vec2::ZERO, to }, filter, &mut found).expect("legal");
    found
}

/// Adds infantry of a size.
pub(crate) fn soldier(world: &mut World, size: SizeClass) -> UnitTypeId {
    let locomotor = world.nav().locomotor("foot").expect("in the rules");
    world.add_type(UnitType::new("soldier", Agent { locomotor, size })).expect("legal")
}

/// The names of the parts whose hashes differ.
fn differences(a: &World, b: &World) -> Vec<&'static str> {
    let (a, b) = (a.state_hash(), b.state_hash());
    a.parts().iter().zip(b.parts()).filter(|(a, b)| a.1 != b.1).map(|(a, _)| a.0).collect()
}

/// Loads a World's own save and restores it into a World that is `ahead` ticks further. All three go on alike for `ticks` ticks.
pub(crate) fn goes_on_alike(mut world: World, ahead: u32, ticks: u32) {
    let saved = world.save();
    let mut loaded = World::load(&saved).expect("its own save");
    let mut restored = world.clone();
    (0..ahead).for_each(|_| restored.tick());
    restored.restore(&saved).expect("its own save");
    for tick in 0..=ticks {
        assert_eq!(differences(&world, &loaded), [""; 0], "loaded, {tick} ticks later");
        assert_eq!(differences(&world, &restored), [""; 0], "restored, {tick} ticks later");
        for other in [&mut loaded, &mut restored] {
            assert!(tick == 0 || world.events() == other.events(), "{tick} ticks later");
            other.tick();
        }
        world.tick();
    }
    assert_eq!(world.save(), loaded.save());
    assert_eq!(world.save(), restored.save());
}
