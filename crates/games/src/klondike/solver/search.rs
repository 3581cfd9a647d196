//! The depth-first search over classes.

use patience_plan::Cancel;

use super::super::Card;
use super::SolverOptions;
use super::class::{Member, may_come_back, send_home, sent_home, take_back};
use super::state::{Layout, STOCK, State, is_safe};
use super::table::Table;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Won,
    Lost,
    Stopped,
}

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Home,
    Column,
}

/// A move from one class to another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The member from which it is made.
    member: u32,
    card: Card,
    target: Target,
    next: State,
}

/// A step of a solution: cards sent home and taken back, then one move.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// What the foundations hold on the way, first in the member that stands for the class.
    pub(super) way: Vec<[u8; 4]>,
    pub(super) card: Card,
    pub(super) target: Target,
}

/// A search with its memory.
#[derive(Debug)]
pub(crate) struct Hunt {
    options: SolverOptions,
    table: Table,
    /// Members and edges of the classes on the way, one class after the other.
    members: Vec<Member>,
    edges: Vec<Edge>,
    line: Vec<Step>,
    nodes: u64,
}

/// How often the cancel flag is looked at, in nodes.
const WATCH: u64 = 1 << 10;

impl Hunt {
    pub(crate) fn new(options: SolverOptions) -> Hunt {
        Hunt {
            options,
            table: Table::new(options.memory),
            members: Vec::new(),
            edges: Vec::new(),
            line: Vec::new(),
            nodes: 0,
        }
    }

    pub(crate) fn run(&mut self, layout: &Layout, mut state: State, cancel: &Cancel) -> Found {
        self.table.clear();
        self.members.clear();
        self.edges.clear();
        self.line.clear();
        self.nodes = 0;
        self.settle(layout, &mut state);
        self.table.insert(layout.key(&state));
        let found = self.visit(layout, &state, cancel);
        self.line.reverse();
        found
    }

