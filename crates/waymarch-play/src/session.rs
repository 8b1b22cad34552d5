//! The simulation's thread: ticks at the speed asked for, answers pages, publishes frames. It waits for no page.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};
use waymarch::cost::Map;
use waymarch::world::{Event, EventKind, RouteChange};

use crate::frame::{self, Heading};
use crate::game::Game;
use crate::hello::hello;
use crate::outbox::{Outbox, Post};
use crate::showing::Asked;
use crate::survey::Surveyor;
use crate::timing::{Timed, Times};

/// Ticks a second at a speed of 100 %.
const TICKS_PER_SECOND: u64 = 20;
/// Frames are at least so far apart.
const FRAME: Duration = Duration::from_millis(16);
/// Without pauses for messages, ticks go on for so long at most.
const BURST: Duration = Duration::from_millis(30);
/// The hash is taken so often while the game runs.
const HASH: Duration = Duration::from_millis(200);
/// One page gets details of its unit so often.
const DETAILS: Duration = Duration::from_millis(200);
/// At most so many events in a message.
const MAX_EVENTS: usize = 100;

/// What reaches the simulation from outside.
pub(crate) enum Input {
    /// A page has come.
    Join(u64, Outbox),
    /// A page has gone.
    Leave(u64),
    /// A page says something.
    Say(u64, String),
    /// Somebody brings a map.
    Map(Box<Map>, oneshot::Sender<Result<(), String>>),
    /// Somebody wants the game so far, as a file.
    Recording(oneshot::Sender<Vec<u8>>),
}

/// A page, as the simulation knows it.
pub(crate) struct Client {
    pub(crate) outbox: Outbox,
    pub(crate) overlays: BTreeMap<usize, Asked>,
    pub(crate) unit: Option<u32>,
    pub(crate) wants_events: bool,
    told: Option<(u64, Instant)>,
    /// It did not keep up: it is let go of, and comes again by itself.
    pub(crate) lost: bool,
}

/// The game, those who watch it, and the clock.
pub(crate) struct Session {
    pub(crate) game: Game,
    pub(crate) clients: BTreeMap<u64, Client>,
    pub(crate) playing: bool,
    /// Per cent.
    pub(crate) speed: u16,
    /// Whether somebody compares: one at a time.
    pub(crate) comparing: Arc<AtomicBool>,
    frames: watch::Sender<Bytes>,
    times: Times,
    /// The last hash, its tick, and when it was taken.
    hash: Option<(u64, u64, Instant)>,
    jump: bool,
    /// Greater after every change.
    pub(crate) epoch: u64,
    shown: u64,
    drawn: Instant,
    next_tick: Instant,
    pub(crate) next_overlay: Instant,
    pub(crate) surveyor: Surveyor,
    events: Vec<Value>,
    more_events: u64,
}

impl Session {
    pub(crate) fn new(game: Game, frames: watch::Sender<Bytes>) -> Self {
        let now = Instant::now();
        Self {
            game,
            clients: BTreeMap::new(),
            playing: true,
            speed: 100,
            comparing: Arc::new(AtomicBool::new(false)),
            frames,
            times: Times::default(),
            hash: None,
            jump: true,
            epoch: 1,
            shown: 0,
            drawn: now.checked_sub(FRAME).unwrap_or(now),
            next_tick: now,
            next_overlay: now,
            surveyor: Surveyor::default(),
            events: Vec::new(),
            more_events: 0,
        }
    }

