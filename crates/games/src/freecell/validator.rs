//! The rules once more, as simple as possible: the judge of every solution, and the reference twin
//! of the fast engine.
//!
//! It shares nothing with the fast engine or the searches but the types for cards, rules and steps.

use super::notation::{Place, Step};
use super::{Board, Card, Metric, Rules, Sequence};

/// Why a step breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The game has no such column or cell.
    #[error("there is no {0}")]
    NoPlace(Place),
    /// Nothing lies there.
    #[error("{0} has too few cards to take {1} from it")]
    TooFew(Place, usize),
    /// Cards that are home stay there.
    #[error("cards that are home stay there")]
    FromHome,
    /// From a place to itself.
    #[error("the cards are there already")]
    Nowhere,
    /// More than one card to or from a cell, or home.
    #[error("only one card at a time can leave a cell or go to a cell or home")]
    OneAtATime,
    /// The cards are not in sequence.
    #[error("{lower} and {upper} are not in sequence")]
    NotARun {
        /// The card beneath.
        lower: Card,
        /// The card on it.
        upper: Card,
    },
    /// The cell has a card or must not be filled again.
    #[error("{0} cannot take a card")]
    CellTaken(Place),
    /// The card is not the next of its suit.
    #[error("{0} is not the next of its suit to go home")]
    NotNext(Card),
    /// A card does not go onto another.
    #[error("{upper} does not go onto {lower}")]
    DoesNotBuild {
        /// The card that would lie beneath.
        lower: Card,
        /// The card that would lie on it.
        upper: Card,
    },
    /// An empty column does not take this card.
    #[error("{0} must not go into an empty column")]
    DoesNotFill(Card),
    /// The run is longer than free cells and empty columns, or the metric, allow.
    #[error("{asked} cards cannot be moved at once, only {limit}")]
    TooLong {
        /// Cards asked for.
        asked: usize,
        /// Cards allowed.
        limit: usize,
    },
}

/// Why a list of steps is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A step breaks a rule.
    #[error("step {number} ({step}): {fault}")]
    Step {
        /// Which step, from 1.
        number: usize,
        /// The step.
        step: Step,
        /// The rule that it breaks.
        fault: Fault,
    },
    /// The game is not solved after the last step.
    #[error("after {steps} steps {left} cards are not home")]
    Unfinished {
        /// Steps made.
        steps: usize,
        /// Cards not home.
        left: usize,
    },
    /// The rules do not have the metric.
    #[error(transparent)]
    Metric(#[from] super::rules::MetricError),
}

/// How many cards may move at once between columns.
pub fn limit(rules: &Rules, metric: Metric, board: &Board, to_empty: bool) -> usize {
    if metric == Metric::Single {
        return 1;
    }
    match rules.sequence {
        Sequence::Single => 1,
        Sequence::Unlimited => usize::from(rules.ranks),
        Sequence::Room => {
            let through_cells = board.free_cells(rules) + 1;
            let columns = board.empty_columns(rules);
            match (to_empty, metric) {
                (false, _) => through_cells << columns,
                (true, Metric::Supermove) => through_cells << columns.saturating_sub(1),
                (true, _) => through_cells,
            }
        }
    }
}

