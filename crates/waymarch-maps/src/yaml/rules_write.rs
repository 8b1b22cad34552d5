//! Writes rules files.

use std::fmt::Write;

use waymarch::cost::{LocomotorDef, Rules, TerrainDef, TerrainModifier};

use super::quote::{block_key, flow_key};
use super::rules_read::MOBILITIES;

/// The rules as text that [`read_rules`](super::read_rules) reads back to equal rules.
#[must_use]
pub fn write_rules(rules: &Rules) -> String {
    indented(rules, "")
}

/// The same text with every line indented.
pub(super) fn indented(rules: &Rules, indent: &str) -> String {
    let mut out = String::new();
    let deeper = format!("{indent}  ");
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{indent}{text}");
    };
    line(format_args!("normal: {}", rules.normal));
    line(format_args!("terrains:"));
    for def in &rules.terrains {
        line(format_args!("  {} {}", block_key(&def.name, &deeper), terrain(def)));
    }
    line(format_args!("locomotors:"));
    for def in &rules.locomotors {
        line(format_args!("  {} {}", block_key(&def.name, &deeper), locomotor(def)));
    }
    if !rules.costs.is_empty() {
        line(format_args!("terrain_costs:"));
        for (def, row) in rules.terrains.iter().zip(&rules.costs) {
            line(format_args!("  {} {{{}}}", block_key(&def.name, &deeper), table_row(rules, row)));
        }
    }
    if !rules.speeds.is_empty() {
        line(format_args!("terrain_speeds:"));
        for (def, row) in rules.terrains.iter().zip(&rules.speeds) {
            line(format_args!("  {} {{{}}}", block_key(&def.name, &deeper), table_row(rules, row)));
        }
    }
    out
}

fn terrain(def: &TerrainDef) -> String {
    let modifier = match def.modifier {
        TerrainModifier::Normal => "normal".to_string(),
        TerrainModifier::Impassable => "impassable".to_string(),
        TerrainModifier::Difficult(factor) => format!("{{difficult: {factor}}}"),
        TerrainModifier::Water { swim_cost } => format!("{{water: {{swim_cost: {swim_cost}}}}}"),
        TerrainModifier::Slope { gradient } => format!("{{slope: {{gradient: {gradient}}}}}"),
    };
    let colour = match def.colour {
        Some([red, green, blue]) => format!(", colour: '#{red:02x}{green:02x}{blue:02x}'"),
        None => String::new(),
    };
    format!("{{surface: {}, modifier: {modifier}{colour}}}", def.surface.name())
}

fn locomotor(def: &LocomotorDef) -> String {
    let surfaces: Vec<&str> = def.surfaces.iter().map(|surface| surface.name()).collect();
    let crushes: Vec<String> =
        (0..32).filter(|&class| def.crushes.contains(class)).map(|class| class.to_string()).collect();
    let mobility = MOBILITIES.iter().find(|(_, known)| *known == def.mobility).map_or("", |(name, _)| name);
    format!(
        "{{surfaces: [{}], mobility: {mobility}, can_swim: {}, crushes: [{}], movement_modifier: {}}}",
        surfaces.join(", "),
        def.can_swim,
        crushes.join(", "),
        def.movement_modifier
    )
}

/// The costs or speeds of a row. The last entry is written even if it is not set, so that the row keeps its length.
fn table_row(rules: &Rules, row: &[Option<u8>]) -> String {
    let mut out = Vec::new();
    for (at, (def, number)) in rules.locomotors.iter().zip(row).enumerate() {
        match number {
            Some(number) => out.push(format!("{} {number}", flow_key(&def.name))),
            None if at + 1 == row.len() => out.push(format!("{} ~", flow_key(&def.name))),
            None => {}
        }
    }
    out.join(", ")
}
