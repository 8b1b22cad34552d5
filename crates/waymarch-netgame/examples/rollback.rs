//! Two to four peers play a battle over UDP with rollback (`ggrs`), with lost, late and reordered datagrams:
//! `cargo run --release -p waymarch-netgame --example rollback -- --peers 4 --ticks 10000`.
//!
//! Afterwards one World is corrupted, and the peers notice.
#![allow(clippy::disallowed_types, reason = "the time that a game takes is printed, and decides nothing")]

use std::time::Instant;

use waymarch::base::{CellRect, cell};
use waymarch::cost::TerrainId;
use waymarch::{Command, World};
use waymarch_netgame::Battle;
use waymarch_netgame::arguments::Arguments;
use waymarch_netgame::rollback::{Corruption, Game, Peer, RollbackError, Settings};

/// One cell of the map becomes a road.
fn build_road(world: &mut World) {
    let area = CellRect::at(cell(0, 63), 1, 1);
    world.apply(&Command::SetTerrain { area, terrain: TerrainId(1) }).expect("a cell on the map");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { peers, ticks, seed, faults } = Arguments::parse(std::env::args().skip(1))?;
    let begun = Instant::now();
    let mut game = Game::new(Settings { faults, ..Settings::new(peers, seed) })?;
    game.run_to(ticks)?;
    println!(
        "{peers} peers, {ticks} ticks in {:.1} s: {:?}",
        begun.elapsed().as_secs_f64(),
        game.link_totals()
    );
    let mut hashes = Vec::new();
    for (seat, peer) in (0..peers).zip(&game.peers) {
        let bytes = game.snapshot(seat).ok_or("no snapshot")?;
        let battle = Battle::load(bytes)?;
        println!(
            "peer {seat}: hash {}, a snapshot has {} bytes, {:?}",
            battle.hash(),
            bytes.len(),
            peer.totals()
        );
        if seat == 0 {
            println!("the battle: {:?}", battle.totals());
        }
        hashes.push(battle.hash());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));

    // The last peer corrupts its World.
    let tick = game.peers.iter().map(Peer::tick).max().unwrap_or(0) + 1;
    let Some(last) = game.peers.last_mut() else { return Err("no peers".into()) };
    let second = last.battle().ticks_per_second();
    last.corrupt(Corruption { tick, change: build_road });
    match game.run_to(tick + second) {
        Err(RollbackError::Desync(desync)) => println!("corrupted after tick {tick}: {desync}"),
        other => return Err(format!("the corruption was not noticed: {other:?}").into()),
    }
    Ok(())
}
