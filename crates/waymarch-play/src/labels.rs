//! Texts for people: orders, formations, goals, planners.

use waymarch::avoid::Stance;
use waymarch::base::{Angle, CellPos, Fixed};
use waymarch::groups::{Formation, Role};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Order, PlannerChoice, Target};

/// Where units of a role stand in a formation.
pub(crate) fn role(role: Role) -> &'static str {
    match role {
        Role::Front => "in the front ranks",
        Role::Middle => "in the middle ranks",
        Role::Back => "in the rear ranks",
    }
}

/// How a unit treats others.
pub(crate) fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Idle => "idle: steps aside for allies",
        Stance::Moving => "moving",
        Stance::Returning => "returning after it stepped aside",
        Stance::Holding => "holding: does not step aside",
    }
}

/// A formation.
pub(crate) fn shape(formation: &Formation) -> String {
    let word = match formation {
        Formation::Adaptive => "in an adaptive formation",
        Formation::Relative => "in their relative positions",
        Formation::Box => "in a box",
        Formation::Line => "in a line",
        Formation::Column => "in a column",
        Formation::Wedge => "in a wedge",
        Formation::Circle => "in a circle",
        Formation::Scatter => "scattered",
        Formation::Hex => "in a tight hexagonal packing",
        Formation::Custom(places) => return format!("in a custom formation of {} slots", places.len()),
    };
    word.to_owned()
}

/// A place to go to.
fn place_text(shape: &Shape) -> String {
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

/// A goal.
fn goal_text(goal: &Goal) -> String {
    match goal {
        Goal::In(Shape::Point(at)) => format!("move to {at}"),
        Goal::In(shape) => format!("move to {}", place_text(shape)),
        Goal::AnyOf(shapes) => format!("move to the nearest of {} places", shapes.len()),
        Goal::OutOf(shape) => format!("leave {}", place_text(shape)),
        Goal::OutOfAll(shapes) => format!("leave {} places", shapes.len()),
    }
}

/// The target of an order.
pub(crate) fn target_text(target: &Target) -> String {
    match target {
        Target::Cell(at) => format!("{at}"),
        Target::Unit(unit) => format!("unit {}", unit.index()),
        Target::Stamp(stamp) => format!("building {}", stamp.index()),
    }
}

/// What units do at a target.
fn around_text(how: &Around) -> &'static str {
    match how {
        Around::InRange { .. } => "stand in range of",
        Around::Surround => "surround",
        Around::Park => "park beside",
        Around::Dock { .. } => "dock at",
    }
}

/// An order.
pub(crate) fn order_text(order: &Order) -> String {
    match order {
        Order::Move(goal) => goal_text(goal),
        Order::Form { at, formation, facing, .. } => {
            let looking = facing.map(|facing| format!(", facing {}", direction(facing))).unwrap_or_default();
            format!("move to {at} and stand {}{looking}", shape(formation))
        }
        Order::Patrol(stops) => format!("patrol of {} stops", stops.len()),
        Order::Follow { target, distance } => {
            format!("follow unit {} within {} cells", target.index(), distance.floor_cells())
        }
        Order::AttackMove { goal, sight } => {
            format!("{}, sight {} cells", goal_text(goal), sight.floor_cells())
        }
        Order::FollowGroup { units, distance } => {
            format!("follow a group of {} units within {} cells", units.len(), distance.floor_cells())
        }
        Order::Guard { target, leash } => {
            format!("guard {} within {} cells", target_text(target), leash.floor_cells())
        }
        Order::Around { target, how } => format!("{} {}", around_text(how), target_text(target)),
        Order::Scatter { distance } => format!("scatter by {} cells", distance.floor_cells()),
        Order::Stop => String::from("stop"),
        Order::Hold => String::from("hold"),
    }
}

/// The nearest of eight compass directions.
pub(crate) fn direction(angle: Angle) -> &'static str {
    const NAMES: [&str; 8] =
        ["east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"];
    NAMES[usize::from(angle.0.wrapping_add(4096) >> 13)]
}

/// A planner.
pub(crate) fn planner_text(planner: PlannerChoice) -> &'static str {
    match planner {
        PlannerChoice::Astar => "A*",
        PlannerChoice::Jps => "jump point search",
        PlannerChoice::JpsPlus => "jump point search with precomputed planes",
        PlannerChoice::Jpsw => "weighted jump point search",
        PlannerChoice::Hpa => "hierarchical: over doors, then cell by cell",
        PlannerChoice::Flow => "a shared flow field",
        PlannerChoice::Direct => "no search: straight line",
        PlannerChoice::Custom => "the game's own planner",
    }
}
