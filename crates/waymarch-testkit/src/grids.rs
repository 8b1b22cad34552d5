//! Seeded random grids of several kinds. The same seed always gives the same grid.

use waymarch::base::{CellPos, GridSize};
use waymarch::cost::{LocomotorDef, Map, Rules, Surface, SurfaceMask, TerrainDef, TerrainId};

use crate::rule::BLOCKED;
use crate::splitmix::SplitMix;

/// A grid of costs, row by row; 255 is blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width × height` costs.
    pub cost: Vec<u8>,
}

impl Grid {
    /// Every cell costs `cost`.
    #[must_use]
    pub fn filled(width: u32, height: u32, cost: u8) -> Self {
        Self { width, height, cost: vec![cost; width as usize * height as usize] }
    }

    /// Randomly blocked cells, `permille` of a thousand.
    #[must_use]
    pub fn scatter(seed: u64, width: u32, height: u32, permille: u32) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut grid = Self::filled(width, height, 1);
        grid.cost.iter_mut().for_each(|cost| *cost = if rng.chance(permille) { BLOCKED } else { 1 });
        grid
    }

    /// A maze with corridors and walls one cell wide. All corridor cells are connected.
    #[must_use]
    pub fn maze(seed: u64, width: u32, height: u32) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut grid = Self::filled(width, height, BLOCKED);
        let mut trail = vec![(0, 0)];
        grid.set((0, 0), 1);
        // Carves two cells at a time and backs up at dead ends.
        while let Some(&(x, y)) = trail.last() {
            let directions: Vec<(i32, i32)> = [(0, -1), (1, 0), (0, 1), (-1, 0)]
                .into_iter()
                .filter(|(dx, dy)| grid.get((x + 2 * dx, y + 2 * dy)) == Some(BLOCKED))
                .collect();
            if directions.is_empty() {
                trail.pop();
                continue;
            }
            let (dx, dy) = rng.pick(&directions);
            grid.set((x + dx, y + dy), 1);
            grid.set((x + 2 * dx, y + 2 * dy), 1);
            trail.push((x + 2 * dx, y + 2 * dy));
        }
        grid
    }

    /// Square rooms of `side` cells between walls one cell thick, with a random door in each wall.
    ///
    /// # Panics
    /// If `side` is 0.
    #[must_use]
    pub fn rooms(seed: u64, width: u32, height: u32, side: u32) -> Self {
        assert!(side > 0, "a room has a side of at least 1");
        let mut rng = SplitMix::new(seed);
        let mut grid = Self::filled(width, height, 1);
        let pitch = side as i32 + 1;
        for (x, y) in grid.cells() {
            if (x + 1) % pitch == 0 || (y + 1) % pitch == 0 {
                grid.set((x, y), BLOCKED);
            }
        }
        for top in (0..height as i32).step_by(pitch as usize) {
            for left in (0..width as i32).step_by(pitch as usize) {
                let (along, down) = (rng.below(side) as i32, rng.below(side) as i32);
                grid.set((left + pitch - 1, top + down), 1);
                grid.set((left + along, top + pitch - 1), 1);
            }
        }
        grid
    }

    /// Caves: noise that is smoothed several times by the majority of the neighbours.
    #[must_use]
    pub fn caves(seed: u64, width: u32, height: u32) -> Self {
        let mut grid = Self::scatter(seed, width, height, 420);
        for _ in 0..4 {
            let before = grid.clone();
            for (x, y) in before.cells() {
                let walls = (-1..=1)
                    .flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)))
                    .filter(|&at| before.get(at).is_none_or(|cost| cost == BLOCKED))
                    .count();
                grid.set((x, y), if walls >= 5 { BLOCKED } else { 1 });
            }
        }
        grid
    }

    /// Weighted ground: round patches of the given costs on ground of the first cost.
    ///
    /// # Panics
    /// If `costs` is empty.
    #[must_use]
    pub fn patches(seed: u64, width: u32, height: u32, costs: &[u8]) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut grid = Self::filled(width, height, costs[0]);
        let count = (width * height).div_ceil(40);
        for _ in 0..count {
            let (x, y) = (rng.below(width) as i32, rng.below(height) as i32);
            let radius = 1 + rng.below(1 + width.min(height) / 6) as i32;
            let cost = rng.pick(costs);
            for row in y - radius..=y + radius {
                for column in x - radius..=x + radius {
                    if (column - x).pow(2) + (row - y).pow(2) <= radius * radius {
                        grid.set((column, row), cost);
                    }
                }
            }
        }
        grid
    }

    /// City blocks: solid blocks of different sizes between streets one to three cells wide.
    #[must_use]
    pub fn city(seed: u64, width: u32, height: u32) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut streets = |length: u32| -> Vec<bool> {
            let mut is_street = Vec::new();
            while is_street.len() < length as usize {
                is_street.extend(vec![true; 1 + rng.below(3) as usize]);
                is_street.extend(vec![false; 2 + rng.below(5) as usize]);
            }
            is_street
        };
        let (columns, rows) = (streets(width), streets(height));
        let mut grid = Self::filled(width, height, 1);
        for (x, y) in grid.cells() {
            if !columns[x as usize] && !rows[y as usize] {
                grid.set((x, y), BLOCKED);
            }
        }
        grid
    }

    /// The index of a cell in [`Grid::cost`].
    ///
    /// # Panics
    /// If it is off the grid.
    #[must_use]
    pub fn index(&self, (x, y): (i32, i32)) -> usize {
        assert!(self.get((x, y)).is_some(), "({x}, {y}) is not on the grid");
        y as usize * self.width as usize + x as usize
    }

    /// A cell's cost, or `None` off the grid.
    #[must_use]
    pub fn get(&self, (x, y): (i32, i32)) -> Option<u8> {
        let inside = x >= 0 && y >= 0 && (x as u32) < self.width && (y as u32) < self.height;
        inside.then(|| self.cost[y as usize * self.width as usize + x as usize])
    }

    /// Sets a cell's cost; does nothing off the grid.
    pub fn set(&mut self, at: (i32, i32), cost: u8) {
        if self.get(at).is_some() {
            let index = self.index(at);
            self.cost[index] = cost;
        }
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (width, height) = (self.width as i32, self.height as i32);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Every cell that is not blocked, row by row.
    pub fn open_cells(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.cells().filter(|&at| self.get(at) != Some(BLOCKED))
    }

    /// A random open cell, or `None` if there is none.
    pub fn random_open(&self, rng: &mut SplitMix) -> Option<CellPos> {
        let open: Vec<(i32, i32)> = self.open_cells().collect();
        if open.is_empty() {
            return None;
        }
        let (x, y) = rng.pick(&open);
        Some(CellPos::new(x, y))
    }

    /// A map for one locomotor `foot` with exactly these costs.
    ///
    /// # Panics
    /// If the sides are not legal or a cost is 0.
    #[must_use]
    pub fn to_map(&self, name: &str) -> Map {
        let mut costs = self.cost.clone();
        costs.sort_unstable();
        costs.dedup();
        assert!(costs.first() != Some(&0), "a cost of 0 is not legal");
        let rules = Rules {
            normal: costs.first().copied().filter(|&cost| cost != BLOCKED).unwrap_or(1),
            terrains: costs
                .iter()
                .map(|cost| TerrainDef::new(format!("cost {cost}"), Surface::Ground))
                .collect(),
            locomotors: vec![LocomotorDef::new("foot", SurfaceMask::GROUND)],
            costs: costs.iter().map(|&cost| vec![Some(cost)]).collect(),
            speeds: Vec::new(),
        };
        let size = GridSize::new(self.width, self.height).expect("a legal size");
        let mut map = Map::flat(name, size, rules);
        for (terrain, cost) in map.terrain.iter_mut().zip(&self.cost) {
            let at = costs.binary_search(cost).expect("every cost is in the list");
            *terrain = TerrainId(at as u8);
        }
        map
    }
}

