//! Everything the engine knows about one unit, in words.

use serde_json::{Value, json};
use waymarch::avoid::Stance;
use waymarch::base::{CellPos, Fixed, Vec2};
use waymarch::groups::{Formation, Traffic};
use waymarch::plan::Destination;
use waymarch::query::{Goal, Shape};
use waymarch::world::{
    Around, GroupId, Guidance, Order, PathStatus, PlannerChoice, Rung, Target, UnitId, World,
};

/// The `unit` message about the unit in `slot`, which may be gone.
pub(crate) fn unit(world: &World, slot: u32, id: Option<UnitId>) -> Value {
    let Some((unit, id)) = id.and_then(|id| world.unit(id).zip(Some(id))) else {
        return json!({"is": "unit", "unit": slot, "tick": world.now().0, "gone": true, "sections": [],
                      "route": [], "temporary": false, "goal": null});
    };
    let mut sections = vec![
        section("Unit", &body(world, id)),
        section("Orders", &orders(world, id)),
        section("Guidance", &guidance(world, id)),
        section("Planner", &planner(world, id)),
        section("Stuck ladder", &ladder(world, id)),
    ];
    sections.push(section("Group", &group(world, id)));
    let points = route(world, id);
    let temporary = world.route_status(id) == Some(PathStatus::Temporary);
    let goal = goal(world, id).map(|at| json!([at.x, at.y]));
    json!({"is": "unit", "unit": unit.id.index(), "tick": world.now().0, "gone": false, "sections": sections,
           "route": points, "temporary": temporary, "goal": goal})
}

type Rows = Vec<(&'static str, String)>;

fn section(title: &str, rows: &Rows) -> Value {
    json!({"title": title, "rows": rows})
}

/// A place in cells, with two decimals.
fn place(at: Vec2) -> String {
    let part = |raw: i32| format!("{:.2}", f64::from(raw) / 1024.0);
    format!("{}, {}", part(at.x.raw()), part(at.y.raw()))
}

fn body(world: &World, id: UnitId) -> Rows {
    let Some(unit) = world.unit(id) else { return Vec::new() };
    let kind = world.unit_type(unit.kind);
    let size = kind.map_or(1, |kind| kind.agent.size.side());
    vec![
        ("kind", kind.map(|kind| kind.name.clone()).unwrap_or_default()),
        ("size", format!("{size} × {size} cells")),
        ("owner", unit.owner.0.to_string()),
        ("position", place(unit.position)),
        ("velocity", place(unit.velocity)),
        ("wanted velocity", place(world.desired_velocity(id))),
        ("stance", stance(unit.stance).to_owned()),
    ]
}

fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Idle => "idle: makes way for friends",
        Stance::Moving => "moving",
        Stance::Returning => "going back after making way",
        Stance::Holding => "holding: makes way for nobody",
    }
}

/// A formation, in words.
fn shape(formation: &Formation) -> String {
    let word = match formation {
        Formation::Adaptive => "in what suits the ground",
        Formation::Relative => "in the shape they had",
        Formation::Box => "in a box",
        Formation::Line => "in line",
        Formation::Column => "in column",
        Formation::Wedge => "in a wedge",
        Formation::Circle => "in a circle",
        Formation::Scatter => "scattered",
        Formation::Hex => "tightly packed",
        Formation::Custom(places) => return format!("in {} places of their own", places.len()),
    };
    word.to_owned()
}

/// A place to go to, in words.
fn place_word(shape: &Shape) -> String {
    let cells = |length: Fixed| format!("{:.1}", f64::from(length.raw()) / 1024.0);
    match shape {
        Shape::Point(at) => at.to_string(),
        Shape::Circle { centre, radius } => format!("within {} cells of {centre}", cells(*radius)),
        Shape::Ring { centre, inner, outer } => {
            format!("{} to {} cells from {centre}", cells(*inner), cells(*outer))
        }
        Shape::Rect(area) => {
            let (wide, high) = (area.x1.abs_diff(area.x0), area.y1.abs_diff(area.y0));
            format!("an area of {wide} × {high} cells at {}", CellPos::new(area.x0, area.y0))
        }
    }
}

/// A goal, in words.
fn goal_word(goal: &Goal) -> String {
    match goal {
        Goal::In(Shape::Point(at)) => format!("move to {at}"),
        Goal::In(shape) => format!("move to {}", place_word(shape)),
        Goal::AnyOf(shapes) => format!("move into the nearest of {} places", shapes.len()),
        Goal::OutOf(shape) => format!("get out of {}", place_word(shape)),
        Goal::OutOfAll(shapes) => format!("get out of {} places", shapes.len()),
    }
}

