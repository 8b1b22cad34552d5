//! The messages that pages send, as in `PROTOCOL.md` (b).

use serde::Deserialize;
use serde_json::Value;

/// A message: the request, and a number that the answer repeats.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct PageMessage {
    pub(crate) id: Option<u64>,
    #[serde(flatten)]
    pub(crate) request: Request,
}

/// A text that is not a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotUnderstood {
    /// The number of the request, if the text has one.
    pub(crate) id: Option<u64>,
    /// What is wrong.
    pub(crate) what: String,
}

impl PageMessage {
    /// Reads a message.
    pub(crate) fn read(text: &str) -> Result<Self, NotUnderstood> {
        let fault = |id, what: &str| NotUnderstood { id, what: format!("message not understood: {what}") };
        let value: Value =
            serde_json::from_str(text).map_err(|error| fault(None, &format!("it is not JSON: {error}")))?;
        if !value.is_object() {
            return Err(fault(None, "it must be a JSON object with the key `do`"));
        }
        // A message that cannot be parsed is answered too if it has an `id`.
        let id = value.get("id").and_then(Value::as_u64);
        serde_json::from_value(value).map_err(|error| fault(id, &without_type_names(&error.to_string())))
    }
}

/// The text of an error with "an object" for the names of our types.
fn without_type_names(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once("struct ") {
        let name = after.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(after.len());
        plain.push_str(before);
        plain.push_str("an object");
        rest = &after[name..];
    }
    plain + rest
}

/// What a page asks for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Request {
    Order(OrderRequest),
    Form { units: Vec<u32>, formation: String, facing: Option<u16> },
    Join { units: Vec<u32>, with: u32 },
    Split { units: Vec<u32> },
    Engage { units: Vec<u32> },
    Resume { units: Vec<u32> },
    Spawn(SpawnRequest),
    Remove { units: Vec<u32> },
    Paint(BrushStroke),
    Toggle { x: i32, y: i32 },
    Load { scenario: Option<String>, map: Option<String>, generate: Option<GenerateRequest> },
    Time { set: Option<TimeControl>, speed: Option<u16> },
    Snapshot,
    Restore,
    Compare,
    Config { key: String, value: String },
    Reset,
    Yaml,
    Overlay(OverlayRequest),
    Unit { unit: Option<u32> },
    Replay,
    Events { on: bool },
}

/// An order to units.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct OrderRequest {
    pub(crate) units: Vec<u32>,
    pub(crate) order: OrderKind,
    #[serde(default)]
    pub(crate) queue: bool,
    pub(crate) x: Option<i32>,
    pub(crate) y: Option<i32>,
    #[serde(default)]
    pub(crate) stops: Vec<[i32; 2]>,
    pub(crate) target: Option<u32>,
    pub(crate) distance: Option<u16>,
    pub(crate) least: Option<u16>,
    /// The formation at the goal; as in the settings if missing.
    pub(crate) formation: Option<String>,
    /// Extra room between members, in 1/1024 of a cell.
    pub(crate) spacing: Option<i32>,
    /// The width of the front, in 1/1024 of a cell.
    pub(crate) width: Option<i32>,
    /// The facing at the goal, or the direction of the queue at a dock; 65,536 is a full turn.
    pub(crate) facing: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OrderKind {
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

/// Units to spawn.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct SpawnRequest {
    pub(crate) kind: u16,
    pub(crate) count: u32,
    pub(crate) x: i32,
    pub(crate) y: i32,
    #[serde(default)]
    pub(crate) owner: u8,
}

/// A stroke of a drawing tool.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct BrushStroke {
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

/// A map to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct GenerateRequest {
    pub(crate) seed: u64,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TimeControl {
    Play,
    Pause,
    Step,
}

/// An overlay to switch on or off.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct OverlayRequest {
    pub(crate) name: String,
    pub(crate) on: bool,
    #[serde(default)]
    pub(crate) kind: u16,
    pub(crate) unit: Option<u32>,
    /// Unit indices, for overlays about several units.
    #[serde(default)]
    pub(crate) units: Vec<u32>,
    pub(crate) area: Option<[i32; 4]>,
}
