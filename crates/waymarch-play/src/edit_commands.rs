//! Turns brush strokes of the page's tools into commands.

use waymarch::base::{CellPos, CellRect, LocomotorId, StampId};
use waymarch::cost::{
    CostLayer, Falloff, FootCell, GateState, IMPASSABLE, Stamp, Surface, TerrainId, ThreatSource,
};
use waymarch::world::Command;

use crate::page_message::{BrushStroke, Tool};

/// The longest side of a brush stroke: 64 cells.
pub(crate) const MAX_BRUSH: u32 = 64;

/// The stamp name of a stroke with the wall tool.
pub(crate) const WALL: &str = "wall";

/// The buildings that the page offers: name, and rows of cells as in `PROTOCOL.md`.
pub(crate) const STAMPS: [(&str, &[&str]); 5] = [
    ("house", &["##", "##"]),
    ("barracks", &["####", "####", "####", ".ss."]),
    ("tower", &[".#.", "###", ".#."]),
    ("gatehouse", &["#ggg#"]),
    (
        "fort",
        &["########", "#......#", "#......#", "#......#", "#......#", "#......#", "#......#", "###gg###"],
    ),
];

/// The stamp that rows of letters describe.
pub(crate) fn footprint(name: &str, rows: &[&str]) -> Stamp {
    let cell = |letter: u8| match letter {
        b'#' => FootCell::Blocked,
        b's' => FootCell::NoStop,
        b'g' => FootCell::Gate,
        b'w' => FootCell::Wall(0),
        _ => FootCell::Open,
    };
    let cells = rows.iter().flat_map(|row| row.bytes().map(cell)).collect();
    let width = rows.first().map_or(0, |row| row.len()) as u32;
    Stamp { name: name.to_owned(), width, height: rows.len() as u32, cells, lifetime: None }
}

/// The commands of a brush stroke, and the cells whose look may change.
pub(crate) fn strokes(layer: &CostLayer, stroke: &BrushStroke) -> Result<(Vec<Command>, CellRect), String> {
    let at = CellPos::new(stroke.x, stroke.y);
    if !layer.grid().contains(at) {
        return Err(format!("cell {at} is outside the map (the map is {})", layer.grid()));
    }
    if !(1..=MAX_BRUSH).contains(&stroke.w) || !(1..=MAX_BRUSH).contains(&stroke.h) {
        return Err(format!("a brush of {}×{} cells: each side must be 1..={MAX_BRUSH}", stroke.w, stroke.h));
    }
    // A stroke over the edge of the map is clipped.
    let area = CellRect::at(at, stroke.w, stroke.h).intersect(layer.grid().rect());
    let (wide, high) = (area.x1.abs_diff(area.x0), area.y1.abs_diff(area.y0));
    let place = |name: &str, cell| Command::Place { stamp: Stamp::filled(name, wide, high, cell), at };
    let command = match stroke.tool {
        Tool::Wall => place(WALL, FootCell::Blocked),
        Tool::Gate => return Ok((gate(layer, area)?, area)),
        Tool::Bridge => {
            place("bridge", FootCell::Terrain(stroke.terrain.map_or_else(|| deck(layer), TerrainId)))
        }
        Tool::Terrain => {
            let terrain = TerrainId(stroke.terrain.ok_or("`terrain` is missing")?);
            Command::SetTerrain { area, terrain }
        }
        Tool::Stamp => {
            let number = stroke.stamp.ok_or("`stamp` is missing")?;
            let found =
                STAMPS.get(number as usize).ok_or_else(|| format!("there is no stamp number {number}"))?;
            let stamp = footprint(found.0, found.1);
            let whole = CellRect::at(at, stamp.width, stamp.height);
            return Ok((vec![Command::Place { stamp, at }], whole));
        }
        Tool::Threat => {
            let (radius, strength) = (stroke.radius.unwrap_or(8), stroke.strength.unwrap_or(100));
            Command::AddThreat(ThreatSource { at, radius, strength, falloff: Falloff::Linear })
        }
        Tool::Erase => return Ok((erasing(layer, area), area)),
    };
    Ok((vec![command], area))
}

