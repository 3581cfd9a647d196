//! Klondike's cards, deals, text formats, errors and the obvious engine.

use std::sync::LazyLock;

use patience_games::klondike::format::{self, Format};
use patience_games::klondike::{
    Card, Deal, DealNumber, Illegal, Move, NumberError, Position, PositionError, Rules, RulesError,
    Suit, View, replay,
};
use patience_model::Rng;
use proptest::prelude::*;

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// A position after some random moves of the obvious engine.
fn played(rules: &Rules, seed: u64, moves: usize) -> Position {
    let mut position = Position::deal(rules, &Deal::seeded(rules, seed));
    let mut rng = Rng::named(seed, &["klondike", "test"]);
    for _ in 0..moves {
        let legal = rules.moves(&position);
        if legal.is_empty() {
            break;
        }
        rules.play(&mut position, rng.pick(&legal)).unwrap();
    }
    position
}

#[test]
fn cards_read_and_written() {
    for (number, card) in Card::all().enumerate() {
        assert_eq!(usize::from(card.number()), number);
        assert_eq!(card.to_string().parse(), Ok(card));
        assert_eq!(Card::new(card.rank(), card.suit()), Some(card));
        let parents: Vec<Card> = Card::all().filter(|&other| card.fits_on(other)).collect();
        assert_eq!(parents.len(), if card.rank() == 13 { 0 } else { 2 });
        for parent in parents {
            assert!(parent.rank() == card.rank() + 1);
            assert_ne!(parent.suit().is_red(), card.suit().is_red());
        }
    }
    assert_eq!(card("10h"), card("TH"));
    assert_eq!(card("1S"), card("AS"));
    for wrong in ["", "H", "14H", "0H", "7X", "KKS", "7♥", "♥", "+7H", "ü"] {
        assert!(wrong.parse::<Card>().is_err(), "{wrong}");
    }
}

/// Pinned: deals by seed and number never change.
#[test]
fn deals_stay_what_they_are() {
    let first = |deal: &Deal| deal.cards()[..8].iter().map(Card::to_string).collect::<Vec<_>>();
    let ordered = Deal::numbered(DealNumber::from(0));
    assert_eq!(first(&ordered), ["AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C"]);
    let last = Deal::numbered(DealNumber::last());
    assert_eq!(first(&last), ["KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S"]);
    assert_eq!(
        DealNumber::last().to_string(),
        "80658175170943878571660636856403766975289505440883277823999999999999"
    );
    let seeded = Deal::seeded(&Rules::default(), 7);
    assert_eq!(first(&seeded).join(" "), "5C 4D 8D JH QH 9D 2H AS");
}

