//! Resolves `Inherits:` and `-Removal:` lines: the traits that each actor has in the end.

use std::collections::BTreeMap;

use super::miniyaml::Node;
use crate::error::{FileError, FileResult, Place};

/// A chain of inheritance has at most 64 definitions, the actor included; in real rules it has about 6.
const MAX_CHAIN: usize = 64;

/// A definition and the file that it came from.
#[derive(Clone, Debug)]
struct Definition {
    file: String,
    node: Node,
}

/// World: all definitions of a mod by name, before inheritance.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    by_name: BTreeMap<String, Definition>,
    by_lower: BTreeMap<String, String>,
}

impl Definitions {
    /// Adds the definitions of a file. An existing definition is extended; later lines win.
    pub(super) fn add(&mut self, file: &str, nodes: Vec<Node>) {
        for node in nodes {
            match self.by_name.get_mut(&node.key) {
                // Lines are kept in their order instead of being merged, because removals depend on it.
                Some(known) => known.node.children.extend(node.children),
                None => {
                    self.by_lower.insert(node.key.to_ascii_lowercase(), node.key.clone());
                    self.by_name.insert(node.key.clone(), Definition { file: file.to_owned(), node });
                }
            }
        }
    }

    /// The definition for an actor name of a map; OpenRA ignores the case.
    pub(super) fn name_ignoring_case(&self, name: &str) -> Option<&str> {
        self.by_lower.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// The file that a definition was first seen in.
    pub(super) fn file_of(&self, name: &str) -> &str {
        self.by_name.get(name).map_or("", |known| known.file.as_str())
    }

    /// The traits of `name` after inheritance. Parents without a definition add nothing, because a mod folder may be partial.
    ///
    /// # Errors
    /// [`FileError`] for a definition that inherits from itself, directly or not, has 64 or more parents in a row, or uses up the budget.
    pub(super) fn resolve(&self, name: &str, budget: &mut MergeBudget) -> FileResult<Option<Node>> {
        self.resolve_in(name, &mut Vec::new(), budget)
    }

    fn resolve_in<'a>(
        &'a self,
        name: &'a str,
        chain: &mut Vec<&'a str>,
        budget: &mut MergeBudget,
    ) -> FileResult<Option<Node>> {
        let Some(Definition { file, node }) = self.by_name.get(name) else { return Ok(None) };
        let line = |line| Place::Text { line, column: 1, span: None };
        if chain.contains(&name) {
            let problem = format!("'{name}' inherits from itself: {} → {name}", chain.join(" → "));
            return Err(FileError::new(file, problem).at(line(node.line)));
        }
        if chain.len() >= MAX_CHAIN {
            let problem = format!(
                "the chain of inheritance from '{}' to '{name}' has more than {MAX_CHAIN} definitions",
                chain[0]
            );
            return Err(FileError::new(file, problem).at(line(node.line)));
        }
        chain.push(name);
        budget.spend();
        let mut out = Node { key: node.key.clone(), line: node.line, ..Node::default() };
        for child in &node.children {
            if child.base_key() == "Inherits" {
                if let Some(parent) = self.resolve_in(&child.value, chain, budget)? {
                    for inherited in &parent.children {
                        merge(&mut out.children, inherited, budget);
                    }
                }
            } else {
                merge(&mut out.children, child, budget);
            }
            if budget.is_spent() || out.children.len() > MAX_CHILDREN {
                let problem = format!("'{name}' inherits more lines than any real rules do");
                return Err(FileError::new(file, problem).at(line(child.line)));
            }
        }
        chain.pop();
        Ok(Some(out))
    }
}

/// More than 2000 traits on one actor are refused; the `World` actor of real rules has about 100.
const MAX_CHILDREN: usize = 2000;

/// Scratch: how many more lines may be merged while one map is read, 500,000 at first. Rules in which the number of inherited lines
/// doubles with each parent end in an error instead of a long wait.
#[derive(Debug)]
pub(super) struct MergeBudget(usize);

impl Default for MergeBudget {
    fn default() -> Self {
        Self(500_000)
    }
}

impl MergeBudget {
    fn spend(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }

    fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// Merges `node` into `into`: `-Key` removes, a known key is overridden child by child, a new key is added.
fn merge(into: &mut Vec<Node>, node: &Node, budget: &mut MergeBudget) {
    budget.spend();
    if budget.is_spent() || into.len() > MAX_CHILDREN {
        return;
    }
    if let Some(removed) = node.key.strip_prefix('-') {
        into.retain(|known| known.key != removed);
        return;
    }
    let at = into.iter().position(|known| known.key == node.key).unwrap_or_else(|| {
        into.push(Node { key: node.key.clone(), line: node.line, ..Node::default() });
        into.len() - 1
    });
    let known = &mut into[at];
    if !node.value.is_empty() {
        known.value.clone_from(&node.value);
        known.line = node.line;
    }
    for child in &node.children {
        merge(&mut known.children, child, budget);
    }
}

#[cfg(test)]
mod tests {
    use super::super::miniyaml::parse;
    use super::*;

    fn definitions(text: &str) -> Definitions {
        let mut all = Definitions::default();
        all.add("rules.yaml", parse("rules.yaml", text).unwrap());
        all
    }

    #[test]
    fn children_override_parents_and_removals_remove() {
        let all = definitions(
            "^A:\n\tBuilding:\n\t\tFootprint: x\n\t\tDimensions: 1,1\n\tCrushable:\nB:\n\tInherits@1: ^A\n\t-Crushable:\n\tBuilding:\n\t\tFootprint: xx\n",
        );
        let b = all.resolve("B", &mut MergeBudget::default()).unwrap().unwrap();
        let building = b.child("Building").unwrap();
        assert_eq!(building.child_value("Footprint"), Some("xx"));
        assert_eq!(building.child_value("Dimensions"), Some("1,1"));
        assert!(b.child("Crushable").is_none());
    }

    #[test]
    fn a_cycle_of_parents_is_an_error_that_names_it() {
        let error = definitions("A:\n\tInherits: B\nB:\n\tInherits: C\nC:\n\tInherits: A\n")
            .resolve("A", &mut MergeBudget::default())
            .unwrap_err();
        assert!(error.problem.contains("A → B → C → A"), "{error}");
    }

    #[test]
    fn a_chain_that_is_too_long_is_not_called_a_cycle() {
        let mut text = String::from("A0:\n\tB: 1\n");
        for step in 1..=64 {
            text += &format!("A{step}:\n\tInherits: A{}\n", step - 1);
        }
        let all = definitions(&text);
        let longest = all.resolve("A63", &mut MergeBudget::default()).unwrap().unwrap();
        assert_eq!(longest.child_value("B"), Some("1"));
        let error = all.resolve("A64", &mut MergeBudget::default()).unwrap_err();
        assert!(error.problem.contains("from 'A64' to 'A0' has more than 64 definitions"), "{error}");
        assert!(!error.problem.contains("itself"), "{error}");
    }

    #[test]
    fn parents_that_double_at_every_step_end_in_an_error() {
        let mut text = String::from("A0:\n");
        for step in 1..60 {
            let parent = step - 1;
            text += &format!("A{step}:\n\tInherits@1: A{parent}\n\tInherits@2: A{parent}\n");
        }
        assert!(definitions(&text).resolve("A59", &mut MergeBudget::default()).is_err());
    }

    #[test]
    fn an_unknown_parent_adds_nothing() {
        assert!(
            definitions("A:\n\tInherits: ^Gone\n\tB: 1\n")
                .resolve("A", &mut MergeBudget::default())
                .unwrap()
                .unwrap()
                .child("B")
                .is_some()
        );
    }
}
