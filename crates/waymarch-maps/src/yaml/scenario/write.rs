//! Writes scenario files.

use std::fmt::Write;

use waymarch::avoid::{Reverse, Turning};
use waymarch::base::{Angle, CellPos, CellRect, CollisionLayers, Fixed, Tick, Vec2};
use waymarch::config::{Config, FormationType};
use waymarch::cost::{Falloff, GateState, Rules, ThreatSource};
use waymarch::groups::{Formation, FormationLayout, FormationProfile, Role};
use waymarch::query::{Controller, Goal, Shape};
use waymarch::world::{Around, Concealment, Fire, Mover, OnLoss, UnitType, When, WhenTaken};

use super::actions::NO_PLANNER;
use super::values::DIRECTIONS;
use crate::scenario::{
    Action, GroupOrder, OrderTarget, Placement, Scenario, ScheduledAction, SourceOwner, Squad, StampPosition,
};
use crate::yaml::config::config_keys;
use crate::yaml::map_write::{RulesText, write_footprint, write_map_with};
use crate::yaml::quote::{block_key, scalar};
use crate::{FileError, FileResult};

/// The scenario as text that [`read_scenario`](super::read_scenario) reads back to an equal scenario; `name` appears in errors.
///
/// Orders and edits are written as one list, `actions:`.
///
/// # Errors
/// [`FileError`] if the map is not valid, or if a file cannot express a group, a direction or a name.
pub fn write_scenario(name: &str, scenario: &Scenario) -> FileResult<String> {
    let map = write_map_with(name, &scenario.setup.map, RulesText::Named)?;
    let writer = Writer { scenario, rules: &scenario.setup.map.rules };
    // Writing to a `String` cannot fail, so the only errors are those of what a file cannot express.
    writer.all(&map).map_err(|problem| FileError::new(name, problem))
}

/// What cannot be written, as a sentence.
type Written<T> = Result<T, String>;

/// Scratch: the scenario that is written.
struct Writer<'a> {
    scenario: &'a Scenario,
    rules: &'a Rules,
}

