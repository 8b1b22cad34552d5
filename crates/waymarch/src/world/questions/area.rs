//! Units in an area, the nearest units, and the unit under a point.

use alloc::vec::Vec;

use crate::base::{Fine, Fixed, Vec2};
use crate::world::questions::error::QuestionError;
use crate::world::questions::filter::UnitFilter;
use crate::world::units::columns::Units;
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitTypes;
use crate::world::world::World;

/// An area of the map, for [`World::units_in`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitArea {
    /// Units whose centre is between two opposite corners, edges included. In the order of unit indices.
    Rect {
        /// A corner.
        from: Vec2,
        /// The opposite corner.
        to: Vec2,
    },
    /// Units whose centre is at most this far from a point. The nearest first, then by unit index.
    Circle {
        /// The point.
        centre: Vec2,
        /// The distance, at least 0.
        radius: Fixed,
    },
    /// Units whose body touches a strip around the straight line between two points: what a shot hits. In the order in which the line passes their centres, then by
    /// unit index. The strip has round ends.
    Line {
        /// The start.
        from: Vec2,
        /// The end.
        to: Vec2,
        /// Half the width of the strip, at least 0.
        half_width: Fixed,
    },
}

/// An area in the scale of positions. Points are on the plane, so that no product overflows.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExactArea {
    Rect { low: Fine, high: Fine },
    Circle { centre: Fine, square: u64 },
    Line { from: Fine, to: Fine, half_width: i64 },
}

/// Longer lengths than 65,536 cells reach over the whole plane, and count as that.
const WHOLE_PLANE: i64 = 1 << 32;

impl UnitArea {
    /// The area in the scale of positions.
    pub(super) fn exact(&self) -> Result<ExactArea, QuestionError> {
        let length = |what: &'static str, value: Fixed| match value.raw() {
            ..0 => Err(QuestionError::Negative { what, value }),
            _ => Ok(value.to_fine_i64().min(WHOLE_PLANE - 1)),
        };
        let point = |at: Vec2| Fine::from(at).on_plane();
        Ok(match *self {
            Self::Rect { from, to } => {
                let (a, b) = (Fine::from(from), Fine::from(to));
                let low = Fine::new(a.x.min(b.x), a.y.min(b.y));
                ExactArea::Rect { low, high: Fine::new(a.x.max(b.x), a.y.max(b.y)) }
            }
            Self::Circle { centre, radius } => {
                let radius = length("radius", radius)? as u64;
                ExactArea::Circle { centre: point(centre), square: radius * radius }
            }
            Self::Line { from, to, half_width } => {
                let half_width = length("half width", half_width)?;
                ExactArea::Line { from: point(from), to: point(to), half_width }
            }
        })
    }
}

impl ExactArea {
    /// Whether a unit with its centre at `at` and this radius is in the area.
    pub(super) fn has(&self, at: Fine, radius: i64) -> bool {
        match *self {
            Self::Rect { low, high } => (low.x..=high.x).contains(&at.x) && (low.y..=high.y).contains(&at.y),
            Self::Circle { centre, square } => at.distance_squared(centre) <= square,
            Self::Line { from, to, half_width } => {
                let (line, offset) = (to.wide().minus(from.wide()), at.wide().minus(from.wide()));
                let reach = (half_width + radius).min(WHOLE_PLANE) as u128;
                let along =
                    i128::from(offset.x) * i128::from(line.x) + i128::from(offset.y) * i128::from(line.y);
                let length = square_of(line.x, line.y);
                if along <= 0 {
                    square_of(offset.x, offset.y) <= reach * reach
                } else if along.unsigned_abs() >= length {
                    let beyond = at.wide().minus(to.wide());
                    square_of(beyond.x, beyond.y) <= reach * reach
                } else {
                    // The distance from the line, times the line's length. Points on the plane are less than 2^31 apart along each axis.
                    let aside =
                        i128::from(line.x) * i128::from(offset.y) - i128::from(line.y) * i128::from(offset.x);
                    aside.unsigned_abs() * aside.unsigned_abs() <= reach * reach * length
                }
            }
        }
    }

    /// Opposite corners of a box that holds the centres of all units in the area. `widest` is the largest radius of a body.
    pub(super) fn bounds(&self, widest: i64) -> (Fine, Fine) {
        let around = |low: Fine, high: Fine, by: i64| {
            let by = by.min(i64::from(i32::MAX)) as i32;
            let low = Fine::new(low.x.saturating_sub(by), low.y.saturating_sub(by));
            (low, Fine::new(high.x.saturating_add(by), high.y.saturating_add(by)))
        };
        match *self {
            Self::Rect { low, high } => (low, high),
            Self::Circle { centre, square } => around(centre, centre, square.isqrt() as i64),
            Self::Line { from, to, half_width } => {
                let low = Fine::new(from.x.min(to.x), from.y.min(to.y));
                around(low, Fine::new(from.x.max(to.x), from.y.max(to.y)), half_width + widest)
            }
        }
    }

