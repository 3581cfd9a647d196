//! Every two ingredients of `uct` either go together or are refused with the reason.

use patience::prelude::*;

/// Each with what it needs, if that is not the default.
const INGREDIENTS: [&str; 38] = [
    "selection=depth",
    "selection=polynomial",
    "selection=tuned",
    "selection=ucb-v",
    "selection=thompson",
    "selection=puct",
    "selection=boltzmann",
    "selection=dents",
    "selection=klucb",
    "selection=improved",
    "selection=uniform",
    "urgency=0.5",
    "root=halving",
    "root=gumbel",
    "eval=mast",
    "eval=ngrams",
    "eval=adaptive",
    "eval=zero",
    "expand=inf",
    "expand=0",
    "stop=visits",
    "backup=max",
    "backup=cautious",
    "backup=power",
    "backup=softmax",
    "backup=bellman",
    "recommend=visits",
    "recommend=lower",
    "prove=true",
    "sharing=rave",
    "sharing=grave",
    "merge=true",
    "merge=across",
    "widen=1",
    "widen_outcomes=1",
    "batch=4, threads=2",
    "width=2",
    "trees=2, iterations=40",
];

/// The keys of an ingredient.
fn keys(ingredient: &str) -> impl Iterator<Item = &str> {
    ingredient.split(", ").filter_map(|part| part.split('=').next())
}

/// The planner with these ingredients, whose rollouts are short.
fn planner(ingredients: &str) -> String {
    // Without rollouts there is nothing to cut.
    let limit = if ingredients.contains("eval=zero") { "" } else { "limit=30, " };
    format!("uct({limit}{ingredients})")
}

/// Plays a little, or says why it is refused.
fn tried(game: &AnyGame, planner: &str) -> Result<(), String> {
    game.check(planner).map_err(|error| error.to_string())?;
    let advice = game.advise(planner, &Budget::iterations(60), 5).map_err(|e| e.to_string())?;
    let best = advice.best.unwrap_or_else(|| panic!("{planner} on {game} recommends nothing"));
    assert!(advice.moves.iter().any(|known| known.action == best), "{planner} on {game}: {best}");
    Ok(())
}

#[test]
fn every_two_ingredients_go_together_or_are_refused_with_the_reason() {
    for (game, alone) in [
        ("tic-tac-toe", 38),
        ("frozen-lake", 38),
        ("pgame(branching=2, depth=4)", 38),
        ("tiger", 33),
    ] {
        let game = patience::registry().game(game).unwrap();
        let fits = |ingredient: &&&str| tried(&game, &planner(ingredient)).is_ok();
        assert_eq!(INGREDIENTS.iter().filter(fits).count(), alone, "{game}");
        let (mut together, mut refused) = (0, 0);
        for (number, one) in INGREDIENTS.iter().enumerate() {
            for other in &INGREDIENTS[number + 1..] {
                if keys(one).any(|key| keys(other).any(|same| same == key)) {
                    continue;
                }
                let planner = planner(&format!("{one}, {other}"));
                match tried(&game, &planner) {
                    Ok(()) => together += 1,
                    Err(why) => {
                        let named = keys(one).chain(keys(other)).any(|key| why.contains(key));
                        assert!(named && why.len() > 30, "{planner} on {game}: {why}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(together > 300 && refused > 40, "{game}: {together} and {refused}");
    }
}
