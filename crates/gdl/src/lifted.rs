//! The lifted engine: the rules are evaluated anew in every state, on what holds there. It runs
//! everything valid and needs no preparation beyond the facts that never change.

use std::time::Duration;

use crate::clause::{Clause, clauses};
use crate::datalog::{Facts, Insert, Interrupted, Layer, Layers, Patience, Runner, Why};
use crate::finding::{Code, Finding};
use crate::reasoner::{EngineError, Reasoner, RunError};
use crate::symbol::Symbol;
use crate::syntax::Description;
use crate::terms::{TermId, Terms};

/// How many facts one relation may have.
const MOST_FACTS: usize = 20_000_000;

/// How long it may take to answer one question about a state.
const LONGEST: Duration = Duration::from_secs(60);

/// How much may be derived.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Facts of one relation.
    most: usize,
    /// The time for what one question needs.
    longest: Duration,
}

impl Limits {
    fn insert(&self) -> Insert {
        Insert { most: self.most, patience: Patience::AtMost(self.longest) }
    }

    fn error(&self, Interrupted { why, relation }: Interrupted, facts: &Facts) -> RunError {
        let relation = facts.name_of(relation).to_owned();
        match why {
            Why::Many => RunError::Endless { relation, limit: self.most },
            Why::Slow => RunError::Slow { relation, limit: self.longest },
            Why::Halted => RunError::Stopped { during: Some(relation) },
        }
    }
}

/// What is derived when: only what a question needs, and nothing twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// For `legal` and `terminal`.
    View,
    /// What both of the following need.
    Common,
    /// For `goal`.
    Goal,
    /// For `next` and `sees`, once the moves are known.
    Move,
}

/// The numbers of the keywords' relations.
#[derive(Clone, Copy, Debug)]
struct Keywords {
    truth: usize,
    does: usize,
    next: usize,
    legal: usize,
    goal: usize,
    terminal: usize,
    sees: usize,
}

/// The lifted engine, standing at a state.
#[derive(Clone, Debug)]
pub struct Lifted {
    facts: Facts,
    runner: Runner,
    keywords: Keywords,
    phases: [Vec<Layer>; 4],
    done: [bool; 4],
    /// The relations that change from state to state.
    changing: Vec<usize>,
    roles: Vec<TermId>,
    initial: Vec<TermId>,
    percepts: Vec<(TermId, TermId)>,
    /// Whether something that is asked before the move depends on it.
    early_moves: bool,
    limits: Limits,
}

impl Lifted {
    /// Makes an engine, at the initial state.
    ///
    /// # Errors
    /// If the rules cannot be evaluated: a variable of a head that nothing binds, facts without
    /// end, or rules that take longer than a minute. If a [`Halt`](patience_plan::Halt) of this
    /// thread strikes, [`RunError::Stopped`].
    pub fn new(description: &Description) -> Result<Self, EngineError> {
        Lifted::with_limits(description, MOST_FACTS, LONGEST)
    }

