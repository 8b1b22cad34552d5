//! Sentences of comments and documents: their subject is a thing of the program.
//!
//! A sentence that begins with "who", "those" or "nobody" does not name the unit, group or route it speaks of. The words `so many`
//! stand where a number and its unit belong.

use super::Violation;
use super::script;
use super::source::Source;

const RULE: &str = "sentence";

/// Words that no sentence begins with.
const NAMELESS_SUBJECTS: [&str; 7] = ["who", "whoever", "whom", "whomever", "those", "nobody", "somebody"];

/// Abbreviations whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 5] = ["e.g.", "i.e.", "cf.", "vs.", "etc."];

/// A word of a text, and its line.
struct Word {
    text: String,
    line: usize,
}

/// Checks the comments of a Rust file, documentation included.
pub(crate) fn check_source(source: &Source) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut block: Vec<(usize, &str)> = Vec::new();
    for (at, comment) in source.comments.iter().enumerate() {
        block.push((comment.line, &comment.text));
        let goes_on = source
            .comments
            .get(at + 1)
            .is_some_and(|next| !next.trails && next.style == comment.style && next.line == comment.line + 1);
        if !goes_on {
            found.extend(check_lines(&source.path, &block));
            block.clear();
        }
    }
    found
}

/// Checks a Markdown document.
pub(crate) fn check_document(path: &str, text: &str) -> Vec<Violation> {
    let lines: Vec<(usize, &str)> = text.lines().enumerate().map(|(at, line)| (at + 1, line)).collect();
    check_lines(path, &lines)
}

/// Checks the comments of a JavaScript file.
pub(crate) fn check_script(path: &str, text: &str) -> Vec<Violation> {
    let comments = script::comments(text);
    let mut found = Vec::new();
    for block in comments.chunk_by(|one, next| one.goes_on && next.line == one.line + 1) {
        let lines: Vec<(usize, &str)> =
            block.iter().map(|comment| (comment.line, comment.text.as_str())).collect();
        found.extend(check_lines(path, &lines));
    }
    found
}

fn check_lines(path: &str, lines: &[(usize, &str)]) -> Vec<Violation> {
    let mut found = Vec::new();
    for paragraph in paragraphs(lines) {
        let mut first = true;
        for (at, word) in paragraph.iter().enumerate() {
            let bare = bare(&word.text);
            if bare.is_empty() {
                continue;
            }
            if first && NAMELESS_SUBJECTS.contains(&bare.as_str()) {
                let shown: Vec<&str> =
                    paragraph[at..].iter().take(6).map(|word| word.text.as_str()).collect();
                let message = format!("\"{} …\": name the unit, group or route instead", shown.join(" "));
                found.push(Violation::new(path, word.line, RULE, message));
            }
            let next = paragraph.get(at + 1).map(|next| self::bare(&next.text));
            if word.text.to_lowercase().ends_with("so") && bare == "so" && next.as_deref() == Some("many") {
                found.push(Violation::new(path, word.line, RULE, "\"so many\": say the number and its unit"));
            }
            first = ends_sentence(&word.text);
        }
    }
    found
}

/// A word without the marks around it, in small letters.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches([')', ']', '"', '\'', '*', '_', '”', '’']);
    word.ends_with(['.', '!', '?'])
        && !ABBREVIATIONS.contains(&word.trim_start_matches('(').to_lowercase().as_str())
}

/// The words of each paragraph, list item, heading and table cell. Code is left out.
fn paragraphs(lines: &[(usize, &str)]) -> Vec<Vec<Word>> {
    let mut all = vec![Vec::new()];
    let (mut fenced, mut in_code) = (false, false);
    for &(line, text) in lines {
        let trimmed = text.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
            all.push(Vec::new());
            continue;
        }
        if fenced {
            continue;
        }
        let (starts, body) = without_marker(trimmed);
        if starts || body.is_empty() {
            all.push(Vec::new());
            in_code = false;
        }
        // Code between backticks becomes one `x`, so that words in it do not count.
        let mut shown = String::new();
        for c in body.chars() {
            match c {
                '`' => {
                    in_code = !in_code;
                    shown.push('x');
                }
                _ if in_code => {}
                _ => shown.push(c),
            }
        }
        for (cell, words) in shown.split('|').enumerate() {
            if cell > 0 {
                all.push(Vec::new());
            }
            let last = all.last_mut().expect("there is one from the start");
            last.extend(words.split_whitespace().map(|word| Word { text: word.to_string(), line }));
        }
    }
    all.retain(|words| !words.is_empty());
    all
}

