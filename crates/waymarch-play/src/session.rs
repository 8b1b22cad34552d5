//! The game, the pages that watch it, and the clock: which tick is due, and what each page is sent when.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::Client;
use crate::event_message::event_json;
use crate::frame::{self, Heading};
use crate::game::Game;
use crate::game_loading::GameLoader;
use crate::hello_message::hello;
use crate::outbox::{Outbox, Outgoing};
use crate::overlay_scheduler::OverlayScheduler;
use crate::tick_times::{PhaseTimer, TickTimes};
use crate::{unit_details, upload};

/// A game starts at 100 per cent of its ticks per second.
const FULL_SPEED: u16 = 100;
/// Frames are at least 16 ms apart: about 60 per second.
const FRAME_INTERVAL: Duration = Duration::from_millis(16);
/// After 30 ms of ticks the session handles messages again, even if more ticks are due.
const TICK_BURST: Duration = Duration::from_millis(30);
/// A paused session looks for work every 50 ms.
const PAUSED_INTERVAL: Duration = Duration::from_millis(50);
/// While the game runs, the state hash is computed at most every 200 ms: it costs about as much as a tick.
const HASH_INTERVAL: Duration = Duration::from_millis(200);
/// A page gets the details of its unit at most every 200 ms.
const DETAILS_INTERVAL: Duration = Duration::from_millis(200);
/// An `events` message has at most 100 events; the others are only counted.
const MAX_EVENTS: usize = 100;

/// A state hash, its tick, and when it was computed.
#[derive(Clone, Copy)]
struct TakenHash {
    total: u64,
    tick: u64,
    at: Instant,
}

/// World: the game, its pages and the clock.
pub(crate) struct Session {
    pub(crate) game: Game,
    pub(crate) clients: BTreeMap<u64, Client>,
    pub(crate) playing: bool,
    /// In per cent of the `ticks_per_second` of the game.
    pub(crate) speed: u16,
    /// The endings of map files that pages may upload, with their dots.
    pub(crate) uploads: &'static [&'static str],
    /// Set while a thread replays the game to compare it. Only one comparison runs at a time.
    pub(crate) comparing: Arc<AtomicBool>,
    pub(crate) loader: GameLoader,
    /// The clock does not run before the first page has connected.
    has_begun: bool,
    frames: watch::Sender<Bytes>,
    times: TickTimes,
    hash: Option<TakenHash>,
    /// The next frame does not continue the last one.
    jump: bool,
    /// Counts changes: every tick, command and setting increments it.
    epoch: u64,
    /// The epoch of the last frame that was sent.
    sent_epoch: u64,
    last_frame: Instant,
    next_tick: Instant,
    overlays: OverlayScheduler,
    /// Events since the last `events` message, and how many more there were.
    events: Vec<Value>,
    more_events: u64,
}

impl Session {
    pub(crate) fn new(game: Game, frames: watch::Sender<Bytes>, loader: GameLoader) -> Self {
        let now = Instant::now();
        Self {
            game,
            clients: BTreeMap::new(),
            playing: true,
            speed: FULL_SPEED,
            uploads: upload::formats(None),
            comparing: Arc::new(AtomicBool::new(false)),
            loader,
            has_begun: false,
            frames,
            times: TickTimes::default(),
            hash: None,
            jump: true,
            epoch: 1,
            sent_epoch: 0,
            last_frame: a_frame_before(now),
            next_tick: now,
            overlays: OverlayScheduler::new(now),
            events: Vec::new(),
            more_events: 0,
        }
    }

    /// How long until a tick or a frame is due.
    pub(crate) fn idle_time(&self) -> Duration {
        let now = Instant::now();
        let until = |when: Instant| when.saturating_duration_since(now);
        let tick = if self.clock_runs() { until(self.next_tick) } else { PAUSED_INTERVAL };
        let frame =
            if self.epoch == self.sent_epoch { tick } else { until(self.last_frame + FRAME_INTERVAL) };
        tick.min(frame)
    }

    /// Whether ticks are due: a page has connected, and the game is not paused.
    fn clock_runs(&self) -> bool {
        self.playing && self.has_begun
    }

    /// A page has connected: it is sent the `hello` and `time` messages and the map. The first page starts the clock.
    pub(crate) fn join(&mut self, id: u64, outbox: Outbox) {
        self.clients.insert(id, Client::new(outbox));
        self.introduce(Some(id));
        if !self.has_begun {
            (self.has_begun, self.next_tick) = (true, Instant::now());
        }
        self.epoch += 1;
    }

    /// A page has disconnected.
    pub(crate) fn leave(&mut self, id: u64) {
        self.clients.remove(&id);
    }

    pub(crate) fn drop_lost_clients(&mut self) {
        self.clients.retain(|_, client| !client.lost);
    }

    /// Sends a message to one page.
    pub(crate) fn tell(&mut self, id: u64, message: &Value) {
        self.send(id, Outgoing::json(message));
    }

