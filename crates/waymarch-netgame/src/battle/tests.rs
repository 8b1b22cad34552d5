use super::*;

const SEED: u64 = 11;

fn advance(battle: &mut Battle, ticks: u64) {
    for _ in 0..ticks {
        let tick = battle.tick();
        let inputs: Vec<Input> =
            (0..battle.players()).map(|seat| Input::scripted(SEED, seat, tick)).collect();
        battle.advance(&inputs);
    }
}

fn saved(battle: &Battle) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    battle.save_into(&mut writer);
    writer.into_bytes()
}

#[test]
fn a_battle_has_orders_edits_and_losses() {
    let mut battle = Battle::new(2, SEED).expect("two players");
    assert_eq!((battle.count(0), battle.count(1)), (UNITS_PER_PLAYER, UNITS_PER_PLAYER));
    advance(&mut battle, 2000);
    let totals = battle.totals();
    assert!(totals.orders > 50 && totals.edits > 20 && totals.fallen > 5, "{totals:?}");
    assert!(totals.reinforced > 0, "{totals:?}");
}

#[test]
fn a_saved_battle_goes_on_alike_loaded_and_restored() {
    let mut battle = Battle::new(3, SEED).expect("three players");
    advance(&mut battle, 300);
    let bytes = saved(&battle);
    let mut loaded = Battle::load(&bytes).expect("a saved battle");
    advance(&mut battle, 200);
    advance(&mut loaded, 200);
    assert_eq!(loaded.hash(), battle.hash());
    loaded.restore(&bytes).expect("a saved battle");
    assert_eq!(saved(&loaded), bytes);
    advance(&mut loaded, 200);
    assert_eq!(loaded.hash(), battle.hash());
    assert_eq!(loaded.totals(), battle.totals());
}

#[test]
fn cut_bytes_are_refused_and_change_nothing() {
    let mut battle = Battle::new(2, SEED).expect("two players");
    advance(&mut battle, 50);
    let bytes = saved(&battle);
    let mut other = Battle::new(2, SEED).expect("two players");
    let before = other.hash();
    for length in [0, 1, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(other.restore(&bytes[..length]).is_err(), "{length}");
        assert!(Battle::load(&bytes[..length]).is_err(), "{length}");
    }
    assert_eq!(other.hash(), before);
}

#[test]
fn the_number_of_players_is_limited() {
    assert!(Battle::new(0, 1).is_err());
    assert!(Battle::new(MAX_PLAYERS + 1, 1).is_err());
}
