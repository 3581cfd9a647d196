//! Root-parallel search: several trees for one decision, grown by several threads of one machine.
//!
//! Tree i has a random stream of its own, named by its number, so what they say together is the same on any
//! number of threads, and the same as that of one search that grows them one after the other.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use patience_model::{Game, Rng};

use super::Settings;
use super::episode::{Tally, UctSearch};
use super::leaf::Leaf;
use super::merge::Separate;
use super::search::{best_of, estimates_of};
use crate::tree::Bandit;
use crate::{
    Belief, Branch, Budget, Cancel, Counts, Estimate, ParameterError, Planner, Root, Search, Stats,
    Status, Stepped, StopReason, drive,
};

/// A planner with several trees, which so many threads grow.
#[derive(Clone, Debug)]
pub struct Forest<L> {
    settings: Settings,
    bandit: Arc<Bandit>,
    leaf: L,
    threads: usize,
}

impl<L> Forest<L> {
    /// A planner with these ingredients, of which `trees` is above 1, and as many threads; `lists` says
    /// whether the leaf lists outcomes.
    ///
    /// # Errors
    /// If a parameter is out of range, or two do not go together.
    pub fn new(
        settings: Settings,
        leaf: L,
        lists: bool,
        threads: usize,
    ) -> Result<Self, ParameterError> {
        settings.check(false, lists)?;
        let several = "a whole number above 1, for trees to be grown by threads";
        ParameterError::check("trees", settings.trees, |&trees| trees > 1, several)?;
        let bandit = Arc::new(Bandit::new(settings.selection));
        Ok(Forest { settings, bandit, leaf, threads: threads.max(1) })
    }
}

impl<G, L> Planner<G> for Forest<L>
where
    G: Game + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
    L: Leaf<G> + Clone + 'static,
{
    fn search<'g>(&self, game: &'g G, root: Root<G>, rng: Rng) -> Box<dyn Search<G> + 'g> {
        Box::new(ForestSearch::new(self, game, root, rng))
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Where trees start: a belief is asked by one of them at a time.
enum Ground<G: Game> {
    Certain(G::State),
    Belief(Arc<Mutex<Box<dyn Belief<G>>>>),
}

struct Lent<G: Game>(Arc<Mutex<Box<dyn Belief<G>>>>);

impl<G: Game> Belief<G> for Lent<G> {
    fn sample(&self, game: &G, rng: &mut Rng) -> G::State {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sample(game, rng)
    }

    fn redraw(&self, game: &G, state: &G::State, rng: &mut Rng) -> Option<G::State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).redraw(game, state, rng)
    }
}

impl<G: Game + 'static> Ground<G> {
    fn of(root: Root<G>) -> Self {
        match root {
            Root::Certain(state) => Ground::Certain(state),
            Root::Belief(belief) => Ground::Belief(Arc::new(Mutex::new(belief))),
        }
    }

    fn root(&self) -> Root<G> {
        match self {
            Ground::Certain(state) => Root::Certain(state.clone()),
            Ground::Belief(belief) => Root::Belief(Box::new(Lent(Arc::clone(belief)))),
        }
    }
}

type Tree<'g, G, L> = UctSearch<'g, G, L, Separate>;

struct ForestSearch<'g, G: Game, L: Leaf<G>> {
    planner: Forest<L>,
    game: &'g G,
    ground: Ground<G>,
    /// Names the streams of the trees.
    key: u64,
    /// Episodes of all trees that may be spent, where that was told.
    told: Option<u64>,
    /// Those that have begun and are not finished, in the order of their numbers.
    growing: VecDeque<Tree<'g, G, L>>,
    /// The last that is finished.
    last: Option<Tree<'g, G, L>>,
    finished: u32,
    tallies: Vec<Tally>,
    /// What the finished ones have spent.
    spent: Counts,
    root_actions: Vec<G::Action>,
}

