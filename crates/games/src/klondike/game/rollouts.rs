//! Nested rollouts in progress: a stack of rollouts, one for every level, so that they can be stopped
//! before any move and go on from there.

use patience_model::Rng;

use super::state::{Stand, State};
use super::value::{Heuristic, Value};
use super::{Action, Card, KINDS, Klondike};

/// A rollout that is tried by the one below it.
#[derive(Debug)]
struct Rollout {
    stage: usize,
    level: u32,
    state: State,
    /// What the state is worth.
    here: i32,
    /// The actions that were not tried yet, by [`KINDS`].
    actions: [u64; 7],
    /// The best one of those that were, what its play came to, and where it leads.
    best: Option<(i32, Action, State)>,
    /// Where the action leads that is being tried.
    trying: State,
    /// How many moves of the line lead to the state.
    depth: usize,
}

/// All rollouts of a search.
#[derive(Debug)]
pub(super) struct Rollouts<'g> {
    game: &'g Klondike,
    /// Value functions for this deal, with their levels.
    stages: [Option<(Value, u32)>; 2],
    start: State,
    stack: Vec<Rollout>,
    /// The moves from the start to the innermost state.
    line: Vec<Action>,
    nodes: u64,
    won: bool,
    /// Every card is fixed: nothing is drawn from it.
    rng: Rng,
}

impl<'g> Rollouts<'g> {
    /// Rollouts from a state of which all cards are fixed.
    pub(super) fn new(game: &'g Klondike, stages: &[(Heuristic, u32)], start: State) -> Self {
        let mut of = [None, None];
        for (place, (heuristic, level)) in of.iter_mut().zip(stages) {
            *place = Some((heuristic.of(&start), *level));
        }
        let won = start.stand == Stand::Won;
        let (stack, line) = (Vec::new(), Vec::new());
        let rng = Rng::new(0);
        let mut rollouts = Rollouts { game, stages: of, start, stack, line, nodes: 0, won, rng };
        if !won {
            rollouts.begin(0, stages[0].1, start, 0);
        }
        rollouts
    }

    pub(super) fn start(&self) -> &State {
        &self.start
    }

    /// Successors that were valued.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn is_won(&self) -> bool {
        self.won
    }

    pub(super) fn is_over(&self) -> bool {
        self.stack.is_empty()
    }

    /// The moves of the play that was won, to the last card.
    pub(super) fn line(&self) -> &[Action] {
        &self.line
    }

    /// The first move of the outermost rollout, or what is best so far.
    pub(super) fn first(&self) -> Option<Action> {
        let Some(outermost) = self.stack.first().filter(|rollout| rollout.depth == 0) else {
            return self.line.first().copied();
        };
        let best = outermost.best.as_ref().map(|&(_, action, _)| action);
        best.or_else(|| self.game.first(&outermost.state))
    }

    /// Starts a rollout within the innermost one.
    fn begin(&mut self, stage: usize, level: u32, state: State, depth: usize) {
        let (here, actions, best, trying) = (0, [0; 7], None, state);
        self.stack.push(Rollout { stage, level, state, here, actions, best, trying, depth });
        self.look();
    }

    /// Looks at the state of the innermost rollout.
    fn look(&mut self) {
        let Some(rollout) = self.stack.last_mut() else { return };
        let Some((value, _)) = &self.stages[rollout.stage] else { return };
        rollout.here = value.at(&rollout.state);
        rollout.actions = self.game.groups(&rollout.state);
    }

    /// One move of an innermost rollout, or the start of a rollout. There must be one.
    pub(super) fn step(&mut self) {
        let Some(rollout) = self.stack.last_mut() else { return };
        let Some((value, _)) = &self.stages[rollout.stage] else { return };
        for (kind, cards) in KINDS.into_iter().zip(&mut rollout.actions) {
            while *cards != 0 {
                let action = Action { kind, card: Card::at(cards.trailing_zeros()) };
                *cards &= *cards - 1;
                self.nodes += 1;
                let mut next = rollout.state;
                self.game.play(&mut next, action, &mut self.rng);
                if next.layout.won(&next.core) {
                    self.line.push(action);
                    self.won = true;
                    self.stack.clear();
                    return;
                }
                if rollout.level > 0 {
                    rollout.trying = next;
                    self.line.push(action);
                    let (stage, level) = (rollout.stage, rollout.level - 1);
                    let depth = rollout.depth + 1;
                    return self.begin(stage, level, next, depth);
                }
                learn(&mut rollout.best, value.at(&next), action, &next);
            }
        }
        self.decide();
    }

    /// Plays the best action of the innermost rollout, or ends it.
    fn decide(&mut self) {
        let Some(rollout) = self.stack.last_mut() else { return };
        let Some((worth, action, next)) = rollout.best.take() else { return self.end() };
        match self.stages.get(rollout.stage + 1) {
            Some(Some((_, level))) if worth <= rollout.here => {
                (rollout.stage, rollout.level) = (rollout.stage + 1, *level);
            }
            _ => {
                self.line.push(action);
                (rollout.state, rollout.depth) = (next, rollout.depth + 1);
            }
        }
        self.look();
    }

    /// Ends the innermost rollout and tells the one below what it came to.
    fn end(&mut self) {
        let worth = self.stack.pop().map_or(i32::MIN, |rollout| rollout.here);
        let Some(rollout) = self.stack.last_mut() else { return };
        let action = self.line[rollout.depth];
        self.line.truncate(rollout.depth);
        learn(&mut rollout.best, worth, action, &rollout.trying);
    }
}

/// Keeps the best action, of equals the first.
#[inline]
fn learn(best: &mut Option<(i32, Action, State)>, worth: i32, action: Action, next: &State) {
    if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
        *best = Some((worth, action, *next));
    }
}
