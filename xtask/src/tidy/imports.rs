//! Modules that lie beside each other in a folder do not import each other in a circle.
//!
//! An import counts wherever it stands outside tests: in a `use` or in the middle of an expression, by `crate::`, `super::` or
//! `self::`, and through re-exports of a `mod.rs`. A folder's own `mod.rs` may use all of its children.
//!
//! Where only folders count, a call of a method is an import too, if another folder adds the method to a type that it does not define.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::lexer::Kind;
use super::methods::{ScopeFile, hidden_calls};
use super::source::{Source, closing, is_test_file};
use super::{ENGINE, Violation};

const RULE: &str = "import-cycle";

/// Which modules of a folder are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// Files and folders, and the same in every folder inside.
    All,
    /// Folders only.
    Folders,
}

/// The folders of the engine whose modules form no cycle.
const SCOPES: [(&str, Children); 5] = [
    ("world", Children::Folders),
    ("avoid", Children::All),
    ("flow", Children::All),
    ("cost", Children::All),
    ("service", Children::All),
];

/// A path of modules from the crate's root: `["flow", "tiles"]`.
type ModulePath = Vec<String>;

/// A file of the engine, as imports see it.
struct Module {
    file: String,
    path: ModulePath,
    /// The paths that it names, from the crate's root, with their lines.
    named: Vec<(ModulePath, usize)>,
}

/// What a name in a module stands for: `flow::Tile` is `flow::tiles::tile::Tile`.
type Reexports = BTreeMap<(ModulePath, String), ModulePath>;

/// Checks all files of the engine together.
pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let inside = |source: &&Source| source.path.starts_with(ENGINE) && !is_test_file(&source.path);
    let sources: Vec<&Source> = sources.iter().filter(inside).collect();
    let paths: BTreeSet<ModulePath> = sources.iter().map(|source| module_path(&source.path)).collect();
    let mut reexports = Reexports::new();
    let mut modules = Vec::new();
    for source in &sources {
        let path = module_path(&source.path);
        let named = named_paths(source, &path, &paths, &mut reexports);
        modules.push(Module { file: source.path.clone(), path, named });
    }
    for module in &mut modules {
        for (named, _) in &mut module.named {
            *named = resolve(named, &paths, &reexports);
        }
    }
    for (scope, _) in SCOPES.iter().filter(|(_, children)| *children == Children::Folders) {
        name_hidden_calls(scope, &sources, &mut modules);
    }
    let mut found = Vec::new();
    for (scope, children) in SCOPES {
        for folder in folders(scope, children, &paths) {
            found.extend(check_folder(&folder, children, &modules, &paths));
        }
    }
    found
}

/// Adds the modules whose methods a module of the scope calls without an import. `sources` and `modules` are in the same order.
fn name_hidden_calls(scope: &str, sources: &[&Source], modules: &mut [Module]) {
    let inside: Vec<usize> =
        (0..modules.len()).filter(|&at| modules[at].path.starts_with(&[scope.into()])).collect();
    let is_in_folder = |module: &Module| module.path.len() > 2 || module.file.ends_with("/mod.rs");
    let folder = |module: &Module| module.path.get(1).filter(|_| is_in_folder(module)).cloned();
    let file = |&at: &usize| ScopeFile { source: sources[at], folder: folder(&modules[at]) };
    let files: Vec<ScopeFile<'_>> = inside.iter().map(file).collect();
    for call in hidden_calls(&files) {
        let definer = modules[inside[call.definer]].path.clone();
        modules[inside[call.file]].named.push((definer, call.line));
    }
}

/// The module of a file: `crates/waymarch/src/flow/tiles/mod.rs` is `flow::tiles`.
fn module_path(file: &str) -> ModulePath {
    let inside = file.strip_prefix(ENGINE).unwrap_or(file).trim_end_matches(".rs");
    inside
        .split('/')
        .filter(|part| !part.is_empty() && *part != "mod" && *part != "lib")
        .map(str::to_string)
        .collect()
}

