//! All passages of a map, and how they follow edits.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::narrow::{Strip, StripScratch};
use super::plane::{BitPlane, LabelPlane};
use super::stretch::{Beyond, Passage, PassageId, StretchScratch, Survey};
use crate::base::{Agent, CellId, CellPos, CellRect, GridSize, SizeClass};
use crate::cost::{ChangeMark, CostField, CostLayer, SectorGrid, SectorId, StepRule};
use crate::query::PlanError;

/// Derived from one agent's costs: every stretch of ground that is too narrow for two units of its size to pass each other.
///
/// Make it once per agent, and call [`Passages::follow`] after edits. A map of 512×512 cells takes some milliseconds, an edit some microseconds.
///
/// ```
/// use waymarch::base::{cell, GridSize, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::base::{Agent, LocomotorId, SizeClass};
/// use waymarch::passages::{Beyond, Passages};
///
/// // A wall with a gap of one cell.
/// let map = Map::flat("field", GridSize::new(32, 32)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(3, 12), cell(14, 0), Tick::ZERO)?;
/// layer.place(&Stamp::solid(3, 19), cell(14, 13), Tick::ZERO)?;
/// let foot = Agent::from(LocomotorId(0));
/// let passages = Passages::new(&layer, foot, StepRule::default())?;
/// let gap = passages.at(cell(15, 12)).unwrap();
/// assert_eq!((gap.length, gap.mouths.len()), (3, 2));
/// assert!(gap.mouths.iter().all(|mouth| mouth.beyond == Beyond::Open));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Passages {
    sectors: SectorGrid,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    ground: NarrowGround,
    /// Scratch: the sectors that changed.
    changed: Vec<SectorId>,
}

/// Derived: the narrow cells of one agent, and the passages that they form.
#[derive(Clone, Debug)]
struct NarrowGround {
    agent: Agent,
    rule: StepRule,
    grid: GridSize,
    open: BitPlane,
    narrow: BitPlane,
    /// Per cell: 1 more than the name of its passage; 0 outside passages.
    labels: LabelPlane,
    /// By name.
    list: BTreeMap<PassageId, Passage>,
    scratch: RefreshScratch,
}

/// Scratch of [`NarrowGround::refresh`].
#[derive(Clone, Debug, Default)]
struct RefreshScratch {
    strip: StripScratch,
    stretch: StretchScratch,
    cells: Vec<CellId>,
    names: Vec<PassageId>,
}

