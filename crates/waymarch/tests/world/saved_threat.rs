//! Saves while changes of threat wait for their refresh. Loaded Worlds once went on differently.

use waymarch::base::cell;
use waymarch::config::Config;
use waymarch::cost::{Falloff, Rules, ThreatId, ThreatSource};
use waymarch::world::{Applied, Command, World};

use crate::twins::{field, goes_on_alike};

fn threat(x: i32, y: i32, radius: u16, strength: u8) -> ThreatSource {
    ThreatSource { at: cell(x, y), radius, strength, falloff: Falloff::Linear }
}

fn add_threat(world: &mut World, source: ThreatSource) -> ThreatId {
    match world.apply(&Command::AddThreat(source)) {
        Ok(Applied::Threat(id)) => id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_world_saved_between_a_new_threat_and_a_change_of_an_old_one_goes_on_alike() {
    for ahead in [0, 1, 5] {
        let mut world = field(64, 64, Rules::standard(), Config::default());
        let old = add_threat(&mut world, threat(5, 5, 3, 255));
        (0..8).for_each(|_| world.tick());
        add_threat(&mut world, threat(40, 50, 3, 128));
        world.apply(&Command::SetThreat { id: old, source: threat(45, 5, 3, 200) }).expect("it is there");
        goes_on_alike(world, ahead, 12);
    }
}

#[test]
fn a_world_whose_last_threat_went_before_it_was_saved_goes_on_alike() {
    let mut world = field(64, 64, Rules::standard(), Config::default());
    let old = add_threat(&mut world, threat(5, 5, 3, 255));
    (0..8).for_each(|_| world.tick());
    world.apply(&Command::RemoveThreat(old)).expect("it is there");
    (0..8).for_each(|_| world.tick());
    add_threat(&mut world, threat(40, 50, 3, 128));
    let loaded = World::load(&world.save()).expect("its own save");
    // Whether threat counts decides how routes are searched and smoothed.
    let counts = |world: &World| !world.nav().layer().threat().padded().is_empty();
    assert_eq!((counts(&world), counts(&loaded)), (false, false));
    (0..8).for_each(|_| world.tick());
    assert!(counts(&world));
}

#[test]
fn the_order_of_changes_of_threat_does_not_matter() {
    let play = |order: [usize; 3]| {
        let mut world = field(64, 64, Rules::standard(), Config::default());
        let at = [threat(5, 5, 3, 255), threat(24, 24, 3, 128), threat(40, 50, 3, 255)];
        let ids = at.map(|source| add_threat(&mut world, source));
        (0..8).for_each(|_| world.tick());
        let change = [
            Command::RemoveThreat(ids[0]),
            Command::SetThreat { id: ids[1], source: threat(45, 9, 3, 99) },
            Command::SetThreat { id: ids[2], source: threat(9, 50, 3, 255) },
        ];
        for index in order {
            world.apply(&change[index]).expect("it is there");
        }
        let mut hashes = Vec::new();
        for _ in 0..8 {
            world.tick();
            hashes.push(world.state_hash());
        }
        (hashes, add_threat(&mut world, threat(1, 1, 1, 1)))
    };
    let first = play([0, 1, 2]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(play(order), first, "{order:?}");
    }
}
