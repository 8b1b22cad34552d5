//! Reads rules files: terrains, locomotors and the `terrain_costs` table.

use std::ops::Range;

use waymarch::base::Fixed;
use waymarch::cost::{
    CrushMask, LocomotorDef, MAX_LOCOMOTORS, Mobility, Rules, RulesError, Surface, SurfaceMask, TerrainDef,
    TerrainModifier,
};

use super::fields::Reader;
use super::terrain_speeds::{TERRAIN_SPEEDS, read_speeds};
use super::tree::{Key, Limits, Node, Value};
use crate::generate::standard_rules;
use crate::text_source::quoted;
use crate::{FileError, FileResult, movingai};

/// The keys of a rules file.
const KEYS: [&str; 5] = ["normal", "terrains", "locomotors", "terrain_costs", TERRAIN_SPEEDS];

type MakeRules = fn() -> Rules;

/// The built-in rules that a map can name.
const BUILT_IN: [(&str, MakeRules); 4] = [
    ("standard", standard_rules),
    ("spec-000", Rules::standard),
    ("movingai", movingai::rules),
    ("movingai-weighted", movingai::weighted_rules),
];

/// The built-in rules with this name: what `rules: NAME` in a map file means.
#[must_use]
pub fn builtin_rules(name: &str) -> Option<Rules> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, make)| make())
}

/// The name of built-in rules; `None` for others.
pub(super) fn builtin_name(rules: &Rules) -> Option<&'static str> {
    BUILT_IN.iter().find(|(_, make)| make() == *rules).map(|(name, _)| *name)
}

/// Reads a rules file. Terrains and locomotors are numbered in the order of their first mention.
///
/// # Errors
/// [`FileError`] with line and column of the first problem.
pub fn read_rules(name: &str, bytes: &[u8]) -> FileResult<Rules> {
    let (reader, root) = Reader::open(name, bytes, Limits::SETTINGS, "terrain_costs:")?;
    read_inline(&reader, &root)
}

/// Reads `rules:` of a map file: a built-in name, or the rules themselves.
pub(super) fn read_named_or_inline<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<Rules> {
    let Value::Scalar(name, _) = &node.value else { return read_inline(reader, node) };
    builtin_rules(name).ok_or_else(|| {
        let error = reader.error(node, format!("there are no built-in rules called {}", quoted(name)));
        reader.unknown(error, name, BUILT_IN.iter().map(|(known, _)| *known))
    })
}

fn read_inline<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<Rules> {
    let fields = reader.fields(node, "the rules", &KEYS)?;
    let mut draft = Draft { reader, rules: Rules { normal: 1, ..empty() }, places: Vec::new() };
    for (key, value) in fields.entries() {
        match &*key.name {
            "normal" => draft.rules.normal = reader.whole(value, "normal", 1..=254)?,
            "terrains" => {
                for (name, body) in reader.entries(value, "terrains")? {
                    let at = draft.terrain(name)?;
                    read_terrain(reader, body, &mut draft.rules.terrains[at])?;
                }
            }
            "locomotors" => {
                for (name, body) in reader.entries(value, "locomotors")? {
                    let at = draft.locomotor(name)?;
                    read_locomotor(reader, body, &mut draft.rules.locomotors[at])?;
                }
            }
            // Read at the end, when all names are known.
            TERRAIN_SPEEDS => {}
            _ => {
                for (name, body) in reader.entries(value, "terrain_costs")? {
                    draft.cost_row(name, body)?;
                }
            }
        }
    }
    if let Some(value) = fields.get(TERRAIN_SPEEDS) {
        read_speeds(reader, value, &mut draft.rules)?;
    }
    let checked = draft.rules.validate();
    match checked {
        Ok(_) => Ok(draft.rules),
        Err(error) => Err(draft.misfit(node, &error)),
    }
}

fn empty() -> Rules {
    Rules { normal: 1, terrains: Vec::new(), locomotors: Vec::new(), costs: Vec::new(), speeds: Vec::new() }
}

/// Scratch: rules that are being read, and where each terrain was first named.
struct Draft<'r, 'a> {
    reader: &'r Reader<'a>,
    rules: Rules,
    places: Vec<Range<usize>>,
}

