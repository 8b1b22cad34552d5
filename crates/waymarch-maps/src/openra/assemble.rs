//! Builds a [`Map`] from the parts of an OpenRA map.

use std::collections::BTreeMap;

use waymarch::base::{CellPos, CellRect};
use waymarch::cost::{Map, Surface, TerrainDef, TerrainId};

use super::footprint::{pair, place, stamp_of};
use super::game_mod::GameMod;
use super::inherit::{Definitions, MergeBudget};
use super::locomotors::rules_from;
use super::map_bin::MapBin;
use super::miniyaml::{self, Node};
use super::package::Package;
use super::tileset::{Tileset, list, wrong};
use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

/// The terrain of cells outside the map's bounds; closed to all locomotors.
pub const OUTSIDE: &str = "Outside";

/// The header of a map, from `map.yaml`.
struct Header<'a> {
    file: &'a str,
    nodes: &'a [Node],
}

impl Header<'_> {
    fn node(&self, key: &str) -> FileResult<&Node> {
        self.nodes.iter().find(|node| node.key == key).ok_or_else(|| {
            FileError::new(self.file, format!("the map has no `{key}`")).at(Place::Key(key.to_owned()))
        })
    }

    /// `Bounds: x,y,w,h` as a rectangle; the whole map if missing.
    fn bounds(&self, map: CellRect) -> FileResult<CellRect> {
        let Ok(node) = self.node("Bounds") else { return Ok(map) };
        let numbers: Vec<i32> = node.value.split(',').map_while(|part| part.trim().parse().ok()).collect();
        match numbers[..] {
            [x, y, width, height] if width > 0 && height > 0 => {
                let rect = CellRect::at(CellPos::new(x, y), width as u32, height as u32);
                if rect.intersect(map) == rect {
                    return Ok(rect);
                }
                Err(wrong(self.file, node, format!("the bounds {} reach outside the map", node.value)))
            }
            _ => Err(wrong(self.file, node, format!("'{}' is not bounds: x,y,width,height", node.value))),
        }
    }
}

/// The parts of a map that need no mod.
pub(super) struct MapParts {
    yaml_file: String,
    nodes: Vec<Node>,
    bin_file: String,
    bin: MapBin,
}

impl MapParts {
    /// Reads `map.yaml` and `map.bin`.
    pub(super) fn read(package: &mut Package<'_>) -> FileResult<Self> {
        let (yaml_file, bin_file) = (package.label("map.yaml"), package.label("map.bin"));
        let yaml = required(package, "map.yaml")?;
        let nodes = miniyaml::parse_bytes(&yaml_file, &yaml)?;
        let bin = MapBin::parse(&bin_file, &required(package, "map.bin")?)?;
        Ok(Self { yaml_file, nodes, bin_file, bin })
    }
}

/// Builds the map from its parts with the rules of `game`. `package` has the map's own rules.
pub(super) fn assemble(package: &mut Package<'_>, parts: &MapParts, game: &GameMod) -> FileResult<Map> {
    let MapParts { yaml_file, nodes, bin_file, bin } = parts;
    let header = Header { file: yaml_file, nodes };
    let size = bin.size;
    let said = header.node("MapSize")?;
    if pair(&said.value) != Some((size.width() as i32, size.height() as i32)) {
        let problem = format!("`MapSize` is {}, but map.bin has {size}", said.value);
        return Err(wrong(yaml_file, said, problem));
    }
    let bounds = header.bounds(size.rect())?;
    let tileset = find_tileset(&header, game)?;

    let definitions = with_local_rules(package, &header, game)?;
    let mut budget = MergeBudget::default();
    let world = definitions.resolve("World", &mut budget)?.ok_or_else(|| {
        FileError::new(&game.place, "the mod's rules have no `World` actor, so there are no locomotors")
            .at(Place::Key("World".into()))
            .help("pass the mod's folder with --mod; it contains rules/ and tilesets/")
    })?;
    let mut terrains = tileset.terrains.clone();
    let outside = TerrainId(terrains.len() as u8);
    terrains.push(TerrainDef::new(OUTSIDE, Surface::Ground));
    let world_file = definitions.file_of("World");
    let resources = resources_of(world_file, &world, &terrains)?;
    let (rules, classes) = rules_from(world_file, &world, terrains)?;

    let title = nodes.iter().find(|node| node.key == "Title").map_or("", |node| node.value.as_str());
    let mut map = Map::flat(title, size, rules);
    for ((cell, at), (tile, resource)) in
        map.terrain.iter_mut().zip(size.rect().cells()).zip(bin.tiles.iter().zip(&bin.resources))
    {
        *cell = if bounds.contains(at) {
            let terrain = tileset.terrain_of(*tile).ok_or_else(|| {
                let problem = format!(
                    "template {} tile {} is not in tileset {}",
                    tile.template, tile.index, tileset.id
                );
                FileError::new(bin_file, problem).at(Place::Cell(at))
            })?;
            let resource = resources.get(resource).filter(|kind| kind.allowed[usize::from(terrain)]);
            resource.map_or(TerrainId(terrain), |kind| kind.terrain)
        } else {
            outside
        };
    }

    let mut actors = Actors { definitions: &definitions, known: BTreeMap::new() };
    for actor in header.node("Actors").map_or(&[][..], |node| &node.children) {
        let kind = actor.value.to_ascii_lowercase();
        let location = actor.child("Location");
        let at = location.and_then(|node| pair(&node.value)).map(|(x, y)| CellPos::new(x, y));
        if kind == "mpspawn" {
            let at = at.filter(|&at| size.contains(at)).ok_or_else(|| {
                let node = location.unwrap_or(actor);
                wrong(yaml_file, node, format!("the start '{}' is not at a cell of the map", actor.key))
            })?;
            map.starts.push(at);
        } else if let Some(stamp) = actors.stamp(&kind, |definitions, name| {
            let Some(resolved) = definitions.resolve(name, &mut budget)? else { return Ok(None) };
            stamp_of(definitions.file_of(name), &resolved, &kind, &classes)
        })? {
            let at = at.ok_or_else(|| {
                wrong(yaml_file, actor, format!("building '{}' has no `Location: x,y`", actor.key))
            })?;
            map.stamps.extend(place(stamp, at, size));
        }
    }
    Ok(map)
}

