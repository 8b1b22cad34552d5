//! The twin of passages: narrow cells by trying every square, stretches by flooding.

use crate::rule::{BLOCKED, Rule, step_cost};

/// The eight neighbours of a cell, clockwise from the north.
const AROUND: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// Costs of units of one cell and of units of `side` cells, and what passages depend on besides.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Costs for units of one cell, row by row.
    pub single: &'a [u8],
    /// Costs for units of `side` cells, row by row.
    pub own: &'a [u8],
    /// Width and height.
    pub size: (u32, u32),
    /// The unit's width in cells.
    pub side: i32,
    /// Which steps are legal.
    pub rule: Rule,
}

impl Ground<'_> {
    fn is_free(&self, (x, y): (i32, i32)) -> bool {
        let on_map = x >= 0 && y >= 0 && x < self.size.0 as i32 && y < self.size.1 as i32;
        on_map && self.single[(y * self.size.0 as i32 + x) as usize] != BLOCKED
    }

    fn index(&self, (x, y): (i32, i32)) -> usize {
        (y * self.size.0 as i32 + x) as usize
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (width, height) = self.size;
        (0..height as i32).flat_map(move |y| (0..width as i32).map(move |x| (x, y)))
    }

    /// Whether a unit fits on the cell, but no free square of two units' width holds the unit.
    #[must_use]
    pub fn is_narrow(&self, at: (i32, i32)) -> bool {
        let side = self.side;
        // A unit of even width stands farther to the south-east, as in the engine.
        let back = (side - 1) / 2;
        let (west, north) = (at.0 - back, at.1 - back);
        let square =
            |x: i32, y: i32| (y..y + 2 * side).all(|y| (x..x + 2 * side).all(|x| self.is_free((x, y))));
        let wide = (north - side..=north).any(|y| (west - side..=west).any(|x| square(x, y)));
        self.own[self.index(at)] != BLOCKED && !wide
    }

    fn steps(&self, at: (i32, i32), rule: Rule) -> impl Iterator<Item = (i32, i32)> + '_ {
        let to = AROUND.into_iter().map(move |(dx, dy)| (at.0 + dx, at.1 + dy));
        to.filter(move |&to| step_cost(self.own, self.size, rule, at, to).is_ok())
    }

    /// Whether legal steps lead from a narrow cell in three or more directions that are apart from each other.
    #[must_use]
    pub fn is_junction(&self, at: (i32, i32)) -> bool {
        let rule = if self.rule == Rule::Four { Rule::Forbid } else { self.rule };
        let legal: Vec<(i32, i32)> = self.steps(at, rule).collect();
        let around: Vec<bool> =
            AROUND.iter().map(|&(dx, dy)| legal.contains(&(at.0 + dx, at.1 + dy))).collect();
        let branches = (0..8).filter(|&dir| around[dir] && !around[(dir + 7) % 8]).count();
        branches >= 3
    }

    /// For each cell, the index of the first cell of its passage.
    #[must_use]
    pub fn passages(&self) -> Vec<Option<usize>> {
        let inside: Vec<bool> = self.cells().map(|at| self.is_narrow(at) && !self.is_junction(at)).collect();
        let mut names = vec![None; inside.len()];
        for first in self.cells() {
            let name = self.index(first);
            if !inside[name] || names[name].is_some() {
                continue;
            }
            names[name] = Some(name);
            let mut left = vec![first];
            while let Some(at) = left.pop() {
                for to in self.steps(at, self.rule) {
                    let to_index = self.index(to);
                    if inside[to_index] && names[to_index].is_none() {
                        names[to_index] = Some(name);
                        left.push(to);
                    }
                }
            }
        }
        names
    }

    /// The cells outside the passage `name` that a legal step leads to, in groups that legal steps over wide ground join.
    #[must_use]
    pub fn mouths(&self, names: &[Option<usize>], name: usize) -> Vec<Vec<(i32, i32)>> {
        let is_own = |at: &(i32, i32)| names[self.index(*at)] == Some(name);
        let own: Vec<(i32, i32)> = self.cells().filter(is_own).collect();
        let mut outside: Vec<(i32, i32)> =
            own.iter().flat_map(|&at| self.steps(at, self.rule)).filter(|at| !is_own(at)).collect();
        outside.sort_unstable_by_key(|&(x, y)| (y, x));
        outside.dedup();
        let mut groups: Vec<Vec<(i32, i32)>> = Vec::new();
        while let Some(&first) = outside.first() {
            let mut group = vec![outside.remove(0)];
            let mut next = 0;
            while next < group.len() && !self.is_narrow(first) {
                let at = group[next];
                next += 1;
                let near = |to: &(i32, i32)| {
                    !self.is_narrow(*to) && self.steps(at, self.rule).any(|step| step == *to)
                };
                let (joined, rest): (Vec<_>, Vec<_>) = outside.iter().copied().partition(near);
                group.extend(joined);
                outside = rest;
            }
            groups.push(group);
        }
        groups
    }
}
