//! Queries as bytes: requests that wait in a queue are part of a snapshot.

use alloc::vec::Vec;

use super::ask::{BlockedBy, Company, Detail, PathAsk, Priority};
use super::goal::Goal;
use super::goal_error::MAX_SHAPES;
use super::limits::{Outcome, WhenUnreachable};
use super::shape::Shape;
use super::{Controller, Cost, PathQuery, Threat};
use crate::base::{
    Agent, Asker, ByteReader, ByteWriter, CellPos, CellRect, Fixed, LoadError, Persist, RoutePoint,
    persist_choices, persist_fields,
};

persist_choices! {
    Controller { Player, Ai }
    BlockedBy { None, Immovable, Stationary, All }
    Detail { Full, Simplified, Direct }
    Priority { Low, Normal, High }
    WhenUnreachable { Fail, Nearest }
    Company { Flow, Alone }
    Outcome { Reached, Nearest, Partial }
}

persist_fields! {
    PathQuery { from: CellPos, to: CellPos, agent: Agent, threat: Threat, asker: Asker = since 11 or Asker::NOBODY }
}

impl Persist for PathAsk {
    fn save(&self, writer: &mut ByteWriter) {
        let Self { from, goal, agent, threat, blocked_by, .. } = self;
        let Self { detail, priority, when_unreachable, company, avoid, .. } = self;
        RoutePoint(*from).save(writer);
        goal.save(writer);
        agent.save(writer);
        threat.save(writer);
        blocked_by.save(writer);
        detail.save(writer);
        priority.save(writer);
        when_unreachable.save(writer);
        company.save(writer);
        avoid.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            from: RoutePoint::load(reader)?.0,
            goal: Goal::load(reader)?,
            agent: Agent::load(reader)?,
            threat: Threat::load(reader)?,
            blocked_by: BlockedBy::load(reader)?,
            detail: Detail::load(reader)?,
            priority: Priority::load(reader)?,
            when_unreachable: WhenUnreachable::load(reader)?,
            company: Company::load(reader)?,
            avoid: CellRect::load(reader)?,
            // A request saves it beside its other options: most have none.
            asker: Asker::NOBODY,
        })
    }
}

impl Persist for Cost {
    fn save(&self, writer: &mut ByteWriter) {
        self.0.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        u64::load(reader).map(Self)
    }
}

impl Persist for Shape {
    fn save(&self, writer: &mut ByteWriter) {
        match *self {
            Self::Point(at) => {
                0_u8.save(writer);
                at.save(writer);
            }
            Self::Circle { centre, radius } => {
                1_u8.save(writer);
                centre.save(writer);
                radius.save(writer);
            }
            Self::Ring { centre, inner, outer } => {
                2_u8.save(writer);
                centre.save(writer);
                inner.save(writer);
                outer.save(writer);
            }
            Self::Rect(rect) => {
                3_u8.save(writer);
                rect.save(writer);
            }
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(match u8::load(reader)? {
            0 => Self::Point(CellPos::load(reader)?),
            1 => Self::Circle { centre: CellPos::load(reader)?, radius: Fixed::load(reader)? },
            2 => Self::Ring {
                centre: CellPos::load(reader)?,
                inner: Fixed::load(reader)?,
                outer: Fixed::load(reader)?,
            },
            3 => Self::Rect(CellRect::load(reader)?),
            _ => return Err(reader.error("an unknown shape")),
        })
    }
}

/// Refuses lists longer than [`MAX_SHAPES`]. Everything else is checked by [`Goal::validate`] when the goal is used.
impl Persist for Goal {
    fn save(&self, writer: &mut ByteWriter) {
        let kind: u8 = match self {
            Self::In(_) => 0,
            Self::AnyOf(_) => 1,
            Self::OutOf(_) => 2,
            Self::OutOfAll(_) => 3,
        };
        kind.save(writer);
        match self {
            Self::In(shape) | Self::OutOf(shape) => shape.save(writer),
            Self::AnyOf(shapes) | Self::OutOfAll(shapes) => shapes.save(writer),
        }
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let shapes = |reader: &mut ByteReader<'_>| {
            let shapes = Vec::<Shape>::load(reader)?;
            if shapes.len() > MAX_SHAPES {
                Err(reader.error("a goal of too many shapes"))
            } else {
                Ok(shapes)
            }
        };
        Ok(match u8::load(reader)? {
            0 => Self::In(Shape::load(reader)?),
            1 => Self::AnyOf(shapes(reader)?),
            2 => Self::OutOf(Shape::load(reader)?),
            3 => Self::OutOfAll(shapes(reader)?),
            _ => return Err(reader.error("an unknown kind of goal")),
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::base::{LocomotorId, cell};

    fn asks() -> Vec<PathAsk> {
        let shapes = [
            Shape::Point(cell(-3, 4)),
            Shape::Circle { centre: cell(9, 9), radius: Fixed::from_raw(1536) },
            Shape::Ring { centre: cell(1, 2), inner: Fixed::ONE, outer: Fixed::from_cells(3) },
            Shape::Rect(CellRect::at(cell(5, 6), 7, 8)),
        ];
        let ask = |goal| PathAsk::to_goal(cell(2, 2).centre(), goal, LocomotorId(3));
        let mut asks: Vec<PathAsk> = shapes.iter().map(|&shape| ask(Goal::In(shape))).collect();
        asks.push(ask(Goal::OutOf(shapes[1])).with_priority(Priority::High).or_nearest());
        asks.push(ask(Goal::AnyOf(shapes.to_vec())).with_threat(Threat::Heed).with_detail(Detail::Direct));
        asks.push(ask(Goal::OutOfAll(vec![])).with_blocked_by(BlockedBy::Stationary).alone());
        asks
    }

    #[test]
    fn requests_come_back_as_they_were_and_no_shorter_piece_does() {
        for ask in asks() {
            let mut writer = ByteWriter::new();
            ask.save(&mut writer);
            let mut reader = ByteReader::new(writer.bytes());
            assert_eq!(PathAsk::load(&mut reader), Ok(ask));
            assert_eq!(reader.left(), 0);
            for len in 0..writer.bytes().len() {
                assert!(PathAsk::load(&mut ByteReader::new(&writer.bytes()[..len])).is_err(), "{len}");
            }
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(BlockedBy::load(&mut ByteReader::new(&[4])).is_err());
        assert!(Goal::load(&mut ByteReader::new(&[9, 0, 0, 0, 0, 0, 0, 0, 0, 0])).is_err());
        assert_eq!(Priority::load(&mut ByteReader::new(&[2])), Ok(Priority::High));
    }
}
