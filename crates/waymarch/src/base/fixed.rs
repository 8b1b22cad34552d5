//! Fixed-point numbers with 10 fraction bits.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number with 10 fraction bits. The raw value 1024 means 1: one cell, one cell per tick, or a factor of 1.
///
/// The operators saturate at [`Fixed::MIN`] and [`Fixed::MAX`] instead of wrapping. They compute in 64 bits or more. Products are
/// rounded towards negative infinity, quotients towards zero. Division by zero gives [`Fixed::MAX`] or [`Fixed::MIN`], with the sign
/// of the dividend, and 0 for 0/0.
///
/// ```
/// use waymarch::base::Fixed;
/// let half = Fixed::from_raw(512);
/// assert_eq!(Fixed::from_cells(3) * half, Fixed::from_raw(1536));
/// assert_eq!(Fixed::MAX + Fixed::ONE, Fixed::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fixed(i32);

impl Fixed {
    /// The number of fraction bits: 10.
    pub const BITS: u32 = 10;
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// One: the raw value 1024.
    pub const ONE: Self = Self(1 << Self::BITS);
    /// One half: the raw value 512.
    pub const HALF: Self = Self(1 << (Self::BITS - 1));
    /// The smallest value: -2,097,152.
    pub const MIN: Self = Self(i32::MIN);
    /// The largest value, a little under 2,097,152.
    pub const MAX: Self = Self(i32::MAX);

    /// The number with this raw value, in 1024ths.
    #[inline]
    #[must_use]
    pub const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// The raw value, in 1024ths.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A whole number of cells; saturates.
    #[inline]
    #[must_use]
    pub const fn from_cells(cells: i32) -> Self {
        Self::saturate((cells as i64) << Self::BITS)
    }

    /// The number rounded down to a whole number of cells.
    #[inline]
    #[must_use]
    pub const fn floor_cells(self) -> i32 {
        self.0 >> Self::BITS
    }

    /// `numerator / denominator`, rounded towards zero. Saturates if the result does not fit or the denominator is 0.
    #[inline]
    #[must_use]
    pub const fn ratio(numerator: i64, denominator: i64) -> Self {
        if denominator == 0 {
            return Self::saturate(numerator.saturating_mul(i64::MAX));
        }
        Self::saturate_wide(((numerator as i128) << Self::BITS) / denominator as i128)
    }

    /// `raw` 1024ths, clamped to the range of `Fixed`.
    #[inline]
    #[must_use]
    pub const fn saturate(raw: i64) -> Self {
        if raw > i32::MAX as i64 {
            Self::MAX
        } else if raw < i32::MIN as i64 {
            Self::MIN
        } else {
            Self(raw as i32)
        }
    }

    const fn saturate_wide(raw: i128) -> Self {
        if raw > i32::MAX as i128 {
            Self::MAX
        } else if raw < i32::MIN as i128 {
            Self::MIN
        } else {
            Self(raw as i32)
        }
    }

    /// `self + other`, saturating; the `const` form of `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// `self * other` rounded down, saturating; the `const` form of `*`.
    #[inline]
    #[must_use]
    pub const fn saturating_mul(self, other: Self) -> Self {
        Self::saturate((self.0 as i64 * other.0 as i64) >> Self::BITS)
    }

    /// `self / other` rounded towards zero, saturating; the `const` form of `/`.
    #[inline]
    #[must_use]
    pub const fn saturating_div(self, other: Self) -> Self {
        Self::ratio(self.0 as i64, other.0 as i64)
    }

    /// The absolute value; saturates for [`Fixed::MIN`].
    #[inline]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// -1, 0 or 1.
    #[inline]
    #[must_use]
    pub const fn signum(self) -> i32 {
        self.0.signum()
    }
}

impl Add for Fixed {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl AddAssign for Fixed {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Fixed {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Fixed {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Fixed {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Mul for Fixed {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.saturating_mul(other)
    }
}

impl Div for Fixed {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        self.saturating_div(other)
    }
}

impl Sum for Fixed {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Fixed {
    /// The exact decimal number. A multiple of 1/1024 has at most 10 decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        let whole = magnitude >> Self::BITS;
        // 1/1024 is 0.0009765625, so this is exact.
        let mut fraction = u64::from(magnitude & 1023) * 9_765_625;
        if fraction == 0 {
            return write!(f, "{sign}{whole}");
        }
        let mut digits = 10;
        while fraction % 10 == 0 {
            fraction /= 10;
            digits -= 1;
        }
        write!(f, "{sign}{whole}.{fraction:0digits$}")
    }
}

impl fmt::Debug for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a decimal number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseFixedError {
    /// The text is not an optional sign, digits and at most one point.
    #[error("not a decimal number (expected digits with an optional point, such as 1.5)")]
    NotANumber,
    /// The number is below [`Fixed::MIN`] or above [`Fixed::MAX`].
    #[error("out of range: the smallest number is -2097152 and the largest 2097151.9990234375")]
    OutOfRange,
}

impl core::str::FromStr for Fixed {
    type Err = ParseFixedError;

    /// Reads a decimal number and rounds it to the nearest 1024th, ties away from zero. It uses no floating
    /// point, so every machine reads the same value. Every displayed value reads back unchanged.
    fn from_str(text: &str) -> Result<Self, ParseFixedError> {
        /// 10^11: eleven decimals are read. A value halfway between two 1024ths has 11 decimals, so later digits cannot change the rounding.
        const DECIMALS: i64 = 100_000_000_000;
        let (negative, digits) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let mut whole: i64 = 0;
        let mut fraction: i64 = 0;
        let mut scale: i64 = 1;
        let (mut seen_point, mut seen_digit) = (false, false);
        for &byte in digits {
            match byte {
                b'0'..=b'9' => {
                    seen_digit = true;
                    let digit = i64::from(byte - b'0');
                    if !seen_point {
                        whole = whole * 10 + digit;
                        if whole > i64::from(i32::MIN >> Self::BITS).abs() {
                            return Err(ParseFixedError::OutOfRange);
                        }
                    } else if scale < DECIMALS {
                        fraction = fraction * 10 + digit;
                        scale *= 10;
                    }
                }
                b'.' if !seen_point => seen_point = true,
                _ => return Err(ParseFixedError::NotANumber),
            }
        }
        if !seen_digit {
            return Err(ParseFixedError::NotANumber);
        }
        let raw = (whole << Self::BITS) + ((fraction << (Self::BITS + 1)) + scale) / (2 * scale);
        let signed = if negative { -raw } else { raw };
        i32::try_from(signed).map(Self).map_err(|_| ParseFixedError::OutOfRange)
    }
}

#[cfg(test)]
mod tests;
