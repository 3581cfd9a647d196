//! Planners of the game with a known stock in the game where it must be turned.
//!
//! Once all of the stock was seen the two are one game, and the planner thinks about it. Until then
//! the stock is drawn many times over, each order alike; the planner thinks about each of these games,
//! and an action is worth the mean of what it is worth in them.
//!
//! Where [looking loses nothing](StockKlondike::may_look) this is what the state is worth by the lemma
//! in `game/stock.rs`: the mean over all stocks of the value when the stock is known. Turning is then
//! an optimal move and is worth that much; so it is played, unless an action is safe however the stock
//! lies. Elsewhere (three cards at a time, and one was taken since the last whole turn) the means are
//! those of a player who is told the rest of the stock after this move: too good, but for all alike.

use std::sync::Arc;

use patience_model::{Game, Hidden, Rng};
use patience_plan::{After, Branch, Counts, Estimate, Planner, Root, Search, Status, Stepped};

use super::{Action, Card, Kind, Klondike, Seen, StockAction, StockKlondike, StockState};

/// Stocks that are drawn, at most.
const STOCKS: usize = 32;
/// The same for searches that end by themselves.
const ENDING_STOCKS: usize = 16;
/// Steps with one stock before it is the next one's turn.
const STEPS: u64 = 25;

/// A planner of the game with a known stock, where the stock must be turned. Only for games in which
/// [turns are free](StockKlondike::turns_are_free).
///
/// **Guarantees.** Those of the planner once all of the stock was seen. Before that it turns, where by
/// the lemma no other move is better; so it is as strong from the start of a game as with a known stock.
pub struct OverStocks {
    planner: Arc<dyn Planner<Klondike>>,
}

impl OverStocks {
    /// The planner for games in which the stock must be turned.
    pub fn new(planner: Box<dyn Planner<Klondike>>) -> OverStocks {
        OverStocks { planner: planner.into() }
    }
}

impl std::fmt::Debug for OverStocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OverStocks").finish_non_exhaustive()
    }
}

impl Planner<StockKlondike> for OverStocks {
    fn search<'g>(
        &self,
        game: &'g StockKlondike,
        root: Root<StockKlondike>,
        rng: Rng,
    ) -> Box<dyn Search<StockKlondike> + 'g> {
        let mut search = OverStocksSearch {
            game,
            planner: Arc::clone(&self.planner),
            rng,
            key: 0,
            state: root.sample(game, &mut Rng::new(0)),
            actions: Vec::new(),
            stocks: Vec::new(),
            at: 0,
            iterations: 0,
        };
        search.begin(&root);
        Box::new(search)
    }

    fn ends(&self) -> bool {
        self.planner.ends()
    }

    fn figures(&self) -> &'static [&'static str] {
        self.planner.figures()
    }

    fn advances(&self) -> bool {
        true
    }
}

/// One stock that may be, and what is thought of the game with it.
struct Stock<'g> {
    search: Box<dyn Search<Klondike> + 'g>,
    steps: u64,
    complete: bool,
}

struct OverStocksSearch<'g> {
    game: &'g StockKlondike,
    planner: Arc<dyn Planner<Klondike>>,
    rng: Rng,
    /// The key of the streams from which stocks are drawn.
    key: u64,
    /// What is known at the root.
    state: StockState,
    actions: Vec<StockAction>,
    /// The stocks drawn so far; only one if the stock is known.
    stocks: Vec<Stock<'g>>,
    /// The stock whose turn it is.
    at: usize,
    iterations: u64,
}

