//! Reads one order to a group.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, Dir8, Fixed, GridSize, LocomotorId, Vec2};
use waymarch::config::FormationType;
use waymarch::cost::Rules;
use waymarch::groups::{Formation, MAX_MEMBERS};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Concealment, Fire, MAX_SIGHT, MAX_STOPS, PlayerId};

use super::values::{DIRECTIONS, find_name, on_map, read_goal, read_point, read_rect};
use crate::FileResult;
use crate::scenario::{GroupOrder, OrderTarget, Scenario};
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::{Node, Value};

/// The keys that say what a group does. An order has exactly one of them.
pub(super) const ORDERS: [&str; 26] = [
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
    "kill",
    "put",
    "capture",
    "become",
    "speed",
    "hidden",
    "board",
    "unboard",
];
/// The keys for details of an order.
pub(super) const DETAILS: [&str; 10] =
    ["formation", "facing", "sight", "distance", "leash", "least", "most", "shots", "queue", "velocity"];

/// Scratch: what an order is read from.
pub(super) struct OrderReader<'s, 'n, 'a> {
    pub(super) reader: &'s Reader<'a>,
    pub(super) item: &'n Node<'a>,
    pub(super) fields: &'s Fields<'n, 'a>,
    pub(super) size: GridSize,
    pub(super) rules: &'s Rules,
    pub(super) scenario: &'s Scenario,
}

impl<'a> OrderReader<'_, '_, 'a> {
    /// The order that a key and its value describe.
    pub(super) fn read(&self, kind: &str, value: &Node<'a>) -> FileResult<GroupOrder> {
        let (reader, size) = (self.reader, self.size);
        let groups: Vec<&str> = self.scenario.groups.iter().map(|group| group.name.as_str()).collect();
        let group = || find_name(reader, value, "group", &groups);
        let length = |key: &str, usual: i32, most: i32| self.length(key, usual, most);
        self.refuse_unused_details(kind)?;
        Ok(match kind {
            "move" => self.read_move(read_goal(reader, value, size)?, value)?,
            "attack" => GroupOrder::Attack(read_goal(reader, value, size)?, length("sight", 8, MAX_SIGHT)?),
            "scatter" => GroupOrder::Scatter(read_rect(reader, value, "scatter", size)?),
            "opposite" => GroupOrder::Opposite(on_map(reader, value, "opposite", size)?),
            "patrol" => {
                let stops = reader.list(value, "patrol")?;
                if stops.is_empty() || stops.len() > MAX_STOPS {
                    let expected = format_args!("a list of 1..={MAX_STOPS} cells");
                    return Err(reader.wrong(value, "patrol", expected));
                }
                let stops = stops.iter().map(|stop| on_map(reader, stop, "patrol", size));
                GroupOrder::Patrol(stops.collect::<FileResult<_>>()?)
            }
            "follow" => GroupOrder::Follow(group()?, length("distance", 2, 8192)?),
            "follow_group" => GroupOrder::FollowGroup(group()?, length("distance", 2, 8192)?),
            "guard" => GroupOrder::Guard(self.target(value, kind, &groups)?, length("leash", 6, MAX_SIGHT)?),
            "range" => GroupOrder::Around(self.target(value, kind, &groups)?, self.read_range()?),
            "surround" => GroupOrder::Around(self.target(value, kind, &groups)?, Around::Surround),
            "park" => GroupOrder::Around(self.target(value, kind, &groups)?, Around::Park),
            "dock" => {
                let queue = self.direction("queue")?.unwrap_or(Dir8::S.into());
                match self.target(value, kind, &groups)? {
                    OrderTarget::Group(_) => {
                        return Err(reader.wrong(value, "dock", "a cell or the name of a stamp"));
                    }
                    target => GroupOrder::Around(target, Around::Dock { queue }),
                }
            }
            "spread" => {
                let distance = reader.fixed(value, "spread")?;
                if distance < Fixed::ZERO || distance > Fixed::from_cells(MAX_SIGHT) {
                    return Err(reader.wrong(value, "spread", format_args!("0..={MAX_SIGHT}, in cells")));
                }
                GroupOrder::Spread(distance)
            }
            "join" => GroupOrder::Join(group()?),
            "reform" => GroupOrder::Reform(self.formation(value, "reform")?, self.direction("facing")?),
            "engage" if reader.boolean(value, kind)? => GroupOrder::Engage,
            "engage" => GroupOrder::Resume,
            "stop" if reader.boolean(value, kind)? => GroupOrder::Stop,
            "hold" if reader.boolean(value, kind)? => GroupOrder::Hold,
            "kill" if reader.boolean(value, kind)? => GroupOrder::Kill,
            "put" => {
                let velocity = self.fields.get("velocity");
                let velocity = velocity.map(|node| read_point(reader, node, "velocity")).transpose()?;
                GroupOrder::Put {
                    at: read_point(reader, value, "put")?,
                    velocity: velocity.unwrap_or(Vec2::ZERO),
                }
            }
            "capture" => GroupOrder::Capture(PlayerId(reader.whole(value, kind, 0..=255)?)),
            "become" => {
                let types: Vec<&str> = self.scenario.types.iter().map(|kind| kind.name.as_str()).collect();
                GroupOrder::Become(find_name(reader, value, "unit type", &types)?)
            }
            "speed" => GroupOrder::Speed(reader.whole(value, kind, 10..=300)?),
            "hidden" if reader.boolean(value, kind)? => GroupOrder::Conceal(Concealment::Hidden),
            "hidden" => GroupOrder::Conceal(Concealment::Visible),
            "board" => GroupOrder::Board(group()?),
            "unboard" if reader.boolean(value, kind)? => GroupOrder::Unboard,
            _ => return Err(reader.wrong(value, kind, "true")),
        })
    }

