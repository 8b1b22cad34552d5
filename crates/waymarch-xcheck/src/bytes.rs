//! Bytes: what is written, and which bytes loading refuses, at which offset. Lengths near 2³¹ and 2³² are tried, because they may overflow a
//! `usize` of 32 bits.

use crate::{Digest, Lines, Options, SplitMix, games, maps, report};
use waymarch::base::{
    Agent, Angle, ByteReader, ByteWriter, CellPos, CellRect, Fixed, FrameKind, GridSize, Id, LoadError,
    LocomotorId, Persist, Slots, Tick, Vec2, cell,
};
use waymarch::config::Config;
use waymarch::world::{Navigator, Recording, World};

fn all_kinds(bytes: &[u8], h: &mut Digest) {
    fn one<T: Persist + core::fmt::Debug>(bytes: &[u8], h: &mut Digest) {
        let mut r = ByteReader::new(bytes);
        let v = T::load(&mut r);
        h.debug(&v);
        h.number(r.left() as u64);
        if let Ok(v) = v {
            let mut w = ByteWriter::new();
            v.save(&mut w);
            h.bytes(w.bytes());
        }
    }
    one::<u8>(bytes, h);
    one::<u16>(bytes, h);
    one::<u32>(bytes, h);
    one::<u64>(bytes, h);
    one::<i64>(bytes, h);
    one::<bool>(bytes, h);
    one::<String>(bytes, h);
    one::<Vec<u8>>(bytes, h);
    one::<Vec<u64>>(bytes, h);
    one::<Vec<Vec<u16>>>(bytes, h);
    one::<Option<u32>>(bytes, h);
    one::<(u8, u64)>(bytes, h);
    one::<[u8; 7]>(bytes, h);
    one::<CellPos>(bytes, h);
    one::<CellRect>(bytes, h);
    one::<Vec2>(bytes, h);
    one::<Agent>(bytes, h);
    one::<Tick>(bytes, h);
    one::<Angle>(bytes, h);
    one::<LocomotorId>(bytes, h);
    one::<Fixed>(bytes, h);
    one::<GridSize>(bytes, h);
    one::<Id<u8>>(bytes, h);
    one::<Slots<u8, u32>>(bytes, h);
    one::<waymarch::world::UnitTypeId>(bytes, h);
}

