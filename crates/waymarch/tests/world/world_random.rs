//! Random orders on random maps with constant edits: every order ends, and no unit enters a closed cell.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, Fixed, SizeClass, Vec2, cell};
use waymarch::config::{Config, Eviction, PathSmoothing, RepathFrequency};
use waymarch::cost::{CornerRule, Stamp, StampId};
use waymarch::query::Goal;
use waymarch::world::{
    Around, Concealment, EventKind, Navigator, Order, PlayerId, Target, TeamId, UnitId, UnitType, UnitTypeId,
    World,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::worlds::soldier;

/// Whether units also change owner, type, speed and visibility, board transports, and players change teams.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Changes {
    None,
    Drawn,
}

/// A game with random commands.
struct Game {
    world: World,
    grid: Grid,
    rng: SplitMix,
    kinds: Vec<UnitTypeId>,
    stamps: Vec<StampId>,
    /// For each unit index, the number of finite orders that have not ended yet.
    open: Vec<u32>,
    changes: Changes,
}

impl Game {
    fn new(name: &str, grid: Grid, config: Config, seed: u64) -> Self {
        let nav = Navigator::new(grid.to_map(name), config).expect("a legal map");
        let mut world = World::with_seed(nav, seed);
        let foot = soldier(&mut world);
        let agent = Agent { size: SizeClass::TWO, ..world.types()[0].agent };
        let fast = UnitType { speed: Fixed::ONE, ..UnitType::new("fast and big", agent) };
        let kinds = vec![foot, world.add_type(fast).expect("a legal kind")];
        Self {
            world,
            grid,
            rng: SplitMix::new(seed),
            kinds,
            stamps: Vec::new(),
            open: Vec::new(),
            changes: Changes::None,
        }
    }

    fn any_unit(&mut self) -> Option<UnitId> {
        let units: Vec<UnitId> = self.world.positions().map(|(unit, _)| unit).collect();
        (!units.is_empty()).then(|| self.rng.pick(&units))
    }

    fn any_cell(&mut self) -> CellPos {
        cell(self.rng.below(self.grid.width) as i32, self.rng.below(self.grid.height) as i32)
    }

    /// Gives one random command, which may be refused.
    fn meddle(&mut self) {
        let (at, number) = (self.any_cell(), self.rng.below(100));
        match number {
            0..=9 => {
                let kind = self.rng.pick(&self.kinds);
                if let Ok(unit) = self.world.spawn(kind, PlayerId(0), at) {
                    self.open.resize(self.open.len().max(unit.index() as usize + 1), 0);
                    self.open[unit.index() as usize] = 0;
                }
            }
            10..=11 => {
                if let Some(unit) = self.any_unit() {
                    self.world.remove(unit).expect("it lives");
                    self.open[unit.index() as usize] = 0;
                }
            }
            12..=19 => self.stamps.extend(self.world.place(&Stamp::solid(1 + number % 4, 3), at)),
            20..=27 if !self.stamps.is_empty() => {
                let place = self.rng.below(self.stamps.len() as u32) as usize;
                let stamp = self.stamps.swap_remove(place);
                self.world.remove_stamp(stamp).expect("it stands");
            }
            46..=52 => self.order_some(at, number),
            28..=45 => {
                if let Some(unit) = self.any_unit() {
                    self.order(unit, at, number);
                }
            }
            53..=69 if self.changes == Changes::Drawn => self.change_some(number),
            _ => {}
        }
    }

    /// Changes up to four neighbours in the list of units, or a player's team.
    fn change_some(&mut self, number: u32) {
        let all: Vec<UnitId> = self.world.positions().map(|(unit, _)| unit).collect();
        let Some(first) = (!all.is_empty()).then(|| self.rng.below(all.len() as u32) as usize) else {
            return;
        };
        let units = &all[first..all.len().min(first + 4)];
        match number {
            53..=55 => {
                let owner = PlayerId(self.rng.below(3) as u8);
                let changes: Vec<UnitId> = units
                    .iter()
                    .copied()
                    .filter(|&unit| self.world.unit(unit).is_some_and(|unit| unit.owner != owner))
                    .collect();
                if self.world.set_owner(units, owner).is_ok() {
                    // All orders of a captured unit have ended.
                    changes.iter().for_each(|unit| self.open[unit.index() as usize] = 0);
                }
            }
            56..=58 => {
                let kind = self.rng.pick(&self.kinds);
                let _refused = self.world.set_kind(units, kind);
            }
            59 | 60 => {
                let percent = self.rng.pick(&[10, 40, 100, 140]);
                self.world.set_speed(units, percent).expect("alive");
            }
            61 => {
                let how = self.rng.pick(&[Concealment::Hidden, Concealment::Visible]);
                self.world.set_concealment(units, how).expect("alive");
            }
            62..=64 => {
                let _refused = self.world.board(units, all[(first + 5) % all.len()]);
            }
            65..=67 => self.unboard_all(),
            _ => {
                let (player, team) = (self.rng.below(3) as u8, self.rng.below(3) as u8);
                self.world.set_team(PlayerId(player), TeamId(team));
            }
        }
    }

