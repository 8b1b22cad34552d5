//! One peer of a lockstep game.

use std::collections::VecDeque;
use std::net::SocketAddr;

use waymarch::base::{ByteReader, ByteWriter, FrameKind, LoadError, Persist};

use super::{LockstepError, Message, Settings};
use crate::battle::Battle;
use crate::hashes::HashLog;
use crate::input::Input;
use crate::link::{Link, LinkTotals};
use crate::snapshot::{self, Incoming};

/// The bytes that a joining peer gets: from which tick each seat takes part, and the battle.
const SNAPSHOT: FrameKind = FrameKind::new(*b"NGls", 1);
/// A joining peer has 40 ticks (2 seconds) to load and catch up. Then the others wait for its inputs.
const JOIN_TICKS: u64 = 40;
/// Unacknowledged inputs are repeated after 4 steps without a new one.
const RESEND_STEPS: u64 = 4;
/// A datagram carries up to 64 inputs.
const MAX_INPUTS: usize = 64;
/// A datagram carries the last 4 hash reports: a second, at 20 ticks per second and a report every 5 ticks.
const REPORTS: usize = 4;
/// A peer that is behind runs up to 4 ticks in a step.
const CATCH_UP: u32 = 4;
/// An empty seat takes part from tick `u64::MAX` on: never.
const NEVER: u64 = u64::MAX;
/// The peer of seat 0 admits others.
const HOST: u8 = 0;

/// What a peer has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PeerTotals {
    /// Inputs sent again, because no acknowledgement had arrived.
    pub resent: u64,
    /// Steps without a tick, because inputs were missing.
    pub waited: u64,
    /// Hash reports of other peers that were compared.
    pub compared: u64,
}

/// What a peer knows about a seat.
struct Seat {
    /// The seat's inputs count from this tick on. Before it, the seat is idle.
    from: u64,
    /// Inputs that have arrived and are not used yet. The last is for tick `received - 1`.
    inputs: VecDeque<Input>,
    /// All inputs for ticks below this one have arrived.
    received: u64,
    /// The seat has our inputs for all ticks below this one.
    acked: u64,
    /// We have sent our inputs for all ticks below this one at least once.
    sent: u64,
    /// The step of the last datagram to this seat.
    sent_at: u64,
    /// An acknowledgement is due.
    owes_ack: bool,
}

impl Seat {
    /// A seat that takes part from a tick on, and needs our inputs from `ours` on.
    fn new(from: u64, ours: u64) -> Self {
        let (inputs, sent_at) = (VecDeque::new(), 0);
        Self { from, inputs, received: from, acked: ours, sent: ours, sent_at, owes_ack: false }
    }
}

/// How a peer begins.
pub(super) struct Entry {
    pub(super) seat: u8,
    /// The number of seats that take part from the beginning, counted from seat 0.
    pub(super) present: u8,
    /// The battle, if the seat is one of them.
    pub(super) battle: Option<Battle>,
    pub(super) link: Link,
    /// The addresses of all peers, by seat.
    pub(super) addresses: Vec<SocketAddr>,
}

/// A peer: a battle, a link, and what the others have sent.
pub struct Peer {
    settings: Settings,
    seat: u8,
    link: Link,
    addresses: Vec<SocketAddr>,
    /// `None` until the snapshot has arrived.
    battle: Option<Battle>,
    seats: Vec<Seat>,
    /// Our own inputs from tick `own_first` on: those that a peer may still need.
    own: VecDeque<Input>,
    own_first: u64,
    hashes: HashLog,
    /// The host's snapshot for a joining peer, and the seat that may ask for it.
    offered: Option<(u8, Vec<u8>)>,
    /// A seat that the host admits by its next input.
    admits: Option<u8>,
    joining: Option<Incoming>,
    step: u64,
    totals: PeerTotals,
}

impl Peer {
    /// A peer of a game that begins.
    pub(super) fn new(settings: Settings, entry: Entry) -> Self {
        let Entry { seat, present, battle, link, addresses } = entry;
        let from = |other| if other < present { settings.delay } else { NEVER };
        Self {
            settings,
            seat,
            link,
            addresses,
            battle,
            seats: (0..settings.players).map(|other| Seat::new(from(other), settings.delay)).collect(),
            own: VecDeque::new(),
            own_first: settings.delay,
            hashes: HashLog::default(),
            offered: None,
            admits: None,
            joining: None,
            step: 0,
            totals: PeerTotals::default(),
        }
    }

    /// The battle; `None` before the peer has joined.
    #[must_use]
    pub const fn battle(&self) -> Option<&Battle> {
        self.battle.as_ref()
    }

    /// The battle, to change it behind the game's back: for tests that need a desync.
    pub const fn battle_mut(&mut self) -> Option<&mut Battle> {
        self.battle.as_mut()
    }

