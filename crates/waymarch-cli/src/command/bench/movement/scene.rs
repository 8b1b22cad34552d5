//! A scene: its name, its seed, and how to start its game.

use super::game::Game;
use super::gap_flow::Gap;
use super::sets::Set;
use crate::diagnostics::Failure;

/// Starts the game of a scene.
type Start = Box<dyn Fn() -> Result<Box<dyn Game>, Failure>>;

/// A scene that can be played.
pub(super) struct Scene {
    pub(super) set: Set,
    pub(super) name: String,
    pub(super) seed: u32,
    start: Start,
    /// The gap whose flow is measured.
    pub(super) gap: Option<Gap>,
    /// The same scene with one side only, for the flow ratio.
    pub(super) one_way: Option<Box<Scene>>,
}

impl Scene {
    pub(super) fn new<G: Game + 'static>(
        set: Set,
        name: impl Into<String>,
        seed: u32,
        start: impl Fn() -> Result<G, Failure> + 'static,
    ) -> Self {
        let start: Start = Box::new(move || start().map(|game| Box::new(game) as Box<dyn Game>));
        Self { set, name: name.into(), seed, start, gap: None, one_way: None }
    }

    /// Measures the flow through `gap`, beside that of `one_way`.
    pub(super) fn with_gap(self, gap: Gap, one_way: Option<Scene>) -> Self {
        Self { gap: Some(gap), one_way: one_way.map(Box::new), ..self }
    }

    /// The game before its first tick.
    pub(super) fn start(&self) -> Result<Box<dyn Game>, Failure> {
        (self.start)()
    }
}
