//! Converts OpenRA's speeds in per cent to cell costs.

use std::collections::BTreeMap;

use waymarch::cost::{
    CrushMask, IMPASSABLE, LocomotorDef, MAX_CELL_COST, MAX_LOCOMOTORS, MAX_TERRAIN_SPEED, Rules,
    SurfaceMask, TerrainDef,
};

use super::miniyaml::Node;
use super::tileset::{list, wrong};
use crate::error::FileResult;

/// A cell costs 100 at 100 % speed, in OpenRA and here, unless a cost does not fit.
const NORMAL: u32 = 100;

/// The highest `PathingCost` in OpenRA: 32,767.
const MAX_PATHING_COST: u32 = 32_767;

/// The numbers of the mod's crush classes, in the order of their first mention. Only the first 32 have a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CrushClasses {
    names: Vec<String>,
}

impl CrushClasses {
    fn number_or_add(&mut self, name: &str) -> Option<u8> {
        self.number(name).or_else(|| {
            let number = u8::try_from(self.names.len()).ok().filter(|&number| number < 32)?;
            self.names.push(name.to_owned());
            Some(number)
        })
    }

    /// The number of the class, if a locomotor crushes it.
    pub(super) fn number(&self, name: &str) -> Option<u8> {
        self.names.iter().position(|known| known == name).and_then(|at| u8::try_from(at).ok())
    }
}

/// The rules for `terrains`, from the `Locomotor` traits of the resolved `World`.
///
/// A terrain's cost is its `PathingCost`, or 10000 divided by its speed, rounded down as in OpenRA. A terrain without
/// a speed is impassable. If a cost exceeds 254, all costs and `normal` (100) are scaled by one factor and rounded, with
/// a minimum of 1. Terrain speeds are those of the mod, up to 250 %.
pub(super) fn rules_from(
    file: &str,
    world: &Node,
    terrains: Vec<TerrainDef>,
) -> FileResult<(Rules, CrushClasses)> {
    let mut classes = CrushClasses::default();
    let mut locomotors: Vec<LocomotorDef> = Vec::new();
    let mut columns: Vec<BTreeMap<&str, Going>> = Vec::new();
    for node in world.children.iter().filter(|node| node.base_key().ends_with("Locomotor")) {
        let name =
            node.child_value("Name").unwrap_or_else(|| node.key.split('@').nth(1).unwrap_or("default"));
        if locomotors.iter().any(|known| known.name == name) {
            return Err(wrong(file, node, format!("the locomotor '{name}' is named twice")));
        }
        let costs = costs_of(file, node)?;
        let surfaces = terrains.iter().filter(|def| costs.contains_key(def.name.as_str()));
        let surfaces: SurfaceMask = surfaces.map(|def| def.surface).collect();
        let mut def = LocomotorDef::new(name, surfaces);
        for class in list(node.child_value("Crushes").unwrap_or("")) {
            if let Some(number) = classes.number_or_add(class) {
                def.crushes = CrushMask(def.crushes.0 | 1 << number);
            }
        }
        locomotors.push(def);
        columns.push(costs);
    }
    if locomotors.is_empty() || locomotors.len() > MAX_LOCOMOTORS {
        let problem =
            format!("the mod's `World` actor has {} locomotors: it must have 1..=32", locomotors.len());
        return Err(wrong(file, world, problem));
    }
    let costs = columns.iter().flat_map(BTreeMap::values).map(|going| going.cost);
    let dearest = costs.max().unwrap_or(NORMAL);
    let normal = fitting_normal(dearest);
    let row = |def: &TerrainDef| {
        let costs = columns.iter().map(|column| column.get(def.name.as_str()));
        costs.map(|going| Some(going.map_or(IMPASSABLE, |going| scaled(going.cost, normal)))).collect()
    };
    let costs = terrains.iter().map(row).collect();
    let row = |def: &TerrainDef| {
        columns.iter().map(|column| column.get(def.name.as_str()).map(|going| going.speed)).collect()
    };
    let speeds = terrains.iter().map(row).collect();
    Ok((Rules { normal: scaled(NORMAL, normal), terrains, locomotors, costs, speeds }, classes))
}

/// The cost and speed of a terrain for a locomotor.
struct Going {
    cost: u32,
    /// The unit's speed on the terrain, in per cent of its own speed.
    speed: u8,
}

