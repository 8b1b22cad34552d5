//! Random numbers without floats: a hash, a stream of numbers, and fractal value noise row by row.

/// Mixes 64 bits so that every input bit moves about half of the output bits (the finaliser of SplitMix64).
pub(super) const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A hash of a cell under a seed.
pub(super) const fn hash_cell(seed: u64, x: i32, y: i32) -> u64 {
    mix(seed ^ (((x as u32 as u64) << 32) | y as u32 as u64))
}

/// A stream of numbers: SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Stream(u64);

impl Stream {
    /// Each `purpose` has its own stream, so that a change in one stage changes no other stage.
    pub(super) const fn new(seed: u64, purpose: u64) -> Self {
        Self(mix(seed ^ mix(purpose)))
    }

    /// The next number, 0..`bound`; 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u64::from(bound) * (mix(self.0) >> 32)) >> 32) as u32
    }

    /// The next number, `low..=high`.
    pub(super) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(1) as u32) as i32
    }
}

/// One octave: a lattice of hashed values with smooth interpolation.
#[derive(Clone, Debug)]
struct Octave {
    seed: u64,
    period: u32,
    /// The share of the octave in the noise, out of 4096.
    weight: i32,
    shift_x: u32,
    shift_y: u32,
    /// Smoothstep at each place within a period, 0..=2048.
    ease: Vec<i32>,
}

impl Octave {
    fn new(seed: u64, period: u32, weight: i32) -> Self {
        let span = i64::from(period);
        let ease = (0..span).map(|t| ((3 * span - 2 * t) * t * t * 4096 / (span * span * span)) as i32 / 2);
        let shift = mix(seed ^ 0x5157);
        Self {
            seed,
            period,
            weight,
            shift_x: (shift as u32) % (period * 8),
            shift_y: ((shift >> 32) as u32) % (period * 8),
            ease: ease.collect(),
        }
    }

    /// The lattice value of column `column` at the height of row `y`, −32768..=32767.
    fn lattice(&self, column: u32, y: u32) -> i32 {
        let (row, t) = (y / self.period, (y % self.period) as usize);
        let value = |row: u32| (hash_cell(self.seed, column as i32, row as i32) >> 48) as i32 - 32768;
        let (above, below) = (value(row), value(row + 1));
        above + (((below - above) * self.ease[t]) >> 11)
    }

    /// Adds a row: one run of cells per lattice column, so that the inner loop is plain arithmetic.
    fn add_row(&self, y: u32, mut out: &mut [i32]) {
        let y = y + self.shift_y;
        let mut column = self.shift_x / self.period;
        let mut first = (self.shift_x % self.period) as usize;
        let mut left = self.lattice(column, y);
        while !out.is_empty() {
            let right = self.lattice(column + 1, y);
            let ease = &self.ease[first..];
            let (run, rest) = out.split_at_mut(ease.len().min(out.len()));
            for (cell, ease) in run.iter_mut().zip(ease) {
                let value = left + (((right - left) * ease) >> 11);
                *cell += (value * self.weight) >> 12;
            }
            (out, left, first) = (rest, right, 0);
            column += 1;
        }
    }
}

/// Fractal value noise, −32768..=32767, evaluated a row at a time: about a nanosecond per cell and octave.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    octaves: Vec<Octave>,
}

impl Noise {
    /// Noise with `octaves` layers. The largest features are about `period` cells across; each further layer halves size and weight.
    /// The number of layers is limited so that no period is below 2 cells.
    pub(super) fn new(seed: u64, purpose: u64, period: u32, octaves: u32) -> Self {
        let period = period.max(2);
        let octaves = octaves.clamp(1, period.ilog2());
        // Halving weights that sum to 4096.
        let total: i64 = (0..octaves).map(|k| 4096 >> k).sum();
        let octave = |k: u32| {
            let weight = (i64::from(4096 >> k) * 4096 / total) as i32;
            Octave::new(mix(seed ^ mix(purpose * 64 + u64::from(k))), (period >> k).max(2), weight)
        };
        Self { octaves: (0..octaves).map(octave).collect() }
    }

    /// The sum of two noises with different periods, so that no contour follows a lattice. It costs twice as much as one noise, and
    /// its range is a quarter wider.
    pub(super) fn blended(seed: u64, purpose: u64, period: u32, octaves: u32) -> Self {
        let mut blended = Self::new(seed, purpose, period, octaves);
        blended.octaves.extend(Self::new(seed, purpose + 1000, period * 5 / 7, octaves).octaves);
        for octave in &mut blended.octaves {
            octave.weight = octave.weight * 5 / 8;
        }
        blended
    }

    /// Overwrites `out` with the row `y`, from column 0.
    pub(super) fn row(&self, y: u32, out: &mut [i32]) {
        out.fill(0);
        for octave in &self.octaves {
            octave.add_row(y, out);
        }
    }
}
