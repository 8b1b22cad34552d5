//! The `unit` message: everything the engine knows about one unit, as texts.

use serde_json::{Value, json};
use waymarch::base::{Angle, CellPos, Fixed, Vec2};
use waymarch::groups::{Formation, Traffic};
use waymarch::plan::Destination;
use waymarch::world::{
    Around, Cohesion, GroupId, Guidance, Order, PathStatus, Rung, Target, UnitId, UnitMotion, Waiting, World,
};

use crate::game::Game;
use crate::labels::{direction, order_text, planner_text, role, shape, stance, target_text};
use crate::route_line;

/// The `unit` message about the unit with an index, which may be gone.
pub(crate) fn unit(game: &Game, index: u32) -> Value {
    let (world, id) = (game.world(), game.unit(index));
    let Some((unit, id)) = id.and_then(|id| world.unit(id).zip(Some(id))) else {
        return json!({"is": "unit", "unit": index, "tick": world.now().0, "gone": true, "sections": [],
                      "route": [], "temporary": false, "goal": null});
    };
    let mut sections = vec![
        section("Unit", &body(world, id)),
        section("Orders", &orders(game, id)),
        section("Guidance", &guidance(world, id)),
        section("Planner", &planner(world, id)),
        section("Progress", &progress(world, id)),
    ];
    sections.push(section("Group", &group(world, id)));
    let points = route_line::route(world, id, route_line::MAX_FLOW_STEPS);
    let temporary = world.route_status(id) == Some(PathStatus::Temporary);
    let goal = goal(world, id).map(|at| json!([at.x, at.y]));
    json!({"is": "unit", "unit": unit.id.index(), "tick": world.now().0, "gone": false, "sections": sections,
           "route": points, "temporary": temporary, "goal": goal})
}

type Rows = Vec<(&'static str, String)>;

fn section(title: &str, rows: &Rows) -> Value {
    json!({"title": title, "rows": rows})
}

/// A position in cells with two decimals.
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
        ("player", (u16::from(unit.owner.0) + 1).to_string()),
        ("position", place(unit.position)),
        ("velocity", place(unit.velocity)),
        ("preferred velocity", place(world.desired_velocity(id))),
        ("stance", stance(unit.stance).to_owned()),
        ("role", role(kind.map(|kind| kind.role).unwrap_or_default()).to_owned()),
    ]
}

fn orders(game: &Game, id: UnitId) -> Rows {
    let world = game.world();
    let name = |number| if number == 0 { "now" } else { "then" };
    let words = world.orders_of(id).map(order_text).enumerate();
    let mut rows: Rows = words.map(|(number, word)| (name(number), word)).collect();
    if rows.is_empty() {
        rows.push(("now", String::from("no orders")));
    }
    if world.is_halted(id) {
        rows.push(("halted", String::from("until a resume command")));
    }
    if game.has_left_script(id) {
        rows.push(("script", String::from("left out: a visitor commands this unit")));
    }
    if let Some(target) = world.orders_of(id).next().and_then(|order| target_of(world, id, order)) {
        let here = world.unit(id).map(|unit| unit.position);
        let far = here.zip(target_place(world, target)).map(|(here, there)| {
            let part = |a: Fixed, b: Fixed| f64::from(a.raw()) - f64::from(b.raw());
            part(here.x, there.x).hypot(part(here.y, there.y)) / 1024.0
        });
        let far = far.map_or_else(|| String::from("gone"), |far| format!("{far:.1} cells away"));
        rows.push(("target", format!("{}, {far}", target_text(&target))));
    }
    rows
}

/// The target of an order, if it has one besides a goal; for a followed group, its nearest member.
pub(crate) fn target_of(world: &World, id: UnitId, order: &Order) -> Option<Target> {
    match order {
        Order::Follow { target, .. } => Some(Target::Unit(*target)),
        Order::Guard { target, .. } | Order::Around { target, .. } => Some(*target),
        Order::FollowGroup { units, .. } => {
            let here = world.place_of(id)?;
            let away = |unit: &UnitId| Some((world.place_of(*unit)?.distance_squared(here), *unit));
            units.iter().filter_map(away).min().map(|(_, unit)| Target::Unit(unit))
        }
        _ => None,
    }
}

