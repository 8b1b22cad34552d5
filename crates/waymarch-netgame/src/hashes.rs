//! Hash reports that peers exchange, and the desync that they show.

use std::collections::VecDeque;
use std::fmt;

use waymarch::base::{ByteReader, ByteWriter, LoadError, Persist, StateHash};

use crate::battle::MAX_PLAYERS;

/// A peer remembers its last 32 reports, and as many of every other peer.
const REMEMBERED: usize = 32;

/// The hash of every part of a battle at a tick, in the order of the parts' names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HashReport {
    /// The tick.
    pub tick: u64,
    /// One hash per part.
    pub parts: Vec<u64>,
}

impl HashReport {
    /// The report of a battle's hash.
    #[must_use]
    pub fn new(tick: u64, hash: &StateHash) -> Self {
        Self { tick, parts: hash.parts().iter().map(|(_, part)| *part).collect() }
    }
}

impl Persist for HashReport {
    fn save(&self, writer: &mut ByteWriter) {
        self.tick.save(writer);
        self.parts.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { tick: u64::load(reader)?, parts: Vec::load(reader)? })
    }
}

/// Two peers have different battles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Desync {
    /// The peer that noticed.
    pub noticed_by: u8,
    /// The peer that it compared itself with.
    pub with: u8,
    /// The first compared tick with a difference.
    pub tick: u64,
    /// The last compared tick without one.
    pub equal_at: Option<u64>,
    /// The tick of the peer when it noticed.
    pub noticed_at: u64,
    /// The names of the parts that differ, sorted.
    pub parts: Vec<&'static str>,
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts.join(", ");
        write!(
            f,
            "peer {} and peer {} differ at tick {} in: {parts}",
            self.noticed_by, self.with, self.tick
        )?;
        if let Some(equal) = self.equal_at {
            write!(f, "; equal at tick {equal}")?;
        }
        write!(f, "; noticed at tick {}", self.noticed_at)
    }
}

impl std::error::Error for Desync {}

/// The reports of one peer, and those that it got from others.
#[derive(Debug, Default)]
pub struct HashLog {
    names: Vec<&'static str>,
    own: VecDeque<HashReport>,
    others: [VecDeque<HashReport>; MAX_PLAYERS as usize],
    equal_at: [Option<u64>; MAX_PLAYERS as usize],
    compared: u64,
}

impl HashLog {
    /// Notes the peer's own hash after a tick.
    pub fn note(&mut self, tick: u64, hash: &StateHash) {
        self.names = hash.parts().iter().map(|(name, _)| *name).collect();
        push(&mut self.own, HashReport::new(tick, hash));
    }

    /// The last `count` reports of the peer itself.
    #[must_use]
    pub fn latest(&self, count: usize) -> Vec<HashReport> {
        self.own.iter().skip(self.own.len().saturating_sub(count)).cloned().collect()
    }

    /// Notes the report of another peer. A report that is known already, or older than all own reports, changes nothing.
    pub fn receive(&mut self, seat: u8, report: HashReport) {
        let Some(known) = self.others.get_mut(usize::from(seat)) else { return };
        let compared = self.equal_at[usize::from(seat)].is_some_and(|tick| report.tick <= tick);
        let too_old = self.own.front().is_some_and(|own| report.tick < own.tick);
        if !compared && !too_old && known.iter().all(|other| other.tick != report.tick) {
            push(known, report);
        }
    }

    /// How many reports of other peers were compared.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.compared
    }

    /// Compares all reports for ticks that the peer itself has reached. Returns the difference with the earliest tick.
    #[must_use]
    pub fn check(&mut self, noticed_by: u8, now: u64) -> Option<Desync> {
        let mut first: Option<Desync> = None;
        for (with, others) in (0_u8..).zip(&mut self.others) {
            others.make_contiguous().sort_unstable_by_key(|report| report.tick);
            others.retain(|other| {
                let Some(own) = self.own.iter().find(|own| own.tick == other.tick) else { return true };
                self.compared += 1;
                let equal_at = &mut self.equal_at[usize::from(with)];
                if own == other {
                    *equal_at = (*equal_at).max(Some(other.tick));
                } else if first.as_ref().is_none_or(|found| other.tick < found.tick) {
                    let parts = differing(&self.names, &own.parts, &other.parts);
                    first = Some(Desync {
                        noticed_by,
                        with,
                        tick: other.tick,
                        equal_at: *equal_at,
                        noticed_at: now,
                        parts,
                    });
                }
                false
            });
        }
        first
    }
}

