//! "Did you mean …": the known word that is most similar to a mistyped one.

/// Words longer than 48 characters are not compared.
const MAX_WORD: usize = 48;

/// The candidate most similar to `word`; of equals, the first. `None` if all differ in more than about a third of their letters.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(MAX_WORD + 1).flat_map(char::to_lowercase).collect();
    if word.len() > MAX_WORD {
        return None;
    }
    let near = candidates.into_iter().filter_map(|candidate| {
        let letters: Vec<char> = candidate.chars().take(MAX_WORD + 1).flat_map(char::to_lowercase).collect();
        let distance = edits(&word, &letters);
        let allowed = (word.len().max(letters.len()) / 3).max(1);
        (letters.len() <= MAX_WORD && distance <= allowed && distance < letters.len())
            .then_some((distance, candidate))
    });
    near.min_by_key(|&(distance, _)| distance).map(|(_, candidate)| candidate)
}

/// The hint for an unknown `word`: the most similar candidate, or the whole list if it has at most 12 entries.
#[must_use]
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(near) = closest(word, candidates.clone()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let all: Vec<&str> = candidates.into_iter().take(13).collect();
    (1..=12).contains(&all.len()).then(|| format!("known here: {}", all.join(", ")))
}

/// The edit distance: insertions, deletions, replacements, and swaps of adjacent letters.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
        let words = ["sector_size", "size_classes", "name"];
        assert_eq!(closest("sector_sise", words), Some("sector_size"));
        assert_eq!(closest("sectorsize", words), Some("sector_size"));
        assert_eq!(closest("nmae", words), Some("name"));
        assert_eq!(closest("Name", words), Some("name"));
    }

    #[test]
    fn a_different_word_finds_nothing() {
        assert_eq!(closest("elephant", ["sector_size", "name"]), None);
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest(&"a".repeat(1_000_000), ["a"]), None);
    }

    #[test]
    fn a_short_list_is_shown_when_nothing_is_near() {
        assert_eq!(hint("elephant", ["on", "off"]).as_deref(), Some("known here: on, off"));
    }
}
