//! Union-find: joins items pair by pair and numbers the groups.

use alloc::vec::Vec;

/// Scratch: a union-find over items numbered from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct UnionFind {
    /// By item: another member of its group, nearer to the first member. The first member has itself.
    towards: Vec<u32>,
    numbers: Vec<u32>,
}

impl UnionFind {
    /// Starts with `count` items, each alone.
    pub(super) fn start(&mut self, count: u32) {
        self.towards.clear();
        self.towards.extend(0..count);
    }

    /// The first member of an item's group.
    #[inline]
    pub(super) fn first(&mut self, mut thing: u32) -> u32 {
        while self.towards[thing as usize] != thing {
            let next = self.towards[thing as usize];
            self.towards[thing as usize] = self.towards[next as usize];
            thing = next;
        }
        thing
    }

    /// Joins the groups of two items.
    #[inline]
    pub(super) fn join(&mut self, a: u32, b: u32) {
        if self.towards[a as usize] == self.towards[b as usize] {
            return;
        }
        let (a, b) = (self.first(a), self.first(b));
        // The lower number becomes the first member, so the order of joining does not matter.
        self.towards[a.max(b) as usize] = a.min(b);
    }

    /// Numbers the groups by first members. Returns how many there are.
    pub(super) fn number(&mut self) -> u32 {
        self.numbers.clear();
        let mut count = 0;
        for thing in 0..self.towards.len() as u32 {
            let first = self.first(thing);
            let number = if first == thing {
                count += 1;
                count - 1
            } else {
                self.numbers[first as usize]
            };
            self.numbers.push(number);
        }
        count
    }

    /// The number of an item's group.
    #[inline]
    pub(super) fn number_of(&self, thing: u32) -> u32 {
        self.numbers[thing as usize]
    }
}
