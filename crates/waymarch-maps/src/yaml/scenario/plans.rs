//! What a group is told in a scenario.

use waymarch::base::{Angle, Dir8, Fixed, GridSize, LocomotorId};
use waymarch::config::FormationType;
use waymarch::cost::Rules;
use waymarch::groups::Formation;
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Fire, MAX_SIGHT, MAX_STOPS};

use super::deeds::{on_map, read_goal};
use super::{find_name, read_rect};
use crate::FileResult;
use crate::scenario::{Plan, Scenario, Whom};
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::{Node, Value};

/// The keys that say what a group does, of which an order has one.
pub(super) const ORDERS: [&str; 18] = [
    "move",
    "attack",
    "scatter",
    "opposite",
    "patrol",
    "follow",
    "follow_group",
    "guard",
    "range",
    "surround",
    "park",
    "dock",
    "spread",
    "join",
    "reform",
    "engage",
    "stop",
    "hold",
];
/// And those that say more about it.
pub(super) const DETAILS: [&str; 9] =
    ["formation", "facing", "sight", "distance", "leash", "least", "most", "shots", "queue"];

const DIRECTIONS: [(&str, Dir8); 8] = [
    ("north", Dir8::N),
    ("north-east", Dir8::NE),
    ("east", Dir8::E),
    ("south-east", Dir8::SE),
    ("south", Dir8::S),
    ("south-west", Dir8::SW),
    ("west", Dir8::W),
    ("north-west", Dir8::NW),
];

/// What the plans of an order are read from.
pub(super) struct Plans<'s, 'n, 'a> {
    pub(super) reader: &'s Reader<'a>,
    pub(super) item: &'n Node<'a>,
    pub(super) fields: &'s Fields<'n, 'a>,
    pub(super) size: GridSize,
    pub(super) rules: &'s Rules,
    pub(super) scenario: &'s Scenario,
}

impl<'a> Plans<'_, '_, 'a> {
    /// The plan of the one key that is there.
    pub(super) fn read(&self, kind: &str, value: &Node<'a>) -> FileResult<Plan> {
        let (reader, size) = (self.reader, self.size);
        let groups: Vec<&str> = self.scenario.groups.iter().map(|group| group.name.as_str()).collect();
        let group = || find_name(reader, value, "group", &groups);
        let length = |key: &str, usual: i32, most: i32| self.length(key, usual, most);
        self.only_where_it_counts(kind)?;
        Ok(match kind {
            "move" => self.read_move(read_goal(reader, value, size)?, value)?,
            "attack" => Plan::Attack(read_goal(reader, value, size)?, length("sight", 8, MAX_SIGHT)?),
            "scatter" => Plan::Scatter(read_rect(reader, value, "scatter", size)?),
            "opposite" => Plan::Opposite(on_map(reader, value, "opposite", size)?),
            "patrol" => {
                let stops = reader.list(value, "patrol")?;
                if stops.is_empty() || stops.len() > MAX_STOPS {
                    let expected = format_args!("a list of 1..={MAX_STOPS} cells");
                    return Err(reader.wrong(value, "patrol", expected));
                }
                let stops = stops.iter().map(|stop| on_map(reader, stop, "patrol", size));
                Plan::Patrol(stops.collect::<FileResult<_>>()?)
            }
            "follow" => Plan::Follow(group()?, length("distance", 2, 8192)?),
            "follow_group" => Plan::FollowGroup(group()?, length("distance", 2, 8192)?),
            "guard" => Plan::Guard(self.whom(value, kind, &groups)?, length("leash", 6, MAX_SIGHT)?),
            "range" => Plan::Around(self.whom(value, kind, &groups)?, self.read_range()?),
            "surround" => Plan::Around(self.whom(value, kind, &groups)?, Around::Surround),
            "park" => Plan::Around(self.whom(value, kind, &groups)?, Around::Park),
            "dock" => {
                let queue = self.direction("queue")?.unwrap_or(Dir8::S.into());
                match self.whom(value, kind, &groups)? {
                    Whom::Group(_) => {
                        return Err(reader.wrong(value, "dock", "a cell or the name of a stamp"));
                    }
                    whom => Plan::Around(whom, Around::Dock { queue }),
                }
            }
            "spread" => {
                let distance = reader.fixed(value, "spread")?;
                if distance < Fixed::ZERO || distance > Fixed::from_cells(MAX_SIGHT) {
                    return Err(reader.wrong(value, "spread", format_args!("0..={MAX_SIGHT}, in cells")));
                }
                Plan::Spread(distance)
            }
            "join" => Plan::Join(group()?),
            "reform" => Plan::Reform(self.formation(value, "reform")?, self.direction("facing")?),
            "engage" if reader.boolean(value, kind)? => Plan::Engage,
            "engage" => Plan::Resume,
            "stop" if reader.boolean(value, kind)? => Plan::Stop,
            "hold" if reader.boolean(value, kind)? => Plan::Hold,
            _ => return Err(reader.wrong(value, kind, "true")),
        })
    }

