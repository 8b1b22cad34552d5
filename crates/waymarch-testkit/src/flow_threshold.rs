//! The slow twin of the choice between routes and flow fields: all requests are counted again every tick.

use std::collections::BTreeMap;

/// Requests by destination, and which destinations have a flow field.
#[derive(Clone, Debug, Default)]
pub struct GroupTwin<K> {
    threshold: usize,
    /// Every request by its number.
    requests: BTreeMap<u32, K>,
    /// Destinations with a flow field.
    fields: Vec<K>,
}

impl<K: Copy + Ord> GroupTwin<K> {
    /// A flow field is made for `threshold` requests or more.
    #[must_use]
    pub fn new(threshold: usize) -> Self {
        Self { threshold, requests: BTreeMap::new(), fields: Vec::new() }
    }

    /// From now on the request with this number has the destination `to`.
    pub fn send(&mut self, request: u32, to: K) {
        self.requests.insert(request, to);
    }

    /// The request with this number ends.
    pub fn done(&mut self, request: u32) {
        self.requests.remove(&request);
    }

    /// The number of requests to `to`.
    #[must_use]
    pub fn count(&self, to: K) -> usize {
        self.requests.values().filter(|&&other| other == to).count()
    }

    /// A tick: a field is made at the threshold, and dropped below half of it.
    pub fn tick(&mut self) {
        let mut all: Vec<K> = self.requests.values().chain(&self.fields).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&to| {
            let count = self.count(to);
            count >= self.threshold || (self.fields.contains(&to) && count * 2 >= self.threshold && count > 0)
        });
        self.fields = all;
    }

    /// Whether `to` has a flow field.
    #[must_use]
    pub fn has_field(&self, to: K) -> bool {
        self.fields.contains(&to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_made_at_the_threshold_and_dropped_below_half_of_it() {
        let mut twin = GroupTwin::new(4);
        let mut seen = Vec::new();
        for request in 0..4 {
            twin.send(request, 'a');
            twin.tick();
            seen.push(twin.has_field('a'));
        }
        for request in 0..4 {
            twin.done(request);
            twin.tick();
            seen.push(twin.has_field('a'));
        }
        assert_eq!(seen, [false, false, false, true, true, true, false, false]);
    }
}