    fn send(&mut self, id: u64, message: Outgoing) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.send(message);
        }
    }

    /// Sends a message to all pages.
    pub(crate) fn tell_all(&mut self, message: &Value) {
        self.send_all(&Outgoing::json(message));
    }

    fn send_all(&mut self, message: &Outgoing) {
        self.clients.values_mut().for_each(|client| client.send(message.clone()));
    }

    /// Sends `hello`, `time` and the map to one page, or to all.
    fn introduce(&mut self, to: Option<u64>) {
        let mut hello = hello(&self.game);
        hello["uploads"] = json!(self.uploads);
        let messages = [
            Outgoing::json(&hello),
            Outgoing::json(&self.time()),
            Outgoing::Binary(Bytes::from(self.game.map_planes.whole())),
        ];
        for message in messages {
            match to {
                Some(id) => self.send(id, message),
                None => self.send_all(&message),
            }
        }
    }

    /// The `time` message.
    pub(crate) fn time(&self) -> Value {
        let snapshot = self.game.snapshot.as_ref().map(|snapshot| snapshot.tick);
        json!({"is": "time", "playing": self.playing, "speed": self.speed, "tick": self.game.world().now().0,
               "snapshot": snapshot})
    }

    /// Plays another game from now on, at full speed, and tells all pages.
    pub(crate) fn replace(&mut self, game: Game) {
        self.game = game;
        (self.playing, self.speed) = (true, FULL_SPEED);
        self.times = TickTimes::default();
        // A frame of the old game that was not sent yet must not follow the new `hello`; the first frame of the new game is due.
        self.frames.send_replace(Bytes::new());
        self.last_frame = a_frame_before(Instant::now());
        self.overlays.forget_world();
        self.clients.values_mut().for_each(Client::forget_units);
        self.world_replaced();
        self.introduce(None);
    }

    /// The world does not continue the one of the last frame: its hash and waiting events are dropped.
    pub(crate) fn world_replaced(&mut self) {
        (self.hash, self.jump, self.next_tick) = (None, true, Instant::now());
        (self.events, self.more_events) = (Vec::new(), 0);
        self.epoch += 1;
    }

    /// Sends the whole map to all pages.
    pub(crate) fn send_map(&mut self) {
        self.send_all(&Outgoing::Binary(Bytes::from(self.game.map_planes.whole())));
    }

    /// A command changed the world between two ticks.
    pub(crate) fn changed(&mut self) {
        self.hash = None;
        self.epoch += 1;
    }

    /// The clock was started or stopped, or its speed was changed: all pages are told.
    pub(crate) fn clock_changed(&mut self) {
        self.next_tick = Instant::now();
        self.epoch += 1;
        let time = self.time();
        self.tell_all(&time);
    }

    /// The time between two ticks at the present speed.
    fn tick_interval(&self) -> Duration {
        let per_second = u64::from(self.game.config().ticks_per_second.max(1));
        Duration::from_micros(100_000_000 / (per_second * u64::from(self.speed.max(1))))
    }

    /// Runs the ticks that are due. A game that is too slow for its speed does not catch up later.
    pub(crate) fn run_due_ticks(&mut self) {
        let begun = Instant::now();
        let between = self.tick_interval();
        while self.clock_runs() && Instant::now() >= self.next_tick && begun.elapsed() < TICK_BURST {
            self.tick();
            self.next_tick += between;
        }
        let now = Instant::now();
        if now > self.next_tick + TICK_BURST {
            self.next_tick = now;
        }
    }

    pub(crate) fn tick(&mut self) {
        let (begun, mut timer) = (Instant::now(), PhaseTimer::begin());
        self.game.tick(|phase| timer.done(phase));
        self.times.ticked(begun.elapsed(), &timer);
        for event in self.game.world().events() {
            if self.events.len() < MAX_EVENTS {
                self.events.push(event_json(event));
            } else {
                self.more_events += 1;
            }
        }
        self.epoch += 1;
    }

    /// Sends what has changed: map areas, a frame, events, details and one overlay. Does nothing within 16 ms of the last frame.
    pub(crate) fn publish(&mut self) {
        let now = Instant::now();
        if now < self.last_frame + FRAME_INTERVAL {
            return;
        }
        if self.epoch != self.sent_epoch {
            for area in self.game.changed_areas() {
                self.send_all(&Outgoing::Binary(Bytes::from(area)));
            }
            self.send_frame(now);
            self.send_events();
            (self.sent_epoch, self.last_frame) = (self.epoch, now);
        }
        self.send_details(now);
        self.overlays.draw_next(&self.game, &mut self.clients, self.epoch, now);
    }

    fn send_frame(&mut self, now: Instant) {
        let world = self.game.world();
        let tick = world.now().0;
        let is_stale = |hash: &TakenHash| {
            hash.tick > tick
                || now.duration_since(hash.at) >= HASH_INTERVAL
                || (!self.playing && hash.tick != tick)
        };
        let hash = match self.hash.filter(|hash| !is_stale(hash)) {
            Some(hash) => hash,
            None => {
                let hash = TakenHash { total: world.state_hash().total(), tick, at: now };
                self.times.hash = now.elapsed();
                hash
            }
        };
        self.hash = Some(hash);
        let paused = if self.playing { 0 } else { frame::PAUSED };
        let jump = if self.jump { frame::JUMP } else { 0 };
        self.jump = false;
        let heading = Heading {
            flags: paused | jump,
            hash: hash.total,
            age: u16::try_from(tick.saturating_sub(hash.tick)).unwrap_or(u16::MAX),
            times: self.times.numbers(),
            speed: self.speed,
        };
        let (begun, mut bytes) = (Instant::now(), Vec::new());
        frame::write(world, &heading, &mut bytes);
        self.times.frame = begun.elapsed();
        self.frames.send_replace(Bytes::from(bytes));
    }

    /// Sends the events since the last message. A page that has not read everything yet misses them.
    fn send_events(&mut self) {
        if self.events.is_empty() {
            return;
        }
        let message = json!({"is": "events", "tick": self.game.world().now().0, "list": self.events,
                             "more": self.more_events});
        (self.events, self.more_events) = (Vec::new(), 0);
        let message = Outgoing::json(&message);
        for client in
            self.clients.values_mut().filter(|client| client.wants_events && client.outbox.is_empty())
        {
            client.send(message.clone());
        }
    }

    fn send_details(&mut self, now: Instant) {
        let (game, epoch) = (&self.game, self.epoch);
        for client in self.clients.values_mut() {
            let Some(index) = client.unit else { continue };
            let is_known = client
                .details_sent
                .is_some_and(|(sent, when)| sent == epoch || now.duration_since(when) < DETAILS_INTERVAL);
            if is_known || !client.outbox.is_empty() {
                continue;
            }
            client.details_sent = Some((epoch, now));
            client.send(Outgoing::json(&unit_details::unit(game, index)));
        }
    }

    /// Sets the unit whose details a page shows. They are sent at once.
    pub(crate) fn choose_unit(&mut self, id: u64, unit: Option<u32>) {
        if let Some(client) = self.clients.get_mut(&id) {
            (client.unit, client.details_sent) = (unit, None);
        }
    }
}

