//! The navigator of a map of several levels: which route leads from a cell of one level to a cell of another?
//!
//! [`LevelNavigator`] answers exact queries and takes edits. A World moves units with a [`Navigator`](crate::nav::Navigator), which has one
//! level, so it cannot be given a map with decks.
//!
//! Owns: the map of levels, the states of its decks and links (World); costs, sectors and planes over the atlas, and which domains links
//! join (Derived); the scratch of searches. Reads: only what it owns. May change: World data by edits; Derived data and Scratch by
//! queries.
//!
//! Rules:
//! - Only planners that follow links are asked: [`LevelPlanner`] has them all. Both find the cheapest route.
//! - Positions in queries, edits and answers are over the base, with a level. Cells of the atlas do not leave this folder.
//! - After an edit, reachability equals that of a new navigator.
//!
//! | file | idea |
//! |---|---|
//! | `navigator` | [`LevelNavigator`] and its queries |
//! | `edits` | what a game can change |
//! | `reach` | which domains links join |
//! | `route`, `smooth` | routes over levels, and smoothed ones |
//! | `planner`, `error` | the planners; why there is no route or no edit |

mod edits;
mod error;
mod navigator;
mod planner;
mod reach;
mod route;
mod smooth;

pub use error::{LevelEditError, LevelNavigatorError, LevelPlanError};
pub use navigator::LevelNavigator;
pub use planner::{LevelPlanner, NoLevelPlanner};
pub use route::{Crossing, LevelRoute};
pub use smooth::LevelPath;
