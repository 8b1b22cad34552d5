//! Checks a TMX or TSX text before the `tiled` crate reads it.
//!
//! That crate allocates as many tiles as a header claims, unpacks without a limit, indexes into short layers, and recurses
//! with the nesting of elements. Input that would make it fail is refused here, with line and column.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use waymarch::base::GridSize;

use super::gids;
use crate::error::{FileError, FileResult};

/// Elements may be nested 32 levels deep.
const MAX_DEPTH: usize = 32;

/// All tilesets of a map together have at most 65,536 tiles.
const MAX_TILES: u64 = 65_536;

/// All layers of a map together have at most 2²⁴ cells: the crate keeps them all, at 16 bytes each.
const MAX_LAYER_CELLS: u64 = 1 << 24;

/// The expected root element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    Map,
    Tileset,
}

/// Scratch: how many more tiles the tilesets of this map may have.
#[derive(Debug)]
pub(super) struct TileBudget(u64);

impl Default for TileBudget {
    fn default() -> Self {
        Self(MAX_TILES)
    }
}

struct Check<'a> {
    budget: &'a mut TileBudget,
    root: Root,
    /// Local names of the open elements.
    open: Vec<String>,
    size: Option<GridSize>,
    /// Encoding and compression of the open `<data>`, until its text is seen.
    data: Option<(Option<String>, Option<String>)>,
    /// Whether the open `<layer>` already had its `<data>`.
    layer_has_data: bool,
    layer_cells: u64,
    saw_root: bool,
}

/// Checks a text.
///
/// # Errors
/// [`FileError`] for malformed XML, and for input that the `tiled` crate does not handle safely.
pub(super) fn check(
    name: &str,
    text: &str,
    root: Root,
    budget: &mut TileBudget,
) -> FileResult<Option<GridSize>> {
    let mut reader = Reader::from_str(text);
    let mut check = Check {
        budget,
        root,
        open: Vec::new(),
        size: None,
        data: None,
        layer_has_data: true,
        layer_cells: 0,
        saw_root: false,
    };
    loop {
        let before = reader.buffer_position();
        let event = reader.read_event();
        let after = reader.buffer_position();
        let wrong = |problem: String| {
            let start = before.min(text.len());
            let blank = text.get(start..).map_or(0, |rest| rest.len() - rest.trim_start().len());
            let start = start + blank;
            FileError::new(name, problem).at_span(text, start, after.saturating_sub(start).clamp(1, 60))
        };
        match event {
            Err(error) => return Err(wrong(format!("malformed XML: {error}"))),
            // The reader accepts a last tag without its `>`.
            Ok(Event::Eof) if check.open.is_empty() && check.saw_root && text.trim_end().ends_with('>') => {
                return Ok(check.size);
            }
            Ok(Event::Eof) => {
                let inside = check.open.last().map_or("anything".to_owned(), |tag| format!("</{tag}>"));
                return Err(wrong(format!("the file ends before {inside}")));
            }
            Ok(Event::DocType(_)) => {
                return Err(wrong("a document type is not allowed: Tiled writes none".into()));
            }
            Ok(event) => check.event(&event).map_err(wrong)?,
        }
    }
}

impl Check<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(element) => {
                self.element(element)?;
                self.open.push(local_name(element));
                if self.open.len() > MAX_DEPTH {
                    return Err(format!("elements are nested more than {MAX_DEPTH} levels deep"));
                }
            }
            Event::Empty(element) => {
                self.element(element)?;
                self.text("")?;
                self.close(&local_name(element))?;
            }
            Event::End(_) => {
                self.text("")?;
                let tag = self.open.pop().unwrap_or_default();
                self.close(&tag)?;
            }
            Event::Text(text) => {
                let text = text.unescape().map_err(|error| error.to_string())?;
                self.text(&text)?;
            }
            Event::CData(text) => self.text(&String::from_utf8_lossy(text))?,
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, element: &BytesStart<'_>) -> Result<(), String> {
        let tag = local_name(element);
        let mut attributes = Vec::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let key = String::from_utf8_lossy(attribute.key.local_name().as_ref()).into_owned();
            attributes
                .push((key, attribute.unescape_value().map_err(|error| error.to_string())?.into_owned()));
        }
        // Of several equal keys the last one counts, as in the crate.
        let get = |key: &str| {
            attributes.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
        };
        let number = |key: &str| match get(key) {
            None => Err(format!("<{tag}> has no `{key}`")),
            Some(value) => {
                value.parse::<u32>().map_err(|_| format!("`{key}` of <{tag}> is '{value}', not a number"))
            }
        };
        if self.open.is_empty() {
            let root = match self.root {
                Root::Map => "map",
                Root::Tileset => "tileset",
            };
            if self.saw_root || tag != root {
                return Err(format!("found <{tag}>, but the file must be one <{root}> element"));
            }
            self.saw_root = true;
        } else if self.data.is_some() {
            return Err("tiles as XML elements are not supported: use CSV or base64".into());
        }
        match tag.as_str() {
            "map" if self.open.is_empty() => {
                if get("infinite").is_some_and(|infinite| infinite != "0") {
                    return Err(
                        "infinite maps are not supported: turn `Infinite` off in Tiled's map properties"
                            .into(),
                    );
                }
                let size = GridSize::new(number("width")?, number("height")?);
                self.size = Some(size.map_err(|error| error.to_string())?);
            }
            "tileset" if get("source").is_none() || self.root == Root::Tileset => {
                let tiles = u64::from(number("tilecount")?);
                // Without this attribute the crate divides by sizes that it does not check.
                number("columns")?;
                self.budget.0 = self.budget.0.checked_sub(tiles).ok_or_else(|| {
                    format!(
                        "a tileset has {tiles} tiles: the tilesets of a map may have {MAX_TILES} together"
                    )
                })?;
            }
            "tileset" if get("tilecount").is_some() => {
                return Err("a tileset must be either embedded or in another file, not both".into());
            }
            "layer" => {
                let (width, height) = (number("width")?, number("height")?);
                let size = self.size.ok_or("a layer must be inside a map")?;
                if (width, height) != (size.width(), size.height()) {
                    return Err(format!("the layer is {width}×{height}, but the map is {size}"));
                }
                self.layer_has_data = false;
            }
            "data" if self.open.last().is_some_and(|parent| parent == "layer") => {
                self.layer_cells += self.size.map_or(0, |size| size.cells() as u64);
                if self.layer_has_data || self.layer_cells > MAX_LAYER_CELLS {
                    return Err(format!(
                        "a layer may have one `data`, and all layers together {MAX_LAYER_CELLS} cells; a .tmj may have more"
                    ));
                }
                self.layer_has_data = true;
                self.data = Some((get("encoding").map(Into::into), get("compression").map(Into::into)));
            }
            "object" if get("template").is_some() => {
                return Err("object templates are not supported: detach the object in Tiled".into());
            }
            "template" => return Err("object templates are not supported".into()),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, tag: &str) -> Result<(), String> {
        if tag == "layer" && !std::mem::replace(&mut self.layer_has_data, true) {
            return Err("a layer has no `data`".into());
        }
        Ok(())
    }

    /// The crate takes the first text in a layer's `<data>`, or no text, as its tiles.
    fn text(&mut self, text: &str) -> Result<(), String> {
        let (Some((encoding, compression)), Some(size)) = (self.data.take(), self.size) else {
            return Ok(());
        };
        gids::decode(text, encoding.as_deref(), compression.as_deref(), size.cells()).map(drop)
    }
}

fn local_name(element: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(element.local_name().as_ref()).into_owned()
}