/// The folders to look at for a scope: itself, and with [`Children::All`] every module inside that has children.
fn folders(scope: &str, children: Children, paths: &BTreeSet<ModulePath>) -> Vec<ModulePath> {
    let mut all = BTreeSet::new();
    for path in paths.iter().filter(|path| path.len() > 1 && path[0] == scope) {
        let deepest = if children == Children::All { path.len() - 1 } else { 1 };
        all.extend((1..=deepest).map(|depth| path[..depth].to_vec()));
    }
    all.into_iter().collect()
}

/// Every path that the file names from `crate`, `super`, `self` or, in a `use`, from one of its own modules. Adds its re-exports.
fn named_paths(
    source: &Source,
    own: &ModulePath,
    paths: &BTreeSet<ModulePath>,
    reexports: &mut Reexports,
) -> Vec<(ModulePath, usize)> {
    let mut found = Vec::new();
    for (at, token) in source.code() {
        let in_path = at > 0 && (source.tokens[at - 1].is("::") || source.tokens[at - 1].is_ident("in"));
        if token.kind != Kind::Ident || in_path {
            continue;
        }
        let in_use = at > 0 && source.tokens[at - 1].is_ident("use");
        let colons = source.get(at + 1).is_some_and(|next| next.is("::"));
        let start = match token.text.as_str() {
            "crate" | "super" | "self" if colons => at,
            name if in_use && paths.contains(&joined(own, name)) => at,
            _ => continue,
        };
        for leaf in tree(source, start, Vec::new()) {
            let Some(path) = absolute(&leaf.path, own) else { continue };
            if in_use && let Some(name) = leaf.name {
                reexports.insert((own.clone(), name), path.clone());
            }
            found.push((path, leaf.line));
        }
    }
    found
}

/// One path of a use tree, and the name that it gets.
struct Leaf {
    path: ModulePath,
    name: Option<String>,
    line: usize,
}

/// The paths of the use tree, or of the plain path, that starts at `at`.
fn tree(source: &Source, mut at: usize, mut prefix: ModulePath) -> Vec<Leaf> {
    let line = source.get(at).map_or(0, |token| token.line);
    while let Some(token) = source.get(at).filter(|token| token.kind == Kind::Ident) {
        prefix.push(token.text.clone());
        at += 1;
        if !source.get(at).is_some_and(|next| next.is("::")) {
            let renamed = source.get(at).is_some_and(|next| next.is_ident("as"));
            if prefix.last().is_some_and(|last| last == "self") {
                prefix.pop();
            }
            let name = if renamed {
                source.get(at + 1).map(|token| token.text.clone())
            } else {
                prefix.last().cloned()
            };
            return vec![Leaf { path: prefix, name, line }];
        }
        at += 1;
    }
    if !source.get(at).is_some_and(|token| token.is("{")) {
        // A glob or generics: the module before it.
        return vec![Leaf { path: prefix, name: None, line }];
    }
    let close = closing(&source.tokens, at);
    let mut leaves = Vec::new();
    let mut place = at + 1;
    while place < close {
        leaves.extend(tree(source, place, prefix.clone()));
        // On to the next comma of this level.
        while place < close && !source.tokens[place].is(",") {
            place = if source.tokens[place].is("{") { closing(&source.tokens, place) } else { place };
            place += 1;
        }
        place += 1;
    }
    leaves
}

fn joined(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_string()]).collect()
}

/// A written path from the crate's root; none if it climbs out.
fn absolute(written: &[String], own: &ModulePath) -> Option<ModulePath> {
    let mut path = own.clone();
    for (at, part) in written.iter().enumerate() {
        match part.as_str() {
            "crate" if at == 0 => path.clear(),
            "self" if at == 0 => {}
            "super" => {
                path.pop()?;
            }
            _ => path.push(part.clone()),
        }
    }
    Some(path)
}

