//! Searches over cells: costs, goals, limits, jump data, pauses, lines of sight, smoothing, and every planner on one corpus.

mod conformance;
mod goal_scenes;
mod goal_twin;
mod ground;
mod jump_graph;
mod jump_store;
mod levels_twin;
mod levels_work;
mod odd_questions;
mod other_maps;
mod pausing;
mod probe;
mod search_twin;
mod sight_twin;
mod smooth_scenes;
mod smooth_twin;
mod weighted_threat;
mod weighted_twin;
