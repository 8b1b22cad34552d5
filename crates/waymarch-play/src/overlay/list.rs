//! The list of overlays, in the order of their numbers in the protocol.

use super::{Form, WholeMapKind};

/// An overlay as the page lists it.
pub(crate) struct Overlay {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) form: Form,
    /// `unit`, `units` (the selected ones, or all if none is selected), `selection` (the selected ones), or nothing.
    pub(crate) needs: &'static str,
}

const fn row(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    form: Form,
    needs: &'static str,
) -> Overlay {
    Overlay { name, title, about, form, needs }
}

/// All overlays. An overlay's number is its index here.
pub(crate) const OVERLAYS: [Overlay; 18] = [
    row("cost", "Cost", "Cost of crossing each cell for this kind of unit.", Form::Heat, ""),
    row("threat", "Threat", "How much threat adds to the cost of each cell.", Form::Heat, ""),
    row(
        "clearance",
        "Clearance",
        "Side of the largest free square that starts at each cell.",
        Form::Heat,
        "",
    ),
    row(
        "sectors",
        "Sectors and rooms",
        "Cells of one colour reach each other without leaving their sector.",
        Form::Areas,
        "",
    ),
    row("portals", "Portals", "The doors between sectors that long routes use.", Form::Lines, ""),
    row("domains", "Domains", "Cells of one colour can reach each other.", Form::Areas, ""),
    row(
        "search",
        "Last search",
        "The cells and jump points that a search for the unit's route visits, in order.",
        Form::Cells,
        "unit",
    ),
    row("flow", "Flow arrows", "The direction to the unit's goal from every cell.", Form::Arrows, "unit"),
    row(
        "integration",
        "Integration",
        "Cost of the cheapest route to the unit's goal from every cell.",
        Form::Heat,
        "unit",
    ),
    row(
        "sight",
        "Line of sight",
        "Cells from which units of the same flow go straight to the goal, because it is in sight.",
        Form::Areas,
        "unit",
    ),
    row(
        "routes",
        "Routes",
        "The routes that units follow, and the temporary ones that bridge the wait for a complete route.",
        Form::Lines,
        "",
    ),
    row(
        "velocity",
        "Preferred and actual velocity",
        "Where each unit would go if no other unit were in the way, and where it went.",
        Form::Lines,
        "",
    ),
    row(
        "neighbours",
        "Neighbours",
        "The nearest units, which the selected unit takes into account when it avoids others.",
        Form::Cells,
        "unit",
    ),
    row("stuck", "Stuck units", "Units that make no progress and have tried another route.", Form::Cells, ""),
    row("density", "Density", "How many units are within a cell of each cell.", Form::Heat, ""),
    row(
        "slots",
        "Formation slots",
        "Formation slots of the selected units' groups (of all groups if nothing is selected), the gates that members cross side by side, and lines to what units follow, guard or stand around.",
        Form::Lines,
        "units",
    ),
    row(
        "orders",
        "Orders of the selection",
        "Lines from the selected units through the destinations of their present order and, dashed, of their queued orders.",
        Form::Lines,
        "selection",
    ),
    row(
        "passages",
        "Passages",
        "Ground too narrow for two units of this kind to pass each other. Each passage and each junction has its own colour.",
        Form::Areas,
        "",
    ),
];

/// What an overlay depends on: it is drawn again when that has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DependsOn {
    /// The ground only.
    Ground,
    /// The ground and a unit's goal.
    Goal,
    /// The ground, a unit's cell and its goal.
    RouteEnds,
    /// Anything in the world: drawn again after every tick.
    World,
}

/// What the overlay with that number depends on.
pub(crate) fn depends_on(number: usize) -> DependsOn {
    match OVERLAYS.get(number).map_or("", |overlay| overlay.name) {
        "cost" | "clearance" | "sectors" | "portals" | "domains" | "passages" => DependsOn::Ground,
        "flow" | "integration" => DependsOn::Goal,
        "search" => DependsOn::RouteEnds,
        _ => DependsOn::World,
    }
}

/// The kind of an overlay that reads the whole map; `None` for the others.
pub(crate) fn whole_map_kind(number: usize) -> Option<WholeMapKind> {
    match OVERLAYS.get(number)?.name {
        "portals" => Some(WholeMapKind::Portals),
        "passages" => Some(WholeMapKind::Passages),
        "search" => Some(WholeMapKind::Search),
        "flow" => Some(WholeMapKind::Flow),
        "integration" => Some(WholeMapKind::Integration),
        _ => None,
    }
}