/// The path with re-exports followed to where the item is.
fn resolve(path: &ModulePath, paths: &BTreeSet<ModulePath>, reexports: &Reexports) -> ModulePath {
    let mut path = path.clone();
    // Eight re-exports of re-exports are more than there are; the bound ends circles.
    for _ in 0..8 {
        let modules = (1..=path.len()).take_while(|&depth| paths.contains(&path[..depth])).count();
        let Some(item) = path.get(modules) else { return path };
        let Some(target) = reexports.get(&(path[..modules].to_vec(), item.clone())) else { return path };
        if *target == path[..=modules] {
            return path;
        }
        path = target.iter().chain(&path[modules + 1..]).cloned().collect();
    }
    path
}

/// An import of one child by another: the file and line of the first.
type Edges = BTreeMap<(String, String), (String, usize)>;

fn check_folder(
    folder: &ModulePath,
    children: Children,
    modules: &[Module],
    paths: &BTreeSet<ModulePath>,
) -> Vec<Violation> {
    let depth = folder.len();
    let is_child = |name: &String| {
        let path = joined(folder, name);
        let has_children = paths.iter().any(|other| other.len() > path.len() && other.starts_with(&path));
        paths.contains(&path) && (children == Children::All || has_children)
    };
    let mut edges = Edges::new();
    for module in modules.iter().filter(|module| module.path.len() > depth && module.path.starts_with(folder))
    {
        let from = &module.path[depth];
        for (named, line) in
            module.named.iter().filter(|(named, _)| named.len() > depth && named.starts_with(folder))
        {
            let to = &named[depth];
            if from != to && is_child(from) && is_child(to) {
                edges.entry((from.clone(), to.clone())).or_insert_with(|| (module.file.clone(), *line));
            }
        }
    }
    let mut found = Vec::new();
    for ((from, to), (file, line)) in &edges {
        if let Some(back) = shortest(to, from, &edges) {
            let message = format!("in `{}`: {from} → {}", folder.join("/"), back.join(" → "));
            found.push(Violation::new(file, *line, RULE, message));
        }
    }
    found
}