/// Whether a step keeps to the rules.
pub fn check(rules: &Rules, metric: Metric, board: &Board, step: &Step) -> Result<(), Fault> {
    let count = usize::from(step.count);
    for place in [step.from, step.to] {
        let there = match place {
            Place::Column(n) => usize::from(n) < board.columns.len(),
            Place::Cell(n) => usize::from(n) < board.cells.len(),
            Place::Home => true,
        };
        if !there {
            return Err(Fault::NoPlace(place));
        }
    }
    if step.from == step.to {
        return Err(Fault::Nowhere);
    }
    let cards: Vec<Card> = match step.from {
        Place::Home => return Err(Fault::FromHome),
        Place::Cell(n) => board.cells[usize::from(n)].into_iter().collect(),
        Place::Column(n) => {
            let column = &board.columns[usize::from(n)];
            column[column.len().saturating_sub(count)..].to_vec()
        }
    };
    if count == 0 || cards.len() < count && count == 1 {
        return Err(Fault::TooFew(step.from, count.max(1)));
    }
    let between_columns = matches!((step.from, step.to), (Place::Column(_), Place::Column(_)));
    if count > 1 && !between_columns {
        return Err(Fault::OneAtATime);
    }
    if cards.len() < count {
        return Err(Fault::TooFew(step.from, count));
    }
    for pair in cards.windows(2) {
        if !rules.builds(pair[1], pair[0]) {
            return Err(Fault::NotARun { lower: pair[0], upper: pair[1] });
        }
    }
    let first = cards[0];
    match step.to {
        Place::Home => {
            if board.home[usize::from(first.suit())] + 1 != first.rank() {
                return Err(Fault::NotNext(first));
            }
        }
        Place::Cell(n) => {
            if board.cells[usize::from(n)].is_some() || !rules.refill {
                return Err(Fault::CellTaken(step.to));
            }
        }
        Place::Column(n) => {
            let target = board.columns[usize::from(n)].last();
            match target {
                Some(&lower) if !rules.builds(first, lower) => {
                    return Err(Fault::DoesNotBuild { lower, upper: first });
                }
                None if !rules.fills(first) => return Err(Fault::DoesNotFill(first)),
                _ => {}
            }
            let limit = limit(rules, metric, board, target.is_none());
            if count > limit {
                return Err(Fault::TooLong { asked: count, limit });
            }
        }
    }
    Ok(())
}

/// Makes a step that keeps to the rules.
///
/// # Panics
/// If the cards are not there; [`check`] finds that out.
pub fn make(board: &mut Board, step: &Step) {
    let cards: Vec<Card> = match step.from {
        Place::Home => panic!("cards that are home stay there"),
        Place::Cell(n) => vec![board.cells[usize::from(n)].take().expect("a card in the cell")],
        Place::Column(n) => {
            let column = &mut board.columns[usize::from(n)];
            column.split_off(column.len() - usize::from(step.count))
        }
    };
    match step.to {
        Place::Home => board.home[usize::from(cards[0].suit())] += 1,
        Place::Cell(n) => board.cells[usize::from(n)] = Some(cards[0]),
        Place::Column(n) => board.columns[usize::from(n)].extend(cards),
    }
}

/// All steps that keep to the rules, found by trying every combination.
pub fn steps(rules: &Rules, metric: Metric, board: &Board) -> Vec<Step> {
    let columns = (0..rules.columns).map(Place::Column);
    let places: Vec<Place> =
        columns.chain((0..rules.cells).map(Place::Cell)).chain([Place::Home]).collect();
    let mut out = Vec::new();
    for &from in &places {
        for &to in &places {
            for count in 1..=rules.ranks {
                let step = Step { from, to, count };
                if check(rules, metric, board, &step).is_ok() {
                    out.push(step);
                }
            }
        }
    }
    out
}

/// Replays a solution from `board`. Its length in the metric, if every step keeps to the rules
/// and all cards are home in the end.
pub fn verify(
    rules: &Rules,
    metric: Metric,
    board: &Board,
    solution: &[Step],
) -> Result<u32, Invalid> {
    metric.check(rules)?;
    let mut board = board.clone();
    for (number, step) in (1..).zip(solution) {
        check(rules, metric, &board, step).map_err(|fault| Invalid::Step {
            number,
            step: *step,
            fault,
        })?;
        make(&mut board, step);
    }
    let left = board.home.iter().map(|&h| usize::from(rules.ranks - h)).sum();
    if left > 0 {
        return Err(Invalid::Unfinished { steps: solution.len(), left });
    }
    // Every step is one move of its metric: a single card, or a run at once.
    Ok(solution.len() as u32)
}
