//! Arguments of the examples: `--peers`, `--ticks`, `--seed`, `--loss`, `--delay`, `--jitter`.

use crate::link::Faults;

/// What an example is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// The number of peers: 2 by default.
    pub peers: u8,
    /// The length of the game: 10,000 ticks (500 seconds) by default.
    pub ticks: u64,
    /// The seed: 1 by default.
    pub seed: u64,
    /// What goes wrong on every link: [`Faults::BAD`] by default.
    pub faults: Faults,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { peers: 2, ticks: 10_000, seed: 1, faults: Faults::BAD }
    }
}

impl Arguments {
    /// Reads pairs of a name and a number.
    ///
    /// # Errors
    /// A text that names the argument that is unknown or has no number.
    pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self::default();
        let mut arguments = arguments;
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("`{name}` needs a number"))?;
            let number: u32 = value.parse().map_err(|_| format!("`{name}` needs a number, not `{value}`"))?;
            match name.as_str() {
                "--peers" if (2..=4).contains(&number) => parsed.peers = number as u8,
                "--peers" => return Err(format!("`--peers` is 2, 3 or 4, not {number}")),
                "--ticks" => parsed.ticks = u64::from(number),
                "--seed" => parsed.seed = u64::from(number),
                "--loss" => parsed.faults.loss = number.min(900),
                "--delay" => parsed.faults.delay = number.min(100),
                "--jitter" => parsed.faults.jitter = number.min(100),
                _ => {
                    return Err(format!(
                        "`{name}`: the arguments are --peers, --ticks, --seed, --loss (per mille), --delay and --jitter (steps)"
                    ));
                }
            }
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Arguments, String> {
        Arguments::parse(text.split_whitespace().map(String::from))
    }

    #[test]
    fn arguments_are_pairs_of_a_name_and_a_number() {
        assert_eq!(parse(""), Ok(Arguments::default()));
        let faults = Faults { loss: 100, delay: 2, jitter: 0, ..Faults::BAD };
        let expected = Arguments { peers: 4, ticks: 50, seed: 9, faults };
        assert_eq!(parse("--peers 4 --ticks 50 --seed 9 --loss 100 --delay 2 --jitter 0"), Ok(expected));
        for wrong in ["--peers", "--peers 5", "--ticks many", "--speed 3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