/// What an order is about, in words.
fn target_word(target: &Target) -> String {
    match target {
        Target::Cell(at) => format!("{at}"),
        Target::Unit(unit) => format!("unit {}", unit.index()),
        Target::Stamp(stamp) => format!("building {}", stamp.index()),
    }
}

/// How to stand around it.
fn around_word(how: &Around) -> &'static str {
    match how {
        Around::InRange { .. } => "stand in range of",
        Around::Surround => "surround",
        Around::Park => "park beside",
        Around::Dock { .. } => "dock at",
    }
}

fn orders(world: &World, id: UnitId) -> Rows {
    let say = |order: &Order| match order {
        Order::Move(goal) => goal_word(goal),
        Order::Form { at, formation, .. } => format!("move to {at} and stand {}", shape(formation)),
        Order::Patrol(stops) => format!("patrol of {} stops", stops.len()),
        Order::Follow { target, distance } => {
            format!("follow unit {} within {} cells", target.index(), distance.floor_cells())
        }
        Order::AttackMove { goal, .. } => format!("{}, looking out", goal_word(goal)),
        Order::FollowGroup { units, distance } => {
            format!("follow a group of {} within {} cells", units.len(), distance.floor_cells())
        }
        Order::Guard { target, leash } => {
            format!("guard {} within {} cells", target_word(target), leash.floor_cells())
        }
        Order::Around { target, how } => format!("{} {}", around_word(how), target_word(target)),
        Order::Scatter { distance } => format!("scatter by {} cells", distance.floor_cells()),
        Order::Stop => String::from("stop"),
        Order::Hold => String::from("hold"),
    };
    let name = |number| if number == 0 { "now" } else { "then" };
    let rows: Rows = world.orders_of(id).enumerate().map(|(n, order)| (name(n), say(order))).collect();
    if rows.is_empty() { vec![("now", String::from("nothing to do"))] } else { rows }
}

fn guidance(world: &World, id: UnitId) -> Rows {
    let Some(path) = world.route_of(id) else { return vec![("follows", String::from("nothing"))] };
    let service = world.service();
    let status = match service.status(path) {
        Some(PathStatus::Partial(why)) => format!("as near as can be: {why}"),
        Some(PathStatus::Unreachable(why) | PathStatus::Failed(why)) => format!("no way: {why}"),
        Some(PathStatus::Pending) => String::from("waits for a route"),
        Some(PathStatus::Temporary) => String::from("temporary route over doors"),
        Some(PathStatus::Complete) => String::from("complete route"),
        None => String::from("none"),
    };
    let follows = match service.guidance(path) {
        Some(Guidance::Straight(_)) => String::from("straight on"),
        Some(Guidance::Waypoints(points)) => {
            let next = world.next_waypoint(id).unwrap_or(0);
            format!("waypoint {next} of {}", points.len())
        }
        Some(Guidance::Flow(..)) => String::from("a flow that it shares"),
        None => String::from("nothing"),
    };
    let end = service.end(path).map(|end| end.cell().to_string()).unwrap_or_default();
    vec![("status", status), ("follows", follows), ("ends at", end)]
}

fn planner(world: &World, id: UnitId) -> Rows {
    let report = world.route_of(id).and_then(|path| world.service().report(path));
    let Some(report) = report else { return vec![("answered by", String::from("nothing yet"))] };
    vec![
        ("answered by", planner_word(report.planner).to_owned()),
        ("because", report.reason.to_string()),
        ("nodes", report.nodes.to_string()),
        ("asked", format!("tick {}", report.asked)),
        ("begun", format!("tick {}", report.begun)),
        ("answered", format!("tick {}", report.answered)),
    ]
}

fn planner_word(planner: PlannerChoice) -> &'static str {
    match planner {
        PlannerChoice::Astar => "A*",
        PlannerChoice::Jps => "jump point search",
        PlannerChoice::JpsPlus => "jump point search, planes made beforehand",
        PlannerChoice::Jpsw => "weighted jump point search",
        PlannerChoice::Hpa => "over doors, then cell by cell",
        PlannerChoice::Flow => "a flow that many follow",
        PlannerChoice::Direct => "no search: straight on",
        PlannerChoice::Custom => "the game's own planner",
    }
}

fn ladder(world: &World, id: UnitId) -> Rows {
    let rung = match world.rung_of(id).unwrap_or_default() {
        Rung::Ground => "nothing has gone wrong",
        Rung::AroundAll => "1: around all units near by",
        Rung::AroundStanding => "2: around those that stand",
        Rung::Nearest => "3: to the nearest place that can be reached",
    };
    let (still, failures) = world.trouble_of(id).unwrap_or_default();
    vec![
        ("rung", rung.to_owned()),
        ("no headway for", format!("{still} ticks")),
        ("attempts", failures.to_string()),
    ]
}

