//! Reads `.tmj`, Tiled's JSON format, which the `tiled` crate does not read.

use std::collections::BTreeMap;
use std::path::Path;

use ::tiled::Loader;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use waymarch::base::GridSize;
use waymarch::cost::Map;

use super::canvas::{Canvas, Mark, Paint, Projection, subpixels};
use super::gids::{self, FLIPS};
use super::resources::Resources;
use super::tmx;
use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

#[derive(Deserialize)]
struct JsonMap {
    width: u32,
    height: u32,
    tilewidth: u32,
    tileheight: u32,
    orientation: String,
    #[serde(default)]
    infinite: bool,
    layers: Vec<JsonLayer>,
    #[serde(default)]
    tilesets: Vec<JsonTileset>,
}

#[derive(Deserialize)]
struct JsonLayer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    data: Option<JsonData>,
    compression: Option<String>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
    #[serde(default)]
    objects: Vec<JsonObject>,
    #[serde(default)]
    layers: Vec<JsonLayer>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonData {
    Gids(Vec<u32>),
    Packed(String),
}

#[derive(Deserialize)]
struct JsonTileset {
    #[serde(default)]
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<JsonTile>,
}

#[derive(Deserialize)]
struct JsonTile {
    id: u32,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonProperty {
    name: String,
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct JsonObject {
    #[serde(default)]
    id: u64,
    #[serde(default)]
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    class: String,
    gid: Option<u32>,
    template: Option<String>,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

/// The first tile number of a tileset, and the properties of its tiles.
type Paints = (u32, BTreeMap<u32, Paint>);

pub(super) fn read(name: &str, mut resources: Resources<'_>) -> FileResult<Map> {
    let map: JsonMap = parse(name, resources.map)?;
    if map.infinite {
        let error = FileError::new(name, "infinite maps are not supported");
        return Err(error
            .help("turn `Infinite` off in Tiled's map properties")
            .at(Place::Key("infinite".into())));
    }
    let projection = match map.orientation.as_str() {
        "orthogonal" => Projection::Orthogonal,
        "isometric" => Projection::Isometric,
        other => {
            let problem = format!("the orientation '{other}' is not supported: its cells are not squares");
            return Err(FileError::new(name, problem).at(Place::Key("orientation".into())));
        }
    };
    let size = GridSize::new(map.width, map.height)
        .map_err(|error| FileError::new(name, error.to_string()).at(Place::Key("width".into())))?;
    let mut canvas = Canvas::new(name, size, (map.tilewidth, map.tileheight), projection)?;
    // From here on the `tiled` crate reads tilesets only, so it gets an empty map.
    resources.map = &[];
    let mut loader = Loader::with_reader(resources);
    let mut tilesets: Vec<Paints> = Vec::new();
    for tileset in &map.tilesets {
        tilesets.push((tileset.firstgid, paints_of(name, tileset, &mut loader)?));
    }
    tilesets.sort_by_key(|(first, _)| *first);
    for layer in &map.layers {
        paint(name, &mut canvas, layer, &Paint::default(), &tilesets)?;
    }
    canvas.finish()
}

fn parse<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> FileResult<T> {
    let text = file_bytes::utf8(name, bytes)?;
    serde_json::from_str(text).map_err(|error| {
        let place = Place::Text { line: error.line(), column: error.column().max(1), span: None };
        FileError::new(name, error.to_string()).at(place)
    })
}

fn paints_of(
    name: &str,
    tileset: &JsonTileset,
    loader: &mut Loader<::tiled::DefaultResourceCache, Resources<'_>>,
) -> FileResult<BTreeMap<u32, Paint>> {
    let own = |tiles: &[JsonTile]| {
        tiles.iter().map(|tile| (tile.id, paint_of(&tile.properties, &tile.kind, &tile.class))).collect()
    };
    match &tileset.source {
        None => Ok(own(&tileset.tiles)),
        Some(source) if source.ends_with(".tsx") => {
            let loaded = loader.load_tsx_tileset(source).map_err(|error| tmx::convert(name, error))?;
            Ok(tmx::paints_of(&loaded))
        }
        Some(source) => {
            let bytes = loader.reader().read(Path::new(source))?;
            Ok(own(&parse::<JsonTileset>(source, &bytes)?.tiles))
        }
    }
}

fn paint(
    name: &str,
    canvas: &mut Canvas<'_>,
    layer: &JsonLayer,
    outer: &Paint,
    tilesets: &[Paints],
) -> FileResult<()> {
    let wrong =
        |problem: String| FileError::new(name, problem).at(Place::Key(format!("layer '{}'", layer.name)));
    let own = paint_of(&layer.properties, "", "");
    let own = Paint { terrain: own.terrain.or_else(|| outer.terrain.clone()), cost: own.cost.or(outer.cost) };
    match layer.kind.as_str() {
        "tilelayer" => {
            let size = canvas.size;
            if (layer.width, layer.height) != (size.width(), size.height()) {
                let problem = format!("the layer is {}×{}, but the map is {size}", layer.width, layer.height);
                return Err(wrong(problem));
            }
            canvas.announce_layer().map_err(&wrong)?;
            let unpacked;
            let gids = match &layer.data {
                None => return Err(wrong("the tile layer has no `data`".into())),
                Some(JsonData::Gids(gids)) if gids.len() == size.cells() => gids,
                Some(JsonData::Gids(gids)) => {
                    return Err(wrong(format!(
                        "the layer has {} tiles, but needs {}",
                        gids.len(),
                        size.cells()
                    )));
                }
                Some(JsonData::Packed(text)) => {
                    unpacked = gids::decode(text, Some("base64"), layer.compression.as_deref(), size.cells())
                        .map_err(wrong)?;
                    &unpacked
                }
            };
            let mut known: BTreeMap<u32, u16> = BTreeMap::new();
            let mut kinds = Vec::with_capacity(gids.len());
            for (at, gid) in gids.iter().map(|gid| gid & !FLIPS).enumerate() {
                if gid != 0 && !known.contains_key(&gid) {
                    let tileset = tilesets.iter().rev().find(|(first, _)| *first <= gid);
                    let tile = tileset.and_then(|(first, paints)| paints.get(&(gid - first)));
                    let kind = canvas.kind(tile.unwrap_or(&Paint::default()), &own);
                    known.insert(gid, kind.map_err(|problem| canvas.wrong_tile(at, &problem))?);
                }
                kinds.push(known.get(&gid).copied().unwrap_or(0));
            }
            canvas.lay(kinds.into_iter());
        }
        "objectgroup" => {
            for object in &layer.objects {
                if object.template.is_some() {
                    let problem = format!("object {}: object templates are not supported", object.id);
                    return Err(wrong(problem).help("detach the object in Tiled"));
                }
                let class = if object.kind.is_empty() { &object.class } else { &object.kind };
                let height = subpixels(object.height);
                canvas.mark(&Mark {
                    id: object.id,
                    name: object.name.clone(),
                    class: class.clone(),
                    stamp: text_of(&object.properties, "stamp"),
                    x: subpixels(object.x),
                    y: subpixels(object.y) - if object.gid.is_some() { height } else { 0 },
                    width: subpixels(object.width),
                    height,
                })?;
            }
        }
        "group" => {
            for layer in &layer.layers {
                paint(name, canvas, layer, &own, tilesets)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn paint_of(properties: &[JsonProperty], kind: &str, class: &str) -> Paint {
    let class = [kind, class].into_iter().find(|class| !class.is_empty()).map(str::to_owned);
    let cost = properties.iter().find(|property| property.name == "cost");
    Paint {
        terrain: text_of(properties, "terrain").or(class),
        cost: cost.and_then(|property| property.value.as_i64()),
    }
}

fn text_of(properties: &[JsonProperty], key: &str) -> Option<String> {
    let property = properties.iter().find(|property| property.name == key)?;
    property.value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
