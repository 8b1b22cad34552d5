//! Reads one order to a group.

use waymarch::base::{Angle, Dir8, Fixed, GridSize, LocomotorId, Vec2};
use waymarch::cost::Rules;
use waymarch::groups::{Formation, FormationLayout};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Around, Concealment, Fire, MAX_SIGHT, MAX_STOPS, Order, PlayerId};

use super::formations::{LAYOUT, read_formation, read_layout};
use super::values::{DIRECTIONS, find_name, on_map, read_goal, read_point, read_rect};
use crate::FileResult;
use crate::scenario::{GroupOrder, OrderTarget, Scenario};
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::{Node, Value};

/// The keys that say what a group does. An order has exactly one of them.
pub(super) const ORDERS: [&str; 27] = [
    "move",
    "line",
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
pub(super) const DETAILS: [&str; 14] = [
    "formation",
    LAYOUT[0],
    LAYOUT[1],
    LAYOUT[2],
    LAYOUT[3],
    "facing",
    "sight",
    "distance",
    "leash",
    "least",
    "most",
    "shots",
    "queue",
    "velocity",
];

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
            "line" => self.read_line(value)?,
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
            "reform" => {
                let (formation, _) = self.formation(value, "reform")?;
                GroupOrder::Reform(formation, self.direction("facing")?)
            }
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
            "formation" | "width" | "angle" | "radius" => kind == "move",
            "spacing" => matches!(kind, "move" | "line"),
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
        let profile =
            self.fields.get("formation").map(|node| self.formation(node, "formation")).transpose()?;
        let facing = self.direction("facing")?;
        let has_layout = LAYOUT.iter().any(|key| self.fields.get(key).is_some());
        match &goal {
            _ if profile.is_none() && facing.is_none() && !has_layout => Ok(GroupOrder::Move(goal)),
            Goal::In(Shape::Point(at)) => {
                let (formation, layout) = profile.unwrap_or_default();
                let layout = read_layout(self.reader, value, self.fields, (&formation, layout))?;
                Ok(GroupOrder::Form { at: *at, formation, facing, layout })
            }
            _ => Err(self.reader.error(value, "a formation needs a single cell as its goal: `move: [x, y]`")),
        }
    }

    /// `line: [[x, y], [x, y]]`: stand along a line from its left end to its right end.
    fn read_line(&self, value: &Node<'a>) -> FileResult<GroupOrder> {
        let reader = self.reader;
        let Ok([left, right]) = reader.list(value, "line") else {
            return Err(reader.wrong(value, "line", "two cells: [[x, y], [x, y]]"));
        };
        let ends = (on_map(reader, left, "line", self.size)?, on_map(reader, right, "line", self.size)?);
        match Order::along_line(ends.0, ends.1) {
            Order::Form { at, formation, facing, layout } => {
                let layout = read_layout(reader, value, self.fields, (&formation, layout))?;
                Ok(GroupOrder::Form { at, formation, facing, layout })
            }
            _ => Err(reader.wrong(value, "line", "two cells: [[x, y], [x, y]]")),
        }
    }

    fn formation(&self, node: &Node<'a>, key: &str) -> FileResult<(Formation, FormationLayout)> {
        read_formation(self.reader, node, key, &self.scenario.formations)
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
