//! What it costs to get from one cell to many others, for computer players: one search, stopped and continued at will.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, Dir8, GridSize, OpenEntry, OpenList};
use crate::cost::{CostField, IMPASSABLE, StepRule, step_length};
use crate::query::Cost;
use crate::world::questions::error::QuestionError;
use crate::world::units::unit_type::UnitTypeId;
use crate::world::world::World;

/// No route to the cell is known.
const NONE: u64 = u64::MAX;

/// What is known of the way to a cell; see [`DistanceField::to`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// The cost of the cheapest route. 1024 is a straight step over a cell of cost 1.
    Known(Cost),
    /// There is no route, or the cell is off the map.
    Unreachable,
    /// The search has not got there yet.
    Unknown,
}

/// How far a search has come; see [`DistanceField::explore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explored {
    /// The nodes that this call expanded, at most as many as it was given.
    pub nodes: u32,
    /// Whether no work is left: all asked cells are known or unreachable.
    pub is_done: bool,
}

/// Scratch of the caller: the costs of the cheapest routes from one cell to all others, for one unit type. See [`World::distances_from`].
///
/// It holds no part of the World and is not saved. It takes 8 bytes per cell of the map. It heeds no threat and no units.
#[derive(Clone, Debug)]
pub struct DistanceField {
    agent: Agent,
    kind: UnitTypeId,
    source: CellPos,
    grid: GridSize,
    rule: StepRule,
    /// The version of the ground that the search began with.
    ground: u64,
    /// By cell: the cost of the cheapest route so far.
    costs: Vec<u64>,
    open: OpenList,
    /// All routes up to this cost are final.
    settled: u64,
}

impl World {
    /// Starts a search for the costs from one cell to others, for units of a type. It expands nothing yet: see [`DistanceField::explore`].
    ///
    /// *Cost:* memory of 8 bytes per cell. Keep the field and call [`DistanceField::restart`] for the next source.
    ///
    /// # Errors
    /// [`QuestionError`] if the type does not exist, or the source is off the map or closed to the type.
    ///
    /// ```
    /// use waymarch::base::{GridSize, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::query::Cost;
    /// use waymarch::world::{Distance, Navigator, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    ///
    /// let mines = [cell(50, 10), cell(20, 12), cell(12, 60)];
    /// let mut field = world.distances_from(soldier, cell(10, 10))?;
    /// // A computer player that has 500 nodes per tick for this question:
    /// while !field.explore_to(&world, &mines, 500)?.is_done {
    ///     world.tick();
    /// }
    /// assert_eq!(field.to(mines[0]), Distance::Known(Cost(40 * 1024)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distances_from(&self, kind: UnitTypeId, source: CellPos) -> Result<DistanceField, QuestionError> {
        let unit_type = self.unit_type(kind).ok_or(QuestionError::UnknownType(kind))?;
        let layer = self.nav().layer();
        let mut field = DistanceField {
            agent: unit_type.agent,
            kind,
            source,
            grid: layer.grid(),
            rule: self.nav().config().step_rule(),
            ground: layer.changes().ground_version(),
            costs: Vec::new(),
            open: OpenList::new(),
            settled: 0,
        };
        field.restart(self, source)?;
        Ok(field)
    }
}

impl DistanceField {
    /// Starts again, on the map as it is now. The memory is kept.
    ///
    /// # Errors
    /// As [`World::distances_from`]. The field has not changed then.
    pub fn restart(&mut self, world: &World, source: CellPos) -> Result<(), QuestionError> {
        let layer = world.nav().layer();
        let kind = self.kind;
        let agent = world.unit_type(kind).ok_or(QuestionError::UnknownType(kind))?.agent;
        let field = layer.field(agent).ok_or(QuestionError::UnknownType(kind))?;
        if !layer.grid().contains(source) {
            return Err(QuestionError::OffMap { at: source, size: layer.grid() });
        }
        if !field.is_passable(source) {
            return Err(QuestionError::Closed { kind, at: source });
        }
        (self.agent, self.source, self.grid) = (agent, source, layer.grid());
        self.rule = world.nav().config().step_rule();
        self.ground = layer.changes().ground_version();
        self.settled = 0;
        self.costs.clear();
        self.costs.resize(self.grid.cells(), NONE);
        self.open.clear();
        if let Some(id) = self.grid.id(source) {
            self.costs[id.0 as usize] = 0;
            self.open.push(OpenEntry::new(0, 0, id.0));
        }
        Ok(())
    }

