//! Path services for the tests.

use waymarch::base::GridSize;
use waymarch::config::Config;
use waymarch::cost::{Map, Rules};
use waymarch::nav::Navigator;
use waymarch::service::PathService;

/// A path service on open ground.
pub(crate) fn plain(width: u32, height: u32, config: Config) -> PathService {
    let size = GridSize::new(width, height).expect("a legal size");
    PathService::new(
        Navigator::new(Map::flat("plain", size, Rules::standard()), config).expect("a legal map"),
    )
}
