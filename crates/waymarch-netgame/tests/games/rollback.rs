//! Rollback with `ggrs`.

use waymarch_netgame::rollback::{Corruption, Game, RollbackError, Settings};
use waymarch_netgame::{Battle, Faults, Link, snapshot};

use super::{CHANGES, LONG, alone, assert_is_battle};

/// Plays a game, and compares all peers with each other and with the game without a network.
fn plays_alike(settings: Settings, ticks: u64) {
    let mut game = Game::new(settings).expect("a game");
    game.run_to(ticks).expect("no desync");
    let mut reference = Battle::new(settings.players, settings.seed).expect("a battle");
    alone(&mut reference, settings.seed, settings.delay, ticks);
    assert_is_battle(&reference);
    for (seat, peer) in (0..).zip(&game.peers) {
        let kept = Battle::load(game.snapshot(seat).expect("a snapshot")).expect("a saved battle");
        assert_eq!(kept.tick(), ticks);
        assert_eq!(kept.hash(), reference.hash());
        let totals = peer.totals();
        assert!(totals.rollbacks > ticks / 50, "{totals:?}");
        assert!(totals.compared > ticks / settings.hash_every * 9 / 10, "{totals:?}");
        // Snapshots grow a little during a battle. Apart from that, saving uses old memory again.
        assert!(totals.allocations < 200, "{totals:?}");
    }
    let link = game.link_totals();
    assert!(link.lost > link.sent / 20 && link.overtaken > link.sent / 10, "{link:?}");
}

#[test]
fn two_peers_stay_equal_for_ten_thousand_ticks_over_bad_links() {
    plays_alike(Settings::new(2, 1), LONG);
}

/// The next test has 10,000 ticks.
#[test]
fn four_peers_stay_equal_over_bad_links() {
    plays_alike(Settings::new(4, 2), LONG / 5);
}

#[test]
#[ignore = "20 seconds of processor time: cargo test -p waymarch-netgame --test games -- --ignored"]
fn four_peers_stay_equal_for_ten_thousand_ticks_over_bad_links() {
    plays_alike(Settings::new(4, 3), LONG);
}

#[test]
fn a_corrupted_world_is_noticed_within_a_second_and_named() {
    for players in [2, 4] {
        for (part, change) in CHANGES {
            let mut game = Game::new(Settings::new(players, 4)).expect("a game");
            let (tick, wrong) = (303, players - 1);
            let peer = &mut game.peers[usize::from(wrong)];
            let second = peer.battle().ticks_per_second();
            peer.corrupt(Corruption { tick, change });
            let Err(RollbackError::Desync(found)) = game.run_to(tick + 200) else {
                panic!("{part}: not noticed")
            };
            println!("{part}: {found}");
            assert!(found.noticed_by == wrong || found.with == wrong, "{found}");
            // Reports are repeated, so the first one after the corruption shows it.
            assert_eq!((found.tick, found.equal_at), (304, Some(300)), "{part}: {found}");
            assert!(found.noticed_at <= tick + second, "{found}");
            assert!(found.parts.contains(&part), "{part}: {found}");
        }
    }
}

#[test]
fn a_peer_joins_late_from_a_snapshot_and_stays_equal() {
    let (begin, after) = (400, 600);
    // Four seats, of which two are played by peers and two stand idle.
    let settings = Settings::new(4, 6);
    let battles = |count: u8| (0..count).map(|_| Battle::new(4, settings.seed).expect("a battle")).collect();
    let mut game = Game::resume(Settings { players: 2, ..settings }, battles(2)).expect("a game");
    game.run_to(begin).expect("no desync");
    assert_eq!(game.snapshot(0), game.snapshot(1));
    assert!(matches!(game.run_to(begin - 1), Err(RollbackError::Passed(_))));

    // The snapshot travels over a bad link to two more peers. All four begin a new session with it.
    let sent = game.snapshot(0).expect("a snapshot");
    let mut battles = vec![Battle::load(sent).expect("the host's"), Battle::load(sent).expect("peer 1's")];
    for seed in [70, 80] {
        let mut host = Link::new(Faults::BAD, seed).expect("a link");
        let mut joiner = Link::new(Faults::BAD, seed + 1).expect("a link");
        let bytes = snapshot::transfer(sent, &mut host, &mut joiner).expect("the snapshot");
        battles.push(Battle::load(&bytes).expect("a saved battle"));
    }
    let mut reference = Battle::load(sent).expect("a saved battle");
    let mut game = Game::resume(settings, battles).expect("a game");
    game.run_to(begin + after).expect("no desync");
    alone(&mut reference, settings.seed, settings.delay, after);
    assert_is_battle(&reference);
    for seat in 0..4 {
        let kept = Battle::load(game.snapshot(seat).expect("a snapshot")).expect("a saved battle");
        assert_eq!(kept.hash(), reference.hash(), "seat {seat}");
    }
}