impl<'g, G: Game + 'static, L: Leaf<G> + Clone> ForestSearch<'g, G, L> {
    fn new(planner: &Forest<L>, game: &'g G, root: Root<G>, mut rng: Rng) -> Self {
        let key = rng.next_u64();
        let mut search = ForestSearch {
            planner: planner.clone(),
            game,
            ground: Ground::of(root),
            key,
            told: None,
            growing: VecDeque::new(),
            last: None,
            finished: 0,
            tallies: Vec::new(),
            spent: Counts::default(),
            root_actions: Vec::new(),
        };
        search.begin();
        search
    }

    /// Plants the first tree.
    fn begin(&mut self) {
        self.growing.clear();
        (self.finished, self.last, self.spent) = (0, None, Counts::default());
        self.plant();
        self.root_actions = self.growing[0].root_actions.clone();
        self.tallies = vec![Tally::default(); self.root_actions.len()];
    }

    /// Starts the next tree.
    fn plant(&mut self) {
        let Forest { settings, bandit, leaf, .. } = &self.planner;
        let number = u64::from(self.finished) + self.growing.len() as u64;
        let settings = Settings { trees: 1, ..*settings };
        let (bandit, leaf) = (Arc::clone(bandit), leaf.clone());
        let (root, rng) = (self.ground.root(), Rng::numbered(self.key, number));
        let mut tree = UctSearch::new(settings, bandit, leaf, self.game, root, rng);
        tree.flights.flush_at = self.share(number);
        self.growing.push_back(tree);
    }

    /// What a tree may have of the episodes that may be spent.
    fn share(&self, number: u64) -> Option<u64> {
        self.told.map(|told| told.saturating_sub(number * self.each()))
    }

    fn is_complete(&self) -> bool {
        self.root_actions.is_empty() || self.finished == self.planner.settings.trees
    }

    /// Whether there is a tree that has not begun.
    fn has_more(&self) -> bool {
        u64::from(self.finished) + (self.growing.len() as u64)
            < u64::from(self.planner.settings.trees)
    }

    fn each(&self) -> u64 {
        self.planner.settings.iterations.expect("several trees have a number of episodes")
    }

    /// Takes the trees that are finished, in order.
    fn harvest(&mut self) {
        let each = self.each();
        while self.growing.front().is_some_and(|tree| tree.iterations == each) {
            let Some(tree) = self.growing.pop_front() else { return };
            tree.tally(&mut self.tallies);
            let Counts { iterations, model_calls, nodes, .. } = tree.counts();
            self.spent.iterations += iterations;
            self.spent.model_calls += model_calls;
            self.spent.nodes += nodes;
            self.finished += 1;
            self.last = Some(tree);
        }
        if self.growing.is_empty() && self.has_more() {
            self.plant();
        }
    }

    /// The tree to be looked at: the one in hand, or the last.
    fn shown(&self) -> Option<&Tree<'g, G, L>> {
        self.growing.front().or(self.last.as_ref())
    }
}

