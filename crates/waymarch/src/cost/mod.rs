//! The cost layer: what does it cost a locomotor and size to stand on a cell?
//!
//! [`CostLayer`] is the entry. A game gives it a checked [`Map`] and then edits it: stamps (buildings, gates, bridges), terrain, heights and
//! threat. All other rooms read their costs from it.
//!
//! The room owns the map, its stamps and threat sources (World), and the cost fields, threat values and change log (Derived). It reads
//! nothing but `base` and changes nothing else. Only the methods in `edit.rs` and loading change its data.
//!
//! Rules:
//! - A cost is 1..=254; 255 is impassable. Costs belong to cells, never to edges, so slopes are compiled per cell.
//! - A unit wider than one cell has a [`CostField`] of its own. In it, a cell has the highest cost of all cells under the unit, and is closed
//!   where the unit does not fit. So searches do not depend on sizes.
//! - An edit recomputes its own area, and the result equals a rebuild ([`CostLayer::rebuilt`]).
//! - There is one rule for a legal step ([`StepRule`]), and one scale: a straight step over a cell of cost 1 is 1024, a diagonal step 1448.
//!
//! | files | idea |
//! |---|---|
//! | `rules/` | terrains and locomotors, and what each terrain costs each locomotor |
//! | `map` | the map as a file describes it; checked once |
//! | `stamps/` | footprints, and the stamps that stand on the map |
//! | `threat/` | threat sources, and the threat of each cell |
//! | `ground` | terrain, heights and stamps together; the cost of one cell |
//! | `fields/` | a cost and a passability bit per cell, for each locomotor and size |
//! | `layer`, `settings`, `edit` | all of it together; everything a game can change |
//! | `ignoring` | costs as if some stamps did not stand, for one query |
//! | `changes`, `sector_grid` | which sectors changed, and for which locomotors |
//! | `state`, `persist` | saving and loading |
//! | `view` | one agent's costs, with or without threat |
//! | `step`, `padding`, `memory` | legal steps; padded arrays; memory reports |

mod changes;
mod edit;
mod fields;
mod ground;
mod ignoring;
mod layer;
mod map;
mod memory;
mod padding;
mod persist;
mod rules;
mod sector_grid;
mod settings;
mod stamps;
mod state;
mod step;
mod threat;
mod view;

pub use crate::base::{StampId, StampTag};
pub use changes::{ChangeLog, ChangeMark, SectorChange};
pub use edit::EditError;
pub use fields::{Clearance, CostField};
pub use layer::CostLayer;
pub use map::{ELEVATION_UNIT, Map, MapError, PlacedStamp, ValidMap};
pub use memory::CostMemory;
pub use padding::{PadId, Padding};
pub use rules::{
    CrushMask, IMPASSABLE, LocomotorDef, MAX_CELL_COST, MAX_LOCOMOTORS, MAX_TERRAIN_SPEED, Mobility,
    NORMAL_SPEED, Rules, RulesError, Surface, SurfaceMask, TerrainDef, TerrainId, TerrainModifier,
    ValidRules,
};
pub use sector_grid::{SectorGrid, SectorId};
pub use settings::CostSettings;
pub use stamps::{FootCell, GateState, MAX_STAMP_SIDE, SideMask, Stamp, StampError, Standing};
pub(crate) use state::CostState;
pub use step::{CornerRule, DIAGONAL, Neighbours, STRAIGHT, StepRule, step_length};
pub use threat::{
    Falloff, MAX_THREAT_RADIUS, MAX_THREAT_SOURCES, ThreatId, ThreatMap, ThreatSource, ThreatTag, ThreatView,
    with_threat,
};
pub(crate) use view::CostView;
