//! Planners on beliefs beside POMCP: kept observations (PFT-DPW), and perfect-information Monte-Carlo.

use patience_games::Tiger;
use patience_games::tiger::{Action, Door, Known, State};
use patience_model::{Game, Hidden, Rng, Step};
use patience_plan::uct::{Rollout, Selection, Settings, Uct, Widening};
use patience_plan::{Belief, Budget, Cancel, Guess, Pimc, Planner, Root};

/// The tiger, but nothing is ever heard twice in the same voice.
struct Voices(Tiger);

impl Game for Voices {
    type State = State;
    type Action = Action;
    type Obs = (Option<Door>, u64);

    fn start(&self, rng: &mut Rng) -> State {
        self.0.start(rng)
    }
    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        self.0.actions(state, out);
    }
    fn step(&self, state: &mut State, action: Action, rng: &mut Rng) -> Step<Self::Obs> {
        let Step { reward, obs } = self.0.step(state, action, rng);
        Step { reward, obs: (obs, rng.next_u64()) }
    }
    fn discount(&self) -> f64 {
        self.0.discount()
    }
}

impl Hidden for Voices {
    type Known = Known;
    fn known(&self, state: &State) -> Known {
        self.0.known(state)
    }
    fn draw(&self, known: &Known, rng: &mut Rng) -> State {
        self.0.draw(known, rng)
    }
}

fn voices() -> Voices {
    Voices(Tiger::new(20, 0.95).unwrap())
}

fn heard(heard_left: u16, heard_right: u16) -> Known {
    Known { heard_left, heard_right, opened: None }
}

fn best(game: &Tiger, known: &Known) -> Action {
    let values = game.optimal_values(known).into_iter();
    values.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

fn uct(widen_outcomes: Option<Widening>) -> Uct<Rollout<patience_plan::uct::Uniform>> {
    let selection = Selection::Ucb1 { c: 110.0 };
    let settings = Settings { selection, widen_outcomes, ..Settings::default() };
    Uct::new(settings, Rollout::default()).unwrap()
}

const KEPT: Option<Widening> = Some(Widening { factor: 1.0, power: 0.25 });

/// Where every observation is a new one a tree on observations has one level, and there a door is opened
/// that should not be; with observations kept the search listens on.
#[test]
fn kept_observations_make_a_tree_where_no_observation_comes_twice() {
    let game = voices();
    let listened = |widening| {
        let listens = |&seed: &u64| {
            let root = Root::Belief(Box::new(Guess(heard(1, 0))));
            let mut search = uct(widening).search(&game, root, Rng::new(seed));
            search.run(&Budget::iterations(20_000), &Cancel::new());
            search.best() == Some(Action::Listen)
        };
        (0..10).filter(listens).count()
    };
    assert_eq!(best(&game.0, &heard(1, 0)), Action::Listen);
    assert_eq!(listened(None), 0);
    assert!(listened(KEPT) >= 8);
}

/// Below a kept observation the state is drawn from what is known then: a door opened there pays what the
/// posterior says, and not what one drawn tiger would.
#[test]
fn below_a_kept_observation_the_belief_is_the_posterior() {
    let game = voices();
    let mut looked = 0;
    for seed in 0..10 {
        let root = Root::Belief(Box::new(Guess(heard(1, 0))));
        let mut search = uct(KEPT).search(&game, root, Rng::new(seed));
        search.run(&Budget::iterations(20_000), &Cancel::new());
        let listen = search.tree(2).into_iter().find(|branch| branch.action == Action::Listen);
        for after in listen.unwrap().after {
            let known = match after.obs.0.unwrap() {
                Door::Left => heard(2, 0),
                Door::Right => heard(1, 1),
            };
            let exact = game.0.optimal_values(&known);
            for branch in after.branches.iter().filter(|b| b.visits >= 200) {
                let &(action, value) = exact.iter().find(|e| e.0 == branch.action).unwrap();
                if action == Action::Listen {
                    continue;
                }
                let left = known.left();
                let error = 110.0 * (left * (1.0 - left) / branch.visits as f64).sqrt();
                assert!((branch.value - value).abs() < 4.5 * error, "{branch:?}: {value}");
                looked += 1;
            }
        }
    }
    assert!(looked >= 20, "{looked}");
}

/// A belief that cannot be drawn anew: nothing may be kept of it.
struct Opaque(Known);

impl Belief<Voices> for Opaque {
    fn sample(&self, game: &Voices, rng: &mut Rng) -> State {
        game.draw(&self.0, rng)
    }
}

#[test]
fn of_a_belief_that_cannot_be_redrawn_nothing_is_kept() {
    let game = voices();
    let root = Root::Belief(Box::new(Opaque(heard(1, 0))));
    let mut search = uct(KEPT).search(&game, root, Rng::new(1));
    search.run(&Budget::iterations(2_000), &Cancel::new());
    for branch in search.tree(1).iter().filter(|branch| branch.action == Action::Listen) {
        assert_eq!(branch.visits, branch.after.len() as u64);
    }
}

/// Of a thousand outcomes that never come twice some are kept: each counts alike, however often it was met.
#[test]
fn early_outcomes_do_not_grow_on_themselves() {
    /// A number is drawn that pays itself.
    struct Lot;
    impl Game for Lot {
        type State = bool;
        type Action = ();
        type Obs = u64;
        fn start(&self, _: &mut Rng) -> bool {
            false
        }
        fn actions(&self, over: &bool, out: &mut Vec<()>) {
            out.clear();
            out.extend((!over).then_some(()));
        }
        fn step(&self, over: &mut bool, (): (), rng: &mut Rng) -> Step<u64> {
            *over = true;
            Step { reward: rng.unit(), obs: rng.next_u64() }
        }
    }
    let widening = Some(Widening { factor: 1.0, power: 0.5 });
    let squares = (0..200).map(|seed| {
        let settings = Settings { widen_outcomes: widening, ..Settings::default() };
        let planner: Uct<_> = Uct::new(settings, Rollout::default()).unwrap();
        let mut search = planner.search(&Lot, Root::Certain(false), Rng::new(seed));
        search.run(&Budget::iterations(3_600), &Cancel::new());
        let mean = search.estimates()[0].value.unwrap();
        (mean - 0.5) * (mean - 0.5)
    });
    // Sixty draws, each counted about alike: a variance of 1/12/60 = 0.0014 of the mean, and a little more
    // because those that came early were met more often. Would what is met count too, it were 0.026.
    let variance = squares.sum::<f64>() / 200.0;
    assert!((0.0009..0.0024).contains(&variance), "{variance}");
}

/// Heads or tails: wait, or peek for a tenth; then a right guess pays 1.
#[derive(Clone, Copy)]
struct Coin;

/// What is known: whether it is time to guess or over, and what was peeked at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Peeked(u8, Option<bool>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Look {
    Wait,
    Peek,
    Guess(bool),
}