/// Commands that place a gate. Walls of the wall tool make room for it: they are placed again without the gate's cells.
fn gate(layer: &CostLayer, area: CellRect) -> Result<Vec<Command>, String> {
    let rules = layer.rules();
    let locomotors = || (0..rules.rules().locomotors.len()).map(|number| LocomotorId(number.min(255) as u8));
    let closed = |at: &CellPos| {
        let terrain = layer.terrain(*at).unwrap_or_default();
        locomotors().all(|locomotor| rules.cost(terrain, locomotor) == IMPASSABLE)
    };
    if let Some(at) = area.cells().find(closed) {
        return Err(format!("a gate at {at} would lead nowhere: the ground there is closed to all units"));
    }
    let mut walls = Vec::new();
    let blocks = |cell: &FootCell| matches!(cell, FootCell::Blocked | FootCell::Wall(_));
    let stamps = area.cells().flat_map(|at| layer.stamps_on(at).map(move |(id, cell)| (id, cell, at)));
    for (id, _, at) in stamps.filter(|(_, cell, _)| blocks(cell)) {
        match layer.stamp(id) {
            Some((_, stamp)) if stamp.name == WALL => walls.push(id),
            Some((_, stamp)) => {
                return Err(format!("a gate at {at} has no room: erase the building `{}` first", stamp.name));
            }
            None => {}
        }
    }
    walls.sort_unstable();
    walls.dedup();
    let mut commands = Vec::new();
    for id in walls {
        let Some((standing, stamp)) = layer.stamp(id) else { continue };
        commands.push(Command::RemoveStamp(id));
        let mut rest = stamp.clone();
        let footprint = CellRect::at(standing.at, stamp.width, stamp.height);
        for (cell, at) in rest.cells.iter_mut().zip(footprint.cells()) {
            if area.contains(at) {
                *cell = FootCell::Open;
            }
        }
        if rest.cells.iter().any(|cell| *cell != FootCell::Open) {
            commands.push(Command::Place { stamp: rest, at: standing.at });
        }
    }
    let (wide, high) = (area.x1.abs_diff(area.x0), area.y1.abs_diff(area.y0));
    let stamp = Stamp::filled("gate", wide, high, FootCell::Gate);
    commands.push(Command::Place { stamp, at: CellPos::new(area.x0, area.y0) });
    Ok(commands)
}

/// Commands that remove all stamps on an area and all threat sources in it.
fn erasing(layer: &CostLayer, area: CellRect) -> Vec<Command> {
    let mut stamps: Vec<StampId> =
        area.cells().flat_map(|at| layer.stamps_on(at)).map(|(id, _)| id).collect();
    stamps.sort_unstable();
    stamps.dedup();
    let threats = layer.threat().sources().filter(|(_, source)| area.contains(source.at));
    let threats: Vec<Command> = threats.map(|(id, _)| Command::RemoveThreat(id)).collect();
    stamps.into_iter().map(Command::RemoveStamp).chain(threats).collect()
}

/// The terrain of bridges: `road` if the rules have it, otherwise the first terrain with ground surface.
fn deck(layer: &CostLayer) -> TerrainId {
    let rules = layer.rules().rules();
    let land = |number: &usize| rules.terrains[*number].surface == Surface::Ground;
    let road = |number: &usize| rules.terrains[*number].name == "road";
    let all = || (0..rules.terrains.len()).filter(land);
    TerrainId(all().find(road).or_else(|| all().next()).unwrap_or(0).min(255) as u8)
}

/// The command that opens or closes the gate on a cell, and the area of the gate's stamp.
pub(crate) fn toggle(layer: &CostLayer, at: CellPos) -> Result<(Command, CellRect), String> {
    let gates = layer.stamps_on(at).filter(|(_, cell)| *cell == FootCell::Gate);
    let id = gates.map(|(id, _)| id).min().ok_or_else(|| format!("there is no gate at {at}"))?;
    let (standing, stamp) = layer.stamp(id).ok_or("the gate is gone")?;
    let gate = match standing.gate {
        GateState::Open | GateState::OpenTo(_) => GateState::Closed,
        GateState::Closed => GateState::Open,
    };
    Ok((Command::SetGate { id, gate }, CellRect::at(standing.at, stamp.width, stamp.height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stamp_is_a_legal_footprint() {
        for (name, rows) in STAMPS {
            assert_eq!(footprint(name, rows).check(1), Ok(()), "{name}");
        }
    }
}
