//! Worlds: orders, groups, movement, events, snapshots, recordings, determinism.

mod flow_joining;
mod recorded_ends;
mod saved_random;
mod saved_routes;
mod saved_threat;
mod saved_units;
mod squads;
mod twins;
mod world_behaviour;
mod world_bridges;
mod world_cohesion;
mod world_configure;
mod world_corners;
mod world_goals;
mod world_groups;
mod world_inspect;
mod world_meeting;
mod world_movement;
mod world_narrow;
mod world_orders;
mod world_proofs;
mod world_random;
mod world_regroup;
mod world_snapshots;
mod world_state;
mod world_stations;
