//! Draws orders, edits, changed settings, planners and reloads, tick by tick.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, CellPos, CellRect, Dir8, Fixed, GridSize, LocomotorId, Tick, Vec2};
use waymarch::config::FormationType;
use waymarch::cost::{Falloff, GateState, SideMask, TerrainId, ThreatSource};
use waymarch::groups::{Formation, FormationLayout};
use waymarch::planners::PlannerList;
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Concealment, Fire, PlayerId, TeamId, When};
use waymarch_maps::scenario::{
    Action, GroupOrder, OrderTarget, Repeat, Scenario, ScheduledAction, SourceOwner, StampPosition,
};
use waymarch_testkit::splitmix::SplitMix;

use super::draw_map::{draw_stamp, place_for};
use super::draw_settings::draw_change;
use super::draw_units::any_cell;

/// Scratch: draws the actions of a game.
pub(super) struct ActionDrawer<'a> {
    rng: &'a mut SplitMix,
    scenario: &'a mut Scenario,
    size: GridSize,
}

/// Which planners a game uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Planners {
    /// The engine's default.
    Hybrid,
    /// Any planner of the engine's list, changed in mid-game.
    Any,
}

impl<'a> ActionDrawer<'a> {
    pub(super) fn new(rng: &'a mut SplitMix, scenario: &'a mut Scenario) -> Self {
        let size = scenario.setup.map.size;
        Self { rng, scenario, size }
    }

    /// Draws all actions. The squads in `later` appear at some tick.
    pub(super) fn draw(mut self, later: &[usize]) {
        for &squad in later {
            let tick = Tick(u64::from(self.rng.below(self.scenario.ticks as u32)));
            self.scenario.actions.push(ScheduledAction { tick, repeat: None, action: Action::Spawn(squad) });
        }
        // As in a file, the actions of squads that appear later come first, in the order of the squads.
        let mut actions = Vec::new();
        let per_mille = self.rng.pick(&[30, 100, 100, 250, 600]);
        let planners = if self.rng.chance(120) { Planners::Any } else { Planners::Hybrid };
        let reloads = self.draw_reload_ticks();
        for tick in 0..self.scenario.ticks {
            let mut here = if tick == 0 { 1 + self.rng.below(6) } else { 0 };
            while self.rng.chance(per_mille) && here < 6 {
                here += 1;
            }
            let first = actions.len();
            for _ in 0..here {
                let action = self.draw_action(planners);
                let repeat = self.draw_repeat(tick);
                actions.push(ScheduledAction { tick: Tick(tick), repeat, action });
            }
            for _ in reloads.iter().filter(|&&at| at == tick) {
                let place = first + self.rng.below((actions.len() - first) as u32 + 1) as usize;
                let reload = ScheduledAction { tick: Tick(tick), repeat: None, action: Action::Reload };
                actions.insert(place, reload);
            }
        }
        self.scenario.actions.extend(actions);
        // The sort is stable, like that of the reader of scenario files.
        self.scenario.actions.sort_by_key(|scheduled| scheduled.tick);
    }

    /// The ticks at which the game forks.
    fn draw_reload_ticks(&mut self) -> Vec<u64> {
        (0..1 + self.rng.below(4)).map(|_| u64::from(self.rng.below(self.scenario.ticks as u32))).collect()
    }

    fn draw_repeat(&mut self, tick: u64) -> Option<Repeat> {
        self.rng.chance(30).then(|| Repeat {
            every: 1 + self.rng.below(20),
            until: Tick(tick + u64::from(self.rng.below(60))),
        })
    }

