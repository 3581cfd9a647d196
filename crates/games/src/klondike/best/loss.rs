//! What every player without sight must lose against one who sees all cards: a lower bound, and with it an
//! upper bound on the games that anyone can win.
//!
//! **The bound.** An information relaxation with a penalty (Brown, Smith and Sun, "Information relaxations
//! and duality in stochastic dynamic programs", 2010). Let x be what a player knows: a class of positions
//! and the face-down cards as a set, each order alike. Let W(x, ω) say whether the order ω can be won from
//! x by one who sees all cards, and V(x) = E W(x, ω). A *commitment* e is a move that turns up a card, with
//! all moves before it that turn up none. It loses
//!
//! > L(x, e) = E [W(x, ω) − W(x·e, ω)] ≥ 0,
//!
//! the share of orders that can be won from x and no longer after e. So V(x) − L(x, e) is the mean of V
//! over the card that e turns up, and a player who commits to e₁ in x₀, e₂ in x₁ and so on wins no more than
//! E V(x_k) = V(x₀) − E [L(x₀, e₁) + … + L(x_{k−1}, e_k)], for any k. In a deal ω its way is one of all ways
//! through ω. So nobody wins more than
//!
//! > V(x₀) − E_ω [the least sum of losses on any way through ω],
//!
//! whatever its commitments depend on but what it has not seen. This is the paper's bound with V as the
//! generating function; as no loss is negative, it is never above the share that can be won with sight,
//! and V(x₀) and the losses can be measured on different deals. ∎
//!
//! **The estimate.** A loss is the share of some orders drawn in x, by a stream that belongs to x and to no
//! deal. A way's sum of such shares has the way's losses for its mean: which way a player takes depends on
//! ω, not on these draws. The least sum is below that of the player's way, so its mean over deals and draws
//! is below the true one: the bound errs upward only. So do all that is cut short. An order counts as lost
//! by e only if W(x, ω) = 1 and W(x·e, ω) = 0 were both proven, so undecided ones count as no loss. The ways
//! are searched best first, so what the search has spent whenever it is stopped is at most the least sum.
//!
//! **Moves left out.** Where a class has a safe move ([`forced`](super::super::solver::edge::forced)), it is
//! the only one. A player who makes it and then plays as another one did, with the safe card home, can do
//! all that the other one does and sees no less, in every order of the cards: so some best player makes it.
//! The same holds for safe cards that are not taken back. The game is the one in which the stock is known
//! and any card may come back; by the lemma in `game/stock.rs` the bound holds where it must be turned, too.

use std::collections::{BinaryHeap, HashSet};

use patience_model::Rng;

use super::super::solver::search::{Found, Hunt};
use super::super::solver::state::{Layout, State as Core};
use super::search::settle;
use super::sight::{Sight, face_down};
use super::tree::Tree;

/// Nodes with which an order is judged at first.
const SHORT: u64 = 200;

/// With more classes between two cards that are turned up, a way ends there: what is lost on it later
/// does not count.
const CLASSES: usize = 50_000;

/// What a player knows after some commitments.
#[derive(Debug)]
struct Known {
    node: u32,
    /// Draws the orders.
    sight: Sight,
    /// By order, whether it can be won from here: not asked yet, proven, or not proven.
    won: Vec<Option<bool>>,
}

/// A commitment whose loss is being counted.
#[derive(Clone, Copy, Debug)]
struct Commitment {
    /// The place of what is known before it.
    from: u32,
    /// The class before the card is turned up, and the move.
    at: u32,
    edge: usize,
    /// Where it leads in this deal.
    to: u32,
}

/// A way by its last commitment. The largest is looked at first: the one of the least loss, of these the
/// longest, of these the one of which most is known, of these the oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    lost: std::cmp::Reverse<u32>,
    length: u32,
    orders: u32,
    place: std::cmp::Reverse<u32>,
}

/// The search for the way of least loss through a deal.
#[derive(Debug)]
pub(super) struct Loss {
    layout: Layout,
    tree: Tree,
    key: u64,
    /// Orders that are drawn for a loss.
    orders: u32,
    /// Cards turned up, at most.
    most: u32,
    short: Hunt,
    long: Hunt,
    known: Vec<Known>,
    commitments: Vec<Commitment>,
    ways: BinaryHeap<Way>,
    reached: HashSet<u32>,
    /// The least loss and the cards turned up on the way, once they are certain.
    least: Option<(u32, u32)>,
    /// Orders judged, and nodes that went into it.
    pub(super) judged: u64,
    pub(super) nodes: u64,
}

impl Loss {
    /// A search through a deal; up to `most` cards are turned up on a way.
    pub(super) fn new(
        layout: Layout,
        core: Core,
        orders: u32,
        most: u32,
        nodes: u64,
        key: u64,
    ) -> Loss {
        let mut loss = Loss {
            layout,
            tree: Tree::default(),
            key,
            orders,
            most,
            short: Hunt::of(SHORT.min(nodes)),
            long: Hunt::of(nodes),
            known: Vec::new(),
            commitments: Vec::new(),
            ways: BinaryHeap::new(),
            reached: HashSet::new(),
            least: None,
            judged: 0,
            nodes: 0,
        };
        let mut core = core;
        settle(&loss.layout, &mut core);
        let root = loss.tree.node(&loss.layout, core);
        loss.arrive(root, 0, 0);
        loss
    }

