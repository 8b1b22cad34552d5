//! Methods that a folder adds to a type of another folder. A call of such a method needs no `use`, so it would hide an import.
//!
//! Tokens have no types, so a call is matched by name and number of arguments. Only names that one function of the scope has are looked at.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::{Kind, Token};
use super::parameters::{after_generics, parameters};
use super::source::{Source, closing};

/// A file of the scope.
pub(crate) struct ScopeFile<'a> {
    pub(crate) source: &'a Source,
    /// The folder that it belongs to; `None` for a file beside the folders.
    pub(crate) folder: Option<String>,
}

/// A call of a method that another folder adds to a type it does not define.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HiddenCall {
    /// The number of the file that calls.
    pub(crate) file: usize,
    pub(crate) line: usize,
    /// The number of the file that defines the method.
    pub(crate) definer: usize,
}

/// A method in an `impl` of a type that its folder does not define.
struct Added<'a> {
    file: usize,
    of: &'a str,
    arguments: usize,
}

/// The calls in `files` that hide an import of one folder by another.
pub(crate) fn hidden_calls(files: &[ScopeFile<'_>]) -> Vec<HiddenCall> {
    let mut types: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
    for ScopeFile { source, folder } in files {
        for (at, token) in source.code() {
            let Some(name) = source.get(at + 1).filter(|name| name.kind == Kind::Ident) else { continue };
            match token.text.as_str() {
                "fn" => *functions.entry(&name.text).or_default() += 1,
                "struct" | "enum" | "trait" | "type" => {
                    types.extend(folder.as_ref().map(|folder| (folder.as_str(), name.text.as_str())));
                }
                _ => {}
            }
        }
    }
    let mut added = BTreeMap::new();
    for (file, ScopeFile { source, folder }) in files.iter().enumerate() {
        let Some(folder) = folder else { continue };
        for (of, body) in inherent_impls(source) {
            if types.contains(&(folder, of)) {
                continue;
            }
            for (name, arguments) in methods(source, body) {
                if functions.get(name) == Some(&1) {
                    added.insert(name, Added { file, of, arguments });
                }
            }
        }
    }
    let mut found = Vec::new();
    for (file, ScopeFile { source, folder }) in files.iter().enumerate() {
        for (at, token) in source.code().filter(|(_, token)| token.kind == Kind::Ident) {
            let Some(method) = added.get(token.text.as_str()) else { continue };
            let elsewhere = folder.is_some() && *folder != files[method.file].folder;
            if elsewhere && calls(source, at, method) {
                found.push(HiddenCall { file, line: token.line, definer: method.file });
            }
        }
    }
    found
}

/// The types that a file has inherent `impl`s of, each with the index of the opening bracket.
fn inherent_impls(source: &Source) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (at, token) in source.code() {
        // `impl` in a signature follows other tokens: `-> impl`, `: impl`, `&impl`.
        let starts_item = at.checked_sub(1).is_none_or(|before| {
            let before = &source.tokens[before];
            before.kind == Kind::Doc || ["}", ";", "]", "{"].iter().any(|end| before.is(end))
        });
        if !token.is_ident("impl") || !starts_item {
            continue;
        }
        let (mut place, mut angles, mut name) = (after_generics(source, at + 1), 0_u32, None);
        let mut bounds = false;
        let open = loop {
            let Some(token) = source.get(place) else { break None };
            match token.text.as_str() {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                // An `impl` of a trait: the trait has to be imported.
                "for" if angles == 0 => break None,
                "{" if angles == 0 => break Some(place),
                "where" => bounds = true,
                _ if angles == 0 && !bounds && token.kind == Kind::Ident => name = Some(token.text.as_str()),
                _ => {}
            }
            place += 1;
        };
        found.extend(name.zip(open));
    }
    found
}

/// The methods in the `impl` that opens at `open`, with the number of their arguments.
fn methods(source: &Source, open: usize) -> Vec<(&str, usize)> {
    let close = closing(&source.tokens, open);
    let (mut found, mut place) = (Vec::new(), open + 1);
    while place < close {
        let token = &source.tokens[place];
        if token.is_ident("fn")
            && let Some(name) = source.get(place + 1)
        {
            found.push((name.text.as_str(), parameters(source, after_generics(source, place + 2))));
        }
        place = if token.is("{") || token.is("(") { closing(&source.tokens, place) } else { place } + 1;
    }
    found
}

/// Whether the name at `at` is a use of the method: `.name(…)` with as many arguments, or `Type::name`.
fn calls(source: &Source, at: usize, method: &Added<'_>) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|place| &source.tokens[place]);
    if before(1).is_some_and(|token| token.is("::")) {
        return before(2).is_some_and(|token| token.is_ident(method.of));
    }
    let open = source.get(at + 1).is_some_and(|next| next.is("("));
    open && before(1).is_some_and(|token| token.is("."))
        && arguments(&source.tokens, at + 1) == method.arguments
}

/// The number of arguments between the bracket at `open` and its end.
fn arguments(tokens: &[Token], open: usize) -> usize {
    let close = closing(tokens, open);
    let (mut commas, mut place) = (0, open + 1);
    while place < close {
        let token = &tokens[place];
        // The parameters of a closure are not arguments of the call.
        if token.is("|") {
            place += 1;
            while place < close && !tokens[place].is("|") {
                place += 1;
            }
        } else if token.is("(") || token.is("[") || token.is("{") {
            place = closing(tokens, place);
        } else if token.is(",") && place + 1 < close {
            commas += 1;
        }
        place += 1;
    }
    if close == open + 1 { 0 } else { commas + 1 }
}
