//! What a search works with besides the map and the query.

use super::route::Route;
use super::scratch::SearchScratch;

/// The memory of a search, the route that it writes, and the probe that watches it.
#[derive(Debug)]
pub struct SearchRun<'a, P> {
    /// The memory of the search.
    pub scratch: &'a mut SearchScratch,
    /// The route; its memory is reused.
    pub out: &'a mut Route,
    /// Sees every step of the search. [`NoProbe`](super::NoProbe) costs nothing.
    pub probe: &'a mut P,
}