/// With whom a unit goes, where it is to stand among them and which gate it goes through next; and how requests to its destination are answered.
fn group(world: &World, id: UnitId) -> Rows {
    let mut rows = Vec::new();
    match world.group_of(id).zip(world.slot_of(id)) {
        Some((group, slot)) => {
            let under_way = world.groups().any(|other| other == group);
            let members = world.positions().filter(|&(unit, _)| world.group_of(unit) == Some(group)).count();
            let state = if under_way { "under way" } else { "has come to rest" };
            rows.push(("group", format!("number {}, {members} members, {state}", group.index())));
            let far = world.place_of(id).map_or(0, |at| at.distance_squared(slot).isqrt());
            let far = far as f64 / 65_536.0;
            rows.push(("slot", format!("{}, {far:.2} cells away", place(slot.into()))));
            rows.push(("gate", gate(world, id, group)));
            rows.push(("pace", pace(world, id, group)));
        }
        None => {
            rows.push(("group", String::from("none: it goes by itself")));
            rows.push(("slot", String::from("none")));
        }
    }
    let goal = goal(world, id);
    let kind = world.unit(id).and_then(|unit| world.unit_type(unit.kind));
    if let (Some(goal), Some(kind)) = (goal, kind) {
        let room = world.nav().sectors().room(goal, kind.agent);
        let same = |(to, _): &(Destination, _)| to.agent == kind.agent && Some(to.room) == room;
        let decision = world.service().groups().find(same).map(|(_, decision)| decision.to_string());
        rows.push(("destination", decision.unwrap_or_else(|| String::from("nobody asks at present"))));
    }
    rows
}

/// How fast a unit goes, could go, and how fast the slowest of its group could, in cells a second.
fn pace(world: &World, id: UnitId, group: GroupId) -> String {
    let cells = |raw: u64| raw as f64 * 20.0 / 1024.0;
    let full = |unit: UnitId| {
        let kind = world.unit(unit).and_then(|unit| world.unit_type(unit.kind));
        kind.map_or(0, |kind| u64::from(kind.speed.raw().unsigned_abs()))
    };
    let [x, y] =
        world.unit(id).map_or([0, 0], |unit| [unit.velocity.x, unit.velocity.y].map(|part| part.raw()));
    let now = (i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y)).unsigned_abs().isqrt();
    let members = world.positions().map(|(unit, _)| unit).filter(|&unit| world.group_of(unit) == Some(group));
    let slowest = members.map(full).min().unwrap_or(0);
    format!("{:.1} of {:.1} cells a second; the slowest: {:.1}", cells(now), cells(full(id)), cells(slowest))
}

/// The gate that a unit goes through next, in words.
fn gate(world: &World, id: UnitId, group: GroupId) -> String {
    let is_sent = world.is_sent_round(id);
    let gates: Vec<_> =
        if is_sent { world.gates_round(group).collect() } else { world.gates_of(group).collect() };
    let next = usize::from(world.next_gate(id).unwrap_or(0));
    let Some((way, traffic)) = gates.get(next) else {
        return String::from(if gates.is_empty() { "none on its way" } else { "through all of them" });
    };
    let wide = way.width() as f64 / 65_536.0;
    let keeps = match traffic {
        Traffic::OneWay => "nobody comes the other way",
        Traffic::Opposing => "keeps right: others come the other way",
    };
    let round = if is_sent { " of the way round a crowd" } else { "" };
    format!("{} of {}{round}, {wide:.1} cells wide, {keeps}", next + 1, gates.len())
}

/// Where a unit goes in the end.
pub(crate) fn goal(world: &World, id: UnitId) -> Option<CellPos> {
    let path = world.route_of(id)?;
    world.service().end(path).map(|end| end.cell())
}

/// The rest of a unit's route, from where it is.
pub(crate) fn route(world: &World, id: UnitId) -> Vec<[i32; 2]> {
    let Some((unit, path)) = world.unit(id).zip(world.route_of(id)) else { return Vec::new() };
    let here = [unit.position.x.raw(), unit.position.y.raw()];
    let next = world.next_waypoint(id).unwrap_or(0) as usize;
    let rest: Vec<[i32; 2]> = match world.service().guidance(path) {
        Some(Guidance::Waypoints(points)) => {
            points.iter().skip(next).map(|at| [at.x.raw(), at.y.raw()]).collect()
        }
        Some(Guidance::Straight(end) | Guidance::Flow(_, end)) => vec![[end.x.raw(), end.y.raw()]],
        None => return Vec::new(),
    };
    std::iter::once(here).chain(rest).collect()
}
