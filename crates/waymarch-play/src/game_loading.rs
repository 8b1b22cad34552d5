//! Loads another game on a thread of its own. The present game goes on until the new one is ready.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Weak};

use serde_json::{Value, json};
use waymarch_maps::generate::builtin;
use waymarch_maps::scenario::builtin_scenario;

use crate::game::Game;
use crate::page_message::GenerateRequest;
use crate::session::Session;
use crate::simulation_thread::Input;

/// What a page wants to play.
#[derive(Debug)]
pub(crate) enum GameSource {
    Scenario(String),
    Map(String),
    Generated(GenerateRequest),
}

/// The page that asked for a game, and the number of its message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) page: u64,
    pub(crate) id: Option<u64>,
}

impl GameSource {
    /// The one source of a `load` message.
    pub(crate) fn of(
        scenario: Option<String>,
        map: Option<String>,
        generate: Option<GenerateRequest>,
    ) -> Result<Self, String> {
        match (scenario, map, generate) {
            (Some(name), None, None) => Ok(Self::Scenario(name)),
            (None, Some(name), None) => Ok(Self::Map(name)),
            (None, None, Some(recipe)) => Ok(Self::Generated(recipe)),
            _ => Err(String::from("`load` needs exactly one of `scenario`, `map` and `generate`")),
        }
    }

    /// The number of cells of its map; 0 if there is no such map.
    pub(crate) fn cells(&self) -> u64 {
        let cells = match self {
            Self::Scenario(name) => builtin_scenario(name).map(|scenario| scenario.setup.map.size.cells()),
            Self::Map(name) => builtin(name).map(|map| map.size.cells()),
            Self::Generated(recipe) => Game::generated_size(*recipe).ok().map(|size| size.cells()),
        };
        cells.unwrap_or(0) as u64
    }

    /// Builds the game. *Cost:* seconds for a map of 2048×2048 cells.
    fn build(self) -> Result<Game, String> {
        match self {
            Self::Scenario(name) => Game::of_scenario(&name),
            Self::Map(name) => Game::of_map_name(&name),
            Self::Generated(recipe) => Game::generated(recipe),
        }
    }
}

/// Where loaded games go, and whether one is being loaded.
#[derive(Debug, Default)]
pub(crate) struct GameLoader {
    /// Where the simulation takes its inputs from; dangling if there is no server.
    inputs: Weak<SyncSender<Input>>,
    busy: Arc<AtomicBool>,
}

/// Clears the flag of a loader, also when its thread panics.
struct Busy(Arc<AtomicBool>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl GameLoader {
    pub(crate) fn new(inputs: Weak<SyncSender<Input>>) -> Self {
        Self { inputs, busy: Arc::default() }
    }
}

impl Session {
    /// Begins to load a game. The answer follows when it is ready; without a server it is ready at once.
    pub(crate) fn load(&mut self, asker: Asker, source: GameSource) -> Result<Option<Value>, String> {
        let Some(inputs) = self.loader.inputs.upgrade() else {
            self.replace(source.build()?);
            return Ok(Some(json!({"is": "done"})));
        };
        if self.loader.busy.swap(true, Ordering::Relaxed) {
            return Err(String::from("another game is being loaded: try again when it is ready"));
        }
        let busy = Busy(Arc::clone(&self.loader.busy));
        let load = move || {
            let game = source.build().map(Box::new);
            drop(busy);
            // Sending fails only if the simulation and the server have ended.
            let _ = inputs.send(Input::Loaded(asker, game));
        };
        let thread = std::thread::Builder::new().name(String::from("loading")).spawn(load);
        thread.map(|_| None).map_err(|error| format!("no thread to load the game: {error}"))
    }

    /// A game that was asked for is ready, or cannot be played.
    pub(crate) fn loaded(&mut self, asker: Asker, game: Result<Box<Game>, String>) {
        let answer = match game {
            Ok(game) => {
                self.replace(*game);
                json!({"is": "done", "id": asker.id})
            }
            Err(what) => json!({"is": "error", "id": asker.id, "what": what}),
        };
        self.tell(asker.page, &answer);
    }
}
