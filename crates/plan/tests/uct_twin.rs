//! UCT beside a slow and obvious twin: one map from histories to statistics, everything recomputed
//! from the formulas of the papers, the same random numbers in the same order.

use std::collections::HashMap;

use patience_games::pgame::MoveValues;
use patience_games::{ConnectFour, PGame, Sailing, TicTacToe};
use patience_model::{Game, Rng};
use patience_plan::uct::{Backup, Rollout, Selection, Settings, Uct};
use patience_plan::{Budget, Cancel, Estimate, Planner, Root};

use crate::tiny::Table;

/// What is known of an action after a history.
#[derive(Clone)]
struct Record<A> {
    action: A,
    returns: Vec<f64>,
}

/// A history is the actions' places in the game's order and what was seen after them.
type History = Vec<(usize, String)>;

struct Twin<'g, G: Game> {
    game: &'g G,
    settings: Settings,
    rng: Rng,
    root: G::State,
    /// Actions after a history, those tried first in the order of trying.
    table: HashMap<History, Vec<Record<G::Action>>>,
    visits: HashMap<History, u32>,
}

impl<'g, G: Game> Twin<'g, G> {
    fn new(game: &'g G, settings: Settings, root: G::State, mut rng: Rng) -> Self {
        rng.next_u64(); // the noise of limited widths
        let mut twin = Twin {
            game,
            settings,
            rng,
            root: root.clone(),
            table: HashMap::new(),
            visits: HashMap::new(),
        };
        twin.table.insert(Vec::new(), twin.records(&root));
        twin
    }

    fn records(&self, state: &G::State) -> Vec<Record<G::Action>> {
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        actions.into_iter().map(|action| Record { action, returns: Vec::new() }).collect()
    }

    fn place(&self, state: &G::State, action: G::Action) -> usize {
        self.records(state).iter().position(|record| record.action == action).unwrap()
    }

    fn episode(&mut self) {
        let mut state = self.root.clone();
        let mut history = History::new();
        let mut path = Vec::new();
        let mut added = 0;
        let mut value = loop {
            *self.visits.entry(history.clone()).or_insert(0) += 1;
            let visits = self.visits[&history];
            if visits == 1 && !history.is_empty() && Some(added) == self.settings.expand {
                break self.rollout(state);
            }
            if !self.table.contains_key(&history) {
                let records = self.records(&state);
                self.table.insert(history.clone(), records);
            }
            if self.table[&history].is_empty() {
                break 0.0;
            }
            if self.settings.stop_episodes
                && !history.is_empty()
                && self.rng.below(u64::from(visits)) == 0
            {
                break self.rollout(state);
            }
            let chosen = self.choose(&history, visits - 1, &state);
            let action = self.table[&history][chosen].action;
            let seen = (self.place(&state, action), String::new());
            let step = self.game.step(&mut state, action, &mut self.rng);
            path.push((history.clone(), chosen, step.reward));
            history.push((seen.0, format!("{:?}", step.obs)));
            if !self.visits.contains_key(&history) {
                if Some(added) == self.settings.expand {
                    break self.rollout(state);
                }
                added += 1;
            }
        };
        for (history, chosen, reward) in path.into_iter().rev() {
            value = reward + self.game.discount() * value;
            self.table.get_mut(&history).unwrap()[chosen].returns.push(value);
        }
    }

    /// The place of the chosen action among the records, tried ones standing first.
    fn choose(&mut self, history: &History, visits: u32, state: &G::State) -> usize {
        let depth = history.len() as f64;
        let records = self.table.get_mut(history).unwrap();
        let tried = records.iter().filter(|record| !record.returns.is_empty()).count();
        let all = records.len();
        let untried = match self.settings.selection {
            Selection::Uniform => {
                let place = self.rng.index(all);
                if place < tried {
                    return place;
                }
                Some(place)
            }
            _ if tried < all => Some(tried + self.rng.index(all - tried)),
            _ => None,
        };
        if let Some(place) = untried {
            records.swap(place, tried);
            return tried;
        }
        let sign = if self.game.minimising(state) { -1.0 } else { 1.0 };
        let t = f64::from(visits);
        let mut rng = self.rng.clone();
        let mut score = |record: &Record<G::Action>| {
            let s = record.returns.len() as f64;
            let mean = mean(&record.returns);
            let bias = match self.settings.selection {
                Selection::Ucb1 { c } => single(c * t.ln().powf(0.5), s.powf(-0.5)),
                Selection::DepthDecayed { c, horizon } => {
                    let left = (f64::from(horizon) - depth).max(0.0);
                    let exponent = (left + depth) / (2.0 * left + depth);
                    single(c * t.ln().powf(exponent), s.powf(-exponent))
                }
                Selection::Tuned { c } => {
                    let square = |x: &f64| (x - mean) * (x - mean);
                    let variance = record.returns.iter().map(square).sum::<f64>() / s;
                    let v = variance + (2.0 * t.ln() / s).sqrt();
                    c * (t.ln() / s * v.min(0.25)).sqrt()
                }
                Selection::Polynomial { c } => single(c * t.powf(0.25), s.powf(-0.5)),
                Selection::UcbV { c, range } => {
                    let square = |x: &f64| (x - mean) * (x - mean);
                    let variance = record.returns.iter().map(square).sum::<f64>() / s;
                    (2.0 * c * variance * t.ln() / s).sqrt() + 3.0 * c * range * t.ln() / s
                }
                Selection::Thompson { c } => c * normal(&mut rng) / (s + 1.0).sqrt(),
                _ => unreachable!("not in this test"),
            };
            sign * mean + bias
        };
        let scores: Vec<f64> = records.iter().map(&mut score).collect();
        self.rng = rng;
        (0..all).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap()
    }