    fn draw_action(&mut self, planners: Planners) -> Action {
        match self.rng.below(100) {
            0..58 if !self.scenario.groups.is_empty() => self.draw_group_action(),
            58..61 => Action::Random(self.rng.next_u64() >> 16),
            61 => {
                // Few teams, so that some players are allies.
                let (player, team) = (self.rng.pick(&[0, 0, 1, 1, 2, 255]), self.rng.pick(&[0, 1, 2, 255]));
                Action::Team(PlayerId(player), TeamId(team))
            }
            62..71 => self.draw_place(),
            71..76 => match self.known_name() {
                Some(name) => Action::Remove(name),
                None => self.draw_place(),
            },
            76..80 => match self.known_name() {
                Some(name) => {
                    let teams = GateState::OpenTo(SideMask(self.rng.below(8)));
                    Action::Gate(name, self.rng.pick(&[GateState::Open, GateState::Closed, teams]))
                }
                None => self.draw_place(),
            },
            80..85 => {
                let terrains = self.scenario.setup.map.rules.terrains.len() as u32;
                Action::Terrain(self.draw_area(), TerrainId(self.rng.below(terrains) as u8))
            }
            85..88 => {
                let height = self.rng.pick(&[0, 0, 30, 100, -300, i16::MAX, i16::MIN]);
                Action::Height(self.draw_area(), height)
            }
            88..94 => self.draw_threat(),
            94..98 => {
                let config = self.scenario.setup.config.clone();
                let mut changes: Vec<_> =
                    (0..1 + self.rng.below(3)).map(|_| draw_change(self.rng, &config)).collect();
                self.sort_changes(&mut changes);
                Action::Configure(changes)
            }
            _ if planners == Planners::Any => {
                let list = PlannerList::builtin();
                let names: Vec<&str> = list.names().collect();
                Action::Planner(self.rng.chance(850).then(|| self.rng.pick(&names).to_string()))
            }
            _ => self.draw_place(),
        }
    }

    /// Changes in the order of the table of settings, each key once, as a reader lists them.
    fn sort_changes(&self, changes: &mut Vec<(String, String)>) {
        let keys = waymarch_maps::yaml::config_keys(&self.scenario.setup.config);
        let place = |change: &(String, String)| keys.iter().position(|row| row.key == change.0);
        changes.sort_by_key(place);
        changes.dedup_by(|a, b| a.0 == b.0);
    }

    /// The name of a stamp or threat source that an earlier action makes.
    fn known_name(&mut self) -> Option<usize> {
        let count = self.scenario.names.len() as u32;
        (count > 0).then(|| self.rng.below(count) as usize)
    }

    /// A new name mostly, a used one sometimes, or none.
    fn draw_name(&mut self) -> Option<usize> {
        match self.rng.below(10) {
            0..2 => None,
            2..4 if !self.scenario.names.is_empty() => self.known_name(),
            _ => {
                self.scenario.names.push(format!("n{}", self.scenario.names.len()));
                Some(self.scenario.names.len() - 1)
            }
        }
    }

    fn draw_place(&mut self) -> Action {
        let stamp = draw_stamp(self.rng, &self.scenario.setup.map.rules, self.size);
        let at = place_for(self.rng, &stamp, self.size);
        let position = if self.rng.chance(900) {
            StampPosition::At(at)
        } else {
            let end = |place: i32, side: u32, room: u32| (place + 5).min(room as i32 - side as i32 + 1);
            let x1 = end(at.x, stamp.width, self.size.width());
            let y1 = end(at.y, stamp.height, self.size.height());
            StampPosition::Within(CellRect { x0: at.x, y0: at.y, x1, y1 })
        };
        Action::Place { stamp, position, name: self.draw_name() }
    }

