//! Replaces the rules or the heights of a map that was read.

use std::path::Path;

use waymarch::cost::{FootCell, Map, Rules, TerrainId};

use crate::error::{FileError, FileResult, Place};
use crate::file_bytes::read_file;
use crate::load_options::LoadOptions;
use crate::{image, suggest, yaml};

/// The map with other rules. Every terrain that it uses is looked up by name.
///
/// # Errors
/// [`FileError`] for a used terrain that the rules do not have, with its first cell.
pub fn with_rules(mut map: Map, rules: Rules) -> FileResult<Map> {
    let names = || rules.terrains.iter().map(|def| def.name.as_str());
    let mut numbers: Vec<Option<TerrainId>> = Vec::new();
    for def in &map.rules.terrains {
        let at = names().position(|name| name == def.name);
        numbers.push(at.and_then(|at| u8::try_from(at).ok()).map(TerrainId));
    }
    let renumber = |terrain: &mut TerrainId, place: &dyn Fn() -> Place| {
        let known = numbers.get(terrain.index()).copied().flatten();
        let name = map.rules.terrains.get(terrain.index()).map_or("?", |def| def.name.as_str());
        *terrain = known.ok_or_else(|| {
            let error = FileError::new(&map.name, format!("the rules have no terrain '{name}'")).at(place());
            match suggest::hint(name, names().collect::<Vec<_>>()) {
                Some(hint) => error.help(hint),
                None => error,
            }
        })?;
        Ok::<(), FileError>(())
    };
    let size = map.size;
    for (number, terrain) in map.terrain.iter_mut().enumerate() {
        renumber(terrain, &|| Place::Cell(size.pos(waymarch::base::CellId(number as u32))))?;
    }
    for placed in &mut map.stamps {
        let at = placed.at;
        for foot in &mut placed.stamp.cells {
            if let FootCell::Terrain(terrain) = foot {
                renumber(terrain, &|| Place::Cell(at))?;
            }
        }
    }
    map.rules = rules;
    Ok(map)
}

/// Replaces rules and heights as the options say. [`load_map`](crate::load_map) does this itself.
///
/// # Errors
/// [`FileError`] for rules or heights that cannot be read or do not fit the map.
pub fn apply_options(mut map: Map, options: &LoadOptions) -> FileResult<Map> {
    if let Some(word) = &options.rules {
        let rules = match yaml::builtin_rules(word) {
            Some(rules) => rules,
            None => yaml::read_rules(word, &read_file(Path::new(word), options.max_file_bytes)?)?,
        };
        map = with_rules(map, rules)?;
    }
    if let Some(path) = &options.heights {
        let bytes = read_file(path, options.max_file_bytes)?;
        image::attach_heightmap(&mut map, &path.display().to_string(), &bytes, options.white_height)?;
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use waymarch::base::{GridSize, cell};
    use waymarch::cost::{Map, Rules, TerrainId};

    use super::with_rules;
    use crate::movingai;

    #[test]
    fn terrains_are_found_by_name_under_other_rules() {
        let map = movingai::read_map("m", b"type octile\nheight 1\nwidth 3\nmap\n.SW\n").unwrap();
        let weighted = with_rules(map.clone(), movingai::weighted_rules()).unwrap().validate().unwrap();
        let foot = weighted.rules().locomotor("foot").unwrap();
        let costs: Vec<u8> =
            weighted.map().terrain.iter().map(|&terrain| weighted.rules().cost(terrain, foot)).collect();
        assert_eq!(costs, [2, 3, 5]);
        let error = with_rules(map, Rules::standard()).unwrap_err();
        assert!(error.to_string().contains("no terrain 'Ground'"), "{error}");
    }

    #[test]
    fn a_terrain_that_is_missing_is_named_with_its_cell() {
        let mut map = Map::flat("m", GridSize::new(4, 4).unwrap(), Rules::standard());
        map.set_terrain(cell(2, 3), TerrainId(3));
        let mut fewer = Rules::standard();
        fewer.terrains[3].name = "Rivers".to_string();
        let error = with_rules(map, fewer).unwrap_err();
        assert_eq!(
            error.to_string(),
            "m: cell (2, 3): the rules have no terrain 'River' (did you mean `Rivers`?)"
        );
    }
}