/// The shortest chain of imports from one child to another.
fn shortest(from: &str, to: &str, edges: &Edges) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut chain = vec![at.to_string()];
            let mut place = at;
            while place != from {
                place = before[place];
                chain.push(place.to_string());
            }
            chain.reverse();
            return Some(chain);
        }
        for (_, next) in edges.keys().filter(|(source, _)| source == at) {
            if next != from && !before.contains_key(next.as_str()) {
                before.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::new(&format!("{ENGINE}{path}"), text)).collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn two_files_that_import_each_other_are_caught() {
        let found = messages(&[
            ("avoid/mod.rs", "mod a; mod b;"),
            ("avoid/a.rs", "\nuse super::b::B;"),
            ("avoid/b.rs", "fn f() { crate::avoid::a::g() }"),
        ]);
        assert_eq!(
            found,
            [
                "crates/waymarch/src/avoid/a.rs:2: import-cycle: in `avoid`: a → b → a",
                "crates/waymarch/src/avoid/b.rs:1: import-cycle: in `avoid`: b → a → b"
            ]
        );
    }

    #[test]
    fn reexports_and_use_trees_hide_nothing() {
        let found = messages(&[
            (
                "flow/mod.rs",
                "mod a; mod b; mod tiles; pub use a::{self, Far as A}; pub use self::tiles::deep::Tile;",
            ),
            ("flow/a.rs", "use crate::{base::X, flow::{Tile, b::{C, D}}};"),
            ("flow/b.rs", "use super::A;"),
            ("flow/tiles/mod.rs", "mod deep;"),
            ("flow/tiles/deep.rs", "use super::super::a;"),
        ]);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.iter().any(|message| message.contains("tiles → a → tiles")), "{found:?}");
    }

    #[test]
    fn folders_inside_are_looked_at_too() {
        let found = messages(&[
            ("flow/tiles/mod.rs", "mod a; mod b;"),
            ("flow/tiles/a.rs", "use super::b::B;"),
            ("flow/tiles/b.rs", "use super::a::A;"),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn only_folders_count_in_world() {
        let files = [
            ("world/mod.rs", "mod world; mod tick; mod units; mod orders;"),
            ("world/world.rs", "use super::tick::T; use super::units::U;"),
            ("world/tick.rs", "use super::world::World;"),
            ("world/units/mod.rs", "mod a; mod b;"),
            ("world/units/a.rs", "use super::b::B; use crate::world::world::World;"),
            ("world/units/b.rs", "use super::a::A; use super::super::orders::O;"),
            ("world/orders/mod.rs", "mod order;"),
            ("world/orders/order.rs", "use crate::base::Cell;"),
        ];
        assert_eq!(messages(&files), Vec::<String>::new());
        let mut cycle = files;
        cycle[7].1 = "use crate::world::units::a::A;";
        assert_eq!(messages(&cycle).len(), 2);
    }

    /// Two rooms: `orders` calls `traffic.rs`, and the other way round by import.
    fn two_rooms(traffic: &str, orders: &str) -> Vec<String> {
        messages(&[
            ("world/state.rs", "pub(crate) struct State;"),
            ("world/traffic/mod.rs", "mod a;"),
            ("world/traffic/a.rs", &format!("use crate::world::orders::b::B; {traffic}")),
            ("world/orders/mod.rs", "mod b;"),
            ("world/orders/b.rs", &format!("pub(crate) struct B; impl B {{ fn sort(&self) {{}} }} {orders}")),
        ])
    }

    #[test]
    fn methods_added_to_a_type_of_another_folder_are_imports() {
        let adds = "impl State { /// Doc.\n pub(crate) fn meet(&mut self, a: u8, b: (u8, u8)) {} }";
        let found = two_rooms(adds, "fn f(state: &mut State) {\n state.meet(1, (2, 3)); }");
        assert_eq!(
            found,
            [
                "crates/waymarch/src/world/orders/b.rs:2: import-cycle: in `world`: orders → traffic → orders",
                "crates/waymarch/src/world/traffic/a.rs:1: import-cycle: in `world`: traffic → orders → traffic"
            ]
        );
        assert_eq!(two_rooms(adds, "fn f() { g(State::meet); }").len(), 2);
        let generic =
            "impl<T: Fn(u8) -> u8> State<'_, T> where T: Copy { fn meet(&self, f: impl Fn(u8)) {} }";
        assert_eq!(two_rooms(generic, "fn f() { state.meet(|a, b| a); }").len(), 2);
    }

    #[test]
    fn calls_of_other_methods_are_no_imports() {
        let adds = "impl State { fn meet(&self, a: u8) {} fn sort(&self) {} }";
        for good in [
            // Another number of arguments, or another type: a method of the standard library.
            "fn f() { state.meet(); list.meet(1, 2); Other::meet(1); meet(1); state.meet; }",
            // Two functions have the name.
            "fn f() { state.sort(); }",
            "#[cfg(test)] mod tests { fn f() { state.meet(1); } }",
        ] {
            assert_eq!(two_rooms(adds, good), Vec::<String>::new(), "{good}");
        }
        for own in
            ["struct Block; impl Block { fn meet(&self) {} }", "impl Meet for State { fn meet(&self) {} }"]
        {
            assert_eq!(two_rooms(own, "fn f() { state.meet(); }"), Vec::<String>::new(), "{own}");
        }
        let top = messages(&[
            ("world/tick.rs", "fn f() { state.meet(1); } impl State { fn go(&self) {} }"),
            ("world/traffic/a.rs", "impl State { fn meet(&self, a: u8) {} }"),
            ("world/orders/b.rs", "use crate::world::traffic::a::A; fn f() { state.go(); }"),
        ]);
        assert_eq!(top, Vec::<String>::new());
    }

    #[test]
    fn tests_parents_and_lower_ranks_are_no_cycle() {
        let found = messages(&[
            ("cost/mod.rs", "mod a; mod b; pub use b::B; pub(crate) struct Own;"),
            ("cost/a.rs", "use super::{Own, B}; pub(in crate::cost) fn f() {}"),
            ("cost/b.rs", "use super::Own; #[cfg(test)] mod tests { use crate::cost::a::f; }"),
            ("cost/tests.rs", "use super::a::f; use super::b::B;"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }
}
