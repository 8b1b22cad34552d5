use proptest::prelude::*;

use super::{BitGrid, RowColBits};
use crate::base::{CellPos, Dir8, GridSize, cell};

fn size(width: u32, height: u32) -> GridSize {
    GridSize::new(width, height).expect("legal")
}

/// Sides around the ends of words, where mistakes live.
fn side() -> impl Strategy<Value = u32> {
    prop_oneof![1..8_u32, 60..70_u32, 126..131_u32, 190..195_u32]
}

/// Mostly set, so that runs are long, with a few bits changed.
fn grid() -> impl Strategy<Value = (GridSize, Vec<CellPos>)> {
    (side(), side()).prop_flat_map(|(w, h)| {
        let pos = (0..w as i32, 0..h as i32).prop_map(|(x, y)| cell(x, y));
        (Just(size(w, h)), prop::collection::vec(pos, 0..12))
    })
}

fn naive_run(bits: &RowColBits, mut pos: CellPos, dir: Dir8) -> u32 {
    let mut run = 0;
    while bits.get(pos) {
        run += 1;
        pos = pos.step(dir);
    }
    run
}

fn run(bits: &RowColBits, pos: CellPos, dir: Dir8) -> u32 {
    match dir {
        Dir8::N => bits.run_north(pos),
        Dir8::E => bits.run_east(pos),
        Dir8::S => bits.run_south(pos),
        _ => bits.run_west(pos),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn runs_are_what_walking_finds((size, holes) in grid()) {
        let mut bits = RowColBits::from_fn(size, |_| true);
        for &hole in &holes {
            bits.unset(hole);
        }
        // All around the holes and along the edges, the margin included.
        let (w, h) = (size.width() as i32, size.height() as i32);
        let corners = [cell(0, 0), cell(w - 1, 0), cell(0, h - 1), cell(w - 1, h - 1), cell(w / 2, h / 2)];
        for pos in holes.iter().copied().chain(corners).flat_map(|pos| Dir8::ALL.map(|dir| pos.step(dir))) {
            for dir in Dir8::STRAIGHT {
                prop_assert_eq!(run(&bits, pos, dir), naive_run(&bits, pos, dir), "from {} to {:?}", pos, dir);
            }
            let expected = (0..64).filter(|&i| bits.get(pos.offset(i, 0))).fold(0_u64, |word, i| word | 1 << i);
            prop_assert_eq!(bits.rows().bits_from(pos), expected);
        }
    }

    #[test]
    fn rows_and_columns_stay_in_step((size, changes) in grid()) {
        let mut bits = RowColBits::new(size);
        let mut twin = std::collections::BTreeSet::new();
        for (i, &pos) in changes.iter().chain(&changes).enumerate() {
            if i % 3 == 0 {
                prop_assert_eq!(bits.unset(pos), twin.remove(&pos));
            } else {
                prop_assert_eq!(bits.set(pos), twin.insert(pos));
            }
        }
        for pos in size.rect().grow(2, 2).cells() {
            prop_assert_eq!(bits.get(pos), twin.contains(&pos));
            prop_assert_eq!(bits.cols().get(cell(pos.y, pos.x)), twin.contains(&pos));
            let word = bits.rows().row_word(pos.x.div_euclid(64), pos.y);
            prop_assert_eq!(word >> pos.x.rem_euclid(64) & 1 == 1, twin.contains(&pos));
        }
        prop_assert_eq!(bits.rows().count(), twin.len() as u64);
        prop_assert_eq!(&bits, &RowColBits::from_fn(size, |pos| twin.contains(&pos)));
        bits.clear();
        prop_assert_eq!(bits, RowColBits::new(size));
    }
}

#[test]
fn everything_that_is_not_a_cell_is_clear() {
    for (w, h) in [(1, 1), (63, 3), (64, 2), (65, 1), (128, 5)] {
        let grid = BitGrid::from_fn(size(w, h), |_| true);
        assert_eq!(grid.count(), u64::from(w * h));
        let stride = grid.stride;
        for (at, word) in grid.words.iter().enumerate() {
            let (row, column) = (at / stride, at % stride);
            let inside = (1..=h as usize).contains(&row) && (1..stride - 1).contains(&column);
            assert!(inside || *word == 0, "margin of {w}×{h}");
        }
    }
}

#[test]
fn far_off_the_grid_is_clear_too() {
    let grid = BitGrid::from_fn(size(64, 64), |_| true);
    for far in [i32::MIN, i32::MIN + 1, -65, -64, 66, 1 << 20, i32::MAX - 1, i32::MAX] {
        assert_eq!(grid.row_word(far, 0), 0);
        assert_eq!(grid.row_word(0, far), 0);
        assert_eq!(grid.bits_from(cell(far, 5)), 0);
        assert_eq!(grid.bits_from(cell(5, far)), 0);
        assert_eq!(grid.run_east(cell(far, 5)) + grid.run_west(cell(5, far)), 0);
        assert!(!grid.get(cell(far, far)));
    }
    assert_eq!(grid.bits_from(cell(-63, 0)), 1 << 63);
}

#[test]
fn a_run_crosses_any_number_of_words() {
    let mut bits = RowColBits::from_fn(size(8192, 1), |_| true);
    assert_eq!(bits.run_east(cell(0, 0)), 8192);
    assert_eq!(bits.run_west(cell(8191, 0)), 8192);
    bits.unset(cell(4096, 0));
    assert_eq!(bits.run_east(cell(1, 0)), 4095);
    assert_eq!(bits.run_west(cell(8191, 0)), 4095);
}

#[test]
#[should_panic(expected = "(3, 0) is not on a grid of 3×2")]
fn setting_a_bit_off_the_grid_is_a_bug() {
    BitGrid::new(size(3, 2)).set(cell(3, 0));
}