    /// Makes an engine in which no relation may have more facts than this.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn with_limit(description: &Description, most: usize) -> Result<Self, EngineError> {
        Lifted::with_limits(description, most, LONGEST)
    }

    /// Makes an engine in which nothing that is derived may take longer than this.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn within(description: &Description, longest: Duration) -> Result<Self, EngineError> {
        Lifted::with_limits(description, MOST_FACTS, longest)
    }

    /// Makes an engine with both limits.
    ///
    /// # Errors
    /// As for [`Lifted::new`].
    pub fn with_limits(
        description: &Description,
        most: usize,
        longest: Duration,
    ) -> Result<Self, EngineError> {
        let limits = Limits { most, longest };
        let mut insert = limits.insert();
        let mut terms = Terms::new(description.symbols.clone());
        let clauses = clauses(description, &mut terms)?;
        let mut facts = Facts::new(terms);
        let keywords = Keywords {
            truth: facts.relation((Symbol::TRUE, 1)),
            does: facts.relation((Symbol::DOES, 2)),
            next: facts.relation((Symbol::NEXT, 1)),
            legal: facts.relation((Symbol::LEGAL, 2)),
            goal: facts.relation((Symbol::GOAL, 2)),
            terminal: facts.relation((Symbol::TERMINAL, 0)),
            sees: facts.relation((Symbol::SEES, 2)),
        };
        let init = facts.relation((Symbol::INIT, 1));
        let role = facts.relation((Symbol::ROLE, 1));
        let layers = Layers::of(&clauses, &mut facts);
        let changes = layers.depending(&[keywords.truth, keywords.does]);
        let needed = layers.needed([
            keywords.next,
            keywords.legal,
            keywords.goal,
            keywords.terminal,
            keywords.sees,
            init,
            role,
        ]);
        let by_head = Clauses::new(&clauses, &mut facts);
        let mut runner = Runner::default();
        for members in layers.order.iter().filter(|m| needed[m[0]] && !changes[m[0]]) {
            let layer = by_head.layer(members, &mut facts, &|r| !members.contains(&r))?;
            layer
                .evaluate(&mut facts, &mut runner, &mut insert)
                .map_err(|interrupted| told(description, limits.error(interrupted, &facts)))?;
        }
        let view = layers.needed([keywords.legal, keywords.terminal]);
        let goal = layers.needed([keywords.goal]);
        let step = layers.needed([keywords.next, keywords.sees]);
        let phase = |r: usize| match (view[r], goal[r], step[r]) {
            (true, ..) => Some(Phase::View),
            (_, true, true) => Some(Phase::Common),
            (_, true, _) => Some(Phase::Goal),
            (_, _, true) => Some(Phase::Move),
            _ => None,
        };
        let mut changing = vec![keywords.truth, keywords.does];
        changing.extend((0..layers.on.len()).filter(|&r| changes[r] && phase(r).is_some()));
        changing.sort_unstable();
        changing.dedup();
        let on_moves = layers.depending(&[keywords.does]);
        let early = |r: usize| matches!(phase(r), Some(Phase::View | Phase::Goal));
        let inner = |facts: &Facts, relation: usize| -> Vec<TermId> {
            let inside = |&f| facts.terms.arguments(f).first().copied();
            facts.rows[relation].facts.iter().filter_map(inside).collect()
        };
        let mut lifted = Lifted {
            roles: inner(&facts, role),
            initial: inner(&facts, init),
            facts,
            runner,
            keywords,
            phases: Default::default(),
            early_moves: (0..layers.on.len()).any(|r| early(r) && on_moves[r]),
            done: [false; 4],
            changing,
            percepts: Vec::new(),
            limits,
        };
        lifted.place(&lifted.initial.clone());
        // Plans are made where the engine stands: the initial state tells the sizes of relations.
        for wanted in [Phase::View, Phase::Common, Phase::Goal, Phase::Move] {
            if wanted == Phase::Move {
                lifted.make_first_moves();
            }
            for members in layers.order.iter().filter(|m| changes[m[0]]) {
                if phase(members[0]) == Some(wanted) {
                    let complete = |r: usize| !changes[r];
                    let layer = by_head.layer(members, &mut lifted.facts, &complete)?;
                    layer.evaluate(&mut lifted.facts, &mut lifted.runner, &mut insert).map_err(
                        |interrupted| told(description, limits.error(interrupted, &lifted.facts)),
                    )?;
                    lifted.phases[wanted as usize].push(layer);
                }
            }
        }
        lifted.place(&lifted.initial.clone());
        Ok(lifted)
    }

    /// Lets every role do its first legal move.
    fn make_first_moves(&mut self) {
        let mut legal = Vec::new();
        for role in 0..self.roles.len() {
            self.of_role(self.keywords.legal, role, &mut legal);
            if let Some(&action) = legal.first() {
                let fact = self.facts.terms.intern(Symbol::DOES, &[self.roles[role], action]);
                self.facts.insert(self.keywords.does, fact);
            }
        }
    }

    /// Makes these facts the state.
    fn place(&mut self, state: &[TermId]) {
        self.changing.iter().for_each(|&r| self.facts.clear(r));
        self.done = [false; 4];
        for &fact in state {
            let fact = self.facts.terms.intern(Symbol::TRUE, &[fact]);
            self.facts.insert(self.keywords.truth, fact);
        }
    }

    fn derive(&mut self, phase: Phase) -> Result<(), RunError> {
        if self.done[phase as usize] {
            return Ok(());
        }
        let mut insert = self.limits.insert();
        for layer in &self.phases[phase as usize] {
            let done = layer.evaluate(&mut self.facts, &mut self.runner, &mut insert);
            if let Err(interrupted) = done {
                let error = self.limits.error(interrupted, &self.facts);
                // Half of the facts are worse than none.
                let mut state = Vec::new();
                self.state(&mut state);
                self.place(&state);
                return Err(error);
            }
        }
        self.done[phase as usize] = true;
        Ok(())
    }

    /// The second arguments of the facts of a relation whose first is this role.
    fn of_role(&self, relation: usize, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        let Some(&role) = self.roles.get(role) else { return };
        for &fact in &self.facts.rows[relation].facts {
            if let [first, second] = self.facts.terms.arguments(fact)
                && *first == role
            {
                out.push(*second);
            }
        }
    }
}

