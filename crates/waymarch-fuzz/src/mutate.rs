//! Mutations of inputs.

use waymarch_testkit::splitmix::SplitMix;

/// Inputs are cut to 6144 bytes, so that a million of them take minutes.
pub const MAX_LEN: usize = 6144;

/// Numbers that parsers get wrong, as text.
const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "31",
    "32",
    "64",
    "65",
    "127",
    "128",
    "254",
    "255",
    "256",
    "8192",
    "8193",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "4294967296",
    "18446744073709551616",
];

/// The same as bit patterns.
pub(crate) const PATTERNS: [u32; 14] =
    [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x2000, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];

/// Letters that are rare in tests: two to four bytes, blanks that are not spaces, line ends that are not LF,
/// marks without width, and bytes that are not text.
const LETTERS: [&[u8]; 17] = [
    "é".as_bytes(),
    "→".as_bytes(),
    "𝄞".as_bytes(),
    "\u{85}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{300}".as_bytes(),
    "İ".as_bytes(),
    "\r\n".as_bytes(),
    b"\r",
    b"\t",
    b"\0",
    b"\x0b",
    b"\x1b",
    b"\xff",
    b"\xf0\x9f",
];

/// Scratch: mutates inputs; it has only the state of its generator.
#[derive(Debug)]
pub struct Mutator<'a> {
    rng: SplitMix,
    tokens: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    /// A mutator that inserts `tokens`.
    #[must_use]
    pub fn new(seed: u64, tokens: &'a [Vec<u8>]) -> Self {
        Self { rng: SplitMix::new(seed), tokens }
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.rng.below(u32::try_from(bound).unwrap_or(u32::MAX)) as usize
    }

    /// A new input: a random member of `pool`, which must not be empty, changed once or a few times.
    pub fn mutant(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.below(pool.len())].clone();
        // Mostly one or two changes, because an input with many changes is refused at once.
        let changes = 1 + self.below(2) + if self.rng.chance(200) { self.below(6) } else { 0 };
        for _ in 0..changes {
            let other = &pool[self.below(pool.len())];
            self.change(&mut input, other);
            input.truncate(MAX_LEN);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        match self.below(16) {
            0 => self.flip_bit(input),
            1 => self.set_byte(input),
            2 => self.delete(input),
            3 => self.duplicate(input),
            4 => self.move_part(input),
            5 => self.splice(input, other),
            6 => self.borrow(input, other),
            7 | 8 => self.replace_number(input),
            9 => self.replace_pattern(input),
            10 | 11 => self.insert_token(input),
            12 => self.overwrite_token(input),
            13 => self.insert_letter(input),
            14 => self.change_line(input),
            _ => input.truncate(self.below(input.len() + 1)),
        }
    }

    fn flip_bit(&mut self, input: &mut [u8]) {
        let (at, bit) = (self.below(input.len()), self.below(8));
        if let Some(byte) = input.get_mut(at) {
            *byte ^= 1 << bit;
        }
    }

    fn set_byte(&mut self, input: &mut [u8]) {
        let (at, value) = (self.below(input.len()), self.below(256));
        if let Some(byte) = input.get_mut(at) {
            *byte = value as u8;
        }
    }

    /// A part of `len` bytes, short ones more often.
    fn part(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        let longest = if self.rng.chance(700) { (len - start).min(12) } else { len - start };
        start..start + self.below(longest + 1)
    }

    fn delete(&mut self, input: &mut Vec<u8>) {
        let part = self.part(input.len());
        input.drain(part);
    }

    /// Repeats a part, sometimes often enough to make nesting or lengths huge.
    fn duplicate(&mut self, input: &mut Vec<u8>) {
        let part = input[self.part(input.len())].to_vec();
        let times = if self.rng.chance(150) { 1 + self.below(400) } else { 1 };
        let room = MAX_LEN.saturating_sub(input.len());
        let repeated = part.repeat(times.min(room / part.len().max(1)));
        self.insert(input, &repeated);
    }

    fn move_part(&mut self, input: &mut Vec<u8>) {
        let part = self.part(input.len());
        let moved: Vec<u8> = input.drain(part).collect();
        self.insert(input, &moved);
    }

    /// Joins the beginning of one input and the end of another.
    fn splice(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        input.truncate(self.below(input.len() + 1));
        input.extend_from_slice(&other[self.below(other.len() + 1)..]);
    }

    /// Inserts a part of another input.
    fn borrow(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let part = &other[self.part(other.len())];
        self.insert(input, part);
    }

    /// Replaces one of the numbers in the input.
    fn replace_number(&mut self, input: &mut Vec<u8>) {
        let is_digit = |at: usize| input.get(at).is_some_and(u8::is_ascii_digit);
        let starts: Vec<usize> =
            (0..input.len()).filter(|&at| is_digit(at) && (at == 0 || !is_digit(at - 1))).collect();
        let Some(&start) = starts.get(self.below(starts.len())) else { return };
        let end = (start..).find(|&at| !is_digit(at)).unwrap_or(start);
        let number = match self.below(3) {
            0 => self.below(100).to_string(),
            _ => self.rng.pick(&NUMBERS).to_string(),
        };
        input.splice(start..end, number.into_bytes());
    }

    fn replace_pattern(&mut self, input: &mut [u8]) {
        let pattern = self.rng.pick(&PATTERNS);
        let (little, big) = (pattern.to_le_bytes(), pattern.to_be_bytes());
        let bytes = match self.below(6) {
            0 => &little[..1],
            1 => &little[..2],
            2 => &big[2..],
            3 => &little[..],
            _ => &big[..],
        };
        self.overwrite(input, bytes);
    }

    fn token(&mut self) -> &'a [u8] {
        match self.tokens.get(self.below(self.tokens.len())) {
            Some(token) => token,
            None => self.rng.pick(&LETTERS),
        }
    }

    fn insert_token(&mut self, input: &mut Vec<u8>) {
        let token = self.token();
        self.insert(input, token);
    }

    fn overwrite_token(&mut self, input: &mut [u8]) {
        let token = self.token();
        self.overwrite(input, token);
    }

    fn insert_letter(&mut self, input: &mut Vec<u8>) {
        let letter = self.rng.pick(&LETTERS);
        self.insert(input, letter);
    }

    fn insert(&mut self, input: &mut Vec<u8>, bytes: &[u8]) {
        let at = self.below(input.len() + 1);
        input.splice(at..at, bytes.iter().copied());
    }

    fn overwrite(&mut self, input: &mut [u8], bytes: &[u8]) {
        let at = self.below(input.len());
        for (byte, new) in input.iter_mut().skip(at).zip(bytes) {
            *byte = *new;
        }
    }

    /// Deletes, repeats, moves or indents a line.
    fn change_line(&mut self, input: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
        let at = self.below(lines.len());
        let Some(&line) = lines.get(at) else { return };
        let indented = [&b"  "[..], line].concat();
        match self.below(4) {
            0 => _ = lines.remove(at),
            1 => lines.insert(at, line),
            2 => {
                lines.remove(at);
                let to = self.below(lines.len() + 1);
                lines.insert(to, line);
            }
            _ => lines[at] = &indented,
        }
        *input = lines.concat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_mutants_and_inputs_stay_short() {
        let pool = [b"width 12\nmap\n".to_vec(), vec![7; MAX_LEN], Vec::new()];
        let tokens = [b"token".to_vec()];
        let (mut one, mut two) = (Mutator::new(5, &tokens), Mutator::new(5, &tokens));
        let mut different = 0;
        for _ in 0..5000 {
            let input = one.mutant(&pool);
            assert_eq!(input, two.mutant(&pool));
            assert!(input.len() <= MAX_LEN);
            different += usize::from(!pool.contains(&input));
        }
        // Only the first input of the pool can be changed by every mutation.
        assert!(different > 3000, "{different}");
    }
}
