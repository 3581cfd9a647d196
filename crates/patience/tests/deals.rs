//! A deal has one name, wherever it is asked for.

use patience::prelude::*;
use patience::{Deals, Setup, Table};

use crate::small;

/// Every game, on the table and as planners have it.
fn games() -> Vec<&'static str> {
    let more = ["pgame(depth=6)", "sailing(size=5, start=random)", "samegame(width=20, height=20)"];
    small::variants().into_iter().chain(more).collect()
}

/// All that can be told of a state, what is hidden included.
fn whole(state: &AnyState) -> String {
    format!("{}\n{}\n{:?}", state.whole_text(), state.text(), state.actions())
}

fn at_table(game: &str, deal: &str) -> AnyState {
    let setup = Setup::deal(game, deal);
    Table::open(patience::registry(), &setup, &[]).unwrap().state().clone()
}

/// What chance does next in two states is the same.
fn go_on_alike(mut a: AnyState, mut b: AnyState) -> bool {
    (0..20).all(|_| {
        let (one, other) = (a.step(0), b.step(0));
        one == other && whole(&a) == whole(&b)
    })
}

#[test]
fn a_seed_is_the_same_deal_everywhere() {
    for text in games() {
        let game = patience::registry().played(text).unwrap();
        for seed in [0, 1, 7, 40, u64::MAX] {
            let name = format!("seed:{seed}");
            let table = at_table(text, &name);
            assert_eq!(whole(&table), whole(&game.table().start(seed)), "{text}");
            assert_eq!(whole(&table), whole(&game.table().deal(&name, seed).unwrap()), "{text}");
            assert!(go_on_alike(table, game.table().deal(&name, seed).unwrap()), "{text}");
            // The same for planners, whose game may be a more abstract one.
            assert_eq!(whole(&game.start(seed)), whole(&game.deal(&name, seed).unwrap()), "{text}");
        }
        // Where there is chance, another seed is another game.
        let chance = !["tic-tac-toe", "connect-four"].contains(&game.info().name);
        let differ = (1..9).any(|seed| !go_on_alike(game.start(seed), game.start(seed + 1)));
        assert_eq!(differ, chance, "{text}");
    }
}

#[test]
fn a_number_is_a_seed_where_the_game_has_none_of_its_own() {
    for text in games() {
        let game = patience::registry().played(text).unwrap();
        let own = game.info().deals != Deals::Seeds;
        assert_eq!(own, ["klondike", "freecell"].contains(&game.info().name), "{text}");
        let (by_number, by_seed) = (at_table(text, "7"), at_table(text, "seed:7"));
        assert_eq!(whole(&by_number) == whole(&by_seed), !own, "{text}");
        assert_eq!(whole(&by_number), whole(&game.table().deal("7", 7).unwrap()), "{text}");
        assert_eq!(whole(&by_number), whole(&game.table().deal(" 7 ", 7).unwrap()), "{text}");
        // From JSON a number may come without quotes.
        let setup = format!("{{\"game\":\"{text}\",\"deal\":7}}");
        let setup: Setup = serde_json::from_str(&setup).unwrap();
        let table = Table::open(patience::registry(), &setup, &[]).unwrap();
        assert_eq!(whole(table.state()), whole(&by_number), "{text}");
        for wrong in ["seven", "seed:seven", "-7", "", "7.5", "seed:18446744073709551616"] {
            let error = game.table().deal(wrong, 0).unwrap_err();
            assert!(error.contains("is no deal"), "{text}: {error}");
            let open = Table::open(patience::registry(), &Setup::deal(text, wrong), &[]);
            assert_eq!(open.unwrap_err().to_string(), error, "{text}");
        }
    }
}

/// Planners think about the deal that lies on the table.
#[test]
fn the_planners_game_and_the_table_have_the_same_deals() {
    for text in ["klondike", "klondike(draw=1)", "klondike(scoring=vegas)", "freecell"] {
        let game = patience::registry().played(text).unwrap();
        for deal in ["7", "seed:7", "seed:40"] {
            let (planners, table) =
                (game.deal(deal, 1).unwrap(), game.table().deal(deal, 1).unwrap());
            let read = game.read(&table.whole_text(), 1).unwrap();
            assert_eq!(whole(&read), whole(&planners), "{text}, {deal}");
            assert_eq!(read.key(), planners.key(), "{text}, {deal}");
        }
    }
}