    /// The share that is lost at least on every way through the deal, as far as is known.
    pub(super) fn share(&self) -> f64 {
        let lost = match self.least {
            Some((lost, _)) => lost,
            None => self.ways.peek().map_or(0, |way| way.lost.0),
        };
        f64::from(lost) / f64::from(self.orders)
    }

    /// The cards turned up on the way of least loss; of the longest one looked at, if it is not certain.
    pub(super) fn turned_up(&self) -> u32 {
        self.least.map_or_else(|| self.ways.peek().map_or(0, |way| way.length - 1), |least| least.1)
    }

    /// Whether the least loss is certain.
    pub(super) fn is_complete(&self) -> bool {
        self.least.is_some()
    }

    pub(super) fn bytes(&self) -> u64 {
        let known = self.known.len() * (size_of::<Known>() + self.orders as usize);
        let ways = self.ways.len() * size_of::<Way>();
        let commitments = self.commitments.len() * size_of::<Commitment>();
        self.tree.bytes() + (known + ways + commitments) as u64
    }

    /// Lists the commitments of a class to which a way leads, or ends there.
    fn arrive(&mut self, node: u32, lost: u32, length: u32) {
        if !self.reached.insert(node) {
            // There is a way to it that loses no more.
            return;
        }
        let core = self.tree.nodes[node as usize].core;
        if length == self.most || face_down(&core) <= 1 {
            self.least = Some((lost, length));
            return;
        }
        let (first, from) = (self.commitments.len(), self.known.len() as u32);
        let (mut classes, mut listed, mut ends) =
            (vec![node], HashSet::from([node]), HashSet::new());
        let mut next = 0;
        while next < classes.len() && classes.len() < CLASSES {
            let at = classes[next];
            next += 1;
            self.tree.expand(&self.layout, at);
            let core = self.tree.nodes[at as usize].core;
            for edge in self.tree.nodes[at as usize].edges() {
                let turns_up = self.tree.edges[edge].turns_up(&self.layout, &core);
                let to = self.tree.child(&self.layout, at, edge, settle);
                if !turns_up {
                    if listed.insert(to) {
                        classes.push(to);
                    }
                } else if ends.insert(self.before_seen(at, edge)) && !self.reached.contains(&to) {
                    self.commitments.push(Commitment { from, at, edge, to });
                }
            }
        }
        if ends.is_empty() || next < classes.len() {
            // No card can be turned up any more, or there are too many ways on.
            self.commitments.truncate(first);
            self.least = Some((lost, length));
            return;
        }
        let key = Rng::numbered(self.key, Tree::name(&self.layout, &core)).next_u64();
        let sight = Sight::of(self.layout, core, key);
        self.known.push(Known { node, sight, won: vec![None; self.orders as usize] });
        for place in first..self.commitments.len() {
            let place = std::cmp::Reverse(place as u32);
            self.ways.push(Way {
                lost: std::cmp::Reverse(lost),
                length: length + 1,
                orders: 0,
                place,
            });
        }
    }

    /// What a commitment makes of the position before the card is seen: where that is the same, it is the
    /// same commitment for every order.
    fn before_seen(&self, at: u32, edge: usize) -> Core {
        let before = self.tree.nodes[at as usize].core;
        let card = self.tree.edges[edge].card;
        let column = usize::from(self.layout.place_of[card.bit() as usize]);
        let hide = |layout: &Layout, core: &mut Core| {
            core.counts[column] = before.counts[column] - 1;
            core.visible &= !(1 << layout.pile[column][usize::from(core.counts[column]) - 1]);
            core.locked = before.locked & !card.mask();
            settle(layout, core);
        };
        self.tree.after(&self.layout, at, edge, hide)
    }

    /// Goes on by one order of one commitment.
    pub(super) fn step(&mut self) {
        let Some(mut way) = self.ways.pop().filter(|_| self.least.is_none()) else { return };
        let commitment = self.commitments[way.place.0 as usize];
        if way.orders == self.orders {
            self.arrive(commitment.to, way.lost.0, way.length);
            return;
        }
        if self.reached.contains(&commitment.to) {
            return;
        }
        way.lost.0 += u32::from(self.is_lost(commitment, way.orders));
        way.orders += 1;
        self.ways.push(way);
    }

    /// Whether it is proven that an order is lost by a commitment.
    fn is_lost(&mut self, commitment: Commitment, order: u32) -> bool {
        self.judged += 1;
        let Commitment { from, at, edge, .. } = commitment;
        let known = &mut self.known[from as usize];
        let won = &mut known.won[order as usize];
        if *won == Some(false) {
            return false;
        }
        let deal = known.sight.deal(order.into());
        let after = self.tree.after(&deal, at, edge, settle);
        let found = self.short.run(&deal, after);
        self.nodes += self.short.nodes();
        if found == Found::Won {
            *won = Some(true);
            return false;
        }
        if won.is_none() {
            let before = self.tree.nodes[known.node as usize].core;
            *won = Some(self.long.run(&deal, before) == Found::Won);
            self.nodes += self.long.nodes();
        }
        if *won == Some(false) || found == Found::Lost {
            return *won == Some(true);
        }
        let found = self.long.run(&deal, after);
        self.nodes += self.long.nodes();
        found == Found::Lost
    }
}