    /// The number of ticks so far; 0 before the peer has joined.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.battle.as_ref().map_or(0, Battle::tick)
    }

    /// What the peer has done so far.
    #[must_use]
    pub const fn totals(&self) -> PeerTotals {
        PeerTotals { compared: self.hashes.compared(), ..self.totals }
    }

    /// What the peer's link has done so far.
    #[must_use]
    pub const fn link_totals(&self) -> LinkTotals {
        self.link.totals()
    }

    /// From now on the peer asks the host for its seat.
    pub fn join(&mut self) {
        self.joining = self.battle.is_none().then(Incoming::default);
    }

    /// Whether the peer plays or wants to.
    #[must_use]
    pub const fn takes_part(&self) -> bool {
        self.battle.is_some() || self.joining.is_some()
    }

    /// One step: receives, runs the ticks that can run below `limit`, and sends.
    ///
    /// # Errors
    /// [`LockstepError`] for a desync, a failed socket or a bad snapshot.
    pub fn step(&mut self, limit: u64) -> Result<(), LockstepError> {
        self.step += 1;
        self.link.step()?;
        for (from, bytes) in self.link.receive()? {
            let seat = self.addresses.iter().position(|&address| address == from);
            if let (Some(seat), Some(message)) = (seat, Message::from_bytes(&bytes)) {
                self.handle(seat as u8, message)?;
            }
        }
        if self.battle.is_none() {
            return self.ask_for_seat();
        }
        let behind =
            self.others().filter(|seat| seat.from <= self.tick()).map(|seat| seat.inputs.len()).min();
        let is_behind = behind.is_some_and(|waiting| waiting as u64 > 2 * self.settings.delay);
        let mut ran = 0;
        while ran < if is_behind { CATCH_UP } else { 1 } && self.tick() < limit && self.run_tick() {
            ran += 1;
        }
        self.totals.waited += u64::from(ran == 0 && self.tick() < limit);
        if let Some(desync) = self.hashes.check(self.seat, self.tick()) {
            return Err(desync.into());
        }
        self.send_inputs()
    }

    fn others(&self) -> impl Iterator<Item = &Seat> {
        let own = usize::from(self.seat);
        self.seats.iter().enumerate().filter(move |(seat, _)| *seat != own).map(|(_, seat)| seat)
    }

    fn handle(&mut self, from: u8, message: Message) -> Result<(), LockstepError> {
        match message {
            Message::Inputs { ack, first, inputs, reports } => {
                let (next, playing) = (self.next_own(), self.battle.is_some());
                let seat = &mut self.seats[usize::from(from)];
                // A peer that has no battle yet acknowledges nothing: its inputs begin with the snapshot.
                if !playing || seat.from == NEVER {
                    return Ok(());
                }
                seat.acked = seat.acked.max(ack.min(next));
                seat.owes_ack |= !inputs.is_empty();
                for (tick, input) in (first..).zip(inputs) {
                    if tick == seat.received {
                        seat.inputs.push_back(input);
                        seat.received += 1;
                    }
                }
                reports.into_iter().for_each(|report| self.hashes.receive(from, report));
                self.forget_own();
            }
            Message::Join => {
                let is_empty = self.seats[usize::from(from)].from == NEVER;
                if self.seat == HOST && is_empty && self.admits.is_none() {
                    self.admits = Some(from);
                }
            }
            Message::Want(numbers) => {
                let Some((_, bytes)) = self.offered.as_ref().filter(|(seat, _)| *seat == from) else {
                    return Ok(());
                };
                for piece in numbers.into_iter().filter_map(|number| snapshot::piece(bytes, number)) {
                    let message = Message::Piece(piece).to_bytes();
                    self.link.send(&message, self.addresses[usize::from(from)])?;
                }
            }
            Message::Piece(piece) => {
                let Some(joining) = self.joining.as_mut().filter(|_| from == HOST) else { return Ok(()) };
                joining.take(piece);
                if let Some(bytes) = joining.complete() {
                    self.take_seat(&bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Asks the host for the seat, and for missing pieces of the snapshot.
    fn ask_for_seat(&mut self) -> Result<(), LockstepError> {
        let host = self.addresses[usize::from(HOST)];
        let Some(joining) = self.joining.as_mut() else { return Ok(()) };
        let asked = joining.ask();
        if !asked.is_empty() {
            self.link.send(&Message::Join.to_bytes(), host)?;
            self.link.send(&Message::Want(asked).to_bytes(), host)?;
        }
        Ok(())
    }

    /// Runs one tick if all inputs for it are there.
    fn run_tick(&mut self) -> bool {
        let Some(battle) = self.battle.as_mut() else { return false };
        let tick = battle.tick();
        // Our own input for the tick `delay` ahead.
        let next = self.own_first + self.own.len() as u64;
        for tick in next..=tick + self.settings.delay {
            let admitted = self.admits.take_if(|seat| self.seats[usize::from(*seat)].from == NEVER);
            let input = match admitted {
                Some(seat) => Input::Admit { seat },
                None => Input::scripted(self.settings.seed, self.seat, tick),
            };
            self.own.push_back(input);
            let seat = &mut self.seats[usize::from(self.seat)];
            seat.inputs.push_back(input);
            seat.received = tick + 1;
        }
        if self.seats.iter().any(|seat| seat.from <= tick && seat.inputs.is_empty()) {
            return false;
        }
        let take = |seat: &mut Seat| {
            if seat.from <= tick { seat.inputs.pop_front().unwrap_or_default() } else { Input::Idle }
        };
        let inputs: Vec<Input> = self.seats.iter_mut().map(take).collect();
        battle.advance(&inputs);
        if battle.tick().is_multiple_of(self.settings.hash_every) {
            self.hashes.note(battle.tick(), &battle.hash());
        }
        // Only the host admits.
        if let Input::Admit { seat } = inputs[usize::from(HOST)] {
            self.admit(seat);
        }
        self.forget_own();
        true
    }

    /// Opens a seat. All peers do this after the same tick.
    fn admit(&mut self, joined: u8) {
        let now = self.tick();
        let Some(seat) = self.seats.get_mut(usize::from(joined)).filter(|seat| seat.from == NEVER) else {
            return;
        };
        *seat = Seat::new(now + JOIN_TICKS, now);
        if self.seat == HOST
            && let Some(battle) = &self.battle
        {
            let mut writer = ByteWriter::new();
            SNAPSHOT.write(&mut writer, |writer| {
                self.seats.iter().for_each(|seat| seat.from.save(writer));
                battle.save_into(writer);
            });
            self.offered = Some((joined, writer.into_bytes()));
        }
    }

    /// Loads the host's snapshot and begins to play.
    fn take_seat(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let mut reader = ByteReader::new(bytes);
        let mut inside = SNAPSHOT.open(&mut reader)?;
        reader.finish()?;
        let from =
            (0..self.settings.players).map(|_| u64::load(&mut inside)).collect::<Result<Vec<u64>, _>>()?;
        let rest = inside.left();
        let battle = Battle::load(inside.raw(rest)?)?;
        let now = battle.tick();
        let ours = from[usize::from(self.seat)];
        // Inputs that count already are needed from this tick on.
        self.seats = from
            .iter()
            .map(|&from| Seat::new(if from == NEVER { NEVER } else { from.max(now) }, ours))
            .collect();
        self.own_first = ours;
        self.battle = Some(battle);
        self.joining = None;
        Ok(())
    }

    /// The tick of the next own input.
    fn next_own(&self) -> u64 {
        self.own_first + self.own.len() as u64
    }

    /// Forgets own inputs that no peer needs: all seats have them, and their tick has passed.
    ///
    /// Inputs of ticks to come are kept, because a seat that joins needs all inputs from its first tick on.
    fn forget_own(&mut self) {
        let acked = self.others().filter(|seat| seat.from != NEVER).map(|seat| seat.acked).min();
        let needed = acked.unwrap_or(NEVER).min(self.tick());
        while self.own_first < needed && self.own.pop_front().is_some() {
            self.own_first += 1;
        }
    }

    /// Sends every other seat the inputs that it lacks, if there are new ones, an acknowledgement is due or it is time to repeat them.
    fn send_inputs(&mut self) -> Result<(), LockstepError> {
        let (next, reports) = (self.next_own(), self.hashes.latest(REPORTS));
        for (number, address) in self.addresses.iter().enumerate() {
            let seat = &mut self.seats[number];
            if number == usize::from(self.seat) || seat.from == NEVER {
                continue;
            }
            let is_late = seat.acked < next && self.step - seat.sent_at >= RESEND_STEPS;
            if seat.sent >= next && !seat.owes_ack && !is_late {
                continue;
            }
            let first = seat.acked.max(self.own_first);
            let from = usize::try_from(first - self.own_first).unwrap_or(usize::MAX);
            let inputs: Vec<Input> = self.own.iter().skip(from).take(MAX_INPUTS).copied().collect();
            let end = first + inputs.len() as u64;
            self.totals.resent += seat.sent.min(end).saturating_sub(first);
            (seat.sent, seat.sent_at, seat.owes_ack) = (seat.sent.max(end), self.step, false);
            let message = Message::Inputs { ack: seat.received, first, inputs, reports: reports.clone() };
            self.link.send(&message.to_bytes(), *address)?;
        }
        Ok(())
    }
}
