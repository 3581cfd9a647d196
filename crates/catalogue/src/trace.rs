//! A search one iteration at a time: which way each went down the tree and why, what it added, what
//! its rollout brought, and how the values changed. For those who teach and learn how a search works.

use std::collections::HashMap;
use std::time::Instant;

use patience_model::{Game, Rng};
use patience_plan::{After, Branch, Budget, Root, StopReason};
use serde::Serialize;

use crate::call::CallError;
use crate::kit::Kit;
use crate::planners;
use crate::think::Question;
use crate::twig::Namer;

/// A search, iteration by iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The planner, as a string.
    pub planner: String,
    /// The nodes of the tree, in the order in which they were added; the first is the root.
    pub nodes: Vec<TracedNode>,
    /// The iterations, in their order.
    pub episodes: Vec<Episode>,
    /// The actions of the root that the search recommends at the end.
    pub best: Option<String>,
}

/// A node: what does not change of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TracedNode {
    /// The node above it, by its place among the nodes; none of the root.
    pub parent: Option<usize>,
    /// The action that leads here.
    pub action: String,
    /// What was observed then, where there is something to observe.
    pub seen: String,
    /// The position as the player may see it.
    pub text: String,
    /// Whether the minimising player is to move here.
    pub minimising: bool,
    /// Whether the game is over here.
    pub over: bool,
}

/// One iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Episode {
    /// The nodes on its way, from the root down, by their places.
    pub path: Vec<usize>,
    /// The node that it added, if it did.
    pub added: Option<usize>,
    /// Moves of the rollout below the tree.
    pub rollout: u64,
    /// What the last edge of its way was told: the reward there and the value of the leaf.
    pub result: Option<f64>,
    /// The edges of every node on the way, as they are after it.
    pub edges: Vec<Vec<TracedEdge>>,
}

/// An action at a node, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TracedEdge {
    /// The action.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// Its mean value so far.
    pub value: f64,
    /// The exploration term at the next selection, where the search selects by one.
    pub bonus: Option<f64>,
}

/// Deeper levels are not shown.
const DEPTH: u32 = 24;
/// The longest text of a position.
const TEXT: usize = 800;

type Path<G> = Vec<(<G as Game>::Action, <G as Game>::Obs)>;

struct Tracer<'k, G: Game> {
    namer: Namer<'k, G>,
    kit: &'k Kit<G>,
    trace: Trace,
    /// The nodes by their ways.
    places: HashMap<Vec<String>, usize>,
    /// The visits and values of the edges of each node, as they were.
    known: Vec<HashMap<String, (u64, f64)>>,
    /// The visits of each node, as they were.
    met: Vec<u64>,
}

/// Searches and writes down every iteration, up to the budget's number of them; its time counts for the
/// writing too.
pub(crate) fn trace<G: Game + 'static>(
    kit: &Kit<G>,
    state: &G::State,
    root: impl Fn() -> Root<G>,
    question: &Question<'_>,
) -> Result<Trace, CallError> {
    let (_, planner) = planners::planner(kit, question.planner)?;
    let rng = Rng::named(question.seed, &["planner"]);
    let mut search = planner.search(&kit.game, root(), rng);
    let trace = Trace {
        planner: question.planner.to_string(),
        nodes: Vec::new(),
        episodes: Vec::new(),
        best: None,
    };
    let namer = Namer::new(kit, state, root());
    let (places, known, met) = (HashMap::new(), Vec::new(), Vec::new());
    let mut tracer = Tracer { namer, kit, trace, places, known, met };
    tracer.node(None, "", "", &Vec::new(), Vec::new(), Some(state));
    let most = question.budget.iterations.unwrap_or(0);
    let (mut calls, begin) = (0, Instant::now());
    for iteration in 1..=most {
        let budget = Budget { iterations: Some(iteration), ..*question.budget };
        let stats = search.run(&budget, question.cancel);
        if stats.counts.iterations < iteration {
            break;
        }
        let made = stats.counts.model_calls - calls;
        calls = stats.counts.model_calls;
        tracer.follow(search.tree(DEPTH), made);
        let late = question.budget.time.is_some_and(|time| begin.elapsed() > time);
        if late || matches!(stats.stop, Some(StopReason::Complete | StopReason::Cancelled)) {
            break;
        }
    }
    tracer.trace.best = search.best().map(|action| kit.action_text(state, action));
    Ok(tracer.trace)
}