    /// Plays until nobody can say anything any more.
    pub(crate) fn run(mut self, inputs: &Receiver<Input>) {
        loop {
            match inputs.recv_timeout(self.patience()) {
                Ok(input) => {
                    self.take(input);
                    inputs.try_iter().take(64).for_each(|input| self.take(input));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.play();
            self.publish();
            self.clients.retain(|_, client| !client.lost);
        }
    }

    /// How long nothing is to be done.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let until = |when: Instant| when.saturating_duration_since(now);
        let tick = if self.playing { until(self.next_tick) } else { Duration::from_millis(50) };
        let frame = if self.epoch == self.shown { tick } else { until(self.drawn + FRAME) };
        tick.min(frame)
    }

    pub(crate) fn take(&mut self, input: Input) {
        match input {
            Input::Join(id, outbox) => {
                let client = Client {
                    outbox,
                    overlays: BTreeMap::new(),
                    unit: None,
                    wants_events: true,
                    told: None,
                    lost: false,
                };
                self.clients.insert(id, client);
                self.introduce(Some(id));
                self.epoch += 1;
            }
            Input::Leave(id) => _ = self.clients.remove(&id),
            Input::Say(id, text) => self.hear(id, &text),
            Input::Map(map, answer) => {
                let done = Game::of_map(*map).map(|game| self.replace(game));
                // Who asked may be gone.
                let _ = answer.send(done);
            }
            Input::Recording(answer) => _ = answer.send(self.game.recording().to_bytes()),
        }
    }

    /// Sends a message to a page.
    pub(crate) fn tell(&mut self, id: u64, message: &Value) {
        self.post(id, Post::json(message));
    }

    fn post(&mut self, id: u64, post: Post) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.lost |= client.outbox.send(post).is_err();
        }
    }

    /// Sends a message to all pages.
    pub(crate) fn tell_all(&mut self, message: &Value) {
        self.post_all(&Post::json(message));
    }

    fn post_all(&mut self, post: &Post) {
        for client in self.clients.values_mut() {
            client.lost |= client.outbox.send(post.clone()).is_err();
        }
    }

    /// Says to one page, or to all, what there is.
    fn introduce(&mut self, to: Option<u64>) {
        let posts = [
            Post::json(&hello(&self.game)),
            Post::json(&self.time()),
            Post::Binary(Bytes::from(self.game.chart.whole())),
        ];
        for post in posts {
            match to {
                Some(id) => self.post(id, post),
                None => self.post_all(&post),
            }
        }
    }

    /// The `time` message.
    pub(crate) fn time(&self) -> Value {
        let snapshot = self.game.snapshot.as_ref().map(|snapshot| snapshot.tick);
        json!({"is": "time", "playing": self.playing, "speed": self.speed, "tick": self.game.world().now().0,
               "snapshot": snapshot})
    }

    /// Another game is played from now on.
    pub(crate) fn replace(&mut self, game: Game) {
        self.game = game;
        self.surveyor = Surveyor::default();
        for client in self.clients.values_mut() {
            client.unit = None;
            for asked in client.overlays.values_mut() {
                (asked.unit, asked.drawn) = (None, None);
                asked.units.clear();
            }
        }
        self.leapt();
        self.introduce(None);
    }

    /// The world is another than it was: nothing known about it holds.
    pub(crate) fn leapt(&mut self) {
        (self.hash, self.jump, self.next_tick) = (None, true, Instant::now());
        (self.events, self.more_events) = (Vec::new(), 0);
        self.epoch += 1;
    }

    /// The map again, for all.
    pub(crate) fn send_map(&mut self) {
        self.post_all(&Post::Binary(Bytes::from(self.game.chart.whole())));
    }

    /// Something was done to the world.
    pub(crate) fn changed(&mut self) {
        self.hash = None;
        self.epoch += 1;
    }

    /// The clock starts, stops or goes at another speed.
    pub(crate) fn set_time(&mut self) {
        self.next_tick = Instant::now();
        self.epoch += 1;
        let time = self.time();
        self.tell_all(&time);
    }

    /// The ticks that are due. A game that is too slow for its speed goes as fast as it can and owes nothing.
    fn play(&mut self) {
        let begun = Instant::now();
        let between = Duration::from_micros(100_000_000 / (TICKS_PER_SECOND * u64::from(self.speed.max(1))));
        while self.playing && Instant::now() >= self.next_tick && begun.elapsed() < BURST {
            self.tick();
            self.next_tick += between;
        }
        let now = Instant::now();
        if now > self.next_tick + BURST {
            self.next_tick = now;
        }
    }

    pub(crate) fn tick(&mut self) {
        let (begun, mut timed) = (Instant::now(), Timed::begin());
        self.game.tick(|phase| timed.done(phase));
        self.times.ticked(begun.elapsed(), &timed);
        for event in self.game.world().events() {
            if self.events.len() < MAX_EVENTS {
                self.events.push(event_json(event));
            } else {
                self.more_events += 1;
            }
        }
        self.epoch += 1;
    }

    /// Shows the world as it is, unless that was shown already or only just.
    pub(crate) fn publish(&mut self) {
        let now = Instant::now();
        if now < self.drawn + FRAME {
            return;
        }
        if self.epoch != self.shown {
            for area in self.game.changed_areas() {
                self.post_all(&Post::Binary(Bytes::from(area)));
            }
            self.send_frame(now);
            self.send_events();
            (self.shown, self.drawn) = (self.epoch, now);
        }
        self.send_details(now);
        self.send_overlay(now);
    }

    fn send_frame(&mut self, now: Instant) {
        let world = self.game.world();
        let tick = world.now().0;
        let stale = |&(_, at, taken): &(u64, u64, Instant)| {
            at > tick || now.duration_since(taken) >= HASH || (!self.playing && at != tick)
        };
        if self.hash.as_ref().is_none_or(stale) {
            self.hash = Some((world.state_hash().total(), tick, now));
            self.times.hash = now.elapsed();
        }
        let (hash, taken, _) = self.hash.unwrap_or((0, tick, now));
        let paused = if self.playing { 0 } else { frame::PAUSED };
        let jump = if std::mem::take(&mut self.jump) { frame::JUMP } else { 0 };
        let heading = Heading {
            flags: paused | jump,
            hash,
            age: u16::try_from(tick.saturating_sub(taken)).unwrap_or(u16::MAX),
            times: self.times.numbers(),
            speed: self.speed,
        };
        let (begun, mut bytes) = (Instant::now(), Vec::new());
        frame::write(world, &heading, &mut bytes);
        self.times.frame = begun.elapsed();
        self.frames.send_replace(Bytes::from(bytes));
    }

    fn send_events(&mut self) {
        if self.events.is_empty() {
            return;
        }
        let (list, more) = (std::mem::take(&mut self.events), std::mem::take(&mut self.more_events));
        let message = json!({"is": "events", "tick": self.game.world().now().0, "list": list, "more": more});
        let post = Post::json(&message);
        for client in
            self.clients.values_mut().filter(|client| client.wants_events && client.outbox.is_empty())
        {
            client.lost |= client.outbox.send(post.clone()).is_err();
        }
    }

    fn send_details(&mut self, now: Instant) {
        let (game, epoch) = (&self.game, self.epoch);
        for client in self.clients.values_mut() {
            let Some(slot) = client.unit else { continue };
            let known =
                client.told.is_some_and(|(at, when)| at == epoch || now.duration_since(when) < DETAILS);
            if known || !client.outbox.is_empty() {
                continue;
            }
            client.told = Some((epoch, now));
            let message = crate::details::unit(game.world(), slot, game.unit(slot));
            client.lost |= client.outbox.send(Post::json(&message)).is_err();
        }
    }

    /// A page has chosen another unit: it wants to know at once.
    pub(crate) fn choose(&mut self, id: u64, unit: Option<u32>) {
        if let Some(client) = self.clients.get_mut(&id) {
            (client.unit, client.told) = (unit, None);
        }
    }
}

