//! The stamps of a map as bytes. Loading makes a new store, or changes an existing store where it differs.

use alloc::vec;
use alloc::vec::Vec;

use super::stamp::Stamp;
use super::store::{GateState, SideMask, StampStore, Standing};
use crate::base::{
    ByteReader, ByteWriter, CellPos, CellRect, GridSize, LoadError, Persist, Slots, StampId, StampTag, Tick,
};

/// World: saved stamps that passed all checks.
#[derive(Clone, Debug)]
pub(in crate::cost) struct StampsState {
    next_serial: u64,
    kinds: Vec<Stamp>,
    /// Each `kind` is an index into `kinds`.
    standing: Slots<StampTag, Standing>,
}

impl StampsState {
    /// Reads and checks saved stamps. `terrains` is the number of terrains in the rules.
    pub(in crate::cost) fn load(
        reader: &mut ByteReader<'_>,
        terrains: usize,
        grid: GridSize,
    ) -> Result<Self, LoadError> {
        let next_serial = u64::load(reader)?;
        let kinds = Vec::<Stamp>::load(reader)?;
        if kinds.iter().any(|kind| kind.check(terrains).is_err()) {
            return Err(reader.error("a stamp has a wrong footprint"));
        }
        let standing = Slots::load_with(reader, |reader| {
            let standing = Standing {
                kind: u32::load(reader)?,
                at: CellPos::load(reader)?,
                gate: GateState::load(reader)?,
                expires: Option::<Tick>::load(reader)?,
                serial: u64::load(reader)?,
            };
            let Some(kind) = kinds.get(standing.kind as usize) else {
                return Err(reader.error("a stamp has no footprint"));
            };
            let rect = CellRect::at(standing.at, kind.width, kind.height);
            if rect.intersect(grid.rect()) != rect || standing.serial >= next_serial {
                return Err(reader.error("a stamp is off the map, or has an unknown serial number"));
            }
            Ok(standing)
        })?;
        Ok(Self { next_serial, kinds, standing })
    }

    /// Whether all gates that are open to some sides are open to sides in `known` only.
    pub(in crate::cost) fn gates_open_to(&self, known: SideMask) -> bool {
        let fits = |standing: &Standing| match standing.gate {
            GateState::OpenTo(sides) => sides.0 & !known.0 == 0,
            GateState::Open | GateState::Closed => true,
        };
        self.standing.values().all(fits)
    }
}

impl StampStore {
    /// Writes the standing stamps. Equal stamps give equal bytes, whatever stamps stood before.
    pub(in crate::cost) fn save(&self, writer: &mut ByteWriter) {
        self.next_serial.save(writer);
        // Kinds are numbered by the first stamp that has them.
        let mut numbers = vec![u32::MAX; self.kinds.len()];
        let mut used = Vec::new();
        for standing in self.standing.values() {
            let number = &mut numbers[standing.kind as usize];
            if *number == u32::MAX {
                *number = used.len() as u32;
                used.push(standing.kind as usize);
            }
        }
        writer.count(used.len());
        used.iter().for_each(|&kind| self.kinds[kind].0.save(writer));
        self.standing.save_with(writer, |standing, writer| {
            numbers[standing.kind as usize].save(writer);
            standing.at.save(writer);
            standing.gate.save(writer);
            standing.expires.save(writer);
            standing.serial.save(writer);
        });
    }

    /// The saved stamps, on a map of `grid`.
    pub(in crate::cost) fn from_state(state: StampsState, grid: GridSize) -> Self {
        let mut store = Self::new(grid);
        store.restore(state, &mut Vec::new());
        store
    }

    /// Replaces the stamps by the saved ones, with the same ids. Adds the areas of all stamps that differ to `changed`.
    /// Cost: these areas, and one comparison per stamp.
    pub(in crate::cost) fn restore(&mut self, state: StampsState, changed: &mut Vec<CellRect>) {
        let StampsState { next_serial, kinds, standing: mut saved } = state;
        let mut new: Vec<StampId> = Vec::new();
        for index in 0..self.standing.slot_count().max(saved.slot_count()) as u32 {
            let (now, then) = (self.standing.id_at(index), saved.id_at(index));
            let same = match (now.and_then(|id| self.get(id)), then.and_then(|id| saved.get(id))) {
                (Some((one, stamp)), Some(other)) => {
                    let kind = one.kind;
                    now == then && *one == Standing { kind, ..*other } && *stamp == kinds[other.kind as usize]
                }
                (None, None) => true,
                _ => false,
            };
            if !same {
                changed.extend(now.and_then(|id| self.unlink_all(id)));
                new.extend(then);
            }
        }
        self.kinds.iter_mut().for_each(|(_, users)| *users = 0);
        // For now each kind counts one user too many. Otherwise `kind_of` would give the place of a kind without users
        // to the next kind.
        let places: Vec<u32> = kinds.iter().map(|kind| self.kind_of(kind)).collect();
        for (_, standing) in saved.iter_mut() {
            standing.kind = places[standing.kind as usize];
            self.kinds[standing.kind as usize].1 += 1;
        }
        places.iter().for_each(|&place| self.kinds[place as usize].1 -= 1);
        self.standing = saved;
        self.next_serial = next_serial;
        self.expiries.clear();
        let due = self.standing.iter().filter_map(|(id, one)| one.expires.map(|due| (due, one.serial, id)));
        self.expiries.extend(due);
        self.expiries.sort_unstable_by(|a, b| b.cmp(a));
        for id in new {
            self.link_all(id);
            changed.extend(self.rect(id));
        }
    }
}