fn costs_of<'a>(file: &str, locomotor: &'a Node) -> FileResult<BTreeMap<&'a str, Going>> {
    let mut costs = BTreeMap::new();
    for node in locomotor.child("TerrainSpeeds").map_or(&[][..], |speeds| &speeds.children) {
        let whole = |value: &str, what: &str| {
            value.parse::<u32>().map_err(|_| {
                wrong(file, node, format!("the {what} of '{}' is '{value}', not a whole number", node.key))
            })
        };
        let speed = whole(&node.value, "speed")?;
        if speed == 0 {
            continue;
        }
        let cost = match node.child_value("PathingCost") {
            Some(cost) => whole(cost, "PathingCost")?,
            None => 10_000 / speed,
        };
        let cost = cost.clamp(1, MAX_PATHING_COST);
        let speed = speed.min(u32::from(MAX_TERRAIN_SPEED)) as u8;
        costs.insert(node.key.as_str(), Going { cost, speed });
    }
    Ok(costs)
}

/// The largest `normal` up to 100 (at least 1) for which the highest cost, in hundredths, still fits.
fn fitting_normal(dearest: u32) -> u32 {
    let most = u32::from(MAX_CELL_COST);
    if dearest <= most { NORMAL } else { (most * NORMAL / dearest).max(1) }
}

fn scaled(cost: u32, normal: u32) -> u8 {
    let cost = (cost * normal + NORMAL / 2) / NORMAL;
    cost.clamp(1, u32::from(MAX_CELL_COST)) as u8
}

#[cfg(test)]
mod tests {
    use super::super::miniyaml::parse;
    use super::*;
    use waymarch::cost::Surface;

    fn rules(text: &str) -> FileResult<Rules> {
        let world = Node { children: parse("w", text).unwrap(), ..Node::default() };
        let terrains = ["Clear", "Rough", "Water"].map(|name| TerrainDef::new(name, Surface::Ground));
        rules_from("w", &world, terrains.to_vec()).map(|(rules, _)| rules)
    }

    #[test]
    fn costs_are_ten_thousand_over_speed_rounded_down() {
        let text = "Locomotor@A:\n\tName: foot\n\tTerrainSpeeds:\n\t\tClear: 111\n\t\tRough: 89\n\t\t\tPathingCost: 77\n";
        let rules = rules(text).unwrap();
        assert_eq!((rules.normal, rules.costs[0][0], rules.costs[1][0]), (100, Some(90), Some(77)));
        assert_eq!(rules.costs[2][0], Some(IMPASSABLE));
        assert_eq!(rules.speeds, [[Some(111)], [Some(89)], [None]], "and units are as fast as the mod says");
    }

    #[test]
    fn a_cost_that_does_not_fit_scales_all_of_them() {
        let text = "Locomotor:\n\tTerrainSpeeds:\n\t\tClear: 100\n\t\tRough: 30\n\t\tWater: 0\n";
        let rules = rules(text).unwrap();
        assert_eq!((rules.normal, rules.costs[0][0], rules.costs[1][0]), (76, Some(76), Some(253)));
        assert_eq!(rules.costs[2][0], Some(IMPASSABLE));
        rules.validate().unwrap();
    }

    #[test]
    fn absurd_speeds_are_clamped_or_refused() {
        let text = "Locomotor:\n\tTerrainSpeeds:\n\t\tClear: 4000000000\n\t\tRough: 1\n\t\t\tPathingCost: 4000000000\n";
        rules(text).unwrap().validate().unwrap();
        let error = rules("Locomotor:\n\tTerrainSpeeds:\n\t\tClear: fast\n").unwrap_err();
        assert!(error.problem.contains("'fast'"), "{error}");
        assert!(rules("Nothing:\n").is_err());
    }

    #[test]
    fn two_locomotors_of_one_name_made_a_map_that_is_not_valid() {
        let one = "\tTerrainSpeeds:\n\t\tClear: 100\n";
        let error = rules(&format!("Locomotor@A:\n{one}Locomotor@A:\n{one}")).unwrap_err();
        assert_eq!(error.to_string(), "w:4:1: the locomotor 'A' is named twice");
        let error = rules("Nothing:\n").unwrap_err();
        assert!(matches!(error.place, crate::error::Place::Text { .. }), "{error}");
    }
}
