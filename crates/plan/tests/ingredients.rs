//! The ingredients of UCT one by one: against exact values, against counts worked out by hand, and what
//! does not go together.

use patience_games::TicTacToe;
use patience_games::tictactoe::Cell;
use patience_model::{Game, Keyed, Outcomes, Rng, Step};
use patience_plan::uct::{
    Backup, ByKey, Judged, Leaf, Listed, Policy, Range, Rave, Recommend, Rollout, RootRule,
    Selection, Separate, Settings, Uct, Uniform, Widening, Workspace,
};
use patience_plan::{
    AdaptivePlayouts, Budget, Cancel, Mast, NGrams, Planner, Root, Search, StopReason,
};

use crate::tiny::Table;

fn run<G: Game>(search: &mut dyn Search<G>, iterations: u64) {
    search.run(&Budget::iterations(iterations), &Cancel::new());
}

fn planner<G: Outcomes + 'static>(settings: Settings) -> Box<dyn Planner<G>> {
    let leaf = Listed(Rollout::default());
    Box::new(Uct::<_, Separate>::listing(settings, leaf).unwrap())
}

/// A random tree with chance, two players and rewards on all moves; play ends after `depth` moves.
fn chancy(seed: u64, depth: u32) -> Table {
    fn grow(table: &mut Table, rng: &mut Rng, depth: u32, minimising: bool) -> usize {
        let id = table.states.len();
        table.states.push(Vec::new());
        if minimising {
            table.minimising.push(id);
        }
        let branching = if depth == 0 { 0 } else { 1 + rng.index(3) };
        for _ in 0..branching {
            let likely = 0.25 + rng.index(3) as f64 * 0.25;
            let mut ways = vec![(likely, rng.index(9) as f64 / 4.0 - 1.0)];
            ways.push((1.0 - likely, rng.index(9) as f64 / 4.0 - 1.0));
            let ways =
                ways.into_iter().map(|(p, r)| (p, r, grow(table, rng, depth - 1, !minimising)));
            let ways: Vec<_> = ways.collect();
            table.states[id].push(ways);
        }
        id
    }
    let mut table = Table::new(0.9, Vec::new());
    grow(&mut table, &mut Rng::new(seed), depth, false);
    table
}

fn exact(table: &Table) -> Vec<f64> {
    (0..table.states[0].len()).map(|action| table.solve_action(0, action)).collect()
}

/// The values of a tree are within ±2 per move; the bonus is that of values this far apart.
#[test]
fn every_rule_of_selection_finds_the_best_action() {
    for selection in [
        Selection::Ucb1 { c: 4.0 },
        Selection::Polynomial { c: 2.0 },
        Selection::UcbV { c: 1.2, range: 4.0 },
        Selection::Thompson { c: 4.0 },
        Selection::Puct { c: 4.0 },
        Selection::Boltzmann { temperature: 0.3, epsilon: 1.0 },
        Selection::Dents { temperature: 0.3, epsilon: 1.0, entropy: 0.3 },
        Selection::KlUcb { c: 1.0, low: -6.0, high: 6.0 },
    ] {
        let backup = match selection {
            Selection::Boltzmann { .. } | Selection::Dents { .. } => Backup::Max,
            _ => Backup::Mean,
        };
        for seed in 0..8 {
            let table = chancy(seed, 3);
            let (exact, settings) =
                (exact(&table), Settings { selection, backup, ..Settings::default() });
            let planner = planner(settings);
            let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed));
            run(&mut *search, 30_000);
            let best = exact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let regret = best - exact[search.best().unwrap()];
            assert!(regret < 0.05, "{selection:?} on {seed}: {regret} of {exact:?}");
        }
    }
}