impl Reasoner for Lifted {
    fn terms(&self) -> &Terms {
        &self.facts.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.facts.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.roles
    }

    fn start(&mut self) -> Result<(), RunError> {
        self.percepts.clear();
        self.place(&self.initial.clone());
        Ok(())
    }

    fn go_to(&mut self, facts: &[TermId]) -> Result<(), RunError> {
        self.percepts.clear();
        self.place(facts);
        Ok(())
    }

    fn state(&self, out: &mut Vec<TermId>) {
        out.clear();
        let inside = |&f| self.facts.terms.arguments(f).first().copied();
        out.extend(self.facts.rows[self.keywords.truth].facts.iter().filter_map(inside));
    }

    fn terminal(&mut self) -> Result<bool, RunError> {
        self.derive(Phase::View)?;
        Ok(!self.facts.rows[self.keywords.terminal].facts.is_empty())
    }

    fn legal(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        self.derive(Phase::View)?;
        self.of_role(self.keywords.legal, role, out);
        Ok(())
    }

    fn goals(&mut self, role: usize, out: &mut Vec<TermId>) -> Result<(), RunError> {
        self.derive(Phase::View)?;
        self.derive(Phase::Common)?;
        self.derive(Phase::Goal)?;
        self.of_role(self.keywords.goal, role, out);
        Ok(())
    }

    fn play(&mut self, joint: &[TermId]) -> Result<(), RunError> {
        if self.early_moves {
            let mut state = Vec::new();
            self.state(&mut state);
            self.place(&state);
        }
        for (&role, &action) in self.roles.iter().zip(joint) {
            let fact = self.facts.terms.intern(Symbol::DOES, &[role, action]);
            self.facts.insert(self.keywords.does, fact);
        }
        self.derive(Phase::View)?;
        self.derive(Phase::Common)?;
        self.derive(Phase::Move)?;
        let Keywords { next, sees, .. } = self.keywords;
        let arguments = |&f| self.facts.terms.arguments(f);
        let next: Vec<TermId> = self.facts.rows[next]
            .facts
            .iter()
            .filter_map(|f| arguments(f).first().copied())
            .collect();
        self.percepts.clear();
        self.percepts.extend(self.facts.rows[sees].facts.iter().filter_map(|f| {
            let [role, percept] = arguments(f) else { return None };
            Some((*role, *percept))
        }));
        self.place(&next);
        Ok(())
    }

    fn percepts(&self, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        if let Some(role) = self.roles.get(role) {
            out.extend(self.percepts.iter().filter(|(r, _)| r == role).map(|(_, p)| *p));
        }
    }
}

/// Clauses by the relation of their head.
pub(crate) struct Clauses<'a> {
    clauses: &'a [Clause],
    of: Vec<Vec<usize>>,
}

impl<'a> Clauses<'a> {
    pub(crate) fn new(clauses: &'a [Clause], facts: &mut Facts) -> Self {
        let mut of = vec![Vec::new(); facts.rows.len()];
        for (number, clause) in clauses.iter().enumerate() {
            of[facts.relation(clause.head.relation)].push(number);
        }
        Clauses { clauses, of }
    }

    pub(crate) fn layer(
        &self,
        members: &[usize],
        facts: &mut Facts,
        complete: &dyn Fn(usize) -> bool,
    ) -> Result<Layer, Finding> {
        let own: Vec<(usize, &Clause)> = members
            .iter()
            .flat_map(|&m| self.of[m].iter().map(|&n| (n, &self.clauses[n])))
            .collect();
        Layer::plan(members, &own, facts, complete).map_err(|(number, _)| {
            let name = facts.terms.symbols().name(self.clauses[number].head.relation.0);
            let span = self.clauses[number].span;
            let message = format!("a variable in the head `{name}` is not bound by the body");
            let help = "add a positive condition that contains the variable";
            Finding::error(Code::Safety, span, message, help)
        })
    }
}

/// Facts without end are the rules' fault, and have a place.
fn told(description: &Description, error: RunError) -> EngineError {
    let RunError::Endless { relation, .. } = &error else { return error.into() };
    let heads = |name| description.symbols.name(name) == relation;
    let rule = description.rules.iter().find(|rule| heads(rule.head.relation));
    let span = rule.map_or_else(Default::default, |rule| rule.span);
    let help = "bound the recursion by a condition outside it";
    Finding::error(Code::Recursion, span, error.to_string(), help).into()
}
