//! The belief game solved, where few cards lie face down.
//!
//! What the player knows is the class of positions and which cards lie face down, each order alike. So a
//! move that turns a card up leads to each of these cards with the same chance, and the value of what the
//! player knows is that of its best move: expectimax over the nodes of the tree, each of which is valued
//! once. Moves that cannot be undone lead on, so there are no cycles. With one card face down its place is
//! known, and the thoughtful solver says who wins.
//!
//! Values are those of the game in which any card may come back. They are found bit by bit, within a limit
//! of nodes; past it the search samples as ever.

use super::super::Card;
use super::super::solver::search::Found;
use super::super::solver::state::Layout;
use super::search::{BestSearch, settle};
use super::sight::face_down;

/// With more cards face down the game is not solved: see docs/klondike.md.
const FEW: u32 = 6;

/// Nodes that go into it in one step.
const STEP: u64 = 10_000;
/// Nodes that go into it in a decision that may take as many samples as the budget allows.
const MOST: u64 = 1_000_000;

/// What is known of the values.
#[derive(Debug, Default)]
pub(super) struct Belief {
    /// By node of the tree.
    values: Vec<Option<f64>>,
    /// By move of the root, once all are known.
    pub(super) moves: Option<Vec<f64>>,
    /// Nodes of this decision, and where the step ends.
    spent: u64,
    until: u64,
    given_up: bool,
}

impl Belief {
    /// Forgets what belongs to the root.
    pub(super) fn begin(&mut self) {
        (self.moves, self.spent, self.given_up) = (None, 0, false);
    }

    /// Forgets all, with the tree.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.begin();
    }
}

impl BestSearch<'_> {
    /// Whether the belief game can be worth a step: few cards lie face down, but more than one.
    pub(super) fn may_solve_belief(&self) -> bool {
        let down = face_down(&self.tree.nodes[self.root as usize].core);
        // As much as sampling would take.
        let most = match self.settings.samples {
            Some(samples) => samples.saturating_mul(self.settings.nodes).min(MOST),
            None => MOST,
        };
        let belief = &self.belief;
        let open = belief.moves.is_none() && !belief.given_up && belief.spent < most;
        open && self.any_back() && (2..=FEW).contains(&down)
    }

    /// Goes on for a step.
    pub(super) fn solve_belief(&mut self) {
        self.belief.until = self.belief.spent + STEP;
        let spent = self.belief.spent;
        let mut layout = *self.sight.layout();
        let edges = self.tree.nodes[self.root as usize].edges();
        let root = self.root;
        let moves = edges.map(|edge| self.value_of_move(&mut layout, root, edge)).collect();
        self.belief.moves = moves;
        self.tree.judge(root);
        self.model_calls += self.belief.spent - spent;
    }

    /// The value of a node, if it is known at the end of the step. In the layout lie the cards that were
    /// turned up on the way to it; what it holds face down is not looked at.
    fn value_of(&mut self, layout: &mut Layout, at: u32) -> Option<f64> {
        let place = at as usize;
        if let Some(won) = self.tree.nodes[place].sure {
            return Some(f64::from(u8::from(won)));
        }
        if let Some(&Some(value)) = self.belief.values.get(place) {
            return Some(value);
        }
        if self.belief.spent >= self.belief.until {
            return None;
        }
        self.belief.spent += 1;
        let core = self.tree.nodes[place].core;
        let value = if face_down(&core) <= 1 {
            let last = core.locked & !core.visible;
            if let Some(column) = core.counts.iter().position(|&n| n == 2).filter(|_| last != 0) {
                lay(layout, column, 0, last.trailing_zeros());
            }
            let found = self.exact.run(layout, core);
            self.belief.spent += self.exact.nodes();
            match found {
                Found::Won => 1.0,
                Found::Lost => 0.0,
                Found::Stopped => {
                    self.belief.given_up = true;
                    return None;
                }
            }
        } else {
            self.tree.expand(layout, at);
            let mut best = 0.0_f64;
            for edge in self.tree.nodes[place].edges() {
                best = best.max(self.value_of_move(layout, at, edge)?);
                if best == 1.0 {
                    break;
                }
            }
            best
        };
        if value == 0.0 || value == 1.0 {
            self.tree.nodes[place].sure = Some(value == 1.0);
        }
        let len = self.belief.values.len().max(place + 1);
        self.belief.values.resize(len, None);
        self.belief.values[place] = Some(value);
        Some(value)
    }

    /// The value of a move of a node: the mean over the cards that it may turn up.
    fn value_of_move(&mut self, layout: &mut Layout, at: u32, edge: usize) -> Option<f64> {
        let core = self.tree.nodes[at as usize].core;
        if !self.tree.edges[edge].turns_up(layout, &core) {
            let child = self.tree.child(layout, at, edge, settle);
            return self.value_of(layout, child);
        }
        let card: Card = self.tree.edges[edge].card;
        let column = usize::from(layout.place_of[card.bit() as usize]);
        let height = usize::from(core.counts[column]) - 2;
        let mut unseen = core.locked & !core.visible;
        let (count, mut sum) = (f64::from(unseen.count_ones()), 0.0);
        while unseen != 0 {
            lay(layout, column, height, unseen.trailing_zeros());
            unseen &= unseen - 1;
            let child = self.tree.child(layout, at, edge, settle);
            sum += self.value_of(layout, child)?;
        }
        Some(sum / count)
    }
}

/// Lays a card in a place of a column.
fn lay(layout: &mut Layout, column: usize, height: usize, card: u32) {
    layout.pile[column][height] = card as u8;
    layout.place_of[card as usize] = column as u8;
}
