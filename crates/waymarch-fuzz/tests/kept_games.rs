//! Games that failed once, in `testdata/games`: all branches of all of them agree.

use std::path::Path;

use waymarch::world::Serial;
use waymarch_fuzz::games::{Checker, Thoroughness};
use waymarch_maps::scenario::{Simulation, load_scenario};

#[test]
fn every_kept_game_plays_and_all_its_branches_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/games");
    let files = std::fs::read_dir(&folder).expect("the folder is in the repository");
    let mut files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    assert!(!files.is_empty());
    let checker = Checker::new();
    for path in files {
        let scenario = load_scenario(&path).unwrap_or_else(|error| panic!("{error}"));
        // As `waymarch sim` plays it: with its reloads.
        let mut simulation = Simulation::new(scenario.clone(), 0).unwrap_or_else(|error| panic!("{error}"));
        (0..scenario.ticks).for_each(|_| simulation.step(&Serial));
        assert_eq!(simulation.reload_error(), None, "{}", path.display());
        let checked = checker.check(&scenario, Thoroughness::Every, &mut || {});
        assert!(checked.is_ok(), "{}: {checked:?}", path.display());
    }
}
