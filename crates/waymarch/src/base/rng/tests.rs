use core::ops::Range;

use proptest::prelude::*;

use super::{GOLDEN, Purpose, Rng, split_mix};
use crate::base::Tick;

fn stream(seed: u64) -> Rng {
    Rng::keyed(seed, Tick(0), 0, Purpose(0))
}

#[test]
fn pcg32_agrees_with_its_reference_implementation() {
    let mut rng = Rng::pcg32(42, 54);
    let drawn: [u32; 6] = core::array::from_fn(|_| rng.next_u32());
    assert_eq!(drawn, [0xA15C_02B7, 0x7B47_F409, 0xBA1D_3330, 0x83D2_F293, 0xBFA4_784B, 0xCBED_606E]);
}

#[test]
fn split_mix_64_gives_its_known_answers() {
    // The k-th output for seed s is a step from s + k·GOLDEN.
    let outputs = |seed: u64| -> [u64; 3] {
        core::array::from_fn(|k| split_mix(seed.wrapping_add(GOLDEN.wrapping_mul(k as u64))))
    };
    assert_eq!(outputs(0), [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    assert_eq!(
        outputs(1_234_567),
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    );
}

#[test]
fn a_keyed_stream_never_changes_between_versions() {
    let mut rng = Rng::keyed(7, Tick(100), 42, Purpose(3));
    let drawn: [u32; 4] = core::array::from_fn(|_| rng.next_u32());
    assert_eq!(drawn, GOLDEN_STREAM);
}

const GOLDEN_STREAM: [u32; 4] = [0xE382_313E, 0x3145_DA85, 0x575E_98C7, 0xA7E1_853C];

#[test]
fn every_part_of_the_key_changes_the_stream() {
    let key = |seed, tick, id, purpose| Rng::keyed(seed, Tick(tick), id, Purpose(purpose)).next_u64();
    let mut firsts = vec![
        key(0, 0, 0, 0),
        key(1, 0, 0, 0),
        key(0, 1, 0, 0),
        key(0, 0, 1, 0),
        key(0, 0, 0, 1),
        key(1, 1, 0, 0),
    ];
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 6);
}

#[test]
fn draws_below_a_bound_are_uniform() {
    let mut rng = stream(1);
    let mut counts = [0_u32; 6];
    for _ in 0..60_000 {
        counts[rng.below(6) as usize] += 1;
    }
    // Five standard deviations are 457.
    assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 457), "{counts:?}");
    // Without rejection, a bound of three quarters of the range would make some results twice as likely.
    let n = 3 << 30;
    let low = (0..30_000).filter(|_| rng.below(n) < n / 2).count();
    assert!(low.abs_diff(15_000) < 433, "{low}");
}

#[test]
fn bounds_at_the_ends_of_the_range() {
    let mut rng = stream(2);
    let before = rng.clone();
    assert_eq!(rng.below(0), 0);
    assert_eq!(rng.range(5..5), 5);
    assert_eq!(rng.range(Range { start: 5, end: 3 }), 5);
    assert!(!rng.chance(1, 0));
    assert_eq!(rng, before, "none of these calls makes a draw");
    assert_eq!(rng.below(1), 0);
    assert!(rng.chance(1, 1) && rng.chance(9, 3) && !rng.chance(0, 3));
    for _ in 0..1000 {
        assert!(rng.below(u32::MAX) < u32::MAX);
        assert!(rng.range(i32::MIN..i32::MAX) < i32::MAX);
    }
}

#[test]
fn a_chance_of_one_in_four_is_true_a_quarter_of_the_time() {
    let mut rng = stream(3);
    let hits = (0..40_000).filter(|_| rng.chance(1, 4)).count();
    assert!(hits.abs_diff(10_000) < 433, "{hits}");
}

#[test]
fn all_orders_of_three_are_equally_likely() {
    let mut rng = stream(4);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..12_000 {
        let mut items = [0, 1, 2];
        rng.shuffle(&mut items);
        *counts.entry(items).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|&count| count.abs_diff(2_000) < 205), "{counts:?}");
}

proptest! {
    #[test]
    fn draws_lie_in_their_range(seed in any::<u64>(), start in any::<i32>(), end in any::<i32>()) {
        let mut rng = stream(seed);
        let drawn = rng.range(start..end);
        prop_assert!((start..end).contains(&drawn) || (start >= end && drawn == start));
    }

    #[test]
    fn shuffling_only_reorders(seed in any::<u64>(), items in prop::collection::vec(any::<u8>(), 0..40)) {
        let (mut once, mut again) = (items.clone(), items.clone());
        stream(seed).shuffle(&mut once);
        stream(seed).shuffle(&mut again);
        prop_assert_eq!(&once, &again);
        let mut sorted = items;
        sorted.sort_unstable();
        once.sort_unstable();
        prop_assert_eq!(once, sorted);
    }
}