    /// Lets all units out of their transports, as far as there is room.
    fn unboard_all(&mut self) {
        let aboard: Vec<UnitId> =
            self.world.units().filter(|unit| unit.transport.is_some()).map(|unit| unit.id).collect();
        for unit in aboard {
            let _refused = self.world.unboard(&[unit]);
        }
    }

    fn is_aboard(&self, unit: UnitId) -> bool {
        self.world.unit(unit).is_some_and(|unit| unit.transport.is_some())
    }

    /// Gives an order to up to eight neighbours in the list of units. Some orders have no goal.
    fn order_some(&mut self, at: CellPos, number: u32) {
        let all: Vec<UnitId> = self.world.positions().map(|(unit, _)| unit).collect();
        let Some(first) = (!all.is_empty()).then(|| self.rng.below(all.len() as u32) as usize) else {
            return;
        };
        let units = &all[first..all.len().min(first + 8)];
        let target = match number % 3 {
            0 => Target::Cell(at),
            1 => Target::Unit(all[(first + 9) % all.len()]),
            _ => Target::Stamp(self.stamps.last().copied().unwrap_or(StampId::DEAD)),
        };
        let far = Fixed::from_cells(5);
        let (order, ends) = match self.rng.below(9) {
            0 => (Order::Move(Goal::rect(CellRect::at(at, 5, 4))), 1),
            1 => (Order::attack_move(Goal::circle(at, far), far), 1),
            2 => (Order::Scatter { distance: far }, 1),
            3 => (Order::Around { target, how: Around::in_range(Fixed::ONE, far) }, 1),
            4 => (Order::Around { target, how: Around::Surround }, 1),
            5 => (Order::Around { target, how: Around::Park }, 1),
            6 => (Order::Around { target, how: Around::Dock { queue: Dir8::E.into() } }, 0),
            7 => (Order::Guard { target, leash: far }, 0),
            _ => {
                let with = all[(first + 9) % all.len()];
                let told = self.world.orders_of(with).next().cloned();
                let ends = u32::from(told.as_ref().is_some_and(ends_by_itself));
                let same: Vec<UnitId> = units.iter().copied().filter(|&unit| unit != with).collect();
                if self.world.join(&same, with).is_ok() {
                    same.iter().for_each(|unit| self.open[unit.index() as usize] = ends);
                }
                return;
            }
        };
        // An order around a unit lasts as long as that unit lives, and the test cancels it at the end.
        let ends = if matches!((&order, target), (Order::Around { .. }, Target::Unit(_))) { 0 } else { ends };
        if self.world.order(units, order).is_ok() {
            units.iter().for_each(|unit| self.open[unit.index() as usize] = ends);
        }
    }

    fn order(&mut self, unit: UnitId, at: CellPos, number: u32) {
        let open = &mut self.open[unit.index() as usize];
        let (order, ends) = match number % 6 {
            0 | 1 => (Order::move_to(at), 1),
            2 => (Order::Move(Goal::circle(at, Fixed::from_cells(2))), 1),
            3 => (Order::patrol([at, cell(at.y % 20, at.x % 20)]), 0),
            4 => (Order::Stop, 0),
            _ => {
                let units: Vec<UnitId> = self.world.positions().map(|(unit, _)| unit).collect();
                (Order::follow(self.rng.pick(&units), Fixed::from_cells(2)), 0)
            }
        };
        if number % 4 == 0 && self.world.orders_of(unit).all(ends_by_itself) {
            *open += u32::from(self.world.queue(&[unit], order).is_ok()) * ends;
        } else if self.world.order(&[unit], order).is_ok() {
            *open = ends;
        }
    }

