//! The game that is being played: a scenario or a bare map, what players do to it, snapshots.

use std::collections::BTreeSet;

use waymarch::base::{Angle, CellPos, CellRect, GridSize, SizeClass};
use waymarch::config::Config;
use waymarch::cost::Map;
use waymarch::world::{
    Command, PlayerId, Recording, Serial, Setup, TickPhase, UnitId, UnitType, UnitTypeId, World,
};
use waymarch_maps::generate::{GenerateOptions, builtin, generate};
use waymarch_maps::scenario::{Scenario, Simulation, What, builtin_scenario};

use crate::chart::Chart;
use crate::message::{Painted, Recipe, Spawned};
use crate::paint;

/// At most so many units are spawned at once.
pub(crate) const MAX_SPAWN: u32 = 5000;
/// At most so many units in a game; frames of more are no pleasure.
pub(crate) const MAX_GAME_UNITS: usize = 50_000;
/// The longest side of a generated map.
const MAX_SIDE: u32 = 2048;
/// Hashes are recorded every so many ticks.
const HASH_EVERY: u32 = 20;

/// A game as it was.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) tick: u64,
    pub(crate) hash: String,
    pub(crate) bytes: usize,
    simulation: Simulation,
}

/// The game, and what pages know of its map.
#[derive(Debug)]
pub(crate) struct Game {
    simulation: Simulation,
    pub(crate) chart: Chart,
    /// As which scenario it began; `None` for a bare map.
    pub(crate) scenario: Option<String>,
    /// The settings it had before anybody changed them.
    first: Config,
    pub(crate) snapshot: Option<Box<Snapshot>>,
    /// Where looks may have changed though costs did not.
    repainted: CellRect,
    /// How often the ground was replaced as a whole.
    anew: u32,
}

impl Game {
    /// A built-in scenario.
    pub(crate) fn of_scenario(name: &str) -> Result<Self, String> {
        let scenario = builtin_scenario(name).ok_or_else(|| format!("there is no scenario `{name}`"))?;
        Self::begin(scenario, Some(name.to_owned()))
    }

    /// A built-in map. Names of files are not looked for.
    pub(crate) fn of_map_name(name: &str) -> Result<Self, String> {
        Self::of_map(builtin(name).ok_or_else(|| format!("there is no built-in map `{name}`"))?)
    }

    pub(crate) fn generated(recipe: Recipe) -> Result<Self, String> {
        let Recipe { seed, width, height } = recipe;
        if !(8..=MAX_SIDE).contains(&width) || !(8..=MAX_SIDE).contains(&height) {
            return Err(format!("a map of {width}×{height} cells: each side must be 8..={MAX_SIDE}"));
        }
        let size = GridSize::new(width, height).map_err(|error| error.to_string())?;
        Self::of_map(generate(seed, size, &GenerateOptions::default()))
    }

