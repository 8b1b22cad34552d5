//! The maps in the program, by name.

use waymarch::base::GridSize;
use waymarch::cost::Map;

use super::maze_and_rooms::{maze, rooms};
use super::options::{GenerateOptions, Landform};

/// Names and descriptions of the built-in maps. The first is the default.
pub const BUILTIN: &[(&str, &str)] = &[
    ("valley", "128×128: coast, river valley with bridges, plateaus, forests, roads and villages; 4 starts"),
    ("islands", "160×160: islands joined by long bridges; 4 starts"),
    ("pass", "128×128: a mountain ridge with a few passes; 4 starts"),
    ("maze", "65×65: a perfect maze of corridors three cells wide; 2 starts"),
    ("rooms", "97×97: rooms and doors; 4 starts"),
    ("open", "96×96: open ground with scattered trees and rocks; 3 starts"),
    ("big", "512×512: coast, rivers, plateaus, forests, roads and villages; 6 starts"),
];

/// The built-in map called `name`, or `None`. It has the same bits on every machine.
///
/// ```
/// let map = waymarch_maps::generate::builtin("valley").unwrap().validate().unwrap();
/// assert_eq!(map.map().size.width(), 128);
/// ```
#[must_use]
pub fn builtin(name: &str) -> Option<Map> {
    let made = |seed, side, options: GenerateOptions| {
        let mut map = super::generate(seed, GridSize::new(side, side).ok()?, &options);
        map.name = name.to_owned();
        Some(map)
    };
    let usual = GenerateOptions::for_landform;
    match name {
        "valley" => made(17, 128, usual(Landform::Coast)),
        "islands" => made(9, 160, usual(Landform::Islands)),
        "pass" => made(8, 128, usual(Landform::Pass)),
        "maze" => Some(maze(1, GridSize::new(65, 65).ok()?)),
        "rooms" => Some(rooms(1, GridSize::new(97, 97).ok()?)),
        "open" => {
            let sparse = GenerateOptions { sea: 0, hills: 0, forest: 10, ..usual(Landform::Inland) };
            made(2, 96, GenerateOptions { rivers: Some(0), villages: Some(1), ..sparse })
        }
        "big" => made(11, 512, usual(Landform::Coast)),
        _ => None,
    }
}