/// Whether a line starts a list item, heading, quote or table row, and the line without that mark.
fn without_marker(line: &str) -> (bool, &str) {
    for mark in ["- ", "* ", "+ ", "> ", "|"] {
        if let Some(rest) = line.strip_prefix(mark) {
            return (true, rest);
        }
    }
    if line.starts_with('#') {
        return (true, line.trim_start_matches('#'));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    match line[digits..].strip_prefix(". ") {
        Some(rest) if (1..=3).contains(&digits) => (true, rest),
        _ => (false, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_source(text: &str) -> Vec<usize> {
        check_source(&Source::new("crates/a/src/b.rs", text)).iter().map(|found| found.line).collect()
    }

    fn in_document(text: &str) -> Vec<usize> {
        check_document("docs/a.md", text).iter().map(|found| found.line).collect()
    }

    #[test]
    fn a_comment_that_begins_with_who_is_caught() {
        assert_eq!(in_source("/// Who waits, waits.\nfn f() {}"), [1]);
        assert_eq!(in_source("//! Units wait. Whoever\n//! comes later goes first."), [1]);
        assert_eq!(in_source("fn f() {} // those behind wait"), [1]);
        assert_eq!(in_source("// A list:\n// - Whom it sees.\n// - (Those behind.)"), [2, 3]);
        assert_eq!(in_source("/// Really? *Who* knows."), [1]);
        assert_eq!(in_source("/// Nobody waits. Somebody goes."), [1, 1]);
    }

    #[test]
    fn comments_of_scripts_are_read() {
        let lines = |text: &str| -> Vec<usize> {
            check_script("page/a.js", text).iter().map(|found| found.line).collect()
        };
        assert_eq!(lines("// Who waits, waits.\nlet a = 1; // Nobody waits."), [1, 2]);
        assert_eq!(lines("/** Somebody waits. */\n/**\n * Units wait. Those\n * behind too.\n */"), [1, 3]);
        assert_eq!(lines("// It lasts so\n// many ticks."), [1]);
        for good in [
            "let s = \"// Who knows.\"; let t = `\n// Who knows.\n`;",
            "let link = 'http://x/'; // The unit waits.",
            "let r = /'/; // The unit waits.\nlet who = 1;",
            "// It lasts so\nlet many = 1;",
        ] {
            assert_eq!(lines(good), Vec::<usize>::new(), "{good}");
        }
    }

    #[test]
    fn so_many_is_caught_even_across_lines() {
        assert_eq!(in_source("/// A tick lasts so\n/// many steps."), [1]);
        assert_eq!(in_source("// So many cells."), [1]);
        assert_eq!(in_document("It takes so many."), [1]);
    }

    #[test]
    fn subjects_that_name_the_thing_pass() {
        for good in [
            "/// The unit who waits.\nfn f() {}",
            "/// Units, those that wait too.",
            "/// Not so: many wait.",
            "/// `Who` is a type. `so many` is code.",
            "/// ```\n/// // Who knows.\n/// ```",
            "let s = \"Who knows. So many.\";",
            "/// One or two, e.g. those behind.",
            "/// Whole cells. Whose unit.",
        ] {
            assert_eq!(in_source(good), Vec::<usize>::new(), "{good}");
        }
    }

    #[test]
    fn documents_are_read_by_paragraph_list_and_table_cell() {
        let text =
            "# Who waits\n\nA unit\nwaits.\n\n1. Those behind\n\n| a | who b |\n\n```text\nWho.\n```\n";
        assert_eq!(in_document(text), [1, 6, 8]);
    }

    #[test]
    fn comments_of_another_style_or_place_are_apart() {
        assert_eq!(in_source("/// It lasts so\n// many\nfn f() {}"), Vec::<usize>::new());
        assert_eq!(in_source("//! It lasts so\n\n//! many"), Vec::<usize>::new());
    }
}
