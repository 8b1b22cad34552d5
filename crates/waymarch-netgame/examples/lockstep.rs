//! Two to four peers play a battle over UDP in plain lockstep, with lost, late and reordered datagrams:
//! `cargo run --release -p waymarch-netgame --example lockstep -- --peers 4 --ticks 10000`.
//!
//! The last peer joins after a tenth of the game, from a snapshot of the host. Afterwards one World is corrupted, and the peers notice.
#![allow(clippy::disallowed_types, reason = "the time that a game takes is printed, and decides nothing")]

use std::time::Instant;

use waymarch_netgame::arguments::Arguments;
use waymarch_netgame::lockstep::{Game, LockstepError, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { peers, ticks, seed, faults } = Arguments::parse(std::env::args().skip(1))?;
    let begun = Instant::now();
    let mut game = Game::new(Settings { faults, ..Settings::new(peers, seed) }, peers - 1)?;
    game.run_to(ticks / 10)?;
    let Some(last) = game.peers.last_mut() else { return Err("no peers".into()) };
    last.join();
    game.run_to(ticks)?;

    let hashes = game.hashes();
    println!(
        "{peers} peers, {ticks} ticks in {:.1} s: {:?}",
        begun.elapsed().as_secs_f64(),
        game.link_totals()
    );
    for (seat, (peer, hash)) in game.peers.iter().zip(&hashes).enumerate() {
        println!("peer {seat}: hash {hash}, {:?}", peer.totals());
    }
    if let Some(battle) = game.peers[0].battle() {
        println!("the battle: {:?}", battle.totals());
    }
    assert!(hashes.len() == usize::from(peers) && hashes.iter().all(|hash| *hash == hashes[0]));

    // One unit of the last peer is a 1024th of a cell off.
    let Some(battle) = game.peers.last_mut().and_then(|peer| peer.battle_mut()) else {
        return Err("not joined".into());
    };
    let (unit, second) = (battle.world().units().next().ok_or("no units")?, battle.ticks_per_second());
    let mut position = unit.position;
    position.x = waymarch::base::Fixed::from_raw(position.x.raw() + 1);
    battle.world_mut().put(unit.id, position, unit.velocity)?;
    match game.run_to(ticks + second) {
        Err(LockstepError::Desync(desync)) => println!("corrupted after tick {ticks}: {desync}"),
        other => return Err(format!("the corruption was not noticed: {other:?}").into()),
    }
    Ok(())
}
