//! The planners that follow links.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;

/// A planner that follows links. Both find the cheapest route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LevelPlanner {
    /// A\*, which needs no tables.
    Astar,
    /// Weighted jump point search, which needs planes for each agent.
    #[default]
    Jpsw,
}

impl LevelPlanner {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Astar, Self::Jpsw];
}

impl fmt::Display for LevelPlanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Astar => "astar",
            Self::Jpsw => "jpsw",
        })
    }
}

/// The planner does not follow links between levels.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("planner `{0}` does not follow links between levels: use `astar` or `jpsw`")]
pub struct NoLevelPlanner(pub String);

impl FromStr for LevelPlanner {
    type Err = NoLevelPlanner;

    /// The planner of this name. `hybrid` is the default, as on a map of one level.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "astar" => Ok(Self::Astar),
            "jpsw" | "hybrid" => Ok(Self::Jpsw),
            _ => Err(NoLevelPlanner(name.into())),
        }
    }
}
