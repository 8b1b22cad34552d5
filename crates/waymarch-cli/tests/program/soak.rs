//! Runs `waymarch bench soak`.

use serde_json::Value;

/// The row of a soak, which must be sound.
fn sound_row(args: &str) -> Value {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("waymarch");
    command.args(["bench", "soak", "--json"]).args(args.split_whitespace());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let document: Value = serde_json::from_str(&text).unwrap();
    document["rows"][0].clone()
}

/// Memory is noted after 2,000 ticks and at the end. So half of the game is before, with the first deadlock zone, whose scratch takes 1.5 MB once.
#[test]
fn a_soak_of_4000_ticks_is_sound_with_usual_and_with_smallest_budgets() {
    for (args, budget) in [("--units 200 --ticks 4000", 6144), ("--units 200 --ticks 4000 --tiny", 64)] {
        let row = sound_row(args);
        let number = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(
            (number("ticks"), number("without_end"), number("in_closed_ground")),
            (4000, 0, 0),
            "{row}"
        );
        assert!(number("orders") > 1000 && number("edits") > 100 && number("deaths") == 200, "{row}");
        let [most, allowed] = [0, 1].map(|at| row["tick_nodes"][at].as_u64().unwrap());
        assert!(most > budget / 2 && most <= allowed && allowed <= (8 * budget).max(8192), "{row}");
    }
}

#[test]
fn units_that_queue_behind_idle_enemies_on_open_ground_get_on() {
    // 5 orders of this battle had no end: the first of 12 units could not turn aside because of those behind it.
    let row = sound_row("--units 300 --ticks 200 --seed 3");
    assert_eq!(row["without_end"], 0, "{row}");
}
