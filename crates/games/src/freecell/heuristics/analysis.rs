//! The deadlock analysis of a state: the terms of h2, updated from state to state.

use super::blockers::Blockers;
use super::hitting_set::Cover;
use super::pairs::Pairs;
use super::{Deadlock, Heuristic};
use crate::freecell::engine::{FreeCell, State};
use crate::freecell::{Metric, Rules};

/// The terms of h2 in a state.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    state: State,
    pub(super) blockers: Blockers,
    pub(super) pairs: Pairs,
    /// A minimum cover of the pairs.
    pub(super) cover: Cover,
}

impl Analysis {
    pub(super) fn of(game: &FreeCell, state: &State) -> Analysis {
        let blockers = Blockers::of(game, state);
        let pairs = Pairs::of(&blockers);
        let cover = pairs.cover();
        Analysis { state: *state, blockers, pairs, cover }
    }

    /// Makes this the analysis of any other state of the game.
    #[inline]
    fn update(&mut self, game: &FreeCell, state: &State) {
        self.blockers.update(game, &self.state, state);
        self.pairs.rebuild(&self.blockers);
        self.cover = self.pairs.cover();
        self.state = *state;
    }

    /// Makes this the analysis of a state that comes a few moves after another.
    #[inline]
    pub(crate) fn update_from(&mut self, parent: &Analysis, game: &FreeCell, state: &State) {
        self.blockers.clone_from(&parent.blockers);
        self.blockers.update_to_successor(game, &parent.state, state);
        self.pairs.rebuild(&self.blockers);
        self.cover = parent.cover.after(&parent.pairs, &self.pairs);
        self.state = *state;
    }

    /// The heuristic h2: cards left, forced blockers, and the cover of the pairs.
    #[inline]
    pub(super) fn h2(&self, game: &FreeCell) -> u32 {
        self.state.cards_left(game.rules()) + self.blockers.forced_count + self.cover.size
    }

    /// The cards of forced blockers and of pairs: those that h2 may count as moving twice.
    #[inline]
    pub(super) fn counted(&self) -> u64 {
        self.blockers.forced | self.pairs.moving
    }
}

/// The analyses of the state being expanded and of one successor, where the heuristic is h2 or
/// builds on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnalysisCache {
    /// The game that the analyses belong to.
    game: Option<(Rules, Metric)>,
    /// That of the parent and that of a successor.
    analyses: Option<Box<[Analysis; 2]>>,
}

impl AnalysisCache {
    /// Analyses the state that is expanded next.
    #[inline]
    pub(crate) fn expand(&mut self, game: &FreeCell, state: &State, heuristic: Heuristic) {
        let needed = match heuristic {
            Heuristic::Best => true,
            Heuristic::Deadlock(deadlock) => deadlock == Deadlock::TWO,
        };
        let of = Some((*game.rules(), game.metric()));
        if !needed || self.game != of {
            (self.game, self.analyses) = (of, None);
        }
        match &mut self.analyses {
            _ if !needed => {}
            Some(analyses) => analyses[0].update(game, state),
            None => {
                let analysis = Analysis::of(game, state);
                self.analyses = Some(Box::new([analysis.clone(), analysis]));
            }
        }
    }

    /// The analysis of the state being expanded.
    #[inline]
    pub(crate) fn parent(&self) -> Option<&Analysis> {
        self.analyses.as_ref().map(|analyses| &analyses[0])
    }

    /// The analysis of a state that comes a few moves later.
    #[inline]
    pub(crate) fn successor(&mut self, game: &FreeCell, state: &State) -> Option<&Analysis> {
        let [parent, successor] = &mut **self.analyses.as_mut()?;
        successor.update_from(parent, game, state);
        Some(successor)
    }
}
