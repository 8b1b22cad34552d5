//! Counts the work of typical scenarios in nodes and cells, beside estimates.

use comfy_table::Table;
use serde::Serialize;
use waymarch::avoid::{AvoidSettings, SpatialIndex};
use waymarch::base::{Agent, CellPos, CellRect, Fine};
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::query::{PathAsk, PathQuery};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::world::{Navigator, Order, PathService, PlayerId, UnitType, World};

use super::super::cells::chebyshev;
use super::places::{Places, prepared_navigator};
use crate::diagnostics::Failure;
use crate::report::{Report, Verdict, grouped};
use crate::table::table;

/// Each scenario is drawn 8 times; the table has means.
const DRAWS: u64 = 8;
/// Members of a group start at most 6 cells from its centre.
const CAMP: i32 = 6;
/// Neighbours are counted over 100 ticks.
const AVOIDED_TICKS: u64 = 100;
/// Requests without an answer after 1,000 ticks count as lost.
const TICKS: usize = 1000;

/// The distance to the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    /// 10 to 20 cells.
    Short,
    /// At least three quarters of the map, along either axis.
    Across,
}

/// A line of the table: groups, distance, and the estimates for A*, whole fields and the hybrid.
struct Scenario {
    name: &'static str,
    groups: usize,
    members: usize,
    far: Far,
    spec: [&'static str; 3],
}

const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "1 unit, short path",
        groups: 1,
        members: 1,
        far: Far::Short,
        spec: ["200", "1,000", "50"],
    },
    Scenario {
        name: "1 unit, cross-map",
        groups: 1,
        members: 1,
        far: Far::Across,
        spec: ["2,000", "5,000", "300"],
    },
    Scenario {
        name: "50 units, same dest",
        groups: 1,
        members: 50,
        far: Far::Across,
        spec: ["100,000", "5,000", "5,000"],
    },
    Scenario {
        name: "50 units, 5 groups",
        groups: 5,
        members: 10,
        far: Far::Across,
        spec: ["100,000", "25,000", "15,000"],
    },
    Scenario {
        name: "200 units, same dest",
        groups: 1,
        members: 200,
        far: Far::Across,
        spec: ["400,000", "5,000", "5,000"],
    },
    Scenario {
        name: "500 units, 10 groups",
        groups: 10,
        members: 50,
        far: Far::Across,
        spec: ["1,000,000", "50,000", "55,000"],
    },
];

/// The mean work of a scenario; scripts rely on the keys.
#[derive(Debug, Default, Serialize)]
struct Count {
    scenario: &'static str,
    /// Nodes that A\* expands, with one search per unit.
    astar_nodes: u64,
    /// Cells of whole-map flow fields, one field per goal.
    field_cells: u64,
    /// Nodes of the hybrid: of routes, and of routes over doors.
    hybrid_nodes: u64,
    /// Cells of the hybrid: of the sectors integrated for flows.
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
    /// Neighbours that avoidance considers per tick for the units of the last scenario.
    avoidance_per_tick: u64,
}

pub(super) fn run(word: &str, map: &ValidMap, seed: u32) -> Result<Report, Failure> {
    let (nav, agent) = prepared_navigator(map, Config::default())?;
    let mut places = Places::new(&nav, agent, seed)?;
    let rows = SCENARIOS.iter().map(|scenario| scenario.count(&nav, agent, &mut places));
    let rows = rows.collect::<Result<Vec<Count>, Failure>>()?;
    let good = rows.iter().all(|row| row.lost == 0);
    let avoidance_per_tick = SCENARIOS[SCENARIOS.len() - 1].neighbours(&nav, agent, &mut places)?;
    let document = Document { rows: &rows, map: word, draws: DRAWS, seed, avoidance_per_tick };
    let text = format!(
        "{}\nMeans of {DRAWS} draws on {word}, weighted ground.\n",
        count_table(&rows, avoidance_per_tick)
    );
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

    /// Draws the groups once and adds their work to `count`.
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
                astar(nav.layer(), &query, nav.config().step_rule(), &mut scratch, &mut route)?;
                count.astar_nodes += u64::from(route.expanded);
                ids.push(service.request(PathAsk::new(from.centre(), goal, agent)));
            }
            // A field has every cell from which its goal can be reached.
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
        let is_settled = |id| service.status(id).is_some_and(|status| status.has_route());
        count.lost += ids.into_iter().filter(|&id| !is_settled(id)).count();
        let (work, side) = (service.flows().work(), u64::from(nav.config().get().sector_size));
        count.hybrid_nodes += service.work().nodes;
        count.hybrid_cells += (work.integrated + work.made_again) * side * side;
        Ok(())
    }

    /// The number of neighbours that avoidance considers per tick for all units, as a mean over the first 100 ticks. Each unit considers
    /// the nearest ones within range, at most `avoidance_neighbours`.
    fn neighbours(&self, nav: &Navigator, agent: Agent, places: &mut Places) -> Result<u64, Failure> {
        let mut world = World::new(nav.clone());
        let kind = world.add_type(UnitType::new("unit", agent)).map_err(Failure::invalid)?;
        for _ in 0..self.groups {
            let (camp, goal) = self.ends(nav, places)?;
            let side = CAMP as u32 * 2 + 1;
            let around =
                CellRect::at(camp.offset(-CAMP, -CAMP), side, side).intersect(nav.layer().grid().rect());
            let spots: Vec<CellPos> =
                around.cells().filter(|&at| nav.reachable(camp, at, agent)).take(self.members).collect();
            let units = world.spawn_many(kind, PlayerId(0), &spots).map_err(Failure::invalid)?;
            world.order(&units, Order::move_to(goal)).map_err(Failure::invalid)?;
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
                // The unit itself is in the list too.
                sum += near.len().saturating_sub(1).min(most) as u64;
            }
        }
        Ok(sum / AVOIDED_TICKS)
    }

    /// The start and the goal of a group.
    fn ends(&self, nav: &Navigator, places: &mut Places) -> Result<(CellPos, CellPos), Failure> {
        let side = nav.layer().grid().width().min(nav.layer().grid().height());
        let near_rim = |at: CellPos| {
            let (x, y) = (at.x.unsigned_abs(), at.y.unsigned_abs());
            x.min(y).min(side.saturating_sub(x.max(y))) < side / 5
        };
        let camp = places.draw(nav, |at| self.far == Far::Short || near_rim(at))?;
        let goal = places.draw(nav, |at| match self.far {
            Far::Short => (10..=20).contains(&chebyshev(camp, at)),
            Far::Across => chebyshev(camp, at) >= side * 3 / 4,
        });
        Ok((camp, goal?))
    }
}

fn count_table(rows: &[Count], avoidance: u64) -> Table {
    let header = [
        "scenario",
        "A* nodes",
        "estimate",
        "field cells",
        "estimate",
        "hybrid nodes",
        "+ cells",
        "= hybrid",
        "estimate",
    ];
    let cells = |row: &Count| {
        [
            row.scenario.to_owned(),
            grouped(row.astar_nodes),
            row.spec_astar.to_owned(),
            grouped(row.field_cells),
            row.spec_field.to_owned(),
            grouped(row.hybrid_nodes),
            grouped(row.hybrid_cells),
            grouped(row.hybrid),
            row.spec_hybrid.to_owned(),
        ]
    };
    let avoidance = grouped(avoidance);
    let last =
        ["+ local avoidance/tick", "-", "-", "-", "-", "-", "-", &avoidance, "10,000"].map(str::to_owned);
    table(header, rows.iter().map(cells).chain([last]), 1..9)
}