impl Writer<'_> {
    fn all(&self, map: &str) -> Written<String> {
        let Scenario { name, about, setup, ticks, types, .. } = self.scenario;
        let mut out =
            format!("waymarch_scenario: 1\nname: {}\nabout: {}\nmap:\n", scalar(name), scalar(about));
        // The first line is the version of a map file.
        for line in map.lines().skip(1) {
            let _ = writeln!(out, "  {line}");
        }
        let _ = write!(out, "seed: {}\nticks: {ticks}\n", setup.seed);
        let usual = config_keys(&Config::default());
        let changed = config_keys(&setup.config).into_iter().zip(usual).filter(|(own, usual)| own != usual);
        let changed: Vec<String> =
            changed.map(|(own, _)| format!("  {}: {}\n", own.key, own.value)).collect();
        if !changed.is_empty() {
            let _ = write!(out, "config:\n{}", changed.concat());
        }
        if !types.is_empty() {
            out.push_str("unit_types:\n");
            for kind in types {
                let _ = writeln!(out, "  {} {{{}}}", block_key(&kind.name, "  "), self.unit_type(kind));
            }
        }
        self.units(&mut out)?;
        self.groups(&mut out)?;
        if !self.scenario.formations.is_empty() {
            out.push_str("formations:\n");
            for FormationProfile { name, formation, layout } in &self.scenario.formations {
                let (name, layout) = (block_key(name, "  "), layout_keys(layout)?);
                let _ = writeln!(out, "  {name} {{formation: {}{layout}}}", shape(formation));
            }
        }
        let mut actions = String::new();
        for scheduled in self.scenario.actions.iter().filter(|all| !matches!(all.action, Action::Spawn(_))) {
            self.action(&mut actions, scheduled)?;
        }
        if !actions.is_empty() {
            let _ = write!(out, "actions:\n{actions}");
        }
        Ok(out)
    }

    fn unit_type(&self, kind: &UnitType) -> String {
        let locomotor = &self.rules.locomotors[kind.agent.locomotor.index()].name;
        let role = match kind.role {
            Role::Front => "front",
            Role::Middle => "middle",
            Role::Back => "back",
        };
        let controller = if kind.controller == Controller::Ai { "ai" } else { "player" };
        let mover = if kind.mover == Mover::Game { "game" } else { "engine" };
        let turning = match kind.turning {
            Turning::Free => String::new(),
            Turning::Rate { degrees, in_place, reverse } => {
                let reverse = if reverse == Reverse::Never { "never" } else { "when-shorter" };
                format!(", turn: {degrees}, turn_in_place: {in_place}, reverse: {reverse}")
            }
        };
        let layers = kind.layers.map_or(String::new(), |layers| {
            let named = CollisionLayers::NAMED.iter().filter(|(_, layer)| layers.meets(*layer));
            format!(", layers: {}", list(named.map(|(name, _)| (*name).to_string())))
        });
        let cargo = match (kind.capacity, kind.bulk, kind.on_loss) {
            (0, 1, OnLoss::PutOut) => String::new(),
            (capacity, bulk, on_loss) => {
                let on_loss = if on_loss == OnLoss::Die { "die" } else { "put-out" };
                format!(", capacity: {capacity}, bulk: {bulk}, on_loss: {on_loss}")
            }
        };
        format!(
            "locomotor: {}, size: {}, speed: {}, acceleration: {}, braking: {}, weight: {}, radius: {}, tolerance: {}, \
             role: {role}, controller: {controller}, mover: {mover}{turning}{layers}{cargo}",
            scalar(locomotor),
            kind.agent.size.side(),
            kind.speed,
            kind.acceleration,
            kind.braking,
            kind.weight,
            kind.radius,
            kind.tolerance,
        )
    }

    /// The group that a squad's own entry names: the first one that contains it.
    fn own_group(&self, squad: usize) -> Written<usize> {
        let own = self.scenario.groups.iter().position(|group| group.squads.contains(&squad));
        own.ok_or_else(|| format!("squad {} is in no group", squad + 1))
    }

    fn units(&self, out: &mut String) -> Written<()> {
        if !self.scenario.squads.is_empty() {
            out.push_str("units:\n");
        }
        for (number, squad) in self.scenario.squads.iter().enumerate() {
            let Squad { kind, owner, place, facing, taken } = squad;
            let group = &self.scenario.groups[self.own_group(number)?].name;
            let kind = &self.scenario.types[kind.index()].name;
            let appears = |scheduled: &&ScheduledAction| scheduled.action == Action::Spawn(number);
            let tick = self.scenario.actions.iter().find(appears);
            let tick = tick.map_or(String::new(), |scheduled| format!("tick: {}, ", scheduled.tick.0));
            let place = match place {
                Placement::Cells(cells) => format!("cells: {}", list(cells.iter().map(|&at| pair(at)))),
                Placement::Rect(area, count) => format!("rect: {}, count: {count}", rect(*area)),
                Placement::Ring { centre, radius, count } => {
                    format!("ring: {}, radius: {radius}, count: {count}", pair(*centre))
                }
            };
            let facing = match *facing {
                Angle::ZERO => String::new(),
                other => format!(", facing: {}", direction(other)?),
            };
            let taken = match taken {
                WhenTaken::Overlap => "",
                WhenTaken::Refuse => ", taken: refuse",
                WhenTaken::Spread => ", taken: spread",
            };
            let (group, kind) = (scalar(group), scalar(kind));
            let _ = writeln!(
                out,
                "  - {{{tick}group: {group}, type: {kind}, owner: {}, {place}{facing}{taken}}}",
                owner.0
            );
        }
        Ok(())
    }

    /// Writes the groups that consist of other groups.
    fn groups(&self, out: &mut String) -> Written<()> {
        let own: Vec<usize> =
            (0..self.scenario.squads.len()).map(|squad| self.own_group(squad)).collect::<Written<_>>()?;
        let own = &own;
        let squads_of = |group: usize| (0..own.len()).filter(move |&squad| own[squad] == group);
        let mut text = String::new();
        for (number, group) in self.scenario.groups.iter().enumerate() {
            if squads_of(number).eq(group.squads.iter().copied()) && !group.squads.is_empty() {
                continue;
            }
            let parts = (0..number).filter(|&part| group.squads.iter().any(|&squad| own[squad] == part));
            let parts: Vec<usize> = parts.collect();
            let mut whole: Vec<usize> = parts.iter().flat_map(|&part| squads_of(part)).collect();
            whole.sort_unstable();
            if whole != group.squads {
                return Err(format!("group `{}` does not consist of other groups", group.name));
            }
            let names = list(parts.iter().map(|&part| scalar(&self.scenario.groups[part].name)));
            let _ = writeln!(text, "  {} {names}", block_key(&group.name, "  "));
        }
        if !text.is_empty() {
            let _ = write!(out, "groups:\n{text}");
        }
        Ok(())
    }

    fn action(&self, out: &mut String, scheduled: &ScheduledAction) -> Written<()> {
        let ScheduledAction { tick, repeat, action } = scheduled;
        let mut when = format!("tick: {}", tick.0);
        if let Some(repeat) = repeat {
            let _ = write!(when, ", every: {}", repeat.every);
            if repeat.until != Tick::MAX {
                let _ = write!(when, ", until: {}", repeat.until.0);
            }
        }
        if let Action::Place { stamp, position, name } = action {
            let _ = writeln!(out, "  - {}", when.replace(", ", "\n    "));
            if let Some(name) = name {
                let _ = writeln!(out, "    as: {}", self.name(*name)?);
            }
            let _ = match position {
                StampPosition::At(at) => writeln!(out, "    at: {}", pair(*at)),
                StampPosition::Within(area) => {
                    let (x1, y1) = (area.x1 + stamp.width as i32 - 1, area.y1 + stamp.height as i32 - 1);
                    writeln!(out, "    within: {}", rect(CellRect { x1, y1, ..*area }))
                }
            };
            let _ = writeln!(out, "    place:\n      name: {}", scalar(&stamp.name));
            write_footprint(out, stamp, self.rules, "      ");
            return Ok(());
        }
        let _ = writeln!(out, "  - {{{when}, {}}}", self.what(action)?);
        Ok(())
    }

    /// A threat source, with its owner as written.
    fn threat(&self, source: &ThreatSource, name: Option<usize>, owner: &str) -> Written<String> {
        let name = match name {
            Some(name) => format!("as: {}, ", self.name(name)?),
            None => String::new(),
        };
        let falloff = match source.falloff {
            Falloff::Flat => "flat",
            Falloff::Linear => "linear",
            Falloff::Quadratic => "quadratic",
        };
        let (at, radius, strength) = (pair(source.at), source.radius, source.strength);
        Ok(format!(
            "{name}threat: {{at: {at}, radius: {radius}, strength: {strength}, falloff: {falloff}{owner}}}"
        ))
    }

    /// The keys of an action that is written on one line.
    fn what(&self, action: &Action) -> Written<String> {
        Ok(match action {
            Action::Order { group, order, when } => {
                let queued = if *when == When::Queued { ", queued: true" } else { "" };
                format!("group: {}, {}{queued}", self.group(*group), self.order(order)?)
            }
            Action::Remove(name) => format!("remove: {}", self.name(*name)?),
            Action::Gate(name, GateState::Open) => format!("open: {}", self.name(*name)?),
            Action::Gate(name, GateState::Closed) => format!("close: {}", self.name(*name)?),
            Action::Gate(name, GateState::OpenTo(teams)) => {
                let teams: Vec<String> = teams.sides().map(|team| team.to_string()).collect();
                format!("open: {}, teams: [{}]", self.name(*name)?, teams.join(", "))
            }
            Action::Team(player, team) => format!("team: {}, player: {}", team.0, player.0),
            Action::Terrain(area, terrain) => {
                let name = &self.rules.terrains[terrain.index()].name;
                format!("terrain: {}, area: {}", scalar(name), rect(*area))
            }
            Action::Height(area, height) => format!("height: {height}, area: {}", rect(*area)),
            Action::Threat(source, name) => self.threat(source, *name, "")?,
            Action::ThreatOf(source, name, SourceOwner::Player(player)) => {
                self.threat(source, *name, &format!(", player: {}", player.0))?
            }
            Action::ThreatOf(source, name, SourceOwner::Group(group)) => {
                self.threat(source, *name, &format!(", group: {}", self.group(*group)))?
            }
            Action::Configure(changes) => {
                let changes: Vec<String> =
                    changes.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                format!("config: {{{}}}", changes.join(", "))
            }
            Action::Reload => String::from("reload: true"),
            Action::Planner(name) => {
                format!("planner: {}", scalar(name.as_deref().unwrap_or(NO_PLANNER)))
            }
            Action::Random(number) => format!("random: {number}"),
            Action::Spawn(_) | Action::Place { .. } => {
                return Err(String::from("a squad or a stamp is not written on one line"));
            }
        })
    }

    fn order(&self, order: &GroupOrder) -> Written<String> {
        Ok(match order {
            GroupOrder::Move(to) => format!("move: {}", goal(to)),
            GroupOrder::Form { at, formation, facing, layout } => {
                let (facing, layout) = (facing_key(*facing)?, layout_keys(layout)?);
                format!("move: {}, formation: {}{facing}{layout}", pair(*at), shape(formation))
            }
            GroupOrder::Attack(to, sight) => format!("attack: {}, sight: {sight}", goal(to)),
            GroupOrder::FollowGroup(group, distance) => {
                format!("follow_group: {}, distance: {distance}", self.group(*group))
            }
            GroupOrder::Guard(target, leash) => format!("guard: {}, leash: {leash}", self.target(*target)?),
            GroupOrder::Around(target, how) => {
                let target = self.target(*target)?;
                match how {
                    Around::InRange { least, most, fire } => {
                        let shots = match fire {
                            Fire::OverAll => String::new(),
                            Fire::Along(id) => {
                                format!(", shots: {}", scalar(&self.rules.locomotors[id.index()].name))
                            }
                        };
                        format!("range: {target}, least: {least}, most: {most}{shots}")
                    }
                    Around::Surround => format!("surround: {target}"),
                    Around::Park => format!("park: {target}"),
                    Around::Dock { queue } => format!("dock: {target}, queue: {}", direction(*queue)?),
                }
            }
            GroupOrder::Spread(distance) => format!("spread: {distance}"),
            GroupOrder::Join(group) => format!("join: {}", self.group(*group)),
            GroupOrder::Reform(formation, facing) => {
                format!("reform: {}{}", shape(formation), facing_key(*facing)?)
            }
            GroupOrder::Engage => String::from("engage: true"),
            GroupOrder::Resume => String::from("engage: false"),
            GroupOrder::Scatter(area) => format!("scatter: {}", rect(*area)),
            GroupOrder::Opposite(at) => format!("opposite: {}", pair(*at)),
            GroupOrder::Patrol(stops) => format!("patrol: {}", list(stops.iter().map(|&at| pair(at)))),
            GroupOrder::Follow(group, distance) => {
                format!("follow: {}, distance: {distance}", self.group(*group))
            }
            GroupOrder::Stop => String::from("stop: true"),
            GroupOrder::Hold => String::from("hold: true"),
            GroupOrder::Kill => String::from("kill: true"),
            GroupOrder::Capture(owner) => format!("capture: {}", owner.0),
            GroupOrder::Become(kind) => format!("become: {}", scalar(&self.scenario.types[*kind].name)),
            GroupOrder::Speed(percent) => format!("speed: {percent}"),
            GroupOrder::Conceal(concealment) => format!("hidden: {}", *concealment == Concealment::Hidden),
            GroupOrder::Board(group) => format!("board: {}", self.group(*group)),
            GroupOrder::Unboard => String::from("unboard: true"),
            GroupOrder::Put { at, velocity } => {
                format!("put: {}, velocity: {}", point(*at), point(*velocity))
            }
        })
    }

    fn group(&self, group: usize) -> String {
        scalar(&self.scenario.groups[group].name)
    }

    fn name(&self, name: usize) -> Written<String> {
        self.scenario
            .names
            .get(name)
            .map(|name| scalar(name))
            .ok_or_else(|| format!("there is no name {name}"))
    }

    fn target(&self, target: OrderTarget) -> Written<String> {
        match target {
            OrderTarget::Cell(at) => Ok(pair(at)),
            OrderTarget::Group(group) => Ok(self.group(group)),
            OrderTarget::Stamp(name) => self.name(name),
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn pair(at: CellPos) -> String {
    format!("[{}, {}]", at.x, at.y)
}

fn point(at: Vec2) -> String {
    let fraction = |number: Fixed| number.to_string();
    format!("[{}, {}]", fraction(at.x), fraction(at.y))
}

fn rect(area: CellRect) -> String {
    format!("[{}, {}, {}, {}]", area.x0, area.y0, area.x1 - area.x0, area.y1 - area.y0)
}

fn goal(goal: &Goal) -> String {
    match goal {
        Goal::In(Shape::Point(at)) => pair(*at),
        other => scalar(&other.to_string()),
    }
}

fn shape(formation: &Formation) -> String {
    if let Formation::Custom(offsets) = formation {
        return list(offsets.iter().map(|&at| point(at.into())));
    }
    let known = FormationType::ALL.iter().find(|&&kind| Formation::from(kind) == *formation);
    known.map_or_else(String::new, |kind| kind.name().to_string())
}

/// The keys of a layout whose values are not the default.
fn layout_keys(layout: &FormationLayout) -> Written<String> {
    let lengths = [("spacing", layout.spacing), ("width", layout.width), ("radius", layout.radius)];
    let used = lengths.iter().filter(|(_, length)| *length != Fixed::ZERO);
    let mut keys: String = used.map(|(key, length)| format!(", {key}: {length}")).collect();
    let degrees = (u32::from(layout.angle.0) * 360 + 32_768) / 65_536;
    if layout.angle != Angle(((degrees * 65_536 + 180) / 360) as u16) {
        return Err(format!("a file has no word for the angle {:?}", layout.angle));
    }
    if degrees > 0 {
        keys.push_str(&format!(", angle: {degrees}"));
    }
    Ok(keys)
}

fn facing_key(facing: Option<Angle>) -> Written<String> {
    facing.map_or(Ok(String::new()), |facing| Ok(format!(", facing: {}", direction(facing)?)))
}

fn direction(angle: Angle) -> Written<String> {
    let known = DIRECTIONS.iter().find(|(_, dir)| Angle::from(*dir) == angle);
    known
        .map(|(name, _)| (*name).to_string())
        .ok_or_else(|| format!("a file has no word for the direction {angle:?}"))
}
