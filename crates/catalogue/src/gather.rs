//! Cards that go home by themselves: moves to the foundations, one after the other.

use patience_model::{Pile, PileKind, Scene, Standing};
use serde::Serialize;

use crate::state::{AnyState, LegalMove};
use crate::table::Table;

/// Moves to the foundations in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gathered {
    /// The moves, by name.
    pub moves: Vec<String>,
    /// Whether the game is won after them.
    pub wins: bool,
}

/// More cards than any pack has.
const MOST: usize = 400;

impl Table {
    /// All that can go home, or only what costs nothing there. They end with the first move that
    /// turns a card up: what follows would tell what it is.
    pub fn gathered(&self, only_safe: bool) -> Gathered {
        let mut state = self.state().clone();
        let mut moves = Vec::new();
        while moves.len() < MOST && state.standing() == Standing::Open {
            let Some((homes, hidden)) = homes(&state) else { break };
            let goes = |m: &LegalMove| {
                let at = |pile: &Option<String>| pile.as_ref().is_some_and(|p| homes.contains(p));
                at(&m.label.to) && !at(&m.label.from) && (m.label.safe || !only_safe)
            };
            let Some(next) = state.legal().into_iter().find(goes) else { break };
            if state.play(&next.name).is_err() {
                break;
            }
            moves.push(next.name);
            if homes_hidden(&state) != Some(hidden) {
                break;
            }
        }
        let wins = !moves.is_empty() && state.standing() == Standing::Won;
        Gathered { moves, wins }
    }
}

/// The foundations by name, and how many cards lie face down; `None` where there are no foundations.
fn homes(state: &AnyState) -> Option<(Vec<String>, usize)> {
    let Scene::Cards { piles } = state.scene() else { return None };
    let hidden = piles.iter().flat_map(|p| &p.cards).filter(|c| *c == Pile::HIDDEN).count();
    let homes: Vec<String> =
        piles.into_iter().filter(|p| p.kind == PileKind::Foundation).map(|p| p.id).collect();
    (!homes.is_empty()).then_some((homes, hidden))
}

fn homes_hidden(state: &AnyState) -> Option<usize> {
    homes(state).map(|(_, hidden)| hidden)
}
