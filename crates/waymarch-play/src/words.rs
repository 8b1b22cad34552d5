//! What the engine knows, put into words: orders, formations, goals.

use waymarch::avoid::Stance;
use waymarch::base::{Angle, CellPos, Fixed};
use waymarch::groups::{Formation, Role};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Order, PlannerChoice, Target};

/// Where a unit of that role stands among others.
pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Front => "in front of the others",
        Role::Middle => "among the others",
        Role::Back => "behind the others",
    }
}

/// What a unit does about others.
pub(crate) fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Idle => "idle: makes way for friends",
        Stance::Moving => "moving",
        Stance::Returning => "going back after making way",
        Stance::Holding => "holding: makes way for nobody",
    }
}

/// A formation, in words.
pub(crate) fn shape(formation: &Formation) -> String {
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
pub(crate) fn target_word(target: &Target) -> String {
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

/// An order, in words.
pub(crate) fn order_word(order: &Order) -> String {
    match order {
        Order::Move(goal) => goal_word(goal),
        Order::Form { at, formation, facing } => {
            let looking = facing.map(|facing| format!(", looking {}", direction(facing))).unwrap_or_default();
            format!("move to {at} and stand {}{looking}", shape(formation))
        }
        Order::Patrol(stops) => format!("patrol of {} stops", stops.len()),
        Order::Follow { target, distance } => {
            format!("follow unit {} within {} cells", target.index(), distance.floor_cells())
        }
        Order::AttackMove { goal, sight } => {
            format!("{}, looking out {} cells far", goal_word(goal), sight.floor_cells())
        }
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
    }
}

/// The direction of a compass nearest to an angle.
pub(crate) fn direction(angle: Angle) -> &'static str {
    const NAMES: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    NAMES[usize::from(angle.0.wrapping_add(4096) >> 13)]
}

/// A way of finding ways, in words.
pub(crate) fn planner_word(planner: PlannerChoice) -> &'static str {
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