/// The middle of a target; `None` if it is gone.
pub(crate) fn target_place(world: &World, target: Target) -> Option<Vec2> {
    match target {
        Target::Unit(unit) => world.unit(unit).map(|unit| unit.position),
        Target::Cell(at) => Some(cell_middle(at)),
        Target::Stamp(stamp) => world.nav().layer().stamp(stamp).map(|(standing, stamp)| Vec2 {
            x: half(2 * i64::from(standing.at.x) + i64::from(stamp.width)),
            y: half(2 * i64::from(standing.at.y) + i64::from(stamp.height)),
        }),
    }
}

/// The middle of a cell.
pub(crate) fn cell_middle(at: CellPos) -> Vec2 {
    Vec2 { x: half(2 * i64::from(at.x) + 1), y: half(2 * i64::from(at.y) + 1) }
}

/// Half of a number of cells.
fn half(twice: i64) -> Fixed {
    Fixed::from_raw((twice * 512) as i32)
}

fn guidance(world: &World, id: UnitId) -> Rows {
    let Some(path) = world.route_of(id) else { return vec![("follows", String::from("nothing"))] };
    let service = world.service();
    let status = match service.status(path) {
        Some(PathStatus::Partial(why)) => format!("partial route: {why}"),
        Some(PathStatus::Unreachable(why) | PathStatus::Failed(why)) => format!("no route: {why}"),
        Some(PathStatus::Pending) => String::from("waits for a route"),
        Some(PathStatus::Temporary) => String::from("temporary route over doors"),
        Some(PathStatus::Complete) => String::from("complete route"),
        None => String::from("none"),
    };
    let follows = match service.guidance(path) {
        Some(Guidance::Straight(_)) => String::from("a straight line"),
        Some(Guidance::Waypoints(points)) => {
            let next = world.next_waypoint(id).unwrap_or(0);
            format!("waypoint {next} of {}", points.len())
        }
        Some(Guidance::Flow(..)) => String::from("a shared flow"),
        None => String::from("nothing"),
    };
    let end = service.end(path).map(|end| end.cell().to_string()).unwrap_or_default();
    vec![("status", status), ("follows", follows), ("ends at", end)]
}

fn planner(world: &World, id: UnitId) -> Rows {
    let report = world.route_of(id).and_then(|path| world.service().report(path));
    let Some(report) = report else { return vec![("answered by", String::from("nothing yet"))] };
    vec![
        ("answered by", planner_text(report.planner).to_owned()),
        ("because", report.reason.to_string()),
        ("nodes", report.nodes.to_string()),
        ("asked", format!("tick {}", report.asked)),
        ("begun", format!("tick {}", report.begun)),
        ("answered", format!("tick {}", report.answered)),
    ]
}

/// The state of the unit's motion, the unit before it, and what it has tried.
fn progress(world: &World, id: UnitId) -> Rows {
    let rung = match world.rung_of(id).unwrap_or_default() {
        Rung::Ground => "not stuck",
        Rung::AroundAll => "1: route around all units nearby",
        Rung::AroundStanding => "2: route around standing units",
        Rung::Nearest => "3: route to the nearest reachable place",
    };
    let (still, failures) = world.trouble_of(id).unwrap_or_default();
    let blocker = world.blocker_of(id).map(|other| format!("unit {}", other.index()));
    vec![
        ("state", world.motion_of(id).map_or("gone", UnitMotion::name).to_owned()),
        ("behind", blocker.unwrap_or_else(|| String::from("no unit"))),
        ("rung", rung.to_owned()),
        ("no progress for", format!("{still} ticks")),
        ("attempts", failures.to_string()),
    ]
}

