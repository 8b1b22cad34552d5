//! Pictures: a map drawn as text in a test, and a route drawn in its failure message.
//!
//! | drawn | means |
//! |---|---|
//! | `.` | open ground |
//! | `#` | blocked for every locomotor |
//! | `1`..`9` | ground of that cost |
//! | `A`, `B` | open ground: the start, the goal |
//! | others | as in the [`Legend`] |

use waymarch::base::{CellPos, GridSize, LocomotorId};
use waymarch::cost::{LocomotorDef, Map, Rules, Surface, SurfaceMask, TerrainDef, TerrainId};

use crate::rule::{BLOCKED, Spot};

/// The meaning of the characters of a picture, and the locomotors of its map.
#[derive(Clone, Debug)]
pub struct Legend {
    locomotors: Vec<String>,
    normal: u8,
    tiles: Vec<(char, String, Vec<u8>)>,
    marks: Vec<char>,
}

impl Default for Legend {
    /// One locomotor, `foot`; open ground costs 1.
    fn default() -> Self {
        Self::new(&["foot"])
    }
}

impl Legend {
    /// A map for these locomotors; open ground has cost 1 for each.
    #[must_use]
    pub fn new(locomotors: &[&str]) -> Self {
        let mut legend = Self {
            locomotors: locomotors.iter().map(ToString::to_string).collect(),
            normal: 1,
            tiles: Vec::new(),
            marks: vec!['A', 'B'],
        };
        legend.put('.', "open", vec![1; locomotors.len()]);
        legend.put('#', "blocked", vec![BLOCKED; locomotors.len()]);
        for digit in 1..=9_u8 {
            let cost = vec![digit; locomotors.len()];
            legend.put(char::from(b'0' + digit), &format!("cost {digit}"), cost);
        }
        legend
    }

    /// Sets the cost of open ground, which is also the normal cost.
    #[must_use]
    pub fn normal(mut self, cost: u8) -> Self {
        self.normal = cost;
        self.put('.', "open", vec![cost; self.locomotors.len()]);
        self
    }

    /// `tile` is ground called `name` with one cost for each locomotor (255: blocked).
    ///
    /// # Panics
    /// If the number of costs differs from the number of locomotors.
    #[must_use]
    pub fn tile(mut self, tile: char, name: &str, costs: &[u8]) -> Self {
        assert_eq!(costs.len(), self.locomotors.len(), "tile '{tile}' needs a cost for each locomotor");
        self.put(tile, name, costs.to_vec());
        self
    }

    /// `mark` is open ground whose cells [`Picture::marked`] returns.
    #[must_use]
    pub fn mark(mut self, mark: char) -> Self {
        self.marks.push(mark);
        self
    }

    fn put(&mut self, tile: char, name: &str, costs: Vec<u8>) {
        self.tiles.retain(|(other, ..)| *other != tile);
        self.tiles.push((tile, name.to_string(), costs));
    }

    fn terrain(&self, drawn: char) -> Option<TerrainId> {
        let tile = if self.marks.contains(&drawn) { '.' } else { drawn };
        let at = self.tiles.iter().position(|(other, ..)| *other == tile)?;
        Some(TerrainId(at as u8))
    }

    fn rules(&self) -> Rules {
        let locomotor = |name: &String| LocomotorDef::new(name.clone(), SurfaceMask::GROUND);
        Rules {
            normal: self.normal,
            terrains: self
                .tiles
                .iter()
                .map(|(_, name, _)| TerrainDef::new(name.clone(), Surface::Ground))
                .collect(),
            locomotors: self.locomotors.iter().map(locomotor).collect(),
            costs: self
                .tiles
                .iter()
                .map(|(.., costs)| costs.iter().map(|&cost| Some(cost)).collect())
                .collect(),
            speeds: Vec::new(),
        }
    }

    /// Reads a picture. Lines are trimmed and empty lines at both ends ignored, so that pictures may be indented.
    ///
    /// # Errors
    /// A sentence with the line or character that is wrong.
    pub fn parse(&self, text: &str) -> Result<Picture, String> {
        let rows: Vec<Vec<char>> = text.trim().lines().map(|line| line.trim().chars().collect()).collect();
        let width = rows.first().map_or(0, Vec::len);
        if let Some(at) = rows.iter().position(|row| row.len() != width) {
            return Err(format!("row {at} has {} cells, the first has {width}", rows[at].len()));
        }
        let size = GridSize::new(width as u32, rows.len() as u32).map_err(|error| error.to_string())?;
        let mut map = Map::flat("picture", size, self.rules());
        let mut marked = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, &drawn) in row.iter().enumerate() {
                let at = CellPos::new(x as i32, y as i32);
                let terrain =
                    self.terrain(drawn).ok_or_else(|| format!("'{drawn}' at {at} is not in the legend"))?;
                map.set_terrain(at, terrain);
                if self.marks.contains(&drawn) {
                    marked.push((drawn, at));
                }
            }
        }
        Ok(Picture { map, rows, marked })
    }
}

/// A drawn map.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The map.
    pub map: Map,
    rows: Vec<Vec<char>>,
    marked: Vec<(char, CellPos)>,
}

