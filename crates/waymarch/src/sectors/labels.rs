//! The zone of every cell, one byte each.

use alloc::vec;
use alloc::vec::Vec;

use crate::cost::SectorId;

/// The label 65,535 marks a cell that is closed to all agents.
pub(super) const NO_ZONE: u16 = u16::MAX;

/// The byte 255 marks a cell that is closed to all agents.
const CLOSED: u8 = u8::MAX;
/// The byte 254 marks a cell of a sector with too many zones for bytes. Such a sector has a list of its own.
const LISTED: u8 = u8::MAX - 1;

/// Derived: the zone of each cell, sector by sector.
///
/// One byte each, so that as much of a big map as possible fits in the processor's cache. A sector with more than 254 zones is rare; it keeps
/// two bytes per cell in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Labels {
    /// The number of cells of a sector, as a power of two.
    cell_bits: u32,
    bytes: Vec<u8>,
    /// By sector: the labels of its cells if bytes are not enough, else empty.
    lists: Vec<Vec<u16>>,
}

impl Labels {
    /// All cells closed.
    pub(super) fn new(sectors: usize, cell_bits: u32) -> Self {
        Self { cell_bits, bytes: vec![CLOSED; sectors << cell_bits], lists: vec![Vec::new(); sectors] }
    }

    /// The label of a cell, by its index in the sector.
    #[inline(always)]
    pub(super) fn get(&self, sector: SectorId, place: usize) -> u16 {
        let label = self.bytes[(sector.index() << self.cell_bits) + place];
        if label == LISTED {
            return self.lists[sector.index()][place];
        }
        // No branch: whether a cell is closed cannot be predicted, and a wrong prediction delays the next queries.
        u16::from(label) | (u16::from(label == CLOSED) * NO_ZONE)
    }

    /// Sets the labels of a sector that has `zones` zones. Returns whether they changed.
    pub(super) fn set(&mut self, sector: SectorId, labels: &[u16], zones: usize) -> bool {
        let start = sector.index() << self.cell_bits;
        let bytes = &mut self.bytes[start..start + labels.len()];
        let list = &mut self.lists[sector.index()];
        if zones > usize::from(LISTED) {
            let changed = list != labels;
            if changed {
                bytes.fill(LISTED);
                list.clear();
                list.extend_from_slice(labels);
            }
            return changed;
        }
        // A closed cell's label has all bits set, and so has its byte.
        let changed = bytes.iter().zip(labels).any(|(&byte, &label)| byte != label as u8);
        if changed {
            *list = Vec::new();
            bytes.iter_mut().zip(labels).for_each(|(byte, &label)| *byte = label as u8);
        }
        changed
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        let lists = self.lists.iter().map(|list| size_of::<Vec<u16>>() + list.capacity() * 2);
        self.bytes.len() + lists.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_as_they_were_set_for_any_number_of_zones() {
        let mut labels = Labels::new(2, 10);
        let (first, second) = (SectorId(0), SectorId(1));
        let of = |zones: usize| -> Vec<u16> {
            let label = |place: usize| if place % 5 == 0 { NO_ZONE } else { (place % zones) as u16 };
            (0..1024).map(label).collect()
        };
        // Just below and above what bytes can hold, in both directions.
        for zones in [3, 253, 254, 255, 256, 1024, 254, 255, 1] {
            assert!(labels.set(first, &of(zones), zones), "{zones}");
            assert!(!labels.set(first, &of(zones), zones), "{zones} again: no change");
            let read: Vec<u16> = (0..1024).map(|place| labels.get(first, place)).collect();
            assert_eq!(read, of(zones), "{zones}");
            assert!((0..1024).all(|place| labels.get(second, place) == NO_ZONE));
        }
        let mut fresh = Labels::new(2, 10);
        fresh.set(first, &of(1), 1);
        assert_eq!(labels, fresh, "nothing is left of the earlier labels");
    }
}
