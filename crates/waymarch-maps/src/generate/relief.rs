//! The relief: noise shaped into sea, plains and stepped plateaus with cliffs and ramps.

use waymarch::base::{CellPos, GridSize, cell};

use super::land::{Land, WATER_LEVEL};
use super::noise::{Noise, Stream};
use super::options::{GenerateOptions, Landform};
use super::standard_rules::ground;

/// The height difference between plateaus: 330 (256 is one cell), too steep to climb within one or two cells.
const STEP: i32 = 330;

/// Sixteen directions on a circle of radius 1024.
const COMPASS: [(i32, i32); 16] = [
    (1024, 0),
    (946, 392),
    (724, 724),
    (392, 946),
    (0, 1024),
    (-392, 946),
    (-724, 724),
    (-946, 392),
    (-1024, 0),
    (-946, -392),
    (-724, -724),
    (-392, -946),
    (0, -1024),
    (392, -946),
    (724, -724),
    (946, -392),
];

/// Derived: the relief as a function of the cell, evaluated row by row.
pub(super) struct Relief {
    size: GridSize,
    landform: Landform,
    /// The position of each column across the map, −1024..=1024.
    across: Vec<i32>,
    base: Noise,
    /// High where plateaus end in cliffs, low where they end in ramps.
    edge: Noise,
    roll: Noise,
    /// The direction of the sea, or the direction in which the pass crosses the ridge.
    compass: (i32, i32),
    /// Cells with a lower value are water.
    pub(super) sea: i32,
    /// The first plateau, the second plateau and the peaks begin at these values.
    pub(super) steps: [i32; 3],
}

impl Relief {
    pub(super) fn new(seed: u64, size: GridSize, options: &GenerateOptions) -> Self {
        let long = size.width().max(size.height());
        let islands = options.landform == Landform::Islands;
        let period = if islands { (long / 5).clamp(8, 64) } else { (long / 3).clamp(8, 64) };
        let width = size.width() as i32;
        let mut relief = Self {
            size,
            landform: options.landform,
            across: (0..width).map(|x| (2 * x + 1 - width) * 1024 / width).collect(),
            base: Noise::new(seed, 1, period, 4),
            edge: Noise::new(seed, 2, (period * 2 / 3).max(6), 2),
            roll: Noise::new(seed, 3, 14, 2),
            compass: COMPASS[Stream::new(seed, 4).below(16) as usize],
            sea: i32::MIN,
            steps: [i32::MAX; 3],
        };
        relief.choose_levels(options);
        relief
    }

    /// Chooses the levels so that the requested shares of the map lie below and above them.
    fn choose_levels(&mut self, options: &GenerateOptions) {
        let (width, height) = (self.size.width(), self.size.height());
        let (stride_x, stride_y) = ((width / 128).max(1), (height / 128).max(1));
        let mut row = vec![0; width as usize];
        let mut samples = Vec::new();
        for y in (0..height).step_by(stride_y as usize) {
            self.row(y, &mut row);
            samples.extend(row.iter().step_by(stride_x as usize));
        }
        samples.sort_unstable();
        let share = |permille: usize| samples[(samples.len() * permille / 1000).min(samples.len() - 1)];
        let sea = usize::from(options.sea.min(70));
        if sea > 0 {
            self.sea = share(sea * 10);
        }
        // On a map with a side under 40 cells, plateaus would leave no room for the starts.
        if width.min(height) >= 40 {
            let hills = usize::from(options.hills.min(60));
            let shore = self.sea.saturating_add(5000);
            let first = share(1000 - hills * 10).max(shore);
            let second = share(1000 - hills * 4).max(first + 3000);
            let peaks = if self.landform == Landform::Pass { hills * 2 } else { hills };
            self.steps = [first, second, share(1000 - peaks).max(second + 1800)];
        }
    }

    /// The relief values of a row, before they are turned into steps.
    pub(super) fn row(&self, y: u32, out: &mut [i32]) {
        self.base.row(y, out);
        let height = self.size.height() as i32;
        let v = (2 * y as i32 + 1 - height) * 1024 / height;
        for (value, &u) in out.iter_mut().zip(&self.across) {
            *value += self.bias(u, v, *value);
        }
    }

    /// What the landform adds at (`u`, `v`), each −1024..=1024 across the map. `noise` is the noise value there.
    fn bias(&self, u: i32, v: i32, noise: i32) -> i32 {
        let along = (u * self.compass.0 + v * self.compass.1) / 1024;
        match self.landform {
            Landform::Coast => {
                // Falls faster and faster towards the sea.
                let shore = (-along - 200).max(0);
                along * 6 - shore * 22
            }
            Landform::Islands => {
                let edge = (u.abs().max(v.abs()) - 700).max(0);
                -edge * 60
            }
            Landform::Pass => {
                // A ridge through the middle of the map; the noise makes it wind.
                let away = (along + noise / 44).abs();
                (330 - away).max(0) * 95
            }
            Landform::Inland => 0,
        }
    }

    /// Both ends of the pass through the ridge, if the landform has one and the map has room for it.
    pub(super) fn pass(&self) -> Option<(CellPos, CellPos)> {
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        let reach = width.min(height) * 3 / 10;
        let end = |side: i32| {
            let along = |part: i32| part * reach * side / 1024;
            cell(width / 2 + along(self.compass.0), height / 2 + along(self.compass.1))
        };
        (self.landform == Landform::Pass && reach >= 6).then(|| (end(1), end(-1)))
    }

    /// The heights and the water of the whole map.
    pub(super) fn shape(&self) -> Land {
        let (size, width) = (self.size, self.size.width() as usize);
        let mut land = Land {
            size,
            elevation: Vec::with_capacity(size.cells()),
            cover: Vec::with_capacity(size.cells()),
        };
        let (mut base, mut edge, mut roll) = (vec![0; width], vec![0; width], vec![0; width]);
        for y in 0..size.height() {
            self.row(y, &mut base);
            self.edge.row(y, &mut edge);
            self.roll.row(y, &mut roll);
            for x in 0..width {
                let value = base[x];
                if value < self.sea {
                    land.elevation.push(WATER_LEVEL);
                    land.cover.push(ground::WATER);
                } else {
                    land.elevation.push(self.elevation(value, edge[x], roll[x]));
                    land.cover.push(ground::CLEAR);
                }
            }
        }
        land
    }

    fn elevation(&self, value: i32, edge: i32, roll: i32) -> i16 {
        // The range of values that one step is spread over: small for cliffs, large for ramps where the edge noise is low.
        let spread = (500 + (-5000 - edge).max(0) * 4).min(16_000);
        let plateaus: i32 = self
            .steps
            .iter()
            .map(|&level| STEP * value.saturating_sub(level).clamp(0, spread) / spread)
            .sum();
        let inland = if self.sea == i32::MIN { value + 32768 } else { value - self.sea };
        let gentle = (inland / 256).clamp(0, 200) + roll / 900;
        (plateaus + gentle.max(-8)) as i16
    }
}
