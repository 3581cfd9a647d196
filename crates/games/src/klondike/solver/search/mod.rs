//! The depth-first search over classes, with a stack of its own: it can stop before any node and go
//! on from there.

mod expand;

use super::super::Card;
use super::Thoughtful;
use super::class::{Member, send_home};
use super::edge::{Edge, Target, Within, within_reach};
use super::relaxed::{hopeless, hopeless_by_cases};
use super::state::{Layout, State};
use super::table::{Before, Key, Table};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Won,
    Lost,
    /// It came to its limit, and can go on.
    Stopped,
}

/// A step of a solution: cards sent home and taken back, then one move.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// What the foundations hold on the way, first in the member that stands for the class.
    pub(crate) way: Vec<[u8; 4]>,
    pub(crate) card: Card,
    pub(crate) target: Target,
}

/// A class that an edge leads to.
#[derive(Clone, Copy, Debug)]
struct Open {
    edge: Edge,
    next: State,
    key: Key,
}

/// The cards within reach in a stock: their places in a list, and as a set.
#[derive(Clone, Copy, Debug)]
struct Talon {
    first: u32,
    end: u32,
    cards: u64,
}

/// A class on the way. What belongs to it lies at the ends of the lists while it is the last one.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: State,
    talon: Talon,
    /// Where its talon, members, edges and open classes begin.
    talon_from: u32,
    members: u32,
    edges: u32,
    open: u32,
    /// The member whose edges are tried, and the edge and the open class whose turn it is.
    member: u32,
    edge: u32,
    next: u32,
    /// Whether it was visited; until then nothing of it is listed.
    visited: bool,
    /// Whether its only edge needs no second thought.
    forced: bool,
    /// What the table held of it.
    before: Before,
}

/// A search with its memory.
#[derive(Debug)]
pub(crate) struct Hunt {
    options: Thoughtful,
    /// Nodes of [`Hunt::run`].
    most: u64,
    table: Table,
    /// The classes on the way.
    frames: Vec<Frame>,
    /// Members and edges of these classes, one class after the other.
    members: Vec<Member>,
    edges: Vec<Edge>,
    /// The classes to which their edges lead.
    open: Vec<Open>,
    /// The cards within reach in their stocks.
    talon: Vec<Within>,
    nodes: u64,
    /// How often the search was begun again, the nodes of a round, and those at which it ends.
    round: u64,
    size: u64,
    until: u64,
    /// Whether every position is asked whether it is hopeless.
    look: bool,
    /// Whether turning up a face-down card counts as a win.
    to_reveal: bool,
}

/// Searches of fewer nodes than this do not ask whether positions are hopeless: they are many, and
/// to ask takes longer than to search a node.
const LOOKED_AT: u64 = 10_000;

impl Hunt {
    /// A hunt of so many nodes.
    pub(crate) fn of(nodes: u64) -> Hunt {
        // Some edges per node, so that nothing is forgotten.
        let memory = nodes.saturating_mul(256).clamp(1 << 16, 1 << 28);
        Hunt { most: nodes, ..Hunt::new(Thoughtful::default(), memory) }
    }

    /// A hunt whose table takes so many bytes at most.
    pub(super) fn new(options: Thoughtful, memory: u64) -> Hunt {
        Hunt {
            options,
            most: u64::MAX,
            table: Table::new(memory, !options.prune),
            frames: Vec::new(),
            members: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            talon: Vec::new(),
            nodes: 0,
            round: 0,
            size: 0,
            until: 0,
            look: false,
            to_reveal: false,
        }
    }

    /// Whether a face-down card can be turned up at all; which cards are face down is not looked at.
    pub(crate) fn run_to_reveal(&mut self, layout: &Layout, state: State) -> Found {
        self.to_reveal = true;
        let found = self.run(layout, state);
        self.to_reveal = false;
        found
    }

    /// Searches from a state to the end, or to the last of its nodes.
    pub(crate) fn run(&mut self, layout: &Layout, state: State) -> Found {
        self.begin(layout, state);
        self.go_on(layout, self.most)
    }

    /// Starts a search from a state.
    pub(super) fn begin(&mut self, layout: &Layout, mut state: State) {
        self.table.clear();
        self.frames.clear();
        self.members.clear();
        self.edges.clear();
        self.open.clear();
        self.talon.clear();
        (self.nodes, self.round) = (0, 0);
        self.size = self.options.round.max(1);
        self.until = self.size;
        self.look = self.options.prune && self.most >= LOOKED_AT && !self.to_reveal;
        self.settle(layout, &mut state);
        let talon = self.talon_of(layout, &state);
        let masks = layout.masks(&state);
        if !(self.look && hopeless_by_cases(layout, &state, &masks, talon.cards)) {
            self.push(state, talon, 0, Before::NOTHING);
        }
    }

    /// The table takes so many bytes at most from now on.
    pub(super) fn limit(&mut self, memory: u64) {
        self.table.limit(memory);
    }

    /// The steps of the solution that was found.
    pub(crate) fn line(&self) -> Vec<Step> {
        let step = |frame: &Frame| {
            let Edge { member, card, target, .. } = self.open[frame.next as usize - 1].edge;
            Step { way: self.way(member), card, target }
        };
        let last = self.frames.len().saturating_sub(1);
        self.frames[..last].iter().map(step).collect()
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
        if self.options.take_back {
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

    /// Puts a class on the way; nothing of it but its talon is listed yet.
    #[inline]
    fn push(&mut self, state: State, talon: Talon, talon_from: u32, before: Before) {
        let (members, edges) = (self.members.len() as u32, self.edges.len() as u32);
        let open = self.open.len() as u32;
        self.frames.push(Frame {
            state,
            talon,
            talon_from,
            members,
            edges,
            open,
            member: members,
            edge: edges,
            next: open,
            visited: false,
            forced: false,
            before,
        });
    }

    /// Takes the last class off the way: it is lost.
    #[inline]
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.members.truncate(frame.members as usize);
            self.edges.truncate(frame.edges as usize);
            self.open.truncate(frame.open as usize);
            self.talon.truncate(frame.talon_from as usize);
        }
    }

    /// Searches on until this many nodes were searched in all.
    pub(super) fn go_on(&mut self, layout: &Layout, most: u64) -> Found {
        while let Some(&Frame { state, talon, members, visited, .. }) = self.frames.last() {
            if visited {
                if self.try_next(layout) {
                    return Found::Won;
                }
                continue;
            }
            if layout.won(&state) {
                return Found::Won;
            }
            if self.nodes >= most {
                return Found::Stopped;
            }
            if self.nodes >= self.until {
                self.begin_again();
                continue;
            }
            self.nodes += 1;
            let masks = layout.masks(&state);
            if self.look && hopeless(layout, &state, &masks, talon.cards) {
                self.pop();
                continue;
            }
            self.members.push(Member { state, masks, from: members, moved: 0 });
            self.list_edges(layout, members, true, talon);
        }
        Found::Lost
    }

    /// Begins again with another order of moves. What is on the way was not shown to be lost.
    fn begin_again(&mut self) {
        for i in (1..self.frames.len()).rev() {
            let key = self.open[self.frames[i - 1].next as usize - 1].key;
            self.table.undo(key, self.frames[i].before);
        }
        self.members.clear();
        self.edges.clear();
        self.open.clear();
        let Frame { state, talon, talon_from, before, .. } = self.frames[0];
        self.talon.truncate(talon.end as usize);
        self.frames.clear();
        self.push(state, talon, talon_from, before);
        self.round += 1;
        self.size += self.size / 20 + 1;
        self.until = self.nodes.saturating_add(self.size);
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
}
