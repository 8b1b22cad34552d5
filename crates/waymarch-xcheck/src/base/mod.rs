//! Numbers, angles, vectors, random numbers and hashes; containers, cells and goals.

use waymarch::base::{
    Angle, CellRect, Dir8, Fixed, HashState, Purpose, Rng, StateHash, StateHasher, Tick, Vec2, cell,
};
use waymarch::cost::step_length;

use crate::{Digest, Lines, SplitMix};

mod cells;
mod containers;

pub(crate) fn run(out: &mut Lines<'_>) {
    numbers(out);
    random_numbers(out);
    hashes(out);
    containers::queues(out);
    containers::bits(out);
    containers::slots(out);
    cells::cells(out);
    cells::goals(out);
}

/// Numbers near the ends of types, and near whole cells.
const ODD: [i32; 24] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    511,
    512,
    513,
    1023,
    1024,
    1025,
    -1023,
    -1024,
    -1025,
    32767,
    32768,
    -32768,
    65535,
    1 << 20,
    -(1 << 20),
    i32::MAX,
    i32::MIN,
    i32::MAX - 1023,
];

fn numbers(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    let mut m = SplitMix(1);
    let mut values: Vec<Fixed> = ODD.iter().map(|&raw| Fixed::from_raw(raw)).collect();
    values.extend((0..60).map(|_| Fixed::from_raw(m.next() as i32 >> m.below(24))));
    for &a in &values {
        h.text(a);
        h.debug(a);
        h.signed(a.floor_cells().into());
        h.debug(a.abs());
        h.signed(a.signum().into());
        h.debug(Fixed::from_cells(a.raw()));
        h.debug(a.to_string().parse::<Fixed>());
        for &b in &values {
            h.debug((a.saturating_add(b), a.saturating_mul(b), a.saturating_div(b)));
            h.debug(Fixed::ratio(a.raw().into(), b.raw().into()));
            h.debug(Fixed::saturate(i64::from(a.raw()) * i64::from(b.raw())));
        }
    }
    for text in [
        "",
        "-",
        "1.",
        ".5",
        "1e5",
        "2097151.9",
        "2097152",
        "-2097153",
        "0.0009765625",
        "99999999999999999999",
        "+3",
        " 1",
    ] {
        h.debug(text.parse::<Fixed>());
    }
    out.hash("base.fixed", h);

    let mut h = Digest::new();
    for raw in (0..=u16::MAX).step_by(3) {
        let a = Angle(raw);
        h.signed(a.sin_16().into());
        h.signed(a.cos_16().into());
        h.debug((a.sin(), a.cos(), a.nearest_dir()));
        let b = Angle(raw.wrapping_mul(31).wrapping_add(7));
        h.debug((a.turn_to(b), a.turn_towards(b, raw >> 3)));
    }
    for d in -800..800 {
        h.debug(Angle::from_degrees(d * 7));
    }
    Dir8::ALL.iter().for_each(|&d| {
        h.debug((Angle::from_dir(d), d.opposite(), d.turn(3), d.turn(-5), step_length(d), d.dx(), d.dy()))
    });
    for &y in &ODD {
        for &x in &ODD {
            h.debug(Angle::atan2(y, x));
            h.debug(Dir8::from_delta(x.signum(), y.signum()));
        }
    }
    out.hash("base.angle", h);

    let mut h = Digest::new();
    for i in 0..values.len() {
        for j in 0..values.len() {
            let v = Vec2::new(values[i], values[j]);
            let w = Vec2::new(values[(i + 7) % values.len()], values[(j * 3 + 1) % values.len()]);
            h.signed(v.dot(w));
            h.signed(v.cross(w));
            h.number(v.length_squared());
            h.number(v.distance_squared(w));
            h.debug((v.length(), v.distance(w), v.angle(), v.normalise()));
            h.debug((
                v.with_length(Fixed::from_raw(777)),
                v.clamp_length(Fixed::from_raw(5000)),
                v.perp(),
                v.rotate(w.angle()),
            ));
            h.debug(v.cell());
        }
    }
    out.hash("base.vec2", h);
}

fn random_numbers(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    for seed in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
        for tick in [0, 1, u64::MAX >> 1] {
            let mut r = Rng::keyed(seed, Tick(tick), seed ^ 99, Purpose(0x5EED));
            for n in [1, 2, 3, 1000, u32::MAX, 1 << 31] {
                h.number(r.below(n).into());
            }
            h.number(r.next_u64());
            h.number(r.next_u32().into());
            h.signed(r.range(-1000..1000).into());
            h.signed(r.range(i32::MIN..i32::MAX).into());
            h.debug(r.chance(1, 3));
            let mut items: Vec<u32> = (0..257).collect();
            r.shuffle(&mut items);
            h.debug(&items);
            let mut p = Rng::pcg32(seed, tick);
            (0..8).for_each(|_| h.number(p.next_u32().into()));
        }
    }
    out.hash("base.rng", h);
}

fn hashes(out: &mut Lines<'_>) {
    let mut s = StateHasher::new();
    let mut h = Digest::new();
    let data: Vec<u8> = (0..5000_u32).map(|i| ((i * 37) >> 3) as u8).collect();
    for len in [0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 255, 256, 257, 1023, 1024, 1025, 4999] {
        let mut one = StateHasher::new();
        one.write_raw(&data[..len]);
        h.number(one.finish());
        let mut bits = StateHasher::new();
        data[..len].iter().for_each(|&b| bits.write_u8(b));
        assert_eq!(one.finish(), bits.finish());
        s.write_bytes(&data[..len]);
        s.write_len(len);
    }
    s.write_u16s(&[1, 2, 0xffee]);
    s.write_u32s(&[1, 2, 0xffee_ddcc]);
    s.write_u64s(&[1, 2, 0xffee_ddcc_bbaa_9988]);
    s.write_i16s(&[-1, 2, i16::MIN]);
    s.write_i32s(&[-1, 2, i32::MIN]);
    s.write_i64s(&[-1, 2, i64::MIN]);
    s.write_bool(true);
    h.number(s.finish());
    let parts = StateHash::builder()
        .part("b", &Tick(7))
        .part("a", &cell(-3, 9))
        .part_with("c", |w| w.write_u64(1 << 40))
        .part("d", &Vec2::from_cells(3, -3))
        .part("e", &CellRect::at(cell(1, 2), 3, 4))
        .finish();
    h.debug(&parts);
    h.text(&parts);
    h.number(StateHasher::hash_of(&Angle(77)));
    struct Both<A, B>(A, B);
    impl<A: HashState, B: HashState> HashState for Both<A, B> {
        fn hash_state(&self, s: &mut StateHasher) {
            self.0.hash_state(s);
            self.1.hash_state(s);
        }
    }
    h.number(StateHasher::hash_of(&Both(Fixed::from_raw(-5), Tick(3))));
    out.hash("base.hash", h);
}
