//! Lazy flows and random points for the tests of flow fields.

use waymarch::base::{Fixed, Vec2};
use waymarch::flow::lazy::{LazyFlow, LazySettings, SparseGround};
use waymarch_testkit::splitmix::SplitMix;

/// A lazy flow on `ground`.
pub(crate) fn flow_with(ground: SparseGround, settings: LazySettings) -> LazyFlow {
    LazyFlow::new(ground, settings.validate().expect("legal settings"))
}

/// A random point of the map. Borders and centres of cells are frequent.
pub(crate) fn random_point(rng: &mut SplitMix, (width, height): (u32, u32)) -> Vec2 {
    let mut axis = |cells: u32| {
        let any = rng.below(1024);
        let within = rng.pick(&[0, 1, 511, 512, 513, 1022, 1023, any, any, any]);
        Fixed::from_raw((rng.below(cells) * 1024 + within) as i32)
    };
    Vec2 { x: axis(width), y: axis(height) }
}