    /// A map without units: a kind of unit for each locomotor, and a big one.
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
            about: String::from("A map to play on."),
            setup: Setup { config, map, seed: 1 },
            ticks: 0,
            types,
            squads: Vec::new(),
            groups: Vec::new(),
            names: Vec::new(),
            deeds: Vec::new(),
        };
        Self::begin(scenario, None)
    }

    fn begin(scenario: Scenario, name: Option<String>) -> Result<Self, String> {
        let first = scenario.setup.config.clone();
        let simulation = Simulation::new(scenario, HASH_EVERY).map_err(|error| error.to_string())?;
        let chart = Chart::new(simulation.world().nav().layer(), 1);
        Ok(Self {
            simulation,
            chart,
            scenario: name,
            first,
            snapshot: None,
            repainted: CellRect::default(),
            anew: 0,
        })
    }

    /// The game goes on with other settings.
    pub(crate) fn configure(&mut self, config: Config) -> Result<(), String> {
        self.give(Command::Configure(Box::new(config)))?;
        self.redraw();
        Ok(())
    }

    /// The map is drawn anew: its layers may be others.
    fn redraw(&mut self) {
        self.anew = self.anew.wrapping_add(1);
        let version = self.chart.version().wrapping_add(1);
        self.chart = Chart::new(self.simulation.world().nav().layer(), version);
    }

    /// The settings before anybody changed them.
    pub(crate) fn first_config(&self) -> &Config {
        &self.first
    }

    pub(crate) fn config(&self) -> &Config {
        self.world().nav().config().get()
    }

    pub(crate) fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Other numbers whenever the ground may be another: after edits, other settings, or going back.
    pub(crate) fn ground_version(&self) -> [u64; 2] {
        let ground = self.world().nav().layer().changes().ground_version();
        [ground, u64::from(self.anew)]
    }

    pub(crate) fn about(&self) -> (&str, &str) {
        let scenario = self.simulation.scenario();
        (&scenario.name, &scenario.about)
    }

    /// Overlays without which the scenario cannot be understood: danger is not seen on the ground.
    pub(crate) fn shows(&self) -> Vec<&'static str> {
        let deeds = &self.simulation.scenario().deeds;
        let danger = deeds.iter().any(|deed| matches!(deed.what, What::Threat(..)));
        danger.then_some("threat").into_iter().collect()
    }

    /// What was played so far.
    pub(crate) fn recording(&self) -> Recording {
        self.simulation.recording()
    }

    pub(crate) fn tick(&mut self, done: impl FnMut(TickPhase) + Send) {
        self.simulation.act();
        self.simulation.pass_watched(&Serial, done);
    }

    /// What of the map looks different since this was last asked.
    pub(crate) fn changed_areas(&mut self) -> Vec<Vec<u8>> {
        let also = std::mem::take(&mut self.repainted);
        self.chart.follow(self.simulation.world().nav().layer(), also)
    }

    pub(crate) fn take_snapshot(&mut self) -> &Snapshot {
        let world = self.simulation.world();
        let (tick, hash, bytes) = (world.now().0, world.state_hash().to_string(), world.save().len());
        let simulation = self.simulation.clone();
        self.snapshot.insert(Box::new(Snapshot { tick, hash, bytes, simulation }))
    }

    /// Takes everything back to the snapshot, the recording too.
    pub(crate) fn restore(&mut self) -> Result<(), String> {
        let snapshot = self.snapshot.as_ref().ok_or("there is no snapshot yet")?;
        self.simulation = snapshot.simulation.clone();
        self.redraw();
        Ok(())
    }

    /// The unit in a slot.
    pub(crate) fn unit(&self, slot: u32) -> Option<UnitId> {
        // Units come by slot.
        self.world().positions().map(|(id, _)| id).find(|id| id.index() == slot)
    }

    /// The units in these slots; who is gone is left out.
    pub(crate) fn units(&self, slots: &[u32]) -> Vec<UnitId> {
        let wanted: BTreeSet<u32> = slots.iter().copied().collect();
        self.world().positions().map(|(id, _)| id).filter(|id| wanted.contains(&id.index())).collect()
    }

    /// Does something to the World; it is recorded.
    pub(crate) fn give(&mut self, command: Command) -> Result<(), String> {
        self.simulation.command(command).map(|_| ()).map_err(|error| error.to_string())
    }

    pub(crate) fn remove(&mut self, slots: &[u32]) -> Result<(), String> {
        self.units(slots).into_iter().try_for_each(|unit| self.give(Command::Remove(unit)))
    }

    /// Spawns as near to a cell as there is room; how many there was room for.
    pub(crate) fn spawn(&mut self, asked: &Spawned) -> Result<u32, String> {
        let (kind, centre) = (UnitTypeId(asked.kind), CellPos::new(asked.x, asked.y));
        let world = self.world();
        let agent = world.unit_type(kind).ok_or_else(|| format!("there is no kind {}", asked.kind))?.agent;
        let grid = world.nav().layer().grid();
        if !grid.contains(centre) {
            return Err(format!("{centre} is not on a map of {grid}"));
        }
        if !(1..=MAX_SPAWN).contains(&asked.count) {
            return Err(format!("{} units at once: 1..={MAX_SPAWN} are possible", asked.count));
        }
        if world.unit_count() + asked.count as usize > MAX_GAME_UNITS {
            return Err(format!("more than {MAX_GAME_UNITS} units"));
        }
        let places = self.room_near(centre, agent, asked.count as usize);
        if places.is_empty() {
            return Err(String::from("units of this kind can stand nowhere near"));
        }
        for &at in &places {
            self.give(Command::Spawn { kind, owner: PlayerId(asked.owner), at, facing: Angle::ZERO })?;
        }
        Ok(places.len() as u32)
    }

    /// Open cells with nobody on them, square after square around a cell.
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

    pub(crate) fn paint(&mut self, stroke: &Painted) -> Result<(), String> {
        let (commands, area) = paint::strokes(self.world().nav().layer(), stroke)?;
        self.repainted = self.repainted.union(area);
        commands.into_iter().try_for_each(|command| self.give(command))
    }

    pub(crate) fn toggle(&mut self, at: CellPos) -> Result<(), String> {
        let (command, area) = paint::toggle(self.world().nav().layer(), at)?;
        self.repainted = self.repainted.union(area);
        self.give(command)
    }
}

/// The cells of a square ring, row by row.
fn around(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let inner = move |&(dx, dy): &(i32, i32)| dx.abs() == ring || dy.abs() == ring;
    (-ring..=ring).flat_map(move |dy| (-ring..=ring).map(move |dx| (dx, dy))).filter(inner)
}
