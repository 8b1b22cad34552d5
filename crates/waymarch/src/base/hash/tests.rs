use super::{HashState, StateHash, StateHasher};
use crate::base::{Angle, CellId, CellRect, Dir8, Fixed, GridSize, Id, Slots, Tick, Vec2, cell};

fn written(write: impl FnOnce(&mut StateHasher)) -> u64 {
    let mut h = StateHasher::new();
    write(&mut h);
    h.finish()
}

/// The hash of bytes written one at a time, without a length.
fn of_bytes(bytes: &[u8]) -> u64 {
    written(|h| bytes.iter().for_each(|&byte| h.write_u8(byte)))
}

#[test]
fn the_hash_is_xxh3() {
    // The published value for no input, and a value computed by the reference library.
    assert_eq!(StateHasher::new().finish(), 0x2D06_8005_38D3_94C2);
    assert_eq!(of_bytes(b"waymarch"), xxhash_rust::xxh3::xxh3_64(b"waymarch"));
    let long: Vec<u8> = (0..5000_u32).map(|i| (i * 7 % 251) as u8).collect();
    assert_eq!(of_bytes(&long), xxhash_rust::xxh3::xxh3_64(&long));
}

#[test]
fn integers_are_written_little_endian() {
    assert_eq!(written(|h| h.write_u16(0x0102)), of_bytes(&[2, 1]));
    assert_eq!(written(|h| h.write_i16(-2)), of_bytes(&[0xFE, 0xFF]));
    assert_eq!(written(|h| h.write_u32(0x0102_0304)), of_bytes(&[4, 3, 2, 1]));
    assert_eq!(written(|h| h.write_i32(-1)), of_bytes(&[0xFF; 4]));
    assert_eq!(written(|h| h.write_u64(1)), of_bytes(&[1, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(written(|h| h.write_i64(-1)), of_bytes(&[0xFF; 8]));
    assert_eq!(written(|h| h.write_bool(true)), of_bytes(&[1]));
    assert_eq!(written(|h| h.write_len(3)), of_bytes(&[3, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(written(|h| h.write_bytes(&[7, 8])), of_bytes(&[2, 0, 0, 0, 0, 0, 0, 0, 7, 8]));
    assert_eq!(written(|h| h.write_i16s(&[1, -1])), of_bytes(&[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xFF, 0xFF]));
}

#[test]
fn lengths_separate_adjacent_lists() {
    let split = |a: &[u8], b: &[u8]| {
        written(|h| {
            h.write_bytes(a);
            h.write_bytes(b);
        })
    };
    assert_ne!(split(b"ab", b"c"), split(b"a", b"bc"));
    assert_ne!(StateHasher::hash_of(&(None::<u8>, 1_u8)), StateHasher::hash_of(&(Some(1_u8), 0_u8)));
    assert_ne!(
        StateHasher::hash_of(&vec![vec![1_u8], vec![]]),
        StateHasher::hash_of(&vec![vec![], vec![1_u8]])
    );
}

fn everything(h: &mut StateHasher) {
    (1_u8, 2_u16).hash_state(h);
    (3_u32, 4_u64).hash_state(h);
    (-5_i16, -6_i32).hash_state(h);
    (-7_i64, true).hash_state(h);
    (Fixed::HALF, Angle(9)).hash_state(h);
    // A centre had a height, 0, when this hash was first written.
    (cell(-1, 2), cell(3, 4).centre()).hash_state(h);
    Fixed::ZERO.hash_state(h);
    (CellId(5), Dir8::NW).hash_state(h);
    (CellRect::at(cell(1, 1), 2, 3), Vec2::from_cells(7, 8)).hash_state(h);
    (GridSize::new(40, 30).expect("legal"), Tick(77)).hash_state(h);
    let mut slots: Slots<u32> = Slots::new();
    let first: Id<u32> = slots.insert(10);
    slots.insert(20);
    slots.remove(first);
    slots.hash_state(h);
    first.hash_state(h);
    [Some(1_u8), None].hash_state(h);
}

#[test]
fn the_hash_of_every_base_type_never_changes_between_versions() {
    assert_eq!(written(everything), GOLDEN_EVERYTHING);
    let hash = StateHash::builder().part_with("a", everything).part("b", &1_u32).finish();
    assert_eq!(hash.total(), GOLDEN_TOTAL);
}

const GOLDEN_EVERYTHING: u64 = 0x36FE_A3CB_90C0_5477;
const GOLDEN_TOTAL: u64 = 0x325A_7C5F_154D_F91D;

#[test]
fn stores_that_hand_out_different_ids_later_have_different_hashes() {
    let mut once: Slots<u8> = Slots::new();
    once.insert(1);
    let mut twice: Slots<u8> = Slots::new();
    let id = twice.insert(1);
    twice.remove(id);
    let emptied = twice.clone();
    twice.insert(1);
    assert_ne!(StateHasher::hash_of(&once), StateHasher::hash_of(&twice));
    assert_ne!(StateHasher::hash_of(&emptied), StateHasher::hash_of(&Slots::<u8>::new()));
}

#[test]
fn a_desync_is_located() {
    let state = |units: u32, routes: u32| {
        StateHash::builder().part("units", &units).part("routes", &routes).part("clock", &1_u8).finish()
    };
    let ours = state(1, 2);
    assert_eq!(ours.first_difference(&state(1, 2)), None);
    assert_eq!(ours.first_difference(&state(9, 2)), Some("units"));
    assert_eq!(ours.first_difference(&state(9, 9)), Some("routes"), "the first by name");
    assert_ne!(ours.total(), state(9, 2).total());
    let names: Vec<_> = ours.parts().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["clock", "routes", "units"]);
    assert_eq!(ours.part("units"), Some(StateHasher::hash_of(&1_u32)));
    assert_eq!(ours.part("weather"), None);
    assert_eq!(ours.to_string().len(), 16);
}

#[test]
fn a_subsystem_only_one_peer_has_is_a_difference() {
    let small = StateHash::builder().part("b", &1_u8).finish();
    let first = StateHash::builder().part("b", &1_u8).part("a", &1_u8).finish();
    let last = StateHash::builder().part("b", &1_u8).part("c", &1_u8).finish();
    for (larger, name) in [(first, "a"), (last, "c")] {
        assert_eq!(small.first_difference(&larger), Some(name));
        assert_eq!(larger.first_difference(&small), Some(name));
    }
}

#[test]
fn the_order_of_adding_parts_does_not_matter() {
    let forth = StateHash::builder().part("a", &1_u8).part("b", &2_u8).finish();
    let back = StateHash::builder().part("b", &2_u8).part("a", &1_u8).finish();
    assert_eq!(forth, back);
}

#[test]
#[should_panic(expected = "already has a part called a")]
fn two_parts_with_one_name_panic() {
    let _ = StateHash::builder().part("a", &1_u8).part("a", &2_u8);
}
