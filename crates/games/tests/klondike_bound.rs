//! The upper bound on what anyone can win who does not see the cards: it is one, it says more than the share
//! that can be won with sight, and it sees nothing ahead of the player.

use patience_games::klondike::best::{Best, BestSettings, Bound, BoundSettings};
use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{
    Card, Deal, Ending, Klondike, KlondikeTable, Position, Rules, Scoring, TakingBack, format,
    replay,
};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Planner, Root, Search, Stepped};

/// What is told of a position of which all cards are known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    bound: f64,
    loss: f64,
    certain: bool,
}

impl Told {
    fn won(&self) -> f64 {
        self.bound + self.loss
    }
}

/// Orders in multiples of 24 make losses exact where four cards or fewer lie face down.
const SETTINGS: BoundSettings =
    BoundSettings { orders: 24, reveals: 21, nodes: 100_000, judged: 1_000_000 };

fn told(rules: Rules, position: &Position, settings: BoundSettings, seed: u64) -> Told {
    let table = KlondikeTable::new(rules, Scoring::Win);
    let root = Root::Certain(position.clone());
    let mut search = Bound::new(settings).unwrap().search(&table, root, Rng::new(seed));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let figures = search.figures();
    let figure = |name| figures.iter().find(|figure| figure.0 == name).unwrap().1;
    Told { bound: figure("bound"), loss: figure("loss"), certain: figure("certain") == 1.0 }
}

/// The position with its face-down cards in every order.
fn every_order(position: &Position) -> Vec<Position> {
    fn orders(cards: &[Option<Card>]) -> Vec<Vec<Option<Card>>> {
        if cards.is_empty() {
            return vec![Vec::new()];
        }
        let with = |i: usize| {
            let mut rest = cards.to_vec();
            let first = rest.remove(i);
            orders(&rest).into_iter().map(move |mut order| {
                order.push(first);
                order
            })
        };
        (0..cards.len()).flat_map(with).collect()
    }
    let down: Vec<_> = position.columns.iter().flat_map(|column| column.down.clone()).collect();
    let laid = |mut order: Vec<Option<Card>>| {
        let mut position = position.clone();
        for card in position.columns.iter_mut().flat_map(|column| &mut column.down) {
            *card = order.pop().unwrap();
        }
        position
    };
    orders(&down).into_iter().map(laid).collect()
}

fn face_down(position: &Position) -> usize {
    position.columns.iter().map(|column| column.down.len()).sum()
}

/// The exact value of what is seen of a position: expectimax over all cards that may turn up. `None` if the
/// game does not get that far.
fn exact(rules: Rules, position: &Position) -> Option<f64> {
    let game = Klondike::new(rules).unwrap();
    let game = game.with_taking_back(TakingBack::Any).with_ending(Ending::Home);
    let state = game.state(position).unwrap();
    let settings = BestSettings { samples: Some(100_000), ..BestSettings::default() };
    let root = Root::Certain(game.open(&state));
    let mut search = Best::new(settings).unwrap().search(&game, root, Rng::new(1));
    search.run(&Budget::UNLIMITED, &Cancel::new());
    let estimates = search.estimates();
    let known = |e: &patience_plan::Estimate<_>| e.low.is_some() && e.low == e.high;
    let all = estimates.iter().all(known);
    all.then(|| estimates.iter().filter_map(|e| e.value).fold(0.0, f64::max))
}

/// What the bound of all orders has shown so far.
#[derive(Default, Debug)]
struct Seen {
    /// Positions in which neither all nor no orders can be won, by those who see and by those who don't.
    unsure: u32,
    /// Of these, those where sight wins more.
    sight: u32,
    /// Of these, those where the bound is lower than that, and where it is the truth.
    lower: u32,
    tight: u32,
}

impl Seen {
    /// No one wins more than the mean of the bounds.
    fn compare(&mut self, rules: Rules, position: &Position) {
        let Some(exact) = exact(rules, position) else { return };
        let all = every_order(position);
        let tolds: Vec<Told> = all.iter().map(|one| told(rules, one, SETTINGS, 3)).collect();
        let mean = |of: fn(&Told) -> f64| tolds.iter().map(of).sum::<f64>() / all.len() as f64;
        let (bound, won) = (mean(|told| told.bound), mean(Told::won));
        assert!(bound > exact - 1e-9, "{bound} for {exact} of {position:?}");
        assert!(bound < won + 1e-9, "{bound} above {won} of {position:?}");
        assert!(tolds.iter().all(|told| told.certain), "{tolds:?}");
        self.unsure += u32::from(0.0 < won && exact < 1.0);
        if won > exact + 1e-9 {
            self.sight += 1;
            self.lower += u32::from(bound < won - 1e-9);
            self.tight += u32::from(bound < exact + 1e-9);
        }
    }
}

/// A position with few cards face down, by moves at random; `None` if they do not come to one.
fn played(rules: Rules, seed: u64, few: usize) -> Option<Position> {
    let mut position = Position::deal(&rules, &Deal::seeded(&rules, seed));
    let mut rng = Rng::named(seed, &["bound"]);
    for _ in 0..300 {
        if face_down(&position) <= few {
            return Some(position).filter(|position| face_down(position) > 1);
        }
        let moves = rules.moves(&position);
        let next = *moves.get(rng.below(moves.len().max(1) as u64) as usize)?;
        rules.play(&mut position, next).unwrap();
    }
    None
}

