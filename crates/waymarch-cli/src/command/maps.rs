//! `waymarch maps`: lists, inspects, generates and converts maps.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use waymarch::base::{GridSize, LocomotorId, MAX_SIZE_CLASS};
use waymarch::cost::{CostLayer, CostSettings, IMPASSABLE, MAX_LOCOMOTORS, Map, StepRule, ValidMap};
use waymarch_maps::generate::{BUILTIN, GenerateOptions, Landform, generate, read_size};
use waymarch_maps::save_map;

use super::levels;
use crate::arguments::ReadArgs;
use crate::diagnostics::{Failure, Kind};
use crate::load::{find_level_map, find_only_map};
use crate::memory::{Counted, weigh};
use crate::regions::Regions;
use crate::report::{Lines, Report, count, grouped, percent};

/// Arguments of `waymarch maps`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  waymarch maps
  waymarch maps info valley
  waymarch maps info arena.map --json
  waymarch maps info valley --memory --locomotors 4 --sizes 1
  waymarch maps convert arena.map arena.yaml
  waymarch maps generate --seed 42 --size 256x192 mine.yaml")]
pub(crate) struct MapsArgs {
    #[command(subcommand)]
    command: Option<MapsCommand>,
}

#[derive(Subcommand, Debug)]
enum MapsCommand {
    /// List the built-in maps.
    List,
    /// Print the size and terrains of a map, and what each locomotor can reach.
    Info {
        /// A map file, a built-in name, or generate:SEED:WxH.
        #[arg(value_name = "IN", default_value = "valley")]
        map: String,
        /// Print the memory the map takes, by component, beside a budget.
        #[arg(long)]
        memory: bool,
        /// With --memory: count only the first N locomotors.
        #[arg(long, value_name = "N", default_value_t = MAX_LOCOMOTORS, requires = "memory")]
        locomotors: usize,
        /// With --memory: count unit sizes from 1 to N cells.
        #[arg(long, value_name = "N", default_value_t = 3, requires = "memory",
            value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_SIZE_CLASS)))]
        sizes: u8,
        #[command(flatten)]
        reading: ReadArgs,
    },
    /// Save a map in another format. .yaml keeps everything; .png keeps a part; .map refuses a map that it cannot hold.
    Convert {
        /// A map file, a built-in name, or generate:SEED:WxH.
        #[arg(value_name = "IN", default_value = "valley")]
        map: String,
        /// The file to write; default: the map's name with .yaml.
        #[arg(value_name = "OUT")]
        out: Option<PathBuf>,
        #[command(flatten)]
        reading: ReadArgs,
    },
    /// Generate a map. The same seed, size and landform give the same map on every machine.
    Generate {
        /// The seed of the random numbers.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The size of the map in cells.
        #[arg(long, value_name = "WxH", default_value = "128x128", value_parser = read_size)]
        size: GridSize,
        /// The kind of landscape.
        #[arg(long, value_enum, default_value = "coast")]
        landform: LandformName,
        /// The file to write; default: the map's name with .yaml.
        #[arg(value_name = "OUT")]
        out: Option<PathBuf>,
    },
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LandformName {
    Coast,
    Islands,
    Pass,
    Inland,
}

impl From<LandformName> for Landform {
    fn from(name: LandformName) -> Self {
        match name {
            LandformName::Coast => Self::Coast,
            LandformName::Islands => Self::Islands,
            LandformName::Pass => Self::Pass,
            LandformName::Inland => Self::Inland,
        }
    }
}

