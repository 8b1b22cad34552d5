//! What must hold in every tick of a long game.

use waymarch::base::CellRect;
use waymarch::world::{EventKind, Serial, UnitId, World};
use waymarch_counting::held_now;

use super::super::service::now_ms;

/// Counts orders, ends of orders, and units where they must not be.
#[derive(Default)]
pub(super) struct Audit {
    pub(super) orders: u64,
    pub(super) arrived: u64,
    pub(super) gave_up: u64,
    pub(super) edits: u64,
    pub(super) deaths: u64,
    pub(super) in_closed_ground: u64,
    /// The most nodes that the path service counted in one tick.
    pub(super) most_nodes: u64,
    /// The times of whole ticks, in milliseconds. Its memory is reserved before the game, so that the list does not count as growing memory.
    pub(super) tick_ms: Vec<f64>,
    /// By unit index: the unit, if it has an order that has not ended with an event.
    open: Vec<Option<UnitId>>,
    /// By unit index: whether an edit closed the ground under the unit, and it has not left it yet.
    shut_in: Vec<bool>,
    held: Vec<i64>,
}

impl Audit {
    /// Units got an order that replaces the earlier one.
    pub(super) fn ordered(&mut self, units: &[UnitId]) {
        for &unit in units {
            *self.open_mut(unit) = Some(unit);
            self.orders += 1;
        }
    }

    /// A unit died, and its order with it.
    pub(super) fn died(&mut self, unit: UnitId) {
        *self.open_mut(unit) = None;
        self.deaths += 1;
    }

    /// An edit changed an area. The units in it may stand on closed ground until they have left it.
    pub(super) fn edited(&mut self, world: &World, area: CellRect) {
        self.edits += 1;
        for (unit, _) in world.positions() {
            if world.cell_of(unit).is_some_and(|at| area.contains(at)) {
                let index = unit.index() as usize;
                self.shut_in.resize(self.shut_in.len().max(index + 1), false);
                self.shut_in[index] = true;
            }
        }
    }

    /// Runs one tick and checks it.
    pub(super) fn tick(&mut self, world: &mut World) {
        let (start, nodes) = (now_ms(), world.service().work().nodes);
        world.tick_with(&Serial);
        self.tick_ms.push(now_ms() - start);
        self.most_nodes = self.most_nodes.max(world.service().work().nodes - nodes);
        for event in world.events() {
            match event.what {
                EventKind::Arrived => self.arrived += 1,
                EventKind::GaveUp(_) => self.gave_up += 1,
                _ => continue,
            }
            *self.open_mut(event.unit) = None;
        }
        for unit in world.units() {
            let index = unit.id.index() as usize;
            let agent = world.unit_type(unit.kind).map(|kind| kind.agent);
            let field = agent.and_then(|agent| world.nav().layer().field(agent));
            let is_open = world.cell_of(unit.id).zip(field).is_some_and(|(at, field)| field.is_passable(at));
            if let Some(shut_in) = self.shut_in.get_mut(index).filter(|_| is_open) {
                *shut_in = false;
            }
            let excused = self.shut_in.get(index).copied().unwrap_or(false);
            self.in_closed_ground += u64::from(!is_open && !excused);
        }
    }

    /// Units whose order has not ended with an event.
    pub(super) fn without_end(&self) -> usize {
        self.open.iter().flatten().count()
    }

    /// Notes the bytes that are held now, without the list of times.
    pub(super) fn note_memory(&mut self) {
        let own = (self.tick_ms.capacity() * size_of::<f64>()) as i64;
        self.held.push(held_now() - own);
    }

    /// The first and the last noted memory, in bytes.
    pub(super) fn memory(&self) -> [u64; 2] {
        [self.held.first(), self.held.last()].map(|held| held.map_or(0, |&held| held.max(0) as u64))
    }

    fn open_mut(&mut self, unit: UnitId) -> &mut Option<UnitId> {
        let index = unit.index() as usize;
        self.open.resize(self.open.len().max(index + 1), None);
        &mut self.open[index]
    }
}

#[cfg(test)]
mod tests {
    use waymarch::base::{GridSize, cell};
    use waymarch::config::Config;
    use waymarch::cost::{Map, Rules, Stamp};
    use waymarch::world::{Navigator, Order, PlayerId, UnitType};

    use super::*;

    /// Two units that stand on a flat map.
    fn world() -> (World, Vec<UnitId>) {
        let size = GridSize::new(16, 8).expect("a legal size");
        let nav = Navigator::new(Map::flat("flat", size, Rules::standard()), Config::default());
        let mut world = World::new(nav.expect("a legal map"));
        let foot = world.nav().locomotor("foot").expect("in the rules");
        let kind = world.add_type(UnitType::new("soldier", foot)).expect("a legal type");
        let units = world.spawn_many(kind, PlayerId(0), &[cell(3, 3), cell(9, 3)]).expect("open ground");
        (world, units)
    }

    #[test]
    fn a_unit_in_closed_ground_is_counted_unless_an_edit_closed_it() {
        for (told, least) in [(None, 1), (Some(CellRect::at(cell(2, 2), 3, 3)), 0)] {
            let (mut world, mut audit) = (world().0, Audit::default());
            audit.tick(&mut world);
            assert_eq!(audit.in_closed_ground, 0);
            world.place(&Stamp::solid(3, 3), cell(2, 2)).expect("it fits");
            told.into_iter().for_each(|area| audit.edited(&world, area));
            audit.tick(&mut world);
            assert_eq!(audit.in_closed_ground, least, "{told:?}");
        }
    }

    #[test]
    fn an_order_without_an_event_at_its_end_is_counted() {
        let (mut world, units) = world();
        let mut audit = Audit::default();
        audit.ordered(&units);
        // Only the second unit really got its order.
        world.order(&units[1..], Order::move_to(cell(12, 5))).expect("on the map");
        (0..200).for_each(|_| audit.tick(&mut world));
        assert_eq!((audit.without_end(), audit.arrived), (1, 1));
        assert!(audit.most_nodes > 0);
        audit.died(units[0]);
        assert_eq!(audit.without_end(), 0);
    }
}
