//! The depth-first search over classes.

use patience_plan::Cancel;

use super::super::Card;
use super::SolverOptions;
use super::class::{Member, neighbours, send_home, take};
use super::relaxed::{hopeless, hopeless_by_cases};
use super::state::{Layout, Masks, State, is_safe};
use super::table::{Key, Table};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Won,
    Lost,
    Stopped,
}

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Home,
    Column,
}

/// A move from one class to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The member from which it is made.
    pub(crate) member: u32,
    pub(crate) card: Card,
    pub(crate) target: Target,
    pub(crate) from: From,
}

/// A class that an edge leads to.
#[derive(Clone, Copy, Debug)]
struct Open {
    edge: Edge,
    next: State,
    key: Key,
}

/// Where the card of a move lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Face up, not locked.
    Run,
    /// The lowest face-up card of its column, with all that lies on it.
    Column,
    /// In waste or stock, in this place, after so many others.
    Stock { slot: u8, before: u8 },
}

impl Edge {
    /// Whether a face-down card is turned up.
    fn turns_up(&self, layout: &Layout, member: &State) -> bool {
        let column = usize::from(layout.place_of[self.card.bit() as usize]);
        self.from == From::Column && member.counts[column] > 1
    }

    /// The position that the move makes of a member, before cards are sent home.
    #[inline]
    pub(crate) fn apply(&self, layout: &Layout, member: &State) -> State {
        let mut next = *member;
        match self.target {
            Target::Home => {
                next.visible &= !self.card.mask();
                next.home[self.card.suit_index()] += 1;
            }
            Target::Column => next.visible |= self.card.mask(),
        }
        match self.from {
            From::Run => {}
            From::Column => {
                layout.unlock(&mut next, self.card);
            }
            From::Stock { slot, before } => {
                layout.taken(&mut next, slot.into(), before.into());
            }
        }
        next
    }
}

/// A step of a solution: cards sent home and taken back, then one move.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What the foundations hold on the way, first in the member that stands for the class.
    pub(crate) way: Vec<[u8; 4]>,
    pub(crate) card: Card,
    pub(crate) target: Target,
}

/// A search with its memory.
#[derive(Debug)]
pub(crate) struct Hunt {
    options: SolverOptions,
    table: Table,
    /// Members and edges of the classes on the way, one class after the other.
    members: Vec<Member>,
    edges: Vec<Edge>,
    /// Classes on the way that were found and not visited yet.
    open: Vec<Open>,
    /// The cards within reach in the stocks of these classes.
    talon: Vec<Within>,
    line: Vec<Step>,
    nodes: u64,
    /// How often the search was begun again, and the nodes at which it is next.
    round: u64,
    until: u64,
    /// Whether every position is asked whether it is hopeless.
    look: bool,
    /// Whether turning up a face-down card counts as a win.
    to_reveal: bool,
}

/// Searches of fewer nodes than this do not ask whether positions are hopeless: they are many, and
/// to ask takes longer than to search a node.
const LOOKED_AT: u64 = 10_000;

/// How often the cancel flag is looked at, in nodes.
const WATCH: u64 = 1 << 10;

impl Hunt {
    /// A hunt of so many nodes.
    pub(crate) fn of(nodes: u64) -> Hunt {
        // Some edges per node, so that nothing is forgotten.
        let memory = nodes.saturating_mul(256).clamp(1 << 16, 1 << 28);
        Hunt::new(SolverOptions { nodes: Some(nodes), memory, ..SolverOptions::default() })
    }

    pub(crate) fn new(options: SolverOptions) -> Hunt {
        Hunt {
            options,
            table: Table::new(options.memory, !options.prune),
            members: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            talon: Vec::new(),
            line: Vec::new(),
            nodes: 0,
            round: 0,
            until: 0,
            look: false,
            to_reveal: false,
        }
    }

    /// Whether a face-down card can be turned up at all; which cards are face down is not looked at.
    pub(crate) fn run_to_reveal(&mut self, layout: &Layout, state: State) -> Found {
        self.to_reveal = true;
        let found = self.run(layout, state, &Cancel::new());
        self.to_reveal = false;
        found
    }

    pub(crate) fn run(&mut self, layout: &Layout, mut state: State, cancel: &Cancel) -> Found {
        self.table.clear();
        self.members.clear();
        self.edges.clear();
        self.open.clear();
        self.talon.clear();
        self.line.clear();
        self.nodes = 0;
        self.settle(layout, &mut state);
        let worth_it = self.options.nodes.is_none_or(|most| most >= LOOKED_AT);
        self.look = self.options.prune && worth_it && !self.to_reveal;
        let talon = self.talon_of(layout, &state);
        let masks = layout.masks(&state);
        if self.look && hopeless_by_cases(layout, &state, &masks, talon.cards) {
            return Found::Lost;
        }
        (self.round, self.until) = (0, 0);
        let mut size = self.options.round.max(1);
        loop {
            self.until = self.nodes.saturating_add(size);
            let found = self.visit(layout, &state, &talon, cancel);
            let ended = self.options.nodes.is_some_and(|most| self.nodes >= most);
            if found != Found::Stopped || ended || cancel.is_cancelled() {
                self.line.reverse();
                return found;
            }
            self.members.clear();
            self.edges.clear();
            self.open.clear();
            self.talon.truncate(talon.end as usize);
            self.round += 1;
            size += size / 20 + 1;
        }
    }