impl<'a> Draft<'_, 'a> {
    /// The index of a terrain, which is added if it is new.
    fn terrain(&mut self, key: &Key<'a>) -> FileResult<usize> {
        if let Some(known) = self.rules.terrains.iter().position(|def| def.name == key.name) {
            return Ok(known);
        }
        if self.rules.terrains.len() >= 256 {
            return Err(self.reader.key_error(key, "there are more than 256 terrains"));
        }
        let surface = usual_surface(&key.name);
        self.rules.terrains.push(TerrainDef::new(key.name.as_ref(), surface));
        self.places.push(key.span.clone());
        Ok(self.rules.terrains.len() - 1)
    }

    /// The index of a locomotor, which is added if it is new.
    fn locomotor(&mut self, key: &Key<'a>) -> FileResult<usize> {
        if let Some(known) = self.rules.locomotors.iter().position(|def| def.name == key.name) {
            return Ok(known);
        }
        if self.rules.locomotors.len() >= MAX_LOCOMOTORS {
            let problem = format!("there are more than {MAX_LOCOMOTORS} locomotors");
            return Err(self.reader.key_error(key, problem));
        }
        let surfaces = usual_surfaces(&key.name);
        self.rules.locomotors.push(LocomotorDef::new(key.name.as_ref(), surfaces));
        Ok(self.rules.locomotors.len() - 1)
    }

    /// One row of `terrain_costs`. For `~` the cost is derived from surface and modifier.
    fn cost_row(&mut self, name: &Key<'a>, body: &Node<'a>) -> FileResult<()> {
        let terrain = self.terrain(name)?;
        if self.rules.costs.len() <= terrain {
            self.rules.costs.resize(terrain + 1, Vec::new());
        }
        for (key, value) in self.reader.entries(body, &name.name)? {
            let locomotor = self.locomotor(key)?;
            let cost = match value.is_null() {
                true => None,
                false => Some(self.reader.whole(value, &key.name, 1..=255)?),
            };
            let row = &mut self.rules.costs[terrain];
            if row.len() <= locomotor {
                row.resize(locomotor + 1, None);
            }
            row[locomotor] = cost;
        }
        Ok(())
    }

    /// The error for rules that are not valid as a whole; it points to the terrain in question if there is one.
    fn misfit(&self, node: &Node<'a>, error: &RulesError) -> FileError {
        let terrain = match error {
            RulesError::TooDear { terrain, .. } => {
                self.rules.terrains.iter().position(|def| def.name == *terrain)
            }
            _ => None,
        };
        let place = terrain.and_then(|at| self.places.get(at)).unwrap_or(&node.span);
        self.reader.source.error(place.start, place.len(), error.to_string())
    }
}

/// The default surface of a terrain: water for usual names of water, otherwise ground.
fn usual_surface(name: &str) -> Surface {
    match name.to_ascii_lowercase().as_str() {
        "water" | "river" => Surface::Water,
        _ => Surface::Ground,
    }
}

/// The default surfaces of a locomotor, by its name.
fn usual_surfaces(name: &str) -> SurfaceMask {
    match name.to_ascii_lowercase().as_str() {
        "float" | "naval" => SurfaceMask::WATER,
        "amphibious" => SurfaceMask::GROUND | SurfaceMask::WATER,
        "fly" | "air" => SurfaceMask::AIR,
        _ => SurfaceMask::GROUND,
    }
}

fn surface_names() -> [(&'static str, Surface); 5] {
    Surface::ALL.map(|surface| (surface.name(), surface))
}

fn read_terrain<'a>(reader: &Reader<'a>, node: &Node<'a>, def: &mut TerrainDef) -> FileResult<()> {
    let fields = reader.fields(node, "a terrain", &["surface", "modifier", "colour"])?;
    if let Some(surface) = fields.get("surface") {
        def.surface = reader.choice(surface, "surface", &surface_names())?;
    }
    if let Some(modifier) = fields.get("modifier") {
        def.modifier = read_modifier(reader, modifier)?;
    }
    let colour = fields.entries().iter().find(|(key, _)| key.name == "colour");
    if let Some((key, value)) = colour {
        if value.is_null() {
            let error = reader.key_error(key, "`colour` has no value");
            return Err(error.help("put the colour in quotes, because # begins a comment: '#8040ff'"));
        }
        def.colour = Some(read_colour(reader, value)?);
    }
    Ok(())
}

