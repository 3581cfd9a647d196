//! What a move on plain piles is worth, and what it brings to light.

use patience_model::Step;

use super::{Card, Move, Position, Rules};

/// What is rewarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// 1 for a win.
    #[default]
    Win,
    /// The pack is bought for 52, paid with the first move, and a card on a foundation pays 5.
    Vegas,
}

/// The cards that came to light with a move.
pub type Seen = [Option<Card>; 3];

/// The cards that were turned up, in words; empty if there were none.
pub(in crate::klondike) fn seen_text(seen: Seen) -> String {
    let cards: Vec<String> = seen.iter().flatten().map(Card::to_string).collect();
    cards.join(" ")
}

impl Scoring {
    /// Plays a legal move, which may be the `first` of the game.
    pub(super) fn play(
        self,
        rules: &Rules,
        position: &mut Position,
        action: Move,
        first: bool,
    ) -> Step<Seen> {
        let (home, down) = (position.home(), position.face_down());
        let waste = position.waste.len();
        let played = rules.play(position, action);
        debug_assert!(played.is_ok(), "{action}: {played:?}");
        let mut seen = [None; 3];
        if action == Move::Turn {
            let turned = position.waste.get(waste..).unwrap_or_default();
            for (place, &card) in seen.iter_mut().zip(turned) {
                *place = Some(card);
            }
        } else if position.face_down() < down
            && let Move::ColumnToFoundation(from) | Move::ColumnToColumn { from, .. } = action
        {
            seen[0] = position.columns[usize::from(from)].up.last().copied();
        }
        let reward = match self {
            Scoring::Win => f64::from(u8::from(position.is_won(rules))),
            Scoring::Vegas => {
                let stake = if first { rules.pack_size() as f64 } else { 0.0 };
                5.0 * (f64::from(position.home()) - f64::from(home)) - stake
            }
        };
        Step { reward, obs: seen }
    }
}