    /// The cell from which costs are counted.
    #[must_use]
    pub fn source(&self) -> CellPos {
        self.source
    }

    /// What is known of the way from the source to a cell.
    #[must_use]
    pub fn to(&self, at: CellPos) -> Distance {
        let Some(id) = self.grid.id(at) else { return Distance::Unreachable };
        match self.costs[id.0 as usize] {
            NONE if self.open.is_empty() => Distance::Unreachable,
            cost if cost <= self.settled => Distance::Known(Cost(cost)),
            _ => Distance::Unknown,
        }
    }

    /// Goes on with the search until all cells are known, for at most `nodes` nodes.
    ///
    /// # Errors
    /// [`QuestionError::MapChanged`] if terrain, stamps or the step rule have changed since the start. Call [`DistanceField::restart`] then.
    pub fn explore(&mut self, world: &World, nodes: u32) -> Result<Explored, QuestionError> {
        self.search(world, nodes, |_| false)
    }

    /// Goes on with the search until these cells are known, for at most `nodes` nodes.
    ///
    /// # Errors
    /// As [`DistanceField::explore`].
    pub fn explore_to(
        &mut self,
        world: &World,
        targets: &[CellPos],
        nodes: u32,
    ) -> Result<Explored, QuestionError> {
        // The targets before this one are known.
        let mut first = 0;
        self.search(world, nodes, |field| {
            while targets.get(first).is_some_and(|&at| field.to(at) != Distance::Unknown) {
                first += 1;
            }
            first == targets.len()
        })
    }

    /// Expands nodes in the order of their costs, until `enough`.
    fn search(
        &mut self,
        world: &World,
        most: u32,
        mut enough: impl FnMut(&Self) -> bool,
    ) -> Result<Explored, QuestionError> {
        let layer = world.nav().layer();
        let is_same = self.ground == layer.changes().ground_version()
            && self.rule == world.nav().config().step_rule()
            && self.grid == layer.grid();
        let Some(field) = layer.field(self.agent).filter(|_| is_same) else {
            return Err(QuestionError::MapChanged);
        };
        let mut nodes = 0;
        loop {
            self.skip_outdated();
            if self.open.is_empty() || enough(self) {
                return Ok(Explored { nodes, is_done: true });
            }
            if nodes == most {
                return Ok(Explored { nodes, is_done: false });
            }
            nodes += 1;
            self.expand(field);
        }
    }

    /// Removes entries to which a cheaper route was found later. So the list is empty as soon as no work is left.
    fn skip_outdated(&mut self) {
        while self.open.peek().is_some_and(|entry| self.costs[entry.id as usize] != entry.f) {
            self.open.pop();
        }
    }

    /// Expands the open node with the least cost.
    fn expand(&mut self, field: &CostField) {
        let Some(OpenEntry { f, id, .. }) = self.open.pop() else { return };
        self.settled = f;
        let at = self.grid.pos(crate::base::CellId(id));
        let open = Dir8::ALL
            .iter()
            .fold(0_usize, |open, &dir| open | usize::from(field.is_passable(at.step(dir))) << dir.index());
        let legal = self.rule.table()[open];
        for dir in Dir8::ALL.into_iter().filter(|dir| legal >> dir.index() & 1 != 0) {
            let to = at.step(dir);
            let (cost, Some(id)) = (field.cost(to), self.grid.id(to)) else { continue };
            let total = f + u64::from(step_length(dir)) * u64::from(cost);
            if cost != IMPASSABLE && total < self.costs[id.0 as usize] {
                self.costs[id.0 as usize] = total;
                self.open.push(OpenEntry::new(total, 0, id.0));
            }
        }
    }
}