pub(crate) fn run(out: &mut Lines<'_>, options: &Options) {
    let mut h = Digest::new();
    let mut m = SplitMix(3);
    for len in 0..60 {
        for _ in 0..20 {
            let bytes: Vec<u8> =
                (0..len).map(|_| if m.chance(400) { (m.next() % 3) as u8 } else { m.next() as u8 }).collect();
            all_kinds(&bytes, &mut h);
        }
    }
    // Lengths near the ends of 32 bits.
    for count in [
        0_u32,
        1,
        2,
        3,
        255,
        256,
        65_535,
        1 << 29,
        1 << 30,
        (1 << 31) - 1,
        1 << 31,
        u32::MAX - 8,
        u32::MAX - 1,
        u32::MAX,
    ] {
        let mut bytes = count.to_le_bytes().to_vec();
        bytes.extend((0..300_u32).map(|i| (i % 2) as u8));
        all_kinds(&bytes, &mut h);
        for least in [0, 1, 2, 5, 8, 1 << 20, (1 << 31) - 1, usize::MAX >> 1, usize::MAX] {
            h.debug(ByteReader::new(&bytes).count(least));
        }
        h.debug(ByteReader::new(&bytes).raw(count as usize).map(<[u8]>::len));
    }
    out.hash("bytes.kinds", h);

    let mut h = Digest::new();
    const KIND: FrameKind = FrameKind::new(*b"XCHK", 3);
    let mut w = ByteWriter::new();
    KIND.write(&mut w, |w| {
        KIND.write(w, |w| vec![1_u64, 2, 1 << 40].save(w));
        "größe".to_string().save(w);
    });
    let bytes = w.into_bytes();
    h.bytes(&bytes);
    for bit in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        h.debug(KIND.open(&mut ByteReader::new(&damaged)).map(|r| r.left()));
    }
    for length in [0_u32, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fff0] {
        let mut damaged = bytes.clone();
        damaged[8..12].copy_from_slice(&length.to_le_bytes());
        h.debug(KIND.open(&mut ByteReader::new(&damaged)).map(|r| r.left()));
    }
    out.hash("bytes.frames", h);

    // A saved game: cut, and changed with its checksum repaired.
    let world = games::small_world();
    let saved = world.save();
    let mut h = Digest::new();
    h.bytes(&saved);
    report!(out, "bytes.world len {} hash {:016x} state {}", saved.len(), h.value(), world.state_hash());
    let mut h = Digest::new();
    let describe = |bytes: &[u8], h: &mut Digest| match World::load(bytes) {
        Ok(world) => h.text(world.state_hash()),
        Err(error) => {
            h.debug(error);
            h.text(error);
        }
    };
    for len in (0..saved.len()).step_by(saved.len() / 60 + 1) {
        describe(&saved[..len], &mut h);
    }
    let mut refused = 0_u32;
    let mut kinds: Vec<(&'static str, u32)> = Vec::new();
    let cases = options.amount.choose(800, 100);
    for turn in 0..cases {
        let mut damaged = saved.clone();
        for _ in 0..1 + m.below(3) {
            let at = 12 + m.below(damaged.len() as u32 - 20) as usize;
            match m.below(4) {
                0 => damaged[at] ^= 1 << m.below(8),
                1 => damaged[at] = m.pick(&[0, 1, 2, 127, 128, 254, 255]),
                2 if at + 4 < damaged.len() - 8 => {
                    let v: u32 = m.pick(&[0, 1, u32::MAX, 1 << 31, (1 << 31) - 1, 1 << 30, 0x4000_0001]);
                    damaged[at..at + 4].copy_from_slice(&v.to_le_bytes());
                }
                _ => damaged[at] = m.next() as u8,
            }
        }
        reframe(&mut damaged);
        match World::load(&damaged) {
            Ok(mut world) => {
                h.text(world.state_hash());
                if turn % 8 == 0 {
                    (0..3).for_each(|_| world.tick());
                    h.text(world.state_hash());
                }
            }
            Err(LoadError { at, what, .. }) => {
                h.number(at);
                h.text(what);
                refused += 1;
                match kinds.iter_mut().find(|(k, _)| *k == what) {
                    Some((_, n)) => *n += 1,
                    None => kinds.push((what, 1)),
                }
            }
        }
    }
    kinds.sort();
    report!(
        out,
        "bytes.damaged refused {refused} of {cases}, {} reasons, hash {:016x}",
        kinds.len(),
        h.value()
    );
    for (what, n) in kinds {
        report!(out, "bytes.damaged {n} {what}");
    }

    let mut h = Digest::new();
    let nav = Navigator::new(maps::mixed(4, 50, 40), Config::default()).unwrap();
    let mut w = ByteWriter::new();
    nav.save(&mut w);
    h.bytes(w.bytes());
    let again = Navigator::load(&mut ByteReader::new(w.bytes())).unwrap();
    h.text(again.state_hash());
    for len in (0..w.bytes().len()).step_by(97) {
        h.debug(Navigator::load(&mut ByteReader::new(&w.bytes()[..len])).map(|n| n.state_hash().total()));
    }
    h.debug(Recording::from_bytes(b"WMrc").err());
    h.debug(cell(0, 0));
    out.hash("bytes.navigator", h);
}

/// Repairs the checksum of a frame.
fn reframe(bytes: &mut [u8]) {
    let end = bytes.len() - 8;
    let mut s = waymarch::base::StateHasher::new();
    s.write_raw(&bytes[..end]);
    let hash = s.finish().to_le_bytes();
    bytes[end..].copy_from_slice(&hash);
}