    fn draw_threat(&mut self) -> Action {
        let source = ThreatSource {
            at: self.cell(),
            radius: self.rng.pick(&[0, 1, 3, 9, 40, 255]),
            strength: self.rng.pick(&[0, 1, 60, 128, 255]),
            falloff: self.rng.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]),
        };
        let name = self.draw_name();
        let groups = self.scenario.groups.len() as u32;
        match self.rng.below(if groups > 0 { 3 } else { 2 }) {
            0 => Action::Threat(source, name),
            1 => Action::ThreatOf(source, name, SourceOwner::Player(PlayerId(self.rng.below(3) as u8))),
            _ => Action::ThreatOf(source, name, SourceOwner::Group(self.rng.below(groups) as usize)),
        }
    }

    fn cell(&mut self) -> CellPos {
        any_cell(self.rng, self.size)
    }

    /// A rectangle on the map, mostly a small one.
    fn draw_area(&mut self) -> CellRect {
        let at = self.cell();
        let most = self.rng.pick(&[1, 3, 8, 30, 200]);
        let (width, height) = (1 + self.rng.below(most), 1 + self.rng.below(most));
        CellRect::at(at, width, height).intersect(self.size.rect())
    }

    fn group(&mut self) -> usize {
        self.rng.below(self.scenario.groups.len() as u32) as usize
    }

    fn draw_group_action(&mut self) -> Action {
        let group = self.group();
        let order = self.draw_order();
        let when = if self.rng.chance(200) && is_order(&order) { When::Queued } else { When::Now };
        Action::Order { group, order, when }
    }

    fn draw_order(&mut self) -> GroupOrder {
        let (at, other, short) = (self.cell(), self.group(), self.rng.pick(&[0, 512, 1024, 3000, 9000]));
        let (short, far) = (Fixed::from_raw(short), Fixed::from_raw(self.rng.pick(&[0, 1024, 8192, 65_536])));
        match self.rng.below(56) {
            0..8 => GroupOrder::Move(self.draw_goal()),
            8..13 => {
                let (formation, facing) = (self.draw_formation(), self.draw_facing());
                let layout = self.draw_layout().for_formation(&formation);
                GroupOrder::Form { at, formation, facing, layout }
            }
            13..15 => GroupOrder::Attack(self.draw_goal(), far),
            15 => GroupOrder::FollowGroup(other, short),
            16..18 => GroupOrder::Guard(self.draw_target(), far),
            18..22 => self.draw_around(),
            22 => GroupOrder::Spread(far),
            23..25 => GroupOrder::Join(other),
            25..27 => GroupOrder::Reform(self.draw_formation(), self.draw_facing()),
            27 => GroupOrder::Engage,
            28 => GroupOrder::Resume,
            29 => GroupOrder::Scatter(self.draw_area()),
            30 => GroupOrder::Opposite(at),
            31..33 => GroupOrder::Patrol((0..1 + self.rng.below(4)).map(|_| self.cell()).collect()),
            33..35 => GroupOrder::Follow(other, short),
            35 => GroupOrder::Stop,
            36 => GroupOrder::Hold,
            37 => GroupOrder::Kill,
            40..42 => GroupOrder::Capture(PlayerId(self.rng.pick(&[0, 0, 1, 2, 255]))),
            42..45 => GroupOrder::Become(self.rng.below(self.scenario.types.len() as u32) as usize),
            45..47 => GroupOrder::Speed(self.rng.pick(&[10, 40, 100, 100, 150, 300])),
            47 => GroupOrder::Conceal(self.rng.pick(&[Concealment::Hidden, Concealment::Visible])),
            48..53 => GroupOrder::Board(other),
            53..56 => GroupOrder::Unboard,
            _ => self.draw_put(),
        }
    }

    fn draw_put(&mut self) -> GroupOrder {
        let part = |rng: &mut SplitMix| Fixed::from_raw(rng.below(1024) as i32);
        let at = self.cell();
        let at = Vec2::from_cells(at.x, at.y) + Vec2::new(part(self.rng), part(self.rng));
        let speed = |rng: &mut SplitMix| Fixed::from_raw(rng.pick(&[0, 0, 128, -128, 384, -1024, 4096]));
        GroupOrder::Put { at, velocity: Vec2::new(speed(self.rng), speed(self.rng)) }
    }

    fn draw_around(&mut self) -> GroupOrder {
        let target = self.draw_target();
        let how = match self.rng.below(4) {
            0 => {
                let (least, more) = (self.rng.below(4000) as i32, self.rng.below(12_000) as i32);
                let locomotors = self.scenario.setup.map.rules.locomotors.len() as u32;
                let fire = match self.rng.below(2) {
                    0 => Fire::OverAll,
                    _ => Fire::Along(LocomotorId(self.rng.below(locomotors) as u8)),
                };
                Around::InRange { least: Fixed::from_raw(least), most: Fixed::from_raw(least + more), fire }
            }
            1 => Around::Surround,
            2 => Around::Park,
            _ => Around::Dock { queue: Angle::from(self.rng.pick(&Dir8::ALL)) },
        };
        match (how, target) {
            // A scenario file cannot express a dock at a unit.
            (Around::Dock { .. }, OrderTarget::Group(_)) => {
                let at = self.cell();
                GroupOrder::Around(OrderTarget::Cell(at), how)
            }
            _ => GroupOrder::Around(target, how),
        }
    }

    fn draw_target(&mut self) -> OrderTarget {
        match (self.rng.below(3), self.known_name()) {
            (0, _) => OrderTarget::Group(self.group()),
            (1, Some(name)) => OrderTarget::Stamp(name),
            _ => OrderTarget::Cell(self.cell()),
        }
    }

    fn draw_facing(&mut self) -> Option<Angle> {
        self.rng.chance(500).then(|| Angle::from(self.rng.pick(&Dir8::ALL)))
    }

    /// Mostly no layout. What has no effect on the formation is dropped later: files refuse it.
    fn draw_layout(&mut self) -> FormationLayout {
        if !self.rng.chance(300) {
            return FormationLayout::default();
        }
        let length = |rng: &mut SplitMix, most: u32| Fixed::from_raw(rng.below(most) as i32);
        let degrees = 20 + self.rng.below(141);
        FormationLayout {
            spacing: length(self.rng, 3000),
            width: length(self.rng, 30_000),
            angle: Angle(((degrees * 65_536 + 180) / 360) as u16),
            radius: length(self.rng, 12_000),
        }
    }

    fn draw_formation(&mut self) -> Formation {
        if self.rng.chance(150) {
            let near = |rng: &mut SplitMix| Fixed::from_raw(rng.below(8192) as i32 - 4096);
            let offset = |rng: &mut SplitMix| Fine::from(Vec2::new(near(rng), near(rng)));
            return Formation::Custom((0..self.rng.below(12)).map(|_| offset(self.rng)).collect());
        }
        Formation::from(self.rng.pick(FormationType::ALL))
    }

    /// A goal that is legal on this map.
    fn draw_goal(&mut self) -> Goal {
        let shape = |drawer: &mut Self| {
            let (centre, radius) = (drawer.cell(), Fixed::from_raw(drawer.rng.below(6000) as i32));
            match drawer.rng.below(5) {
                0 => Shape::Circle { centre, radius },
                1 => Shape::Ring { centre, inner: radius, outer: radius + Fixed::from_raw(2048) },
                2 => Shape::Rect(drawer.draw_area()),
                _ => Shape::Point(centre),
            }
        };
        let goal = match self.rng.below(6) {
            0 => Goal::AnyOf((0..1 + self.rng.below(4)).map(|_| shape(self)).collect()),
            1 => Goal::OutOf(shape(self)),
            _ => Goal::In(shape(self)),
        };
        if goal.validate(self.size).is_ok() { goal } else { Goal::point(self.cell()) }
    }
}

/// Whether it is an order, which can be queued.
fn is_order(order: &GroupOrder) -> bool {
    !matches!(
        order,
        GroupOrder::Join(_)
            | GroupOrder::Reform(..)
            | GroupOrder::Engage
            | GroupOrder::Resume
            | GroupOrder::Kill
            | GroupOrder::Put { .. }
            | GroupOrder::Capture(_)
            | GroupOrder::Become(_)
            | GroupOrder::Speed(_)
            | GroupOrder::Conceal(_)
            | GroupOrder::Board(_)
            | GroupOrder::Unboard
    )
}
