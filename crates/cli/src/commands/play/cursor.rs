//! The cursor on the table, and the keys of piles: what is taken where, and put down where.

use patience::LegalMove;
use patience::model::{Pile, PileKind, Scene};

use super::app::App;
use super::picture::{At, Spot, key_of, picture};

/// Rows enough for any scene: the cursor knows no screen.
const ROOM: u16 = 200;

impl App {
    fn piles(&self) -> &[Pile] {
        match &self.view.scene {
            Scene::Cards { piles } => piles,
            _ => &[],
        }
    }

    fn pile(&self, id: &str) -> Option<&Pile> {
        self.piles().iter().find(|pile| pile.id == id)
    }

    /// Whether all cards go to one pile only: then one key says all.
    pub(super) fn goes_one_way(&self) -> bool {
        let others = |kind: PileKind| self.piles().iter().filter(|p| p.kind == kind).count();
        others(PileKind::Foundation) == 1
            && others(PileKind::Cell) == 0
            && self.view.legal.iter().all(|m| {
                let to = m.label.to.as_ref().and_then(|id| self.pile(id));
                to.is_some_and(|pile| matches!(pile.kind, PileKind::Foundation | PileKind::Stock))
            })
    }

    /// A cursor on a card that is gone stays where it was, as near as can be.
    pub(super) fn keep_cursor(&mut self) {
        if let Some(At::Pile(id, index)) = &self.cursor
            && let Some(pile) = self.pile(id)
        {
            let index = (*index).min(pile.cards.len().saturating_sub(1));
            self.cursor = Some(At::Pile(id.clone(), index));
        }
    }

    /// Moves the cursor to the nearest place in a direction; the first time it goes onto the table.
    pub(super) fn go(&mut self, dx: i32, dy: i32) {
        let spots = picture(&self.view.scene, ROOM).spots;
        let here = spots.iter().find(|spot| Some(&spot.at) == self.cursor.as_ref());
        let Some(here) = here else {
            self.cursor = self.first(&spots);
            return;
        };
        let middle = |spot: &Spot| (i32::from(2 * spot.x + spot.width), 2 * i32::from(spot.y));
        let (x, y) = middle(here);
        // Cards of a pile lie below one another; beside it the card at the end is meant.
        let ends = |spot: &&Spot| match (&spot.at, dx) {
            (At::Pile(id, index), 1 | -1) => {
                self.pile(id).is_some_and(|pile| index + 1 >= pile.cards.len())
            }
            _ => true,
        };
        let far = |spot: &Spot| {
            let (a, b) = (middle(spot).0 - x, middle(spot).1 - y);
            let (along, across) = if dx == 0 { (b * dy, a.abs()) } else { (a * dx, b.abs()) };
            (along > 0).then_some((
                if dx == 0 { across } else { along },
                if dx == 0 { along } else { across },
            ))
        };
        let nearest = spots
            .iter()
            .filter(ends)
            .filter_map(|spot| Some((far(spot)?, spot)))
            .min_by_key(|(far, _)| *far);
        if let Some((_, spot)) = nearest {
            self.cursor = Some(spot.at.clone());
        }
    }

    /// The first place from which something can be moved.
    fn first(&self, spots: &[Spot]) -> Option<At> {
        let found = spots.iter().find(|spot| !self.moves_from(&spot.at).is_empty());
        found.or(spots.first()).map(|spot| spot.at.clone())
    }

    /// The moves that begin at a place.
    fn moves_from(&self, at: &At) -> Vec<LegalMove> {
        let begins = |m: &&LegalMove| match at {
            At::Square(column, row) => {
                let cells = &m.label.cells;
                match m.label.count {
                    2 if matches!(self.view.scene, Scene::Grid { .. }) => {
                        cells.first() == Some(&(*column, *row))
                    }
                    _ => cells.contains(&(*column, *row)),
                }
            }
            At::Pile(id, index) => match self.pile(id) {
                Some(pile) if pile.kind == PileKind::Stock => {
                    m.label.from.as_ref() == Some(id) || m.label.to.as_ref() == Some(id)
                }
                Some(pile) => {
                    let count =
                        if pile.kind == PileKind::Column { pile.cards.len() - index } else { 1 };
                    m.label.from.as_ref() == Some(id) && m.label.count == count
                }
                None => false,
            },
        };
        self.view.legal.iter().filter(begins).cloned().collect()
    }

    /// Whether a move ends at a place.
    fn ends_at(m: &LegalMove, at: &At) -> bool {
        match at {
            At::Pile(id, _) => m.label.to.as_ref() == Some(id),
            At::Square(column, row) => m.label.cells.get(1) == Some(&(*column, *row)),
        }
    }

    /// A place was chosen, by Enter or by the mouse: something is taken there, or put down.
    pub(super) fn choose(&mut self, at: &At) {
        self.cursor = Some(at.clone());
        if let Some(picked) = self.picked.take() {
            let moves = self.moves_from(&picked);
            if let Some(m) = moves.iter().find(|m| Self::ends_at(m, at)) {
                self.play(&m.name.clone());
                return;
            }
            if picked == *at {
                return;
            }
        }
        let moves = self.moves_from(at);
        match &moves[..] {
            [] => "nothing can be moved from there".clone_into(&mut self.message),
            [one] => self.play(&one.name.clone()),
            several => {
                self.message = format!("{} ways: choose where to", several.len());
                self.picked = Some(at.clone());
            }
        }
    }

    /// A key of a pile: the first one takes, the second one puts down.
    pub(super) fn pile_key(&mut self, key: char) {
        let piles = self.piles();
        let ids: Vec<String> = piles
            .iter()
            .filter(|pile| key_of(piles, &pile.id) == Some(key))
            .map(|pile| pile.id.clone())
            .collect();
        let is = |pile: &Option<String>| pile.as_ref().is_some_and(|id| ids.contains(id));
        if let Some(At::Pile(from, _)) = self.picked.take() {
            // Of several cards that could go there, as many as possible.
            let moves = self.view.legal.iter();
            let goes = moves.filter(|m| m.label.from.as_ref() == Some(&from) && is(&m.label.to));
            if let Some(m) = goes.max_by_key(|m| m.label.count) {
                self.play(&m.name.clone());
            } else {
                self.message = format!("no card goes from there to {key}");
            }
            return;
        }
        let Some(id) = ids.iter().find(|id| {
            self.view.legal.iter().any(|m| {
                m.label.from.as_ref() == Some(id) || key == 't' && m.label.to.as_ref() == Some(id)
            })
        }) else {
            self.message = format!("nothing can be moved from {key}");
            return;
        };
        let moves: Vec<&LegalMove> = self
            .view
            .legal
            .iter()
            .filter(|m| {
                m.label.from.as_ref() == Some(id) || key == 't' && m.label.to.as_ref() == Some(id)
            })
            .collect();
        if key == 't' || self.goes_one_way() {
            self.play(&moves[0].name.clone());
            return;
        }
        let last = self.pile(id).map_or(0, |pile| pile.cards.len().saturating_sub(1));
        self.picked = Some(At::Pile(id.clone(), last));
        self.message = format!("from {key}: now the key of the pile where to");
    }
}
