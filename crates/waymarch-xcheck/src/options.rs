//! What the arguments ask for.

use crate::control::Fault;

/// How much is played and asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Amount {
    /// Everything.
    #[default]
    Full,
    /// A part of every section: shorter games, fewer rounds.
    Quick,
}

impl Amount {
    /// `full` for the whole check, `quick` for a part of it.
    pub(crate) fn choose(self, full: u32, quick: u32) -> u32 {
        if self == Self::Quick { quick } else { full }
    }
}

/// What the arguments ask for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Sections, or parts of them as `SECTION:PART`; all if empty.
    pub only: Vec<String>,
    /// How much of each section.
    pub amount: Amount,
    /// The fault of the control game.
    pub fault: Option<Fault>,
}

/// The sections, in the order of the output.
pub(crate) const SECTIONS: [&str; 10] =
    ["base", "bytes", "queries", "crowds", "groups", "service", "settings", "games", "scenarios", "control"];

impl Options {
    /// Reads arguments: `[SECTION[:PART]]… [--quick] [--fault NAME]`.
    ///
    /// # Errors
    /// A sentence that names the argument and the legal values.
    pub fn read<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let section = word.split(':').next().unwrap_or_default();
            match word {
                "--quick" => options.amount = Amount::Quick,
                "--fault" => {
                    let name = words.next().unwrap_or_default();
                    let fault = Fault::ALL.into_iter().find(|fault| fault.name() == name);
                    let names = Fault::ALL.map(Fault::name).join(", ");
                    options.fault =
                        Some(fault.ok_or(format!("`--fault {name}`: it must be one of {names}"))?);
                }
                _ if SECTIONS.contains(&section) => options.only.push(word.to_string()),
                _ => return Err(format!("there is no section `{word}`: {}", SECTIONS.join(", "))),
            }
        }
        Ok(options)
    }

    pub(crate) fn wants_section(&self, section: &str) -> bool {
        let names = |word: &String| word.split(':').next() == Some(section);
        self.only.is_empty() || self.only.iter().any(names)
    }

    /// Whether a part of a wanted section is wanted.
    pub(crate) fn wants(&self, section: &str, part: &str) -> bool {
        let named = |word: &&String| word.split_once(':').is_some_and(|(name, _)| name == section);
        let mut parts = self.only.iter().filter(named).peekable();
        parts.peek().is_none() || parts.any(|word| word.split_once(':') == Some((section, part)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_choose_sections_and_parts() {
        let all = Options::read([]).unwrap();
        assert!(SECTIONS.iter().all(|section| all.wants_section(section) && all.wants(section, "x")));
        let some = Options::read(["--quick", "games:maze", "base", "--fault", "usize"]).unwrap();
        assert_eq!((some.amount, some.fault), (Amount::Quick, Some(Fault::Usize)));
        assert!(some.wants_section("games") && some.wants_section("base") && !some.wants_section("bytes"));
        assert!(some.wants("games", "maze") && !some.wants("games", "river") && some.wants("base", "x"));
    }

    #[test]
    fn unknown_arguments_are_refused() {
        assert!(Options::read(["gmaes"]).unwrap_err().contains("base, bytes, queries"));
        assert!(Options::read(["--fault", "float"]).unwrap_err().contains("usize, native-endian, map-order"));
        assert!(Options::read(["--fault"]).is_err());
    }
}
