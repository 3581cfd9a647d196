//! Words for cards, in games whose cards differ in how they are packed.

use patience_catalogue::Words;

const RANKS: [&str; 13] = [
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king",
];

/// The letters of the suits, and what they are called.
pub(crate) const SUITS: [(char, &str); 4] =
    [('C', "clubs"), ('D', "diamonds"), ('H', "hearts"), ('S', "spades")];

/// `seven of hearts` for rank 7 and `H`.
pub(crate) fn words(rank: u8, suit: char) -> String {
    let suit = SUITS.iter().find(|(letter, _)| *letter == suit).map_or("?", |(_, name)| name);
    let rank = usize::from(rank).checked_sub(1).and_then(|r| RANKS.get(r)).unwrap_or(&"card");
    format!("{rank} of {suit}")
}

/// `seven of hearts and 2 more`.
pub(crate) fn and_more(card: String, count: usize) -> String {
    if count > 1 { format!("{card} and {} more", count - 1) } else { card }
}

/// The cards of a foundation from the ace up to `rank`.
pub(crate) fn gathered(rank: u8, suit: char) -> Vec<String> {
    let letters = "A23456789TJQK".chars().take(usize::from(rank));
    letters.map(|letter| format!("{letter}{suit}")).collect()
}

/// What games with cards say in German, of piles and of cards that go from one to another.
pub(crate) const GERMAN: Words = Words::german(&[
    ("{card} from column {n} to column {m}", "{card} von Spalte {n} auf Spalte {m}"),
    ("{card} from column {n}", "{card} von Spalte {n}"),
    ("{card} to column {n}", "{card} auf Spalte {n}"),
    ("{card} and {n} more", "{card} und {n} weitere"),
    ("the card", "die Karte"),
    ("stock", "Talon"),
    ("waste", "offener Stapel"),
    ("foundation of {suit}", "Ablage für {suit}"),
    ("column {n}", "Spalte {n}"),
]);
