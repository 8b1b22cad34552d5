//! Square roots without division: a table and two rounds of Newton's method give the inverse square root.

/// First estimates of inverse roots, times 2^16, for numbers whose highest byte is 64..=255.
static START: [u32; 192] = start();

const fn start() -> [u32; 192] {
    let mut table = [0; 192];
    let mut at = 0;
    while at < 192 {
        // The middle of the interval as a fraction, (64 + at + 1/2) / 256, times 2^32.
        let middle = (2 * (64 + at as u64) + 1) << 23;
        // 2^48 / sqrt(middle · 2^32) is 2^16 divided by the root of that fraction.
        table[at] = ((1_u64 << 48) / (middle << 32).isqrt()) as u32;
        at += 1;
    }
    table
}

/// The root of a number and its inverse, scaled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// The scaled number is the number times 2^(2 · `shift`). Its highest set bit is one of the upper two bits.
    pub(crate) shift: u32,
    /// The inverse of the root of the scaled number, times 2^62: 2^30 to 2^31.
    pub(crate) inverse: i64,
    /// The root of the scaled number: 2^31 to 2^32.
    pub(crate) root: i64,
}

/// One round of Newton's method: a better estimate of the inverse root of `part` than `y`.
#[inline]
const fn closer(part: u64, y: u64) -> u64 {
    let square = (y * y) >> 30;
    let product = (part * square) >> 32;
    (y * ((3 << 30) - product)) >> 31
}

impl Root {
    /// The root and inverse root of a number above zero. The relative error of both is below 2^-27.
    #[inline]
    pub(crate) const fn of(number: u64) -> Self {
        let shift = number.leading_zeros() / 2;
        let part = (number << (2 * shift)) >> 32;
        // `part` is a number between 1/4 and 1, times 2^32. `y` approaches its inverse root, times 2^30.
        let y = closer(part, (START[((part >> 24) as usize).wrapping_sub(64) % 192] as u64) << 14);
        let y = closer(part, y);
        Self { shift, inverse: y as i64, root: ((part * y) >> 30) as i64 }
    }

    /// The root, rounded to the nearest integer.
    #[inline]
    pub(crate) const fn rounded(self) -> i64 {
        let half = if self.shift == 0 { 0 } else { 1 << (self.shift - 1) };
        (self.root + half) >> self.shift
    }
}

/// The root of a number, with a relative error below 2^-27. 0 for numbers below 1.
#[inline]
pub(crate) fn root(number: i64) -> i64 {
    if number <= 0 { 0 } else { Root::of(number as u64).rounded() }
}

/// The root of a number, rounded down. The same as `number.isqrt()`, in about half the time.
#[inline]
pub(crate) const fn isqrt(number: u64) -> u64 {
    if number == 0 {
        return 0;
    }
    let Root { shift, inverse, root } = Root::of(number);
    // The root of the scaled number, with an error below 32. `over` is the scaled number minus the root's square: it is small, so
    // wrapping arithmetic gives it exactly.
    let scaled = number << (2 * shift);
    let over = scaled.wrapping_sub((root as u64).wrapping_mul(root as u64)) as i64;
    // The correction of the root: `over` divided by twice the root.
    let root = (root + (((over >> 8) * inverse) >> 55)) as u64;
    let over = scaled.wrapping_sub(root.wrapping_mul(root)) as i64;
    let root = if over < 0 {
        root - 1
    } else if over > 2 * root as i64 {
        root + 1
    } else {
        root
    };
    root >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_a_relative_error_below_2_to_the_minus_27() {
        let mut number = 1_u64;
        while number < u64::MAX >> 6 {
            for number in [number - 1, number, number + 1, number + number / 3].into_iter().filter(|&n| n > 0)
            {
                let found = Root::of(number);
                let exact = number.isqrt() as i64;
                assert!((found.rounded() - exact).abs() <= 1 + (exact >> 27), "{number}: {found:?} {exact}");
                // Root times inverse is 2^62.
                let one = (i128::from(found.root) * i128::from(found.inverse)) >> 32;
                assert!((one - (1 << 30)).abs() <= 16, "{number}: {found:?} {one}");
            }
            number = number * 17 / 16 + 1;
        }
        assert_eq!([root(-4), root(0), root(1), root(4), root(1 << 40)], [0, 0, 1, 2, 1 << 20]);
    }

    #[test]
    fn isqrt_is_exact() {
        let check = |number: u64| assert_eq!(isqrt(number), number.isqrt(), "{number}");
        (0..1 << 16).for_each(check);
        let mut at = 1_u64;
        let mut rng = 9_u64;
        while at < u64::from(u32::MAX) {
            for root in [at, at + 1] {
                let square = root * root;
                [square - 1, square, square + 1, square + root, square + 2 * root]
                    .into_iter()
                    .for_each(check);
            }
            rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (0..64).step_by(3).for_each(|shift| check(rng >> shift));
            at += 1 + at / 9_973;
        }
        let most = u64::from(u32::MAX);
        [u64::MAX, u64::MAX - 1, most * most, most * most - 1, most * most + 1].into_iter().for_each(check);
    }

    #[test]
    fn every_entry_of_the_table_converges() {
        for first in 64..256_u64 {
            for rest in [0, 1, 1 << 55, (1 << 56) - 1] {
                let number = (first << 56) | rest;
                let (found, exact) = (Root::of(number).root, number.isqrt() as i64);
                assert!((found - exact).abs() < 32, "{number:x}: {found} {exact}");
            }
        }
    }
}