    /// Runs one tick and checks everything that must hold afterwards.
    fn tick(&mut self, name: &str) {
        let before: Vec<(UnitId, CellPos)> =
            self.world.units().map(|unit| (unit.id, self.world.cell_of(unit.id).expect("alive"))).collect();
        let wanted = |unit| -> Vec<Order> { self.world.orders_of(unit).cloned().collect() };
        let orders: Vec<(UnitId, Vec<Order>)> =
            before.iter().map(|&(unit, _)| (unit, wanted(unit))).collect();
        // The last member that arrives has no slot after the tick, so slots are read before it.
        let slots: Vec<_> = before
            .iter()
            .map(|&(unit, _)| (unit, self.world.slot_of(unit), self.world.group_of(unit)))
            .collect();
        self.world.tick();
        for event in self.world.events() {
            if event.what == EventKind::Arrived {
                let at = self.world.cell_of(event.unit).expect("alive");
                let mine =
                    orders.iter().filter(|(unit, _)| *unit == event.unit).flat_map(|(_, orders)| orders);
                let mut goals = mine.clone().filter_map(Order::goal);
                // The unit is in its goal, or beside a unit that is nearer. It may have left the goal in this tick.
                let near = |goal: &Goal| {
                    let beside = |unit: UnitId, other: CellPos| {
                        unit != event.unit && cells_apart(other, at) <= 3 && goal.gap(other) <= goal.gap(at)
                    };
                    let now = |unit: UnitId| beside(unit, self.world.cell_of(unit).expect("alive"));
                    let or_before = || before.iter().any(|&(unit, other)| beside(unit, other));
                    // A unit may arrive 0.15 cells from its goal, on the other side of a cell's edge.
                    let all_but = || {
                        let unit = self.world.unit(event.unit).expect("alive");
                        let size = self.world.unit_type(unit.kind).expect("its kind").agent.size;
                        // The centre of a big unit is not in the cell of its position.
                        let off = 512 * (size.reach_north_west() - size.reach_south_east());
                        let point = unit.position + Vec2::new(Fixed::from_raw(off), Fixed::from_raw(off));
                        let by = |by: i32| Fixed::from_raw(by);
                        let axes = [(-154, 0), (154, 0), (0, -154), (0, 154)];
                        let corners = [(-108, -108), (-108, 108), (108, -108), (108, 108)];
                        let shifts = axes.iter().chain(&corners);
                        let beside = |&(x, y): &(i32, i32)| {
                            let to = point + Vec2::new(by(x), by(y));
                            goal.contains(to.cell())
                        };
                        shifts.copied().any(|shift| beside(&shift))
                    };
                    goal.contains(at)
                        || all_but()
                        || self.world.units().any(|unit| now(unit.id))
                        || or_before()
                };
                // Or the unit is in its slot of the group, at the edge if the goal is full.
                let had = || slots.iter().find(|(unit, ..)| *unit == event.unit).and_then(|had| had.1);
                let slot = self.world.slot_of(event.unit).or_else(had).map(|slot| slot.cell());
                let mut in_slot = mine.clone().filter_map(Order::goal).map(|goal| {
                    // A small group with a short route keeps its shape around the goal, however far apart its members stand.
                    let near = |at: CellPos| goal.gap(at) <= 6 * 1024;
                    let own = slots.iter().find(|(unit, ..)| *unit == event.unit).and_then(|had| had.2);
                    let kin = slots.iter().filter(|had| own.is_some() && had.2 == own);
                    let all: Vec<CellPos> = kin.filter_map(|had| had.1).map(|slot| slot.cell()).collect();
                    let mean = |sum: i32| sum / i32::try_from(all.len().max(1)).expect("few");
                    let (x, y) = all.iter().fold((0, 0), |sum, at| (sum.0 + at.x, sum.1 + at.y));
                    let around = all.len() > 1 && near(cell(mean(x), mean(y)));
                    // The members that were nearest to the goal may have been captured, or may sit in a transport.
                    let is_rest = self.changes == Changes::Drawn;
                    slot.is_some_and(|slot| cells_apart(slot, at) <= 2 && (near(slot) || around || is_rest))
                });
                let in_slot = in_slot.any(|is| is);
                // Other orders have no goal.
                let elsewhere = mine.clone().any(|order| order.goal().is_none());
                let told: Vec<&Order> = mine.clone().collect();
                assert!(
                    elsewhere || in_slot || goals.any(near),
                    "{name}: {} arrived at {at} {:?}, its slot is {slot:?}, told {told:?}",
                    event.unit,
                    self.world.unit(event.unit).map(|unit| unit.position)
                );
            }
            if let EventKind::Arrived | EventKind::GaveUp(_) = event.what {
                let open = &mut self.open[event.unit.index() as usize];
                *open = open.saturating_sub(1);
            }
        }
        let layer = self.world.nav().layer();
        for (id, from) in before {
            let unit = self.world.unit(id).expect("ticks remove no unit");
            let agent = self.world.types()[unit.kind.index()].agent;
            let field = layer.field(agent).expect("it has costs");
            let to = self.world.cell_of(id).expect("alive");
            assert!(layer.grid().contains(to), "{name}: {id} left the map");
            assert!(unit.velocity.length() <= Fixed::from_raw(1449), "{name}: {id}");
            // A passenger is where its transport is.
            if field.is_passable(from) && !self.is_aboard(id) {
                assert!(field.is_passable(to), "{name}: {id} went from {from} into {to}");
                let beside = field.is_passable(cell(from.x, to.y)) && field.is_passable(cell(to.x, from.y));
                let rule = self.world.nav().config().get().corner_rule;
                assert!(
                    rule != CornerRule::Forbid || beside,
                    "{name}: {id} cut a corner from {from} to {to}"
                );
            }
        }
    }
}