impl<G: Game + 'static> Tracer<'_, G> {
    /// Notes a node that is new.
    fn node(
        &mut self,
        parent: Option<usize>,
        action: &str,
        seen: &str,
        path: &Path<G>,
        way: Vec<String>,
        state: Option<&G::State>,
    ) -> usize {
        let found = if state.is_none() { self.namer.follow(path) } else { None };
        let state = state.or(found.as_ref());
        let text = state.map_or_else(String::new, |state| self.kit.state_text(state));
        let mut legal = Vec::new();
        if let Some(state) = state {
            self.kit.game.actions(state, &mut legal);
        }
        self.trace.nodes.push(TracedNode {
            parent,
            action: action.to_owned(),
            seen: seen.to_owned(),
            text: text.chars().take(TEXT).collect(),
            minimising: state.is_some_and(|state| self.kit.game.minimising(state)),
            over: state.is_some() && legal.is_empty(),
        });
        self.known.push(HashMap::new());
        self.met.push(0);
        let place = self.trace.nodes.len() - 1;
        self.places.insert(way, place);
        place
    }

    /// Goes down the way of the last iteration: the edges that were tried once more.
    fn follow(&mut self, branches: Vec<Branch<G::Action, G::Obs>>, made: u64) {
        let mut episode =
            Episode { path: Vec::new(), added: None, rollout: 0, result: None, edges: Vec::new() };
        let (mut path, mut way): (Path<G>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut here, mut branches) = (0, branches);
        loop {
            episode.path.push(here);
            let state = self.namer.follow(&path);
            let name = |action: G::Action| match &state {
                Some(state) => self.kit.action_text(state, action),
                None => format!("{action:?}"),
            };
            // In the order of their names, which does not change.
            let mut named: Vec<(String, Branch<_, _>)> =
                branches.into_iter().map(|branch| (name(branch.action), branch)).collect();
            named.sort_by(|a, b| a.0.cmp(&b.0));
            episode.edges.push(named.iter().map(|(action, branch)| edge(action, branch)).collect());
            let known = &mut self.known[here];
            let grown = named.into_iter().find(|(action, branch)| {
                known.get(action).is_none_or(|(visits, _)| *visits < branch.visits)
            });
            let Some((action, branch)) = grown else { break };
            let (visits, value) = known.get(&action).copied().unwrap_or((0, 0.0));
            if branch.visits == visits + 1 {
                let told = branch.value * branch.visits as f64 - value * visits as f64;
                episode.result = Some(told);
            }
            known.insert(action.clone(), (branch.visits, branch.value));
            let Branch { action: taken, after, .. } = branch;
            let Some((next, added)) = self.next(here, &action, taken, after, &mut path, &mut way)
            else {
                break;
            };
            here = next.0;
            branches = next.1;
            if added {
                episode.added = Some(here);
                episode.path.push(here);
                episode.edges.push(Vec::new());
                break;
            }
        }
        // Every edge of the way was one move; the rest were the rollout's.
        let within = (episode.path.len() - 1).max(usize::from(episode.result.is_some()));
        episode.rollout = made.saturating_sub(within as u64);
        self.trace.episodes.push(episode);
    }

    /// The node below an edge where this iteration went, and whether it is new.
    #[allow(clippy::type_complexity)]
    fn next(
        &mut self,
        here: usize,
        name: &str,
        action: G::Action,
        after: Vec<After<G::Action, G::Obs>>,
        path: &mut Path<G>,
        way: &mut Vec<String>,
    ) -> Option<((usize, Vec<Branch<G::Action, G::Obs>>), bool)> {
        for After { obs, visits, branches } in after {
            path.push((action, obs));
            let state = self.namer.follow(path);
            let seen = state.as_ref().map_or_else(
                || patience_model::obs_text(&obs),
                |state| self.kit.obs_text(state, obs),
            );
            way.push(format!("{name} {seen}"));
            let found = self.places.get(way.as_slice()).copied();
            let at = found.unwrap_or_else(|| {
                self.node(Some(here), name, &seen, path, way.clone(), state.as_ref())
            });
            // Where it went the visits have grown.
            if found.is_none() || visits > self.met[at] {
                self.met[at] = visits;
                return Some(((at, branches), found.is_none()));
            }
            path.pop();
            way.pop();
        }
        None
    }
}

fn edge<A, O>(action: &str, branch: &Branch<A, O>) -> TracedEdge {
    TracedEdge {
        action: action.to_owned(),
        visits: branch.visits,
        value: branch.value,
        bonus: branch.bonus,
    }
}
