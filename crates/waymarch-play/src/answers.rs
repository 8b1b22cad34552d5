//! What the simulation does about what pages say.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use waymarch::base::CellPos;
use waymarch::config::Config;
use waymarch::world::{Recording, Replay, ReplayError, Serial};
use waymarch_maps::yaml::{with_setting, write_config};

use crate::game::Game;
use crate::hello::settings_message;
use crate::message::{Ask, Said, Shown, TimeWord};
use crate::outbox::Post;
use crate::overlay::OVERLAYS;
use crate::session::Session;
use crate::showing::Asked;

/// Speeds, in per cent.
const SPEEDS: std::ops::RangeInclusive<u16> = 25..=1600;
/// A game that is played again beside another may have so many ticks.
const MAX_COMPARED: u64 = 1_000_000;

impl Session {
    /// A page says something: it is done and answered, or the page is told what is wrong.
    pub(crate) fn hear(&mut self, from: u64, text: &str) {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        // Whoever waits for an answer gets one, also to what is not understood.
        let id = value.get("id").and_then(Value::as_u64);
        let said: Said = match serde_json::from_value(value) {
            Ok(said) => said,
            Err(error) => {
                self.tell(
                    from,
                    &json!({"is": "error", "id": id, "what": format!("not understood: {error}")}),
                );
                return;
            }
        };
        match self.carry_out(from, said.id, said.ask) {
            Ok(Some(mut answer)) => {
                answer["id"] = json!(said.id);
                self.tell(from, &answer);
            }
            Ok(None) => {}
            Err(what) => self.tell(from, &json!({"is": "error", "id": said.id, "what": what})),
        }
    }

