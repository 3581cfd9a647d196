//! Determinisation: averages are those of the samples, and information is worth nothing to it.

use std::cell::RefCell;

use patience_games::Tiger;
use patience_games::tiger::{Action, Door, Known, LISTENING, State, TIGER, TREASURE};
use patience_model::{Game, Rng};
use patience_plan::determinise::{Clairvoyant, Determinised, Ties, Values};
use patience_plan::{Budget, Cancel, Counts, Guess, Root, Search, Status, Stepped, StopReason};

/// Sees the tiger: opens the other door, at once or after one move. Notes the tigers.
struct Seer<'a>(&'a RefCell<Vec<Door>>);

impl Clairvoyant<Tiger> for Seer<'_> {
    fn search(
        &mut self,
        game: &Tiger,
        state: State,
        rng: &mut Rng,
        values: &mut Values<Action>,
    ) -> Counts {
        self.0.borrow_mut().push(state.tiger());
        let mut legal = Vec::new();
        for action in [Action::Listen, Action::Open(Door::Left), Action::Open(Door::Right)] {
            let mut next = state;
            let reward = game.step(&mut next, action, rng).reward;
            game.actions(&next, &mut legal);
            let rest = if legal.is_empty() { 0.0 } else { game.discount() * TREASURE };
            values.add(action, reward + rest, 1);
        }
        Counts { model_calls: 3, ..Counts::default() }
    }
}

/// The tiger was heard twice on the left, and two moves are left: one should open now, but whoever
/// will see everything after this move listens.
#[test]
fn samples_are_averaged_over_clairvoyance() {
    let game = Tiger::new(4, 0.95).unwrap();
    let known = Known { heard_left: 2, heard_right: 0, opened: None };
    let exact = game.optimal_values(&known);
    let right = exact.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
    assert_eq!(right, Action::Open(Door::Right));
    let tigers = RefCell::default();
    let root = Root::Belief(Box::new(Guess(known)));
    let search = Determinised::new(&game, root, Rng::new(3), Seer(&tigers), Ties::Preferred);
    let mut search = search.with_samples(1000);
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert_eq!((stats.counts.iterations, stats.counts.model_calls), (1000, 3000));
    let lefts = tigers.borrow().iter().filter(|&&door| door == Door::Left).count() as f64;
    assert!((lefts / 1000.0 - known.left()).abs() < 0.02, "{lefts} of 1000 on the left");
    let estimates = search.estimates();
    let value = |place: usize| estimates[place].value.unwrap();
    assert!((value(0) - (LISTENING + 0.95 * TREASURE)).abs() < 1e-9);
    assert_eq!(value(1), (lefts * TIGER + (1000.0 - lefts) * TREASURE) / 1000.0);
    assert_eq!(value(2), (lefts * TREASURE + (1000.0 - lefts) * TIGER) / 1000.0);
    assert_eq!(search.best(), Some(Action::Listen));
}

/// Finds every action alike, each in its turn.
struct Alike;

impl Clairvoyant<Tiger> for Alike {
    fn search(
        &mut self,
        _game: &Tiger,
        _state: State,
        _rng: &mut Rng,
        values: &mut Values<Action>,
    ) -> Counts {
        values.add(values.turn().unwrap(), 0.1, 1);
        Counts::default()
    }
}

#[test]
fn actions_have_their_turn_and_equals_are_taken_as_told() {
    let game = Tiger::new(4, 0.95).unwrap();
    let start = |seed, ties| {
        let root = Root::Certain(game.start(&mut Rng::new(1)));
        Determinised::new(&game, root, Rng::new(seed), Alike, ties).with_samples(7)
    };
    let mut search = start(1, Ties::Preferred);
    search.run(&Budget::UNLIMITED, &Cancel::new());
    assert_eq!(search.step(), Status::Complete);
    let visits: Vec<u64> = search.estimates().iter().map(|estimate| estimate.visits).collect();
    assert_eq!((visits, search.best()), (vec![3, 2, 2], Some(Action::Listen)));
    let mut taken = Vec::new();
    for seed in 0..50 {
        let mut search = start(seed, Ties::Random);
        search.run(&Budget::UNLIMITED, &Cancel::new());
        // Estimates stay in the game's order.
        let actions: Vec<Action> = search.estimates().iter().map(|e| e.action).collect();
        assert_eq!(actions, search.actions());
        let best = search.best().unwrap();
        if !taken.contains(&best) {
            taken.push(best);
        }
    }
    assert_eq!(taken.len(), 3);
}