fn required(package: &mut Package<'_>, member: &str) -> FileResult<Vec<u8>> {
    package.read(member)?.ok_or_else(|| {
        FileError::new(
            package.label(member),
            "an OpenRA map must contain map.yaml and map.bin: this one is missing",
        )
        .at(Place::Key(member.to_owned()))
    })
}

fn find_tileset<'a>(header: &Header<'_>, game: &'a GameMod) -> FileResult<&'a Tileset> {
    let node = header.node("Tileset")?;
    let found = game.tilesets.iter().find(|tileset| tileset.id.eq_ignore_ascii_case(&node.value));
    found.ok_or_else(|| {
        let known: Vec<&str> = game.tilesets.iter().map(|tileset| tileset.id.as_str()).collect();
        wrong(header.file, node, format!("the mod has no tileset '{}'", node.value)).help(format!(
            "{} has: {}",
            game.place,
            known.join(", ")
        ))
    })
}

/// The mod's rules, extended by the map's own: `Rules: a.yaml, b.yaml`, or nodes under `Rules:`.
/// Only files of the map are read here; files of the mod (`mod|file`) are already loaded.
fn with_local_rules(
    package: &mut Package<'_>,
    header: &Header<'_>,
    game: &GameMod,
) -> FileResult<Definitions> {
    let mut definitions = game.definitions.clone();
    let Ok(node) = header.node("Rules") else { return Ok(definitions) };
    for member in list(&node.value) {
        if member.contains(['/', '\\', '|', ':']) || !member.ends_with(".yaml") {
            continue;
        }
        if let Some(bytes) = package.read(member)? {
            let file = package.label(member);
            definitions.add(&file, miniyaml::parse(&file, file_bytes::utf8(&file, &bytes)?)?);
        }
    }
    definitions.add(header.file, node.children.clone());
    Ok(definitions)
}

struct Resource {
    terrain: TerrainId,
    /// By terrain number: whether the resource grows on it.
    allowed: Vec<bool>,
}

/// The world's resource types by their number in map.bin.
fn resources_of(file: &str, world: &Node, terrains: &[TerrainDef]) -> FileResult<BTreeMap<u8, Resource>> {
    let types = world.child("ResourceLayer").and_then(|layer| layer.child("ResourceTypes"));
    let mut resources = BTreeMap::new();
    for node in types.map_or(&[][..], |types| &types.children) {
        let index = node.child_value("ResourceIndex").unwrap_or("");
        let index: u8 = index.parse().map_err(|_| {
            wrong(file, node, format!("`ResourceIndex` of '{}' is not a number up to 255", node.key))
        })?;
        let name = node.child_value("TerrainType").unwrap_or("");
        // A tileset without the resource's terrain (an interior) cannot show the resource.
        let Some(terrain) = terrains.iter().position(|def| def.name == name) else { continue };
        let growing: Vec<&str> = list(node.child_value("AllowedTerrainTypes").unwrap_or("")).collect();
        let allowed = terrains.iter().map(|def| growing.contains(&def.name.as_str())).collect();
        resources.insert(index, Resource { terrain: TerrainId(terrain as u8), allowed });
    }
    Ok(resources)
}

/// The footprints of all actor types in the map, each resolved once. Types without a definition (a partial mod, or
/// units) close no cells.
struct Actors<'a> {
    definitions: &'a Definitions,
    known: BTreeMap<String, Option<waymarch::cost::Stamp>>,
}

impl Actors<'_> {
    fn stamp(
        &mut self,
        kind: &str,
        resolve: impl FnOnce(&Definitions, &str) -> FileResult<Option<waymarch::cost::Stamp>>,
    ) -> FileResult<Option<&waymarch::cost::Stamp>> {
        if !self.known.contains_key(kind) {
            let stamp = match self.definitions.name_ignoring_case(kind) {
                Some(name) => resolve(self.definitions, name)?,
                None => None,
            };
            self.known.insert(kind.to_owned(), stamp);
        }
        Ok(self.known.get(kind).and_then(Option::as_ref))
    }
}