    /// Refuses details that do not belong to this kind of order: they would have no effect.
    fn refuse_unused_details(&self, kind: &str) -> FileResult<()> {
        let counts = |key: &str| match key {
            "formation" => kind == "move",
            "facing" => matches!(kind, "move" | "reform"),
            "sight" => kind == "attack",
            "distance" => matches!(kind, "follow" | "follow_group"),
            "leash" => kind == "guard",
            "queue" => kind == "dock",
            "velocity" => kind == "put",
            _ => kind == "range",
        };
        for key in DETAILS {
            if let Some(node) = self.fields.get(key).filter(|_| !counts(key)) {
                return Err(self.reader.error(node, format!("`{key}` has no effect on `{kind}`: remove it")));
            }
        }
        Ok(())
    }

    /// `move`, with or without a formation.
    fn read_move(&self, goal: Goal, value: &Node<'a>) -> FileResult<GroupOrder> {
        let formation =
            self.fields.get("formation").map(|node| self.formation(node, "formation")).transpose()?;
        let facing = self.direction("facing")?;
        match (formation, facing, &goal) {
            (None, None, _) => Ok(GroupOrder::Move(goal)),
            (formation, facing, Goal::In(Shape::Point(at))) => {
                Ok(GroupOrder::Form { at: *at, formation: formation.unwrap_or_default(), facing })
            }
            _ => Err(self.reader.error(value, "a formation needs a single cell as its goal: `move: [x, y]`")),
        }
    }

    /// The name of a formation, or the offset of each slot from the centre: `[[0, 0], [1.5, 0]]`.
    fn formation(&self, node: &Node<'a>, key: &str) -> FileResult<Formation> {
        if let Value::List(offsets) = &node.value {
            if offsets.len() > MAX_MEMBERS {
                let expected = format_args!("a list of at most {MAX_MEMBERS} offsets");
                return Err(self.reader.wrong(node, key, expected));
            }
            let offsets = offsets.iter().map(|item| read_point(self.reader, item, key).map(Fine::from));
            return offsets.collect::<FileResult<_>>().map(Formation::Custom);
        }
        let names: Vec<(&str, FormationType)> =
            FormationType::ALL.iter().map(|&kind| (kind.name(), kind)).collect();
        self.reader.choice(node, key, &names).map(Formation::from)
    }

    fn direction(&self, key: &str) -> FileResult<Option<Angle>> {
        let node = self.fields.get(key);
        node.map(|node| self.reader.choice(node, key, &DIRECTIONS).map(Angle::from)).transpose()
    }

    /// A length in cells, `usual` if the key is missing.
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

    /// `[x, y]`, the name of a group (its first unit that still exists), or the name of a stamp.
    fn target(&self, node: &Node<'a>, key: &str, groups: &[&str]) -> FileResult<OrderTarget> {
        if let Value::List(_) = node.value {
            return on_map(self.reader, node, key, self.size).map(OrderTarget::Cell);
        }
        let word = self.reader.text(node, key)?;
        if let Some(group) = groups.iter().position(|name| *name == word) {
            return Ok(OrderTarget::Group(group));
        }
        let names: Vec<&str> = self.scenario.names.iter().map(String::as_str).collect();
        find_name(self.reader, node, "group or stamp", &names).map(OrderTarget::Stamp)
    }
}