/// Positions of small packs, of which every order of the face-down cards is gone through: the mean of the
/// bounds is never below the exact value, nor above the share that can be won with sight; it is lower
/// than that where sight helps, and often the truth.
#[test]
fn nobody_wins_more_than_the_bound() {
    let mut seen = Seen::default();
    for (draw, ranks, columns) in [(1, 6, 4), (3, 5, 3), (3, 6, 4)] {
        let rules = Rules::draw(draw).unwrap().with_pack(ranks, columns).unwrap();
        for seed in 0..100 {
            if let Some(position) = played(rules, seed, 4) {
                seen.compare(rules, &position);
            }
        }
    }
    assert!(seen.sight >= 6 && seen.lower > 0 && seen.tight > 0, "{seen:?}");
}

/// The same late in games with the whole pack.
#[test]
fn nobody_wins_more_late_in_a_game() {
    let rules = Rules::default();
    let table = KlondikeTable::new(rules, Scoring::Win);
    let mut seen = Seen::default();
    for seed in 1..=60 {
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let options = Thoughtful::default();
        let mut search = ThoughtfulSearch::new(&table, start.clone(), options).unwrap();
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let moves = search.finding().moves;
        let after = |count: usize| replay(&rules, &start, &moves[..count]).unwrap();
        for few in [3, 4] {
            let late = (0..=moves.len()).map(after).find(|late| face_down(late) <= few);
            if let Some(late) = late.filter(|late| face_down(late) > 1) {
                seen.compare(rules, &late);
            }
        }
    }
    assert!(seen.unsure > 0, "{seen:?}");
}

/// The position of the paper's Figure 2 after the wrong jack: with sight every order is won, without it
/// 0.8 of them. Five cards are face down, so orders are drawn.
#[test]
fn a_guess_costs_what_it_costs() {
    let text = "\
Foundations: C-2 D-5 H-3 S-7
Talon: 6H QC
Waste: TH 7D 9S 4H JH 8H 7C
KS QH JS TD 9C 8D
KC QD
<??> TC 9D
KH QS JD
5C
KD
<??> <??> <??> <??> TS 9H 8S 7H 6C 5H
";
    let rules = Rules::default();
    let seen = format::read(&rules, text).unwrap();
    let mut unseen = seen.unseen(&rules).into_iter();
    let mut position = seen.clone();
    for card in position.columns.iter_mut().flat_map(|column| &mut column.down) {
        *card = unseen.next();
    }
    let all = every_order(&position);
    assert_eq!(all.len(), 120);
    let settings = BoundSettings { orders: 120, ..SETTINGS };
    // Other draws for every deal, so that chance evens out.
    let tolds: Vec<Told> =
        all.iter().zip(1..).map(|(one, seed)| told(rules, one, settings, seed)).collect();
    assert!(tolds.iter().all(|told| told.won() == 1.0));
    let bound = tolds.iter().map(|told| told.bound).sum::<f64>() / 120.0;
    // A loss of 0.2 by 120 draws has a standard error of 0.037, the mean of 120 of them one of 0.0034.
    let exact = exact(rules, &position).unwrap();
    assert!((exact - 0.8).abs() < 1e-9, "{exact}");
    assert!((0.79..0.95).contains(&bound), "{bound}");
}

/// The loss of the first commitment is that of what is seen: the same for every deal that looks alike.
#[test]
fn the_first_loss_depends_on_nothing_unseen() {
    let rules = Rules::default();
    let settings = BoundSettings { orders: 40, reveals: 1, nodes: 2_000, judged: 100_000 };
    let mut lost = 0;
    for seed in 1..=12 {
        let position = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let mut other = position.clone();
        let mut down: Vec<_> = position.columns.iter().flat_map(|c| c.down.clone()).collect();
        Rng::new(seed).shuffle(&mut down);
        for card in other.columns.iter_mut().flat_map(|column| &mut column.down) {
            *card = down.pop().unwrap();
        }
        assert_ne!(position, other);
        let (one, two) = (told(rules, &position, settings, 8), told(rules, &other, settings, 8));
        assert_eq!(one.loss, two.loss, "seed {seed}");
        lost += u32::from(one.loss > 0.0);
    }
    assert!(lost > 0);
}

/// Further on a way more can be lost, and never less; and without a card turned up nothing is.
#[test]
fn more_cards_turned_up_lose_no_less() {
    let rules = Rules::draw(3).unwrap().with_pack(6, 4).unwrap();
    let mut more = 0;
    for seed in 0..20 {
        let position = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let at = |reveals| {
            let settings = BoundSettings { reveals, ..SETTINGS };
            let told = told(rules, &position, settings, 2);
            assert!(told.certain);
            told
        };
        let losses: Vec<f64> = (0..=5).map(|reveals| at(reveals).loss).collect();
        assert_eq!(losses[0], 0.0);
        assert!(losses.is_sorted(), "{losses:?}");
        more += u32::from(losses[5] > losses[1]);
        // Stopped early, it tells no more than it would have.
        let early = told(rules, &position, BoundSettings { judged: 50, ..SETTINGS }, 2);
        assert!(early.loss <= losses[5], "{early:?} {losses:?}");
    }
    assert!(more > 0);
}

#[test]
fn settings_out_of_range_are_refused() {
    assert!(Bound::new(BoundSettings { orders: 0, ..SETTINGS }).is_err());
    assert!(Bound::new(BoundSettings { nodes: 0, ..SETTINGS }).is_err());
    assert!(Bound::new(BoundSettings { judged: 0, reveals: 0, ..SETTINGS }).is_ok());
}