/// An event, for pages.
pub(crate) fn event_json(event: &Event) -> Value {
    let (what, text) = match event.what {
        EventKind::OrderStarted => ("order-started", String::from("begins with its next order")),
        EventKind::RouteChanged(why) => {
            let why = match why {
                RouteChange::Ground => "the ground has changed",
                RouteChange::Stuck => "it was stuck",
                RouteChange::Target => "whom it follows went elsewhere",
                RouteChange::Opened => "a way has opened",
                RouteChange::Crowd => "the gate before it is crowded",
            };
            ("route-changed", format!("another route: {why}"))
        }
        EventKind::Blocked(why) => ("blocked", why.to_string()),
        EventKind::Arrived => ("arrived", String::from("has arrived")),
        EventKind::ReachedStop(stop) => ("reached-stop", format!("has reached stop {stop}")),
        EventKind::GroupBroke => ("group-broke", String::from("leads a group that broke apart")),
        EventKind::GroupTogether => ("group-together", String::from("leads a group that is together again")),
        EventKind::GroupWaits(other) => {
            ("group-waits", format!("leads a group that lets group {} pass", other.index()))
        }
        EventKind::GroupGoesOn => ("group-goes-on", String::from("leads a group that waits no more")),
        EventKind::InPlace => ("in-place", String::from("is in its place")),
        EventKind::Sighted(other) => ("sighted", format!("sees unit {}", other.index())),
        EventKind::GaveUp(why) => ("gave-up", why.to_string()),
    };
    json!({"unit": event.unit.index(), "what": what, "text": text})
}
