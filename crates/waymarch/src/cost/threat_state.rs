//! Threat sources as bytes, and back.

use super::changes::ChangeLog;
use super::edit::MAX_THREAT_SOURCES;
use super::threat::{Entry, MAX_THREAT_RADIUS, ThreatMap, ThreatSource, ThreatTag};
use crate::base::{ByteReader, ByteWriter, GridSize, LoadError, Persist, Slots, persist_fields};

persist_fields! {
    Entry { wanted: Option<ThreatSource>, shown: Option<ThreatSource> }
}

/// World: threat sources as they were saved, checked.
#[derive(Clone, Debug)]
pub(super) struct ThreatState {
    entries: Slots<ThreatTag, Entry>,
}

impl ThreatState {
    pub(super) fn load(reader: &mut ByteReader<'_>, grid: GridSize) -> Result<Self, LoadError> {
        let entries = Slots::<ThreatTag, Entry>::load(reader)?;
        let legal = |source: &ThreatSource| grid.contains(source.at) && source.radius <= MAX_THREAT_RADIUS;
        let all_legal = entries
            .values()
            .flat_map(|entry| [entry.wanted, entry.shown])
            .flatten()
            .all(|source| legal(&source));
        if !all_legal || entries.len() > MAX_THREAT_SOURCES {
            return Err(reader.error("a threat source off the map or too wide, or too many of them"));
        }
        Ok(Self { entries })
    }
}

impl ThreatMap {
    pub(super) fn save(&self, writer: &mut ByteWriter) {
        self.entries.save(writer);
    }

    /// Makes the sources those saved, as shown and as wanted; costs the areas of those that show differently.
    pub(super) fn restore(&mut self, state: ThreatState, changes: &mut ChangeLog) {
        let before = core::mem::replace(&mut self.entries, state.entries);
        let shown = |entries: &Slots<ThreatTag, Entry>, index| {
            entries.id_at(index).and_then(|id| entries.get(id)).and_then(|entry| entry.shown)
        };
        for index in 0..before.slot_count().max(self.entries.slot_count()) as u32 {
            let (now, then) = (shown(&before, index), shown(&self.entries, index));
            if now == then {
                continue;
            }
            self.make_room();
            if let Some(source) = now {
                self.add_to_sums(&source, |sum, strength| sum - strength);
            }
            if let Some(source) = then {
                self.add_to_sums(&source, |sum, strength| sum + strength);
            }
        }
        self.show(changes);
        // The order is of no account, and what shows as it is wanted need not be looked at.
        self.pending.clear();
        let waiting =
            self.entries.iter().filter(|(_, entry)| entry.wanted.is_none() || entry.wanted != entry.shown);
        self.pending.extend(waiting.map(|(id, _)| id));
    }
}