    /// Refuses a detail of another kind of order: it would not be looked at.
    fn only_where_it_counts(&self, kind: &str) -> FileResult<()> {
        let counts = |key: &str| match key {
            "formation" => kind == "move",
            "facing" => matches!(kind, "move" | "reform"),
            "sight" => kind == "attack",
            "distance" => matches!(kind, "follow" | "follow_group"),
            "leash" => kind == "guard",
            "queue" => kind == "dock",
            _ => kind == "range",
        };
        for key in DETAILS {
            if let Some(node) = self.fields.get(key).filter(|_| !counts(key)) {
                return Err(self.reader.error(node, format!("`{key}` says nothing about `{kind}`")));
            }
        }
        Ok(())
    }

    /// `move`, with or without a formation.
    fn read_move(&self, goal: Goal, value: &Node<'a>) -> FileResult<Plan> {
        let formation =
            self.fields.get("formation").map(|node| self.formation(node, "formation")).transpose()?;
        let facing = self.direction("facing")?;
        match (formation, facing, &goal) {
            (None, None, _) => Ok(Plan::Move(goal)),
            (formation, facing, Goal::In(Shape::Point(at))) => {
                Ok(Plan::Form { at: *at, formation: formation.unwrap_or_default(), facing })
            }
            _ => Err(self.reader.error(value, "a formation stands around one cell: `move: [x, y]`")),
        }
    }

    fn formation(&self, node: &Node<'a>, key: &str) -> FileResult<Formation> {
        let names: Vec<(&str, FormationType)> =
            FormationType::ALL.iter().map(|&kind| (kind.name(), kind)).collect();
        self.reader.choice(node, key, &names).map(Formation::from)
    }

    fn direction(&self, key: &str) -> FileResult<Option<Angle>> {
        let node = self.fields.get(key);
        node.map(|node| self.reader.choice(node, key, &DIRECTIONS).map(Angle::from)).transpose()
    }

    /// A length in cells.
    fn length(&self, key: &str, usual: i32, most: i32) -> FileResult<Fixed> {
        let Some(node) = self.fields.get(key) else { return Ok(Fixed::from_cells(usual)) };
        let value = self.reader.fixed(node, key)?;
        if value >= Fixed::ZERO && value <= Fixed::from_cells(most) {
            Ok(value)
        } else {
            Err(self.reader.wrong(node, key, format_args!("0..={most}, in cells")))
        }
    }

    /// `range: TARGET` with `least`, `most` and `shots`.
    fn read_range(&self) -> FileResult<Around> {
        let (least, most) = (self.length("least", 0, 256)?, self.length("most", 8, 256)?);
        if least > most {
            let node = self.fields.get("least").unwrap_or(self.item);
            return Err(self.reader.error(node, "`least` is greater than `most`"));
        }
        let names: Vec<&str> = self.rules.locomotors.iter().map(|def| def.name.as_str()).collect();
        let fire = match self.fields.get("shots") {
            Some(node) => Fire::Along(LocomotorId(find_name(self.reader, node, "locomotor", &names)? as u8)),
            None => Fire::OverAll,
        };
        Ok(Around::InRange { least, most, fire })
    }

    /// `[x, y]`, the name of a group (its first unit that lives), or the name of a stamp.
    fn whom(&self, node: &Node<'a>, key: &str, groups: &[&str]) -> FileResult<Whom> {
        if let Value::List(_) = node.value {
            return on_map(self.reader, node, key, self.size).map(Whom::Cell);
        }
        let word = self.reader.text(node, key)?;
        if let Some(group) = groups.iter().position(|name| *name == word) {
            return Ok(Whom::Group(group));
        }
        let names: Vec<&str> = self.scenario.names.iter().map(String::as_str).collect();
        find_name(self.reader, node, "group or stamp", &names).map(Whom::Stamp)
    }
}
