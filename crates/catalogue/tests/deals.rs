//! What a number means depends on the game alone.

use patience_catalogue::{Deals, GameInfo, Setup, Table};

use crate::ladder;

#[test]
fn a_number_is_a_seed_unless_the_game_has_numbers() {
    for (deals, seven) in [(Deals::Seeds, false), (Deals::Numbers(4), true), (Deals::Ranks, true)] {
        let registry = ladder::registry(GameInfo { deals, ..GameInfo::NEW });
        let game = registry.game("ladder").unwrap();
        for seed in 0..9u64 {
            let name = format!("seed:{seed}");
            let dealt = game.deal(&name, seed).unwrap();
            assert_eq!(dealt.text(), game.start(seed).text());
            let table = Table::open(&registry, &Setup::deal("ladder", &name), &[]).unwrap();
            assert_eq!(table.view().text, dealt.text());
            let plain = game.deal(&seed.to_string(), seed).map(|state| state.text());
            match (seven, seed) {
                (false, _) => assert_eq!(plain, Ok(dealt.text())),
                (true, 0..5) => assert_eq!(plain, Ok(format!("rung {seed}"))),
                (true, _) => assert!(plain.unwrap_err().contains("a rung from 0 to 4")),
            }
        }
    }
}

#[test]
fn what_is_no_deal_is_said_in_short() {
    let game = ladder::game();
    for wrong in ["", "x", "seed:", "-1", "99999999999999999999"] {
        let error = game.deal(wrong, 0).unwrap_err();
        assert_eq!(error, format!("`{wrong}` is no deal: a number such as 7 is expected"));
    }
    let error = game.deal(&"9".repeat(1000), 0).unwrap_err();
    assert!(error.len() < 100, "{error}");
}