fn push(list: &mut VecDeque<HashReport>, report: HashReport) {
    if list.len() == REMEMBERED {
        list.pop_front();
    }
    list.push_back(report);
}

fn differing(names: &[&'static str], own: &[u64], other: &[u64]) -> Vec<&'static str> {
    let differs = |at: usize| own.get(at) != other.get(at);
    names.iter().enumerate().filter(|(at, _)| differs(*at)).map(|(_, name)| *name).collect()
}

/// Reports as a datagram.
#[must_use]
pub fn reports_to_bytes(reports: &Vec<HashReport>) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    reports.save(&mut writer);
    writer.into_bytes()
}

/// The reports in a datagram; `None` if it has none. A game ignores such datagrams.
#[must_use]
pub fn reports_from_bytes(bytes: &[u8]) -> Option<Vec<HashReport>> {
    let mut reader = ByteReader::new(bytes);
    let reports = Vec::load(&mut reader).ok()?;
    reader.finish().ok()?;
    Some(reports)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(units: u64, map: u64) -> StateHash {
        StateHash::builder().part("units", &units).part("map", &map).finish()
    }

    #[test]
    fn the_first_tick_with_a_difference_is_found_whatever_the_order_of_reports() {
        let mut log = HashLog::default();
        for tick in [5, 10, 15, 20] {
            log.note(tick, &hash(tick, 1));
        }
        log.receive(2, HashReport::new(20, &hash(0, 0)));
        log.receive(2, HashReport::new(5, &hash(5, 1)));
        log.receive(2, HashReport::new(15, &hash(0, 1)));
        log.receive(2, HashReport::new(10, &hash(10, 1)));
        log.receive(1, HashReport::new(10, &hash(10, 1)));
        let parts = vec!["units"];
        let found = Desync { noticed_by: 0, with: 2, tick: 15, equal_at: Some(10), noticed_at: 22, parts };
        assert_eq!(log.check(0, 22), Some(found.clone()));
        assert_eq!(log.compared(), 5);
        assert_eq!(log.check(0, 23), None);
        assert_eq!(
            found.to_string(),
            "peer 0 and peer 2 differ at tick 15 in: units; equal at tick 10; noticed at tick 22"
        );
    }

    #[test]
    fn a_report_of_a_tick_to_come_waits_for_it() {
        let mut log = HashLog::default();
        log.receive(1, HashReport::new(5, &hash(9, 1)));
        assert_eq!(log.check(0, 4), None);
        log.note(5, &hash(5, 1));
        let found = log.check(0, 5);
        assert_eq!(found.map(|desync| (desync.tick, desync.parts)), Some((5, vec!["units"])));
    }

    #[test]
    fn reports_read_back_and_cut_ones_are_ignored() {
        let reports = vec![HashReport::new(5, &hash(1, 2)), HashReport::new(10, &hash(3, 4))];
        let bytes = reports_to_bytes(&reports);
        assert_eq!(reports_from_bytes(&bytes), Some(reports));
        for length in 0..bytes.len() {
            assert_eq!(reports_from_bytes(&bytes[..length]), None);
        }
    }

    /// A checksum of 128 bits for 15 parts did not see this one: it had 8 bits of each.
    #[test]
    fn a_part_is_named_when_only_the_high_bits_of_its_hash_differ() {
        let mut log = HashLog::default();
        log.note(5, &hash(0, 0));
        let mut other = log.latest(1).remove(0);
        other.parts[1] ^= 1 << 63;
        log.receive(1, other);
        assert_eq!(log.check(0, 5).map(|desync| desync.parts), Some(vec!["units"]));
    }
}
