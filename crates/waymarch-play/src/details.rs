//! Everything the engine knows about one unit, in words.

use serde_json::{Value, json};
use waymarch::base::{CellPos, Vec2};
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{Guidance, Order, PathStatus, Rung, UnitId, World};

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
        ("stance", format!("{:?}", unit.stance).to_lowercase()),
    ]
}

fn orders(world: &World, id: UnitId) -> Rows {
    let say = |order: &Order| match order {
        Order::Move(Goal::In(Shape::Point(at))) => format!("move to {at}"),
        Order::Move(goal) => format!("move: {goal:?}"),
        Order::Form { at, formation, .. } => match formation {
            Formation::Custom(places) => format!("form {} places around {at}", places.len()),
            named => format!("form a {} at {at}", format!("{named:?}").to_lowercase()),
        },
        Order::Patrol(stops) => format!("patrol of {} stops", stops.len()),
        Order::Follow { target, distance } => {
            format!("follow unit {} within {} cells", target.index(), distance.floor_cells())
        }
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
        ("answered by", format!("{:?}", report.planner).to_lowercase()),
        ("because", report.reason.to_string()),
        ("nodes", report.nodes.to_string()),
        ("asked", format!("tick {}", report.asked)),
        ("begun", format!("tick {}", report.begun)),
        ("answered", format!("tick {}", report.answered)),
    ]
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

/// How requests to the destination of this unit are answered.
fn group(world: &World, id: UnitId) -> Rows {
    let none = vec![("slot", String::from("none: formations are not there yet"))];
    let goal = goal(world, id);
    let kind = world.unit(id).and_then(|unit| world.unit_type(unit.kind));
    let (Some(goal), Some(kind)) = (goal, kind) else { return none };
    let room = world.nav().sectors().room(goal, kind.agent);
    let same = |(to, _): &(waymarch::plan::Destination, _)| to.agent == kind.agent && Some(to.room) == room;
    let decision = world.service().groups().find(same).map(|(_, decision)| decision.to_string());
    let mut rows = vec![("destination", decision.unwrap_or_else(|| String::from("nobody asks at present")))];
    rows.extend(none);
    rows
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
