//! From a position to a move of its class: which cards go home or come back first.

use super::super::Card;
use super::super::game::{Action, Kind};
use super::super::solver::class::{Member, neighbours};
use super::super::solver::edge::{From, Target};
use super::super::solver::state::{Layout, State as Core};
use super::tree::Edge;

/// A move as the game names it.
pub(super) fn action_of(edge: &Edge) -> Action {
    let kind = match (edge.from, edge.target) {
        (From::Stock { .. }, Target::Home) => Kind::StockToFoundation,
        (From::Stock { .. }, Target::Column) => Kind::StockToColumn,
        (_, Target::Home) => Kind::ColumnToFoundation,
        (_, Target::Column) => Kind::ColumnToColumn,
    };
    Action { kind, card: edge.card }
}

/// All positions of a class, from one of them.
#[derive(Debug)]
pub(super) struct Ways {
    members: Vec<Member>,
}

impl Ways {
    /// The positions that can be reached by sending cards home and taking them back.
    pub(super) fn from(layout: &Layout, core: &Core) -> Ways {
        let masks = layout.masks(core);
        let mut members = vec![Member { state: *core, masks, from: 0, moved: 0 }];
        let mut at = 0;
        while at < members.len() {
            neighbours(layout, &mut members, 0, at, true);
            at += 1;
        }
        Ways { members }
    }

    /// The place among the legal actions of the first one on the way to a move, which may be the
    /// move itself.
    pub(super) fn action(&self, edge: &Edge, legal: &[Action]) -> Option<usize> {
        let place = |action| legal.iter().position(|&other| other == action);
        // The same move made in another position of the class leads to the same class.
        if let Some(at_once) = place(action_of(edge)) {
            return Some(at_once);
        }
        let mut at = self.members.iter().position(|m| m.state.home == edge.home)?;
        while self.members[at].from != 0 {
            at = self.members[at].from as usize;
        }
        if at == 0 {
            return None;
        }
        let Member { state, moved, .. } = &self.members[at];
        let card = Card::at(u32::from(*moved));
        let home = state.home[card.suit_index()] > self.members[0].state.home[card.suit_index()];
        let kind = if home { Kind::ColumnToFoundation } else { Kind::FoundationToColumn };
        place(Action { kind, card })
    }
}
