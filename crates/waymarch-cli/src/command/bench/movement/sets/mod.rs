//! The sets of scenes. Which scene has which units and orders follows from the set, the name and the seed alone.
//!
//! - `mazes.rs`, `gaps.rs`, `yard.rs`, `corridors.rs`: narrow ground, built here
//! - `maps.rs`: real game maps
//! - `games.rs`: scenarios, armies and crowds from other parts of the program

mod corridors;
mod games;
mod gaps;
mod maps;
mod mazes;
mod yard;

use super::scene::Scene;
use crate::diagnostics::Failure;

/// A set of scenes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Set {
    /// Mazes with corridors one cell wide: 40 braided and 10 perfect ones.
    Mazes,
    /// 40 against 40 units through a gap in a wall.
    Gaps,
    /// A yard with one exit, a factory and a dock.
    Yard,
    /// Two-way corridors, passing bays, rooms, units of two sizes.
    Corridors,
    /// All built-in scenarios.
    Builtin,
    /// The army of `bench service`, 5,000 units.
    Army,
    /// 1,000 units on each game map of WAYMARCH_DATA.
    Maps,
    /// The own scenes of `bench crowd`.
    Crowd,
}

impl Set {
    /// The sets that run by default: together less than a minute.
    pub(super) const DEFAULT: [Self; 4] = [Self::Mazes, Self::Gaps, Self::Yard, Self::Corridors];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Mazes => "mazes",
            Self::Gaps => "gaps",
            Self::Yard => "yard",
            Self::Corridors => "corridors",
            Self::Builtin => "builtin",
            Self::Army => "army",
            Self::Maps => "maps",
            Self::Crowd => "crowd",
        }
    }

    /// The scenes of the set, in the order in which they run.
    pub(super) fn scenes(self, amount: Amount) -> Result<Vec<Scene>, Failure> {
        Ok(match self {
            Self::Mazes => mazes::scenes(amount),
            Self::Gaps => gaps::scenes(amount),
            Self::Yard => yard::scenes(amount),
            Self::Corridors => corridors::scenes(amount),
            Self::Builtin => games::builtin(),
            Self::Army => games::army(amount),
            Self::Maps => maps::scenes(amount)?,
            Self::Crowd => games::crowd(amount),
        })
    }

    /// Why the set has no scenes here; `None` if it has some.
    pub(super) fn note(self) -> Option<&'static str> {
        let is_missing = self == Self::Maps && maps::data_folder().is_none();
        is_missing.then_some("maps: skipped, because WAYMARCH_DATA is not set")
    }
}

/// How many seeds run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    /// The number that the command line names.
    pub(super) seeds: Option<u32>,
    /// The first seed.
    pub(super) base: u32,
    /// Whether sets run with all seeds or with a few, if the command line names no number.
    pub(super) default: DefaultSeeds,
}

/// How many seeds a set has by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DefaultSeeds {
    All,
    Few,
}

impl Amount {
    /// The seeds of a scene. `defaults` has the number of all seeds and the number of a few.
    fn seeds(self, defaults: [u32; 2]) -> impl Iterator<Item = u32> + use<> {
        let default = defaults[usize::from(self.default == DefaultSeeds::Few)];
        let count = self.seeds.unwrap_or(default);
        let base = self.base;
        (0..count).map(move |number| base.saturating_add(number))
    }
}
