//! What a search says of a position: one value for every front end.

use patience_plan::Stats;
use serde::Serialize;

/// What values measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The probability of a win: the more the better.
    WinProbability,
    /// Steps to the end of the game: the fewer the better.
    StepsToGo,
    /// Points still to come: the more the better.
    Score,
    /// The sum of rewards still to come: the more the better, for the first player.
    Value,
}

impl Measure {
    /// Whether a proven value means that the game is lost.
    pub(crate) fn is_loss(self, value: f64) -> bool {
        match self {
            Measure::WinProbability => value == 0.0,
            Measure::StepsToGo => value == f64::INFINITY,
            Measure::Score | Measure::Value => false,
        }
    }
}

/// What is known of one move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveAdvice {
    /// The move, in the notation of the planner's game.
    pub action: String,
    /// The moves on the table that it comes to: a card may have to be uncovered or the stock turned
    /// first.
    pub moves: Vec<String>,
    /// The same in words.
    pub label: String,
    /// Its estimated value, see [`Measure`]; `None` if it was never tried, or is lost for good.
    pub value: Option<f64>,
    /// Ends of the 95% interval (Student's) of the value, where there is an honest one: where it is
    /// the mean of independent trees or episodes. A tree that learns has none. Of steps to go they are
    /// proven bounds.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// The same number, as games with hidden cards call it: the deals or episodes behind the value.
    pub samples: u64,
    /// Whether the value is proven: a sure win or a sure loss, whatever is hidden.
    pub sure: bool,
    /// It is proven to lose.
    pub loses: bool,
    /// It leads back to a position of this game.
    pub again: bool,
}

/// What a search says of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The game, as a string.
    pub game: String,
    /// The planner, as a string.
    pub planner: String,
    /// The seed of all streams.
    pub seed: u64,
    /// The position, as the player may see it.
    pub position: String,
    /// What the values are.
    pub measure: Measure,
    /// The recommended move; `None` if the game is over.
    pub best: Option<String>,
    /// Why it is preferred, where its value alone does not say: it may be safe, or cost nothing.
    pub why: Option<String>,
    /// All legal moves, in the game's order.
    pub moves: Vec<MoveAdvice>,
    /// Why the game cannot be won any more, if that is proven.
    pub lost: Option<String>,
    /// What the search has spent, and why it stopped.
    pub stats: Stats,
    /// Whether the values are better the smaller they are, for the player to move.
    #[serde(skip)]
    pub minimising: bool,
}

/// Advice for somebody at the table: the moves that lead on first, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// What the values are.
    pub measure: Measure,
    /// The best move's place in `moves`; none if the game is over or lost.
    pub best: Option<usize>,
    /// Why it is preferred, where its value alone does not say: it may be safe, or cost nothing.
    pub why: Option<String>,
    /// What is known of each action, best first.
    pub moves: Vec<MoveAdvice>,
    /// Why the game cannot be won any more, if that is proven.
    pub lost: Option<String>,
    /// The value of the position: that of its best move.
    pub value: Option<f64>,
    /// What the planner says, in its own order; the same value as on the command line.
    pub advice: Advice,
}

impl From<Advice> for Hint {
    fn from(advice: Advice) -> Self {
        let sign = if advice.minimising { -1.0 } else { 1.0 };
        let mut moves = advice.moves.clone();
        // What leads back comes last; then the planner's choice, then by value.
        moves.sort_by(|a, b| {
            let rank = |m: &MoveAdvice| {
                let value = m.value.map_or(f64::NEG_INFINITY, |value| sign * value);
                let chosen = advice.best.as_ref() == Some(&m.action);
                (m.again || m.moves.is_empty(), m.loses, !chosen, -value, m.low.unwrap_or(0.0))
            };
            let (a, b) = (rank(a), rank(b));
            let order = (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2));
            order.then(a.3.total_cmp(&b.3)).then(a.4.total_cmp(&b.4))
        });
        let best = moves.iter().position(|m| !m.moves.is_empty());
        let best = best.filter(|_| advice.lost.is_none());
        let value = best.and_then(|best| moves[best].value);
        // What was said of the planner's choice is said of no other.
        let same = best.is_some_and(|best| advice.best.as_ref() == Some(&moves[best].action));
        let why = advice.why.clone().filter(|_| same);
        Hint { measure: advice.measure, best, why, moves, lost: advice.lost.clone(), value, advice }
    }
}
