//! The game that is played: a scenario or a bare map, the commands that pages give, and the snapshot.

use std::collections::BTreeSet;

use waymarch::base::{Angle, CellPos, CellRect, GridSize, SizeClass};
use waymarch::config::Config;
use waymarch::cost::Map;
use waymarch::world::{
    Command, PlayerId, Recording, Serial, Setup, TickPhase, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_maps::generate::{GenerateOptions, builtin, generate};
use waymarch_maps::scenario::{Action, Scenario, Simulation, builtin_scenario};

use crate::edit_commands;
use crate::map_planes::MapPlanes;
use crate::page_message::{BrushStroke, GenerateRequest, SpawnRequest};

/// At most 5,000 units are spawned by one message.
pub(crate) const MAX_SPAWN: u32 = 5000;
/// At most 50,000 units in a game: frames of more take too long to send and draw.
pub(crate) const MAX_GAME_UNITS: usize = 50_000;
/// The longest side of a generated map: 2048 cells.
const MAX_SIDE: u32 = 2048;
/// A state hash is recorded every 20 ticks.
const HASH_EVERY: u32 = 20;

/// A copy of the game at an earlier tick.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) tick: u64,
    pub(crate) hash: String,
    pub(crate) bytes: usize,
    simulation: Simulation,
}

/// World: the game, and the map as pages know it.
#[derive(Debug)]
pub(crate) struct Game {
    simulation: Simulation,
    pub(crate) map_planes: MapPlanes,
    /// The scenario it began as; `None` for a bare map.
    pub(crate) scenario: Option<String>,
    /// The settings before any change.
    first: Config,
    pub(crate) snapshot: Option<Box<Snapshot>>,
    /// Cells whose look may have changed although their costs did not.
    repainted: CellRect,
    /// How often the ground was replaced as a whole.
    redraws: u32,
    /// Units that pages commanded and that are not taken out of the script yet.
    commanded: Vec<UnitId>,
}

impl Game {
    /// Starts a built-in scenario.
    pub(crate) fn of_scenario(name: &str) -> Result<Self, String> {
        let scenario = builtin_scenario(name).ok_or_else(|| format!("there is no scenario `{name}`"))?;
        Self::begin(scenario, Some(name.to_owned()))
    }

    /// Starts on a built-in map. Files are never opened.
    pub(crate) fn of_map_name(name: &str) -> Result<Self, String> {
        Self::of_map(builtin(name).ok_or_else(|| format!("there is no built-in map `{name}`"))?)
    }

    pub(crate) fn generated(recipe: GenerateRequest) -> Result<Self, String> {
        let size = Self::generated_size(recipe)?;
        Self::of_map(generate(recipe.seed, size, &GenerateOptions::default()))
    }

    /// The size of a map to generate, if it is legal.
    pub(crate) fn generated_size(recipe: GenerateRequest) -> Result<GridSize, String> {
        let GenerateRequest { width, height, .. } = recipe;
        if !(8..=MAX_SIDE).contains(&width) || !(8..=MAX_SIDE).contains(&height) {
            return Err(format!(
                "a map of {width}×{height} cells cannot be generated: each side must be 8..={MAX_SIDE}"
            ));
        }
        GridSize::new(width, height).map_err(|error| error.to_string())
    }

    /// Starts on a map without units. Each locomotor gets a unit type of 1 × 1 cells and one of 2 × 2.
    pub(crate) fn of_map(map: Map) -> Result<Self, String> {
        let config = Config::default();
        let big = SizeClass::new(2).filter(|_| config.size_classes.contains(&2));
        let mut types = Vec::new();
        for (number, def) in map.rules.locomotors.iter().enumerate() {
            let locomotor = waymarch::base::LocomotorId(number.min(255) as u8);
            types.push(UnitType::new(def.name.clone(), locomotor));
            if let Some(size) = big {
                let agent = waymarch::base::Agent { locomotor, size };
                types.push(UnitType::new(format!("big {}", def.name), agent));
            }
        }
        let scenario = Scenario {
            name: map.name.clone(),
            about: String::from("A map without units."),
            setup: Setup { config, map, seed: 1 },
            ticks: 0,
            types,
            squads: Vec::new(),
            groups: Vec::new(),
            formations: Vec::new(),
            names: Vec::new(),
            actions: Vec::new(),
        };
        Self::begin(scenario, None)
    }