pub(super) fn run(args: &MapsArgs) -> Result<Report, Failure> {
    match &args.command {
        None | Some(MapsCommand::List) => Ok(list()),
        Some(MapsCommand::Info { map, memory: false, reading, .. }) => {
            if let Some(map) = find_level_map(map, &reading.options())? {
                return Ok(levels::info(&map));
            }
            Ok(info(&find_only_map(map, &reading.options())?))
        }
        Some(MapsCommand::Info { map, memory: true, locomotors, sizes, reading }) => {
            let counted = Counted { locomotors: *locomotors, sizes: *sizes };
            if *locomotors == 0 {
                return Err(Failure::new(Kind::Invalid, "--locomotors: count at least 1 locomotor"));
            }
            let memory = weigh(&find_only_map(map, &reading.options())?, counted);
            let memory = memory.map_err(Failure::invalid)?;
            Ok(Report::new(memory.describe(), &memory))
        }
        Some(MapsCommand::Convert { map, out, reading }) => {
            write(&find_only_map(map, &reading.options())?, out.as_deref())
        }
        Some(MapsCommand::Generate { seed, size, landform, out }) => {
            let options = GenerateOptions::for_landform((*landform).into());
            let map = generate(*seed, *size, &options).validate();
            let map =
                map.map_err(|error| Failure::new(Kind::Invalid, format!("the generated map: {error}")))?;
            write(&map, out.as_deref())
        }
    }
}

fn list() -> Report {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        about: &'static str,
    }
    #[derive(Serialize)]
    struct Document {
        maps: Vec<Entry>,
    }
    let maps: Vec<Entry> = BUILTIN.iter().map(|&(name, about)| Entry { name, about }).collect();
    let mut lines = Lines::default();
    for entry in &maps {
        lines.add(entry.name, entry.about);
    }
    let text = format!(
        "Built-in maps (the first is the default):\n\n{}\nOther maps: a file, or generate:SEED:WxH.\n",
        lines.render()
    );
    Report::new(text, &Document { maps })
}

fn write(map: &ValidMap, out: Option<&Path>) -> Result<Report, Failure> {
    #[derive(Serialize)]
    struct Document<'a> {
        map: &'a str,
        width: u32,
        height: u32,
        out: &'a Path,
        not_kept: Vec<String>,
    }
    let plain = map.map();
    let named = PathBuf::from(format!("{}.yaml", plain.name.replace(['/', '\\'], "-")));
    let out = out.unwrap_or(&named);
    save_map(out, plain)?;
    let mut text = format!("{}, {}, written to {}.\n", plain.name, plain.size, out.display());
    let not_kept = not_kept(out, plain);
    if !not_kept.is_empty() {
        text.push_str(&format!(
            "Not saved, because a picture has no place for it: {}.\n",
            not_kept.join(", ")
        ));
    }
    let (width, height) = (plain.size.width(), plain.size.height());
    Ok(Report::new(text, &Document { map: &plain.name, width, height, out, not_kept }))
}

/// The parts of the map that a file of this format cannot hold.
fn not_kept(out: &Path, map: &Map) -> Vec<String> {
    let is_picture = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    let parts = [
        (map.stamps.len(), "stamp", "stamps"),
        (map.starts.len(), "player start", "player starts"),
        (map.elevation.len(), "height", "heights"),
    ];
    let lost = parts.into_iter().filter(|(number, ..)| is_picture && *number > 0);
    lost.map(|(number, one, many)| count(number, one, many)).collect()
}

#[derive(Serialize)]
struct TerrainRow<'a> {
    name: &'a str,
    surface: &'static str,
    cells: usize,
    percent: f64,
}

#[derive(Serialize)]
struct LocomotorRow<'a> {
    name: &'a str,
    passable: usize,
    passable_percent: f64,
    cheapest: Option<u8>,
    dearest: Option<u8>,
    components: usize,
    largest: usize,
    largest_percent: f64,
}

#[derive(Serialize)]
struct Info<'a> {
    name: &'a str,
    width: u32,
    height: u32,
    cells: usize,
    normal: u8,
    starts: Vec<[i32; 2]>,
    stamps: usize,
    elevation: Option<[i16; 2]>,
    terrains: Vec<TerrainRow<'a>>,
    locomotors: Vec<LocomotorRow<'a>>,
}