impl OverStocksSearch<'_> {
    /// Starts at a root, with nothing kept.
    fn begin(&mut self, root: &Root<StockKlondike>) {
        self.stocks.clear();
        self.look_at(root);
    }

    fn look_at(&mut self, root: &Root<StockKlondike>) {
        (self.key, self.at, self.iterations) = (self.rng.next_u64(), 0, 0);
        self.state = self.game.known(&root.sample(self.game, &mut self.rng));
        self.game.actions(&self.state, &mut self.actions);
        if !self.state.has_unknown_stock() && self.stocks.is_empty() {
            self.draw();
        }
    }

    /// Draws a stock.
    fn draw(&mut self) {
        let mut rng = Rng::numbered(self.key, self.stocks.len() as u64);
        let root = Root::Certain(self.state.with_stock(&mut rng));
        let search = self.planner.search(self.game.known_stock(), root, rng);
        self.stocks.push(Stock { search, steps: 0, complete: false });
    }

    /// The search of the game itself, once all of the stock was seen.
    fn known(&self) -> Option<&dyn Search<Klondike>> {
        let only = self.stocks.first().filter(|_| !self.state.has_unknown_stock())?;
        Some(&*only.search)
    }

    /// Whether turning is as good as anything.
    fn may_look(&self) -> bool {
        self.state.has_unknown_stock() && self.game.may_look(&self.state)
    }

    /// Stocks that are drawn at most.
    fn most(&self) -> usize {
        if self.planner.ends() { ENDING_STOCKS } else { STOCKS }
    }

    /// An action that needs no second thought, whatever the stock is.
    fn safe(&self) -> Option<(Action, &'static str)> {
        let in_stock = |kind| matches!(kind, Kind::StockToFoundation | Kind::StockToColumn);
        let of = |stock: &Stock<'_>| Some((stock.search.best()?, stock.search.reason()?));
        let (action, why) = self.stocks.first().and_then(of)?;
        let all = self.stocks.iter().all(|stock| of(stock).is_some_and(|o| o.0 == action));
        (all && !in_stock(action.kind)).then_some((action, why))
    }

    /// What turning is worth with one stock. If looking loses nothing, what the best action is worth;
    /// else the top card of the waste cannot be got at any more.
    fn worth_of_turning(&self, stock: &Stock<'_>, top: Option<Card>) -> Option<(f64, u64)> {
        let best = stock.search.best();
        let estimates = stock.search.estimates();
        let left = |e: &&Estimate<Action>| {
            let from_waste = matches!(e.action.kind, Kind::StockToFoundation | Kind::StockToColumn);
            self.may_look() || !(from_waste && Some(e.action.card) == top)
        };
        let left: Vec<_> = estimates.iter().filter(left).collect();
        // The one that the search prefers, or of the others the one that was tried most: the largest
        // of many means would be too good.
        let chosen = left.iter().find(|e| Some(e.action) == best);
        let chosen = chosen.or_else(|| left.iter().max_by_key(|e| e.visits));
        Some(chosen.map_or((0.0, 0), |e| (e.value.unwrap_or(0.0), e.visits)))
            .filter(|_| stock.steps > 0 || stock.complete)
    }

    /// Where looking loses nothing, no action is worth more than turning, and a safe one is worth as much:
    /// means over fewer stocks, or of fewer samples, are not told above it.
    fn hold_to_turning(&self, estimates: &mut [Estimate<StockAction>]) {
        let turning = estimates.iter().find(|e| e.action == StockAction::Turn);
        let Some(most) = turning.and_then(|e| e.value) else { return };
        let safe = self.safe().map(|(action, _)| StockAction::Play(action));
        for estimate in estimates {
            let is_safe = Some(estimate.action) == safe;
            estimate.value =
                estimate.value.map(|value| if is_safe { most } else { value.min(most) });
        }
    }

    fn estimate(&self, action: StockAction, top: Option<Card>) -> Estimate<StockAction> {
        let worth = |stock: &Stock<'_>| match action {
            StockAction::Turn => self.worth_of_turning(stock, top),
            StockAction::Play(action) => {
                let estimates = stock.search.estimates();
                let found = estimates.iter().find(|e| e.action == action)?;
                Some((found.value?, found.visits))
            }
        };
        let worths: Vec<(f64, u64)> = self.stocks.iter().filter_map(worth).collect();
        let n = worths.len() as f64;
        let visits = worths.iter().map(|w| w.1).sum();
        let value = worths.iter().map(|w| w.0).sum::<f64>() / n;
        let value = (!worths.is_empty()).then_some(value);
        Estimate::new(action, value, visits)
    }
}

/// A branch of the game with a known stock.
fn played(branch: Branch<Action, Option<Card>>) -> Branch<StockAction, Seen> {
    let Branch { action, value, visits, bonus, after } = branch;
    let seen = |After { obs, visits, branches }: After<Action, Option<Card>>| After {
        obs: [obs, None, None],
        visits,
        branches: branches.into_iter().map(played).collect(),
    };
    let after = after.into_iter().map(seen).collect();
    Branch { action: StockAction::Play(action), value, visits, bonus, after }
}

impl OverStocksSearch<'_> {
    /// What the trees of all stocks say of the actions here: the mean of all their samples.
    fn shared(&self) -> Vec<Branch<StockAction, Seen>> {
        let trees: Vec<_> = self.stocks.iter().map(|stock| stock.search.tree(1)).collect();
        let of = |&action: &StockAction| {
            let StockAction::Play(inner) = action else { return None };
            let here = || trees.iter().flatten().filter(|branch| branch.action == inner);
            let visits: u64 = here().map(|branch| branch.visits).sum();
            let sum: f64 = here().map(|branch| branch.value * branch.visits as f64).sum();
            let turned = here().flat_map(|branch| &branch.after);
            let mut after: Vec<After<StockAction, Seen>> = Vec::new();
            for &After { obs, visits, .. } in turned {
                let obs = [obs, None, None];
                match after.iter_mut().find(|known| known.obs == obs) {
                    Some(known) => known.visits += visits,
                    None => after.push(After { obs, visits, branches: Vec::new() }),
                }
            }
            after.sort_by_key(|after| std::cmp::Reverse(after.visits));
            let value = sum / visits as f64;
            (visits > 0).then_some(Branch { action, value, visits, bonus: None, after })
        };
        let mut branches: Vec<_> = self.actions.iter().filter_map(of).collect();
        branches.sort_by_key(|branch| std::cmp::Reverse(branch.visits));
        branches
    }
}

