//! Splits frame rules: what stands on a cell stays there unless the move touches the cell.
//!
//! ```text
//! next(at(x, y, piece)) :- true(at(x, y, piece)), does(r, move(a, b, c, d)), distinct(f(x, y), f(a, b)), …
//! ```
//!
//! has an instance for each move and each piece on each cell, though moves do not ask what stands there.
//! With "some move leaves x, y alone" as a rule of its own there is one for each move and each cell, and
//! one for each piece. That rule needs to know of which cells it speaks: of those of the condition that
//! was left behind, which are derived but are no part of the network, for the rule that is left asks for
//! that condition anyway. So the network is the same as without.

use rustc_hash::FxHashSet;

use super::split::{is_small, variables};
use super::{AtomPattern, Clause, Literal, Pattern, Terms};
use crate::text::{Relation, Symbol};

/// How many arguments the new relations may have.
const MOST_ARGUMENTS: usize = 3;

/// How a rule is split.
struct Frame {
    /// The conditions that go into a rule of their own.
    group: Vec<usize>,
    /// The variables that this rule passes on.
    kept: Vec<u32>,
    /// The condition of whose variables it speaks, and which these are.
    domain: (usize, Vec<u32>),
}

/// Clauses with frame rules split.
pub(crate) struct Split {
    /// All clauses.
    pub(crate) clauses: Vec<Clause>,
    /// The relations that say which moves leave something alone.
    pub(crate) frames: FxHashSet<Symbol>,
    /// Those that only say of what these speak: in a network they may be taken to hold.
    pub(crate) domains: Vec<Relation>,
}

/// Splits frame rules.
pub(crate) fn frames(clauses: Vec<Clause>, terms: &mut Terms) -> Split {
    let mut done = Vec::with_capacity(clauses.len());
    let (mut frames, mut domains) = (FxHashSet::default(), Vec::new());
    for mut clause in clauses {
        if let Some(Frame { group, kept, domain }) = candidate(&clause) {
            let number = domains.len();
            // A blank cannot be part of a written name, so these are new.
            let mut atom = |kind: &str, variables: &[u32]| {
                let name = terms.symbols_mut().intern(&format!("{kind} {number}"));
                let arguments = variables.iter().map(|&v| Pattern::Variable(v)).collect();
                AtomPattern { relation: (name, variables.len()), arguments }
            };
            let (part, speaks) = (atom("frame", &kept), atom("domain", &domain.1));
            frames.insert(part.relation.0);
            domains.push(speaks.relation);
            let (variables, span) = (clause.variables, clause.span);
            let of = vec![clause.body[domain.0].clone()];
            done.push(Clause { head: speaks.clone(), body: of, variables, span });
            let (inside, outside): (Vec<_>, Vec<_>) =
                clause.body.into_iter().enumerate().partition(|(i, _)| group.contains(i));
            let strip = |list: Vec<(usize, Literal)>| list.into_iter().map(|(_, l)| l);
            let body = strip(inside).chain([Literal::Holds(speaks)]).collect();
            done.push(Clause { head: part.clone(), body, variables, span });
            clause.body = strip(outside).chain([Literal::Holds(part)]).collect();
        }
        done.push(clause);
    }
    Split { clauses: done, frames, domains }
}

/// Conditions that can go into a rule of their own but for variables that another condition binds, which
/// has more to say than these.
fn candidate(clause: &Clause) -> Option<Frame> {
    let of: Vec<Vec<u32>> = clause.body.iter().map(variables).collect();
    let mut in_head = Vec::new();
    clause.head.for_each_variable(&mut |v| in_head.push(v));
    let holds = |i: usize| matches!(clause.body[i], Literal::Holds(_));
    let mut best: Option<Frame> = None;
    for first in (0..of.len()).filter(|&i| holds(i) && !is_small(&clause.body[i])) {
        let decided: Vec<u32> =
            of[first].iter().copied().filter(|v| !in_head.contains(v)).collect();
        if decided.is_empty() {
            continue;
        }
        let concerns = |i: &usize| of[*i].iter().any(|v| decided.contains(v));
        let group: Vec<usize> = (0..of.len()).filter(concerns).collect();
        let bound = |v: &u32| group.iter().any(|&i| holds(i) && of[i].contains(v));
        let mut loose: Vec<u32> =
            group.iter().flat_map(|&i| &of[i]).copied().filter(|v| !bound(v)).collect();
        loose.sort_unstable();
        loose.dedup();
        // The condition that binds them, and binds others of which the group does not speak.
        let binds = |&i: &usize| {
            let all = loose.iter().all(|v| of[i].contains(v));
            let more = of[i].iter().any(|v| !loose.contains(v) && !bound(v));
            holds(i) && !group.contains(&i) && all && more
        };
        let Some(domain) = (0..of.len()).filter(binds).min_by_key(|&i| of[i].len()) else {
            continue;
        };
        if loose.is_empty() {
            continue;
        }
        let elsewhere = |v: &u32| {
            in_head.contains(v) || (0..of.len()).any(|i| !group.contains(&i) && of[i].contains(v))
        };
        let inside = group.iter().flat_map(|&i| &of[i]).copied();
        let mut kept: Vec<u32> = inside.filter(elsewhere).collect();
        kept.sort_unstable();
        kept.dedup();
        let fits = kept.len() <= MOST_ARGUMENTS;
        if fits && best.as_ref().is_none_or(|b| kept.len() < b.kept.len()) {
            best = Some(Frame { group, kept, domain: (domain, loose) });
        }
    }
    best
}