fn info(map: &ValidMap) -> Report {
    let plain = map.map();
    let layer = CostLayer::new(map, CostSettings::default());
    let mut counts = vec![0; plain.rules.terrains.len()];
    for at in plain.size.rect().cells() {
        if let Some(terrain) = layer.terrain(at) {
            counts[terrain.index()] += 1;
        }
    }
    let cells = plain.size.cells();
    let terrains = plain.rules.terrains.iter().zip(counts).filter(|(_, cells)| *cells > 0);
    let mut terrains: Vec<TerrainRow<'_>> = terrains
        .map(|(def, count)| TerrainRow {
            name: &def.name,
            surface: def.surface.name(),
            cells: count,
            percent: percent(count, cells),
        })
        .collect();
    terrains.sort_by_key(|row| std::cmp::Reverse(row.cells));
    let locomotors = (0..plain.rules.locomotors.len()).filter_map(|id| locomotor_row(&layer, id as u8));
    let (low, high) = (plain.elevation.iter().min(), plain.elevation.iter().max());
    let info = Info {
        name: &plain.name,
        width: plain.size.width(),
        height: plain.size.height(),
        cells,
        normal: plain.rules.normal,
        starts: plain.starts.iter().map(|at| [at.x, at.y]).collect(),
        stamps: plain.stamps.len(),
        elevation: low.zip(high).map(|(&low, &high)| [low, high]),
        terrains,
        locomotors: locomotors.collect(),
    };
    Report::new(describe(&info), &info)
}

fn locomotor_row(layer: &CostLayer, id: u8) -> Option<LocomotorRow<'_>> {
    let id = LocomotorId(id);
    let def = layer.rules().locomotor_def(id)?;
    let field = layer.field(id.into())?;
    let cells = field.grid().cells();
    let passable = cells - field.histogram()[usize::from(IMPASSABLE)] as usize;
    let regions = Regions::of(field, StepRule::default());
    let largest = regions.largest().map_or(0, |region| regions.size(region));
    let is_open = passable > 0;
    Some(LocomotorRow {
        name: &def.name,
        passable,
        passable_percent: percent(passable, cells),
        cheapest: is_open.then(|| field.cheapest()),
        dearest: is_open.then(|| field.dearest()),
        components: regions.count(),
        largest,
        largest_percent: percent(largest, passable),
    })
}

fn describe(info: &Info<'_>) -> String {
    let mut lines = Lines::default();
    lines.add("size", format!("{}×{} = {} cells", info.width, info.height, grouped(info.cells as u64)));
    let starts: Vec<String> = info.starts.iter().map(|[x, y]| format!("{x},{y}")).collect();
    lines.add("starts", if starts.is_empty() { "none".into() } else { starts.join("  ") });
    lines.add("stamps", info.stamps.to_string());
    if let Some([low, high]) = info.elevation {
        lines.add("heights", format!("{low} to {high} (256 is the width of one cell)"));
    }
    lines.add("normal cost", format!("{} for a cell of normal ground", info.normal));
    let mut text = format!("{}\n\n{}\n", info.name, lines.render());
    let widest = info.terrains.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in &info.terrains {
        let bar = "█".repeat((row.percent / 2.5).round() as usize);
        let cells = grouped(row.cells as u64);
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {:widest$}  {:>9}  {:>6.2} %  {bar}", row.name, cells, row.percent);
    }
    text.push('\n');
    let widest = info.locomotors.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in &info.locomotors {
        let _ = write!(text, "  {:widest$}  {:>6.2} % passable", row.name, row.passable_percent);
        if let (Some(cheapest), Some(dearest)) = (row.cheapest, row.dearest) {
            let regions = count(row.components, "region", "regions");
            let _ = write!(
                text,
                ", costs {cheapest} to {dearest}, {regions}; the largest has {:.2} % of the passable cells",
                row.largest_percent
            );
        }
        text.push('\n');
    }
    text
}
