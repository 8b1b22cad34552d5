//! `path`, `render` and `maps info` on maps of several levels.

use std::path::Path;

use serde::Serialize;
use waymarch::base::{Agent, CellPos, LevelCell, LevelId, SizeClass};
use waymarch::levels::{LevelMap, Passage};
use waymarch::nav::{LevelNavigator, LevelNavigatorError, LevelPlanError, LevelPlanner, LevelRoute};
use waymarch_cli::picture::{LevelPicture, Picture, Style};
use waymarch_maps::write_file;

use super::search::RUNS;
use crate::arguments::{AgentArgs, EndArgs};
use crate::diagnostics::{Failure, Kind};
use crate::load::find_config;
use crate::report::{Lines, Report, count, grouped, rounded};
use crate::stats::median_time_us;

/// A map of several levels with its navigator and the agent that moves on it.
pub(super) struct LevelSetup {
    nav: LevelNavigator,
    agent: Agent,
}

impl LevelSetup {
    /// Checks map and settings and builds the navigator.
    pub(super) fn open(map: LevelMap, agent: &AgentArgs) -> Result<Self, Failure> {
        if !agent.threats.is_empty() {
            return Err(one_level_only("--threat"));
        }
        let mut config = find_config(agent.config.as_deref())?;
        if let Err(place) = config.size_classes.binary_search(&agent.size) {
            config.size_classes.insert(place, agent.size);
        }
        let names: Vec<String> = map.base.rules.locomotors.iter().map(|def| def.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let name = agent.locomotor.as_deref().or(names.first().copied()).unwrap_or_default();
        let nav =
            LevelNavigator::new(map, config).map_err(|error: LevelNavigatorError| Failure::invalid(error))?;
        let locomotor = nav.locomotor(name).ok_or_else(|| Failure::unknown("locomotor", name, &names))?;
        let size = SizeClass::new(agent.size).unwrap_or_default();
        Ok(Self { nav, agent: Agent { locomotor, size } })
    }

    /// Start and goal: as given, or the first and the last player start.
    fn ends(&self, asked: &EndArgs, [from, to]: [u16; 2]) -> Result<(LevelCell, LevelCell), Failure> {
        let starts = &self.nav.map().base.starts;
        let missing = || Failure::new(Kind::Usage, "this map has no player starts: use --from and --to");
        let start = asked.from.first().or(starts.first()).copied().ok_or_else(missing)?;
        let goal = asked.to.or(starts.last().copied()).ok_or_else(missing)?;
        Ok((start.on(LevelId(from)), goal.on(LevelId(to))))
    }
}

/// The failure of an option that needs a map of one level.
pub(super) fn one_level_only(option: &str) -> Failure {
    Failure::new(Kind::Usage, format!("{option} needs a map of one level: this map has decks or links"))
}

fn no_route(error: LevelPlanError) -> Failure {
    Failure::new(Kind::NoRoute, error.to_string())
}

/// What `path` was asked for.
pub(super) struct LevelPathArgs<'a> {
    pub(super) ends: &'a EndArgs,
    /// The levels of start and goal.
    pub(super) levels: [u16; 2],
    pub(super) planner: &'a str,
    pub(super) render: Option<&'a Path>,
    pub(super) pixels: u32,
}

#[derive(Serialize)]
struct CrossingRow {
    after: usize,
    through: Passage,
}

#[derive(Serialize)]
struct PathDocument<'a> {
    map: &'a str,
    planner: String,
    from: [i32; 3],
    to: [i32; 3],
    cost: u64,
    /// Column, row and level of each.
    waypoints: Vec<[i32; 3]>,
    crossings: Vec<CrossingRow>,
    expanded: u32,
    time_us: f64,
    runs: usize,
    render: Option<&'a Path>,
}

