//! What a solver says is replayed by the game's validator, and a wrong solution does not pass it.

use std::collections::{BTreeMap, BTreeSet};

use patience::prelude::*;
use patience::{Invalid, Objective};

use crate::small;

/// More games with solvers, which are too large for those that know nothing of the game.
const LARGE: [&str; 5] = [
    "klondike(view=plus)",
    "klondike(draw=1)",
    "freecell",
    "freecell(rules=eight-off, metric=single)",
    "samegame(rewards=clickomania)",
];

/// Deals that are tried until one is solved.
const DEALS: u64 = 12;

fn solve(state: &AnyState, solver: &str) -> Option<Solved> {
    let budget = Budget::iterations(5_000).with_memory(1 << 28);
    let solved = state.solve(Some(solver), &budget, 1, &Cancel::new(), &mut |_| ()).unwrap();
    solved.verdict.is_solved().then_some(solved)
}

/// The same with another word in its place.
fn changed(words: &[String], place: usize, word: &str) -> String {
    let mut words = words.to_vec();
    word.clone_into(&mut words[place]);
    words.join(" ")
}

/// Solutions of a state, each by changing one move of a solution to one that the rules forbid there.
fn wrong(state: &AnyState, solved: &Solved) -> Vec<String> {
    let names: BTreeSet<&String> = solved.moves.iter().collect();
    let mut now = state.clone();
    let mut all = Vec::new();
    for (place, name) in solved.moves.iter().enumerate() {
        // A group of tiles has many names: what cannot be played is wrong.
        if let Some(other) = names.iter().find(|other| now.clone().play(other).is_err()) {
            all.push(changed(&solved.moves, place, other));
        }
        now.play(name).unwrap();
    }
    all
}

#[test]
fn every_solution_passes_the_validator_and_no_wrong_one_does() {
    let registry = patience::registry();
    let mut solvers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for text in small::games().into_iter().chain(LARGE) {
        // As people play, so that solutions go to the end.
        let game = registry.played(text).unwrap();
        for info in game.solvers() {
            if info.games.is_empty() && LARGE.contains(&text) {
                continue;
            }
            let table = game.table();
            let on_table = table.solvers().iter().any(|solver| solver.name == info.name);
            let game = if on_table { table } else { game.clone() };
            let deals = (1..=DEALS).map(|seed| game.start(seed));
            let found = deals.into_iter().find_map(|s| Some((solve(&s, info.name)?, s)));
            let Some((solved, state)) = found else { continue };
            *solvers.entry(info.name).or_default() += 1;
            let solution = solved.solution.as_deref().unwrap();
            let checked = state.verify(solution).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(Some(checked.value), solved.value, "{} on {text}", info.name);
            assert_eq!(Some(checked.length), solved.length, "{} on {text}", info.name);
            assert_eq!(solved.moves.len(), checked.length, "{} on {text}", info.name);
            assert_eq!(checked.reached, solved.reached, "{} on {text}", info.name);
            let score = state.objective() == Objective::Score;
            assert!(score || checked.reached, "{} on {text}", info.name);
            // The moves by their names can be played, and lead where the validator says.
            let mut played = state.clone();
            for name in &solved.moves {
                played.play(name).unwrap_or_else(|why| panic!("{name} on {text}: {why}"));
            }
            assert_eq!(played.is_over(), checked.over, "{} on {text}", info.name);

            for solution in wrong(&state, &solved) {
                let told = state.verify(&solution);
                assert!(matches!(told, Err(Invalid::Step(_))), "{text}: {told:?}\n{solution}");
                *refused.entry(info.name).or_default() += 1;
            }
            // Without its last move it is no solution, or another one.
            let (_, rest) = solved.moves.split_last().unwrap();
            let cut = state.verify(&rest.join(" "));
            let same =
                cut.as_ref().is_ok_and(|cut| (cut.over, cut.reached) == (true, checked.reached));
            assert!(!same, "{} on {text}: {cut:?}", info.name);
            let nonsense = state.verify("nonsense and more of it");
            assert!(nonsense.is_err(), "{nonsense:?}");
        }
    }
    let all: BTreeSet<&str> = registry.solvers().map(|info| info.name).collect();
    assert_eq!(solvers.keys().copied().collect::<BTreeSet<_>>(), all, "{solvers:?}");
    assert_eq!(refused.keys().copied().collect::<BTreeSet<_>>(), all, "{refused:?}");
}
