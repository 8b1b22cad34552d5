//! Spec 000's table of operation counts, measured.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::avoid::{AvoidSettings, Fine, SpatialIndex};
use waymarch::base::{Agent, CellPos, CellRect};
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::query::{PathAsk, PathQuery};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::world::{Navigator, Order, PathService, PlayerId, UnitType, World};

use super::army::{Places, ready};
use crate::diagnostics::{Failure, Kind};
use crate::report::{Report, Verdict, grouped};
use crate::scene::no_route;

/// Each scenario is drawn so often; the table has means.
const DRAWS: u64 = 8;
/// Members of a group stand at most this many cells from its middle.
const CAMP: i32 = 6;
/// Neighbours are counted over so many ticks.
const AVOIDED_TICKS: u64 = 100;
/// Ticks after which whoever has no answer is lost.
const TICKS: usize = 1000;

/// How far it is to the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    /// 10 to 20 cells.
    Short,
    /// Three quarters of the map and more, along one side or the other.
    Across,
}

/// A line of the table: who goes where, and what spec 000 takes it for.
struct Scenario {
    name: &'static str,
    groups: usize,
    members: usize,
    far: Far,
    spec: [&'static str; 3],
}

const fn scenario(
    name: &'static str,
    [groups, members]: [usize; 2],
    far: Far,
    spec: [&'static str; 3],
) -> Scenario {
    Scenario { name, groups, members, far, spec }
}

const SCENARIOS: [Scenario; 6] = [
    scenario("1 unit, short path", [1, 1], Far::Short, ["200", "1,000", "50"]),
    scenario("1 unit, cross-map", [1, 1], Far::Across, ["2,000", "5,000", "300"]),
    scenario("50 units, same dest", [1, 50], Far::Across, ["100,000", "5,000", "5,000"]),
    scenario("50 units, 5 groups", [5, 10], Far::Across, ["100,000", "25,000", "15,000"]),
    scenario("200 units, same dest", [1, 200], Far::Across, ["400,000", "5,000", "5,000"]),
    scenario("500 units, 10 groups", [10, 50], Far::Across, ["1,000,000", "50,000", "55,000"]),
];

/// What a scenario took, on average.
#[derive(Debug, Default, Serialize)]
struct Count {
    scenario: &'static str,
    /// Nodes that A\* expands, a search for every unit.
    astar_nodes: u64,
    /// Cells of fields over the whole map, one for every goal.
    field_cells: u64,
    /// Nodes of routes and of ways over doors.
    hybrid_nodes: u64,
    /// Cells of the sectors integrated for flows.
    hybrid_cells: u64,
    hybrid: u64,
    /// Requests without an answer, in all draws.
    lost: usize,
    spec_astar: &'static str,
    spec_field: &'static str,
    spec_hybrid: &'static str,
}

#[derive(Serialize)]
struct Document<'a> {
    rows: &'a [Count],
    map: &'a str,
    draws: u64,
    seed: u32,
    /// Neighbours that the units of the last scenario look at in a tick on their way.
    avoidance_per_tick: u64,
}

pub(super) fn run(word: &str, map: &ValidMap, seed: u32) -> Result<Report, Failure> {
    let (nav, agent) = ready(map, Config::default())?;
    let mut places = Places::new(&nav, agent, seed)?;
    let rows = SCENARIOS.iter().map(|scenario| scenario.count(&nav, agent, &mut places));
    let rows = rows.collect::<Result<Vec<Count>, Failure>>()?;
    let good = rows.iter().all(|row| row.lost == 0);
    let avoidance_per_tick = SCENARIOS[SCENARIOS.len() - 1].neighbours(&nav, agent, &mut places)?;
    let document = Document { rows: &rows, map: word, draws: DRAWS, seed, avoidance_per_tick };
    let text =
        format!("{}\nMeans of {DRAWS} draws on {word}, weighted ground.\n", table(&rows, avoidance_per_tick));
    Ok(Report::new(text, &document).verdict(if good { Verdict::Good } else { Verdict::Bad }))
}

impl Scenario {
    fn count(&self, nav: &Navigator, agent: Agent, places: &mut Places) -> Result<Count, Failure> {
        let mut count = Count {
            scenario: self.name,
            spec_astar: self.spec[0],
            spec_field: self.spec[1],
            spec_hybrid: self.spec[2],
            ..Count::default()
        };
        for _ in 0..DRAWS {
            self.draw(nav, agent, places, &mut count)?;
        }
        let sums = [
            &mut count.astar_nodes,
            &mut count.field_cells,
            &mut count.hybrid_nodes,
            &mut count.hybrid_cells,
        ];
        sums.into_iter().for_each(|sum| *sum /= DRAWS);
        count.hybrid = count.hybrid_nodes + count.hybrid_cells;
        Ok(count)
    }