    /// Starts a scenario; `name` is the built-in scenario that it is.
    pub(crate) fn begin(scenario: Scenario, name: Option<String>) -> Result<Self, String> {
        let first = scenario.setup.config.clone();
        let simulation = Simulation::new(scenario, HASH_EVERY).map_err(|error| error.to_string())?;
        let map_planes = MapPlanes::new(simulation.world().nav().layer(), 1);
        Ok(Self {
            simulation,
            map_planes,
            scenario: name,
            first,
            snapshot: None,
            repainted: CellRect::default(),
            redraws: 0,
            commanded: Vec::new(),
        })
    }

    /// Continues the game with other settings.
    pub(crate) fn configure(&mut self, config: Config) -> Result<(), String> {
        self.give(Command::Configure(Box::new(config)))?;
        self.redraw();
        Ok(())
    }

    /// Rebuilds the map planes: all cells may have changed.
    fn redraw(&mut self) {
        self.redraws = self.redraws.wrapping_add(1);
        let version = self.map_planes.version().wrapping_add(1);
        self.map_planes = MapPlanes::new(self.simulation.world().nav().layer(), version);
    }

    /// The settings before any change.
    pub(crate) fn first_config(&self) -> &Config {
        &self.first
    }

    pub(crate) fn config(&self) -> &Config {
        self.world().nav().config().get()
    }

    pub(crate) fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Differs whenever the ground may differ: after edits, other settings, or restoring a snapshot.
    pub(crate) fn ground_version(&self) -> [u64; 2] {
        let ground = self.world().nav().layer().changes().ground_version();
        [ground, u64::from(self.redraws)]
    }

    pub(crate) fn about(&self) -> (&str, &str) {
        let scenario = self.simulation.scenario();
        (&scenario.name, &scenario.about)
    }

