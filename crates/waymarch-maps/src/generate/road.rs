//! Roads: three cells wide, graded for all ground units, with bridges where they cross water.

use waymarch::base::{CellPos, Dir8, cell};

use super::land::{Brush, CLIFF_SLOPE, Grade, Land};
use super::lattice::{Lattice, curve, thinned};
use super::noise::{hash_cell, mix};
use super::standard_rules::{YARD_CENTRE, ground};

/// A road climbs by at most 14 per cell (256 is one cell).
const CLIMB: i16 = 14;

/// World: the road network so far, and what each lattice node costs a new road.
pub(super) struct Roads {
    lattice: Lattice,
    seed: u64,
    costs: Vec<u32>,
    on_road: Vec<bool>,
    /// What a node that already has a road costs a new road.
    old_road: u32,
    /// The middle line of each road, in the order of construction.
    pub(super) laid: Vec<Vec<CellPos>>,
}

impl Roads {
    pub(super) fn new(land: &Land, lattice: &Lattice, seed: u64) -> Self {
        let cost = |node: usize| {
            let toll = square_toll(land, lattice, node);
            let edge = if lattice.at_edge(node) { 400 } else { 0 };
            let at = lattice.centre(node);
            100 + toll
                + edge
                + (hash_cell(mix(seed ^ 0x0a4d), at.x / 12, at.y / 12) % 110) as u32
                + (hash_cell(mix(seed ^ 0x0a4e), at.x, at.y) % 30) as u32
        };
        let costs = (0..lattice.len()).map(cost).collect();
        let on_road = vec![false; lattice.len()];
        Self { lattice: *lattice, seed, costs, on_road, old_road: 40, laid: Vec::new() }
    }

    /// Sets what nodes with a road cost: below 100, new roads join them; above, they avoid them.
    fn set_old_roads(&mut self, cost: u32) {
        self.old_road = cost;
        for (node, _) in self.on_road.iter().enumerate().filter(|(_, on_road)| **on_road) {
            self.costs[node] = cost;
        }
    }

    /// Connects all starts, first by a minimum spanning tree, then by loops. Adds a road along `pass` and up to three bridges
    /// over each river.
    pub(super) fn join(
        &mut self,
        land: &mut Land,
        starts: &[CellPos],
        rivers: &[Vec<CellPos>],
        pass: Option<(CellPos, CellPos)>,
    ) {
        let gap = |a: CellPos, b: CellPos| i64::from(a.x - b.x).pow(2) + i64::from(a.y - b.y).pow(2);
        let mut joined: Vec<usize> = if starts.is_empty() { Vec::new() } else { vec![0] };
        let mut edges: Vec<(usize, usize)> = Vec::new();
        while joined.len() < starts.len() {
            let pairs = joined.iter().flat_map(|&a| (0..starts.len()).map(move |b| (a, b)));
            let fresh = pairs.filter(|(_, b)| !joined.contains(b));
            let Some((a, b)) = fresh.min_by_key(|&(a, b)| (gap(starts[a], starts[b]), a, b)) else { break };
            edges.push((a, b));
            joined.push(b);
        }
        let pairs = (0..starts.len()).flat_map(|a| (a + 1..starts.len()).map(move |b| (a, b)));
        let mut loops: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| !edges.contains(&(a, b)) && !edges.contains(&(b, a))).collect();
        loops.sort_by_key(|&(a, b)| (gap(starts[a], starts[b]), a, b));
        loops.truncate(starts.len() / 2);
        for (a, b) in edges {
            self.lay(land, &[starts[a], starts[b]], None);
        }
        // Loops should find new routes; roads to bridges may use existing roads.
        self.set_old_roads(115);
        for (a, b) in loops {
            self.lay(land, &[starts[a], starts[b]], None);
        }
        self.set_old_roads(40);
        if let Some(ends) = pass {
            self.cross(land, starts, ends);
        }
        for river in rivers {
            self.bridge(land, starts, river);
        }
    }

    /// A straight road from one place to another (a pass or a bridge), connected to the start nearest to each end.
    fn cross(&mut self, land: &mut Land, starts: &[CellPos], (here, there): (CellPos, CellPos)) {
        let gap = |a: CellPos, b: CellPos| i64::from(a.x - b.x).pow(2) + i64::from(a.y - b.y).pow(2);
        let closest = |to: CellPos| starts.iter().copied().min_by_key(|&s| (gap(s, to), s));
        match (closest(here), closest(there)) {
            (Some(from), Some(to)) if from != to => self.lay(land, &[from, here, there, to], Some(2)),
            // If one start is the nearest to both ends, the road leads from it to the nearer end, across, and stops at the other end.
            (Some(from), _) => {
                let (near, far) =
                    if gap(from, here) <= gap(from, there) { (here, there) } else { (there, here) };
                self.lay(land, &[from, near, far], Some(2));
            }
            _ => {}
        }
    }

    /// Adds bridges along a river until it has three, well apart.
    fn bridge(&mut self, land: &mut Land, starts: &[CellPos], river: &[CellPos]) {
        let near = river.len() / 9;
        let mut bridges = 0;
        for eighth in [4, 2, 6, 3, 5, 1, 7] {
            if bridges == 3 {
                break;
            }
            let at = river.len() * eighth / 8;
            let stretch = at.saturating_sub(near)..(at + near).min(river.len());
            if river[stretch].iter().any(|&c| land.cover_at(c) == Some(ground::BRIDGE)) {
                bridges += 1;
                continue;
            }
            if let Some(banks) = self.banks(land, river, at) {
                bridges += 1;
                self.cross(land, starts, banks);
            }
        }
    }

    /// Dry places on both sides of a river at `at`, or `None`.
    fn banks(&self, land: &Land, river: &[CellPos], at: usize) -> Option<(CellPos, CellPos)> {
        let (before, after) = (river[at.saturating_sub(6)], river[(at + 6).min(river.len() - 1)]);
        let (dx, dy) = (before.y - after.y, after.x - before.x);
        let long = dx.abs().max(dy.abs()).max(1);
        let (width, height) = (land.size.width() as i32, land.size.height() as i32);
        [10 + self.lattice.spacing, 8, 6].into_iter().find_map(|reach| {
            let bank = |side: i32| {
                let bank = river[at].offset(dx * reach * side / long, dy * reach * side / long);
                cell(bank.x.clamp(3, width - 4), bank.y.clamp(3, height - 4))
            };
            let (left, right) = (bank(1), bank(-1));
            (!land.is_water(left) && !land.is_water(right)).then_some((left, right))
        })
    }

    /// Builds one road past the given places. The leg that ends at place number `straight` is a straight line, without a search.
    fn lay(&mut self, land: &mut Land, places: &[CellPos], straight: Option<usize>) {
        let mut points: Vec<CellPos> = Vec::new();
        for (i, pair) in places.windows(2).enumerate() {
            points.push(pair[0]);
            if straight == Some(i + 1) {
                continue;
            }
            let (from, to) = (self.lattice.node(pair[0]), self.lattice.node(pair[1]));
            let Some(route) = self.lattice.route(&self.costs, from, |node| node == to) else { continue };
            let inner = thinned(&self.lattice, &route, self.seed, self.lattice.spacing / 2);
            points.extend(inner.iter().skip(1).take(inner.len().saturating_sub(2)));
            self.mark(&route);
        }
        points.extend(places.last());
        let middle = curve(&points);
        pave(land, &middle);
        self.laid.push(middle);
    }

    /// Enters a road into the lattice: other roads should join it or keep away, not run beside it.
    fn mark(&mut self, route: &[usize]) {
        for &node in route {
            self.costs[node] = self.old_road;
            if !std::mem::replace(&mut self.on_road[node], true) {
                for near in Dir8::ALL.into_iter().filter_map(|dir| self.lattice.beside(node, dir)) {
                    if !self.on_road[near] {
                        self.costs[near] += 25;
                    }
                }
            }
        }
    }

    /// Builds a straight road: the repair if the network does not connect two places.
    pub(super) fn lay_straight(&mut self, land: &mut Land, from: CellPos, to: CellPos) {
        let middle = curve(&[from, to]);
        pave(land, &middle);
        self.laid.push(middle);
    }
}