    /// The steps of the solution that was found.
    pub(crate) fn line(&self) -> &[Step] {
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

    /// A state as the table knows it.
    #[inline]
    fn key(&self, layout: &Layout, state: &State) -> Key {
        let (offset, draw) = (state.offset, layout.draw as u8);
        Key { state: layout.key(state), offset: (offset % draw, offset / draw) }
    }

    /// Lists what is within reach in a stock.
    #[inline]
    fn talon_of(&mut self, layout: &Layout, state: &State) -> Talon {
        let first = self.talon.len();
        within_reach(layout, state, &mut self.talon);
        let cards = self.talon[first..].iter().fold(0, |all, w| all | w.card.mask());
        Talon { first: first as u32, end: self.talon.len() as u32, cards }
    }

    fn visit(&mut self, layout: &Layout, state: &State, talon: &Talon, cancel: &Cancel) -> Found {
        if layout.won(state) {
            return Found::Won;
        }
        if self.options.nodes.is_some_and(|most| self.nodes >= most)
            || self.nodes >= self.until
            || (self.nodes.is_multiple_of(WATCH) && cancel.is_cancelled())
        {
            return Found::Stopped;
        }
        self.nodes += 1;
        let (first_member, first_edge) = (self.members.len(), self.edges.len());
        let masks = layout.masks(state);
        if self.look && hopeless(layout, state, &masks, talon.cards) {
            return Found::Lost;
        }
        let root = first_member as u32;
        self.members.push(Member { state: *state, masks, from: root, moved: 0 });
        let mut found = Found::Lost;
        let mut at = first_member;
        while at < self.members.len() && found == Found::Lost {
            let forced = self.edges_of(layout, at, at == first_member, talon);
            if self.round > 0 {
                shuffle(&mut self.edges[first_edge..], self.round);
            }
            found = self.try_edges(layout, state, talon, first_edge, cancel);
            self.edges.truncate(first_edge);
            if forced {
                break;
            }
            if self.options.worrying_back && found == Found::Lost {
                neighbours(layout, &mut self.members, first_member, at, self.options.prune);
            }
            at += 1;
        }
        self.members.truncate(first_member);
        found
    }

    /// Visits the classes to which the edges from this one on lead and that were not found before.
    ///
    /// In a small table one after the other: where a win is found at once, most need not be worked
    /// out. In a large one all are looked up in a row, so that memory is waited for once.
    fn try_edges(
        &mut self,
        layout: &Layout,
        state: &State,
        talon: &Talon,
        first_edge: usize,
        cancel: &Cancel,
    ) -> Found {
        let (mut at, last) = (first_edge, self.edges.len());
        while at < last {
            let until = if self.table.is_large() { last } else { at + 1 };
            let first = self.open.len();
            for i in at..until {
                let edge = self.edges[i];
                let member = &self.members[edge.member as usize].state;
                if self.to_reveal && edge.turns_up(layout, member) {
                    return Found::Won;
                }
                let mut next = edge.apply(layout, member);
                self.settle(layout, &mut next);
                let key = self.key(layout, &next);
                self.open.push(Open { edge, next, key });
            }
            if until > at + 1 {
                let table = &self.table;
                let mut end = first;
                for i in first..self.open.len() {
                    if !table.covers(self.open[i].key) {
                        self.open[end] = self.open[i];
                        end += 1;
                    }
                }
                self.open.truncate(end);
            }
            for i in first..self.open.len() {
                let Open { edge, next, key } = self.open[i];
                // Not before its turn: what is in the table is shown to be lost, or on the way to
                // here and cannot come again.
                let Some(before) = self.table.insert(key) else { continue };
                let found = self.enter(layout, state, &next, talon, cancel);
                match found {
                    Found::Lost => continue,
                    Found::Won => {
                        let way = self.way(edge.member);
                        self.line.push(Step { way, card: edge.card, target: edge.target });
                    }
                    Found::Stopped => self.table.undo(key, before),
                }
                return found;
            }
            self.open.truncate(first);
            at = until;
        }
        Found::Lost
    }

    /// Visits a class that follows from a state.
    #[inline]
    fn enter(
        &mut self,
        layout: &Layout,
        state: &State,
        next: &State,
        talon: &Talon,
        cancel: &Cancel,
    ) -> Found {
        // The stock changes by moves out of it only.
        if (next.stock, next.offset) == (state.stock, state.offset) {
            return self.visit(layout, next, talon, cancel);
        }
        let talon = self.talon_of(layout, next);
        let found = self.visit(layout, next, &talon, cancel);
        self.talon.truncate(talon.first as usize);
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

    /// Lists the edges that a member has and the member before it had not, the most promising
    /// first; `true` if there is one without a second thought, which is then the only one.
    fn edges_of(&mut self, layout: &Layout, at: usize, first: bool, talon: &Talon) -> bool {
        let Member { state, masks, from, .. } = self.members[at];
        // Most often no card of the stock can be played.
        let playable = talon.cards & (masks.fits | masks.next) != 0;
        let cards = if playable { talon.first as usize..talon.end as usize } else { 0..0 };
        let talon = &self.talon[cards];
        if first
            && self.options.prune
            && let Some(edge) = forced(layout, &state, &masks, talon)
        {
            self.edges.push(Edge { member: at as u32, ..edge });
            return true;
        }
        let before = (!first).then(|| self.members[from as usize].masks);
        edges(&state, &masks, before.as_ref(), at as u32, talon, &mut self.edges);
        if first && !self.options.worrying_back {
            let mut up = masks.free & masks.next & !state.locked;
            while up != 0 {
                let card = take(&mut up);
                let (target, from) = (Target::Home, From::Run);
                self.edges.push(Edge { member: at as u32, card, target, from });
            }
        }
        false
    }
}

/// Puts moves in an order that is another one in every round, the same everywhere in it.
fn shuffle(edges: &mut [Edge], round: u64) {
    edges.sort_unstable_by_key(|edge| {
        let home = u64::from(edge.target == Target::Home);
        let mixed = (round << 7 | u64::from(edge.card.bit()) << 1 | home)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    });
}

/// A card that is locked, or in the stock where each is within reach, goes home at once if that is
/// safe: nothing else need be tried.
#[inline]
pub(crate) fn forced(
    layout: &Layout,
    state: &State,
    masks: &Masks,
    talon: &[Within],
) -> Option<Edge> {
    let member = 0;
    let safe = |card: Card| is_safe(&state.home, card);
    let mut up = masks.free & masks.next & state.locked;
    while up != 0 {
        let card = take(&mut up);
        if safe(card) {
            return Some(Edge { member, card, target: Target::Home, from: From::Column });
        }
    }
    // Turning one card at a time, taking a card hinders no other; else that is so for the last
    // card if the next pass starts anew anyway.
    let last = state.stock.count_ones();
    for &Within { card, slot, before } in talon {
        if masks.next & card.mask() == 0 || !safe(card) {
            continue;
        }
        if layout.draw == 1 || (u32::from(before) + 1 == last && state.offset == 0) {
            let from = From::Stock { slot, before };
            return Some(Edge { member, card, target: Target::Home, from });
        }
    }
    None
}

/// A card of the stock within reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    card: Card,
    /// Its place.
    slot: u8,
    /// The cards that are before it.
    before: u8,
}

/// The cards within reach in a stock: their places in a list, and as a set.
#[derive(Clone, Copy, Debug)]
struct Talon {
    first: u32,
    end: u32,
    cards: u64,
}

/// Lists the cards of the stock within reach.
#[inline]
pub(crate) fn within_reach(layout: &Layout, state: &State, out: &mut Vec<Within>) {
    layout.reachable(state, |card, slot, before| {
        out.push(Within { card, slot: slot as u8, before: before as u8 });
    });
}

/// Lists the moves out of the class that a member has and the member before it had not.
#[inline]
pub(crate) fn edges(
    state: &State,
    masks: &Masks,
    before: Option<&Masks>,
    member: u32,
    talon: &[Within],
    out: &mut Vec<Edge>,
) {
    let (mut fits, mut next, mut free) = (masks.fits, masks.next, masks.free & masks.next);
    if let Some(before) = before {
        fits &= !before.fits;
        next &= !before.next;
        free &= !(before.free & before.next);
    }
    let mut up = free & state.locked;
    while up != 0 {
        let card = take(&mut up);
        out.push(Edge { member, card, target: Target::Home, from: From::Column });
    }
    let mut reveal = state.visible & state.locked & fits;
    while reveal != 0 {
        let card = take(&mut reveal);
        out.push(Edge { member, card, target: Target::Column, from: From::Column });
    }
    if fits | next == 0 {
        return;
    }
    for &Within { card, slot, before } in talon {
        let from = From::Stock { slot, before };
        if fits & card.mask() != 0 {
            out.push(Edge { member, card, target: Target::Column, from });
        }
        if next & card.mask() != 0 {
            out.push(Edge { member, card, target: Target::Home, from });
        }
    }
}
