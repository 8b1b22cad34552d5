//! A snapshot sent in pieces to a peer that joins late.
//!
//! The joining peer asks for pieces by number, and asks again for pieces that got lost. The sender keeps no state but the snapshot.

use std::io;
use std::net::SocketAddr;

use waymarch::base::{ByteReader, ByteWriter, LoadError, Persist};

use crate::link::Link;

/// A piece has up to 1024 bytes.
const PIECE: usize = 1024;
/// The largest snapshot has 4096 pieces (4 MiB).
const MAX_PIECES: usize = 4096;
/// A peer asks for up to 16 pieces at once.
const ASKED: usize = 16;
/// A peer asks again after 8 steps.
const ASK_STEPS: u32 = 8;

/// A part of a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The number of pieces of the whole snapshot.
    pub count: u16,
    /// Which of them.
    pub number: u16,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Persist for Piece {
    fn save(&self, writer: &mut ByteWriter) {
        self.count.save(writer);
        self.number.save(writer);
        self.bytes.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { count: u16::load(reader)?, number: u16::load(reader)?, bytes: Vec::load(reader)? })
    }
}

/// A piece of a snapshot; `None` if there is no such piece.
#[must_use]
pub fn piece(snapshot: &[u8], number: u16) -> Option<Piece> {
    let count =
        u16::try_from(snapshot.chunks(PIECE).len()).ok().filter(|&count| usize::from(count) <= MAX_PIECES)?;
    let bytes = snapshot.chunks(PIECE).nth(usize::from(number))?.to_vec();
    Some(Piece { count, number, bytes })
}

/// A snapshot of which pieces arrive.
#[derive(Debug, Default)]
pub struct Incoming {
    /// Empty until the first piece has arrived.
    pieces: Vec<Option<Vec<u8>>>,
    waited: u32,
}

impl Incoming {
    /// Stores a piece. A piece of a snapshot with another number of pieces is ignored.
    pub fn take(&mut self, piece: Piece) {
        let count = usize::from(piece.count);
        if self.pieces.is_empty() && (1..=MAX_PIECES).contains(&count) {
            self.pieces.resize(count, None);
        }
        if self.pieces.len() == count
            && let Some(slot) = self.pieces.get_mut(usize::from(piece.number))
        {
            *slot = Some(piece.bytes);
            // All pieces that were asked for may be here: ask for more.
            let missing = self.pieces.iter().take(usize::from(piece.number)).any(Option::is_none);
            if !missing && (usize::from(piece.number) + 1).is_multiple_of(ASKED) {
                self.waited = 0;
            }
        }
    }

    /// The pieces to ask for in this step; empty while answers are expected.
    pub fn ask(&mut self) -> Vec<u16> {
        if self.waited > 0 {
            self.waited -= 1;
            return Vec::new();
        }
        self.waited = ASK_STEPS;
        let missing = (0_u16..).zip(&self.pieces).filter(|(_, piece)| piece.is_none());
        let numbers: Vec<u16> = missing.map(|(number, _)| number).take(ASKED).collect();
        // Piece 0 says how many there are.
        if self.pieces.is_empty() { vec![0] } else { numbers }
    }

    /// The whole snapshot, once all pieces have arrived.
    #[must_use]
    pub fn complete(&self) -> Option<Vec<u8>> {
        if self.pieces.is_empty() {
            return None;
        }
        self.pieces.iter().map(Option::as_deref).collect::<Option<Vec<&[u8]>>>().map(|pieces| pieces.concat())
    }
}

/// Sends a snapshot from one link to another, and returns what has arrived.
///
/// # Errors
/// If a socket fails, or the snapshot has not arrived after 100,000 steps.
pub fn transfer(snapshot: &[u8], from: &mut Link, to: &mut Link) -> io::Result<Vec<u8>> {
    let (host, joiner): (SocketAddr, SocketAddr) = (from.address()?, to.address()?);
    let mut incoming = Incoming::default();
    for _ in 0..100_000 {
        from.step()?;
        to.step()?;
        for (_, bytes) in to.receive()? {
            if let Ok(piece) = Piece::load(&mut ByteReader::new(&bytes)) {
                incoming.take(piece);
            }
        }
        if let Some(complete) = incoming.complete() {
            return Ok(complete);
        }
        let asked = incoming.ask();
        if !asked.is_empty() {
            let mut writer = ByteWriter::new();
            asked.save(&mut writer);
            to.send(writer.bytes(), host)?;
        }
        for (_, bytes) in from.receive()? {
            let asked = Vec::<u16>::load(&mut ByteReader::new(&bytes)).unwrap_or_default();
            for piece in asked.into_iter().filter_map(|number| piece(snapshot, number)) {
                let mut writer = ByteWriter::new();
                piece.save(&mut writer);
                from.send(writer.bytes(), joiner)?;
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "the snapshot has not arrived after 100,000 steps"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Faults;

    #[test]
    fn a_snapshot_arrives_over_a_bad_link_as_it_was() -> io::Result<()> {
        for length in [1, 1023, 1024, 1025, 70_000] {
            let snapshot: Vec<u8> = (0..length).map(|at| (at * 7 % 251) as u8).collect();
            let (mut from, mut to) = (Link::new(Faults::BAD, 1)?, Link::new(Faults::BAD, 2)?);
            assert_eq!(transfer(&snapshot, &mut from, &mut to)?, snapshot);
        }
        Ok(())
    }

    #[test]
    fn pieces_of_another_snapshot_are_ignored() {
        let snapshot = [7; 3000];
        let mut incoming = Incoming::default();
        incoming.take(Piece { count: 0, number: 0, bytes: vec![1] });
        incoming.take(piece(&snapshot, 2).expect("three pieces"));
        incoming.take(Piece { count: 4, number: 0, bytes: vec![1] });
        incoming.take(Piece { count: 3, number: 3, bytes: vec![1] });
        assert_eq!(incoming.ask(), [0, 1]);
        assert_eq!(incoming.complete(), None);
        (0..2).for_each(|number| incoming.take(piece(&snapshot, number).expect("three pieces")));
        assert_eq!(incoming.complete().as_deref(), Some(&snapshot[..]));
        assert_eq!(piece(&snapshot, 3), None);
    }
}
