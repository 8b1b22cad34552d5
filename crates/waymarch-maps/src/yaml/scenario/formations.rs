//! Reads formations: a name or a list of slots, a layout, and `formations:`, which gives names to both.

use waymarch::avoid::Fine;
use waymarch::base::{Angle, Fixed};
use waymarch::config::FormationType;
use waymarch::groups::{Formation, FormationLayout, FormationProfile, MAX_GAP, MAX_MEMBERS};

use super::values::read_point;
use crate::FileResult;
use crate::scenario::Scenario;
use crate::yaml::fields::{Fields, Reader};
use crate::yaml::tree::{Node, Value};

/// The keys of a layout.
pub(super) const LAYOUT: [&str; 4] = ["spacing", "width", "angle", "radius"];
/// The keys of a formation with a name.
const PROFILE: [&str; 5] = ["formation", LAYOUT[0], LAYOUT[1], LAYOUT[2], LAYOUT[3]];

/// Reads `formations:`, formations by name.
pub(super) fn read_formations<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    scenario: &mut Scenario,
) -> FileResult<()> {
    for (key, value) in reader.entries(node, "`formations`")? {
        let is_known = FormationType::ALL.iter().any(|known| known.name() == key.name);
        if is_known || scenario.formations.iter().any(|known| known.name == key.name) {
            return Err(reader.key_error(key, format!("there is already a formation `{}`", key.name)));
        }
        let fields = reader.fields(value, "a formation", &PROFILE)?;
        let (formation, layout) = match fields.get("formation") {
            Some(node) => read_formation(reader, node, "formation", &[])?,
            None => (Formation::default(), FormationLayout::default()),
        };
        let layout = read_layout(reader, value, &fields, (&formation, layout))?;
        scenario.formations.push(FormationProfile { name: key.name.to_string(), formation, layout });
    }
    Ok(())
}

/// The name of a formation, of the engine or of the file, or the offset of each slot from the centre: `[[0, 0], [1.5, 0]]`.
pub(super) fn read_formation<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    key: &str,
    profiles: &[FormationProfile],
) -> FileResult<(Formation, FormationLayout)> {
    if let Value::List(offsets) = &node.value {
        if offsets.len() > MAX_MEMBERS {
            let expected = format_args!("a list of at most {MAX_MEMBERS} offsets");
            return Err(reader.wrong(node, key, expected));
        }
        let offsets = offsets.iter().map(|item| read_point(reader, item, key).map(Fine::from));
        let custom = Formation::Custom(offsets.collect::<FileResult<_>>()?);
        return Ok((custom, FormationLayout::default()));
    }
    let own = FormationType::ALL.iter().map(|&kind| {
        (kind.name(), FormationProfile { formation: kind.into(), ..FormationProfile::default() })
    });
    let named = profiles.iter().map(|profile| (profile.name.as_str(), profile.clone()));
    let all: Vec<(&str, FormationProfile)> = own.chain(named).collect();
    let names: Vec<(&str, usize)> = all.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
    let chosen = &all[reader.choice(node, key, &names)?].1;
    Ok((chosen.formation.clone(), chosen.layout))
}

/// The layout of a formation: the keys of the file replace those of its profile.
pub(super) fn read_layout<'a>(
    reader: &Reader<'a>,
    node: &Node<'a>,
    fields: &Fields<'_, 'a>,
    (formation, profile): (&Formation, FormationLayout),
) -> FileResult<FormationLayout> {
    let mut layout = profile;
    let lengths = [
        ("spacing", &mut layout.spacing, MAX_GAP),
        ("width", &mut layout.width, Fixed::from_cells(1024)),
        ("radius", &mut layout.radius, Fixed::from_cells(1024)),
    ];
    for (key, length, most) in lengths {
        let Some(node) = fields.get(key) else { continue };
        *length = reader.fixed(node, key)?;
        if *length < Fixed::ZERO || *length > most {
            return Err(reader.wrong(node, key, format_args!("0..={most}, in cells")));
        }
    }
    if let Some(node) = fields.get("angle") {
        let degrees: u32 = reader.whole(node, "angle", 20..=160)?;
        layout.angle = Angle(((degrees * 65_536 + 180) / 360) as u16);
    }
    layout.check(formation).map_err(|error| reader.error(node, error.to_string()))?;
    Ok(layout)
}
