//! One peer of a game with rollback.

use std::collections::VecDeque;
use std::mem;
use std::net::SocketAddr;
use std::time::Duration;

use ggrs::{
    Config, DesyncDetection, GameStateCell, GgrsError, GgrsEvent, GgrsRequest, P2PSession, PlayerType,
    PredictDefault, SessionBuilder, SessionState,
};
use waymarch::World;
use waymarch::base::{ByteWriter, StateHash};

use super::socket::Socket;
use super::{RollbackError, Settings};
use crate::battle::Battle;
use crate::hashes::{HashLog, reports_from_bytes, reports_to_bytes};
use crate::input::Input;
use crate::link::{Link, LinkTotals};

/// A peer that is silent for 120 seconds is given up. The machine may be busy with other tests.
const SILENCE: Duration = Duration::from_secs(120);
/// A datagram carries the last 4 hash reports: 0.8 seconds, at 20 ticks per second and a report every 4 ticks.
const REPORTS: usize = 4;

/// The types of a session.
struct Netcode;

impl Config for Netcode {
    type Input = Input;
    /// Inputs are single commands, so a missing input is most likely none.
    type InputPredictor = PredictDefault;
    type State = Vec<u8>;
    type Address = SocketAddr;
}

/// A change that one peer makes to its World and others do not: for tests that need a desync.
///
/// It happens whenever the peer runs the tick, so a rollback does not undo it.
pub struct Corruption {
    /// After this tick.
    pub tick: u64,
    /// The change.
    pub change: fn(&mut World),
}

/// What a peer has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PeerTotals {
    /// How often the battle was rolled back.
    pub rollbacks: u64,
    /// Ticks that ran, the repeated ones included.
    pub ticks: u64,
    /// Times that the battle was saved.
    pub saves: u64,
    /// Times that saving needed memory, because no buffer was large enough.
    pub allocations: u64,
    /// Hash reports of other peers that were compared.
    pub compared: u64,
}

/// A peer: a battle and a session.
pub struct Peer {
    settings: Settings,
    seat: u8,
    session: P2PSession<Netcode>,
    socket: Socket,
    addresses: Vec<SocketAddr>,
    battle: Battle,
    /// The battle's tick in frame 0 of the session.
    begin: u64,
    corruption: Option<Corruption>,
    /// Hashes of ticks whose inputs are not all known yet: a rollback may replace them. Sorted by tick.
    predicted: VecDeque<(u64, StateHash)>,
    hashes: HashLog,
    /// The tick whose battle is kept, its bytes, and whether they are final.
    keep: u64,
    kept: Vec<u8>,
    is_final: bool,
    totals: PeerTotals,
}

impl Peer {
    /// A peer in a seat. `addresses` has all peers, by seat.
    pub(super) fn new(
        settings: Settings,
        seat: u8,
        battle: Battle,
        link: Link,
        addresses: &[SocketAddr],
    ) -> Result<Self, RollbackError> {
        let socket = Socket::new(link);
        let mut builder = SessionBuilder::<Netcode>::new()
            .with_num_players(addresses.len())?
            .with_max_prediction_window(settings.window)
            .with_input_delay(settings.delay as usize)
            .with_fps(battle.ticks_per_second() as usize)?
            .with_disconnect_timeout(SILENCE)
            .with_disconnect_notify_delay(SILENCE)
            // A checksum of `ggrs` has 128 bits, which are too few to name the parts that differ. Peers exchange reports.
            .with_desync_detection_mode(DesyncDetection::Off);
        for (other, &address) in addresses.iter().enumerate() {
            let player =
                if other == usize::from(seat) { PlayerType::Local } else { PlayerType::Remote(address) };
            builder = builder.add_player(player, other)?;
        }
        let session = builder.start_p2p_session(socket.clone())?;
        Ok(Self {
            settings,
            seat,
            session,
            socket,
            addresses: addresses.to_vec(),
            begin: battle.tick(),
            battle,
            corruption: None,
            predicted: VecDeque::new(),
            hashes: HashLog::default(),
            keep: u64::MAX,
            kept: Vec::new(),
            is_final: false,
            totals: PeerTotals::default(),
        })
    }

