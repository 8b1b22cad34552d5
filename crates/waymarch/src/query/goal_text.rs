//! Goals as text: `circle:12,30,5.5`, `any:3,4;50,4`, `out-of:rect:10,10,8,8`.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::goal::Goal;
use super::goal_error::MAX_SHAPES;
use super::shape::Shape;
use crate::base::{CellPos, CellRect, Fixed};

/// Why a text is not a goal. `at` is the byte offset of the mistake, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseGoalError {
    /// A word before a colon that is not a shape.
    #[error("at {at}: not a shape; there are X,Y, point:, circle:, ring:, rect:, any: and out-of:")]
    UnknownShape {
        /// The byte offset.
        at: usize,
    },
    /// A shape with too few or too many numbers.
    #[error("at {at}: {found} numbers, where {form} needs {needed}")]
    Count {
        /// The byte offset of the shape.
        at: usize,
        /// How many numbers it has.
        found: usize,
        /// How many it needs.
        needed: usize,
        /// How it is written.
        form: &'static str,
    },
    /// A column, row, width or height that is not a whole number in range.
    #[error("at {at}: not a whole number, or out of range")]
    NotWhole {
        /// The byte offset.
        at: usize,
    },
    /// A radius that is not a decimal number in range.
    #[error("at {at}: not a decimal number, or out of range")]
    NotDecimal {
        /// The byte offset.
        at: usize,
    },
    /// More shapes than a goal may have.
    #[error("at {at}: more than {MAX_SHAPES} shapes")]
    TooMany {
        /// The byte offset of the first shape that is too many.
        at: usize,
    },
}

impl ParseGoalError {
    /// The byte offset of the mistake, from 0.
    #[must_use]
    pub const fn at(self) -> usize {
        match self {
            Self::UnknownShape { at }
            | Self::Count { at, .. }
            | Self::NotWhole { at }
            | Self::NotDecimal { at }
            | Self::TooMany { at } => at,
        }
    }
}

/// A part of a text with its byte offset.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Part<'a> {
    fn trimmed(self) -> Self {
        let inner = self.text.trim_start();
        Self { text: inner.trim_end(), at: self.at + self.text.len() - inner.len() }
    }

    /// The rest of the part after `word`, if the part begins with it.
    fn after(self, word: &str) -> Option<Self> {
        let text = self.text.strip_prefix(word)?;
        Some(Self { text, at: self.at + word.len() })
    }

    /// The parts between the `mark`s.
    fn split(self, mark: char) -> impl Iterator<Item = Part<'a>> {
        let mut at = self.at;
        self.text.split(mark).map(move |text| {
            let part = Part { text, at };
            at += text.len() + mark.len_utf8();
            part.trimmed()
        })
    }

    /// Exactly `N` parts between commas.
    fn numbers<const N: usize>(self, form: &'static str) -> Result<[Part<'a>; N], ParseGoalError> {
        let mut parts = [self; N];
        let mut found = 0;
        for part in self.split(',') {
            if let Some(slot) = parts.get_mut(found) {
                *slot = part;
            }
            found += 1;
        }
        if found == N {
            Ok(parts)
        } else {
            Err(ParseGoalError::Count { at: self.at, found, needed: N, form })
        }
    }

    fn whole<T: FromStr>(self) -> Result<T, ParseGoalError> {
        self.text.parse().map_err(|_| ParseGoalError::NotWhole { at: self.at })
    }

    fn decimal(self) -> Result<Fixed, ParseGoalError> {
        self.text.parse().map_err(|_| ParseGoalError::NotDecimal { at: self.at })
    }

    fn shape(self) -> Result<Shape, ParseGoalError> {
        let cell = |x: Part<'_>, y: Part<'_>| Ok(CellPos::new(x.whole()?, y.whole()?));
        if let Some(rest) = self.after("circle:") {
            let [x, y, radius] = rest.numbers("circle:X,Y,RADIUS")?;
            return Ok(Shape::Circle { centre: cell(x, y)?, radius: radius.decimal()? });
        }
        if let Some(rest) = self.after("ring:") {
            let [x, y, inner, outer] = rest.numbers("ring:X,Y,INNER,OUTER")?;
            return Ok(Shape::Ring { centre: cell(x, y)?, inner: inner.decimal()?, outer: outer.decimal()? });
        }
        if let Some(rest) = self.after("rect:") {
            let [x, y, width, height] = rest.numbers("rect:X,Y,WIDTH,HEIGHT")?;
            return Ok(Shape::Rect(CellRect::at(cell(x, y)?, width.whole()?, height.whole()?)));
        }
        if self.text.contains(':') && !self.text.starts_with("point:") {
            return Err(ParseGoalError::UnknownShape { at: self.at });
        }
        let [x, y] = self.after("point:").unwrap_or(self).numbers("X,Y")?;
        Ok(Shape::Point(cell(x, y)?))
    }

    fn shapes(self) -> Result<Vec<Shape>, ParseGoalError> {
        let mut shapes = Vec::new();
        for part in self.split(';') {
            if shapes.len() == MAX_SHAPES {
                return Err(ParseGoalError::TooMany { at: part.at });
            }
            shapes.push(part.shape()?);
        }
        Ok(shapes)
    }
}

