//! Queues, bit sets, and slots with ids.

use waymarch::base::{
    BitLines, BucketQueue, Dir8, GridSize, OpenEntry, OpenList, RowColBits, Slots, StampedMap, StampedSet,
};

use crate::{Digest, Lines, SplitMix};

pub(crate) fn queues(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    let mut m = SplitMix(5);
    for shift in [0, 3, 8, 12] {
        let mut q: BucketQueue<u32> = BucketQueue::new(shift);
        let mut floor = 0_u64;
        for round in 0..6_u64 {
            q.clear_to(round << 34);
            floor = floor.max(q.floor());
            let mut last = round << 34;
            for i in 0..400 {
                q.push(last + u64::from(m.below(5000)), i);
                if m.chance(600) {
                    if let Some((key, item)) = q.pop() {
                        last = last.max(key);
                        h.number(key);
                        h.number(item.into());
                    }
                }
                h.debug(q.lower_bound());
            }
            while let Some(p) = q.pop() {
                h.debug(p);
            }
        }
        h.number(q.len() as u64);
    }
    out.hash("base.buckets", h);

    let mut h = Digest::new();
    let mut list = OpenList::with_capacity(10);
    for i in 0..3000_u32 {
        list.push(OpenEntry::new(u64::from(m.below(300)) << m.below(30), m.below(9), i));
        if m.chance(550) {
            h.debug(list.pop());
        }
    }
    list.change_all(|e| (m.below(3) > 0).then_some(e));
    h.debug(list.peek());
    while let Some(e) = list.pop() {
        h.debug(e);
    }
    out.hash("base.open", h);
}

pub(crate) fn bits(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    let mut m = SplitMix(6);
    for (lines, length) in [(3, 1), (5, 63), (4, 64), (7, 65), (9, 200)] {
        let mut b = BitLines::new(lines, length);
        for _ in 0..lines * length / 3 {
            b.set(m.below(lines), m.below(length), m.chance(700));
        }
        if length > 40 {
            (5..33).for_each(|place| b.set(1, place, true));
        }
        for l in 0..lines {
            b.seal(l);
            b.line(l).iter().for_each(|&w| h.number(w));
            for p in 0..length {
                h.debug((
                    b.get(l, p as i32),
                    b.three(l, p),
                    b.word_from(l, p),
                    b.next_set(l, p),
                    b.previous_set(l, p as i32),
                ));
                if l > 0 && l + 1 < lines {
                    h.number(b.three_by_three(l, p).into());
                }
                h.debug(b.is_clear(l, p, (p + 9).min(length - 1)));
            }
        }
    }
    for (w, hh) in [(1, 1), (64, 64), (65, 63), (130, 40)] {
        let grid = GridSize::new(w, hh).unwrap();
        let mut b = RowColBits::new(grid);
        for at in grid.rect().cells() {
            if m.chance(150) {
                b.set(at, true);
            }
        }
        for at in grid.rect().cells().step_by(3) {
            h.debug((b.get(at), b.is_clear(at, at.offset(3, 2))));
            Dir8::ALL.iter().filter(|d| !d.is_diagonal()).for_each(|&d| h.number(b.clear_run(at, d).into()));
        }
        b.fill(|row, words| {
            words
                .iter_mut()
                .enumerate()
                .for_each(|(i, w)| *w = u64::from(row) << 33 ^ i as u64 ^ 0x8000_0000_0000_0001)
        });
        (0..hh).for_each(|y| b.rows().line(y).iter().for_each(|&w| h.number(w)));
        (0..w).for_each(|x| b.columns().line(x).iter().for_each(|&w| h.number(w)));
    }
    let mut set = StampedSet::new(100);
    let mut map = StampedMap::new(100, 0_u32);
    for i in 0..2000 {
        let k = m.below(100);
        match m.below(6) {
            0 => h.debug(set.insert(k)),
            1 => h.debug(set.remove(k)),
            2 => h.debug(set.contains(k)),
            3 => map.set(k, i),
            4 => h.debug((map.get(k), map.remove(k))),
            _ if m.chance(20) => {
                set.clear();
                map.clear();
            }
            _ => h.debug(map.contains(k)),
        }
    }
    set.poison();
    map.poison(7);
    set.clear();
    map.clear();
    (0..100).for_each(|k| h.debug((set.contains(k), map.get(k))));
    out.hash("base.bits", h);
}

pub(crate) fn slots(out: &mut Lines<'_>) {
    use waymarch::base::{ByteReader, ByteWriter, Persist};
    let mut h = Digest::new();
    let mut m = SplitMix(7);
    let mut s: Slots<u8, u64> = Slots::with_capacity(4);
    let mut ids = Vec::new();
    for i in 0..3000_u64 {
        if m.chance(600) || ids.is_empty() {
            ids.push(s.insert(i << 33));
        } else {
            let at = m.below(ids.len() as u32) as usize;
            let id = ids.swap_remove(at);
            h.debug(s.remove(id));
            h.debug((id, s.get(id), id.to_bits()));
        }
    }
    h.debug(&s);
    let mut w = ByteWriter::new();
    s.save(&mut w);
    h.bytes(w.bytes());
    let t: Slots<u8, u64> = Slots::load(&mut ByteReader::new(w.bytes())).unwrap();
    assert!(s == t);
    h.debug(s.map(|v| v >> 33));
    s.clear();
    h.debug((s.len(), s.slot_count(), s.insert(1), s.id_at(3)));
    out.hash("base.slots", h);
}
