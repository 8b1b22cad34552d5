//! A function has at most five parameters; more of them need a struct with named fields.
//!
//! A deprecated function keeps the parameters that it had.

use super::Violation;
use super::lexer::Kind;
use super::source::{Source, before_item, closing};

/// Parameters that a function may have, `self` not counted: 5.
pub(crate) const MAX_PARAMETERS: usize = 5;

/// Checks the functions of a file outside its tests.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let Some(name) = source.get(at + 1).filter(|name| name.kind == Kind::Ident) else { continue };
        if !token.is_ident("fn") || is_deprecated(source, at) {
            continue;
        }
        let count = parameters(source, after_generics(source, at + 2));
        if count > MAX_PARAMETERS {
            let message = format!(
                "`{}` has {count} parameters, more than {MAX_PARAMETERS}: name them in a struct",
                name.text
            );
            found.push(Violation::new(&source.path, name.line, "parameters", message));
        }
    }
    found
}

/// Whether the item with the keyword at `at` has the attribute `#[deprecated]`.
fn is_deprecated(source: &Source, at: usize) -> bool {
    let attributes = before_item(source, at);
    source.tokens[attributes..at]
        .windows(3)
        .any(|tokens| tokens[0].is("#") && tokens[1].is("[") && tokens[2].is_ident("deprecated"))
}

/// The place after the generics that may start at `at`.
pub(crate) fn after_generics(source: &Source, at: usize) -> usize {
    let (mut angles, mut place) = (0_u32, at);
    while let Some(token) = source.get(place) {
        if token.is("<") {
            angles += 1;
        } else if token.is(">") && !source.tokens[place - 1].is("-") {
            angles = angles.saturating_sub(1);
        } else if angles == 0 {
            break;
        }
        place += 1;
    }
    place
}

/// The parameters between the bracket at `open` and its end, `self` not counted.
pub(crate) fn parameters(source: &Source, open: usize) -> usize {
    let close = closing(&source.tokens, open);
    let (mut count, mut angles, mut place) = (0, 0_u32, open + 1);
    while place < close {
        let token = &source.tokens[place];
        if token.is("(") || token.is("[") || token.is("{") {
            place = closing(&source.tokens, place);
        } else if token.is("<") {
            angles += 1;
        } else if token.is(">") && !source.tokens[place - 1].is("-") {
            angles = angles.saturating_sub(1);
        } else if token.is(":") && angles == 0 {
            count += 1;
        }
        place += 1;
    }
    let own = source.tokens[open..close].iter().position(|token| token.is_ident("self"));
    let typed = own.is_some_and(|own| source.get(open + own + 1).is_some_and(|next| next.is(":")));
    count - usize::from(typed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Source::new("crates/a/src/b.rs", text)).len()
    }

    #[test]
    fn six_parameters_are_caught() {
        assert_eq!(found("fn f(a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {}"), 1);
        assert_eq!(
            found(
                "fn f<T: Fn(u8) -> Vec<u8>>(&mut self, a: T, b: u8, c: u8, d: [u8; 2], (e, f): (u8, u8), g: u8) {}"
            ),
            1
        );
        assert_eq!(
            found("trait A { fn f(&self, a: u8, b: u8, c: u8, d: impl Fn(u8) -> u8, e: B<u8, u8>, g: u8); }"),
            1
        );
        assert_eq!(found("#[deprecated] fn g() {}\nfn f(a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {}"), 1);
    }

    #[test]
    fn five_parameters_and_self_pass() {
        for good in [
            "fn f(&self, a: u8, b: u8, c: u8, d: u8, e: u8) {}",
            "fn f(self: &Arc<Self>, a: u8, b: u8, c: u8, d: u8, e: u8) {}",
            "fn f(a: A<B<u8>, u8>, b: &dyn Fn(u8, u8) -> u8, c: u8) { g(1, 2, 3, 4, 5, 6); }",
            "type F = fn(u8, u8, u8, u8, u8, u8);",
            "#[deprecated(note = \"x\")]\n#[must_use]\npub(crate) const fn f(a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {}",
            "#[cfg(test)] mod tests { fn f(a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {} }",
        ] {
            assert_eq!(found(good), 0, "{good}");
        }
        let tests = Source::new("crates/a/tests/b.rs", "fn f(a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {}");
        assert_eq!(check(&tests).len(), 0);
    }
}
