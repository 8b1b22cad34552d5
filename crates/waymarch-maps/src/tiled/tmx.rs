//! Reads `.tmx` with the `tiled` crate.

use std::collections::BTreeMap;

use ::tiled::{Layer, LayerType, Loader, Orientation, Properties, PropertyValue, Tileset};
use waymarch::cost::Map;

use super::canvas::{Canvas, Mark, Paint, Projection, subpixels};
use super::precheck::{Root, check};
use super::resources::{MAP_NAME, Resources};
use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

pub(super) fn read(name: &str, mut resources: Resources<'_>) -> FileResult<Map> {
    let text = file_bytes::utf8(name, resources.map)?;
    let size = check(name, text, Root::Map, &mut resources.budget)?;
    let at = |key: &str, problem: String| FileError::new(name, problem).at(Place::Key(key.into()));
    let size = size.ok_or_else(|| at("map", "the map has no size".into()))?;
    let map = Loader::with_reader(resources).load_tmx_map(MAP_NAME).map_err(|error| convert(name, error))?;
    let projection = match map.orientation {
        Orientation::Orthogonal => Projection::Orthogonal,
        Orientation::Isometric => Projection::Isometric,
        other => {
            return Err(at(
                "orientation",
                format!("the orientation {other} is not supported: its cells are not squares"),
            ));
        }
    };
    let mut canvas = Canvas::new(name, size, (map.tile_width, map.tile_height), projection)?;
    for layer in map.layers() {
        paint(&mut canvas, layer, &Paint::default())?;
    }
    canvas.finish()
}

/// Our own error if the crate only passed it on, otherwise the crate's text.
pub(super) fn convert(name: &str, error: ::tiled::Error) -> FileError {
    match error {
        ::tiled::Error::ResourceLoadingError { err, .. } => match err.downcast::<FileError>() {
            Ok(error) => *error,
            Err(error) => FileError::new(name, error.to_string()),
        },
        error => {
            let place = Place::Key(culprit(&error));
            FileError::new(name, error.to_string()).at(place)
        }
    }
}

/// The element or attribute that an error of the crate is about. The crate does not say where it is.
fn culprit(error: &::tiled::Error) -> String {
    use ::tiled::Error;
    match error {
        Error::MalformedAttributes(words) => words.split('\'').nth(1).unwrap_or("map"),
        Error::InvalidPropertyValue { .. } | Error::UnknownPropertyType { .. } => "property",
        Error::InvalidObjectData { .. } => "object",
        Error::InvalidTileset(_) => "tileset",
        Error::InvalidWangIdEncoding { .. } => "wangtile",
        Error::InvalidTileFound | Error::InvalidEncodingFormat { .. } => "layer",
        _ => "map",
    }
    .to_owned()
}

fn paint(canvas: &mut Canvas<'_>, layer: Layer<'_>, outer: &Paint) -> FileResult<()> {
    let own = paint_of(&layer.properties, "");
    let own = Paint { terrain: own.terrain.or_else(|| outer.terrain.clone()), cost: own.cost.or(outer.cost) };
    match layer.layer_type() {
        LayerType::Tiles(tiles) => {
            let mut known: BTreeMap<(usize, u32), u16> = BTreeMap::new();
            let mut kinds = Vec::with_capacity(canvas.size.cells());
            for at in canvas.size.rect().cells() {
                let Some(tile) = tiles.get_tile(at.x, at.y) else {
                    kinds.push(0);
                    continue;
                };
                let key = (tile.tileset_index(), tile.id());
                let kind = match known.get(&key) {
                    Some(&kind) => kind,
                    None => {
                        let paint = tile.get_tile().map(|tile| paint_of(&tile.properties, &tile.user_type));
                        let kind = canvas.kind(&paint.unwrap_or_default(), &own);
                        let kind = kind.map_err(|problem| canvas.wrong_tile(kinds.len(), &problem))?;
                        known.insert(key, kind);
                        kind
                    }
                };
                kinds.push(kind);
            }
            canvas.lay(kinds.into_iter());
        }
        LayerType::Objects(objects) => {
            for object in objects.objects() {
                let (width, height) = match object.shape {
                    ::tiled::ObjectShape::Rect { width, height }
                    | ::tiled::ObjectShape::Ellipse { width, height } => (width, height),
                    _ => (0.0, 0.0),
                };
                let (width, height) = (subpixels(width.into()), subpixels(height.into()));
                let lifted = if object.get_tile().is_some() { height } else { 0 };
                canvas.mark(&Mark {
                    id: u64::from(object.id()),
                    name: object.name.clone(),
                    class: object.user_type.clone(),
                    stamp: text_of(&object.properties, "stamp"),
                    x: subpixels(object.x.into()),
                    y: subpixels(object.y.into()) - lifted,
                    width,
                    height,
                })?;
            }
        }
        LayerType::Group(group) => {
            for layer in group.layers() {
                paint(canvas, layer, &own)?;
            }
        }
        LayerType::Image(_) => {}
    }
    Ok(())
}

/// The terrain and cost of each tile of a tileset, by id.
pub(super) fn paints_of(tileset: &Tileset) -> BTreeMap<u32, Paint> {
    tileset.tiles().map(|(id, tile)| (id, paint_of(&tile.properties, &tile.user_type))).collect()
}

fn paint_of(properties: &Properties, class: &str) -> Paint {
    let class = Some(class).filter(|class| !class.is_empty()).map(str::to_owned);
    let cost = match properties.get("cost") {
        Some(&PropertyValue::IntValue(cost)) => Some(i64::from(cost)),
        _ => None,
    };
    Paint { terrain: text_of(properties, "terrain").or(class), cost }
}

fn text_of(properties: &Properties, key: &str) -> Option<String> {
    match properties.get(key) {
        Some(PropertyValue::StringValue(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}
