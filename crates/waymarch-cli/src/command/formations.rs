//! `waymarch formations`: draws the slots of formations, and which unit takes which slot.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use waymarch::base::{Agent, Angle, CellPos, Fine, Fixed};
use waymarch::config::FormationType;
use waymarch::groups::{
    Approach, Assignment, Fit, Formation, FormationError, FormationRequest, Formations, MapFooting, Member,
    Role, Shape, Slot, crossings, facing_towards,
};
use waymarch::sectors::Sectors;
use waymarch_cli::picture::{GroupPicture, Picture, Style};
use waymarch_maps::write_file;

use crate::arguments::{AgentArgs, EndArgs, MapArgs};
use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;
use crate::report::Report;
use crate::scale::fine_cells;

const EXAMPLES: &str = "\
Examples:
  waymarch formations
  waymarch formations --units 60 --formation wedge --out wedge.png
  waymarch formations --map islands --units 200 --formation hex,line --mixed
  waymarch formations --map rooms --from 10,10 --to 40,40 --units 300 --formation adaptive";

/// Arguments of `waymarch formations`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FormationsArgs {
    #[command(flatten)]
    map: MapArgs,
    #[command(flatten)]
    agent: AgentArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// The number of units.
    #[arg(long, short, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=5000))]
    units: u32,
    /// The formations to draw, separated by commas; default: all.
    #[arg(long, short, value_enum, value_delimiter = ',')]
    formation: Vec<FormationName>,
    /// Use units of three sizes and three roles instead of equal units.
    #[arg(long)]
    mixed: bool,
    /// Extra space between units, in 1024ths of a cell.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=16_384))]
    gap: i32,
    /// The PNG file to write. With several formations, each file has the formation's name before the dot.
    #[arg(long, short, value_name = "FILE.png", default_value = "formations.png")]
    out: PathBuf,
    /// The approximate length of the longer side, in pixels.
    #[arg(long, value_name = "N", default_value_t = 1400, value_parser = clap::value_parser!(u32).range(64..=4096))]
    pixels: u32,
}

/// A formation, by its name in the settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FormationName(FormationType);

impl ValueEnum for FormationName {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FormationName; 9] = {
            let mut all = [FormationName(FormationType::Adaptive); 9];
            let mut at = 0;
            while at < all.len() {
                all[at] = FormationName(FormationType::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.0.name().into())
    }
}

#[derive(Serialize)]
struct Row {
    formation: &'static str,
    /// The shape that the formation took on this ground.
    shape: String,
    units: u32,
    /// The number of slots placed.
    slots: usize,
    /// Slots that the ground moved from their place in the formation.
    moved: usize,
    crossings: u64,
    mean_leg_cells: f64,
    out: PathBuf,
}

#[derive(Serialize)]
struct Document<'a> {
    map: &'a str,
    from: CellPos,
    to: CellPos,
    rows: Vec<Row>,
}

/// What every formation is drawn with.
struct Scene<'a> {
    setup: &'a MapSetup,
    footing: MapFooting<'a>,
    members: Vec<Member>,
    goal: Fine,
    gap: Fixed,
}

pub(super) fn run(args: &FormationsArgs) -> Result<Report, Failure> {
    let setup = MapSetup::open(&args.map, &args.agent)?;
    let ends = setup.ends(&args.ends)?;
    let sectors = Sectors::new(&setup.layer, setup.config.step_rule());
    let starts = [(setup.agent, ends.from)];
    let footing = MapFooting::new(&setup.layer, &sectors, &starts);
    let mut scene = Scene {
        setup: &setup,
        footing,
        members: spawn(args, setup.agent, ends.from),
        goal: Fine::centre(ends.to),
        gap: Fixed::from_raw(args.gap),
    };
    scene.gather_at(Fine::centre(ends.from))?;
    let all = FormationName::value_variants();
    let names = if args.formation.is_empty() { all } else { &args.formation };
    let mut rows = Vec::new();
    for name in names {
        let out = if names.len() == 1 { args.out.clone() } else { named(&args.out, name.0.name()) };
        rows.push(scene.draw(name.0, args.pixels, out)?);
    }
    let mut text = format!("{} units from {} to {}:\n", args.units, ends.from, ends.to);
    for row in &rows {
        text.push_str(&format!(
            "  {:<9} as {:<9} {} slots, {} moved by the ground; mean distance {:.1} cells, {} pairs of lines cross; {}\n",
            row.formation,
            row.shape,
            row.slots,
            row.moved,
            row.mean_leg_cells,
            row.crossings,
            row.out.display()
        ));
    }
    Ok(Report::new(text, &Document { map: &setup.plain().name, from: ends.from, to: ends.to, rows }))
}

