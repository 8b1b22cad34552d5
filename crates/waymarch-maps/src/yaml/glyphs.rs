//! One letter per terrain: which letter a writer chooses.

/// Letters for terrains, none of them in `taken`: for each name a letter of its own if one is free, in order.
///
/// There are letters enough for any legal set of rules; should they run out, the rest get none.
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

/// Letters that belong to no name: the rest of ASCII, then Latin letters with accents.
fn spares() -> impl Iterator<Item = char> {
    let accented = ('\u{c0}'..='\u{24f}').filter(|letter| letter.is_alphabetic());
    ('!'..='~')
        .filter(|letter| !letter.is_ascii_alphabetic())
        .chain('a'..='z')
        .chain('A'..='Z')
        .chain(accented)
}

/// Whether a letter may stand for something in a legend.
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
    fn a_name_lends_its_first_letter() {
        assert_eq!(choose(["Road", "Rough", "River"].into_iter(), &[]), [Some('r'), Some('o'), Some('i')]);
    }
}
