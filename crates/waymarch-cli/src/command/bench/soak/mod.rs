//! `waymarch bench soak`: does a long game with edits, deaths and new units stay sound?
//!
//! - `battle.rs`: the game: two players, orders to random squads, buildings that come and go, units that die and are replaced
//! - `audit.rs`: what must hold in every tick: orders end, units are on open ground, memory stays flat

mod audit;
mod battle;

use clap::Args;
use serde::Serialize;
use waymarch::world::World;

use self::audit::Audit;
use self::battle::Battle;
use crate::arguments::ReadArgs;
use crate::diagnostics::Failure;
use crate::load::find_map;
use crate::report::{Report, Verdict, bytes, grouped, rounded};
use crate::stats::percentile_of;

const EXAMPLES: &str = "\
Examples:
  waymarch bench soak
  waymarch bench soak --ticks 1000000
  waymarch bench soak --tiny --json

The battle runs for the given number of ticks with new orders, and then until all orders have ended.
  --tiny   the smallest caches and budgets that the settings allow: routes come later, no order is lost
Exit code 1 if an order has no end, a unit is inside closed ground that no edit closed over it, or the
memory at the end exceeds the memory after a tenth of the ticks (at least 2000) by more than a tenth, or a tick takes
more than 8 times its budget of nodes. Times are shown, but not judged.";

/// Arguments of `waymarch bench soak`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SoakArgs {
    /// The number of ticks with new orders.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    ticks: u32,
    /// The number of units.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    units: u32,
    /// The seed of orders, edits and deaths.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// The map.
    #[arg(long, value_name = "MAP", default_value = "generate:1:128x128")]
    map: String,
    /// Run with the smallest caches and budgets.
    #[arg(long)]
    tiny: bool,
    #[command(flatten)]
    reading: ReadArgs,
}

/// A tick may take 8 times `max_path_nodes_per_tick`: units that join a flow borrow up to 5 ticks, and work that cannot pause takes more.
const TICK_BUDGETS: u64 = 8;

/// Memory is first noted after a tenth of the ticks, but not before 2000 ticks: until then caches and lists fill.
const WARM_UP: usize = 2000;

/// With small budgets a tick may take 8192 nodes: work that cannot pause does not shrink with the budget.
const LEAST_TICK_NODES: u64 = 8192;

/// The result; scripts rely on the keys.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    map: String,
    units: usize,
    ticks: usize,
    /// Ticks after the last order, until all orders had ended.
    later_ticks: usize,
    orders: u64,
    arrived: u64,
    gave_up: u64,
    /// Orders without an event at their end.
    without_end: usize,
    edits: u64,
    deaths: u64,
    /// Units times ticks inside closed ground that no edit closed over them.
    in_closed_ground: u64,
    /// Bytes held by the game after a tenth of the ticks (at least 2000), and at the end. They are equal if the game ends earlier.
    memory_bytes: [u64; 2],
    /// The most nodes that the path service counted in a tick, and the most that it may.
    tick_nodes: [u64; 2],
    tick_p50_ms: f64,
    tick_p99_ms: f64,
    tick_max_ms: f64,
    hash: String,
}

impl Row {
    /// Whether the memory at the end exceeds the memory after a tenth of the ticks by at most a tenth.
    fn is_flat(&self) -> bool {
        let [first, last] = self.memory_bytes;
        last <= first + first / 10
    }

    /// Whether the worst tick took no more nodes than it may.
    fn is_bounded(&self) -> bool {
        self.tick_nodes[0] <= self.tick_nodes[1]
    }

    fn verdict(&self) -> Verdict {
        let is_sound = self.without_end == 0 && self.in_closed_ground == 0;
        if is_sound && self.is_flat() && self.is_bounded() { Verdict::Good } else { Verdict::Bad }
    }
}

#[derive(Serialize)]
struct Document {
    rows: [Row; 1],
    seed: u32,
}

pub(super) fn run(args: &SoakArgs) -> Result<Report, Failure> {
    let map = find_map(&args.map, &args.reading.options())?;
    let (mut battle, mut audit) =
        (Battle::new(&map, args.units as usize, args.seed, args.tiny.into())?, Audit::default());
    let ticks = args.ticks as usize;
    let (warm, mut later) = (WARM_UP.max(ticks / 10), 0);
    for number in 0..ticks + battle::PLAYED_OUT {
        if number < ticks {
            battle.command(number, &mut audit);
        } else if audit.without_end() > 0 {
            later += 1;
        } else {
            break;
        }
        audit.tick(&mut battle.world);
        if number == warm {
            audit.note_memory();
        }
    }
    audit.note_memory();
    let row = Row {
        map: args.map.clone(),
        units: battle.world.unit_count(),
        ticks,
        later_ticks: later,
        orders: audit.orders,
        arrived: audit.arrived,
        gave_up: audit.gave_up,
        without_end: audit.without_end(),
        edits: audit.edits,
        deaths: audit.deaths,
        in_closed_ground: audit.in_closed_ground,
        memory_bytes: audit.memory(),
        tick_nodes: [audit.most_nodes, allowed_nodes(&battle.world)],
        tick_p50_ms: rounded(percentile_of(&audit.tick_ms, 50), 3),
        tick_p99_ms: rounded(percentile_of(&audit.tick_ms, 99), 3),
        tick_max_ms: rounded(percentile_of(&audit.tick_ms, 100), 3),
        hash: battle.world.state_hash().to_string(),
    };
    let [first, last] = row.memory_bytes;
    let text = format!(
        "{} units on {}, {} ticks, {} more until all orders had ended\n\
         {} orders, {} arrivals, {} gave up, {} without an end; {} edits, {} deaths\n\
         {} unit-ticks inside closed ground that no edit closed\n\
         memory {} after a tenth of the ticks or 2,000, {} at the end: {}\n\
         at most {} nodes in a tick, {} are allowed: {}\n\
         tick p50 {:.3} ms, p99 {:.3} ms, max {:.3} ms; hash {}\n",
        grouped(row.units as u64),
        row.map,
        grouped(row.ticks as u64),
        grouped(row.later_ticks as u64),
        grouped(row.orders),
        grouped(row.arrived),
        grouped(row.gave_up),
        row.without_end,
        grouped(row.edits),
        grouped(row.deaths),
        row.in_closed_ground,
        bytes(first),
        bytes(last),
        if row.is_flat() { "flat" } else { "NOT flat" },
        grouped(row.tick_nodes[0]),
        grouped(row.tick_nodes[1]),
        if row.is_bounded() { "bounded" } else { "NOT bounded" },
        row.tick_p50_ms,
        row.tick_p99_ms,
        row.tick_max_ms,
        row.hash,
    );
    let verdict = row.verdict();
    let document = Document { rows: [row], seed: args.seed };
    Ok(Report::new(text, &document).verdict(verdict))
}

/// The most nodes that a tick may take.
fn allowed_nodes(world: &World) -> u64 {
    let budget = world.nav().config().get().max_path_nodes_per_tick;
    (TICK_BUDGETS * u64::from(budget)).max(LEAST_TICK_NODES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soak_fails_for_each_of_its_four_reasons() {
        let good = Row { memory_bytes: [1000, 1100], tick_nodes: [9, 9], ..Row::default() };
        assert!(good.verdict() == Verdict::Good);
        for bad in [
            Row { without_end: 1, ..good.clone() },
            Row { in_closed_ground: 1, ..good.clone() },
            Row { memory_bytes: [1000, 1101], ..good.clone() },
            Row { tick_nodes: [10, 9], ..good },
        ] {
            assert!(bad.verdict() == Verdict::Bad, "{bad:?}");
        }
    }
}
