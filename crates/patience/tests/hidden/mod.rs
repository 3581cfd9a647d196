//! Hidden cards never leak to a planner: behind its back the hidden part is swapped for another
//! that agrees with all it knows, and nothing that it says may change.

mod cards;

use cards::Cards;
use patience::games::Tiger;
use patience::games::tiger::State as TigerState;
use patience::lab::{Spec, Streams};
use patience::plan::Stats;
use patience::prelude::*;

/// The deal of a seed.
fn dealt<G: Game>(game: &G, rng: &mut Rng) -> G::State {
    game.start(rng)
}

/// The deal of the same seed, with the tiger behind the other door.
fn tiger_moved(game: &Tiger, rng: &mut Rng) -> TigerState {
    let true_state = game.start(rng);
    let known = game.known(&true_state);
    loop {
        let state = game.draw(&known, rng);
        if state.tiger() != true_state.tiger() {
            return state;
        }
    }
}

/// The deal of the same seed, with another card face down.
fn card_swapped(game: &Cards, rng: &mut Rng) -> cards::Table {
    let table = game.start(rng);
    cards::Table { card: (table.card + 1) % cards::CARDS, ..table }
}

/// A game twice: as it is dealt and with the hidden part swapped.
struct Pair {
    games: [AnyGame; 2],
    registry: Registry,
}

impl Pair {
    fn new(kit: impl Fn(bool) -> AnyGame + Copy + Send + Sync + 'static) -> Pair {
        let mut registry = patience::list();
        for (name, swapped) in [("dealt", false), ("swapped", true)] {
            registry
                .add(GameEntry::new(GameInfo { name, ..GameInfo::NEW }, move |_| Ok(kit(swapped))));
        }
        let games = ["dealt", "swapped"].map(|name| registry.game(name).unwrap());
        Pair { games, registry }
    }

    /// All planners that can play it.
    fn planners(&self) -> Vec<String> {
        let names = self.registry.planners().map(|info| info.name.to_owned());
        let more = [
            "uct(merge=true)",
            "uct(width=1, trees=4, iterations=40)",
            "uct(backup=max)",
            "uct(widen_outcomes=1)",
        ];
        let all = names.chain(more.map(str::to_owned));
        all.filter(|planner| self.games[0].check(planner).is_ok()).collect()
    }

    /// How many of `seeds` deals are thought about otherwise when the hidden part is swapped.
    fn leaks(&self, planner: &str, seeds: u64) -> usize {
        let say = |game: &AnyGame, seed| {
            let Advice { best, moves, position, stats, .. } =
                game.advise(planner, &Budget::iterations(200), seed).unwrap();
            (best, moves, position, Stats { seconds: 0.0, ..stats })
        };
        let differs = |&seed: &u64| say(&self.games[0], seed) != say(&self.games[1], seed);
        (0..seeds).filter(differs).count()
    }

    /// How many of `units` games played by a planner begin with another move. The reward of the
    /// first move tells which it was.
    fn other_first_moves(&self, planner: &str, units: u64) -> usize {
        let first = |game: &str, unit| {
            let text = format!(
                "name = \"leak\"\nseed = 5\nunits = 1\n\
                 task = {{ kind = \"play\", iterations = 200, max_moves = 1 }}\n\
                 [[arm]]\nname = \"a\"\ngame = \"{game}\"\nplanner = \"{planner}\"\n"
            );
            let spec = Spec::parse("leak", &text, false).unwrap();
            let task = patience::task(&self.registry, &spec, &spec.arms[0]).unwrap();
            task.run(unit, &Streams::new(5, "leak", "a", unit), &Cancel::new()).unwrap()
        };
        (0..units).filter(|&unit| first("dealt", unit) != first("swapped", unit)).count()
    }
}

fn tiger(hidden: bool) -> Pair {
    Pair::new(move |swapped| {
        let kit =
            Kit::new(Tiger::new(4, 0.95).unwrap()).text().upper(|_: &Tiger, _: &TigerState| 10.0);
        let kit = if hidden { kit.hidden() } else { kit };
        kit.starting(if swapped { tiger_moved } else { dealt }).into()
    })
}

fn cards(hidden: bool) -> Pair {
    Pair::new(move |swapped| {
        let kit = Kit::new(Cards).text().keyed().undo().outcomes();
        let kit = if hidden { kit.hidden() } else { kit };
        kit.starting(if swapped { card_swapped } else { dealt }).into()
    })
}

#[test]
fn the_card_game_is_a_game() {
    use patience::model::conformance;
    conformance::of(&Cards).undoes().outcomes().hidden().games(50).check();
}

#[test]
fn planners_that_must_know_the_state_are_refused() {
    let pair = cards(true);
    let refused: Vec<&str> = (pair.registry.planners().filter(|info| info.games.is_empty()))
        .map(|info| info.name)
        .filter(|name| pair.games[0].check(name).is_err())
        .collect();
    // DESPOT lacks an upper bound here.
    let certain = ["alpha-beta", "sparse-sampling", "despot"];
    let listed = ["value-iteration", "policy-iteration", "lrtdp"];
    let keyed = ["artdp", "pg-id"];
    let deterministic = ["mcts", "nmcts", "nmcs", "nrpa", "beam"];
    assert_eq!(refused, [&certain[..], &listed, &keyed, &deterministic].concat());
    // Of the settings of UCT, merging by a key and a limited width are refused too.
    assert_eq!(pair.planners().len(), 5 + 2);
    assert_eq!(tiger(true).planners().len(), 6 + 2);
}

#[test]
fn no_planner_sees_the_tiger() {
    let pair = tiger(true);
    for planner in pair.planners() {
        assert_eq!(pair.leaks(&planner, 10), 0, "{planner}");
    }
}

#[test]
fn no_planner_sees_the_card() {
    let pair = cards(true);
    for planner in pair.planners() {
        assert_eq!(pair.leaks(&planner, 10), 0, "{planner}");
    }
}

#[test]
fn no_game_begins_by_the_card() {
    let pair = cards(true);
    for planner in pair.planners() {
        assert_eq!(pair.other_first_moves(&planner, 10), 0, "{planner}");
    }
}

/// The checks above can fail: a kit that gives planners the state is caught.
#[test]
fn a_leak_would_be_seen() {
    for pair in [tiger(false), cards(false)] {
        for planner in pair.planners() {
            let leaks = pair.leaks(&planner, 10);
            assert!((leaks > 5) == looks(&planner), "{planner}: {leaks} of 10");
        }
    }
    let pair = cards(false);
    for planner in pair.planners() {
        let leaks = pair.other_first_moves(&planner, 10);
        // LRTDP starts from values of 0, which are too small in a game of gains: it values the moves by
        // the card, and is content with the first one.
        let decides = looks(&planner) && planner != "lrtdp";
        assert!((leaks > 5) == decides, "{planner}: {leaks} of 10");
    }
}

/// Whether a planner would find out.
fn looks(planner: &str) -> bool {
    planner != "random"
}