/// The extra cost of a node's square for a road: water and steep ground.
fn square_toll(land: &Land, lattice: &Lattice, node: usize) -> u32 {
    let (centre, half) = (lattice.centre(node), lattice.spacing / 2);
    let step = (lattice.spacing / 8).max(1);
    let (mut sea, mut river, mut steep, mut count) = (0, 0, 0, 0);
    for y in (centre.y - half..=centre.y + half).step_by(step as usize) {
        for x in (centre.x - half..=centre.x + half).step_by(step as usize) {
            let at = cell(x, y);
            match land.cover_at(at) {
                Some(ground::WATER) => sea += 1,
                Some(ground::RIVER) => river += 1,
                Some(_) if land.slope(at) > CLIFF_SLOPE => steep += 1,
                Some(_) => {}
                None => continue,
            }
            count += 1;
        }
    }
    (sea * 900 + river * 500 + steep * 450) / count.max(1)
}

/// Grades and paves the cells around `middle`. Water becomes a bridge.
fn pave(land: &mut Land, middle: &[CellPos]) {
    let heights: Vec<i16> = middle.iter().map(|&at| land.height_at(at).unwrap_or(0).max(0)).collect();
    let levels = gentle_profile(&heights);
    let brush = Brush { flat: 2, grade: 96, sides: Grade::Both };
    for (&at, &level) in middle.iter().zip(&levels) {
        land.grade(at, level, brush);
    }
    for &at in middle {
        for dy in -1..=1 {
            for dx in -1..=1 {
                let Some(i) = land.index(at.offset(dx, dy)) else { continue };
                land.cover[i] = match land.cover[i] {
                    ground::WATER | ground::RIVER | ground::BRIDGE => ground::BRIDGE,
                    YARD_CENTRE => YARD_CENTRE,
                    _ => ground::ROAD,
                };
            }
        }
    }
}

/// Heights along a road that change by at most `CLIMB` per cell: the mean of two such profiles, the highest one below the ground and
/// the lowest one above it.
fn gentle_profile(heights: &[i16]) -> Vec<i16> {
    let (mut low, mut high) = (heights.to_vec(), heights.to_vec());
    for i in 1..heights.len() {
        low[i] = low[i].min(low[i - 1] + CLIMB);
        high[i] = high[i].max(high[i - 1] - CLIMB);
    }
    for i in (1..heights.len()).rev() {
        low[i - 1] = low[i - 1].min(low[i] + CLIMB);
        high[i - 1] = high[i - 1].max(high[i] - CLIMB);
    }
    low.iter().zip(&high).map(|(&low, &high)| i16::midpoint(low, high)).collect()
}