    fn rollout(&mut self, mut state: G::State) -> f64 {
        let (mut sum, mut weight) = (0.0, 1.0);
        let mut actions = Vec::new();
        loop {
            self.game.actions(&state, &mut actions);
            if actions.is_empty() {
                return sum;
            }
            let action = self.rng.pick(&actions);
            sum += weight * self.game.step(&mut state, action, &mut self.rng).reward;
            weight *= self.game.discount();
        }
    }
}

/// The factors of a bias are kept as 32-bit floats.
fn single(growth: f64, spread: f64) -> f64 {
    f64::from(growth as f32 * spread as f32)
}

/// The running mean, summed in the same order as the engine does.
fn mean(returns: &[f64]) -> f64 {
    let mut mean = 0.0;
    for (n, value) in returns.iter().enumerate() {
        mean += (value - mean) / (n + 1) as f64;
    }
    mean
}

/// Plays both for as many episodes as counts stay within the exact part of the tables.
fn hold_equal<G: Game>(game: &G, settings: Settings, episodes: u64) {
    for seed in 0..6 {
        let state = game.start(&mut Rng::new(seed));
        let uct: Uct<Rollout<_>> = Uct::new(settings, Rollout::default()).unwrap();
        let mut search = uct.search(game, Root::Certain(state.clone()), Rng::new(seed + 100));
        let mut twin = Twin::new(game, settings, state, Rng::new(seed + 100));
        for episode in 1..=episodes {
            twin.episode();
            search.run(&Budget::iterations(episode), &Cancel::new());
            let nodes = twin.visits.len() as u64;
            assert_eq!(search.counts().nodes, nodes.max(1), "nodes after {episode} of {seed}");
            for Estimate { action, value, visits, .. } in search.estimates() {
                let record = twin.table[&History::new()].iter().find(|r| r.action == action);
                let returns = &record.unwrap().returns;
                assert_eq!(visits, returns.len() as u64, "visits after {episode} of {seed}");
                let expected = (visits > 0).then(|| mean(returns));
                assert_eq!(value, expected, "value after {episode} of {seed}");
            }
        }
    }
}

fn pgame() -> PGame {
    PGame::new(3, 6, MoveValues::Uniform).unwrap()
}

#[test]
fn plain_uct_equals_its_twin() {
    hold_equal(&TicTacToe, Settings::default(), 400);
    hold_equal(&ConnectFour, Settings::default(), 200);
    hold_equal(&pgame(), Settings::default(), 400);
}

#[test]
fn chance_makes_no_difference() {
    let lake = Sailing::new(3).unwrap();
    let selection = Selection::Ucb1 { c: 14.0 };
    hold_equal(&lake, Settings { selection, ..Settings::default() }, 300);
    hold_equal(&lake, Settings { selection, stop_episodes: true, ..Settings::default() }, 300);
}

#[test]
fn the_other_selection_rules_equal_their_twins() {
    for selection in [
        Selection::DepthDecayed { c: 1.0, horizon: 6 },
        Selection::DepthDecayed { c: 0.7, horizon: 3 },
        Selection::Uniform,
        Selection::Polynomial { c: 0.8 },
        Selection::Thompson { c: 1.0 },
    ] {
        hold_equal(&pgame(), Settings { selection, ..Settings::default() }, 400);
    }
}

#[test]
fn any_number_of_nodes_may_be_added() {
    for expand in [Some(0), Some(1), Some(3), None] {
        hold_equal(&pgame(), Settings { expand, ..Settings::default() }, 300);
    }
    hold_equal(&TicTacToe, Settings::monte_carlo(), 300);
    let whole = Settings { backup: Backup::Mean, ..Settings::minimax_monte_carlo() };
    hold_equal(&pgame(), whole, 300);
}

/// A number from the standard normal distribution, from two numbers of the stream.
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// UCB1-Tuned and UCB-V compute a variance in another order than the twin, so ties may break otherwise
/// on games of few values; on random rewards there are none.
#[test]
fn tuned_equals_its_twin() {
    let lake = Sailing::new(3).unwrap();
    for selection in [Selection::Tuned { c: 1.0 }, Selection::UcbV { c: 1.2, range: 10.0 }] {
        hold_equal(&lake, Settings { selection, ..Settings::default() }, 300);
    }
}

/// What lies further away counts less: small trees with rewards on every move, and one without end.
#[test]
fn discounted_games_equal_their_twins() {
    let mut rng = Rng::new(3);
    for discount in [0.5, 0.9] {
        for _ in 0..10 {
            let table = Table::random(&mut rng, 5, discount);
            hold_equal(&table, Settings::default(), 60);
            hold_equal(&table, Settings { stop_episodes: true, ..Settings::default() }, 60);
            hold_equal(&table, Settings { expand: Some(0), ..Settings::default() }, 60);
        }
    }
    hold_equal(&Table::tenure(), Settings::default(), 200);
}
