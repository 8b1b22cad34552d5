//! Things put together pair by pair, and numbered in the end.

use alloc::vec::Vec;

/// Scratch: a union-find over things numbered from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// Another member, towards the first one; itself for the first.
    towards: Vec<u32>,
    numbers: Vec<u32>,
}

impl Joined {
    /// Begins with `count` things, each on its own.
    pub(super) fn start(&mut self, count: u32) {
        self.towards.clear();
        self.towards.extend(0..count);
    }

    /// The first of the things that are together with `thing`.
    #[inline]
    pub(super) fn first(&mut self, mut thing: u32) -> u32 {
        while self.towards[thing as usize] != thing {
            let next = self.towards[thing as usize];
            self.towards[thing as usize] = self.towards[next as usize];
            thing = next;
        }
        thing
    }

    /// Puts two things together.
    #[inline]
    pub(super) fn join(&mut self, a: u32, b: u32) {
        if self.towards[a as usize] == self.towards[b as usize] {
            return;
        }
        let (a, b) = (self.first(a), self.first(b));
        // The lower is first, so that the outcome does not depend on the order of joining.
        self.towards[a.max(b) as usize] = a.min(b);
    }

    /// Numbers what is together, by first members. How many there are.
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

    /// The number of what `thing` is together with.
    #[inline]
    pub(super) fn number_of(&self, thing: u32) -> u32 {
        self.numbers[thing as usize]
    }
}
