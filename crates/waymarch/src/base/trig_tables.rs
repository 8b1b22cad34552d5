//! The tables of sine and arc tangent, computed at compile time with integer arithmetic.

/// The fraction bits of [`SINE`]: 30.
pub(super) const SINE_BITS: u32 = 30;
/// The fraction bits of [`ATAN`]: 16. Its unit is 1/65,536 of a turn.
pub(super) const ATAN_BITS: u32 = 16;

/// The sine of i 256ths of a quarter turn, i = 0..=256.
pub(super) const SINE: [i32; 257] = sine_table();
/// The angle whose tangent is i / 256, i = 0..=256, in 2^-16 of a unit of [`Angle`](super::Angle).
pub(super) const ATAN: [i32; 257] = atan_table();

/// The fraction bits of the computation: 60. Numbers stay below 4, so a product fits 124 bits.
const WORK_BITS: u32 = 60;
/// The number 1 with 60 fraction bits.
const ONE: i128 = 1 << WORK_BITS;
/// π · 2^60, rounded.
const PI: i128 = 3_622_009_729_038_561_421;

const fn round_shift(value: i128, bits: u32) -> i128 {
    (value + (1 << (bits - 1))) >> bits
}

/// x - x³/3! + x⁵/5! - …, until a term vanishes (about 12 terms for x ≤ π/2).
const fn sine(x: i128) -> i128 {
    let square = (x * x) >> WORK_BITS;
    let (mut sum, mut term, mut n) = (0, x, 1);
    while term != 0 {
        sum += term;
        term = -(((term * square) >> WORK_BITS) / ((n + 1) * (n + 2)));
        n += 2;
    }
    sum
}

const fn sine_table() -> [i32; 257] {
    let mut table = [0; 257];
    let mut i = 0;
    while i <= 256 {
        table[i] = round_shift(sine(PI * i as i128 / 512), WORK_BITS - SINE_BITS) as i32;
        i += 1;
    }
    table
}

/// x - x³/3 + x⁵/5 - …, until a power vanishes (4 terms for x ≤ 1/256).
const fn small_atan(x: i128) -> i128 {
    let square = (x * x) >> WORK_BITS;
    let (mut sum, mut power, mut n) = (0, x, 1);
    while power != 0 {
        sum += if n % 4 == 1 { power / n } else { -(power / n) };
        power = (power * square) >> WORK_BITS;
        n += 2;
    }
    sum
}

/// Uses the identity atan((i+1)/n) - atan(i/n) = atan(n / (n² + i(i+1))). Its right-hand argument is small for every i.
const fn atan_table() -> [i32; 257] {
    let mut table = [0; 257];
    let mut radians = 0;
    let mut i: i128 = 0;
    while i < 256 {
        radians += small_atan(256 * ONE / (256 * 256 + i * (i + 1)));
        i += 1;
        // Half a turn is π, or 2^15 units.
        table[i as usize] = ((radians * (1 << (15 + ATAN_BITS)) + PI / 2) / PI) as i32;
    }
    table
}
