//! The shortest solution as a problem for A*.

use std::sync::Arc;

use patience_plan::astar::{BitReader, BitWriter, Problem};

use super::bound::Bound;
use super::line;
use super::node::Node;
use super::successors::{CardMove, Generator};
use crate::klondike::solver::SolveError;
use crate::klondike::solver::Thoughtful;
use crate::klondike::solver::state::Layout;
use crate::klondike::{Move, Position, Rules};

/// From a position to all cards home, in the fewest moves that count.
#[derive(Clone, Debug)]
pub struct Shortest {
    rules: Rules,
    position: Position,
    layout: Layout,
    start: Node,
    bound: Bound,
}

/// A position on the way.
#[derive(Clone, Copy, Debug)]
pub struct Point(pub(super) Node);

/// A buffer that is used again.
#[derive(Debug, Default)]
pub struct Work {
    made: Vec<CardMove>,
}

impl Shortest {
    /// The problem of a position.
    ///
    /// # Errors
    /// If redeals are limited, the position is none by the rules or a card is unknown.
    pub fn new(rules: &Rules, position: &Position) -> Result<Self, SolveError> {
        Thoughtful::check(rules)?;
        position.check(rules)?;
        position.check_known()?;
        Ok(Shortest::checked(rules, position))
    }

    pub(super) fn checked(rules: &Rules, position: &Position) -> Self {
        let (layout, start) = Node::of(rules, position);
        let bound = Bound::new(&layout, &start.state);
        Shortest { rules: *rules, position: position.clone(), layout, start, bound }
    }

    /// How many moves a solution has at least; `None` if there is none.
    pub fn least(&self) -> Option<u32> {
        self.estimate(&self.start())
    }

    fn generate(
        &self,
        node: &Node,
        limit: u32,
        made: &mut Vec<CardMove>,
        each: impl FnMut(&Node, &[CardMove], u32),
    ) -> Option<u32> {
        let (layout, bound) = (&self.layout, &self.bound);
        let mut generator = Generator { layout, bound, limit, pruned: None, made, each };
        generator.generate(node);
        generator.pruned
    }

    /// The moves on the table along a path that costs so much.
    ///
    /// # Errors
    /// If it is no such path: the search would be wrong.
    pub fn moves(&self, path: &[Point], cost: u32) -> Result<Vec<Move>, String> {
        let (mut made, mut all, mut left) = (Vec::new(), Vec::new(), cost);
        for pair in path.windows(2) {
            // Several macro moves may lead to one position.
            let mut best: Option<(u32, Vec<CardMove>)> = None;
            self.generate(&pair[0].0, left, &mut made, |next, moves, cost| {
                let cheaper = best.as_ref().is_none_or(|&(least, _)| cost < least);
                if cheaper && pair[1].0.is(&self.layout, next) {
                    best = Some((cost, moves.to_vec()));
                }
            });
            let (cost, moves) = best.ok_or("two positions that do not follow each other")?;
            left = left.checked_sub(cost).ok_or("a path that costs more than it should")?;
            all.extend(moves);
        }
        line::moves(&self.rules, &self.position, &all)
    }
}

impl Problem for Shortest {
    type State = Point;
    type Work = Work;

    fn start(&self) -> Point {
        Point(self.start)
    }

    fn pack(&self, point: &Point, bits: &mut BitWriter) {
        point.0.pack(&self.layout, bits);
    }

    fn unpack(&self, bits: &mut BitReader<'_>) -> Point {
        Point(Node::unpack(&self.layout, bits))
    }

    fn is_goal(&self, point: &Point) -> bool {
        self.layout.won(&point.0.state)
    }

    fn estimate(&self, point: &Point) -> Option<u32> {
        self.estimate_up_to(point, u32::MAX)
    }

    fn estimate_up_to(&self, point: &Point, limit: u32) -> Option<u32> {
        self.bound.of(&self.layout, &point.0, limit)
    }

    fn successors(&self, point: &Point, limit: u32, out: &mut Vec<(Point, u32)>) -> Option<u32> {
        self.expand(point, None, limit, &mut Work::default(), out)
    }

    fn expand(
        &self,
        point: &Point,
        _parent: Option<&Point>,
        limit: u32,
        work: &mut Work,
        out: &mut Vec<(Point, u32)>,
    ) -> Option<u32> {
        out.clear();
        self.generate(&point.0, limit, &mut work.made, |next, _, cost| {
            out.push((Point(*next), cost))
        })
    }
}

/// The same problem with estimates that weigh so much: paths are short, but need not be the shortest.
#[derive(Debug)]
pub(super) struct Weighted {
    pub(super) problem: Arc<Shortest>,
    pub(super) weight: u32,
}

impl Problem for Weighted {
    type State = Point;
    type Work = Work;

    fn start(&self) -> Point {
        self.problem.start()
    }

    fn pack(&self, point: &Point, bits: &mut BitWriter) {
        self.problem.pack(point, bits);
    }

    fn unpack(&self, bits: &mut BitReader<'_>) -> Point {
        self.problem.unpack(bits)
    }

    fn is_goal(&self, point: &Point) -> bool {
        self.problem.is_goal(point)
    }

    fn estimate(&self, point: &Point) -> Option<u32> {
        Some(self.weight * self.problem.estimate(point)?)
    }

    fn estimate_up_to(&self, point: &Point, limit: u32) -> Option<u32> {
        Some(self.weight * self.problem.estimate_up_to(point, limit / self.weight)?)
    }

    fn successors(&self, point: &Point, limit: u32, out: &mut Vec<(Point, u32)>) -> Option<u32> {
        let pruned = self.problem.successors(point, limit / self.weight, out);
        pruned.map(|sum| (self.weight * sum).max(limit + 1))
    }
}
