//! A game of your own, complete: Pig for one player, planned by UCT.
//!
//! You have five turns. In a turn you roll a die as often as you like and add up what it shows;
//! hold, and the sum is yours; roll a one, and the turn's sum is lost.
//!
//! Run it with `cargo run --release -p patience --example your_own_game`.

use patience::model::conformance;
use patience::prelude::*;

struct Pig {
    turns: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct State {
    turns_left: u32,
    turn_sum: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Action {
    Roll,
    Hold,
}

impl Game for Pig {
    type State = State;
    type Action = Action;
    type Obs = u32; // what the die shows, 0 for a hold

    fn start(&self, _rng: &mut Rng) -> State {
        State { turns_left: self.turns, turn_sum: 0 }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        if state.turns_left > 0 {
            out.extend([Action::Roll, Action::Hold]);
        }
    }

    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<u32> {
        let die = if action == Action::Roll { rng.below(6) as u32 + 1 } else { 0 };
        if die > 1 {
            state.turn_sum += die;
            return Step { reward: 0.0, obs: die };
        }
        let kept = if action == Action::Hold { state.turn_sum } else { 0 };
        *state = State { turns_left: state.turns_left - 1, turn_sum: 0 };
        Step { reward: f64::from(kept), obs: die }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Pig { turns: 5 };
    conformance::of(&game).check(); // is it a game at all?

    let (mut total, games) = (0.0, 100);
    let settings =
        uct::Settings { selection: uct::Selection::Ucb1 { c: 40.0 }, ..Default::default() };
    let planner: uct::Uct<_> = uct::Uct::new(settings, uct::Rollout::default())?;
    for number in 0..games {
        let mut chance = Rng::named(1, &["pig", &number.to_string(), "dice"]);
        let mut state = game.start(&mut chance);
        while state.turns_left > 0 {
            let root = Root::Certain(state.clone());
            let mut search = planner.search(&game, root, Rng::new(chance.next_u64()));
            search.run(&Budget::iterations(2_000), &Cancel::new());
            let action = search.best().expect("the game goes on");
            total += game.step(&mut state, action, &mut chance).reward;
        }
    }
    // Nobody makes more than 8.14 points a turn in the long run; who plays at random makes 2.45.
    println!("{:.2} points a turn", total / f64::from(games * game.turns));
    Ok(())
}
