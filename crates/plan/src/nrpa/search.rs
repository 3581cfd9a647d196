//! NRPA in progress, one playout per step.

use patience_model::{Game, Rng};

use super::NrpaSettings;
use super::coding::{CodedMove, Coding};
use super::policy::{Bench, Lesson, Policy, Record};
use crate::nested::Solution;
use crate::{Counts, Estimate, Finding, Root, Search, Status, Stepped};

/// One level: its policy, and the best sequence of its call in hand.
struct Frame<A> {
    policy: Policy,
    value: f64,
    moves: Vec<A>,
    lesson: Lesson,
    /// Iterations of this call.
    done: u32,
    /// Playouts since the last adaptation; of level 1 only.
    played: u32,
    /// How often the best sequence came again.
    recurred: u32,
}

/// A nested rollout policy adaptation in progress.
pub struct NrpaSearch<'g, G: Game, C: Coding<G>> {
    game: &'g G,
    settings: NrpaSettings,
    coding: C,
    root: G::State,
    rng: Rng,
    /// From level 1 up.
    frames: Vec<Frame<G::Action>>,
    /// Whether the highest level must be started.
    fresh: bool,
    starts: u64,
    /// The moves of the root, listed once for all playouts of a start.
    at_root: Vec<CodedMove<G::Action, C::Memo>>,
    legal: Vec<CodedMove<G::Action, C::Memo>>,
    sums: Vec<f32>,
    moves: Vec<G::Action>,
    record: Record,
    bench: Bench,
    best: Option<Solution<G::Action>>,
    counts: Counts,
    /// First moves played, and the sum of what they came to.
    first: Vec<(G::Action, u64, f64)>,
}

impl<G: Game, C: Coding<G>> std::fmt::Debug for NrpaSearch<'_, G, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NrpaSearch")
            .field("settings", &self.settings)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl<'g, G: Game, C: Coding<G>> NrpaSearch<'g, G, C> {
    pub(super) fn new(
        settings: NrpaSettings,
        coding: C,
        game: &'g G,
        root: &Root<G>,
        mut rng: Rng,
    ) -> Self {
        let root = root.sample(game, &mut rng);
        let frame = |_| Frame {
            policy: Policy::new(settings.table_bits),
            value: f64::NEG_INFINITY,
            moves: Vec::new(),
            lesson: Lesson::default(),
            done: 0,
            played: 0,
            recurred: 0,
        };
        let mut legal = Vec::new();
        game.actions(&root, &mut legal);
        NrpaSearch {
            frames: (0..settings.level).map(frame).collect(),
            game,
            settings,
            coding,
            root,
            rng,
            fresh: true,
            starts: 0,
            at_root: Vec::new(),
            legal: Vec::new(),
            sums: Vec::new(),
            moves: Vec::new(),
            record: Record::default(),
            bench: Bench::default(),
            best: None,
            counts: Counts::default(),
            first: legal.into_iter().map(|action| (action, 0, 0.0)).collect(),
        }
    }

    /// Starts the highest level anew with an untrained policy.
    fn start(&mut self) {
        self.coding.begin(self.game, &self.root, self.starts);
        self.coding.list(self.game, &self.root, &mut self.at_root);
        self.starts += 1;
        for frame in &mut self.frames {
            frame.policy.reset();
            frame.call();
        }
        self.fresh = false;
    }

    /// Begins with a policy that was moved towards this sequence so many times, instead of an untrained
    /// one: for a search near a solution that is known. Only the start in hand is taught. A move that
    /// is not legal ends the lesson.
    pub fn teach(&mut self, moves: &[G::Action], times: u32) {
        if self.fresh {
            self.start();
        }
        let mut state = self.root.clone();
        self.record.clear();
        self.legal.clone_from(&self.at_root);
        for action in moves {
            let Some(chosen) = self.legal.iter().position(|coded| coded.action == *action) else {
                break;
            };
            let from = self.record.places.len();
            let policy = &self.frames[0].policy;
            for coded in &mut self.legal {
                if coded.weight < 0.0 {
                    coded.key = policy.find(coded.key);
                    coded.weight = 0.0;
                }
                self.record.places.push(coded.key);
            }
            self.record.steps.push(((from + chosen) as u32, self.record.places.len() as u32));
            self.coding.play(self.game, &mut state, &mut self.legal, chosen, &mut self.rng);
        }
        let mut lesson = Lesson::default();
        lesson.learn_from(&self.record, 1 << self.settings.table_bits, &mut self.bench);
        for frame in &mut self.frames {
            for _ in 0..times {
                lesson.adapt(&mut frame.policy, self.settings.alpha, &mut self.bench);
            }
        }
    }

    /// Plays by the policy of level 1 to the end.
    fn play_out(&mut self) -> f64 {
        let policy = &self.frames[0].policy;
        let mut state = self.root.clone();
        let discount = self.game.discount();
        let (mut value, mut weight) = (0.0, 1.0);
        self.moves.clear();
        self.record.clear();
        self.legal.clone_from(&self.at_root);
        while !self.legal.is_empty() && self.moves.len() < self.settings.longest as usize {
            let from = self.record.places.len();
            for coded in self.legal.iter_mut().rev() {
                if coded.weight >= 0.0 {
                    break;
                }
                // From here on the code is the place in the table.
                coded.key = policy.find(coded.key);
                coded.weight = policy.weight(coded.key);
            }
            let mut total = 0.0;
            self.sums.clear();
            self.sums.extend(self.legal.iter().map(|coded| {
                total += coded.weight;
                total
            }));
            self.record.places.extend(self.legal.iter().map(|coded| coded.key));
            let aim = self.rng.unit() as f32 * total;
            // Sums never fall, so counting those that are passed finds the first that is not.
            let chosen = passed(&mut self.sums, aim).min(self.legal.len() - 1);
            self.record.steps.push(((from + chosen) as u32, self.record.places.len() as u32));
            self.moves.push(self.legal[chosen].action);
            let reward =
                self.coding.play(self.game, &mut state, &mut self.legal, chosen, &mut self.rng);
            value += weight * reward;
            weight *= discount;
        }
        self.counts.model_calls += self.moves.len() as u64;
        value
    }

    /// Level 1 takes in the playout in hand; levels whose call has ended hand their best on.
    fn deliver(&mut self, value: f64) {
        let table = 1 << self.settings.table_bits;
        let alpha = self.settings.alpha;
        let level_1 = &mut self.frames[0];
        if value >= level_1.value {
            if value == level_1.value && level_1.moves == self.moves {
                level_1.recurred += 1;
            } else {
                level_1.recurred = 0;
                level_1.value = value;
                level_1.moves.clone_from(&self.moves);
                level_1.lesson.learn_from(&self.record, table, &mut self.bench);
            }
        }
        level_1.played += 1;
        if level_1.played < self.settings.playouts {
            return;
        }
        level_1.played = 0;
        level_1.lesson.adapt(&mut level_1.policy, alpha, &mut self.bench);
        level_1.done += 1;
        for level in 0..self.frames.len() {
            if !self.frames[level].has_ended(&self.settings) {
                return;
            }
            let [below, above] = match self.frames.get_disjoint_mut([level, level + 1]) {
                Ok(pair) => pair,
                // The highest level has ended.
                Err(_) => {
                    self.fresh = true;
                    return;
                }
            };
            if below.value >= above.value {
                if below.value == above.value && below.moves == above.moves {
                    above.recurred += 1;
                } else {
                    above.recurred = 0;
                    above.value = below.value;
                    above.moves.clone_from(&below.moves);
                    above.lesson.clone_from(&below.lesson);
                }
            }
            above.lesson.adapt(&mut above.policy, alpha, &mut self.bench);
            above.done += 1;
            // All levels below begin a new call with what the one above has learnt.
            if !above.has_ended(&self.settings) {
                for lower in (0..=level).rev() {
                    let (low, high) = self.frames.split_at_mut(lower + 1);
                    low[lower].policy.copy_from(&high[0].policy);
                    low[lower].call();
                }
                return;
            }
        }
    }
}

