//! Depth-first search with a table of the states that were seen: any solution, or the proof that there
//! is none.

use patience_model::{Game, Keyed, Rng};
use rustc_hash::FxHashSet;

use crate::{Budget, Counts, Finding, Planner, Root, Search, Status, Stepped, Verdict};

/// The planner: a search for any way to a goal. For games of one player, without chance.
#[derive(Debug)]
pub struct DepthFirst<G: Game> {
    goal: fn(&G, &G::State) -> bool,
    dead_end: fn(&G, &G::State) -> bool,
}

impl<G: Game> Clone for DepthFirst<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for DepthFirst<G> {}

impl<G: Game> DepthFirst<G> {
    /// A search for a state in which `goal` holds.
    pub fn new(goal: fn(&G, &G::State) -> bool) -> Self {
        DepthFirst { goal, dead_end: |_, _| false }
    }

    /// The same, which goes no further where `dead_end` holds: from there nothing leads to the goal.
    pub fn with_dead_ends(self, dead_end: fn(&G, &G::State) -> bool) -> Self {
        DepthFirst { dead_end, ..self }
    }
}

impl<G: Keyed + 'static> Planner<G> for DepthFirst<G>
where
    G::Key: Send,
{
    fn search<'g>(&self, game: &'g G, root: Root<G>, mut rng: Rng) -> Box<dyn Search<G> + 'g> {
        let root = root.sample(game, &mut rng);
        Box::new(DepthFirstSearch::new(game, root, *self))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// A state on the way, with the actions that are still to be tried.
struct Frame<G: Game> {
    state: G::State,
    /// Untried actions, the next one last.
    open: Vec<G::Action>,
}

/// The search in progress. An iteration is a state that is met for the first time.
///
/// Guarantees: complete, since no state is looked at twice and none is left out; so the verdict that
/// there is no solution is a proof by exhaustion. Deterministic: actions are tried in the game's order.
/// Solutions are not the shortest.
pub struct DepthFirstSearch<'g, G: Keyed> {
    game: &'g G,
    ends: DepthFirst<G>,
    way: Vec<Frame<G>>,
    moves: Vec<G::Action>,
    seen: FxHashSet<G::Key>,
    counts: Counts,
    memory: Option<u64>,
    solved: bool,
    rng: Rng,
}

impl<G: Keyed> std::fmt::Debug for DepthFirstSearch<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DepthFirstSearch").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl<'g, G: Keyed> DepthFirstSearch<'g, G> {
    /// A search from a state.
    pub fn new(game: &'g G, root: G::State, ends: DepthFirst<G>) -> Self {
        let mut search = DepthFirstSearch {
            game,
            ends,
            way: Vec::new(),
            moves: Vec::new(),
            seen: FxHashSet::default(),
            counts: Counts::default(),
            memory: None,
            solved: false,
            // No chance: the stream is there because every step takes one.
            rng: Rng::new(0),
        };
        search.meet(root);
        search
    }

    /// Takes a state that was not seen before, and is no dead end, onto the way.
    fn meet(&mut self, state: G::State) -> bool {
        if !self.seen.insert(self.game.key(&state)) {
            return false;
        }
        self.counts.iterations += 1;
        if (self.ends.dead_end)(self.game, &state) {
            return false;
        }
        self.solved = (self.ends.goal)(self.game, &state);
        let mut open = Vec::new();
        self.game.actions(&state, &mut open);
        open.reverse();
        self.way.push(Frame { state, open });
        true
    }

    /// A table that is full takes twice as much when it grows, beside the old one.
    fn is_full(&self) -> bool {
        let grows = self.seen.len() == self.seen.capacity();
        let needed = self.table_bytes() * if grows { 3 } else { 1 };
        self.memory.is_some_and(|memory| needed > memory)
    }

    fn table_bytes(&self) -> u64 {
        (self.seen.capacity() * (size_of::<G::Key>() + 1)) as u64
    }
}

impl<G: Keyed> Stepped for DepthFirstSearch<'_, G> {
    /// Goes on until one more state is met.
    fn step(&mut self) -> Status {
        loop {
            if self.solved || self.way.is_empty() {
                return Status::Complete;
            }
            if self.is_full() {
                return Status::Full;
            }
            let Some(frame) = self.way.last_mut() else { return Status::Complete };
            let Some(action) = frame.open.pop() else {
                self.way.pop();
                self.moves.pop();
                continue;
            };
            let mut next = frame.state.clone();
            self.game.step(&mut next, action, &mut self.rng);
            self.counts.model_calls += 1;
            let before = self.counts.iterations;
            if self.meet(next) {
                self.moves.push(action);
            }
            if self.counts.iterations > before {
                return if self.solved { Status::Complete } else { Status::Running };
            }
        }
    }

    fn counts(&self) -> Counts {
        Counts { nodes: self.seen.len() as u64, bytes: self.table_bytes(), ..self.counts }
    }

    fn within(&mut self, budget: &Budget) {
        self.memory = budget.memory;
    }
}

impl<G: Keyed> Search<G> for DepthFirstSearch<'_, G> {
    fn finding(&self) -> Finding<G::Action> {
        if self.solved {
            let moves = self.moves.clone();
            Finding { verdict: Verdict::Solved, moves, ..Finding::default() }
        } else if self.way.is_empty() {
            Finding::unsolvable()
        } else {
            Finding::default()
        }
    }
}