impl Game for Coin {
    type State = (Peeked, bool);
    type Action = Look;
    type Obs = Option<bool>;

    fn start(&self, rng: &mut Rng) -> (Peeked, bool) {
        (Peeked(0, None), rng.chance(0.5))
    }
    fn actions(&self, state: &(Peeked, bool), out: &mut Vec<Look>) {
        out.clear();
        match state.0.0 {
            0 => out.extend([Look::Wait, Look::Peek]),
            1 => out.extend([Look::Guess(false), Look::Guess(true)]),
            _ => (),
        }
    }
    fn step(&self, state: &mut (Peeked, bool), look: Look, _: &mut Rng) -> Step<Option<bool>> {
        let (Peeked(stage, peeked), heads) = state;
        *stage += 1;
        let reward = match look {
            Look::Wait => 0.0,
            Look::Peek => {
                *peeked = Some(*heads);
                -0.1
            }
            Look::Guess(guess) => f64::from(u8::from(guess == *heads)),
        };
        Step { reward, obs: *peeked }
    }
}

impl Hidden for Coin {
    type Known = Peeked;
    fn known(&self, state: &(Peeked, bool)) -> Peeked {
        state.0
    }
    fn draw(&self, known: &Peeked, rng: &mut Rng) -> (Peeked, bool) {
        (*known, known.1.unwrap_or_else(|| rng.chance(0.5)))
    }
}

/// Peeking is worth 0.9 and waiting 0.5; who believes to see the coin waits for a sure guess.
#[test]
fn information_is_worth_nothing_to_who_believes_to_see() {
    let root = || Root::Belief(Box::new(Guess(Peeked(0, None))));
    let pimc = Pimc::new(Some(20), 300, 1.4, Rollout::default()).unwrap();
    let pomcp: Uct<_> = Uct::new(Settings::default(), Rollout::default()).unwrap();
    for seed in 0..5 {
        let mut search = pimc.search(&Coin, root(), Rng::new(seed));
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!(stats.counts.iterations, 20 * 300);
        assert_eq!(search.best(), Some(Look::Wait), "{:?}", search.estimates());
        let visits: u64 = search.estimates().iter().map(|estimate| estimate.visits).sum();
        assert_eq!(visits, 20 * 300);
        // The first sample counts as far as it is.
        let mut begun = pimc.search(&Coin, root(), Rng::new(seed));
        begun.run(&Budget::iterations(40), &Cancel::new());
        let visits: u64 = begun.estimates().iter().map(|estimate| estimate.visits).sum();
        assert_eq!((begun.counts().iterations, visits), (40, 40));
        let mut search = pomcp.search(&Coin, root(), Rng::new(seed));
        search.run(&Budget::iterations(6_000), &Cancel::new());
        assert_eq!(search.best(), Some(Look::Peek), "{:?}", search.estimates());
    }
    for (parameter, made) in [
        ("iterations", Pimc::new(None, 0, 1.0, Rollout::default())),
        ("samples", Pimc::new(Some(0), 1, 1.0, Rollout::default())),
        ("c", Pimc::new(None, 1, -1.0, Rollout::default())),
    ] {
        assert_eq!(made.unwrap_err().parameter, parameter);
    }
}