impl<G, L> ForestSearch<'_, G, L>
where
    G: Game + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
    L: Leaf<G> + Clone,
{
    /// Grows as many trees as there are threads, each up to what it may have; why it stopped.
    fn round(&mut self, budget: &Budget, begin: Instant, cancel: &Cancel) -> Option<StopReason> {
        let (each, first) = (self.each(), u64::from(self.finished) * self.each());
        let most = budget.iterations.unwrap_or(u64::MAX);
        if first >= most {
            return Some(StopReason::Iterations);
        }
        while self.growing.len() < self.planner.threads
            && self.has_more()
            && first + self.growing.len() as u64 * each < most
        {
            self.plant();
        }
        let time = budget.time.map(|time| time.saturating_sub(begin.elapsed()));
        // What is left of the memory is shared out; a tree that used up its share ends the search.
        let (held, trees) = (self.counts().bytes, self.growing.len().max(1) as u64);
        let free = budget.memory.map(|memory| memory.saturating_sub(held) / trees);
        let full = AtomicBool::new(false);
        thread::scope(|scope| {
            let mut own = None;
            for (i, tree) in self.growing.iter_mut().enumerate().take(self.planner.threads) {
                let share = each.min(most.saturating_sub(first + i as u64 * each));
                let memory = free.map(|free| tree.counts().bytes + free);
                let budget = Budget { iterations: Some(share), time, memory, ..*budget };
                if i == 0 {
                    own = Some((tree, budget));
                    continue;
                }
                // If the system allows fewer threads, it is grown later.
                let full = &full;
                let grow = move || note(drive(tree, &budget, cancel), full);
                if thread::Builder::new().spawn_scoped(scope, grow).is_err() {
                    break;
                }
            }
            if let Some((tree, budget)) = own {
                note(drive(tree, &budget, cancel), &full);
            }
        });
        self.harvest();
        if self.is_complete() {
            return Some(StopReason::Complete);
        }
        if cancel.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        if budget.time.is_some_and(|time| begin.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        if full.into_inner() {
            return Some(StopReason::Memory);
        }
        let episodes = self.counts().iterations;
        (episodes >= most).then_some(StopReason::Iterations)
    }
}

/// Notes that a tree used up its share of the memory.
fn note(stats: Stats, full: &AtomicBool) {
    if stats.stop == Some(StopReason::Memory) {
        full.store(true, Ordering::Relaxed);
    }
}

impl<G, L> Stepped for ForestSearch<'_, G, L>
where
    G: Game + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
    L: Leaf<G> + Clone,
{
    fn step(&mut self) -> Status {
        if self.is_complete() {
            return Status::Complete;
        }
        self.growing[0].step();
        self.harvest();
        if self.is_complete() { Status::Complete } else { Status::Running }
    }

    fn within(&mut self, budget: &Budget) {
        self.told = budget.iterations;
        for i in 0..self.growing.len() {
            self.growing[i].flights.flush_at = self.share(u64::from(self.finished) + i as u64);
        }
    }

    /// A limit of model calls is kept by one thread: it holds for all trees together. One of memory is shared
    /// out among the trees that grow: it may end a search on more threads sooner.
    fn drive(&mut self, budget: &Budget, cancel: &Cancel) -> Stats {
        if budget.model_calls.is_some() || self.is_complete() {
            return drive(self, budget, cancel);
        }
        let begin = Instant::now();
        let stop = loop {
            if let Some(stop) = self.round(budget, begin, cancel) {
                break stop;
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        Stats { counts: self.counts(), seconds, stop: Some(stop) }
    }

    fn counts(&self) -> Counts {
        let held = self.growing.iter().chain(&self.last).map(|tree| tree.counts().bytes).sum();
        let mut counts = Counts { bytes: held, ..self.spent };
        for tree in &self.growing {
            let own = tree.counts();
            counts.iterations += own.iterations;
            counts.model_calls += own.model_calls;
            counts.nodes += own.nodes;
        }
        counts
    }
}

impl<G, L> Search<G> for ForestSearch<'_, G, L>
where
    G: Game + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
    L: Leaf<G> + Clone,
{
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let mut tallies = self.tallies.clone();
        // A young tree would weigh as much as a finished one, so it counts only if it is the first.
        if self.finished == 0
            && let Some(first) = self.growing.front()
        {
            first.tally(&mut tallies);
        }
        estimates_of(&self.root_actions, &tallies)
    }

    fn best(&self) -> Option<G::Action> {
        let shown = self.shown()?;
        best_of(self.estimates(), &shown.tree.arena, self.planner.settings.recommend)
    }

    fn tree(&self, depth: u32) -> Vec<Branch<G::Action, G::Obs>> {
        self.shown().map_or_else(Vec::new, |tree| tree.tree(depth))
    }

    fn restart(&mut self, root: Root<G>, mut rng: Rng) -> bool {
        self.key = rng.next_u64();
        self.ground = Ground::of(root);
        self.begin();
        true
    }
}

impl<G: Game, L: Leaf<G>> fmt::Debug for ForestSearch<'_, G, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForestSearch").field("finished", &self.finished).finish_non_exhaustive()
    }
}