#[test]
fn deal_numbers_are_refused_past_the_end() {
    let end = "80658175170943878571660636856403766975289505440883277824000000000000";
    assert!(matches!(end.parse::<DealNumber>(), Err(NumberError::TooLarge(_))));
    assert!(matches!("9".repeat(300).parse::<DealNumber>(), Err(NumberError::TooLarge(_))));
    for wrong in ["", "-1", "1.5", "1e3", "x"] {
        assert!(matches!(wrong.parse::<DealNumber>(), Err(NumberError::NotANumber(_))), "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_deal_has_one_number(seed: u64) {
        let deal = Deal::seeded(&Rules::default(), seed);
        let number = deal.number().unwrap();
        prop_assert!(number <= DealNumber::last());
        prop_assert_eq!(&Deal::numbered(number), &deal);
        prop_assert_eq!(number.to_string().parse::<DealNumber>().unwrap(), number);
    }

    #[test]
    fn numbers_name_deals_in_order(n in 0u64..u64::MAX) {
        let (this, next) = (DealNumber::from(n), DealNumber::from(n + 1));
        prop_assert_eq!(Deal::numbered(this).number(), Some(this));
        prop_assert!(this < next);
        prop_assert_eq!(this.to_string(), n.to_string());
    }

    /// What is written is read again, at any moment of a game, hidden cards known or not, with
    /// either kind of line end.
    #[test]
    fn formats_go_both_ways(seed: u64, moves in 0usize..40, hide: bool, strict: bool) {
        let rules = Rules::default();
        let mut position = played(&rules, seed, moves);
        if hide {
            position = position.seen(if strict { View::Strict } else { View::Plus });
        }
        for format in [Format::Solvitaire, Format::Pysol] {
            let text = format.write(&position).unwrap();
            prop_assert_eq!(Format::guess(&text), format);
            prop_assert_eq!(&format::read(&rules, &text).unwrap(), &position, "{}", text);
            let crlf = text.replace('\n', "\r\n");
            prop_assert_eq!(&format::read(&rules, &crlf).unwrap(), &position, "{}", text);
        }
        let start = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let text = Format::Rrs.write(&start).unwrap();
        prop_assert_eq!(text.len(), 156);
        prop_assert_eq!(&format::read(&rules, &text).unwrap(), &start);
        prop_assert_eq!(start.to_deal(), Some(Deal::seeded(&rules, seed)));
    }

    /// Whatever is read, nothing panics.
    #[test]
    fn any_text_is_answered(
        text in "\\PC{0,60}",
        cut in 0usize..900,
        put in "[0-9A-Zhd<>:{}?\\- ]{0,3}",
    ) {
        static PLAYED: LazyLock<Position> = LazyLock::new(|| played(&Rules::default(), 1, 30));
        let rules = Rules::default();
        let _ = format::read(&rules, &text);
        let _ = text.parse::<Move>();
        let _ = text.parse::<Card>();
        for format in [Format::Solvitaire, Format::Pysol] {
            let mut whole = format.write(&PLAYED).unwrap();
            let at = cut % whole.len();
            whole.replace_range(at..=at, &put);
            let _ = format::read(&rules, &whole);
        }
    }
}

fn fault(text: &str) -> String {
    format::read(&Rules::default(), text).unwrap_err().to_string()
}

#[test]
fn faults_name_the_card_and_the_place() {
    let rules = Rules::default();
    let start = Position::deal(&rules, &Deal::numbered(DealNumber::from(0)));
    let pysol = Format::Pysol.write(&start).unwrap();
    assert!(pysol.starts_with("Talon: 3H 4H"), "{pysol}");
    assert!(pysol.contains("\n<2C> 8C\n"), "{pysol}");
    let twice = fault(&pysol.replace("<2C> 8C", "<2C> 9D"));
    assert_eq!(
        twice,
        "9D is there twice: column 2, card 2 from the bottom, and column 7, card 4 from the bottom"
    );
    let wrong = fault(&pysol.replace("<2C> 8C", "<2C> 8X"));
    assert!(wrong.starts_with("column 2, card 2 from the bottom: `8X` is no card"), "{wrong}");
    let short = fault(&pysol.replace("Talon: 3H ", "Talon: "));
    assert_eq!(short, "1 card lies nowhere, but 0 are marked as unknown: 3H");
    let run = fault(&pysol.replace("<2C> 8C", "2C 8C"));
    assert!(run.contains("column 2, card 2 from the bottom: 8C cannot lie on 2C"), "{run}");
    let over = fault(&pysol.replace("<2C> 8C", "2C <8C>"));
    assert!(over.contains("column 2, card 2 from the bottom: a face-down card lies on"), "{over}");
    let unknown = fault(&pysol.replace("<2C> 8C", "<2C> ??"));
    assert!(unknown.contains("column 2, card 2 from the bottom: an unknown card"), "{unknown}");
    assert_eq!(fault("Talon: AC\n2C"), "1 column found, 7 are expected");
    assert!(fault("123").contains("3 digits found; 52 cards"));
    assert!(fault("1").contains("1 digit found; 52 cards"));
    assert_eq!(fault(" \r\n"), "it is empty: a position is expected");
    for list in ["[1, 2]", "[]"] {
        assert!(fault(list).starts_with("this is JSON, but a list: one position"), "{list}");
    }
    assert!(fault("{\"stock\"").starts_with("this is no JSON: "));
    assert!(fault("{\"stock\": 3}").contains("tableau piles"));
    assert!(fault("{\"stack\": []}").contains("`stack` is unknown"));
    let hidden = start.seen(View::Plus);
    assert_eq!(hidden.check(&rules), Ok(()));
    let place = hidden.check_known().unwrap_err().to_string();
    assert!(place.starts_with("column 2, card 1 from the bottom: the card is unknown"), "{place}");
    let rrs = Format::Rrs.write(&start).unwrap().replacen("011", "014", 1);
    assert!(fault(&rrs).contains("AS is there twice"), "{}", fault(&rrs));
    let rrs = Format::Rrs.write(&start).unwrap().replacen("011", "149", 1);
    assert!(fault(&rrs).starts_with("card 1 of the deal: `149` is no card"), "{}", fault(&rrs));
}

#[test]
fn impossible_rules_are_refused() {
    assert_eq!(Rules::draw(0), Err(RulesError::Draw(0)));
    assert_eq!(Rules::draw(4), Err(RulesError::Draw(4)));
    assert!(Rules::default().with_pack(14, 7).is_err());
    assert!(Rules::default().with_pack(3, 7).is_err());
    assert!(Rules::default().with_pack(13, 3).is_err());
}

#[test]
fn moves_go_both_ways_as_text() {
    let rules = Rules::default();
    for seed in 0..5 {
        for moves in [0, 20, 60] {
            for m in rules.moves(&played(&rules, seed, moves)) {
                assert_eq!(m.to_string().parse(), Ok(m));
            }
        }
    }
    for wrong in ["", "w", "w-0", "0-f", "3-", "5-3", "5-3x0", "X-3", "w-x", "5-3x14", "é-1"] {
        assert!(wrong.parse::<Move>().is_err(), "{wrong}");
    }
}

#[test]
fn the_obvious_engine_by_hand() {
    let rules = Rules::default();
    let text = "Talon: KH\nFoundations: C-K D-K H-J S-Q\nWaste: QH\nKS\n:\n:\n:\n:\n:\n:";
    let mut position = format::read(&rules, text).unwrap();
    assert_eq!(position.vegas(&rules), 5 * 49 - 52);
    let legal = rules.moves(&position);
    assert!(legal.contains(&Move::WasteToColumn(0)) && legal.contains(&Move::WasteToFoundation));
    assert!(legal.contains(&Move::ColumnToFoundation(0)) && legal.contains(&Move::Turn));
    assert!(!legal.contains(&Move::Redeal));
    let kings = Move::FoundationToColumn { suit: Suit::Diamonds, to: 1 };
    assert!(legal.contains(&kings));
    rules.play(&mut position, Move::WasteToColumn(0)).unwrap();
    assert_eq!(
        rules.play(&mut position, Move::ColumnToColumn { from: 0, to: 1, count: 1 }),
        Err(Illegal::DoesNotFit { card: card("QH"), column: 1 })
    );
    let rest = [
        Move::ColumnToColumn { from: 0, to: 1, count: 2 },
        Move::ColumnToFoundation(1),
        Move::ColumnToFoundation(1),
        Move::Turn,
        Move::WasteToFoundation,
    ];
    let end = replay(&rules, &position, &rest).unwrap();
    assert!(end.is_won(&rules));
    assert_eq!(end.vegas(&rules), 208);
    let wrong = replay(&rules, &position, &[Move::Turn, Move::Turn]).unwrap_err();
    assert_eq!(wrong.to_string(), "move 2, turn: the stock is empty");
}

#[test]
fn redeals_are_limited() {
    let rules = Rules::default().with_redeals(Some(2));
    let mut position = Position::deal(&rules, &Deal::seeded(&rules, 3));
    let stock = position.stock.clone();
    for pass in 0..3 {
        for _ in 0..8 {
            rules.play(&mut position, Move::Turn).unwrap();
        }
        assert_eq!(position.waste.len(), 24);
        let again = rules.play(&mut position, Move::Redeal);
        if pass == 2 {
            assert_eq!(again, Err(Illegal::NoRedealLeft));
        } else {
            assert_eq!(position.stock, stock);
        }
    }
}

/// More redeals than the rules allow cannot have been.
#[test]
fn a_position_has_no_more_redeals_than_allowed() {
    let rules = Rules::default();
    let mut position = Position::deal(&rules, &Deal::seeded(&rules, 3));
    position.redeals = 9;
    let text = Format::Pysol.write(&position).unwrap();
    assert_eq!(format::read(&rules, &text), Ok(position.clone()));
    assert_eq!(position.check(&rules.with_redeals(Some(9))), Ok(()));
    let error = format::read(&rules.with_redeals(Some(2)), &text).unwrap_err();
    let said = "the waste was turned over 9 times, but these rules allow 2 at most";
    assert_eq!(error.to_string(), said);
}

/// An answer of the solver stands for its position, in whichever format that is.
#[test]
fn answers_are_read_as_their_positions() {
    let rules = Rules::default();
    for (moves, form) in [(0, Format::Rrs), (20, Format::Pysol), (20, Format::Solvitaire)] {
        let position = played(&rules, 5, moves);
        let text = form.write(&position).unwrap();
        let answer = serde_json::json!({ "game": "klondike", "bytes": 3, "position": text });
        assert_eq!(format::read(&rules, &answer.to_string()), Ok(position));
        // One within another is none.
        let twice = serde_json::json!({ "position": answer.to_string() });
        assert!(fault(&twice.to_string()).contains("`bytes` is unknown"));
    }
    assert!(fault("{\"position\": 3}").contains("`position`: a string is expected"));
    assert_eq!(fault("{\"position\": \"\"}"), "it is empty: a position is expected");
}

/// The strict view: what was never turned is not told.
#[test]
fn views_hide_what_was_not_seen() {
    let rules = Rules::default();
    let mut position = Position::deal(&rules, &Deal::seeded(&rules, 1));
    rules.play(&mut position, Move::Turn).unwrap();
    let unknown = |view| {
        let seen = position.seen(view);
        assert_eq!(seen.check(&rules), Ok(()));
        seen.cards().iter().filter(|(card, _)| card.is_none()).count()
    };
    assert_eq!(unknown(View::Plus), 21);
    assert_eq!(unknown(View::Strict), 21 + 21);
    let blind = position.seen(View::Strict);
    assert_eq!(rules.play(&mut blind.clone(), Move::Turn), Err(Illegal::UnknownCard));
    assert!(matches!(blind.check_known(), Err(PositionError::Unknown { .. })));
}

/// A solution that the author of another solver published for a deal of Greenfelt, in which the waste is A,
/// the foundations are B to E (clubs, diamonds, spades, hearts), the columns F to L, and @ turns a card.
const GREENFELT: (u32, &str) = (
    1_492_773_577,
    "HG @AD @AG @@AG @AL @@@@@@AL @AL @@@@@AG @AG AG @@@@@AJ @@@@@AJ HJ @AH FH @@@AF @@AF @@@@@AF KF KD \
     KB KH KI LH HL JH LJ LH LK LC LB LE GE GB IE GE IB @AB @@@@AC JC @AD JD GD JE JB JI JL @AC JC GC IC \
     AL AD GD GC AE @AC @AE GE IG IB GB GE FE HB GB FB HC GC GB ID JD KD KE FE FB HD HC GC LD LE HD",
);

#[test]
fn greenfelts_deals_are_those_of_the_site() {
    let rules = Rules::draw(1).unwrap();
    let (number, solution) = GREENFELT;
    let named = Deal::named(&rules, &format!("greenfelt:{number}")).unwrap();
    assert_eq!(named, Deal::greenfelt(number));
    let mut position = Position::deal(&rules, &named);
    let column = |c: char| "FGHIJKL".find(c).map(|place| place as u8);
    for word in solution.split_whitespace() {
        for _ in word.chars().take_while(|c| *c == '@') {
            if position.stock.is_empty() {
                rules.play(&mut position, Move::Redeal).unwrap();
            }
            rules.play(&mut position, Move::Turn).unwrap();
        }
        let ends: Vec<char> = word.chars().filter(|c| *c != '@').collect();
        let home = "BCDE".contains(ends[1]);
        let moves = rules.moves(&position);
        let fits = |m: &&Move| match (**m, column(ends[0]), column(ends[1])) {
            (Move::WasteToFoundation, None, _) => home,
            (Move::WasteToColumn(to), None, Some(at)) => to == at,
            (Move::ColumnToFoundation(from), Some(at), _) => home && from == at,
            (Move::ColumnToColumn { from, to, .. }, Some(a), Some(b)) => (from, to) == (a, b),
            _ => false,
        };
        let found = moves.iter().find(fits);
        rules.play(&mut position, *found.unwrap_or_else(|| panic!("{word}"))).unwrap();
    }
    assert!(position.is_won(&rules));
    for wrong in ["greenfelt:0", "greenfelt:2147483647", "greenfelt:x", "greenfelt:"] {
        assert!(Deal::named(&rules, wrong).is_err(), "{wrong}");
    }
}
