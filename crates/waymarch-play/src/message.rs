//! What pages say, as `PROTOCOL.md` (b) has it.

use serde::Deserialize;

/// A message: what is asked for, and a number to repeat in the answer.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Said {
    pub(crate) id: Option<u64>,
    #[serde(flatten)]
    pub(crate) ask: Ask,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Ask {
    Order(Told),
    Form { units: Vec<u32>, formation: String, facing: Option<u16> },
    Join { units: Vec<u32>, with: u32 },
    Split { units: Vec<u32> },
    Engage { units: Vec<u32> },
    Resume { units: Vec<u32> },
    Spawn(Spawned),
    Remove { units: Vec<u32> },
    Paint(Painted),
    Toggle { x: i32, y: i32 },
    Load { scenario: Option<String>, map: Option<String>, generate: Option<Recipe> },
    Time { set: Option<TimeWord>, speed: Option<u16> },
    Snapshot,
    Restore,
    Compare,
    Config { key: String, value: String },
    Reset,
    Yaml,
    Overlay(Shown),
    Unit { unit: Option<u32> },
    Replay,
    Events { on: bool },
}

/// An order for units.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Told {
    pub(crate) units: Vec<u32>,
    pub(crate) order: OrderWord,
    #[serde(default)]
    pub(crate) queue: bool,
    pub(crate) x: Option<i32>,
    pub(crate) y: Option<i32>,
    #[serde(default)]
    pub(crate) stops: Vec<[i32; 2]>,
    pub(crate) target: Option<u32>,
    pub(crate) distance: Option<u16>,
    pub(crate) least: Option<u16>,
    /// How they are to stand there; as the settings say unless given.
    pub(crate) formation: Option<String>,
    /// Which way they are to look there, or to line up; 65,536 to the turn.
    pub(crate) facing: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OrderWord {
    Move,
    Attack,
    Patrol,
    Follow,
    FollowGroup,
    Guard,
    Range,
    Surround,
    Park,
    Dock,
    Scatter,
    Stop,
    Hold,
}

/// New units.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Spawned {
    pub(crate) kind: u16,
    pub(crate) count: u32,
    pub(crate) x: i32,
    pub(crate) y: i32,
    #[serde(default)]
    pub(crate) owner: u8,
}

/// A stroke of a drawing tool.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Painted {
    pub(crate) tool: Tool,
    pub(crate) x: i32,
    pub(crate) y: i32,
    #[serde(default = "one")]
    pub(crate) w: u32,
    #[serde(default = "one")]
    pub(crate) h: u32,
    pub(crate) terrain: Option<u8>,
    pub(crate) stamp: Option<u32>,
    pub(crate) radius: Option<u16>,
    pub(crate) strength: Option<u8>,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tool {
    Wall,
    Terrain,
    Stamp,
    Gate,
    Bridge,
    Threat,
    Erase,
}

/// A map to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Recipe {
    pub(crate) seed: u64,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TimeWord {
    Play,
    Pause,
    Step,
}

/// An overlay that is wanted, or no more.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Shown {
    pub(crate) name: String,
    pub(crate) on: bool,
    #[serde(default)]
    pub(crate) kind: u16,
    pub(crate) unit: Option<u32>,
    /// For those that are about many.
    #[serde(default)]
    pub(crate) units: Vec<u32>,
    pub(crate) area: Option<[i32; 4]>,
}
