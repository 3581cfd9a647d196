//! Where a class on the way leads: its edges, and the classes that they lead to.

use super::super::class::{Member, neighbours, take};
use super::super::edge::{Edge, From, Target, edges, forced, shuffle};
use super::super::state::Layout;
use super::{Frame, Hunt, Open, Talon};

impl Hunt {
    /// Puts the next class that the last one leads to and that was not found before on the way, or
    /// takes the last one off it. `true` if a card is turned up and that is what is looked for.
    pub(super) fn try_next(&mut self, layout: &Layout) -> bool {
        let top = self.frames.len() - 1;
        loop {
            let frame = &mut self.frames[top];
            if (frame.next as usize) < self.open.len() {
                let Open { next, key, .. } = self.open[frame.next as usize];
                frame.next += 1;
                // Not before its turn: what is in the table is shown to be lost, or on the way to
                // here and cannot come again.
                if let Some(before) = self.table.insert(key) {
                    let Frame { state, talon, .. } = *frame;
                    let talon_from = self.talon.len() as u32;
                    // The stock changes by moves out of it only.
                    let same = (next.stock, next.offset) == (state.stock, state.offset);
                    let talon = if same { talon } else { self.talon_of(layout, &next) };
                    self.push(next, talon, talon_from, before);
                    return false;
                }
                continue;
            }
            self.open.truncate(frame.open as usize);
            frame.next = frame.open;
            if (frame.edge as usize) < self.edges.len() {
                if self.open_edges(layout, top) {
                    return true;
                }
                continue;
            }
            let Frame { members, edges, member, forced, talon, .. } = *frame;
            self.edges.truncate(edges as usize);
            if !forced {
                if self.options.take_back {
                    let (first, at) = (members as usize, member as usize);
                    neighbours(layout, &mut self.members, first, at, self.options.prune);
                }
                if member as usize + 1 < self.members.len() {
                    self.list_edges(layout, member + 1, false, talon);
                    continue;
                }
            }
            self.pop();
            return false;
        }
    }

    /// Works out where the next edges of a class lead. `true` if a card is turned up and that is
    /// what is looked for.
    ///
    /// In a small table one after the other: where a win is found at once, most need not be worked
    /// out. In a large one all are looked up in a row, so that memory is waited for once.
    fn open_edges(&mut self, layout: &Layout, top: usize) -> bool {
        let first = self.open.len();
        let at = self.frames[top].edge as usize;
        let until = if self.table.is_large() { self.edges.len() } else { at + 1 };
        self.frames[top].edge = until as u32;
        for i in at..until {
            let edge = self.edges[i];
            let member = &self.members[edge.member as usize].state;
            if self.to_reveal && edge.turns_up(layout, member) {
                return true;
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
        false
    }

    /// Lists the edges that a member of the last class has and the member before it had not, the
    /// most promising first. If the class has one without a second thought, it is the only one.
    pub(super) fn list_edges(&mut self, layout: &Layout, at: u32, first: bool, talon: Talon) {
        let Member { state, masks, from, .. } = self.members[at as usize];
        // Most often no card of the stock can be played.
        let playable = talon.cards & (masks.fits | masks.next) != 0;
        let cards = if playable { talon.first as usize..talon.end as usize } else { 0..0 };
        let talon = &self.talon[cards];
        let begin = self.edges.len();
        let only = match first && self.options.prune {
            true => forced(layout, &state, &masks, talon),
            false => None,
        };
        if let Some(edge) = only {
            self.edges.push(Edge { member: at, ..edge });
        } else {
            let before = (!first).then(|| self.members[from as usize].masks);
            edges(&state, &masks, before.as_ref(), at, talon, &mut self.edges);
            if first && !self.options.take_back {
                let mut up = masks.free & masks.next & !state.locked;
                while up != 0 {
                    let (card, target) = (take(&mut up), Target::Home);
                    self.edges.push(Edge { member: at, card, target, from: From::Run });
                }
            }
            if self.round > 0 {
                shuffle(&mut self.edges[begin..], self.round);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.member, frame.edge) = (at, begin as u32);
            (frame.visited, frame.forced) = (true, only.is_some());
        }
    }
}