/// One grid of every kind with its name, for differential tests.
#[must_use]
pub fn every_kind(seed: u64, width: u32, height: u32) -> Vec<(&'static str, Grid)> {
    let mut weighted = Grid::patches(seed, width, height, &[100, 80, 113, 200]);
    let walls = Grid::scatter(seed ^ 1, width, height, 150);
    for (cost, wall) in weighted.cost.iter_mut().zip(&walls.cost) {
        *cost = (*cost).max(*wall);
    }
    vec![
        ("open", Grid::filled(width, height, 1)),
        ("sparse", Grid::scatter(seed, width, height, 100)),
        ("dense", Grid::scatter(seed, width, height, 350)),
        ("maze", Grid::maze(seed, width, height)),
        ("rooms", Grid::rooms(seed, width, height, 5)),
        ("caves", Grid::caves(seed, width, height)),
        ("patches", Grid::patches(seed, width, height, &[100, 80, 113, 200])),
        ("patches and walls", weighted),
        ("city", Grid::city(seed, width, height)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::{UNREACHED, distances};
    use crate::rule::Rule;
    use waymarch::base::LocomotorId;

    fn all_connected(grid: &Grid) -> bool {
        let start = grid.open_cells().next().expect("an open cell");
        let found = distances(&grid.cost, grid.width, grid.height, Rule::Four, start);
        grid.open_cells().all(|at| found[grid.index(at)] != UNREACHED)
    }

    #[test]
    fn the_same_seed_gives_the_same_grid_and_another_seed_another() {
        let same = every_kind(3, 30, 21);
        assert_eq!(same, every_kind(3, 30, 21));
        let other = every_kind(4, 30, 21);
        assert!(same.iter().zip(&other).all(|(a, b)| a == b || a.1 != b.1));
        assert_eq!(
            same.iter().zip(&other).filter(|(a, b)| a == b).count(),
            1,
            "only the open grid is the same"
        );
    }

    #[test]
    fn scatter_keeps_to_its_density() {
        let grid = Grid::scatter(9, 100, 100, 250);
        let blocked = grid.cost.iter().filter(|&&cost| cost == BLOCKED).count();
        assert!((2200..2800).contains(&blocked), "{blocked}");
        assert!(Grid::scatter(9, 10, 10, 0).cost.iter().all(|&cost| cost == 1));
        assert!(Grid::scatter(9, 10, 10, 1000).cost.iter().all(|&cost| cost == BLOCKED));
    }

    #[test]
    fn mazes_rooms_and_cities_are_connected() {
        for seed in 0..5 {
            assert!(all_connected(&Grid::maze(seed, 31, 21)));
            assert!(all_connected(&Grid::rooms(seed, 35, 29, 5)));
            assert!(all_connected(&Grid::city(seed, 40, 30)));
        }
    }

    #[test]
    fn a_maze_has_corridors_one_cell_wide() {
        let grid = Grid::maze(1, 31, 21);
        let clear = crate::wide_units::clearance(&grid.cost, 31, 21, 2);
        assert_eq!(clear.iter().max(), Some(&1));
    }

    #[test]
    fn caves_are_neither_empty_nor_full() {
        for seed in 0..5 {
            let open = Grid::caves(seed, 40, 40).open_cells().count();
            assert!((300..1500).contains(&open), "{open}");
        }
    }

    #[test]
    fn patches_use_every_cost_and_no_other() {
        let mut costs = Grid::patches(2, 64, 64, &[100, 80, 113, 200]).cost;
        costs.sort_unstable();
        costs.dedup();
        assert_eq!(costs, [80, 100, 113, 200]);
    }

    #[test]
    fn a_map_made_of_a_grid_is_valid_and_costs_the_same() {
        for (name, grid) in every_kind(8, 20, 15) {
            let map = grid.to_map(name).validate().unwrap();
            let costs: Vec<u8> =
                map.map().terrain.iter().map(|&terrain| map.rules().cost(terrain, LocomotorId(0))).collect();
            assert_eq!(costs, grid.cost, "{name}");
        }
    }

    #[test]
    fn degenerate_sizes_make_grids_too() {
        for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 2)] {
            for (name, grid) in every_kind(1, width, height) {
                assert_eq!(grid.cost.len(), (width * height) as usize, "{name}");
            }
        }
    }

    #[test]
    fn random_open_cells_are_open() {
        let grid = Grid::caves(3, 20, 20);
        let mut rng = SplitMix::new(0);
        for _ in 0..50 {
            let at = grid.random_open(&mut rng).unwrap();
            assert_eq!(grid.get((at.x, at.y)), Some(1));
        }
        assert_eq!(Grid::filled(3, 3, BLOCKED).random_open(&mut rng), None);
    }
}
