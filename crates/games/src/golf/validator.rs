//! The rules once more, on plain piles: the judge of every solution, and the twin of the engine.

use crate::cards::Card;

/// What came of a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The columns at the end.
    pub columns: Vec<Vec<Card>>,
    /// The card on the waste at the end.
    pub waste: Card,
    /// The stock at the end, the next card last.
    pub stock: Vec<Card>,
    /// How many moves there were.
    pub moves: usize,
}

/// Plays `turn` and columns by their numbers from 1, from the position that is given.
///
/// # Errors
/// Says which move breaks which rule; the flag tells whether it could be read at all.
pub fn replay(mut played: Replayed, strict: bool, text: &str) -> Result<Replayed, (bool, String)> {
    for word in text.split_whitespace() {
        played.moves += 1;
        let step = format!("step {} ({word})", played.moves);
        let broken = |rule: &str| (true, format!("{step}: {rule}"));
        if word == "turn" {
            played.waste = played.stock.pop().ok_or_else(|| broken("the stock is empty"))?;
            continue;
        }
        let number: usize = word
            .parse()
            .map_err(|_| (false, format!("{step}: `turn` or a column's number is expected")))?;
        let column = number.checked_sub(1).and_then(|place| played.columns.get_mut(place));
        let column = column.ok_or_else(|| broken("there is no such column"))?;
        let card = *column.last().ok_or_else(|| broken("the column is empty"))?;
        let waste = played.waste.rank();
        let next = card.rank() == waste + 1 || card.rank() + 1 == waste;
        if !next || (strict && waste == 13) {
            return Err(broken(&format!("{card} does not go onto {}", played.waste)));
        }
        column.pop();
        played.waste = card;
    }
    Ok(played)
}