    fn carry_out(&mut self, from: u64, id: Option<u64>, ask: Ask) -> Result<Option<Value>, String> {
        let done = Ok(Some(json!({"is": "done"})));
        match ask {
            Ask::Order(told) => self.edit(|game| game.order(&told))?,
            Ask::Form { units, formation, facing } => {
                let count = self.edit(|game| game.form(&units, &formation, facing))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Ask::Join { units, with } => self.edit(|game| game.join(&units, with))?,
            Ask::Split { units } => {
                let count = self.edit(|game| game.split(&units))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Ask::Engage { units } => self.edit(|game| game.engage(&units))?,
            Ask::Resume { units } => self.edit(|game| game.resume(&units))?,
            Ask::Spawn(asked) => {
                let count = self.edit(|game| game.spawn(&asked))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Ask::Remove { units } => self.edit(|game| game.remove(&units))?,
            Ask::Paint(stroke) => self.edit(|game| game.paint(&stroke))?,
            Ask::Toggle { x, y } => self.edit(|game| game.toggle(CellPos::new(x, y)))?,
            Ask::Load { scenario, map, generate } => {
                let game = match (scenario, map, generate) {
                    (Some(name), None, None) => Game::of_scenario(&name)?,
                    (None, Some(name), None) => Game::of_map_name(&name)?,
                    (None, None, Some(recipe)) => Game::generated(recipe)?,
                    _ => return Err(String::from("one of `scenario`, `map` and `generate` is needed")),
                };
                self.replace(game);
            }
            Ask::Time { set, speed } => self.turn_clock(set, speed)?,
            Ask::Snapshot => {
                let snapshot = self.game.take_snapshot();
                let (tick, hash, bytes) = (snapshot.tick, snapshot.hash.clone(), snapshot.bytes);
                self.tell_all(&json!({"is": "snapshot", "tick": tick, "hash": hash, "bytes": bytes}));
                return Ok(None);
            }
            Ask::Restore => {
                self.game.restore()?;
                self.leapt();
                self.send_map();
                let settings = settings_message(&self.game);
                self.tell_all(&settings);
            }
            Ask::Compare => {
                self.compare(from, id)?;
                return Ok(None);
            }
            Ask::Config { key, value } => {
                let config =
                    with_setting(self.game.config(), &key, &value).map_err(|error| error.to_string())?;
                self.configure(config)?;
            }
            Ask::Reset => self.configure(self.game.first_config().clone())?,
            Ask::Yaml => return Ok(Some(json!({"is": "yaml", "text": write_config(self.game.config())}))),
            Ask::Overlay(shown) => self.show(from, &shown)?,
            Ask::Unit { unit } => {
                self.choose(from, unit);
                return Ok(None);
            }
            Ask::Replay => {
                let recording = self.game.recording();
                let bytes = recording.to_bytes().len();
                return Ok(Some(
                    json!({"is": "replay", "url": "/replay", "bytes": bytes, "ticks": recording.end.0,
                                      "commands": recording.commands.len()}),
                ));
            }
            Ask::Events { on } => {
                if let Some(client) = self.clients.get_mut(&from) {
                    client.wants_events = on;
                }
            }
        }
        done
    }

    /// Goes on with other settings, which all pages are told of.
    fn configure(&mut self, config: Config) -> Result<(), String> {
        self.edit(|game| game.configure(config))?;
        self.send_map();
        let settings = settings_message(&self.game);
        self.tell_all(&settings);
        Ok(())
    }

    /// Does something to the game. What was wrong may have been done in part: a stroke may be several commands.
    fn edit<T>(&mut self, act: impl FnOnce(&mut Game) -> Result<T, String>) -> Result<T, String> {
        let result = act(&mut self.game);
        self.changed();
        result
    }

    fn turn_clock(&mut self, set: Option<TimeWord>, speed: Option<u16>) -> Result<(), String> {
        if let Some(speed) = speed {
            if !SPEEDS.contains(&speed) {
                return Err(format!(
                    "a speed of {speed} %: {}..={} % are possible",
                    SPEEDS.start(),
                    SPEEDS.end()
                ));
            }
            self.speed = speed;
        }
        match set {
            Some(TimeWord::Play) => self.playing = true,
            Some(TimeWord::Pause) => self.playing = false,
            Some(TimeWord::Step) => {
                self.playing = false;
                self.tick();
            }
            None => {}
        }
        self.set_time();
        Ok(())
    }

    fn show(&mut self, from: u64, shown: &Shown) -> Result<(), String> {
        let number = OVERLAYS.iter().position(|overlay| overlay.name == shown.name);
        let number = number.ok_or_else(|| format!("there is no overlay `{}`", shown.name))?;
        let Some(client) = self.clients.get_mut(&from) else { return Ok(()) };
        if shown.on {
            client.overlays.insert(number, Asked::new(shown));
        } else {
            client.overlays.remove(&number);
        }
        Ok(())
    }

    /// Plays the game so far again on a thread of its own, and tells who asked.
    fn compare(&mut self, from: u64, id: Option<u64>) -> Result<(), String> {
        let Some(client) = self.clients.get(&from) else { return Ok(()) };
        let recording = self.game.recording();
        if recording.end.0 > MAX_COMPARED {
            return Err(format!(
                "more than {MAX_COMPARED} ticks to play again: `waymarch replay --verify` can"
            ));
        }
        if self.comparing.swap(true, Ordering::Relaxed) {
            return Err(String::from("a game is being compared already"));
        }
        let (outbox, busy) = (client.outbox.clone(), std::sync::Arc::clone(&self.comparing));
        std::thread::spawn(move || {
            let mut answer = again(&recording);
            answer["id"] = json!(id);
            busy.store(false, Ordering::Relaxed);
            // Who asked may be gone.
            let _ = outbox.send(Post::json(&answer));
        });
        Ok(())
    }
}

/// Plays a game again: the `compared` message.
fn again(recording: &Recording) -> Value {
    let hash = recording.marks.last().map_or(0, |mark| mark.total);
    let answer = |part: Option<&str>, other: u64| {
        json!({"is": "compared", "same": part.is_none(), "tick": recording.end.0, "hash": format!("{hash:016x}"),
               "again": format!("{other:016x}"), "part": part})
    };
    let mut replay = match Replay::new(recording) {
        Ok(replay) => replay,
        Err(_) => return answer(Some("setup"), 0),
    };
    loop {
        match replay.step(&Serial) {
            Ok(true) => {}
            Ok(false) => return answer(None, replay.world().state_hash().total()),
            Err(error) => {
                let part = match &error {
                    ReplayError::Setup(_) => "setup",
                    ReplayError::Refused { .. } => "command",
                    ReplayError::Diverged { part, .. } => part,
                };
                return answer(Some(part), replay.world().state_hash().total());
            }
        }
    }
}
