//! The rules once more, on plain piles: the judge of every solution, and the twin of the engine.

use crate::cards::Card;

/// What came of a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The fans at the end.
    pub fans: Vec<Vec<Card>>,
    /// The card in the hole at the end.
    pub hole: Card,
    /// How many moves there were.
    pub moves: usize,
}

/// Plays fans by their numbers from 1.
///
/// # Errors
/// Says which move breaks which rule; the flag tells whether it could be read at all.
pub fn replay(fans: &[Vec<Card>], hole: Card, text: &str) -> Result<Replayed, (bool, String)> {
    let mut played = Replayed { fans: fans.to_vec(), hole, moves: 0 };
    for word in text.split_whitespace() {
        played.moves += 1;
        let step = format!("step {} ({word})", played.moves);
        let number: usize =
            word.parse().map_err(|_| (false, format!("{step}: a fan's number is expected")))?;
        let fan = number.checked_sub(1).and_then(|place| played.fans.get_mut(place));
        let fan = fan.ok_or_else(|| (true, format!("{step}: there is no such fan")))?;
        let card = *fan.last().ok_or_else(|| (true, format!("{step}: the fan is empty")))?;
        // Ranks in a ring, so that ace and king are neighbours.
        let up = played.hole.rank() % 13 + 1 == card.rank();
        let down = card.rank() % 13 + 1 == played.hole.rank();
        if !up && !down {
            return Err((true, format!("{step}: {card} does not go onto {}", played.hole)));
        }
        fan.pop();
        played.hole = card;
    }
    Ok(played)
}
