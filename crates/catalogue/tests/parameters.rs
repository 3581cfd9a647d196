//! Parameters of every type, read from strings.

use patience_catalogue::{Auto, Call, CallError, Params, PerLevel, params, words};
use patience_plan::Budget;

use crate::ladder;

words! {
    enum Colour { Red = "red", Black = "black" }
}

params! {
    struct Everything {
        /// A small number
        #[alias("little")]
        small: u8 = "3", min 1, max 9;
        /// A large number
        large: u64 = "1e6";
        /// A number
        number: f64 = "-0.5", max 1;
        /// A number or inf
        limit: Option<u32> = "inf", min 2;
        /// A flag
        flag: bool = "false";
        /// A word
        colour: Colour = "black";
        /// A word or auto
        other: Auto<Colour> = "auto";
        /// Numbers for levels
        levels: PerLevel<u32> = "1/2", min 1;
        /// A name, whose
        /// help has two lines
        name: String = "nobody";
    }
}

fn read(text: &str) -> Result<Everything, CallError> {
    Everything::read(&Call::parse(text)?.arguments(Everything::PARAMS)?)
}

#[test]
fn defaults_are_read_like_what_is_given() {
    let defaults = read("x").unwrap();
    let expected = Everything {
        small: 3,
        large: 1_000_000,
        number: -0.5,
        limit: None,
        flag: false,
        colour: Colour::Black,
        other: Auto(None),
        levels: PerLevel(vec![1, 2]),
        name: "nobody".to_owned(),
    };
    assert_eq!(defaults, expected);
    for p in Everything::PARAMS {
        for key in [p.name].iter().chain(p.aliases) {
            assert_eq!(read(&format!("x({key}={})", p.default)), Ok(expected.clone()), "{key}");
        }
    }
    assert_eq!(Everything::PARAMS[8].meaning, "A name, whose help has two lines");
}

#[test]
fn every_type_takes_its_values_and_refuses_others_with_what_was_expected() {
    let given = read("x(small=9e0, large=18446744073709551615, number=-inf, limit=2)").unwrap();
    assert_eq!((given.small, given.large, given.limit), (9, u64::MAX, Some(2)));
    let given = read("x(flag=true, colour=red, other=red, levels=3/2/1, name=J.S.)").unwrap();
    assert_eq!(
        (given.flag, given.colour, given.other),
        (true, Colour::Red, Auto(Some(Colour::Red)))
    );
    assert_eq!((given.levels, given.name.as_str()), (PerLevel(vec![3, 2, 1]), "J.S."));
    for (text, told) in [
        ("x(small=0)", "small is 0, expected a whole number from 1 to 9"),
        ("x(small=256)", "small is 256, expected a whole number from 1 to 9"),
        ("x(small=1.5)", "small is 1.5, expected a whole number from 1 to 9"),
        ("x(small=1e99)", "small is 1e99, expected"),
        ("x(little=0)", "small is 0, expected a whole number from 1 to 9"),
        ("x(number=2)", "number is 2, expected a number up to 1"),
        ("x(number=nan)", "number is nan, expected"),
        ("x(limit=1)", "limit is 1, expected a whole number or inf from 2 on"),
        ("x(flag=yes)", "flag is yes, expected true or false"),
        ("x(colour=rad)", "colour is rad, expected one of red, black; did you mean `red`?"),
        ("x(colour=auto)", "colour is auto, expected one of red, black"),
        ("x(levels=1//2)", "levels is 1//2, expected a whole number from 1 on"),
        ("x(levels=1/0)", "levels is 1/0, expected"),
        ("x(smal=1)", "x has no parameter smal; did you mean `small`?"),
        ("x(small=1, little=2)", "small is given twice, as small and as little"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(told), "{error}\nshould contain\n{told}");
    }
}

/// The default of `eval` was `auto` on paper only: whoever wrote it was refused.
#[test]
fn what_depends_on_the_game_takes_its_default_too() {
    let game = ladder::game();
    for name in ["sparse-sampling", "artdp", "pg-id"] {
        let say = |call: &str| game.advise(call, &Budget::iterations(20), 1).unwrap().moves;
        assert_eq!(say(&format!("{name}(eval=auto)")), say(name));
        assert_eq!(say(&format!("{name}(eval=zero)")), say(name));
        let error = game.check(&format!("{name}(eval=rollout)")).unwrap_err().to_string();
        assert!(error.contains("expected one of auto, zero"), "{error}");
    }
    assert!(game.check("beam(policy=random)").is_ok());
    let error = game.check("uct(eval=auto)").unwrap_err().to_string();
    assert!(error.contains("expected one of rollout, mast, ngrams, adaptive, zero"), "{error}");
}