    /// The number of ticks so far, the predicted ones included.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.battle.tick()
    }

    /// The battle, which may rest on predicted inputs.
    #[must_use]
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// What the peer has done so far.
    #[must_use]
    pub const fn totals(&self) -> PeerTotals {
        PeerTotals { compared: self.hashes.compared(), ..self.totals }
    }

    /// What the peer's link has done so far.
    #[must_use]
    pub fn link_totals(&self) -> LinkTotals {
        self.socket.totals()
    }

    /// From now on the peer changes its World wrongly.
    pub fn corrupt(&mut self, corruption: Corruption) {
        self.corruption = Some(corruption);
    }

    /// Keeps the bytes of the battle at a tick to come.
    pub(super) fn keep(&mut self, tick: u64) {
        (self.keep, self.is_final) = (tick, false);
    }

    /// The bytes of the battle at the tick to keep, once no input can change them.
    pub(super) fn kept(&self) -> Option<&[u8]> {
        self.is_final.then_some(&self.kept)
    }

    /// One step: receives, runs a tick if the others are not too far behind, and sends. Returns whether a tick ran.
    pub(super) fn step(&mut self) -> Result<bool, RollbackError> {
        self.socket.step()?;
        self.session.poll_remote_clients();
        self.check_events()?;
        self.compare()?;
        if self.session.current_state() != SessionState::Running {
            return Ok(false);
        }
        let frame = self.session.current_frame();
        // All inputs up to this frame are known before the call, so the call corrects everything before it.
        let known = self.session.confirmed_frame();
        let input = Input::scripted(self.settings.seed, self.seat, self.tick_of(frame) + self.settings.delay);
        self.session.add_local_input(usize::from(self.seat), input)?;
        match self.session.advance_frame() {
            Ok(requests) => {
                for request in requests {
                    self.fulfil(request)?;
                }
            }
            Err(GgrsError::PredictionThreshold) => {}
            Err(error) => return Err(error.into()),
        }
        self.check_events()?;
        if known >= 0 {
            let known = self.tick_of(known);
            self.is_final |= known >= self.keep && self.tick() > self.keep;
            self.confirm(known);
        }
        let ran = self.session.current_frame() > frame;
        if ran {
            self.report();
        }
        Ok(ran)
    }

    /// The battle's tick in a frame of the session.
    const fn tick_of(&self, frame: i32) -> u64 {
        self.begin + frame.unsigned_abs() as u64
    }

    fn fulfil(&mut self, request: GgrsRequest<Netcode>) -> Result<(), RollbackError> {
        match request {
            GgrsRequest::SaveGameState { cell, frame } => self.save(&cell, frame),
            GgrsRequest::LoadGameState { cell, frame } => {
                let saved = cell.data().ok_or(RollbackError::NotSaved(self.tick_of(frame)))?;
                self.battle.restore(&saved)?;
                self.totals.rollbacks += 1;
            }
            GgrsRequest::AdvanceFrame { inputs } => {
                let inputs: Vec<Input> = inputs.into_iter().map(|(input, _)| input).collect();
                self.battle.advance(&inputs);
                self.totals.ticks += 1;
                if let Some(corruption) =
                    self.corruption.as_ref().filter(|other| other.tick == self.battle.tick())
                {
                    (corruption.change)(self.battle.world_mut());
                }
            }
        }
        Ok(())
    }

    /// Saves the battle into the memory of the state that the cell held before.
    fn save(&mut self, cell: &GameStateCell<Vec<u8>>, frame: i32) {
        let old = cell.data().map(|mut data| mem::take(data.as_mut_dangerous())).unwrap_or_default();
        let capacity = old.capacity();
        let mut writer = ByteWriter::reusing(old);
        self.battle.save_into(&mut writer);
        let bytes = writer.into_bytes();
        self.totals.saves += 1;
        self.totals.allocations += u64::from(bytes.capacity() != capacity);
        if self.battle.tick() == self.keep {
            self.kept.clear();
            self.kept.extend_from_slice(&bytes);
        }
        if self.battle.tick().is_multiple_of(self.settings.hash_every) {
            self.predict(self.battle.hash());
        }
        cell.save(frame, Some(bytes), None);
    }

    /// Notes the hash of a tick that may run again on other inputs.
    fn predict(&mut self, hash: StateHash) {
        let tick = self.battle.tick();
        // A rollback runs all later ticks again.
        self.predicted.retain(|(other, _)| *other < tick);
        self.predicted.push_back((tick, hash));
    }

    /// Takes the hashes of all ticks up to `known` for final: no later input can change them.
    fn confirm(&mut self, known: u64) {
        while self.predicted.front().is_some_and(|(tick, _)| *tick <= known) {
            let Some((tick, hash)) = self.predicted.pop_front() else { break };
            self.hashes.note(tick, &hash);
        }
    }

    /// Sends the last reports to the other peers. They are repeated in every tick, because datagrams get lost.
    fn report(&self) {
        let bytes = reports_to_bytes(&self.hashes.latest(REPORTS));
        let own = usize::from(self.seat);
        let others = self.addresses.iter().enumerate().filter(|(seat, _)| *seat != own);
        others.for_each(|(_, &address)| self.socket.send_report(&bytes, address));
    }

    /// Compares the reports that have arrived.
    fn compare(&mut self) -> Result<(), RollbackError> {
        for (from, bytes) in self.socket.take_reports() {
            let seat = self.addresses.iter().position(|&address| address == from);
            let (Some(seat), Some(reports)) = (seat, reports_from_bytes(&bytes)) else { continue };
            reports.into_iter().for_each(|report| self.hashes.receive(seat as u8, report));
        }
        self.hashes.check(self.seat, self.battle.tick()).map_or(Ok(()), |desync| Err(desync.into()))
    }

    /// Looks for peers that `ggrs` has disconnected.
    fn check_events(&mut self) -> Result<(), RollbackError> {
        let seat_of = |address| self.addresses.iter().position(|&other| other == address).unwrap_or(0) as u8;
        for event in self.session.events() {
            if let GgrsEvent::Disconnected { addr } = event {
                return Err(RollbackError::Disconnected(seat_of(addr)));
            }
        }
        Ok(())
    }
}
