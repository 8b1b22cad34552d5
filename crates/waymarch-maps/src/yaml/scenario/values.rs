//! Values that several parts of a scenario file use: cells, rectangles, goals, names.

use waymarch::base::{CellPos, CellRect, Dir8, GridSize, Vec2, cell};
use waymarch::query::Goal;

use crate::FileResult;
use crate::text_source::quoted;
use crate::yaml::fields::Reader;
use crate::yaml::tree::{Node, Value};

/// The words for directions.
pub(super) const DIRECTIONS: [(&str, Dir8); 8] = [
    ("north", Dir8::N),
    ("north-east", Dir8::NE),
    ("east", Dir8::E),
    ("south-east", Dir8::SE),
    ("south", Dir8::S),
    ("south-west", Dir8::SW),
    ("west", Dir8::W),
    ("north-west", Dir8::NW),
];

/// `[x, y]`, a point or an offset in cells, with fractions.
pub(super) fn read_point<'a>(reader: &Reader<'a>, node: &Node<'a>, what: &str) -> FileResult<Vec2> {
    let Ok([x, y]) = reader.list(node, what) else {
        return Err(reader.wrong(node, what, "a point [x, y], in cells"));
    };
    Ok(Vec2::new(reader.fixed(x, what)?, reader.fixed(y, what)?))
}

/// `[x, y]`, a cell on the map.
pub(super) fn on_map<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    what: &str,
    size: GridSize,
) -> FileResult<CellPos> {
    let at = reader.cell(node, what)?;
    if size.contains(at) {
        Ok(at)
    } else {
        Err(reader.error(node, format!("cell {at} is outside the map (the map is {size})")))
    }
}

/// `[x, y]`, or a goal as text: `circle:40,40,6`.
pub(super) fn read_goal<'a>(reader: &Reader<'a>, node: &Node<'a>, size: GridSize) -> FileResult<Goal> {
    let goal = match &node.value {
        Value::List(_) => Goal::point(on_map(reader, node, "move", size)?),
        _ => {
            let word = reader.text(node, "move")?;
            word.parse()
                .map_err(|error| reader.error(node, format!("`move` is {}: {error}", quoted(word))))?
        }
    };
    goal.validate(size).map_err(|error| reader.error(node, error.to_string()))?;
    Ok(goal)
}

/// `[x, y, width, height]`, all on the map.
pub(super) fn read_rect<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    what: &str,
    size: GridSize,
) -> FileResult<CellRect> {
    let Ok([x, y, width, height]) = reader.list(node, what) else {
        return Err(reader.wrong(node, what, "a rectangle [x, y, width, height]"));
    };
    let at = cell(reader.whole(x, what, 0..=i32::MAX)?, reader.whole(y, what, 0..=i32::MAX)?);
    let rect = CellRect::at(at, reader.whole(width, what, 1..=8192)?, reader.whole(height, what, 1..=8192)?);
    if rect.intersect(size.rect()) != rect {
        return Err(reader.error(node, format!("`{what}` reaches outside the map (the map is {size})")));
    }
    Ok(rect)
}

/// The index of a name in a list of names.
pub(super) fn find_name<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    what: &str,
    names: &[&str],
) -> FileResult<usize> {
    let word = reader.text(node, what)?;
    names.iter().position(|name| *name == word).ok_or_else(|| {
        let error = reader.error(node, format!("there is no {what} called {}", quoted(word)));
        reader.unknown(error, word, names.iter().copied())
    })
}