/// The unit's group, formation slot and next gate, and how the path service answers requests to its destination.
fn group(world: &World, id: UnitId) -> Rows {
    let mut rows = Vec::new();
    match world.group_of(id).zip(world.slot_of(id)) {
        Some((group, slot)) => {
            let under_way = world.groups().any(|other| other == group);
            let members = world.positions().filter(|&(unit, _)| world.group_of(unit) == Some(group)).count();
            let state = if under_way { "under way" } else { "at rest" };
            rows.push(("group", format!("number {}, {members} members, {state}", group.index())));
            let far = world.place_of(id).map_or(0, |at| at.distance_squared(slot).isqrt());
            let far = far as f64 / 65_536.0;
            rows.push(("formation slot", format!("{}, {far:.2} cells away", place(slot.into()))));
            rows.push(("gate", gate(world, id, group)));
            rows.push(("formation", formation(world, id, group)));
            let holds = match world.cohesion_of(group) {
                Some(Cohesion::Together) => "together",
                Some(Cohesion::Broken) => "broken: too many members are far from its middle",
                _ => "gathering",
            };
            rows.push(("cohesion", String::from(holds)));
            rows.push(("pace", pace(world, id, group)));
            if let Some(waiting) = world.waiting_of(group) {
                rows.push(("waits", waits(&waiting)));
            }
        }
        None => {
            rows.push(("group", String::from("none: the unit moves alone")));
            rows.push(("formation slot", String::from("none")));
        }
    }
    let goal = goal(world, id);
    let kind = world.unit(id).and_then(|unit| world.unit_type(unit.kind));
    if let (Some(goal), Some(kind)) = (goal, kind) {
        let room = world.nav().sectors().room(goal, kind.agent);
        let same = |(to, _): &(Destination, _)| to.agent == kind.agent && Some(to.room) == room;
        let decision = world.service().groups().find(same).map(|(_, decision)| decision.to_string());
        rows.push(("destination", decision.unwrap_or_else(|| String::from("no requests at present"))));
    }
    rows
}

/// The formation of a group: by a command during the walk, or by its order, or by the settings.
fn formation(world: &World, id: UnitId, group: GroupId) -> String {
    let looking = |facing: Option<Angle>| {
        facing.map(|facing| format!(", facing {}", direction(facing))).unwrap_or_default()
    };
    let usual = world.nav().config().get().formation_type.into();
    let told = match world.orders_of(id).next() {
        Some(Order::Form { formation, .. }) => formation,
        _ => &usual,
    };
    if let Some((taken, facing)) = world.formation_of(group).filter(|(taken, _)| *taken != told) {
        // An adaptive formation may have changed by itself to suit the ground.
        let why =
            if *told == Formation::Adaptive { "chosen for the ground or commanded" } else { "commanded" };
        return format!("{}{}, {why} on the way", shape(taken), looking(facing));
    }
    match world.orders_of(id).next() {
        Some(Order::Form { formation, facing, .. }) => format!("{}{}", shape(formation), looking(*facing)),
        Some(Order::Around { how, .. }) => String::from(match how {
            Around::InRange { .. } => "slots in range, on the side of approach",
            Around::Surround => "slots all around the target",
            Around::Park => "slots beside the target",
            Around::Dock { .. } => "one unit at the dock, the others in a queue",
        }),
        Some(Order::Scatter { .. }) => String::from("every unit on its own"),
        _ => format!("{}, from the settings", shape(&usual)),
    }
}

/// A unit's speed now, its full speed, and the full speed of the slowest member, in cells per second.
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
    format!(
        "{:.1} of {:.1} cells per second; slowest member: {:.1}",
        cells(now),
        cells(full(id)),
        cells(slowest)
    )
}

/// How a group waits for another.
fn waits(waiting: &Waiting) -> String {
    let other = waiting.waits_for.map_or_else(
        || String::from("the other group has passed"),
        |other| format!("group {} has right of way", other.index()),
    );
    format!("{} members have waited {} ticks: {other}", waiting.members, waiting.ticks)
}

/// The next gate of a unit.
fn gate(world: &World, id: UnitId, group: GroupId) -> String {
    let is_sent = world.is_on_detour(id);
    let gates: Vec<_> =
        if is_sent { world.detour_gates_of(group).collect() } else { world.gates_of(group).collect() };
    let next = usize::from(world.next_gate(id).unwrap_or(0));
    let Some((gate, traffic)) = gates.get(next) else {
        return String::from(if gates.is_empty() { "none on its route" } else { "none left" });
    };
    let wide = gate.width() as f64 / 65_536.0;
    let keeps = match traffic {
        Traffic::OneWay => "no traffic from the other side",
        Traffic::Opposing => "keeps right: traffic from the other side",
    };
    let round = if is_sent { " on the detour" } else { "" };
    format!("{} of {}{round}, {wide:.1} cells wide, {keeps}", next + 1, gates.len())
}

/// The last cell of a unit's route.
pub(crate) fn goal(world: &World, id: UnitId) -> Option<CellPos> {
    let path = world.route_of(id)?;
    world.service().end(path).map(|end| end.cell())
}