impl Picture {
    /// A picture with the default legend.
    ///
    /// # Panics
    /// If the picture is not valid.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match Legend::default().parse(text) {
            Ok(picture) => picture,
            Err(error) => panic!("{error}, in\n{text}"),
        }
    }

    /// The cells marked `mark`, row by row.
    #[must_use]
    pub fn marked(&self, mark: char) -> Vec<CellPos> {
        self.marked.iter().filter(|(drawn, _)| *drawn == mark).map(|&(_, at)| at).collect()
    }

    /// The one cell marked `mark`.
    ///
    /// # Panics
    /// If there is not exactly one.
    #[must_use]
    pub fn only(&self, mark: char) -> CellPos {
        match self.marked(mark)[..] {
            [at] => at,
            ref cells => panic!("'{mark}' is drawn {} times, in\n{}", cells.len(), self.draw::<CellPos>(&[])),
        }
    }

    /// The start, `A`.
    ///
    /// # Panics
    /// If there is not exactly one.
    #[must_use]
    pub fn start(&self) -> CellPos {
        self.only('A')
    }

    /// The goal, `B`.
    ///
    /// # Panics
    /// If there is not exactly one.
    #[must_use]
    pub fn goal(&self) -> CellPos {
        self.only('B')
    }

    /// The cost of each cell for the locomotor with that number, row by row: the input of the twins.
    ///
    /// # Panics
    /// If there is no such locomotor or the rules are not valid.
    #[must_use]
    pub fn costs(&self, locomotor: u8) -> Vec<u8> {
        let rules = self.map.rules.validate().expect("valid rules");
        assert!((locomotor as usize) < self.map.rules.locomotors.len(), "there is no locomotor {locomotor}");
        self.map.terrain.iter().map(|&terrain| rules.cost(terrain, LocomotorId(locomotor))).collect()
    }

    /// The picture with `*` on the route; marks stay, and cells off the map are ignored.
    #[must_use]
    pub fn draw<S: Spot>(&self, route: &[S]) -> String {
        let mut rows = self.rows.clone();
        for (x, y) in route.iter().map(|at| at.xy()) {
            let cell =
                usize::try_from(y).ok().and_then(|y| rows.get_mut(y)?.get_mut(usize::try_from(x).ok()?));
            let is_marked = self.marked.iter().any(|(_, at)| at.xy() == (x, y));
            if let Some(cell) = cell.filter(|_| !is_marked) {
                *cell = '*';
            }
        }
        rows.into_iter().map(|row| row.into_iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// A grid of costs as a picture: `#` blocked, `.` the cheapest ground, `+` more expensive ground, `*` the route.
///
/// # Panics
/// If `width` is 0.
#[must_use]
pub fn draw_costs<S: Spot>(cost: &[u8], width: u32, route: &[S]) -> String {
    let cheapest = cost.iter().min().copied().unwrap_or(BLOCKED);
    let mut rows = Vec::new();
    for (y, row) in cost.chunks(width as usize).enumerate() {
        let drawn = row.iter().enumerate().map(|(x, &cost)| match cost {
            _ if route.iter().any(|at| at.xy() == (x as i32, y as i32)) => '*',
            BLOCKED => '#',
            _ if cost == cheapest => '.',
            _ => '+',
        });
        rows.push(drawn.collect::<String>());
    }
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dijkstra::shortest;
    use crate::rule::{CostGrid, Rule};

    #[test]
    fn a_picture_is_a_map() {
        let picture = Picture::new(
            "A.#
             .2#
             ..B",
        );
        assert_eq!(picture.costs(0), [1, 1, 255, 1, 2, 255, 1, 1, 1]);
        assert_eq!((picture.start(), picture.goal()), (CellPos::new(0, 0), CellPos::new(2, 2)));
        assert!(picture.map.validate().is_ok());
    }

    #[test]
    fn a_route_is_drawn_over_it() {
        let picture = Picture::new("A.#\n.9.\n..B");
        let found = shortest(
            CostGrid { cost: &picture.costs(0), width: 3, height: 3 },
            Rule::Forbid,
            picture.start(),
            picture.goal(),
        );
        let (_, route) = found.expect("a route");
        assert_eq!(picture.draw(&route), "A.#\n*9.\n.*B");
        assert_eq!(picture.draw(&[(9, 9), (-1, 0)]), "A.#\n.9.\n..B");
    }

    #[test]
    fn a_legend_adds_locomotors_tiles_and_marks() {
        let legend = Legend::new(&["foot", "float"]).normal(100).tile('~', "water", &[255, 80]).mark('x');
        let picture = legend.parse("~.x\n~#x").unwrap();
        assert_eq!(picture.costs(0), [255, 100, 100, 255, 255, 100]);
        assert_eq!(picture.costs(1), [80, 100, 100, 80, 255, 100]);
        assert_eq!(picture.marked('x'), [CellPos::new(2, 0), CellPos::new(2, 1)]);
        assert_eq!(picture.map.rules.normal, 100);
    }

    #[test]
    fn errors_in_a_picture_name_the_cause() {
        let error = |text: &str| Legend::default().parse(text).unwrap_err();
        assert_eq!(error("..\n."), "row 1 has 1 cells, the first has 2");
        assert_eq!(error(".?"), "'?' at (1, 0) is not in the legend");
        assert!(error("0").contains("'0'"));
        assert!(!error("").is_empty());
    }

    #[test]
    #[should_panic(expected = "'A' is drawn 2 times")]
    fn a_start_drawn_twice_is_an_error() {
        let _ = Picture::new("AA").start();
    }

    #[test]
    fn costs_are_drawn_without_a_legend() {
        assert_eq!(draw_costs(&[80, 255, 113, 80], 2, &[(1, 1)]), ".#\n+*");
    }
}