    /// The key by which units in the area are sorted, before their index.
    fn order(&self, at: Fine) -> i128 {
        match *self {
            Self::Rect { .. } => 0,
            Self::Circle { centre, .. } => i128::from(at.distance_squared(centre)),
            Self::Line { from, to, .. } => {
                let (line, offset) = (to.wide().minus(from.wide()), at.wide().minus(from.wide()));
                i128::from(offset.x) * i128::from(line.x) + i128::from(offset.y) * i128::from(line.y)
            }
        }
    }

    /// Sorts units into the area's order.
    pub(super) fn sort(&self, units: &Units, list: &mut [UnitId]) {
        list.sort_unstable_by_key(|unit| (self.order(units.middle(unit.index() as usize)), unit.index()));
    }
}

fn square_of(x: i64, y: i64) -> u128 {
    let (x, y) = (u128::from(x.unsigned_abs()), u128::from(y.unsigned_abs()));
    x * x + y * y
}

/// The radius of a unit's body, in 65,536ths of a cell.
pub(super) fn radius_of(units: &Units, types: &UnitTypes, index: usize) -> i64 {
    types.get(units.body.kind[index]).map_or(0, |kind| kind.radius.to_fine_i64())
}

/// Sorts units by their distance from a point, then by index.
pub(super) fn sort_by_distance(units: &Units, at: Fine, list: &mut [UnitId]) {
    list.sort_unstable_by_key(|unit| {
        (units.middle(unit.index() as usize).distance_squared(at), unit.index())
    });
}

impl World {
    /// The indices of the units that count.
    fn counted(&self, filter: &UnitFilter) -> impl Iterator<Item = (usize, UnitId)> {
        let units = &self.state.units;
        units
            .body
            .ids
            .ids()
            .map(|id| (id.index() as usize, id))
            .filter(|&(index, _)| filter.counts(units, index))
    }

    /// Writes the units in an area to `out`, in the order that [`UnitArea`] gives.
    ///
    /// *Cost:* one pass over all units. For many questions between two ticks use [`World::unit_index`].
    ///
    /// # Errors
    /// [`QuestionError::Negative`] if a length is negative. `out` is then empty.
    ///
    /// ```
    /// use waymarch::base::{Fixed, GridSize, Vec2, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, PlayerId, UnitArea, UnitFilter, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let a = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// let b = world.spawn(soldier, PlayerId(1), cell(9, 3))?;
    ///
    /// let mut found = Vec::new();
    /// let (from, to) = (Vec2::from_cells(0, 0), Vec2::from_cells(64, 5));
    /// world.units_in(UnitArea::Rect { from, to }, UnitFilter::ALL, &mut found)?;
    /// assert_eq!(found, [a, b]);
    /// let blast = UnitArea::Circle { centre: Vec2::from_cells(9, 4), radius: Fixed::from_cells(2) };
    /// world.units_in(blast, UnitFilter::ALL.enemies_of(PlayerId(0)), &mut found)?;
    /// assert_eq!(found, [b]);
    /// let shot = UnitArea::Line { from: Vec2::from_cells(20, 3), to: Vec2::from_cells(0, 3), half_width: Fixed::HALF };
    /// world.units_in(shot, UnitFilter::ALL, &mut found)?;
    /// assert_eq!(found, [b, a], "from east to west");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn units_in(
        &self,
        area: UnitArea,
        filter: UnitFilter,
        out: &mut Vec<UnitId>,
    ) -> Result<(), QuestionError> {
        out.clear();
        let (area, units) = (area.exact()?, &self.state.units);
        let inside = |index: usize| area.has(units.middle(index), radius_of(units, &self.state.types, index));
        out.extend(self.counted(&filter).filter(|&(index, _)| inside(index)).map(|(_, id)| id));
        area.sort(units, out);
        Ok(())
    }

    /// Writes the `count` units nearest to a point to `out`: by the distance of their centres, then by unit index.
    ///
    /// *Cost:* one pass over all units, and sorting those that count. For many questions between two ticks use [`World::unit_index`].
    pub fn nearest_units(&self, at: Vec2, count: usize, filter: UnitFilter, out: &mut Vec<UnitId>) {
        out.clear();
        let at = Fine::from(at);
        out.extend(self.counted(&filter).map(|(_, id)| id));
        sort_by_distance(&self.state.units, at, out);
        out.truncate(count);
    }

    /// The unit whose body is under a point, as for a click: of several bodies the one with the nearest centre, then with the smallest index. `None` if there is none.
    ///
    /// *Cost:* one pass over all units.
    #[must_use]
    pub fn unit_at(&self, at: Vec2, filter: UnitFilter) -> Option<UnitId> {
        let (at, units) = (Fine::from(at), &self.state.units);
        let under = self.counted(&filter).filter_map(|(index, id)| {
            let (square, radius) =
                (units.middle(index).distance_squared(at), radius_of(units, &self.state.types, index));
            (square <= radius.unsigned_abs().pow(2)).then_some((square, index, id))
        });
        under.min_by_key(|&(square, index, _)| (square, index)).map(|(.., id)| id)
    }
}
