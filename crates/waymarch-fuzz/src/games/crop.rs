//! Smaller maps of a game: a part of the map becomes the whole map.

use waymarch::base::{CellPos, CellRect, GridSize, Vec2};
use waymarch::cost::Stamp;
use waymarch::query::{Goal, Shape};
use waymarch_maps::scenario::{
    Action, GroupOrder, OrderTarget, Placement, Scenario, ScheduledAction, StampPosition,
};

/// The game on smaller maps. Each map keeps a half, three quarters, or all but one row or column of the cells, from one of the four sides.
pub(super) fn smaller_maps(game: &Scenario) -> Vec<Scenario> {
    let CellRect { x1: width, y1: height, .. } = game.setup.map.size.rect();
    let mut areas = Vec::new();
    for (few, all) in [(1, 2), (3, 4)] {
        let (part_x, part_y) = ((width * few / all).max(1), (height * few / all).max(1));
        areas.push((0, 0, part_x, height));
        areas.push((width - part_x, 0, width, height));
        areas.push((0, 0, width, part_y));
        areas.push((0, height - part_y, width, height));
    }
    areas.extend([(0, 0, width - 1, height), (1, 0, width, height)]);
    areas.extend([(0, 0, width, height - 1), (0, 1, width, height)]);
    let whole = game.setup.map.size.rect();
    let areas = areas.into_iter().map(|(x0, y0, x1, y1)| CellRect { x0, y0, x1, y1 });
    areas.filter(|area| *area != whole && !area.is_empty()).filter_map(|area| cropped(game, area)).collect()
}

/// The game on a part of the map. Things outside that part are dropped or moved to its edge.
fn cropped(game: &Scenario, area: CellRect) -> Option<Scenario> {
    let size = GridSize::new((area.x1 - area.x0) as u32, (area.y1 - area.y0) as u32).ok()?;
    let crop = Crop { area, size };
    let mut simpler = game.clone();
    let map = &mut simpler.setup.map;
    let width = map.size.width() as usize;
    let inside = |at: CellPos| at.y as usize * width + at.x as usize;
    map.terrain = area.cells().map(|at| map.terrain[inside(at)]).collect();
    if !map.elevation.is_empty() {
        map.elevation = area.cells().map(|at| map.elevation[inside(at)]).collect();
    }
    map.size = size;
    map.stamps.retain(|placed| crop.holds(placed.at, &placed.stamp));
    map.stamps.iter_mut().for_each(|placed| placed.at = crop.cell(placed.at));
    map.starts.clear();
    for squad in &mut simpler.squads {
        squad.place = match squad.place.clone() {
            Placement::Cells(cells) => {
                let inside = cells.into_iter().filter(|&at| area.contains(at));
                Placement::Cells(inside.map(|at| crop.cell(at)).collect())
            }
            Placement::Rect(part, count) => Placement::Rect(crop.rect(part), count),
            Placement::Ring { centre, radius, count } => {
                Placement::Ring { centre: crop.cell(centre), radius, count }
            }
        };
    }
    let actions = std::mem::take(&mut simpler.actions).into_iter();
    let moved = |scheduled: ScheduledAction| {
        Some(ScheduledAction { action: crop.action(scheduled.action)?, ..scheduled })
    };
    simpler.actions = actions.filter_map(moved).collect();
    Some(simpler)
}

/// Scratch: a part of the map that becomes the whole map.
struct Crop {
    area: CellRect,
    size: GridSize,
}

impl Crop {
    /// The new place of a cell; cells outside move to the edge.
    fn cell(&self, at: CellPos) -> CellPos {
        let near = self.area.nearest(at);
        CellPos::new(near.x - self.area.x0, near.y - self.area.y0)
    }

    /// The new place of a rectangle; never empty.
    fn rect(&self, rect: CellRect) -> CellRect {
        let (first, last) =
            (self.cell(CellPos::new(rect.x0, rect.y0)), self.cell(CellPos::new(rect.x1 - 1, rect.y1 - 1)));
        CellRect { x0: first.x, y0: first.y, x1: last.x + 1, y1: last.y + 1 }
    }

    fn holds(&self, at: CellPos, stamp: &Stamp) -> bool {
        let rect = CellRect::at(at, stamp.width, stamp.height);
        rect.intersect(self.area) == rect
    }

    fn goal(&self, goal: Goal) -> Goal {
        let shape = |shape: Shape| match shape {
            Shape::Point(at) => Shape::Point(self.cell(at)),
            Shape::Circle { centre, radius } => Shape::Circle { centre: self.cell(centre), radius },
            Shape::Ring { centre, inner, outer } => Shape::Ring { centre: self.cell(centre), inner, outer },
            Shape::Rect(rect) => Shape::Rect(self.rect(rect)),
        };
        match goal {
            Goal::In(one) => Goal::In(shape(one)),
            Goal::AnyOf(all) => Goal::AnyOf(all.into_iter().map(shape).collect()),
            Goal::OutOf(one) => Goal::OutOf(shape(one)),
            Goal::OutOfAll(all) => Goal::OutOfAll(all.into_iter().map(shape).collect()),
        }
    }

    /// The action on the smaller map; `None` if it is not possible there.
    fn action(&self, action: Action) -> Option<Action> {
        let target = |target: OrderTarget| match target {
            OrderTarget::Cell(at) => OrderTarget::Cell(self.cell(at)),
            other => other,
        };
        let legal = |goal: Goal| Some(self.goal(goal)).filter(|goal| goal.validate(self.size).is_ok());
        Some(match action {
            Action::Order { group, order, when } => {
                let order = match order {
                    GroupOrder::Move(goal) => GroupOrder::Move(legal(goal)?),
                    GroupOrder::Attack(goal, sight) => GroupOrder::Attack(legal(goal)?, sight),
                    GroupOrder::Form { at, formation, facing, layout } => {
                        GroupOrder::Form { at: self.cell(at), formation, facing, layout }
                    }
                    GroupOrder::Guard(at, leash) => GroupOrder::Guard(target(at), leash),
                    GroupOrder::Around(at, how) => GroupOrder::Around(target(at), how),
                    GroupOrder::Scatter(area) => GroupOrder::Scatter(self.rect(area)),
                    GroupOrder::Opposite(at) => GroupOrder::Opposite(self.cell(at)),
                    GroupOrder::Patrol(stops) => {
                        GroupOrder::Patrol(stops.into_iter().map(|at| self.cell(at)).collect())
                    }
                    GroupOrder::Put { at, velocity } => {
                        GroupOrder::Put { at: at - Vec2::from_cells(self.area.x0, self.area.y0), velocity }
                    }
                    other => other,
                };
                Action::Order { group, order, when }
            }
            Action::Place { stamp, position, name } => {
                let position = match position {
                    StampPosition::At(at) if self.holds(at, &stamp) => StampPosition::At(self.cell(at)),
                    _ => return None,
                };
                Action::Place { stamp, position, name }
            }
            Action::Terrain(area, terrain) => Action::Terrain(self.rect(area), terrain),
            Action::Height(area, height) => Action::Height(self.rect(area), height),
            Action::Threat(mut source, name) => {
                source.at = self.cell(source.at);
                Action::Threat(source, name)
            }
            Action::ThreatOf(mut source, name, owner) => {
                source.at = self.cell(source.at);
                Action::ThreatOf(source, name, owner)
            }
            other => other,
        })
    }
}
