//! The solver as a planner of the game on the table.

use patience_model::Rng;
use patience_plan::{Budget, Counts, Finding, Planner, Root, Search, Status, Stepped};

use super::super::{KlondikeTable, Move, Position, PositionError, Rules, length};
use super::line;
use super::search::{Found, Hunt};
use super::state::Layout;

/// The planner for [`ThoughtfulSearch`]. A budget's iterations are nodes (classes of positions), and
/// its memory is that of the table, 1 GiB if there is no limit: when the table is full it forgets,
/// which costs time only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thoughtful {
    /// Whether cards may be taken back from the foundations.
    pub take_back: bool,
    /// Whether proven reductions beyond the representation are used; without them the search is
    /// for checking them.
    pub prune: bool,
    /// Nodes after which the search begins again with another order of moves, the first time;
    /// later a little more each time.
    pub round: u64,
}

impl Default for Thoughtful {
    fn default() -> Self {
        Thoughtful { take_back: true, prune: true, round: 200 }
    }
}

/// Why a position cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position is none, or a card is unknown.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The number of redeals is limited.
    #[error("the solver needs redeals without limit; these rules allow {0}")]
    LimitedRedeals(u32),
}

impl Thoughtful {
    /// Whether the solver knows these rules.
    ///
    /// # Errors
    /// If redeals are limited.
    pub fn check(rules: &Rules) -> Result<(), SolveError> {
        rules.redeals().map_or(Ok(()), |redeals| Err(SolveError::LimitedRedeals(redeals)))
    }
}

impl Planner<KlondikeTable> for Thoughtful {
    /// Where there is nothing to solve, which [`ThoughtfulSearch::new`] tells, nothing is found.
    fn search<'g>(
        &self,
        game: &'g KlondikeTable,
        root: Root<KlondikeTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<KlondikeTable> + 'g> {
        let mut search = ThoughtfulSearch::idle(game, *self);
        // A fault leaves the search complete, with nothing known.
        let _ = search.begin(root.sample(game, &mut rng));
        Box::new(search)
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Bytes of the table if nobody says.
const MEMORY: u64 = 1 << 30;

/// Nodes of one step.
const STEP: u64 = 256;

/// Looks for a way to win, with all cards known.
#[derive(Debug)]
pub struct ThoughtfulSearch<'g> {
    table: &'g KlondikeTable,
    start: Position,
    layout: Layout,
    hunt: Hunt,
    /// Nodes that may be searched in all.
    most: u64,
    /// What was found, once the search is over.
    found: Option<Finding<Move>>,
}

impl<'g> ThoughtfulSearch<'g> {
    /// A search from a position.
    ///
    /// # Errors
    /// If the solver does not know the rules, the position is none by them or a card is unknown.
    pub fn new(
        table: &'g KlondikeTable,
        start: Position,
        options: Thoughtful,
    ) -> Result<Self, SolveError> {
        let mut search = ThoughtfulSearch::idle(table, options);
        search.begin(start)?;
        Ok(search)
    }

    /// A search with nothing to search.
    pub(super) fn idle(table: &'g KlondikeTable, options: Thoughtful) -> Self {
        let start = Position::default();
        let (layout, _) = Layout::new(table.rules(), &start);
        let hunt = Hunt::new(options, MEMORY);
        let (most, found) = (u64::MAX, Some(Finding::default()));
        ThoughtfulSearch { table, start, layout, hunt, most, found }
    }

    /// Starts anew from a position, in the memory of the old search.
    fn begin(&mut self, start: Position) -> Result<(), SolveError> {
        let rules = self.table.rules();
        self.found = Some(Finding::default());
        Thoughtful::check(rules)?;
        start.check(rules)?;
        start.check_known()?;
        let (layout, state) = Layout::new(rules, &start);
        (self.start, self.layout, self.most) = (start, layout, u64::MAX);
        self.hunt.limit(MEMORY);
        self.hunt.begin(&self.layout, state);
        self.found = None;
        Ok(())
    }
}

fn solved(moves: Vec<Move>) -> Finding<Move> {
    let value = length(&moves) as f64;
    Finding::solved(moves, value)
}

impl Stepped for ThoughtfulSearch<'_> {
    fn step(&mut self) -> Status {
        if self.found.is_some() {
            return Status::Complete;
        }
        let most = self.hunt.nodes().saturating_add(STEP).min(self.most);
        let found = match self.hunt.go_on(&self.layout, most) {
            Found::Stopped => return Status::Running,
            Found::Lost => Finding::unsolvable(),
            Found::Won => {
                let moves = line::moves(self.table.rules(), &self.start, &self.hunt.line());
                debug_assert!(moves.is_ok(), "{moves:?}");
                // A win that does not stand would be a fault; it is not taken for one.
                moves.map_or_else(|_| Finding::default(), solved)
            }
        };
        self.found = Some(found);
        Status::Complete
    }

    fn counts(&self) -> Counts {
        let nodes = self.hunt.nodes();
        Counts { iterations: nodes, model_calls: 0, nodes, bytes: self.hunt.bytes() }
    }

    fn within(&mut self, budget: &Budget) {
        self.most = budget.iterations.unwrap_or(u64::MAX);
        // A search that holds all of its memory is stopped; this one is to go on and forget.
        self.hunt.limit(budget.memory.map_or(MEMORY, |bytes| bytes.saturating_sub(1)));
    }
}

impl Search<KlondikeTable> for ThoughtfulSearch<'_> {
    fn finding(&self) -> Finding<Move> {
        self.found.clone().unwrap_or_default()
    }

    fn restart(&mut self, root: Root<KlondikeTable>, mut rng: Rng) -> bool {
        let start = root.sample(self.table, &mut rng);
        self.begin(start).is_ok()
    }
}
