use proptest::prelude::*;

use super::{Fixed, ParseFixedError};

fn raw(raw: i32) -> Fixed {
    Fixed::from_raw(raw)
}

const ENDS: [i32; 9] = [i32::MIN, i32::MIN + 1, -1025, -1, 0, 1, 1024, i32::MAX - 1, i32::MAX];

fn any_raw() -> impl Strategy<Value = i32> {
    prop_oneof![any::<i32>(), -5000..5000_i32, prop::sample::select(&ENDS[..])]
}

/// The nearest `Fixed` to an exact result.
fn clamp(value: i128) -> Fixed {
    raw(value.clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as i32)
}

#[test]
fn every_operation_saturates_at_the_ends_of_the_range() {
    let one = Fixed::ONE;
    assert_eq!(Fixed::MAX + one, Fixed::MAX);
    assert_eq!(Fixed::MIN - one, Fixed::MIN);
    assert_eq!(-Fixed::MIN, Fixed::MAX);
    assert_eq!(Fixed::MIN.abs(), Fixed::MAX);
    assert_eq!(Fixed::MIN * Fixed::MIN, Fixed::MAX);
    assert_eq!(Fixed::MIN * Fixed::MAX, Fixed::MIN);
    assert_eq!(Fixed::MIN / raw(-1), Fixed::MAX);
    assert_eq!(Fixed::MAX / raw(-1), Fixed::MIN);
    assert_eq!(Fixed::from_cells(i32::MAX), Fixed::MAX);
    assert_eq!(Fixed::from_cells(i32::MIN), Fixed::MIN);
    assert_eq!(Fixed::from_cells(2_097_151).raw(), 2_097_151 << 10);
    assert_eq!(Fixed::from_cells(-2_097_152), Fixed::MIN);
    assert_eq!([Fixed::MAX, one, -one].into_iter().sum::<Fixed>(), Fixed::MAX - one);
    assert_eq!((Fixed::saturate(i64::MAX), Fixed::saturate(i64::MIN)), (Fixed::MAX, Fixed::MIN));
}

#[test]
fn division_by_zero_gives_the_end_of_the_range() {
    assert_eq!(Fixed::ONE / Fixed::ZERO, Fixed::MAX);
    assert_eq!(-Fixed::ONE / Fixed::ZERO, Fixed::MIN);
    assert_eq!(Fixed::ZERO / Fixed::ZERO, Fixed::ZERO);
    for (numerator, end) in
        [(1, Fixed::MAX), (i64::MAX, Fixed::MAX), (-1, Fixed::MIN), (i64::MIN, Fixed::MIN)]
    {
        assert_eq!(Fixed::ratio(numerator, 0), end);
    }
    assert_eq!(Fixed::ratio(0, 0), Fixed::ZERO);
}

#[test]
fn ratios_round_towards_zero() {
    assert_eq!(Fixed::ratio(1, 3), raw(341));
    assert_eq!(Fixed::ratio(-1, 3), raw(-341));
    assert_eq!(Fixed::ratio(1, -3), raw(-341));
    assert_eq!(Fixed::ratio(i64::MIN, i64::MIN), Fixed::ONE);
    assert_eq!(Fixed::ratio(i64::MIN, -1), Fixed::MAX);
    assert_eq!(Fixed::ratio(i64::MAX, i64::MIN), raw(-1023));
}

#[test]
fn products_and_whole_cells_are_rounded_down() {
    assert_eq!(raw(1) * Fixed::HALF, Fixed::ZERO);
    assert_eq!(raw(-1) * Fixed::HALF, raw(-1));
    assert_eq!((raw(-1).floor_cells(), raw(0).floor_cells(), raw(1023).floor_cells()), (-1, 0, 0));
    assert_eq!((Fixed::MIN.floor_cells(), Fixed::MAX.floor_cells()), (-2_097_152, 2_097_151));
}

#[test]
fn display_is_exact() {
    for (value, shown) in [
        (0, "0"),
        (1024, "1"),
        (512, "0.5"),
        (-512, "-0.5"),
        (-1536, "-1.5"),
        (1, "0.0009765625"),
        (-1, "-0.0009765625"),
        (1025, "1.0009765625"),
        (1023, "0.9990234375"),
        (102_400, "100"),
        (i32::MAX, "2097151.9990234375"),
        (i32::MIN, "-2097152"),
    ] {
        assert_eq!(raw(value).to_string(), shown);
        assert_eq!(format!("{:?}", raw(value)), shown);
        assert_eq!(shown.parse(), Ok(raw(value)));
    }
}

#[test]
fn every_fraction_reads_back() {
    for value in -3000..=3000 {
        assert_eq!(raw(value).to_string().parse(), Ok(raw(value)));
    }
}

#[test]
fn reading_rounds_to_the_nearest_and_ties_away_from_zero() {
    for (text, value) in [
        ("0.00048828125", 1),
        ("-0.00048828125", -1),
        ("0.00048828124999999999999999999", 0),
        ("0.000488281250000000000000000001", 1),
        ("0.00146484374", 1),
        ("0.00146484375", 2),
        ("0.1", 102),
        ("0.333333333333333333333333333333", 341),
        ("1.41421356237309504880168872421", 1448),
        ("0.9999", 1024),
        ("+1", 1024),
        ("007", 7168),
        ("1.", 1024),
        (".5", 512),
        ("-.5", -512),
        ("-0", 0),
    ] {
        assert_eq!(text.parse(), Ok(raw(value)), "{text}");
    }
}

#[test]
fn texts_that_are_not_decimal_numbers_are_errors() {
    for text in
        ["", "-", "+", ".", "-.", "1.2.3", "1,5", "1e3", " 1", "1 ", "--1", "+-1", "0x10", "NaN", "inf", "½"]
    {
        assert_eq!(text.parse::<Fixed>(), Err(ParseFixedError::NotANumber), "{text:?}");
    }
    for text in [
        "2097152",
        "2097151.9996",
        "-2097152.001",
        "-2097153",
        "99999999999999999999999999",
        "9999999999999999999.5",
    ] {
        assert_eq!(text.parse::<Fixed>(), Err(ParseFixedError::OutOfRange), "{text:?}");
    }
    assert_eq!("2097151.9994".parse(), Ok(Fixed::MAX), "rounded to the largest number");
    assert_eq!("-2097152.0004".parse(), Ok(Fixed::MIN));
}

proptest! {
    #[test]
    fn arithmetic_is_the_exact_result_rounded_and_clamped(a in any_raw(), b in any_raw()) {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        prop_assert_eq!(raw(a) + raw(b), clamp(wide_a + wide_b));
        prop_assert_eq!(raw(a) - raw(b), clamp(wide_a - wide_b));
        prop_assert_eq!(raw(a) * raw(b), clamp((wide_a * wide_b).div_euclid(1024)));
        prop_assert_eq!(-raw(a), clamp(-wide_a));
        prop_assert_eq!(raw(a).abs(), clamp(wide_a.abs()));
        if b != 0 {
            prop_assert_eq!(raw(a) / raw(b), clamp(wide_a * 1024 / wide_b));
        }
        prop_assert_eq!(raw(a).cmp(&raw(b)), a.cmp(&b));
    }

    #[test]
    fn every_value_reads_back_as_displayed(value in any_raw()) {
        prop_assert_eq!(raw(value).to_string().parse(), Ok(raw(value)));
    }

    #[test]
    fn reading_never_panics(text in "[-+]?[0-9.]{0,30}[a-z ]?") {
        let _ = text.parse::<Fixed>();
    }
}