/// `waymarch path`.
pub(super) fn path(mut setup: LevelSetup, args: &LevelPathArgs<'_>) -> Result<Report, Failure> {
    let planner: LevelPlanner = args.planner.parse().map_err(Failure::invalid)?;
    let ends = setup.ends(args.ends, args.levels)?;
    let mut route = LevelRoute::new();
    let LevelSetup { nav, agent } = &mut setup;
    nav.path_with(planner, ends, *agent, &mut route).map_err(no_route)?;
    let time =
        median_time_us::<RUNS, _>(|| nav.path_with(planner, ends, *agent, &mut route).map_err(no_route))?;
    if let Some(path) = args.render {
        write_file(path, &draw(nav.map(), Some(&route), args.pixels))?;
    }
    let triple = |cell: LevelCell| [cell.at.x, cell.at.y, i32::from(cell.level.0)];
    let crossings = route
        .crossings
        .iter()
        .map(|crossing| CrossingRow { after: crossing.after, through: crossing.through });
    let document = PathDocument {
        map: &nav.map().base.name,
        planner: planner.to_string(),
        from: triple(ends.0),
        to: triple(ends.1),
        cost: route.cost.0,
        waypoints: route.waypoints.iter().copied().map(triple).collect(),
        crossings: crossings.collect(),
        expanded: route.expanded,
        time_us: rounded(time, 2),
        runs: RUNS,
        render: args.render,
    };
    let mut lines = Lines::default();
    lines
        .add("from", ends.0.to_string())
        .add("to", ends.1.to_string())
        .add("cost", grouped(route.cost.0))
        .add("expanded", count(route.expanded as usize, "node", "nodes"))
        .add("time", format!("{time:.1} µs (median of {RUNS} runs, warm)"));
    let mut text = format!("{}, by {planner} (optimal)\n\n{}\n", document.map, lines.render());
    for (number, (level, points)) in route.legs().enumerate() {
        if let Some(crossing) = number.checked_sub(1).and_then(|before| route.crossings.get(before)) {
            text.push_str(&format!("  {}\n", passage_name(nav.map(), crossing.through)));
        }
        let cells: Vec<String> =
            points.iter().map(|point| format!("{},{}", point.at.x, point.at.y)).collect();
        text.push_str(&format!("  {}: {}\n", level_name(nav.map(), level), cells.join(" → ")));
    }
    if let Some(path) = args.render {
        text.push_str(&format!("\nDrawn to {}.\n", path.display()));
    }
    Ok(Report::new(text, &document))
}

fn level_name(map: &LevelMap, level: LevelId) -> String {
    match level.deck().and_then(|deck| map.decks.get(deck)) {
        Some(deck) => format!("on level {} ({})", level.0, deck.name),
        None => "on the base".to_string(),
    }
}

fn passage_name(map: &LevelMap, passage: Passage) -> String {
    match passage {
        Passage::End(deck) => {
            let name = map.decks.get(usize::from(deck)).map_or("", |deck| &deck.name);
            format!("over the end of {name}")
        }
        Passage::Link(link) => {
            let kind = map.links.get(usize::from(link)).map(|link| link.kind.to_string());
            format!("through link {link} ({})", kind.unwrap_or_default())
        }
    }
}

/// The base, then decks and links from the lowest to the highest, then the route. Returns a PNG file.
fn draw(map: &LevelMap, route: Option<&LevelRoute>, pixels: u32) -> Vec<u8> {
    let mut picture = Picture::new(&map.base, &Style { target: pixels, ..Style::default() });
    picture.draw_map().draw(&LevelPicture { map, route }).draw_starts();
    picture.encode()
}

#[derive(Serialize)]
struct RenderDocument<'a> {
    map: &'a str,
    out: &'a Path,
    bytes: usize,
    route_cost: Option<u64>,
}