/// The units, all at one position.
fn spawn(args: &FormationsArgs, agent: Agent, at: CellPos) -> Vec<Member> {
    let body = 400 * i32::from(agent.size.side());
    let unit = |id: u32| {
        let (radius, role) = match id % 8 {
            _ if !args.mixed => (body, Role::Middle),
            0 | 1 => (body, Role::Front),
            2 => (body * 7 / 4, Role::Front),
            3 | 4 => (body * 3 / 4, Role::Back),
            _ => (body, Role::Middle),
        };
        Member { id, at: Fine::centre(at), agent, radius: Fixed::from_raw(radius), role, ..Member::default() }
    };
    (0..args.units).map(unit).collect()
}

/// The file name with `-word` before its extension.
fn named(path: &Path, word: &str) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-{word}.png"))
}

impl Scene<'_> {
    /// Gathers the group around a position, in the closest packing.
    fn gather_at(&mut self, at: Fine) -> Result<(), Failure> {
        let facing = facing_towards(&self.members, self.goal, Angle::ZERO);
        let (_, slots) = self.slots(&Formation::Hex, at, facing)?;
        let mut taken = Vec::new();
        Assignment::default().assign(&self.members, &slots, Approach::Open, &mut taken);
        for (member, slot) in self.members.iter_mut().zip(taken) {
            if let Some(slot) = slot {
                member.at = slots[slot as usize].at;
            }
        }
        Ok(())
    }

    fn slots(&self, formation: &Formation, at: Fine, facing: Angle) -> Result<(Shape, Vec<Slot>), Failure> {
        let mut slots = Vec::new();
        let request = FormationRequest { formation, centre: at, facing, gap: self.gap };
        match Formations::default().arrange(&request, &self.members, &self.footing, &mut slots) {
            Ok(shape) => Ok((shape, slots)),
            Err(error @ FormationError::NoRoom { .. }) => Err(Failure::new(Kind::NoRoute, error.to_string())),
            Err(error) => Err(Failure::invalid(error)),
        }
    }

    fn draw(&self, name: FormationType, pixels: u32, out: PathBuf) -> Result<Row, Failure> {
        let facing = facing_towards(&self.members, self.goal, Angle::ZERO);
        let (shape, slots) = self.slots(&name.into(), self.goal, facing)?;
        let mut taken = Vec::new();
        Assignment::default().assign(&self.members, &slots, Approach::Open, &mut taken);
        let legs: Vec<(Fine, Fine)> = self
            .members
            .iter()
            .zip(&taken)
            .filter_map(|(member, slot)| Some((member.at, slots[(*slot)? as usize].at)))
            .collect();
        let mut picture = Picture::new(&self.setup.map, &Style { target: pixels, ..Style::default() });
        picture.draw_map();
        picture.draw(&GroupPicture { members: &self.members, slots: &slots, taken: &taken });
        write_file(&out, &picture.encode())?;
        let length: u64 = legs.iter().map(|(a, b)| a.distance_squared(*b).isqrt()).sum();
        Ok(Row {
            formation: name.name(),
            shape: format!("{shape:?}").to_lowercase(),
            units: self.members.len() as u32,
            slots: slots.len(),
            moved: slots.iter().filter(|slot| slot.fit == Fit::Moved).count(),
            crossings: crossings(&legs),
            mean_leg_cells: fine_cells(length) / legs.len().max(1) as f64,
            out,
        })
    }
}