    /// Overlays that the page switches on by itself: threat cannot be seen on the ground.
    pub(crate) fn shows(&self) -> Vec<&'static str> {
        let actions = &self.simulation.scenario().actions;
        let danger = actions
            .iter()
            .any(|scheduled| matches!(scheduled.action, Action::Threat(..) | Action::ThreatOf(..)));
        danger.then_some("threat").into_iter().collect()
    }

    /// The recording of the game so far.
    pub(crate) fn recording(&self) -> Recording {
        self.simulation.recording()
    }

    pub(crate) fn tick(&mut self, done: impl FnMut(TickPhase) + Send) {
        self.simulation.give_due_commands();
        self.simulation.tick_watched(&Serial, done);
    }

    /// A `WMA1` message for each area that looks different since the last call.
    pub(crate) fn changed_areas(&mut self) -> Vec<Vec<u8>> {
        let repainted = std::mem::take(&mut self.repainted);
        self.map_planes.update(self.simulation.world().nav().layer(), repainted)
    }

    pub(crate) fn take_snapshot(&mut self) -> &Snapshot {
        let world = self.simulation.world();
        let (tick, hash, bytes) = (world.now().0, world.state_hash().to_string(), world.save().len());
        let simulation = self.simulation.clone();
        self.snapshot.insert(Box::new(Snapshot { tick, hash, bytes, simulation }))
    }

    /// Returns to the snapshot; the recording is cut back too.
    pub(crate) fn restore(&mut self) -> Result<(), String> {
        let snapshot = self.snapshot.as_ref().ok_or("there is no snapshot yet: save one first")?;
        self.simulation = snapshot.simulation.clone();
        self.redraw();
        Ok(())
    }

    /// The unit with an index.
    pub(crate) fn unit(&self, index: u32) -> Option<UnitId> {
        self.world().positions().map(|(id, _)| id).find(|id| id.index() == index)
    }

    /// The units with these indices that still exist.
    pub(crate) fn units(&self, indices: &[u32]) -> Vec<UnitId> {
        let wanted: BTreeSet<u32> = indices.iter().copied().collect();
        self.world().positions().map(|(id, _)| id).filter(|id| wanted.contains(&id.index())).collect()
    }

    /// Gives a command to the World. Every command is recorded.
    pub(crate) fn give(&mut self, command: Command) -> Result<(), String> {
        self.simulation.command(command).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Gives a command of a page to units. They leave the script of the scenario: its later orders do not reach them.
    pub(crate) fn give_to(&mut self, units: &[UnitId], command: Command) -> Result<(), String> {
        self.give(command)?;
        self.commanded.extend_from_slice(units);
        Ok(())
    }

    /// Takes the units that were commanded since the last call out of the script; returns how many of them it would have commanded later.
    /// It is called after every message, so before the next tick.
    pub(crate) fn leave_script(&mut self) -> usize {
        self.simulation.release(&std::mem::take(&mut self.commanded))
    }

    /// Whether a unit has left the script of the scenario, because a page commanded it.
    pub(crate) fn has_left_script(&self, unit: UnitId) -> bool {
        self.scenario.is_some() && self.simulation.is_released(unit)
    }

    /// Whether the scenario gives orders at this tick or later.
    pub(crate) fn script_goes_on(&self) -> bool {
        self.simulation.orders_later()
    }

    pub(crate) fn remove(&mut self, indices: &[u32]) -> Result<(), String> {
        self.units(indices).into_iter().try_for_each(|unit| self.give(Command::Remove(unit)))
    }

    /// Spawns units on the nearest free cells; returns how many found room.
    pub(crate) fn spawn(&mut self, asked: &SpawnRequest) -> Result<u32, String> {
        let (kind, centre) = (UnitTypeId(asked.kind), CellPos::new(asked.x, asked.y));
        let world = self.world();
        let agent =
            world.unit_type(kind).ok_or_else(|| format!("there is no unit type {}", asked.kind))?.agent;
        let grid = world.nav().layer().grid();
        if !grid.contains(centre) {
            return Err(format!("cell {centre} is outside the map (the map is {grid})"));
        }
        if !(1..=MAX_SPAWN).contains(&asked.count) {
            return Err(format!(
                "cannot spawn {} units at once: the count must be 1..={MAX_SPAWN}",
                asked.count
            ));
        }
        if world.unit_count() + asked.count as usize > MAX_GAME_UNITS {
            return Err(format!("a game has at most {MAX_GAME_UNITS} units"));
        }
        let places = self.room_near(centre, agent, asked.count as usize);
        if places.is_empty() {
            return Err(String::from("there is no free cell for this unit type"));
        }
        for &at in &places {
            self.give(Command::Spawn { kind, owner: PlayerId(asked.owner), at, facing: Angle::ZERO })?;
        }
        Ok(places.len() as u32)
    }

    /// Free cells around a cell, in growing squares.
    fn room_near(&self, centre: CellPos, agent: waymarch::base::Agent, count: usize) -> Vec<CellPos> {
        let (world, side) = (self.world(), i32::from(agent.size.side()));
        let layer = world.nav().layer();
        let (Some(field), grid) = (layer.field(agent), layer.grid()) else { return Vec::new() };
        let mut taken: BTreeSet<CellPos> = world.units().filter_map(|unit| world.cell_of(unit.id)).collect();
        let mut found = Vec::new();
        let widest = grid.width().max(grid.height()) as i32 / side + 1;
        for ring in 0..=widest {
            for (dx, dy) in around(ring) {
                let at = centre.offset(dx * side, dy * side);
                if field.is_passable(at) && layer.can_stop(at, agent) && taken.insert(at) {
                    found.push(at);
                    if found.len() == count {
                        return found;
                    }
                }
            }
        }
        found
    }

    pub(crate) fn paint(&mut self, stroke: &BrushStroke) -> Result<(), String> {
        let (commands, area) = edit_commands::strokes(self.world().nav().layer(), stroke)?;
        self.repainted = self.repainted.union(area);
        commands.into_iter().try_for_each(|command| self.give(command))
    }

    pub(crate) fn toggle(&mut self, at: CellPos) -> Result<(), String> {
        let (command, area) = edit_commands::toggle(self.world().nav().layer(), at)?;
        self.repainted = self.repainted.union(area);
        self.give(command)
    }
}

/// The cells of a square ring, row by row.
fn around(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let inner = move |&(dx, dy): &(i32, i32)| dx.abs() == ring || dy.abs() == ring;
    (-ring..=ring).flat_map(move |dy| (-ring..=ring).map(move |dx| (dx, dy))).filter(inner)
}
