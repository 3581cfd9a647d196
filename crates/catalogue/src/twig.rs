//! The first levels of a search's tree, in the game's notation.

use patience_model::{Game, Rng};
use patience_plan::{After, Branch, Root};
use serde::Serialize;

use crate::kit::Kit;

/// An action in a search's tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Twig {
    /// The action, in the game's notation.
    pub action: String,
    /// Its value so far.
    pub value: f64,
    /// How often it was tried.
    pub visits: u64,
    /// What was observed after it, most often first.
    pub after: Vec<Seen>,
}

/// What was observed after an action, and the actions that were tried then.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// What was observed; nothing where there is nothing to observe.
    pub seen: String,
    /// How often the search came here.
    pub visits: u64,
    /// The actions, most visited first.
    pub actions: Vec<Twig>,
}

/// Names the actions of a tree. Their notation may depend on the state, which a tree does not keep:
/// it is found again by going the same way.
pub(crate) struct Namer<'k, G: Game> {
    kit: &'k Kit<G>,
    state: &'k G::State,
    root: Root<G>,
}

/// More than this is for no eye.
const MOST: usize = 24;
/// Draws of chance until the way of a path is met.
const TRIES: u64 = 300;

type Path<G> = Vec<(<G as Game>::Action, <G as Game>::Obs)>;

impl<'k, G: Game + 'static> Namer<'k, G> {
    pub(crate) fn new(kit: &'k Kit<G>, state: &'k G::State, root: Root<G>) -> Self {
        Namer { kit, state, root }
    }

    pub(crate) fn twigs(&self, branches: Vec<Branch<G::Action, G::Obs>>) -> Vec<Twig> {
        self.name(branches, Some(self.state), &mut Vec::new())
    }

    fn name(
        &self,
        branches: Vec<Branch<G::Action, G::Obs>>,
        state: Option<&G::State>,
        path: &mut Path<G>,
    ) -> Vec<Twig> {
        let mut twigs = Vec::new();
        for Branch { action, value, visits, after, .. } in branches.into_iter().take(MOST) {
            let action_text = match state {
                Some(state) => self.kit.action_text(state, action),
                None => format!("{action:?}"),
            };
            let mut seen = Vec::new();
            for After { obs, visits, branches } in after.into_iter().take(MOST) {
                path.push((action, obs));
                let state = if branches.is_empty() { None } else { self.follow(path) };
                let text = state.as_ref().map_or_else(
                    || patience_model::obs_text(&obs),
                    |state| self.kit.obs_text(state, obs),
                );
                let actions = self.name(branches, state.as_ref(), path);
                seen.push(Seen { seen: text, visits, actions });
                path.pop();
            }
            twigs.push(Twig { action: action_text, value, visits, after: seen });
        }
        twigs
    }

    /// A state that lies at the end of a path, as far as a player can tell.
    pub(crate) fn follow(&self, path: &Path<G>) -> Option<G::State> {
        (0..TRIES).find_map(|draw| {
            let mut rng = Rng::new(draw);
            let mut state = self.root.sample(&self.kit.game, &mut rng);
            let along = path
                .iter()
                .all(|&(action, obs)| self.kit.game.step(&mut state, action, &mut rng).obs == obs);
            along.then_some(state)
        })
    }
}
