//! Handles the messages of pages.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use waymarch::base::CellPos;
use waymarch::config::Config;
use waymarch::world::{Recording, Replay, ReplayError, Serial};
use waymarch_maps::yaml::{with_setting, write_config};

use crate::game::Game;
use crate::game_loading::{Asker, GameSource};
use crate::hello_message::settings_message;
use crate::outbox::Outgoing;
use crate::overlay::{OVERLAYS, OverlaySubscription};
use crate::page_message::{NotUnderstood, OverlayRequest, PageMessage, Request, TimeControl};
use crate::session::Session;

/// Speeds, 25 to 1600 per cent of the game's ticks per second.
const SPEEDS: std::ops::RangeInclusive<u16> = 25..=1600;
/// A game is compared with its replay for up to 1,000,000 ticks.
const MAX_COMPARED: u64 = 1_000_000;

impl Session {
    /// Handles one message: carries it out and answers, or answers with what is wrong.
    pub(crate) fn handle_message(&mut self, from: u64, text: &str) {
        let message = match PageMessage::read(text) {
            Ok(message) => message,
            Err(NotUnderstood { id, what }) => {
                self.tell(from, &json!({"is": "error", "id": id, "what": what}));
                return;
            }
        };
        match self.carry_out(from, message.id, message.request) {
            Ok(Some(mut answer)) => {
                answer["id"] = json!(message.id);
                self.tell(from, &answer);
            }
            Ok(None) => {}
            Err(what) => self.tell(from, &json!({"is": "error", "id": message.id, "what": what})),
        }
        let left = self.game.leave_script();
        if left > 0 {
            self.tell_all(&json!({"is": "left-script", "units": left}));
        }
    }

    fn carry_out(&mut self, from: u64, id: Option<u64>, request: Request) -> Result<Option<Value>, String> {
        let done = Ok(Some(json!({"is": "done"})));
        match request {
            Request::Order(told) => self.edit(|game| game.order(&told))?,
            Request::Form { units, formation, facing } => {
                let count = self.edit(|game| game.form(&units, &formation, facing))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Request::Join { units, with } => self.edit(|game| game.join(&units, with))?,
            Request::Split { units } => {
                let count = self.edit(|game| game.split(&units))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Request::Engage { units } => self.edit(|game| game.engage(&units))?,
            Request::Resume { units } => self.edit(|game| game.resume(&units))?,
            Request::Spawn(asked) => {
                let count = self.edit(|game| game.spawn(&asked))?;
                return Ok(Some(json!({"is": "done", "count": count})));
            }
            Request::Remove { units } => self.edit(|game| game.remove(&units))?,
            Request::Paint(stroke) => self.edit(|game| game.paint(&stroke))?,
            Request::Toggle { x, y } => self.edit(|game| game.toggle(CellPos::new(x, y)))?,
            Request::Load { scenario, map, generate } => {
                let source = GameSource::of(scenario, map, generate)?;
                return self.load(Asker { page: from, id }, source);
            }
            Request::Time { set, speed } => self.set_clock(set, speed)?,
            Request::Snapshot => {
                let snapshot = self.game.take_snapshot();
                let (tick, hash, bytes) = (snapshot.tick, snapshot.hash.clone(), snapshot.bytes);
                self.tell_all(&json!({"is": "snapshot", "tick": tick, "hash": hash, "bytes": bytes}));
                return Ok(None);
            }
            Request::Restore => {
                self.game.restore()?;
                self.world_replaced();
                self.send_map();
                let settings = settings_message(&self.game);
                self.tell_all(&settings);
            }
            Request::Compare => {
                self.compare(from, id)?;
                return Ok(None);
            }
            Request::Config { key, value } => {
                let config =
                    with_setting(self.game.config(), &key, &value).map_err(|error| error.to_string())?;
                self.configure(config)?;
            }
            Request::Reset => self.configure(self.game.first_config().clone())?,
            Request::Yaml => {
                return Ok(Some(json!({"is": "yaml", "text": write_config(self.game.config())})));
            }
            Request::Overlay(shown) => self.set_overlay(from, &shown)?,
            Request::Unit { unit } => {
                self.choose_unit(from, unit);
                return Ok(None);
            }
            Request::Replay => {
                let recording = self.game.recording();
                let bytes = recording.to_bytes().len();
                return Ok(Some(
                    json!({"is": "replay", "url": "/replay", "bytes": bytes, "ticks": recording.end.0,
                                      "commands": recording.commands.len()}),
                ));
            }
            Request::Events { on } => {
                if let Some(client) = self.clients.get_mut(&from) {
                    client.wants_events = on;
                }
            }
        }
        done
    }

    /// Continues with other settings and tells all pages.
    fn configure(&mut self, config: Config) -> Result<(), String> {
        self.edit(|game| game.configure(config))?;
        self.send_map();
        let settings = settings_message(&self.game);
        self.tell_all(&settings);
        Ok(())
    }

    /// Runs `act` on the game. It may have done a part before it failed: a stroke may be several commands.
    fn edit<T>(&mut self, act: impl FnOnce(&mut Game) -> Result<T, String>) -> Result<T, String> {
        let result = act(&mut self.game);
        self.changed();
        result
    }

    fn set_clock(&mut self, set: Option<TimeControl>, speed: Option<u16>) -> Result<(), String> {
        if let Some(speed) = speed {
            if !SPEEDS.contains(&speed) {
                return Err(format!(
                    "speed {speed} % is out of range: it must be {}..={} %",
                    SPEEDS.start(),
                    SPEEDS.end()
                ));
            }
            self.speed = speed;
        }
        match set {
            Some(TimeControl::Play) => self.playing = true,
            Some(TimeControl::Pause) => self.playing = false,
            Some(TimeControl::Step) => {
                self.playing = false;
                self.tick();
            }
            None => {}
        }
        self.clock_changed();
        Ok(())
    }

    fn set_overlay(&mut self, from: u64, shown: &OverlayRequest) -> Result<(), String> {
        let number = OVERLAYS.iter().position(|overlay| overlay.name == shown.name);
        let number = number.ok_or_else(|| format!("there is no overlay `{}`", shown.name))?;
        let Some(client) = self.clients.get_mut(&from) else { return Ok(()) };
        if shown.on {
            client.overlays.insert(number, OverlaySubscription::new(shown));
        } else {
            client.overlays.remove(&number);
        }
        Ok(())
    }

    /// Replays the game so far on a new thread and sends the result to the page that asked.
    fn compare(&mut self, from: u64, id: Option<u64>) -> Result<(), String> {
        let Some(client) = self.clients.get(&from) else { return Ok(()) };
        let recording = self.game.recording();
        if recording.end.0 > MAX_COMPARED {
            return Err(format!(
                "the game has more than {MAX_COMPARED} ticks: save the recording and run `waymarch replay --verify`"
            ));
        }
        if self.comparing.swap(true, Ordering::Relaxed) {
            return Err(String::from("another comparison is still running"));
        }
        let (outbox, busy) = (client.outbox.clone(), std::sync::Arc::clone(&self.comparing));
        std::thread::spawn(move || {
            let mut answer = replay_and_compare(&recording);
            answer["id"] = json!(id);
            busy.store(false, Ordering::Relaxed);
            // The page may have disconnected by now.
            let _ = outbox.send(Outgoing::json(&answer));
        });
        Ok(())
    }
}

/// Replays a recording; returns the `compared` message.
fn replay_and_compare(recording: &Recording) -> Value {
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
