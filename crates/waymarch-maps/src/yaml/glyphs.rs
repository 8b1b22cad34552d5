//! Chooses one letter per terrain for a written legend.

/// A letter for each name, none of them in `taken`. A letter of the name itself is preferred.
///
/// There are enough letters for all legal rules. If they run out, the remaining names get `None`.
pub(super) fn choose<'a>(names: impl Iterator<Item = &'a str>, taken: &[char]) -> Vec<Option<char>> {
    let mut used: Vec<char> = taken.to_vec();
    names
        .map(|name| {
            let own = name.chars().filter(char::is_ascii_alphabetic);
            let lower = own.clone().map(|letter| letter.to_ascii_lowercase());
            let upper = own.map(|letter| letter.to_ascii_uppercase());
            let free = lower.chain(upper).chain(spares()).find(|letter| !used.contains(letter));
            used.extend(free);
            free
        })
        .collect()
}

/// Letters for names whose own letters are taken: the rest of ASCII, then accented Latin letters.
fn spares() -> impl Iterator<Item = char> {
    let accented = ('\u{c0}'..='\u{24f}').filter(|letter| letter.is_alphabetic());
    ('!'..='~')
        .filter(|letter| !letter.is_ascii_alphabetic())
        .chain('a'..='z')
        .chain('A'..='Z')
        .chain(accented)
}

/// Whether a letter can be a key of a legend.
pub(super) fn is_glyph(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && letter != '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_terrain_of_the_largest_rules_gets_its_own_letter() {
        let names: Vec<String> = (0..300).map(|number| format!("Terrain {number}")).collect();
        let mut letters: Vec<char> =
            choose(names.iter().map(String::as_str), &['.', 'x']).into_iter().flatten().collect();
        assert!(letters.iter().all(|&letter| is_glyph(letter) && letter != '.' && letter != 'x'));
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), 300);
    }

    #[test]
    fn a_terrain_gets_the_first_free_letter_of_its_name() {
        assert_eq!(choose(["Road", "Rough", "River"].into_iter(), &[]), [Some('r'), Some('o'), Some('i')]);
    }
}
