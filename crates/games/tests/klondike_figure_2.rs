//! A position of the kind of the Klondike paper's Figure 2, with jacks for kings: either of two jacks
//! wins if all cards are known, but only one of them wins for certain when they are not.

use std::collections::HashMap;

use patience_games::klondike::best::{Best, BestSettings};
use patience_games::klondike::{
    Action, Card, Ending, Hop, Kind, Klondike, NestedRollout, Rules, State, TakingBack, Ties,
    format,
};
use patience_model::{Game, Rng, Text};
use patience_plan::uct::{Rollout, Selection, Settings, Uct};
use patience_plan::{Budget, Cancel, Planner, Root, Verdict};

/// The same as in `docs/klondike.md`.
const POSITION: &str = "\
Foundations: C-2 D-5 H-3 S-7
Talon: 8H 7C JD 6H QC
Waste: TH 7D 9S 4H JH
KS QH JS TD 9C 8D
KC QD
<??> TC 9D
KH QS
5C
KD
<??> <??> <??> <??> TS 9H 8S 7H 6C 5H
";

fn jack(card: &str) -> Action {
    Action { kind: Kind::StockToColumn, card: card.parse().unwrap() }
}

/// All orders of some cards.
fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &first) in cards.iter().enumerate() {
        let mut rest = cards.to_vec();
        rest.remove(i);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.push(first);
            order
        }));
    }
    all
}

#[test]
fn with_all_cards_known_either_jack_wins() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let seen = format::read(&rules, POSITION).unwrap();
    let orders = orders(&seen.unseen(&rules));
    assert_eq!(orders.len(), 120);
    let nested = NestedRollout::new(2).unwrap();
    for mut order in orders {
        let mut position = seen.clone();
        for card in position.columns.iter_mut().flat_map(|column| &mut column.down) {
            *card = order.pop();
        }
        for card in ["JH", "JD"] {
            let mut state = game.state(&position).unwrap();
            game.step(&mut state, jack(card), &mut Rng::new(0));
            let mut search = nested.search(&game, Root::Certain(state), Rng::new(0));
            search.run(&Budget::UNLIMITED, &Cancel::new());
            assert_eq!(search.finding().verdict, Verdict::Solved, "{card} in {position:?}");
        }
    }
}

/// Whether there is a way to win however the face-down cards lie: some action must do for every
/// card that it may turn up.
struct Certain<'g> {
    game: &'g Klondike,
    known: HashMap<String, bool>,
}

impl Certain<'_> {
    fn wins(&mut self, state: &State) -> bool {
        if self.game.is_won(state) {
            return true;
        }
        let text = self.game.state_text(state);
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        let wins = actions.into_iter().any(|action| self.wins_by(state, action));
        self.known.insert(text, wins);
        wins
    }

    fn wins_by(&mut self, state: &State, action: Action) -> bool {
        // Every card that can turn up does so in many tries: a miss has a chance below 1e-9.
        let mut seen = Vec::new();
        for number in 0..130 {
            let mut next = *state;
            let step = self.game.step(&mut next, action, &mut Rng::numbered(7, number));
            if seen.contains(&step.obs) {
                continue;
            }
            seen.push(step.obs);
            if !self.wins(&next) {
                return false;
            }
            if step.obs.is_none() {
                break;
            }
        }
        true
    }
}

#[test]
fn uct_prefers_the_safe_one_and_hindsight_does_not() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let state = game.state(&format::read(&rules, POSITION).unwrap()).unwrap();
    let ask = |planner: &dyn Planner<Klondike>| {
        let mut search = planner.search(&game, Root::Certain(state), Rng::new(1));
        search.run(&Budget::UNLIMITED, &Cancel::new());
        let estimates = search.estimates();
        let value =
            |card: &str| estimates.iter().find(|e| e.action == jack(card)).unwrap().value.unwrap();
        (search.best().unwrap(), value("JH"), value("JD"))
    };
    let hop = Hop::new(40, NestedRollout::new(2).unwrap()).unwrap();
    let (_, safe, risky) = ask(&hop);
    assert_eq!((safe, risky), (1.0, 1.0));
    let settings = Settings {
        iterations: Some(5_000),
        selection: Selection::Ucb1 { c: 1.0 },
        expand: None,
        ..Settings::default()
    };
    let uct: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
    let (best, safe, risky) = ask(&uct);
    assert!(safe > risky + 0.05, "{safe} {risky}");
    assert_eq!(best, jack("JH"));
}

#[test]
fn without_knowing_them_one_jack_wins_for_certain() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let state = game.state(&format::read(&rules, POSITION).unwrap()).unwrap();
    let mut certain = Certain { game: &game, known: HashMap::new() };
    assert!(certain.wins_by(&state, jack("JH")));
    assert!(!certain.wins_by(&state, jack("JD")));
}

/// To hindsight optimisation both jacks are worth the same: it takes the preferred one, or any.
#[test]
fn of_equals_the_preferred_one_is_taken_or_any() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let state = game.state(&format::read(&rules, POSITION).unwrap()).unwrap();
    let hop = Hop::new(4, NestedRollout::new(2).unwrap()).unwrap().with_samples_of_decision();
    let choices = |hop: &Hop| {
        let choice = |seed| {
            let mut search = hop.search(&game, Root::Certain(game.open(&state)), Rng::new(seed));
            search.run(&Budget::UNLIMITED, &Cancel::new());
            assert_eq!(search.counts().iterations, 4, "of all actions together");
            search.best().unwrap()
        };
        (0..20).map(choice).collect::<Vec<_>>()
    };
    let taken = |choices: &[Action], card: &str| choices.iter().any(|a| *a == jack(card));
    let preferred = choices(&hop);
    assert!(taken(&preferred, "JD") && !taken(&preferred, "JH"), "{preferred:?}");
    let any = choices(&hop.with_ties(Ties::Random));
    assert!(taken(&any, "JD") && taken(&any, "JH"), "{any:?}");
}

/// A card that comes back can go home again: beside a sure win it is one too.
#[test]
fn a_move_that_can_be_undone_is_as_sure_as_the_best() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let game = game.with_taking_back(TakingBack::Any).with_ending(Ending::Home);
    let state = game.state(&format::read(&rules, POSITION).unwrap()).unwrap();
    let player = Best::new(BestSettings::default()).unwrap();
    let mut search = player.search(&game, Root::Certain(game.open(&state)), Rng::new(3));
    search.run(&Budget::iterations(20_000), &Cancel::new());
    let back = Action { kind: Kind::FoundationToColumn, card: "7S".parse().unwrap() };
    let estimates = search.estimates();
    let of = |action| estimates.iter().find(|e| e.action == action).unwrap();
    for action in [jack("JH"), back] {
        let sure = of(action);
        assert!(sure.proven, "{sure:?}");
        assert_eq!((sure.low, sure.high), (Some(1.0), Some(1.0)), "{sure:?}");
    }
    let risky = of(jack("JD"));
    assert!(!risky.proven && risky.value.unwrap() < 1.0, "{risky:?}");
}
