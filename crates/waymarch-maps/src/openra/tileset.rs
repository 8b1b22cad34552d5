//! Reads tilesets: the terrain of each tile of each template.

use std::collections::BTreeMap;

use waymarch::cost::{Surface, TerrainDef};

use super::assemble::OUTSIDE;
use super::map_bin::Tile;
use super::miniyaml::{self, Node};
use crate::error::{FileError, FileResult, Place};

/// A tileset from its YAML file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tileset {
    /// Its id (`SNOW`), which maps refer to.
    pub id: String,
    /// Its terrain types in the order of the file, at most 255.
    pub terrains: Vec<TerrainDef>,
    /// Index into `terrains` by template id and tile index.
    tiles: BTreeMap<(u16, u8), u8>,
}

impl Tileset {
    /// Reads a tileset file.
    ///
    /// # Errors
    /// [`FileError`] with the line of a missing or malformed entry, or of a tile whose terrain the file does not list.
    pub fn parse(name: &str, text: &str) -> FileResult<Self> {
        let nodes = miniyaml::parse(name, text)?;
        let top = |key: &str| {
            nodes.iter().find(|node| node.key == key).ok_or_else(|| {
                FileError::new(name, format!("the tileset has no `{key}`")).at(Place::Key(key.to_owned()))
            })
        };
        let general = top("General")?;
        let id = general.child_value("Id").ok_or_else(|| wrong(name, general, "`General` has no `Id`"))?;
        let mut terrains = Vec::new();
        for node in &top("Terrain")?.children {
            let def = terrain_of(name, node)?;
            if def.name == OUTSIDE || terrains.iter().any(|known: &TerrainDef| known.name == def.name) {
                let problem =
                    format!("the terrain type '{}' is listed twice or is a reserved name", def.name);
                return Err(wrong(name, node, problem));
            }
            terrains.push(def);
        }
        // One number is reserved for the ground outside the map's bounds.
        if terrains.is_empty() || terrains.len() > 255 {
            let problem = format!("the tileset has {} terrain types: it must have 1..=255", terrains.len());
            return Err(wrong(name, top("Terrain")?, problem));
        }
        let by_name: BTreeMap<&str, u8> =
            terrains.iter().enumerate().map(|(at, def)| (def.name.as_str(), at as u8)).collect();
        let mut tiles = BTreeMap::new();
        for template in &top("Templates")?.children {
            let number = template.child_value("Id").or_else(|| template.key.split('@').nth(1)).unwrap_or("");
            let number: u16 = number.parse().map_err(|_| {
                wrong(name, template, format!("'{number}' is not a template id, a number up to 65535"))
            })?;
            for tile in template.child("Tiles").map_or(&[][..], |tiles| &tiles.children) {
                let index: u8 = tile.key.parse().map_err(|_| {
                    wrong(name, tile, format!("'{}' is not a tile index, a number up to 255", tile.key))
                })?;
                let terrain = *by_name.get(tile.value.as_str()).ok_or_else(|| {
                    wrong(name, tile, format!("terrain type '{}' is not in the tileset", tile.value))
                })?;
                tiles.insert((number, index), terrain);
            }
        }
        Ok(Self { id: id.to_owned(), terrains, tiles })
    }

    /// The index in [`Tileset::terrains`] of a tile's terrain.
    #[must_use]
    pub fn terrain_of(&self, tile: Tile) -> Option<u8> {
        self.tiles.get(&(tile.template, tile.index)).copied()
    }
}

fn terrain_of(name: &str, node: &Node) -> FileResult<TerrainDef> {
    let kind = node.child_value("Type").or_else(|| node.key.split('@').nth(1));
    let kind = kind.ok_or_else(|| wrong(name, node, "the terrain type has no `Type`"))?;
    let water = list(node.child_value("TargetTypes").unwrap_or("")).any(|target| target == "Water");
    let surface = if water || kind == "River" { Surface::Water } else { Surface::Ground };
    let mut def = TerrainDef::new(kind, surface);
    def.colour = node.child_value("Color").and_then(|hex| {
        let bytes = u32::from_str_radix(hex.get(..6)?, 16).ok()?.to_be_bytes();
        Some([bytes[1], bytes[2], bytes[3]])
    });
    Ok(def)
}

/// The entries of a comma-separated value.
pub(super) fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

/// An error about one line of a MiniYaml file.
pub(super) fn wrong(file: &str, node: &Node, problem: impl Into<String>) -> FileError {
    FileError::new(file, problem).at(Place::Text { line: node.line, column: 1, span: None })
}
