//! Moves of cards as moves on the table.

use super::node::{lane_of, parents_of};
use super::successors::CardMove;
use crate::klondike::solver::edge::Target;
use crate::klondike::solver::line::Table;
use crate::klondike::{Card, Move, Position, Rules};

/// Plays moves of cards, with the turns of the stock that they need. Where a card may be laid on either
/// of two cards, the one is taken that need not go home under it.
///
/// # Errors
/// If one cannot be played.
pub(super) fn moves(
    rules: &Rules,
    start: &Position,
    moves: &[CardMove],
) -> Result<Vec<Move>, String> {
    let mut table = Table::new(rules, start);
    for (i, &(card, target)) in moves.iter().enumerate() {
        let m = match (target, table.find(card)) {
            (Target::Home, Some((column, _))) => Move::ColumnToFoundation(column as u8),
            (Target::Home, None) => {
                table.turn_to(card)?;
                Move::WasteToFoundation
            }
            (Target::Column, place) => {
                let columns = table.columns_for(card);
                let to = match *columns {
                    [] => return Err(format!("no column takes {card}")),
                    [(to, _)] | [(to, None), ..] => to,
                    [(to, Some(parent)), (other, _), ..] => {
                        if lies_on(card, parent, &moves[i + 1..]) { to } else { other }
                    }
                };
                if let Some((from, place)) = place {
                    let count = table.count_from(from, place);
                    Move::ColumnToColumn { from: from as u8, to, count }
                } else if table.is_home(card) {
                    Move::FoundationToColumn { suit: card.suit(), to }
                } else {
                    table.turn_to(card)?;
                    Move::WasteToColumn(to)
                }
            }
        };
        table.play(m)?;
    }
    Ok(table.into_moves())
}

/// Whether a card should be laid on this parent and not on its twin, if both are free and this comes
/// after it.
fn lies_on(card: Card, parent: Card, later: &[CardMove]) -> bool {
    let (lane, parents) = (lane_of(card), parents_of(card));
    // What lies on the two.
    let mut on = card.mask();
    for &(moved, target) in later {
        let mask = moved.mask();
        if mask & parents != 0 && target == Target::Home {
            // One that is covered goes home under nothing: what is left lies on the other one.
            let leaves = moved == parent;
            return if on == card.mask() { !leaves } else { leaves };
        }
        if mask & lane != 0 {
            on = if target == Target::Home { on & !mask } else { on | mask };
        }
        if on == 0 {
            break;
        }
    }
    true
}