#[test]
fn a_bellman_backup_is_exact_once_all_is_seen() {
    for seed in 0..20 {
        let table = chancy(seed, 3);
        let selection = Selection::Uniform;
        let settings = Settings { selection, backup: Backup::Bellman, ..Settings::default() };
        let planner = planner(settings);
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed));
        run(&mut *search, 20_000);
        for (exact, estimate) in exact(&table).iter().zip(search.estimates()) {
            let value = estimate.value.unwrap();
            assert!((value - exact).abs() < 1e-9, "{seed}: {value} {exact}");
        }
    }
}

/// MENTS converges to the soft values, which are worked out here by recursion, not to the best.
#[test]
fn a_softmax_backup_converges_to_the_soft_values() {
    fn soft(table: &Table, state: usize, temperature: f64) -> f64 {
        let values = table.states[state].iter().map(|ways| {
            let after = |&(p, r, next): &(f64, f64, usize)| {
                p * (r + table.discount * soft(table, next, temperature))
            };
            ways.iter().map(after).sum::<f64>()
        });
        match table.states[state].is_empty() {
            true => 0.0,
            false => temperature * values.map(|v| (v / temperature).exp()).sum::<f64>().ln(),
        }
    }
    let mut table = chancy(4, 3);
    table.minimising.clear();
    let settings = Settings {
        selection: Selection::Boltzmann { temperature: 0.5, epsilon: 1.0 },
        backup: Backup::Softmax { temperature: 0.5 },
        ..Settings::default()
    };
    let planner = planner(settings);
    let mut search = planner.search(&table, Root::Certain(0), Rng::new(1));
    run(&mut *search, 100_000);
    for (action, estimate) in search.estimates().iter().enumerate() {
        let after = |&(p, r, next): &(f64, f64, usize)| p * (r + 0.9 * soft(&table, next, 0.5));
        let expected: f64 = table.states[0][action].iter().map(after).sum();
        let value = estimate.value.unwrap();
        assert!((value - expected).abs() < 0.05, "{value} {expected}");
        assert!(expected > table.solve_action(0, action) + 0.1, "soft values lie above");
    }
}

/// With nothing for entropy DENTS is BTS, draw by draw.
#[test]
fn dents_without_entropy_is_bts() {
    let table = chancy(5, 4);
    let estimates = |selection| {
        let planner = planner(Settings { selection, backup: Backup::Max, ..Settings::default() });
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(3));
        run(&mut *search, 3_000);
        search.estimates()
    };
    let bts = estimates(Selection::Boltzmann { temperature: 0.4, epsilon: 1.0 });
    let dents = |entropy| Selection::Dents { temperature: 0.4, epsilon: 1.0, entropy };
    assert_eq!(bts, estimates(dents(0.0)));
    assert_ne!(bts, estimates(dents(0.4)));
}

/// Nothing has any value, and of two actions one leaves eight choices and the other none: entropies of
/// ln 8 and 0. So at visit t the first is drawn with odds 8^(β/α), β = entropy/ln(e + t), but for the
/// share of uniform draws. The bound is four standard errors of a share.
#[test]
fn dents_draws_what_has_more_choices_below_as_often_as_its_entropy_says() {
    let to = |state| vec![(1.0, 0.0, state)];
    let states = vec![vec![to(1), to(2)], vec![to(3); 8], vec![to(3)], vec![]];
    let table = Table::new(1.0, states);
    let selection = Selection::Dents { temperature: 0.5, epsilon: 1.0, entropy: 3.0 };
    let planner = planner(Settings { selection, backup: Backup::Max, ..Settings::default() });
    let mut search = planner.search(&table, Root::Certain(0), Rng::new(1));
    let episodes = 20_000;
    run(&mut *search, episodes);
    let expected = (0..episodes).map(|t| {
        let fall = (std::f64::consts::E + t as f64).ln();
        let odds = 8f64.powf(3.0 / fall / 0.5);
        let (uniform, drawn) = ((1.0 / fall).min(1.0), odds / (1.0 + odds));
        uniform / 2.0 + (1.0 - uniform) * drawn
    });
    let expected = expected.sum::<f64>() / episodes as f64;
    let share = search.estimates()[0].visits as f64 / episodes as f64;
    assert!((share - expected).abs() < 4.0 * 0.5 / (episodes as f64).sqrt(), "{share} {expected}");
}