fn read_colour<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<[u8; 3]> {
    let wrong = || reader.wrong(node, "colour", "six hexadecimal digits such as '#8040ff'");
    let text = reader.text(node, "colour").map_err(|_| wrong())?;
    let digits = text.strip_prefix('#').ok_or_else(wrong)?;
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let rgb = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    let [_, red, green, blue] = rgb.to_be_bytes();
    Ok([red, green, blue])
}

fn read_modifier<'a>(reader: &Reader<'a>, node: &Node<'a>) -> FileResult<TerrainModifier> {
    if let Value::Scalar(..) = node.value {
        let legal = [("normal", TerrainModifier::Normal), ("impassable", TerrainModifier::Impassable)];
        let maps = "or a map: {difficult: 1.5}, {water: {swim_cost: 2}}, {slope: {gradient: 0.3}}";
        return reader.choice(node, "modifier", &legal).map_err(|error| match error.help {
            Some(_) => error,
            None => error.help(maps),
        });
    }
    let fields = reader.fields(node, "a modifier", &["difficult", "water", "slope"])?;
    let [(key, value)] = fields.entries() else {
        return Err(reader.wrong(node, "modifier", "one of {difficult: …}, {water: …}, {slope: …}"));
    };
    match &*key.name {
        "difficult" => Ok(TerrainModifier::Difficult(positive(reader, value, "difficult")?)),
        "water" => {
            let swim_cost = only_field(reader, value, "water", "swim_cost")?;
            Ok(TerrainModifier::Water { swim_cost: positive(reader, swim_cost, "swim_cost")? })
        }
        _ => {
            let node = only_field(reader, value, "slope", "gradient")?;
            let gradient = reader.fixed(node, "gradient")?;
            if gradient < Fixed::ZERO || gradient > Fixed::ONE {
                return Err(reader.wrong(node, "gradient", "0..=1"));
            }
            Ok(TerrainModifier::Slope { gradient })
        }
    }
}

fn only_field<'n, 'a>(
    reader: &Reader<'a>,
    node: &'n Node<'a>,
    what: &str,
    key: &str,
) -> FileResult<&'n Node<'a>> {
    let fields = reader.fields(node, what, &[key])?;
    fields.get(key).ok_or_else(|| reader.error(node, format!("`{what}` needs `{key}`")))
}

fn positive<'a>(reader: &Reader<'a>, node: &Node<'a>, what: &str) -> FileResult<Fixed> {
    match reader.fixed(node, what)? {
        factor if factor > Fixed::ZERO => Ok(factor),
        _ => Err(reader.wrong(node, what, "above 0 (at least 1/1024)")),
    }
}

fn read_locomotor<'a>(reader: &Reader<'a>, node: &Node<'a>, def: &mut LocomotorDef) -> FileResult<()> {
    let known = ["surfaces", "mobility", "can_swim", "crushes", "movement_modifier"];
    let fields = reader.fields(node, "a locomotor", &known)?;
    if let Some(surfaces) = fields.get("surfaces") {
        let items = reader.list(surfaces, "surfaces")?.iter();
        let names = surface_names();
        let mask = items.map(|item| reader.choice(item, "surfaces", &names));
        *def = LocomotorDef::new(std::mem::take(&mut def.name), mask.collect::<FileResult<SurfaceMask>>()?);
    }
    if let Some(mobility) = fields.get("mobility") {
        def.mobility = reader.choice(mobility, "mobility", &MOBILITIES)?;
    }
    if let Some(can_swim) = fields.get("can_swim") {
        def.can_swim = reader.boolean(can_swim, "can_swim")?;
    }
    if let Some(crushes) = fields.get("crushes") {
        for item in reader.list(crushes, "crushes")? {
            let class: u32 = reader.whole(item, "crushes", 0..=31)?;
            def.crushes = CrushMask(def.crushes.0 | 1 << class);
        }
    }
    if let Some(factor) = fields.get("movement_modifier") {
        def.movement_modifier = positive(reader, factor, "movement_modifier")?;
    }
    Ok(())
}

/// Mobilities as written in files.
pub(super) const MOBILITIES: [(&str, Mobility); 3] =
    [("terrestrial", Mobility::Terrestrial), ("climber", Mobility::Climber), ("flying", Mobility::Flying)];