impl Passages {
    /// Finds all passages for units of `agent` that step by `rule`. *Cost:* linear in the cells of the map.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] if the locomotor or size has no costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        let mut passages = Self::unseen(layer, agent, rule)?;
        passages.look_at(layer, layer.grid().rect());
        Ok(passages)
    }

    /// No passages, before any ground was looked at.
    pub(super) fn unseen(layer: &CostLayer, agent: Agent, rule: StepRule) -> Result<Self, PlanError> {
        if fields(layer, agent).is_none() {
            return Err(PlanError::UnknownAgent(agent));
        }
        let (grid, log) = (layer.grid(), layer.changes());
        let ground = NarrowGround {
            agent,
            rule,
            grid,
            open: BitPlane::new(grid),
            narrow: BitPlane::new(grid),
            labels: LabelPlane::new(grid),
            list: BTreeMap::new(),
            scratch: RefreshScratch::default(),
        };
        Ok(Self { sectors: log.sectors(), known: log.mark_now(), ground, changed: Vec::new() })
    }

    /// Looks at the ground of an area.
    pub(super) fn look_at(&mut self, layer: &CostLayer, area: CellRect) {
        self.ground.refresh(layer, area);
    }

    /// The step rule.
    pub(super) fn rule(&self) -> StepRule {
        self.ground.rule
    }

    /// Follows the changes of the layer since the last call. *Cost:* a few microseconds per changed sector, and the passages near it.
    pub fn follow(&mut self, layer: &CostLayer) {
        let log = layer.changes();
        if layer.grid() != self.ground.grid || log.sectors() != self.sectors {
            // Another map: start again. If it has no costs for the agent, the passages stay and are never current.
            if let Ok(rebuilt) = Self::new(layer, self.ground.agent, self.ground.rule) {
                *self = rebuilt;
            }
            return;
        }
        let Self { sectors, known, ground, changed } = self;
        let behind = core::mem::replace(known, log.mark_now());
        log.collect_since(behind, changed);
        // An edit changes whether units can pass each other up to two units' width away.
        let reach = 2 * i32::from(ground.agent.size.side());
        for &sector in changed.iter() {
            let area = sectors.area(sector).grow(reach, reach).intersect(ground.grid.rect());
            ground.refresh(layer, area);
        }
    }

    /// As [`Passages::follow`], for units that now step by `rule`.
    pub(crate) fn follow_rule(&mut self, layer: &CostLayer, rule: StepRule) {
        if self.ground.rule == rule {
            self.follow(layer);
        } else if let Ok(rebuilt) = Self::new(layer, self.ground.agent, rule) {
            *self = rebuilt;
        }
    }

    /// Whether all changes of the layer were followed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        let log = layer.changes();
        self.known == log.mark_now() && layer.grid() == self.ground.grid && log.sectors() == self.sectors
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.ground.agent
    }

    /// The number of passages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ground.list.len()
    }

    /// Whether the map has no passage.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ground.list.is_empty()
    }

    /// All passages, by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Passage> + '_ {
        self.ground.list.values()
    }

    /// A passage by its name.
    #[must_use]
    pub fn get(&self, id: PassageId) -> Option<&Passage> {
        self.ground.list.get(&id)
    }

    /// Whether two units cannot pass each other on a cell; `false` on closed cells and off the map. True in passages and on junctions.
    #[must_use]
    pub fn is_narrow(&self, at: CellPos) -> bool {
        self.ground.grid.contains(at) && self.ground.narrow.get(at)
    }

    /// The passage that a cell belongs to; `None` on open ground, on junctions, on closed cells and off the map.
    #[must_use]
    pub fn at(&self, at: CellPos) -> Option<&Passage> {
        let label = if self.ground.grid.contains(at) { self.ground.labels.get(at) } else { 0 };
        self.get(PassageId(CellId(label.checked_sub(1)?)))
    }

    /// The cells of a passage, row by row. *Cost:* a look at each cell of its bounds.
    pub fn cells_of<'a>(&'a self, passage: &'a Passage) -> impl Iterator<Item = CellPos> + 'a {
        let label = passage.id.0.0 + 1;
        self.ground.narrow.set_in(passage.bounds).filter(move |&at| self.ground.labels.get(at) == label)
    }

    /// Writes into `out` (which is cleared) the passages that a passage joins: those with a mouth at the same junction, or at one beside it. Ascending, each once.
    pub fn joined(&self, passage: &Passage, out: &mut Vec<PassageId>) {
        out.clear();
        let mut junctions: Vec<CellPos> = Vec::new();
        let ends = passage.mouths.iter().filter(|mouth| mouth.beyond == Beyond::Junction);
        junctions.extend(ends.map(|mouth| mouth.outside));
        let mut next = 0;
        while let Some(&at) = junctions.get(next) {
            next += 1;
            for beside in CellRect::at(at.offset(-1, -1), 3, 3).intersect(self.ground.grid.rect()).cells() {
                match self.ground.labels.get(beside).checked_sub(1) {
                    Some(other) => out.push(PassageId(CellId(other))),
                    None if self.ground.narrow.get(beside) && !junctions.contains(&beside) => {
                        junctions.push(beside)
                    }
                    None => {}
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out.retain(|&other| other != passage.id);
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let mouths: usize = self.ground.list.values().map(|passage| passage.mouths.capacity()).sum();
        self.ground.open.memory_bytes()
            + self.ground.narrow.memory_bytes()
            + self.ground.labels.memory_bytes()
            + self.ground.list.len() * size_of::<(PassageId, Passage)>()
            + mouths * size_of::<super::stretch::Mouth>()
    }
}

/// Passages are equal if the ground and all passages are. How far they followed a layer does not matter.
impl PartialEq for Passages {
    fn eq(&self, other: &Self) -> bool {
        let (own, other) = (&self.ground, &other.ground);
        (own.agent, own.rule, own.grid) == (other.agent, other.rule, other.grid)
            && own.open == other.open
            && own.narrow == other.narrow
            && own.list == other.list
    }
}

impl Eq for Passages {}

impl NarrowGround {
    /// Looks at an area again, and measures the passages again that what changed in it touches.
    fn refresh(&mut self, layer: &CostLayer, area: CellRect) {
        let Some((single, own)) = fields(layer, self.agent) else { return };
        let Some(changed) = self.scan(single, own, area) else { return };
        // Cells within 2 of a change may have other mouths: their neighbours may have become junctions.
        let near = changed.grow(2, 2).intersect(self.grid.rect());
        let Self { labels, list, narrow, scratch, rule, grid, .. } = self;
        let RefreshScratch { stretch, cells, names, .. } = scratch;
        let survey = Survey { field: own, rule: *rule, narrow };
        names.clear();
        cells.clear();
        // A cell that is no longer narrow may still have a label. A new map has none.
        let cells_near = (!list.is_empty()).then(|| near.cells()).into_iter().flatten();
        names.extend(
            cells_near.filter_map(|at| labels.get(at).checked_sub(1)).map(|name| PassageId(CellId(name))),
        );
        names.sort_unstable();
        names.dedup();
        let id = |at: CellPos| grid.id(at).expect("inside the map");
        for name in names.iter() {
            let Some(old) = list.remove(name) else { continue };
            for at in old.bounds.cells() {
                if labels.get(at) == name.0.0 + 1 {
                    labels.set(at, 0);
                    cells.push(id(at));
                }
            }
        }
        cells.extend(narrow.set_in(near).map(id));
        cells.sort_unstable();
        cells.dedup();
        for &cell in cells.iter() {
            let at = grid.pos(cell);
            if labels.get(at) == 0 && survey.is_inside(at) {
                let passage = survey.measure(at, labels, stretch);
                list.insert(passage.id, passage);
            }
        }
    }

    /// Finds open and narrow cells again in an area. Returns the rectangle of the cells that changed.
    fn scan(&mut self, single: &CostField, own: &CostField, area: CellRect) -> Option<CellRect> {
        let Self { open, narrow, scratch, .. } = self;
        let width = Strip::width(own.size().side());
        let mut changed: Option<CellRect> = None;
        for x0 in (area.x0..area.x1).step_by(width as usize) {
            let part = CellRect { x0, x1: area.x1.min(x0 + width), ..area };
            let columns = part.x1 - part.x0;
            Strip { single, own, area: part }.scan(&mut scratch.strip, |y, is_open, is_narrow| {
                let bits = open.put((x0, y), columns, is_open) | narrow.put((x0, y), columns, is_narrow);
                if bits != 0 {
                    let first = x0 + bits.trailing_zeros() as i32;
                    let last = x0 + 63 - bits.leading_zeros() as i32;
                    let row = CellRect { x0: first, y0: y, x1: last + 1, y1: y + 1 };
                    changed = Some(changed.map_or(row, |all| all.union(row)));
                }
            });
        }
        changed
    }
}

/// Costs for units of one cell, and for units of the agent's size.
fn fields(layer: &CostLayer, agent: Agent) -> Option<(&CostField, &CostField)> {
    let single = Agent { size: SizeClass::ONE, ..agent };
    Some((layer.field(single)?, layer.field(agent)?))
}