/// The time at which the last frame was sent if the next one is due at `now`.
fn a_frame_before(now: Instant) -> Instant {
    now.checked_sub(FRAME_INTERVAL).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use waymarch::config::Config;
    use waymarch_maps::scenario::builtin_scenario;

    use super::*;

    fn session(name: &str) -> Session {
        let (frames, _) = watch::channel(Bytes::new());
        Session::new(Game::of_scenario(name).unwrap(), frames, GameLoader::default())
    }

    #[test]
    fn the_clock_does_not_run_before_the_first_page_connects() {
        let mut session = session("door");
        session.next_tick = Instant::now().checked_sub(Duration::from_millis(20)).unwrap();
        session.run_due_ticks();
        assert_eq!(session.game.world().now().0, 0, "no page has connected");
        session.join(1, crate::outbox::outbox().0);
        session.run_due_ticks();
        assert_eq!(session.game.world().now().0, 1);
        // The game goes on without pages: a page that is reloaded finds it where it would be.
        session.leave(1);
        session.next_tick = Instant::now();
        session.run_due_ticks();
        assert_eq!(session.game.world().now().0, 2);
    }

    #[test]
    fn a_loaded_game_runs_at_full_speed_with_no_times_of_the_last_one() {
        let mut session = session("door");
        session.join(1, crate::outbox::outbox().0);
        session.tick();
        session.publish();
        assert!(!session.frames.borrow().is_empty() && session.times.tick > Duration::ZERO);
        (session.playing, session.speed) = (false, 1600);
        session.replace(Game::of_scenario("corner").unwrap());
        assert_eq!((session.playing, session.speed), (true, FULL_SPEED));
        assert_eq!(session.times.numbers(), TickTimes::default().numbers());
        assert!(session.frames.borrow().is_empty(), "a frame of the last game is not sent any more");
        session.publish();
        assert!(!session.frames.borrow().is_empty(), "the first frame of the new game is sent at once");
    }

    #[test]
    fn a_game_runs_at_the_tick_rate_of_its_settings() {
        for (rate, speed, micros) in
            [(20, 100, 50_000), (20, 1600, 3_125), (40, 100, 25_000), (10, 50, 200_000)]
        {
            let mut scenario = builtin_scenario("door").unwrap();
            scenario.setup.config = Config::at(rate);
            let (frames, _) = watch::channel(Bytes::new());
            let mut session =
                Session::new(Game::begin(scenario, None).unwrap(), frames, GameLoader::default());
            session.speed = speed;
            assert_eq!(
                session.tick_interval(),
                Duration::from_micros(micros),
                "{rate} ticks per second, {speed} %"
            );
        }
    }
}