/// Of ten coins one shows 1 with 0.1 and the others with 0.02: near the end of the range the divergence
/// tells them apart sooner than distance does. The claim is that of the papers, less regret than UCB1:
/// more tries of the best coin, over 40 searches of 2,000 episodes.
#[test]
fn kl_ucb_tries_the_best_of_rare_coins_more_often_than_ucb1() {
    let coin = |p: f64| vec![(p, 1.0, 1), (1.0 - p, 0.0, 1)];
    let mut coins = vec![coin(0.02); 10];
    coins[4] = coin(0.1);
    let table = Table::new(1.0, vec![coins, vec![]]);
    let tries = |selection| {
        let planner = planner(Settings { selection, ..Settings::default() });
        let of = |seed| {
            let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed));
            run(&mut *search, 2_000);
            search.estimates()[4].visits
        };
        (0..40).map(of).sum::<u64>()
    };
    let kl = tries(Selection::KlUcb { c: 1.0, low: 0.0, high: 1.0 });
    let ucb1 = tries(Selection::Ucb1 { c: std::f64::consts::SQRT_2 });
    assert!(kl > 2 * ucb1, "{kl} against {ucb1}");
}

#[test]
fn what_is_proven_is_the_exact_value() {
    for seed in 0..60 {
        // Half of the trees without chance, half of the searches told a range.
        let table = match seed % 2 {
            0 => chancy(seed, 4),
            _ => Table::random(&mut Rng::new(seed), 5, 0.5),
        };
        let exact = exact(&table);
        let told = Range { low: -10.0, high: 10.0 };
        let unknown = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };
        let prove = Some(if seed % 4 < 2 { told } else { unknown });
        let settings = Settings { prove, ..Settings::default() };
        let planner = planner(settings);
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed));
        let stats = search.run(&Budget::iterations(200_000), &Cancel::new());
        if exact.is_empty() {
            continue;
        }
        assert_eq!(stats.stop, Some(StopReason::Complete), "{seed}");
        for (estimate, exact) in search.estimates().iter().zip(&exact) {
            // Bounds hold of every action, whether it is proven or not.
            assert!(
                estimate.low.is_none_or(|low| low <= exact + 1e-9),
                "{seed}: {estimate:?} {exact}"
            );
            assert!(estimate.high.is_none_or(|high| high >= exact - 1e-9), "{seed}: {estimate:?}");
            if estimate.proven {
                assert!(
                    (estimate.value.unwrap() - exact).abs() < 1e-9,
                    "{seed}: {estimate:?} {exact}"
                );
            }
        }
        let best = exact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let chosen = search.best().unwrap();
        assert!((exact[chosen] - best).abs() < 1e-9, "{seed}: {chosen} of {exact:?}");
    }
}