/// `waymarch render`: the terrain of all levels, with a route if start and goal are given.
pub(super) fn render(
    mut setup: LevelSetup,
    ends: &EndArgs,
    out: &Path,
    pixels: u32,
) -> Result<Report, Failure> {
    let wanted = !ends.from.is_empty() || ends.to.is_some();
    let asked = wanted.then(|| setup.ends(ends, [0, 0])).transpose()?;
    let LevelSetup { nav, agent } = &mut setup;
    let route = asked.map(|(from, to)| nav.path(from, to, *agent)).transpose().map_err(no_route)?;
    let png = draw(nav.map(), route.as_ref(), pixels);
    write_file(out, &png)?;
    let map = nav.map();
    let text = format!(
        "{}, {}, {}, {}, drawn to {}.\n",
        map.base.name,
        map.base.size,
        count(map.decks.len(), "deck", "decks"),
        count(map.links.len(), "link", "links"),
        out.display()
    );
    let route_cost = route.map(|route| route.cost.0);
    Ok(Report::new(text, &RenderDocument { map: &map.base.name, out, bytes: png.len(), route_cost }))
}

#[derive(Serialize)]
struct DeckRow<'a> {
    level: u16,
    name: &'a str,
    at: [i32; 2],
    width: u32,
    height_cells: u32,
    height: i16,
    ends: Vec<String>,
}

#[derive(Serialize)]
struct LinkRow {
    link: usize,
    kind: String,
    from: String,
    to: String,
    length: u32,
    both_ways: bool,
    open: bool,
}

#[derive(Serialize)]
struct InfoDocument<'a> {
    name: &'a str,
    width: u32,
    height: u32,
    decks: Vec<DeckRow<'a>>,
    links: Vec<LinkRow>,
    unit_heights: Vec<(String, u16)>,
}

/// `waymarch maps info`: the decks and links.
pub(super) fn info(map: &LevelMap) -> Report {
    let decks = (1..).zip(&map.decks).map(|(level, deck)| DeckRow {
        level,
        name: &deck.name,
        at: [deck.at.x, deck.at.y],
        width: deck.size.width(),
        height_cells: deck.size.height(),
        height: deck.height,
        ends: deck.ends.iter().map(|side| format!("{side:?}")).collect(),
    });
    let links = map.links.iter().enumerate().map(|(number, link)| LinkRow {
        link: number,
        kind: link.kind.to_string(),
        from: link.from.to_string(),
        to: link.to.to_string(),
        length: link.length,
        both_ways: link.ways == waymarch::levels::LinkWays::Both,
        open: link.state == waymarch::levels::LinkState::Open,
    });
    let name = |id: waymarch::base::LocomotorId| map.base.rules.locomotors[id.index()].name.clone();
    let document = InfoDocument {
        name: &map.base.name,
        width: map.base.size.width(),
        height: map.base.size.height(),
        decks: decks.collect(),
        links: links.collect(),
        unit_heights: map.heights.iter().map(|given| (name(given.locomotor), given.height)).collect(),
    };
    let cell = |[x, y]: [i32; 2]| CellPos::new(x, y);
    let mut text = format!("{}, {}\n", document.name, map.base.size);
    for deck in &document.decks {
        let ends = if deck.ends.is_empty() { "none".to_string() } else { deck.ends.join(" ") };
        text.push_str(&format!(
            "\n  level {}: {}, {}×{} at {}, height {}, ends: {ends}",
            deck.level,
            deck.name,
            deck.width,
            deck.height_cells,
            cell(deck.at),
            deck.height
        ));
    }
    for link in &document.links {
        let ways = if link.both_ways { "and back" } else { "one way" };
        let closed = if link.open { "" } else { ", closed" };
        let length = f64::from(link.length) / 1024.0;
        text.push_str(&format!(
            "\n  link {}: {} from {} to {}, {ways}, length {length:.2} cells{closed}",
            link.link, link.kind, link.from, link.to
        ));
    }
    for (name, height) in &document.unit_heights {
        text.push_str(&format!("\n  {name}: {height} high"));
    }
    text.push('\n');
    Report::new(text, &document)
}
