//! Threat sources as bytes.

use super::map::{Entry, ThreatMap};
use super::sides::Sides;
use super::source::{MAX_THREAT_RADIUS, MAX_THREAT_SOURCES, OwnedSource, ThreatId, ThreatSource, ThreatTag};
use crate::base::{ByteReader, ByteWriter, GridSize, LoadError, Observer, Persist, Slots, persist_fields};
use crate::cost::changes::ChangeLog;

persist_fields! {
    OwnedSource { source: ThreatSource, owner: Option<Observer> = since 11 or None }
    Entry { wanted: Option<OwnedSource>, shown: Option<OwnedSource> }
}

/// World: saved threat sources that passed all checks.
#[derive(Clone, Debug)]
pub(in crate::cost) struct ThreatState {
    entries: Slots<ThreatTag, Entry>,
    sides: Sides,
}

impl ThreatState {
    pub(in crate::cost) fn load(reader: &mut ByteReader<'_>, grid: GridSize) -> Result<Self, LoadError> {
        let entries = Slots::<ThreatTag, Entry>::load(reader)?;
        let legal = |source: &ThreatSource| grid.contains(source.at) && source.radius <= MAX_THREAT_RADIUS;
        let all_legal = entries
            .values()
            .flat_map(|entry| [entry.wanted, entry.shown])
            .flatten()
            .all(|owned| legal(&owned.source));
        if !all_legal || entries.len() > MAX_THREAT_SOURCES {
            return Err(
                reader.error("a threat source is off the map or too wide, or there are too many sources")
            );
        }
        Ok(Self { entries, sides: reader.added(11, Sides::default)? })
    }
}

impl ThreatState {
    pub(in crate::cost) fn has_source(&self, id: ThreatId) -> bool {
        self.entries.get(id).is_some_and(|entry| entry.wanted.is_some())
    }

    pub(in crate::cost) fn set_side(&mut self, observer: Observer, side: u8) {
        self.sides.set(observer, side);
    }

    pub(in crate::cost) fn side(&self, observer: Observer) -> u8 {
        self.sides.of(observer)
    }
}

impl ThreatMap {
    pub(in crate::cost) fn save(&self, writer: &mut ByteWriter) {
        self.entries.save(writer);
        self.sides.save(writer);
    }

    /// Replaces the sources by the saved ones: both `wanted` and `shown` of each entry. Cost: the areas of sources whose `shown`
    /// differs.
    pub(in crate::cost) fn restore(&mut self, state: ThreatState, changes: &mut ChangeLog) {
        self.restore_sides(&state.sides, changes);
        let before = core::mem::replace(&mut self.entries, state.entries);
        let shown = |entries: &Slots<ThreatTag, Entry>, index| {
            entries.id_at(index).and_then(|id| entries.get(id)).and_then(|entry| entry.shown)
        };
        for index in 0..before.slot_count().max(self.entries.slot_count()) as u32 {
            let (now, then) = (shown(&before, index), shown(&self.entries, index));
            if now == then {
                continue;
            }
            self.allocate();
            self.replace(now, then);
        }
        self.show(changes);
        // A source is pending if it was removed, or if `wanted` and `shown` differ.
        self.pending.clear();
        let waiting =
            self.entries.iter().filter(|(_, entry)| entry.wanted.is_none() || entry.wanted != entry.shown);
        self.pending.extend(waiting.map(|(id, _)| id));
    }
}
