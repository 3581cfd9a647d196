//! What depends on what, and what must not.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::logic::components;
use crate::text::{Code, Description, Diagnostic, Relation, Severity, Span, Symbol};

struct Edge {
    to: usize,
    negated: bool,
    span: Span,
}

/// The dependency graph over relations.
pub(super) struct Dependencies {
    number: FxHashMap<Relation, usize>,
    relations: Vec<Relation>,
    edges: Vec<Vec<Edge>>,
    component: Vec<usize>,
    /// Whether the component of a relation is a cycle.
    cyclic: Vec<bool>,
    defined: Vec<bool>,
}

impl Dependencies {
    pub(super) fn of(description: &Description) -> Self {
        let mut graph = Dependencies {
            number: FxHashMap::default(),
            relations: Vec::new(),
            edges: Vec::new(),
            component: Vec::new(),
            cyclic: Vec::new(),
            defined: Vec::new(),
        };
        for rule in &description.rules {
            let head = graph.node((rule.head.relation, rule.head.arguments.len()));
            graph.defined[head] = true;
            for condition in &rule.body {
                condition.for_each_atom(&mut |atom, negated| {
                    let to = graph.node((atom.relation, atom.arguments.len()));
                    graph.edges[head].push(Edge { to, negated, span: atom.span });
                });
            }
        }
        let targets: Vec<Vec<usize>> =
            graph.edges.iter().map(|edges| edges.iter().map(|e| e.to).collect()).collect();
        let components = components(&targets);
        graph.component = vec![0; graph.relations.len()];
        graph.cyclic = vec![false; graph.relations.len()];
        for (number, members) in components.iter().enumerate() {
            for &member in members {
                graph.component[member] = number;
                graph.cyclic[member] = members.len() > 1 || targets[member].contains(&member);
            }
        }
        graph
    }

    fn node(&mut self, relation: Relation) -> usize {
        *self.number.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            self.edges.push(Vec::new());
            self.defined.push(false);
            self.relations.len() - 1
        })
    }

    /// Whether the two lie on a common cycle.
    pub(super) fn in_cycle(&self, a: Relation, b: Relation) -> bool {
        match (self.number.get(&a), self.number.get(&b)) {
            (Some(&a), Some(&b)) => self.component[a] == self.component[b] && self.cyclic[a],
            _ => false,
        }
    }

    pub(super) fn check_stratification(&self, text: &Description, findings: &mut Vec<Diagnostic>) {
        // What can be reported apart by a constant argument still has one meaning.
        let mut terms = crate::Terms::new(text.symbols.clone());
        let local = crate::logic::clauses(text, &mut terms).is_ok();
        let severity = if local { Severity::Fault } else { Severity::Error };
        for (from, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                if edge.negated && self.component[from] == self.component[edge.to] {
                    let head = text.symbols.name(self.relations[from].0);
                    let inner = text.symbols.name(self.relations[edge.to].0);
                    let message = format!(
                        "`{head}` depends on the negation of `{inner}`, which depends on `{head}`"
                    );
                    let help = "break the cycle: say what holds without using its own negation";
                    findings.push(Diagnostic::new(
                        severity,
                        Code::Stratification,
                        edge.span,
                        message,
                        help,
                    ));
                }
            }
        }
    }

    pub(super) fn check_does(&self, text: &Description, findings: &mut Vec<Diagnostic>) {
        let on_does: &[Symbol] = &[Symbol::DOES];
        let on_state: &[Symbol] = &[Symbol::DOES, Symbol::TRUE];
        let rules = [
            (Symbol::LEGAL, on_does),
            (Symbol::GOAL, on_does),
            (Symbol::TERMINAL, on_does),
            (Symbol::INIT, on_state),
            (Symbol::ROLE, on_state),
            (Symbol::BASE, on_state),
            (Symbol::INPUT, on_state),
        ];
        for (keyword, forbidden) in rules {
            for (start, _) in self.relations.iter().enumerate().filter(|(_, r)| r.0 == keyword) {
                if let Some((span, path)) = self.path(start, forbidden) {
                    let path: Vec<&str> =
                        path.iter().map(|&n| text.symbols.name(self.relations[n].0)).collect();
                    let what = if forbidden.len() == 1 { "the moves" } else { "state or moves" };
                    let message = format!(
                        "`{}` depends on {what} of the turn: {}",
                        path[0],
                        path.join(" → ")
                    );
                    let help = "use `true` with facts that `next` has recorded, or constants only";
                    // Asked before anybody moves, the moves are simply none.
                    let severity = match keyword {
                        Symbol::ROLE | Symbol::INIT => Severity::Error,
                        _ => Severity::Fault,
                    };
                    findings.push(Diagnostic::new(
                        severity,
                        Code::DoesDependence,
                        span,
                        message,
                        help,
                    ));
                }
            }
        }
    }

    /// A way from a relation to one of these names, with the place of its last step.
    fn path(&self, start: usize, names: &[Symbol]) -> Option<(Span, Vec<usize>)> {
        let mut from: FxHashMap<usize, usize> = FxHashMap::default();
        let mut seen = FxHashSet::from_iter([start]);
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for edge in &self.edges[node] {
                if seen.insert(edge.to) {
                    from.insert(edge.to, node);
                    queue.push_back(edge.to);
                }
                if names.contains(&self.relations[edge.to].0) {
                    let mut path = vec![edge.to, node];
                    let mut last = node;
                    while let Some(&before) = from.get(&last) {
                        path.push(before);
                        last = before;
                    }
                    path.reverse();
                    return Some((edge.span, path));
                }
            }
        }
        None
    }

    pub(super) fn check_defined(&self, text: &Description, findings: &mut Vec<Diagnostic>) {
        let given = |relation: Symbol| matches!(relation, Symbol::TRUE | Symbol::DOES);
        let mut reported = FxHashSet::default();
        for edge in self.edges.iter().flatten() {
            let relation = self.relations[edge.to];
            if !self.defined[edge.to] && !given(relation.0) && reported.insert(relation) {
                let name = text.symbols.name(relation.0);
                let message = format!("no rule defines `{name}` with {} arguments", relation.1);
                let help =
                    format!("define `{name}`, or correct its spelling; as it is, it never holds");
                findings.push(Diagnostic::note(Code::Undefined, edge.span, message, help));
            }
        }
        let all = Span::new(0, text.rules.last().map_or(0, |r| r.span.end as usize).min(1));
        for (keyword, arity) in [(Symbol::LEGAL, 2), (Symbol::TERMINAL, 0), (Symbol::GOAL, 2)] {
            let node = self.number.get(&(keyword, arity));
            if !node.is_some_and(|&n| self.defined[n]) {
                let name = text.symbols.name(keyword);
                let message = format!("no rule defines `{name}`");
                let help = match keyword {
                    Symbol::GOAL => "as it is, everybody scores 0; add rules such as \
                        `(<= (goal role 100) ...)`"
                        .to_owned(),
                    _ => format!("add at least one rule whose head is `{name}`"),
                };
                findings.push(Diagnostic::fault(Code::Incomplete, all, message, help));
            }
        }
    }
}
