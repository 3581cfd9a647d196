//! An upper bound on what anyone can win who does not see the cards, as a solver: it sees a deal and tells
//! whether it can be won, and what of that nobody can have. See `loss.rs` for the bound and its proof.

use patience_model::Rng;
use patience_plan::{
    Budget, Counts, Finding, ParameterError, Planner, Root, Search, Status, Stepped, Verdict,
};

use super::super::solver::state::Layout;
use super::super::solver::{Thoughtful, ThoughtfulSearch};
use super::super::{KlondikeTable, Move, Position};
use super::loss::Loss;

/// How [`Bound`] works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundSettings {
    /// Orders of the face-down cards that are drawn for every loss.
    pub orders: u32,
    /// Cards turned up on a way, at most; what is lost later does not count.
    pub reveals: u32,
    /// Nodes of the solver for an order.
    pub nodes: u64,
    /// Orders judged in a deal, at most; then the loss by then counts.
    pub judged: u64,
}

impl Default for BoundSettings {
    fn default() -> Self {
        BoundSettings { orders: 96, reveals: 21, nodes: 10_000, judged: 20_000 }
    }
}

/// The planner for an upper bound.
///
/// **Guarantees.** The mean of the figure `bound` over deals is, up to the chance of the deals, no less than
/// the share of games that any player wins who does not see what lies face down. It is never above the share
/// of deals that the solver does not prove lost with all cards known, whatever ends the search.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    settings: BoundSettings,
}

impl Bound {
    /// A bound with these settings.
    ///
    /// # Errors
    /// If one is out of range.
    pub fn new(settings: BoundSettings) -> Result<Bound, ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("orders", settings.orders, |&n| n > 0, above_0)?;
        ParameterError::check("nodes", settings.nodes, |&n| n > 0, above_0)?;
        Ok(Bound { settings })
    }
}

impl Planner<KlondikeTable> for Bound {
    /// Where there is nothing to solve, which [`ThoughtfulSearch::new`] tells, nothing is found.
    fn search<'g>(
        &self,
        game: &'g KlondikeTable,
        root: Root<KlondikeTable>,
        mut rng: Rng,
    ) -> Box<dyn Search<KlondikeTable> + 'g> {
        let start = root.sample(game, &mut rng);
        Box::new(BoundSearch::new(game, start, self.settings, &mut rng))
    }

    fn ends(&self) -> bool {
        true
    }

    fn figures(&self) -> &'static [&'static str] {
        FIGURES
    }
}

/// The bound of a deal (its mean over deals is the bound), what is lost at least, on how many cards turned
/// up, and whether that is the least of all ways through the deal.
const FIGURES: &[&str] = &["bound", "loss", "turned_up", "certain"];

/// A search of [`Bound`]: first whether the deal can be won, then what is lost without sight.
#[derive(Debug)]
struct BoundSearch<'g> {
    any: Option<ThoughtfulSearch<'g>>,
    /// Whether it is known what can be won.
    solved: bool,
    loss: Option<Loss>,
    judged: u64,
}

impl<'g> BoundSearch<'g> {
    fn new(
        table: &'g KlondikeTable,
        start: Position,
        settings: BoundSettings,
        rng: &mut Rng,
    ) -> BoundSearch<'g> {
        let rules = table.rules();
        let any = ThoughtfulSearch::new(table, start.clone(), Thoughtful::default()).ok();
        let loss = any.as_ref().map(|_| {
            let (layout, core) = Layout::new(rules, &start);
            let BoundSettings { orders, reveals, nodes, .. } = settings;
            Loss::new(layout, core, orders, reveals, nodes, rng.next_u64())
        });
        BoundSearch { any, solved: false, loss, judged: settings.judged }
    }
}

impl Stepped for BoundSearch<'_> {
    fn step(&mut self) -> Status {
        let (Some(any), Some(loss)) = (&mut self.any, &mut self.loss) else {
            return Status::Complete;
        };
        if !self.solved {
            self.solved = any.step() == Status::Complete;
        } else if loss.is_complete() || loss.judged >= self.judged {
            return Status::Complete;
        } else {
            loss.step();
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        let solved = self.any.as_ref().map_or_else(Counts::default, Stepped::counts);
        let Some(loss) = &self.loss else { return solved };
        Counts {
            iterations: solved.iterations + loss.judged,
            model_calls: loss.judged,
            nodes: solved.nodes + loss.nodes,
            bytes: solved.bytes + loss.bytes(),
        }
    }

    fn within(&mut self, budget: &Budget) {
        if let Some(any) = &mut self.any {
            any.within(budget);
        }
    }
}

impl Search<KlondikeTable> for BoundSearch<'_> {
    fn finding(&self) -> Finding<Move> {
        self.any.as_ref().map_or_else(Finding::default, Search::finding)
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        // What is not known to be lost may be won.
        let verdict = self.finding().verdict;
        let won = verdict != Verdict::Unsolvable;
        let (loss, turned_up, certain) = self
            .loss
            .as_ref()
            .map_or((0.0, 0, false), |loss| (loss.share(), loss.turned_up(), loss.is_complete()));
        let yes = |truth: bool| f64::from(u8::from(truth));
        let values = [
            yes(won) - loss,
            loss,
            f64::from(turned_up),
            yes(certain && verdict != Verdict::Unknown),
        ];
        FIGURES.iter().copied().zip(values).collect()
    }
}
