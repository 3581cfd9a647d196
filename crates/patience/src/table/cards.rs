//! Words for cards.

const RANKS: [&str; 13] = [
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king",
];

/// `seven of hearts` for rank 7 and `H`.
pub(super) fn words(rank: u8, suit: char) -> String {
    let suit = match suit {
        'C' => "clubs",
        'D' => "diamonds",
        'H' => "hearts",
        _ => "spades",
    };
    let rank = usize::from(rank).checked_sub(1).and_then(|r| RANKS.get(r)).unwrap_or(&"card");
    format!("{rank} of {suit}")
}

/// The cards of a foundation from the ace up to `rank`.
pub(super) fn home(rank: u8, suit: char) -> Vec<String> {
    let letters = "A23456789TJQK".chars().take(usize::from(rank));
    letters.map(|letter| format!("{letter}{suit}")).collect()
}

/// What a face-down card is called.
pub(super) const HIDDEN: &str = "??";