/// At every moment of a search nothing is recommended that is proven to be worse than something else.
#[test]
fn a_proven_loss_is_never_recommended() {
    let mut seen = 0;
    for seed in 0..40 {
        let leaves: Vec<f64> = (0..16).map(|n| ((seed * 31 + n * 7) % 3) as f64 - 1.0).collect();
        let table = Table::tree(&leaves);
        let prove = Some(Range { low: -1.0, high: 1.0 });
        let settings = Settings { prove, recommend: Recommend::Visits, ..Settings::default() };
        let planner = planner(settings);
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed as u64));
        for episodes in 1..60 {
            run(&mut *search, episodes);
            let estimates = search.estimates();
            let lost = estimates.iter().filter(|e| e.proven && e.value == Some(-1.0)).count();
            let best = search.best().unwrap();
            if lost == 1 {
                seen += 1;
                assert!(!estimates[best].proven || estimates[best].value != Some(-1.0), "{seed}");
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    let prove = Some(Range { low: -1.0, high: 1.0 });
    let leaf = Listed(Rollout::default());
    let settings = Settings { prove, ..Settings::default() };
    let planner: Uct<_, ByKey> = Uct::listing(settings, leaf).unwrap();
    let start = TicTacToe.start(&mut Rng::new(0));
    let mut search = planner.search(&TicTacToe, Root::Certain(start), Rng::new(1));
    let stats = search.run(&Budget::iterations(200_000), &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    let best = search.best().unwrap();
    let best = search.estimates().into_iter().find(|e| e.action == best).unwrap();
    assert!(best.proven && best.value == Some(0.0), "{best:?}");
    // X at a1 and b1, O at a3 and b3: X wins at once, and the proof needs few episodes.
    let mut state = start;
    for cell in [0, 6, 1, 7] {
        TicTacToe.step(&mut state, Cell(cell), &mut Rng::new(0));
    }
    let mut search = planner.search(&TicTacToe, Root::Certain(state), Rng::new(1));
    let stats = search.run(&Budget::iterations(1_000), &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert_eq!(search.best(), Some(Cell(2)));
    assert!(stats.counts.iterations < 50, "{stats:?}");
}

/// Pick half a hand of cards in any order: each is worth its number, and the sum counts in the end, as a
/// share of the best. What a pick is worth does not depend on when it is made: what shared statistics are
/// for.
#[derive(Clone, Copy)]
struct Picks {
    cards: u8,
    hand: u32,
}

/// Five of ten.
const PICKS: Picks = Picks { cards: 10, hand: 5 };

impl Game for Picks {
    type State = u32;
    type Action = u8;
    type Obs = ();
    fn start(&self, _: &mut Rng) -> u32 {
        0
    }
    fn actions(&self, taken: &u32, out: &mut Vec<u8>) {
        out.clear();
        if taken.count_ones() < self.hand {
            out.extend((0..self.cards).filter(|card| taken >> card & 1 == 0));
        }
    }
    fn step(&self, taken: &mut u32, card: u8, _: &mut Rng) -> Step<()> {
        *taken |= 1 << card;
        let over = taken.count_ones() == self.hand;
        let cards = u32::from(self.cards);
        let sum: u32 = (0..cards).filter(|card| *taken >> card & 1 == 1).sum();
        let best: u32 = (cards - self.hand..cards).sum();
        Step { reward: if over { f64::from(sum) / f64::from(best) } else { 0.0 }, obs: () }
    }
}

impl Keyed for Picks {
    type Key = u32;
    fn key(&self, taken: &u32) -> u32 {
        *taken
    }
}

/// How often one of the ten best of twenty cards is recommended first, of 600 searches.
fn right(settings: Settings, episodes: u64) -> usize {
    let game = Picks { cards: 20, hand: 10 };
    let planner: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
    (0..600)
        .filter(|&seed| {
            let mut search = planner.search(&game, Root::Certain(0), Rng::new(seed));
            run(&mut *search, episodes);
            search.best().unwrap() >= 10
        })
        .count()
}

/// The claim: with 25 episodes on 20 actions shared statistics find one of the ten best cards more often
/// than without, where every card was tried once or twice. Two standard errors of a difference of shares
/// at 600 searches are 0.05.
#[test]
fn shared_statistics_help_where_order_does_not_matter() {
    let selection = Selection::Ucb1 { c: 0.1 };
    let plain = Settings { selection, recommend: Recommend::Visits, ..Settings::default() };
    let without = right(plain, 25);
    for reference in [0, 20] {
        let rave = Some(Rave { bias: 1e-5, reference });
        let with = right(Settings { rave, ..plain }, 25);
        assert!(with > without + 30, "{without} without, {with} with");
    }
}

#[test]
fn rollouts_that_learn_get_better_than_random_ones() {
    // The mean of all episodes of flat Monte-Carlo is the rollouts' own strength.
    fn mean<P: Policy<Picks> + 'static>(policy: P) -> f64 {
        let leaf = Rollout { policy, limit: 100 };
        let planner: Uct<_> = Uct::new(Settings::monte_carlo(), leaf).unwrap();
        let mut search = planner.search(&PICKS, Root::Certain(0), Rng::new(1));
        run(&mut *search, 2_000);
        let estimates = search.estimates();
        estimates.iter().map(|e| e.value.unwrap() * e.visits as f64).sum::<f64>() / 2_000.0
    }
    // A random hand is worth 22.5 of 35, the best after a random first card 29.5 or so.
    let random = mean(Uniform);
    assert!((random - 22.5 / 35.0).abs() < 0.01, "{random}");
    for (name, learnt) in [
        ("MAST", mean(Mast { temperature: 0.02 })),
        ("N-grams", mean(NGrams { epsilon: 0.1, least: 7 })),
        ("PPA", mean(AdaptivePlayouts { rate: 1.0 })),
    ] {
        assert!(learnt > random + 0.05, "{name}: {learnt}, random {random}");
    }
}

#[test]
fn a_search_that_learns_starts_anew_with_nothing() {
    let leaf = Rollout { policy: NGrams { epsilon: 0.1, least: 2 }, limit: 100 };
    let planner: Uct<_> = Uct::new(Settings::default(), leaf).unwrap();
    let mut fresh = planner.search(&PICKS, Root::Certain(0), Rng::new(2));
    let mut used = planner.search(&PICKS, Root::Certain(0), Rng::new(1));
    run(&mut *used, 300);
    assert!(used.restart(Root::Certain(0), Rng::new(2)));
    run(&mut *fresh, 500);
    run(&mut *used, 500);
    assert_eq!(fresh.estimates(), used.estimates());
    assert_eq!(fresh.counts(), used.counts());
}

/// A token on a line of twelve: one, two or three steps on or one back for −0.1 each, or stop and get what
/// the place is worth. The same place is reached after different numbers of moves, and again.
#[derive(Clone, Copy)]
struct Line;

impl Game for Line {
    type State = Option<i8>;
    type Action = i8;
    type Obs = ();
    fn start(&self, _: &mut Rng) -> Option<i8> {
        Some(0)
    }
    fn actions(&self, place: &Option<i8>, out: &mut Vec<i8>) {
        out.clear();
        out.extend(place.iter().flat_map(|_| [-1, 0, 1, 2, 3]));
    }
    fn step(&self, place: &mut Option<i8>, by: i8, _: &mut Rng) -> Step<()> {
        let here = place.unwrap();
        if by == 0 {
            *place = None;
            return Step { reward: if here == 6 { 1.0 } else { 0.0 }, obs: () };
        }
        *place = Some((here + by).clamp(0, 11));
        Step { reward: -0.1, obs: () }
    }
}

impl Keyed for Line {
    type Key = Option<i8>;
    fn key(&self, place: &Option<i8>) -> Option<i8> {
        *place
    }
}

#[test]
fn states_are_merged_across_depths() {
    let nodes = |settings: Settings| {
        let selection = Selection::Ucb1 { c: 4.0 };
        let settings = Settings { selection, ..settings };
        let planner: Uct<_, ByKey> = Uct::new(settings, Rollout::default()).unwrap();
        let mut search = planner.search(&Line, Root::Certain(Some(0)), Rng::new(1));
        run(&mut *search, 60_000);
        assert_eq!(search.best(), Some(3), "two jumps of three, then stop");
        let value = search.estimates()[4].value.unwrap();
        assert!((0.3..0.8).contains(&value), "{value}: 0.8 at best");
        search.counts().nodes
    };
    // Twelve places and the end, however often and however late an episode comes there.
    assert_eq!(nodes(Settings { across_depths: true, ..Settings::default() }), 13);
    assert!(nodes(Settings::default()) > 60);
    // 638 sets of at most five of ten cards.
    let settings = Settings { across_depths: true, ..Settings::default() };
    let planner: Uct<_, ByKey> = Uct::new(settings, Rollout::default()).unwrap();
    let mut search = planner.search(&PICKS, Root::Certain(0), Rng::new(1));
    run(&mut *search, 50_000);
    assert!(search.counts().nodes <= 638, "{:?}", search.counts());
    assert!(search.best().unwrap() >= 5);
}

/// One move among a thousand, which pays its number; then a number is drawn that pays a little.
#[derive(Clone, Copy)]
struct Wide;

impl Game for Wide {
    type State = u8;
    type Action = u16;
    type Obs = u64;
    fn start(&self, _: &mut Rng) -> u8 {
        0
    }
    fn actions(&self, state: &u8, out: &mut Vec<u16>) {
        out.clear();
        if *state < 2 {
            out.extend(0..1000);
        }
    }
    fn step(&self, state: &mut u8, action: u16, rng: &mut Rng) -> Step<u64> {
        *state += 1;
        let obs = rng.next_u64();
        Step { reward: f64::from(action) / 2000.0, obs }
    }
}

#[test]
fn widening_tries_so_many_and_no_more() {
    let widening = Widening { factor: 2.0, power: 0.5 };
    let settings = Settings { widen_actions: Some(widening), ..Settings::default() };
    let planner: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
    let mut search = planner.search(&Wide, Root::Certain(0), Rng::new(1));
    for episodes in [1, 4, 100, 400] {
        run(&mut *search, episodes);
        let tried = search.estimates().iter().filter(|e| e.visits > 0).count();
        // ⌈2·√n⌉, but one more per episode at most.
        assert_eq!(tried, (2.0 * (episodes as f64).sqrt()).ceil().min(episodes as f64) as usize);
    }
    // Every draw is another outcome: kept ones are met again.
    let nodes = |widen_outcomes| {
        let settings = Settings { widen_outcomes, widen_actions: Some(widening), ..settings };
        let planner: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
        let mut search = planner.search(&Wide, Root::Certain(0), Rng::new(1));
        run(&mut *search, 2_000);
        let branches = search.tree(1);
        let most = branches[0].clone();
        (most.visits, most.after.len() as u64)
    };
    let (visits, outcomes) = nodes(None);
    assert_eq!(visits, outcomes);
    let (visits, outcomes) = nodes(Some(Widening { factor: 1.0, power: 0.5 }));
    assert_eq!(outcomes, (visits as f64).sqrt().ceil() as u64);
}

#[test]
fn a_kept_outcome_is_met_as_often_as_it_came() {
    // 0.3 of a coin, with outcomes kept: the mean of those kept, weighed by how often they came.
    let table = Table::new(1.0, vec![vec![vec![(0.3, 1.0, 1), (0.7, 0.0, 1)]], vec![]]);
    let widening = Some(Widening { factor: 1.0, power: 0.9 });
    let planner: Uct<_> =
        Uct::new(Settings { widen_outcomes: widening, ..Settings::default() }, Rollout::default())
            .unwrap();
    let mut search = planner.search(&table, Root::Certain(0), Rng::new(3));
    run(&mut *search, 5_000);
    let value = search.estimates()[0].value.unwrap();
    // Once both outcomes are kept there may always be more, so all draws are new: 5 standard errors.
    assert!((value - 0.3).abs() < 0.04, "{value}");
}

/// Twenty arms, of which one is better by a little.
fn arms() -> Table {
    let arm = |share: f64| vec![(share, 1.0, 1), (1.0 - share, 0.0, 1)];
    let arms = (0..20).map(|n| arm(if n == 13 { 0.6 } else { 0.4 }));
    Table::new(1.0, vec![arms.collect(), vec![]])
}

/// How often the best of twenty arms is found in 400 episodes, of 300 searches.
fn found(settings: Settings) -> usize {
    let table = arms();
    let planner = planner(settings);
    (0..300)
        .filter(|&seed| {
            let mut search = planner.search(&table, Root::Certain(0), Rng::new(seed));
            run(&mut *search, 400);
            search.best() == Some(13)
        })
        .count()
}

/// The claim of Karnin, Koren and Somekh: more often right than trying all alike, with the same number
/// of episodes. Four standard errors of a difference of shares at 300 searches are 0.16.
#[test]
fn sequential_halving_finds_the_best_arm_more_often_than_uniform_tries() {
    let uniform = found(Settings::monte_carlo());
    let halving = found(Settings { root: RootRule::Halving, ..Settings::default() });
    assert!(halving > uniform + 48, "{halving} against {uniform}");
    let gumbel = RootRule::Gumbel { considered: 20, scale: 1.0 };
    let gumbel = found(Settings { root: gumbel, ..Settings::default() });
    assert!(gumbel > uniform, "{gumbel} against {uniform}");
    let lower = found(Settings { recommend: Recommend::LowerBound, ..Settings::default() });
    assert!(lower > 100, "{lower}");
}

#[test]
fn a_race_spends_what_it_was_told() {
    let table = arms();
    let planner = planner(Settings { root: RootRule::Halving, ..Settings::default() });
    let mut search = planner.search(&table, Root::Certain(0), Rng::new(5));
    run(&mut *search, 400);
    let mut visits: Vec<u64> = search.estimates().iter().map(|e| e.visits).collect();
    visits.sort_unstable();
    // Rounds of 20, 10, 5, 3 and 2 arms with 4, 8, 16, 26 and 40 tries each; what rounding leaves over
    // goes to the one that is left.
    let mut expected = vec![4; 10];
    expected.extend([12; 5]);
    expected.extend([28, 28, 54]);
    assert_eq!(visits[..18], expected);
    assert_eq!(visits.iter().sum::<u64>(), 400);
    assert_eq!(visits[18], 94);
}

/// Knows priors: the action's own number, and nothing of values.
#[derive(Clone, Copy)]
struct Told;

impl Leaf<Table> for Told {
    fn evaluate(&self, _: &Table, _: usize, _: &mut Workspace<Table>) -> f64 {
        0.0
    }
    fn judges(&self) -> bool {
        true
    }
    fn judge(&self, _: &Table, states: &mut [Judged<Table>], _: &mut Workspace<Table>) {
        for judged in states {
            let sum: usize = judged.legal.iter().map(|action| action + 1).sum();
            let share = |&action: &usize| (action + 1) as f32 / sum as f32;
            judged.priors = judged.legal.iter().map(share).collect();
        }
    }
}

/// All actions alike but for their priors: PUCT tries them in proportion.
#[test]
fn puct_follows_the_priors_where_values_are_equal() {
    let table = Table::new(1.0, vec![vec![vec![(1.0, 0.0, 1)]; 4], vec![]]);
    let settings = Settings { selection: Selection::Puct { c: 1.0 }, ..Settings::default() };
    for root in [RootRule::AsBelow, RootRule::Gumbel { considered: 2, scale: 0.1 }] {
        let planner: Uct<_> = Uct::new(Settings { root, ..settings }, Told).unwrap();
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(1));
        run(&mut *search, 10_000);
        let visits: Vec<u64> = search.estimates().iter().map(|e| e.visits).collect();
        if root == RootRule::AsBelow {
            for (action, visits) in visits.iter().enumerate() {
                let share = (action as f64 + 1.0) / 10.0;
                assert!((*visits as f64 / 10_000.0 - share).abs() < 0.01, "{visits}");
            }
        } else {
            assert_eq!(visits.iter().filter(|&&n| n > 0).count(), 2, "two are considered");
        }
    }
    // The improved policy is the prior where values are equal.
    let selection = Selection::Improved { scale: 0.1 };
    let planner: Uct<_> = Uct::new(Settings { selection, ..settings }, Told).unwrap();
    let mut search = planner.search(&table, Root::Certain(0), Rng::new(1));
    run(&mut *search, 1_000);
    let visits: Vec<u64> = search.estimates().iter().map(|e| e.visits).collect();
    for (action, visits) in visits.iter().enumerate() {
        assert!(visits.abs_diff(100 * (action as u64 + 1)) <= 2, "{action}: {visits}");
    }
}

#[test]
fn a_low_urgency_keeps_to_what_is_good() {
    let sure = |reward: f64| vec![(1.0, reward, 1)];
    let table = Table::new(1.0, vec![vec![sure(0.9), sure(0.8), sure(0.7)], vec![]]);
    let tried = |urgency| {
        let selection = Selection::Ucb1 { c: 0.0 };
        let planner = planner(Settings { selection, urgency, ..Settings::default() });
        let mut search = planner.search(&table, Root::Certain(0), Rng::new(1));
        run(&mut *search, 50);
        search.estimates().iter().filter(|e| e.visits > 0).count()
    };
    assert_eq!((tried(None), tried(Some(2.0)), tried(Some(0.1))), (3, 3, 1));
}

#[test]
fn what_does_not_go_together_is_refused_with_the_reason() {
    let standard = Settings::default();
    let widening = Some(Widening { factor: 1.0, power: 0.5 });
    let prove = Some(Range { low: 0.0, high: 1.0 });
    let rave = Some(Rave { bias: 0.0, reference: 0 });
    let ucb_v = Selection::UcbV { c: 1.0, range: 1.0 };
    let dents = Selection::Dents { temperature: 1.0, epsilon: 1.0, entropy: 1.0 };
    let soft = Backup::Softmax { temperature: 1.0 };
    let empty = Selection::KlUcb { c: 1.0, low: 1.0, high: 1.0 };
    for (settings, parameter, reason) in [
        (Settings { selection: ucb_v, backup: Backup::Max, ..standard }, "backup", "variance"),
        (
            Settings { recommend: Recommend::LowerBound, backup: Backup::Max, ..standard },
            "recommend",
            "variance",
        ),
        (Settings { selection: dents, backup: soft, ..standard }, "backup", "entropy"),
        (Settings { selection: empty, ..standard }, "low", "below high"),
        (Settings { prove, width: Some(2), ..standard }, "width", "sampled"),
        (Settings { prove, trees: 2, iterations: Some(5), ..standard }, "trees", "one tree"),
        (
            Settings { prove, widen_outcomes: widening, ..standard },
            "widen_outcomes",
            "all outcomes",
        ),
        (Settings { width: Some(2), widen_outcomes: widening, ..standard }, "width", "widening"),
        (Settings { across_depths: true, ..standard }, "merge", "depths"),
        (Settings { rave, selection: Selection::Uniform, ..standard }, "rave", "uniform"),
        (
            Settings { root: RootRule::Halving, trees: 2, iterations: Some(5), ..standard },
            "trees",
            "planned",
        ),
        (
            Settings { backup: Backup::Power { p: 0.5, low: 0.0, high: 1.0 }, ..standard },
            "p",
            "from 1 on",
        ),
        (
            Settings { backup: Backup::Power { p: 2.0, low: 1.0, high: 1.0 }, ..standard },
            "low",
            "below high",
        ),
    ] {
        let error = Uct::<_, Separate>::listing(settings, Rollout::default()).unwrap_err();
        assert_eq!(error.parameter, parameter, "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    // Proofs and Bellman backups need a list of outcomes.
    for settings in
        [Settings { prove, ..standard }, Settings { backup: Backup::Bellman, ..standard }]
    {
        let error = Uct::<_, Separate>::new(settings, Rollout::default()).unwrap_err();
        assert!(error.to_string().contains("cannot be listed"), "{error}");
    }
}
