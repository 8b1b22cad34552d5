//! What cells would cost if some stamps did not stand, for one query.

use super::layer::CostLayer;
use super::rules::IMPASSABLE;
use super::stamps::{FootCell, Stamp};
use crate::base::{Agent, CellPos, CellRect, LocomotorId, SizeClass, StampId};

impl CostLayer {
    /// What `at` would cost `agent` if the stamps in `ignored` did not stand. Ids of stamps that do not stand have no
    /// effect.
    ///
    /// It equals [`CostField::cost`](super::CostField::cost) after removing the stamps, but changes and allocates nothing: it recomputes each cell
    /// under the unit. It can differ from the field only within [`CostLayer::affected_area`].
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, IMPASSABLE};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// let (foot, at) = (LocomotorId(0).into(), cell(11, 11));
    /// let house = layer.place(&Stamp::solid(3, 3), cell(10, 10), Tick::ZERO)?;
    /// assert_eq!(layer.cost_without(at, foot, &[]), IMPASSABLE);
    /// assert_eq!(layer.cost_without(at, foot, &[house]), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cost_without(&self, at: CellPos, agent: Agent, ignored: &[StampId]) -> u8 {
        if self.field(agent).is_none() {
            return IMPASSABLE;
        }
        let (back, ahead) = (agent.size.reach_north_west(), agent.size.reach_south_east());
        let under = CellRect::at(at, 1, 1).grow(back, ahead);
        if under.intersect(self.grid().rect()) != under {
            return IMPASSABLE;
        }
        under
            .cells()
            .fold(0, |dearest, cell| dearest.max(self.single_without(cell, agent.locomotor, ignored)))
    }

    /// What a cell on the map would cost a unit of one cell.
    fn single_without(&self, at: CellPos, locomotor: LocomotorId, ignored: &[StampId]) -> u8 {
        if !self.stamps_on(at).any(|(id, _)| ignored.contains(&id)) {
            let single = self.fields.get(locomotor.index()).and_then(|fields| fields.sizes.first());
            return single.map_or(IMPASSABLE, |single| single.cost(at));
        }
        let effect = self.ground.stamps.effect_without(at, ignored);
        self.ground.cost_under(at, locomotor, self.ground.slope(at), effect)
    }

    /// Whether `agent` could stop at `at` if the stamps in `ignored` did not stand; see [`CostLayer::can_stop`].
    #[must_use]
    pub fn can_stop_without(&self, at: CellPos, agent: Agent, ignored: &[StampId]) -> bool {
        let counts = |cell| ignored.is_empty() || self.ground.stamps.effect_without(cell, ignored).no_stop;
        self.can_stop_where(at, agent, counts)
    }

    /// Whether `agent` could not stand on `cell` if `stamp` were placed with its north-west cell at `corner`. The stamp fits there.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize, LocomotorId};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard()).validate()?;
    /// let layer = CostLayer::new(&map, CostSettings::default());
    /// let house = Stamp::solid(3, 3);
    /// let closed = |at| layer.is_closed_by(&house, cell(10, 10), at, LocomotorId(0).into());
    /// assert_eq!([cell(9, 10), cell(10, 10), cell(12, 12), cell(13, 12)].map(closed), [false, true, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_closed_by(&self, stamp: &Stamp, corner: CellPos, cell: CellPos, agent: Agent) -> bool {
        let (back, ahead) = (agent.size.reach_north_west(), agent.size.reach_south_east());
        let under = CellRect::at(cell, 1, 1).grow(back, ahead);
        if self.field(agent).is_none() || under.intersect(self.grid().rect()) != under {
            return true;
        }
        let area = CellRect::at(corner, stamp.width, stamp.height);
        let foot = |at: CellPos| {
            let place = || (at.y - corner.y) as usize * stamp.width as usize + (at.x - corner.x) as usize;
            if area.contains(at) { stamp.cells.get(place()).copied() } else { None }
        };
        let cost = |at: CellPos| {
            let effect = self.ground.stamps.effect_with(at, foot(at).unwrap_or(FootCell::Open));
            self.ground.cost_under(at, agent.locomotor, self.ground.slope(at), effect)
        };
        under.cells().any(|at| cost(at) == IMPASSABLE)
    }

    /// The cells on the map whose cost for units of `size` a stamp can change; `None` if the stamp does not stand.
    #[must_use]
    pub fn affected_area(&self, stamp: StampId, size: SizeClass) -> Option<CellRect> {
        let rect = self.ground.stamps.rect(stamp)?;
        let grown = rect.grow(size.reach_south_east(), size.reach_north_west());
        Some(grown.intersect(self.grid().rect()))
    }

    /// See [`CostLayer::affected_area`].
    #[deprecated(since = "0.2.0", note = "renamed to `affected_area`")]
    #[must_use]
    pub fn felt_by(&self, stamp: StampId, size: SizeClass) -> Option<CellRect> {
        self.affected_area(stamp, size)
    }
}
