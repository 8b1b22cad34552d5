//! Scenes on which nothing is tuned. They show whether a change that helps in known scenes helps elsewhere too.
//!
//! `draft.rs` builds scenes; `narrow.rs` has doors and corridors; `wide.rs` has open ground, crossings and generated maps.

mod draft;
mod narrow;
#[cfg(test)]
mod tests;
mod wide;

use waymarch_maps::crowd::CrowdScene;

use self::draft::Draft;
use crate::diagnostics::Failure;

/// A function that builds a scene.
type Draw = fn() -> Draft;

/// All scenes. The number at the end of a name is its number of units.
const SCENES: [(&str, Draw); 21] = [
    ("doors_side_by_side_100", narrow::neighbouring_doors),
    ("door5_150", narrow::door5),
    ("doors2x2_120", narrow::two_doors),
    ("bend3_60", narrow::bend),
    ("funnel_100", narrow::funnel),
    ("slalom_60", narrow::slalom),
    ("uturn_60", narrow::u_turn),
    ("spiral_40", narrow::spiral),
    ("twoway_door3_80", narrow::two_way_door),
    ("twoway_corridor2_40", narrow::two_way_corridor),
    ("twoway_corridor20_160", narrow::two_way_street),
    ("crossroads_96", wide::crossroads),
    ("threeway_120", wide::three_ways),
    ("pillars_120", wide::pillars),
    ("mixed_pillar6_70", narrow::mixed_pillar),
    ("generated_coast_120", wide::coast),
    ("generated_inland_120", wide::inland),
    ("twoway_gap1_80", narrow::two_way_gap),
    ("twoway_gap1x12_80", narrow::two_way_long_gap),
    ("yard_40", narrow::yard),
    ("braided_maze_30", narrow::braided_maze),
];

/// The names of all scenes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|&(name, _)| name)
}

/// The scene of this name; `None` if there is none.
pub(super) fn scene(name: &str) -> Option<Result<CrowdScene, Failure>> {
    let (name, draw) = SCENES.iter().find(|(other, _)| *other == name)?;
    Some(draw().scene(name))
}