    /// The steps of the solution that was found.
    pub(super) fn line(&self) -> &[Step] {
        &self.line
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Brings a state to the one that stands for its class.
    #[inline]
    fn settle(&self, layout: &Layout, state: &mut State) {
        if self.options.worrying_back {
            send_home(layout, state, false);
        } else if self.options.prune {
            send_home(layout, state, true);
        }
    }

    fn visit(&mut self, layout: &Layout, state: &State, cancel: &Cancel) -> Found {
        if layout.won(state) {
            return Found::Won;
        }
        if self.options.nodes.is_some_and(|most| self.nodes >= most)
            || (self.nodes.is_multiple_of(WATCH) && cancel.is_cancelled())
        {
            return Found::Stopped;
        }
        self.nodes += 1;
        let (first_member, first_edge) = (self.members.len(), self.edges.len());
        self.expand(layout, state);
        let mut found = Found::Lost;
        for i in first_edge..self.edges.len() {
            let edge = self.edges[i];
            if !self.table.insert(layout.key(&edge.next)) {
                continue;
            }
            found = self.visit(layout, &edge.next, cancel);
            if found == Found::Won {
                let way = self.way(edge.member);
                self.line.push(Step { way, card: edge.card, target: edge.target });
            }
            if found != Found::Lost {
                break;
            }
        }
        self.members.truncate(first_member);
        self.edges.truncate(first_edge);
        found
    }

    /// The foundations on the way to a member.
    fn way(&self, mut member: u32) -> Vec<[u8; 4]> {
        let mut way = Vec::new();
        loop {
            let at = &self.members[member as usize];
            way.push(at.state.home);
            if at.from == member {
                break;
            }
            member = at.from;
        }
        way.reverse();
        way
    }

    /// Lists the edges out of a class, the most promising first.
    fn expand(&mut self, layout: &Layout, state: &State) {
        let first = self.members.len();
        let masks = layout.masks(state);
        let root = first as u32;
        self.members.push(Member { state: *state, masks, from: root, moved: 0 });
        let mut talon = [(Card::at(0), 0u32, 0u32); STOCK];
        let mut reach = 0;
        layout.reachable(state, |card, slot, before| {
            talon[reach] = (card, slot, before);
            reach += 1;
        });
        let talon = &talon[..reach];
        if self.options.prune && self.forced(layout, root, talon) {
            return;
        }
        let mut at = first;
        while at < self.members.len() {
            self.edges_of(layout, at as u32, at == first, talon);
            if self.options.worrying_back {
                self.neighbours(layout, first, at);
            }
            at += 1;
        }
        if !self.options.worrying_back {
            let mut up = masks.free & masks.next & !state.locked;
            while up != 0 {
                let card = take(&mut up);
                self.push(layout, root, card, Target::Home, sent_home(state, card));
            }
        }
    }

    /// A card that is locked, or in the stock where each is within reach, goes home at once if
    /// that is safe: nothing else need be tried.
    fn forced(&mut self, layout: &Layout, root: u32, talon: &[(Card, u32, u32)]) -> bool {
        let Member { state, masks, .. } = self.members[root as usize];
        let mut up = masks.free & masks.next & state.locked;
        while up != 0 {
            let card = take(&mut up);
            if is_safe(&state.home, card) {
                let mut next = sent_home(&state, card);
                layout.unlock(&mut next, card);
                self.push(layout, root, card, Target::Home, next);
                return true;
            }
        }
        // Turning one card at a time, taking a card hinders no other; else that is so for the last
        // card if the next pass starts anew anyway.
        let last = state.stock.count_ones();
        for &(card, slot, before) in talon {
            let free = layout.draw == 1 || (before + 1 == last && state.offset == 0);
            if free && masks.next & card.mask() != 0 && is_safe(&state.home, card) {
                let next = stock_home(layout, &state, card, slot, before);
                self.push(layout, root, card, Target::Home, next);
                return true;
            }
        }
        false
    }

    /// Edges that a member has and the member before it had not.
    fn edges_of(&mut self, layout: &Layout, at: u32, first: bool, talon: &[(Card, u32, u32)]) {
        let Member { state, masks, from, .. } = self.members[at as usize];
        let (mut fits, mut next, mut free) = (masks.fits, masks.next, masks.free & masks.next);
        if !first {
            let before = &self.members[from as usize].masks;
            fits &= !before.fits;
            next &= !before.next;
            free &= !(before.free & before.next);
        }
        let mut up = free & state.locked;
        while up != 0 {
            let card = take(&mut up);
            let mut after = sent_home(&state, card);
            layout.unlock(&mut after, card);
            self.push(layout, at, card, Target::Home, after);
        }
        let mut reveal = state.visible & state.locked & fits;
        while reveal != 0 {
            let card = take(&mut reveal);
            let mut after = state;
            layout.unlock(&mut after, card);
            self.push(layout, at, card, Target::Column, after);
        }
        for &(card, slot, before) in talon {
            if fits & card.mask() != 0 {
                let mut after = state;
                after.visible |= card.mask();
                layout.taken(&mut after, slot, before);
                self.push(layout, at, card, Target::Column, after);
            }
            if next & card.mask() != 0 {
                let after = stock_home(layout, &state, card, slot, before);
                self.push(layout, at, card, Target::Home, after);
            }
        }
    }

    /// The members that follow from a member and are not listed yet.
    fn neighbours(&mut self, layout: &Layout, first: usize, at: usize) {
        let Member { state, masks, moved, .. } = self.members[at];
        let mut back = may_come_back(layout, &state, &masks, self.options.prune);
        let mut home = masks.free & masks.next & !state.locked;
        if at != first {
            // Not the same card to and fro.
            (back, home) = (back & !(1 << moved), home & !(1 << moved));
        }
        let mut add = |state: State, card: Card| {
            if !self.members[first..].iter().any(|m| m.state.home == state.home) {
                let masks = layout.masks(&state);
                let moved = card.bit() as u8;
                self.members.push(Member { state, masks, from: at as u32, moved });
            }
        };
        while back != 0 {
            let card = take(&mut back);
            add(take_back(&state, card), card);
        }
        while home != 0 {
            let card = take(&mut home);
            add(sent_home(&state, card), card);
        }
    }

    fn push(&mut self, layout: &Layout, member: u32, card: Card, target: Target, mut next: State) {
        self.settle(layout, &mut next);
        self.edges.push(Edge { member, card, target, next });
    }
}

/// The lowest card of a set, taken out of it.
#[inline]
fn take(cards: &mut u64) -> Card {
    let card = Card::at(cards.trailing_zeros());
    *cards &= *cards - 1;
    card
}

#[inline]
fn stock_home(layout: &Layout, state: &State, card: Card, slot: u32, before: u32) -> State {
    let mut next = *state;
    next.home[card.suit_index()] += 1;
    layout.taken(&mut next, slot, before);
    next
}
