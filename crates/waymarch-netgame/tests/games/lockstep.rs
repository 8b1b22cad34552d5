//! Plain lockstep.

use waymarch_netgame::lockstep::{Game, LockstepError, Settings};
use waymarch_netgame::{Battle, Faults};

use super::{CHANGES, LONG, alone, assert_is_battle};

/// Plays a game, and compares all peers with each other and with the game without a network.
fn plays_alike(settings: Settings, ticks: u64) {
    let mut game = Game::new(settings, settings.players).expect("a game");
    game.run_to(ticks).expect("no desync");
    let mut reference = Battle::new(settings.players, settings.seed).expect("a battle");
    alone(&mut reference, settings.seed, settings.delay, ticks);
    assert!(game.hashes().iter().all(|hash| *hash == reference.hash()));
    assert_is_battle(&reference);
    for peer in &game.peers {
        let totals = peer.totals();
        assert!(totals.compared > ticks / settings.hash_every * 9 / 10, "{totals:?}");
        assert!(totals.resent > ticks / 100, "{totals:?}");
    }
    let link = game.link_totals();
    assert!(link.lost > link.sent / 20 && link.overtaken > link.sent / 10, "{link:?}");
}

#[test]
fn two_peers_stay_equal_for_ten_thousand_ticks_over_bad_links() {
    plays_alike(Settings::new(2, 1), LONG);
}

#[test]
fn four_peers_stay_equal_for_ten_thousand_ticks_over_bad_links() {
    plays_alike(Settings::new(4, 2), LONG);
}

#[test]
fn a_game_goes_on_when_every_third_datagram_is_lost() {
    let faults = Faults { loss: 333, twice: 100, delay: 2, jitter: 8 };
    plays_alike(Settings { faults, ..Settings::new(3, 3) }, 1000);
}

#[test]
fn a_corrupted_world_is_noticed_within_a_second_and_named() {
    for players in [2, 4] {
        for (part, change) in CHANGES {
            let mut game = Game::new(Settings::new(players, 4), players).expect("a game");
            // Between two hash reports.
            let tick = 303;
            game.run_to(tick).expect("no desync yet");
            let wrong = players - 1;
            let battle = game.peers[usize::from(wrong)].battle_mut().expect("a battle");
            let second = battle.ticks_per_second();
            change(battle.world_mut());
            let Err(LockstepError::Desync(found)) = game.run_to(tick + 200) else {
                panic!("{part}: not noticed")
            };
            println!("{part}: {found}");
            assert!(found.noticed_by == wrong || found.with == wrong, "{found}");
            assert_eq!((found.tick, found.equal_at), (305, Some(300)), "{part}: {found}");
            assert!(found.noticed_at <= tick + second, "{found}");
            assert!(found.parts.contains(&part), "{part}: {found}");
        }
    }
}

#[test]
fn with_a_report_in_every_tick_the_very_tick_is_named() {
    for (part, change) in CHANGES {
        let settings = Settings { hash_every: 1, ..Settings::new(2, 4) };
        let mut game = Game::new(settings, 2).expect("a game");
        game.run_to(303).expect("no desync yet");
        change(game.peers[1].battle_mut().expect("a battle").world_mut());
        let Err(LockstepError::Desync(found)) = game.run_to(400) else { panic!("{part}: not noticed") };
        assert_eq!((found.tick, found.equal_at), (304, Some(303)), "{part}: {found}");
        assert!(found.parts.contains(&part), "{part}: {found}");
    }
}

#[test]
fn a_peer_joins_late_from_a_snapshot_and_stays_equal() {
    for faults in [Faults::NONE, Faults::BAD] {
        let settings = Settings { faults, ..Settings::new(4, 6) };
        let mut game = Game::new(settings, 2).expect("a game");
        game.run_to(400).expect("no desync");
        game.peers[2].join();
        game.run_to(700).expect("no desync");
        game.peers[3].join();
        game.run_to(1500).expect("no desync");
        let hashes = game.hashes();
        assert_eq!(hashes.len(), 4);
        assert!(hashes.iter().all(|hash| *hash == hashes[0]));
        // The joined peers compare hashes, and the others wait for their orders.
        for peer in &game.peers[2..] {
            assert!(peer.totals().compared > 300, "{:?}", peer.totals());
        }
        let joined = game.peers[3].battle().expect("joined").totals();
        assert_is_battle(game.peers[0].battle().expect("the host"));
        assert_eq!(Some(joined), game.peers[0].battle().map(Battle::totals));
    }
}

#[test]
fn a_game_without_one_of_its_peers_stops_and_says_so() {
    let mut game = Game::new(Settings::new(2, 8), 2).expect("a game");
    game.run_to(50).expect("no desync");
    game.peers.truncate(1);
    let stopped = game.run_to(1000);
    assert!(matches!(stopped, Err(LockstepError::Stalled(tick)) if tick <= 50 + 4), "{stopped:?}");
}