    /// Draws the groups once and adds what they take.
    fn draw(
        &self,
        nav: &Navigator,
        agent: Agent,
        places: &mut Places,
        count: &mut Count,
    ) -> Result<(), Failure> {
        let (mut service, grid) = (PathService::new(nav.clone()), nav.layer().grid());
        let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
        let mut ids = Vec::new();
        for _ in 0..self.groups {
            let (camp, goal) = self.ends(nav, places)?;
            let side = CAMP as u32 * 2 + 1;
            let around = CellRect::at(camp.offset(-CAMP, -CAMP), side, side).intersect(grid.rect());
            let mut spots: Vec<CellPos> = vec![camp];
            spots.extend(around.cells().filter(|&at| at != camp && nav.reachable(camp, at, agent)));
            for unit in 0..self.members {
                let from = spots[unit % spots.len()];
                let query = PathQuery::new(from, goal, agent);
                astar(nav.layer(), &query, nav.config().step_rule(), &mut scratch, &mut route)
                    .map_err(|error| no_route(&error))?;
                count.astar_nodes += u64::from(route.expanded);
                ids.push(service.request(PathAsk::new(from.centre(), goal, agent)));
            }
            // A field is made of every cell from which its goal can be reached.
            count.field_cells +=
                grid.rect().cells().filter(|&at| nav.reachable(goal, at, agent)).count() as u64;
        }
        let mut quiet = 0;
        for _ in 0..TICKS {
            let before = service.flows().work();
            service.tick();
            quiet = if service.waiting() == 0 && service.flows().work() == before { quiet + 1 } else { 0 };
            if quiet > 3 {
                break;
            }
        }
        let is_settled = |id| service.status(id).is_some_and(|status| status.has_way());
        count.lost += ids.into_iter().filter(|&id| !is_settled(id)).count();
        let (work, side) = (service.flows().work(), u64::from(nav.config().get().sector_size));
        count.hybrid_nodes += service.work().nodes;
        count.hybrid_cells += (work.integrated + work.made_again) * side * side;
        Ok(())
    }

    /// How many neighbours the units of all groups look at in a tick, on average over the first ticks of their way: the nearest ones within
    /// range, as many as `avoidance_neighbours` says.
    fn neighbours(&self, nav: &Navigator, agent: Agent, places: &mut Places) -> Result<u64, Failure> {
        let invalid = |error: &dyn std::fmt::Display| Failure::new(Kind::Invalid, error.to_string());
        let mut world = World::new(nav.clone());
        let kind = world.add_type(UnitType::new("unit", agent)).map_err(|error| invalid(&error))?;
        for _ in 0..self.groups {
            let (camp, goal) = self.ends(nav, places)?;
            let side = CAMP as u32 * 2 + 1;
            let around =
                CellRect::at(camp.offset(-CAMP, -CAMP), side, side).intersect(nav.layer().grid().rect());
            let spots: Vec<CellPos> =
                around.cells().filter(|&at| nav.reachable(camp, at, agent)).take(self.members).collect();
            let units = world.spawn_many(kind, PlayerId(0), &spots).map_err(|error| invalid(&error))?;
            world.order(&units, Order::move_to(goal)).map_err(|error| invalid(&error))?;
        }
        let settings = AvoidSettings::default();
        let most = nav.config().get().avoidance_neighbours as usize;
        let mut index = SpatialIndex::new(settings.range);
        let (mut near, mut sum) = (Vec::new(), 0);
        for _ in 0..AVOIDED_TICKS {
            world.tick();
            let (ids, at): (Vec<u32>, Vec<Fine>) =
                world.units().filter_map(|unit| Some((unit.id.index(), world.place_of(unit.id)?))).unzip();
            index.rebuild(&at, &ids);
            for &place in &at {
                index.within(place, settings.range, &mut near);
                // It finds itself too.
                sum += near.len().saturating_sub(1).min(most) as u64;
            }
        }
        Ok(sum / AVOIDED_TICKS)
    }

    /// Where a group stands and where it goes.
    fn ends(&self, nav: &Navigator, places: &mut Places) -> Result<(CellPos, CellPos), Failure> {
        let side = nav.layer().grid().width().min(nav.layer().grid().height());
        let apart = |a: CellPos, b: CellPos| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
        let near_rim = |at: CellPos| {
            let (x, y) = (at.x.unsigned_abs(), at.y.unsigned_abs());
            x.min(y).min(side.saturating_sub(x.max(y))) < side / 5
        };
        let camp = places.draw(nav, |at| self.far == Far::Short || near_rim(at))?;
        let goal = places.draw(nav, |at| match self.far {
            Far::Short => (10..=20).contains(&apart(camp, at)),
            Far::Across => apart(camp, at) >= side * 3 / 4,
        });
        Ok((camp, goal?))
    }
}

fn table(rows: &[Count], avoidance: u64) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
        "scenario",
        "A* nodes",
        "spec",
        "field cells",
        "spec",
        "hybrid nodes",
        "+ cells",
        "= hybrid",
        "spec",
    ]);
    for row in rows {
        table.add_row([
            row.scenario.to_owned(),
            grouped(row.astar_nodes),
            row.spec_astar.to_owned(),
            grouped(row.field_cells),
            row.spec_field.to_owned(),
            grouped(row.hybrid_nodes),
            grouped(row.hybrid_cells),
            grouped(row.hybrid),
            row.spec_hybrid.to_owned(),
        ]);
    }
    let avoidance = grouped(avoidance);
    table.add_row(["+ local avoidance/tick", "-", "-", "-", "-", "-", "-", &avoidance, "10,000"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