fn cells_apart(a: CellPos, b: CellPos) -> u32 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// Whether an order ends without help of other units.
fn ends_by_itself(order: &Order) -> bool {
    match order {
        Order::Move(_) | Order::AttackMove { .. } | Order::Form { .. } | Order::Scatter { .. } => true,
        Order::Around { target, how } => {
            !matches!(target, Target::Unit(_)) && !matches!(how, Around::Dock { .. })
        }
        _ => false,
    }
}

fn play(config: &Config, seed: u64) {
    play_with(config, seed, Changes::None);
}

fn play_with(config: &Config, seed: u64, changes: Changes) {
    for (name, grid) in every_kind(seed, 48, 40) {
        let mut game = Game::new(name, grid, config.clone(), seed);
        game.changes = changes;
        if changes == Changes::Drawn {
            let agent = game.world.types()[0].agent;
            let cart = UnitType { capacity: 4, ..UnitType::new("cart", agent) };
            game.kinds.push(game.world.add_type(cart).expect("a legal kind"));
        }
        for _ in 0..900 {
            game.meddle();
            game.tick(name);
        }
        // Endless orders are cancelled; all others end by themselves.
        let endless: Vec<UnitId> = game.world.units().map(|unit| unit.id).collect();
        if !endless.is_empty() {
            // The limit below is for units at their usual speed: one at a tenth of it walks ten times as long.
            game.world.set_speed(&endless, 100).expect("alive");
        }
        for unit in endless {
            if !game.world.orders_of(unit).all(ends_by_itself) {
                game.world.order(&[unit], Order::Stop).expect("alive");
                game.open[unit.index() as usize] = 0;
            }
        }
        for tick in 0..9_000 {
            if tick % 100 == 0 && tick < 2000 {
                game.unboard_all();
            }
            game.tick(name);
            let is_done = |unit: UnitId| game.world.orders_of(unit).next().is_none() || game.is_aboard(unit);
            if (changes == Changes::None || tick >= 2000) && game.world.units().all(|unit| is_done(unit.id)) {
                break;
            }
        }
        // The orders of passengers wait.
        for unit in game.world.units().filter(|unit| unit.transport.is_none()) {
            let left: Vec<&Order> = game.world.orders_of(unit.id).collect();
            assert!(left.is_empty(), "{name}: {unit:?} still has {left:?}");
            assert_eq!(
                game.open[unit.id.index() as usize],
                0,
                "{name}: {unit:?} has an order without a final event"
            );
        }
        assert_eq!(game.world.service().len(), 0, "{name}: an unused route is kept");
    }
}

#[test]
fn the_same_holds_while_units_are_captured_upgraded_slowed_and_carried_and_teams_change() {
    for (seed, eviction) in [(7, Eviction::Stay), (8, Eviction::Walk)] {
        play_with(&Config { eviction, ..Config::default() }, seed, Changes::Drawn);
    }
}

#[test]
fn every_move_ends_with_an_event_and_no_unit_enters_a_closed_cell() {
    for seed in [1, 2] {
        play(&Config::default(), seed);
    }
}

#[test]
fn the_same_holds_where_corners_may_be_cut_and_routes_are_not_smoothed() {
    let smoothing = PathSmoothing::None;
    play(&Config { corner_rule: CornerRule::AllowOne, path_smoothing: smoothing, ..Config::default() }, 3);
    play(&Config { corner_rule: CornerRule::Allow, ..Config::default() }, 4);
}

#[test]
fn the_same_holds_for_splines_and_for_rare_route_reviews() {
    let config = Config {
        path_smoothing: PathSmoothing::Spline,
        repath_frequency: RepathFrequency::Low,
        max_paths_per_tick: 1,
        ..Config::default()
    };
    play(&config, 5);
    play(&Config { repath_on_block: false, repath_escalation: false, ..Config::default() }, 6);
}

#[test]
fn a_crowd_with_new_orders_every_tick_keeps_its_memory_small() {
    let mut game = Game::new("open", Grid::filled(60, 60, 1), Config::default(), 9);
    let places: Vec<CellPos> = CellRect::at(cell(5, 5), 20, 10).cells().collect();
    let units = game.world.spawn_many(game.kinds[0], PlayerId(0), &places).expect("open");
    game.open = vec![0; units.len()];
    for _ in 0..300 {
        let at = game.any_cell();
        game.world.order(&units, Order::move_to(at)).expect("on the map");
        game.world.tick();
    }
    assert!(game.world.service().len() <= units.len() + 1, "one route per unit, and one for their group");
}
