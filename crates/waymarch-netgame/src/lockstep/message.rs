//! What peers of a lockstep game send each other, as bytes.

use waymarch::base::{ByteReader, ByteWriter, LoadError, Persist};

use crate::hashes::HashReport;
use crate::input::Input;
use crate::snapshot::Piece;

/// A datagram of a lockstep game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Inputs of the sender that the receiver has not acknowledged, with an acknowledgement of the receiver's inputs.
    Inputs {
        /// The sender has all inputs of the receiver for ticks below this one.
        ack: u64,
        /// The tick of the first input.
        first: u64,
        /// One input per tick.
        inputs: Vec<Input>,
        /// The sender's last hash reports.
        reports: Vec<HashReport>,
    },
    /// The sender wants to take its seat.
    Join,
    /// The sender asks for pieces of the snapshot.
    Want(Vec<u16>),
    /// A piece of the snapshot.
    Piece(Piece),
}

impl Persist for Message {
    fn save(&self, writer: &mut ByteWriter) {
        match self {
            Self::Inputs { ack, first, inputs, reports } => {
                0_u8.save(writer);
                ack.save(writer);
                first.save(writer);
                inputs.save(writer);
                reports.save(writer);
            }
            Self::Join => 1_u8.save(writer),
            Self::Want(numbers) => {
                2_u8.save(writer);
                numbers.save(writer);
            }
            Self::Piece(piece) => {
                3_u8.save(writer);
                piece.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Inputs {
                ack: u64::load(reader)?,
                first: u64::load(reader)?,
                inputs: Vec::load(reader)?,
                reports: Vec::load(reader)?,
            },
            1 => Self::Join,
            2 => Self::Want(Vec::load(reader)?),
            3 => Self::Piece(Piece::load(reader)?),
            _ => return Err(reader.error("a message of an unknown kind")),
        })
    }
}

impl Message {
    /// The message as a datagram.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = ByteWriter::new();
        self.save(&mut writer);
        writer.into_bytes()
    }

    /// The message in a datagram; `None` if it is not one. A game ignores such datagrams.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = ByteReader::new(bytes);
        let message = Self::load(&mut reader).ok()?;
        reader.finish().ok()?;
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::MAX_DATAGRAM;

    #[test]
    fn messages_read_back_and_cut_ones_are_ignored() {
        let report = HashReport { tick: 9, parts: vec![1; 13] };
        let messages = [
            Message::Inputs { ack: 3, first: 5, inputs: vec![Input::Idle; 64], reports: vec![report; 4] },
            Message::Join,
            Message::Want(vec![1, 2, 700]),
            Message::Piece(Piece { count: 2, number: 1, bytes: vec![4; 1024] }),
        ];
        for message in messages {
            let bytes = message.to_bytes();
            assert!(bytes.len() <= MAX_DATAGRAM, "{} bytes", bytes.len());
            assert_eq!(Message::from_bytes(&bytes), Some(message));
            for length in 0..bytes.len() {
                assert_eq!(Message::from_bytes(&bytes[..length]), None);
            }
        }
    }
}
