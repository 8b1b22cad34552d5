//! Raw commands on a copy of the World. Most are wrong: a refused command must change nothing.

use waymarch::world::World;
use waymarch_maps::scenario::random_command;
use waymarch_testkit::splitmix::SplitMix;

use super::check::differing;

/// A probe gives 4 commands.
const COMMANDS: u64 = 4;

/// Gives random commands to a copy of `world`, which then runs for 2 ticks, is saved and loaded. Returns the number of commands.
///
/// # Errors
/// What went wrong, with the commands.
pub(super) fn probe(world: &World, seed: u64) -> Result<u64, String> {
    let (mut rng, mut world) = (SplitMix::new(seed), world.clone());
    // A planner is not saved.
    world.set_planner(None);
    let mut given = Vec::new();
    for _ in 0..COMMANDS {
        let command = random_command(&world, rng.next_u64());
        let before = world.save();
        let applied = world.apply(&command);
        if applied.is_err() && world.save() != before {
            return Err(format!("probe: a refused command changed the World\n{command:?}: {applied:?}"));
        }
        given.push(command);
    }
    let mut loaded = World::load(&world.save())
        .map_err(|error| format!("probe: the World's own save is refused: {error}\nafter {given:?}"))?;
    for _ in 0..2 {
        world.tick();
        loaded.tick();
        let (own, other) = (world.state_hash(), loaded.state_hash());
        if own != other {
            return Err(format!("probe: a loaded World {}\nafter {given:?}", differing(&own, &other)));
        }
    }
    World::load(&world.save()).map_err(|error| {
        format!("probe: the World's own save is refused: {error}\n2 ticks after {given:?}")
    })?;
    Ok(COMMANDS)
}