impl Stepped for OverStocksSearch<'_> {
    fn step(&mut self) -> Status {
        let unknown = self.state.has_unknown_stock();
        if self.actions.is_empty() || (self.may_look() && self.planner.ends()) {
            // What is to be done is known without thought.
            return Status::Complete;
        }
        if unknown && self.at == self.stocks.len() {
            self.draw();
        }
        let stock = &mut self.stocks[self.at];
        if !stock.complete {
            stock.complete = stock.search.step() == Status::Complete;
            stock.steps += 1;
            self.iterations += 1;
        }
        if !unknown {
            return if stock.complete { Status::Complete } else { Status::Running };
        }
        if stock.complete || (stock.steps.is_multiple_of(STEPS) && !self.planner.ends()) {
            self.at += 1;
            if self.at == self.most() {
                if self.stocks.iter().all(|stock| stock.complete) {
                    self.at -= 1;
                    return Status::Complete;
                }
                self.at = 0;
            }
        }
        Status::Running
    }

    fn counts(&self) -> Counts {
        let sum = |of: fn(&Counts) -> u64| -> u64 {
            self.stocks.iter().map(|stock| of(&stock.search.counts())).sum()
        };
        Counts {
            iterations: if self.state.has_unknown_stock() {
                self.iterations
            } else {
                sum(|counts| counts.iterations)
            },
            model_calls: sum(|counts| counts.model_calls),
            nodes: sum(|counts| counts.nodes),
            bytes: sum(|counts| counts.bytes),
        }
    }
}

impl Search<StockKlondike> for OverStocksSearch<'_> {
    fn estimates(&self) -> Vec<Estimate<StockAction>> {
        if let Some(search) = self.known() {
            let play = |e: Estimate<Action>| {
                let Estimate { action, value, visits, error, low, high, proven } = e;
                let action = StockAction::Play(action);
                Estimate { action, value, visits, error, low, high, proven }
            };
            return search.estimates().into_iter().map(play).collect();
        }
        let top = self.game.waste_top(&self.state);
        let mut estimates: Vec<_> =
            self.actions.iter().map(|&action| self.estimate(action, top)).collect();
        if self.may_look() {
            self.hold_to_turning(&mut estimates);
        }
        estimates
    }

    fn best(&self) -> Option<StockAction> {
        if let Some(search) = self.known() {
            return search.best().map(StockAction::Play);
        }
        if let Some((action, _)) = self.safe() {
            return Some(StockAction::Play(action));
        }
        if self.may_look() {
            return Some(StockAction::Turn);
        }
        // Of equals, what brings cards to light.
        let by = |e: &Estimate<_>| (e.value.unwrap_or(-1.0), e.action == StockAction::Turn);
        let better = |a: &Estimate<_>, b: &Estimate<_>| {
            by(a).0.total_cmp(&by(b).0).then(by(a).1.cmp(&by(b).1))
        };
        self.estimates().into_iter().max_by(better).map(|e| e.action)
    }

    fn figures(&self) -> Vec<(&'static str, f64)> {
        self.known().map_or_else(Vec::new, |search| search.figures())
    }

    fn reason(&self) -> Option<&'static str> {
        if let Some(search) = self.known() {
            return search.reason();
        }
        match self.safe() {
            Some((_, why)) => Some(why),
            None => self.may_look().then_some(LOOKING),
        }
    }

    /// The tree of the game itself once all of the stock was seen. Until then there is one for every
    /// stock that was drawn; they share their first level only, and what was tried in all of them is
    /// told of that.
    fn tree(&self, depth: u32) -> Vec<Branch<StockAction, Seen>> {
        match self.known() {
            Some(search) => search.tree(depth).into_iter().map(played).collect(),
            None if depth == 0 => Vec::new(),
            None => self.shared(),
        }
    }

    fn restart(&mut self, root: Root<StockKlondike>, rng: Rng) -> bool {
        self.rng = rng;
        self.begin(&root);
        true
    }

    fn advance(&mut self, played: StockAction, seen: Seen, root: Root<StockKlondike>) -> bool {
        let StockAction::Play(action) = played else {
            self.begin(&root);
            return true;
        };
        let known = !self.state.has_unknown_stock();
        if !known {
            self.begin(&root);
            return true;
        }
        self.look_at(&root);
        let below = self.state.with_stock(&mut Rng::new(0));
        let stock = &mut self.stocks[0];
        if stock.search.advance(action, seen[0], Root::Certain(below)) {
            (stock.steps, stock.complete) = (0, false);
        } else {
            self.stocks.clear();
            self.draw();
        }
        true
    }
}

const LOOKING: &str = "looking through the stock first costs nothing and shows all of it";