/// How many are at most `aim`. Four at a time, so what is missing is added.
#[inline]
fn passed(sums: &mut Vec<f32>, aim: f32) -> usize {
    sums.resize(sums.len().next_multiple_of(4), f32::INFINITY);
    let mut passed = [0_u32; 4];
    for four in sums.as_chunks().0 {
        for (count, &sum) in passed.iter_mut().zip::<&[f32; 4]>(four) {
            *count += u32::from(sum <= aim);
        }
    }
    passed.iter().sum::<u32>() as usize
}

impl<A> Frame<A> {
    /// Begins a call of the level.
    fn call(&mut self) {
        self.value = f64::NEG_INFINITY;
        self.moves.clear();
        self.done = 0;
        self.played = 0;
        self.recurred = 0;
    }

    fn has_ended(&self, settings: &NrpaSettings) -> bool {
        self.done >= settings.iterations
            || settings.repetitions.is_some_and(|limit| self.recurred >= limit)
    }
}

impl<G: Game, C: Coding<G>> NrpaSearch<'_, G, C> {
    /// The best solution so far; `None` before the first episode has ended.
    pub fn solution(&self) -> Option<&Solution<G::Action>> {
        self.best.as_ref()
    }
}

impl<G: Game, C: Coding<G>> Stepped for NrpaSearch<'_, G, C> {
    /// One playout, and the adaptations that follow from it.
    fn step(&mut self) -> Status {
        let ended = |search: &Self| {
            search.fresh && search.settings.starts.is_some_and(|n| search.starts >= n)
        };
        if ended(self) {
            return Status::Complete;
        }
        if self.fresh {
            self.start();
        }
        let value = self.play_out();
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            self.best = Some(Solution { value, moves: self.moves.clone() });
        }
        if let Some(first) = self.moves.first()
            && let Some(tally) = self.first.iter_mut().find(|tally| tally.0 == *first)
        {
            tally.1 += 1;
            tally.2 += value;
        }
        self.deliver(value);
        self.counts.iterations += 1;
        self.counts.nodes = (self.frames.len() as u64) << self.settings.table_bits;
        let frames = self.frames.iter().map(|f| f.policy.bytes() + f.lesson.bytes());
        self.counts.bytes = frames.sum::<u64>() + self.bench.bytes(&self.record);
        if ended(self) { Status::Complete } else { Status::Running }
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}

impl<G: Game, C: Coding<G>> Search<G> for NrpaSearch<'_, G, C> {
    /// Of each first move how often it was played and what it came to in the mean.
    fn estimates(&self) -> Vec<Estimate<G::Action>> {
        let estimate = |&(action, visits, sum): &(G::Action, u64, f64)| {
            let value = (visits > 0).then(|| sum / visits as f64);
            Estimate::new(action, value, visits)
        };
        self.first.iter().map(estimate).collect()
    }

    fn finding(&self) -> Finding<G::Action> {
        Solution::finding(self.best.as_ref())
    }

    /// The first move of the best solution.
    fn best(&self) -> Option<G::Action> {
        match &self.best {
            Some(best) => best.moves.first().copied(),
            None => self.first.first().map(|tally| tally.0),
        }
    }
}
