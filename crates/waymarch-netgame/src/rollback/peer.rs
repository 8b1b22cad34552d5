//! One peer of a game with rollback.

use std::mem;
use std::net::SocketAddr;
use std::time::Duration;

use ggrs::{
    Config, DesyncDetection, GameStateCell, GgrsError, GgrsEvent, GgrsRequest, P2PSession, PlayerType,
    PredictDefault, SessionBuilder, SessionState,
};
use waymarch::World;
use waymarch::base::ByteWriter;

use super::socket::Socket;
use super::{RollbackError, Settings};
use crate::battle::Battle;
use crate::hashes::{Desync, checksum, differing_in_checksum};
use crate::input::Input;
use crate::link::{Link, LinkTotals};

/// A peer that is silent for 120 seconds is given up. The machine may be busy with other tests.
const SILENCE: Duration = Duration::from_secs(120);

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
    /// Checksums given to `ggrs`, which exchanges them.
    pub checksums: u64,
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
    names: Vec<&'static str>,
    corruption: Option<Corruption>,
    /// A desync whose checksum names no part. The next checksum that differs most likely names one.
    unnamed: Option<Desync>,
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
            .with_desync_detection_mode(DesyncDetection::On { interval: settings.hash_every });
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
            names: battle.hash().parts().iter().map(|(name, _)| *name).collect(),
            battle,
            corruption: None,
            unnamed: None,
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
        self.totals
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
        self.is_final |= known >= 0 && self.tick_of(known) >= self.keep && self.tick() > self.keep;
        Ok(self.session.current_frame() > frame)
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
        let is_due = frame.unsigned_abs().is_multiple_of(self.settings.hash_every);
        let sum = is_due.then(|| checksum(&self.battle.hash()));
        self.totals.checksums += u64::from(is_due);
        cell.save(frame, Some(bytes), sum);
    }

    /// Looks for the first desync that `ggrs` has found.
    fn check_events(&mut self) -> Result<(), RollbackError> {
        let mut first: Option<Desync> = None;
        let (begin, noticed_at) = (self.begin, self.battle.tick());
        let seat_of = |address| self.addresses.iter().position(|&other| other == address).unwrap_or(0) as u8;
        for event in self.session.events() {
            match event {
                GgrsEvent::DesyncDetected { frame, local_checksum, remote_checksum, addr } => {
                    let tick = begin + u64::from(frame.unsigned_abs());
                    let parts = differing_in_checksum(&self.names, local_checksum, remote_checksum);
                    let (noticed_by, with) = (self.seat, seat_of(addr));
                    let found = Desync { noticed_by, with, tick, equal_at: None, noticed_at, parts };
                    let list = if found.parts.is_empty() { &mut self.unnamed } else { &mut first };
                    if list.as_ref().is_none_or(|other| tick < other.tick) {
                        *list = Some(found);
                    }
                }
                GgrsEvent::Disconnected { addr } => return Err(RollbackError::Disconnected(seat_of(addr))),
                _ => {}
            }
        }
        // Without a name the desync is reported after two more checksums at the latest.
        let patience = 2 * u64::from(self.settings.hash_every);
        let is_late = |unnamed: &mut Desync| noticed_at >= unnamed.noticed_at + patience;
        first.or_else(|| self.unnamed.take_if(is_late)).map_or(Ok(()), |desync| Err(desync.into()))
    }
}