impl FromStr for Goal {
    type Err = ParseGoalError;

    /// Reads `X,Y`, `circle:X,Y,RADIUS`, `ring:X,Y,INNER,OUTER` and `rect:X,Y,WIDTH,HEIGHT`. `any:` takes several of these with `;` between
    /// them. `out-of:` before the whole text inverts the goal. Radii are decimal numbers of cells.
    ///
    /// ```
    /// use waymarch::base::{cell, Fixed};
    /// use waymarch::query::Goal;
    ///
    /// assert_eq!("circle:12,30,5.5".parse(), Ok(Goal::circle(cell(12, 30), Fixed::from_raw(5632))));
    /// assert_eq!("any:3,4; rect:8,8,2,2".parse::<Goal>().unwrap().shapes().len(), 2);
    /// assert_eq!("circle:12,30".parse::<Goal>().unwrap_err().to_string(), "at 7: 2 numbers, where circle:X,Y,RADIUS needs 3");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseGoalError> {
        let whole = Part { text, at: 0 }.trimmed();
        let inverse = whole.after("out-of:").map(Part::trimmed);
        let goal = inverse.unwrap_or(whole);
        let goal = match goal.after("any:") {
            Some(list) => Self::AnyOf(list.shapes()?),
            None => Self::In(goal.shape()?),
        };
        Ok(if inverse.is_some() { goal.inverse() } else { goal })
    }
}

impl fmt::Display for Goal {
    /// Writes the form that `from_str` reads. It reads back as the same goal, except for lists without shapes and
    /// rectangles without cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::In(_) => "",
            Self::AnyOf(_) => "any:",
            Self::OutOf(_) => "out-of:",
            Self::OutOfAll(_) => "out-of:any:",
        })?;
        for (number, shape) in self.shapes().iter().enumerate() {
            if number > 0 {
                f.write_str(";")?;
            }
            shape.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(at) => write!(f, "{},{}", at.x, at.y),
            Self::Circle { centre, radius } => write!(f, "circle:{},{},{radius}", centre.x, centre.y),
            Self::Ring { centre, inner, outer } => {
                write!(f, "ring:{},{},{inner},{outer}", centre.x, centre.y)
            }
            Self::Rect(CellRect { x0, y0, x1, y1 }) => {
                let side = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0);
                write!(f, "rect:{x0},{y0},{},{}", side(*x0, *x1), side(*y0, *y1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn goals_read_back_as_they_are_displayed() {
        for text in [
            "3,4",
            "-1,99999",
            "circle:12,30,5.5",
            "ring:1,2,0,2097151.9990234375",
            "rect:10,-10,8,1",
            "any:3,4;50,4",
            "any:circle:1,1,1;ring:2,2,3,4;rect:0,0,1,1;5,5",
            "out-of:circle:5,5,3",
            "out-of:any:3,4;50,4",
        ] {
            assert_eq!(text.parse::<Goal>().map(|goal| goal.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(" out-of: point: 3 , 4".parse(), Ok(Goal::OutOf(Shape::Point(CellPos::new(3, 4)))));
    }

    #[test]
    fn errors_say_where() {
        let refused = |text: &str| text.parse::<Goal>().unwrap_err();
        assert_eq!(refused("square:1,2,3"), ParseGoalError::UnknownShape { at: 0 });
        assert_eq!(refused("any:1,2;out-of:3,4"), ParseGoalError::UnknownShape { at: 8 });
        assert_eq!(refused("out-of:1,2x"), ParseGoalError::NotWhole { at: 9 });
        assert_eq!(refused("rect:1,2,3,-4"), ParseGoalError::NotWhole { at: 11 });
        assert_eq!(refused("circle:1,2, x"), ParseGoalError::NotDecimal { at: 12 });
        assert_eq!(refused("any:1,2;"), ParseGoalError::Count { at: 8, found: 1, needed: 2, form: "X,Y" });
        assert_eq!(refused("3,4000000000"), ParseGoalError::NotWhole { at: 2 });
        let long = "any:".to_string() + &["1,2"; MAX_SHAPES + 1].join(";");
        assert_eq!(refused(&long), ParseGoalError::TooMany { at: 4 + 4 * MAX_SHAPES });
    }
}
