//! A state with its game: what can be done with it, before its type is erased.

use std::any::Any;
use std::sync::Arc;

use patience_model::{Game, Rng, Scene, Standing};
use patience_plan::{Budget, Cancel, Root, Verdict};

use crate::advice::{Advice, Measure, MoveAdvice};
use crate::asked::Asks;
use crate::call::{Call, CallError};
use crate::kit::{Kit, Objective};
use crate::planners;
use crate::solved::{self, Checked, Invalid, SolveError, Solved};
use crate::state::{LegalMove, Turn};
use crate::think::{self, Considered, Question, Thought};
use crate::trace::{self, Trace};
use crate::twig::Twig;

/// What can be done with a state without knowing its type.
pub(crate) trait Position: Send {
    fn actions(&self) -> Vec<String>;
    fn labels(&self) -> Vec<LegalMove>;
    fn count(&self) -> usize;
    fn minimising(&self) -> bool;
    fn discount(&self) -> f64;
    fn step(&mut self, action: usize, chance: &mut Rng) -> Option<(String, Turn)>;
    fn play(&mut self, name: &str, chance: &mut Rng) -> Result<Turn, String>;
    fn key(&self) -> Option<u64>;
    fn any(&self) -> &dyn Any;
    fn same(&self, other: &dyn Position) -> Option<bool>;
    fn observed(&self) -> Option<Vec<i16>>;
    fn numbers(&self) -> Option<Vec<usize>>;
    fn text(&self) -> String;
    fn copy(&self) -> Box<dyn Position>;
    fn title(&self) -> Option<String>;
    fn scene(&self) -> Option<Scene>;
    fn standing(&self) -> Option<Standing>;
    fn score(&self, result: f64) -> f64;
    fn place(&self) -> Option<String>;
    fn measure(&self, planner: &Call) -> Measure;
    fn is_tracked(&self) -> bool;
    fn whole_text(&self) -> String;
    fn objective(&self) -> Objective;
    fn goal(&self) -> &'static str;
    fn conceals(&self) -> bool;
    fn write(&self, format: &str) -> Result<String, String>;
    fn numbered(&self, moves: &[String]) -> Vec<String>;
    fn advise(
        &self,
        question: &Question<'_>,
        places: &[String],
        watch: &mut dyn FnMut(Advice),
    ) -> Result<Advice, CallError>;
    fn asks<'s>(&'s self, planner: &'s Call, seed: u64) -> Result<Box<dyn Asks + 's>, CallError>;
    fn tree(&self, question: &Question<'_>, depth: u32) -> Result<Vec<Twig>, CallError>;
    fn trace(&self, question: &Question<'_>) -> Result<Trace, CallError>;
    fn solve(
        &self,
        solver: &Call,
        rng: Rng,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Solved),
    ) -> Result<Solved, SolveError>;
    fn verify(&self, solution: &str) -> Result<Checked, Invalid>;
}

/// A state with its game.
pub(crate) struct Of<G: Game> {
    kit: Arc<Kit<G>>,
    state: G::State,
    /// What was seen of the last move.
    last: Option<G::Obs>,
    /// What was done and seen, where that is all a player knows.
    past: Vec<(G::Action, G::Obs)>,
}

impl<G: Game + 'static> Of<G> {
    pub(crate) fn new(kit: Arc<Kit<G>>, state: G::State) -> Self {
        Of { kit, state, last: None, past: Vec::new() }
    }

    pub(crate) fn kit(&self) -> &Kit<G> {
        &self.kit
    }

    pub(crate) fn state(&self) -> &G::State {
        &self.state
    }

    /// Where a search starts.
    pub(crate) fn root(&self) -> Root<G> {
        think::root(&self.kit, &self.past, &self.state)
    }

    pub(crate) fn legal(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        self.kit.game.actions(&self.state, &mut legal);
        legal
    }

    fn take(&mut self, action: G::Action, chance: &mut Rng) -> Turn {
        let step = self.kit.game.step(&mut self.state, action, chance);
        self.last = Some(step.obs);
        if self.kit.track.is_some() {
            self.past.push((action, step.obs));
        }
        let observation = self.kit.obs_text(&self.state, step.obs);
        Turn { reward: step.reward, observation }
    }

    /// Whether a planner thinks about this game itself, and not about the one above it.
    fn thinks_here(&self, planner: &Call) -> bool {
        let own = self.kit.searches.iter().any(|(info, _)| info.name == planner.name());
        self.kit.thinking.is_none() || own
    }

    /// What is thought, in words.
    pub(crate) fn advice(
        &self,
        question: &Question<'_>,
        places: &[String],
        thought: &Thought<G::Action>,
    ) -> Advice {
        let Thought { measure, minimising, stats, .. } = *thought;
        let said = |considered: &Considered<G::Action>| {
            let estimate = &considered.estimate;
            let (moves, label, again) = self.way(&considered.moves, places);
            let lost = |value: f64| estimate.proven && measure.is_loss(value);
            MoveAdvice {
                action: considered.text.clone(),
                moves,
                label: label.unwrap_or_else(|| considered.text.clone()),
                value: estimate.value.filter(|value| value.is_finite()),
                low: estimate.low,
                high: estimate.high,
                visits: estimate.visits,
                samples: estimate.visits,
                sure: estimate.proven,
                loses: estimate.value.is_some_and(lost),
                again,
            }
        };
        let moves: Vec<MoveAdvice> = thought.moves.iter().map(said).collect();
        let best = thought.best.map(|best| moves[best].action.clone());
        let lost = self.lost(&moves, thought.verdict);
        Advice {
            game: String::new(),
            planner: question.planner.to_string(),
            seed: question.seed,
            position: String::new(),
            measure,
            best,
            why: thought.why.map(str::to_owned),
            moves,
            lost,
            stats,
            minimising,
        }
    }

    /// The names of moves in a row, what they are called together, and whether they lead back.
    fn way(&self, actions: &[G::Action], places: &[String]) -> (Vec<String>, Option<String>, bool) {
        let mut after = self.state.clone();
        // Only moves without chance come in a row.
        let mut chance = Rng::new(0);
        let (mut names, mut labels) = (Vec::new(), Vec::new());
        let face = self.kit.face.as_ref();
        for &action in actions {
            names.push(self.kit.action_text(&after, action));
            labels.push(self.kit.label(&after, action).label);
            if face.is_some() || actions.len() > 1 {
                self.kit.game.step(&mut after, action, &mut chance);
            }
        }
        let place = face.filter(|_| !actions.is_empty());
        let place = place.and_then(|face| (face.place)(&self.kit.game, &after));
        (names, in_a_row(&labels), place.is_some_and(|place| places.contains(&place)))
    }

    /// Why the game is lost, if that is proven.
    fn lost(&self, moves: &[MoveAdvice], verdict: Verdict) -> Option<String> {
        let standing = (self.kit.face.as_ref()?.standing)(&self.kit.game, &self.state);
        if standing != Standing::Open {
            return None;
        }
        let because = if moves.is_empty() {
            "No move leads on any more: every one that is left leads back."
        } else if verdict == Verdict::Unsolvable {
            "There is no solution: all positions that can be reached were searched."
        } else if moves.iter().all(|m| m.loses) {
            "Every move loses, whatever is hidden: all ways were searched."
        } else {
            return None;
        };
        Some(because.to_owned())
    }
}

/// Several moves in one line: equal ones are counted.
fn in_a_row(labels: &[String]) -> Option<String> {
    labels.first()?;
    let mut parts: Vec<(&String, usize)> = Vec::new();
    for label in labels {
        match parts.last_mut() {
            Some((same, count)) if *same == label => *count += 1,
            _ => parts.push((label, 1)),
        }
    }
    let said = |(label, count): &(&String, usize)| match count {
        1 => (*label).clone(),
        2 => format!("{label} twice"),
        _ => format!("{label} {count} times"),
    };
    let said: Vec<String> = parts.iter().map(said).collect();
    Some(said.join(", then "))
}

impl<G> Position for Of<G>
where
    G: Game + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn actions(&self) -> Vec<String> {
        self.legal().into_iter().map(|a| self.kit.action_text(&self.state, a)).collect()
    }

    fn labels(&self) -> Vec<LegalMove> {
        let labelled = |action| LegalMove {
            name: self.kit.action_text(&self.state, action),
            label: self.kit.label(&self.state, action),
        };
        self.legal().into_iter().map(labelled).collect()
    }

    fn count(&self) -> usize {
        self.legal().len()
    }

    fn minimising(&self) -> bool {
        self.kit.game.minimising(&self.state)
    }

    fn discount(&self) -> f64 {
        self.kit.game.discount()
    }

    fn step(&mut self, action: usize, chance: &mut Rng) -> Option<(String, Turn)> {
        let action = *self.legal().get(action)?;
        // Nobody asks for the name unless what was done and seen is listed.
        let listed = self.is_tracked();
        let name = listed.then(|| self.kit.action_text(&self.state, action));
        Some((name.unwrap_or_default(), self.take(action, chance)))
    }

    fn play(&mut self, name: &str, chance: &mut Rng) -> Result<Turn, String> {
        let show = self.kit.show.as_ref().ok_or("this game has no notation")?;
        let action = (show.read_action)(&self.kit.game, &self.state, name)?;
        Ok(self.take(action, chance))
    }

    fn key(&self) -> Option<u64> {
        self.kit.key.map(|key| key(&self.kit.game, &self.state))
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn same(&self, other: &dyn Position) -> Option<bool> {
        let same = self.kit.same?;
        let other = other.any().downcast_ref::<Self>();
        Some(other.is_some_and(|other| same(&self.kit.game, &self.state, &other.state)))
    }

    fn observed(&self) -> Option<Vec<i16>> {
        let observe = self.kit.coding.as_ref()?.observe;
        Some(observe(&self.kit.game, &self.state, self.last))
    }

    fn numbers(&self) -> Option<Vec<usize>> {
        let number = self.kit.coding.as_ref()?.number;
        Some(self.legal().into_iter().map(|a| number(&self.kit.game, &self.state, a)).collect())
    }

    fn text(&self) -> String {
        self.kit.state_text(&self.state)
    }

    fn copy(&self) -> Box<dyn Position> {
        let (kit, state) = (Arc::clone(&self.kit), self.state.clone());
        Box::new(Of { kit, state, last: self.last, past: self.past.clone() })
    }

    fn title(&self) -> Option<String> {
        self.kit.face.as_ref().map(|face| (face.title)(&self.kit.game))
    }

    fn scene(&self) -> Option<Scene> {
        self.kit.face.as_ref().map(|face| (face.scene)(&self.kit.game, &self.state))
    }

    fn standing(&self) -> Option<Standing> {
        self.kit.face.as_ref().map(|face| (face.standing)(&self.kit.game, &self.state))
    }

    fn score(&self, result: f64) -> f64 {
        let face = self.kit.face.as_ref();
        face.map_or(result, |face| (face.score)(&self.kit.game, &self.state, result))
    }

    fn place(&self) -> Option<String> {
        self.kit.face.as_ref().and_then(|face| (face.place)(&self.kit.game, &self.state))
    }

    fn measure(&self, planner: &Call) -> Measure {
        if let Some(above) = self.kit.thinking.as_ref().filter(|_| !self.thinks_here(planner)) {
            return above.measure(planner);
        }
        planners::planner(&self.kit, planner)
            .map_or(self.kit.measure, |(info, _)| planners::measure(&self.kit, info))
    }

    fn is_tracked(&self) -> bool {
        self.kit.track.is_some()
    }

    fn conceals(&self) -> bool {
        self.kit.conceals()
    }

    fn whole_text(&self) -> String {
        self.kit.whole_text(&self.state)
    }

    fn objective(&self) -> Objective {
        self.kit.objective
    }

    fn goal(&self) -> &'static str {
        self.kit.goal_name()
    }

    fn write(&self, format: &str) -> Result<String, String> {
        let found = self.kit.formats.iter().find(|(name, _)| *name == format);
        let (_, write) = found.ok_or_else(|| format!("there is no format {format}"))?;
        write(&self.kit.game, &self.state)
    }

    fn numbered(&self, moves: &[String]) -> Vec<String> {
        let Some(show) = &self.kit.show else { return moves.to_vec() };
        let mut state = self.state.clone();
        let mut rng = Rng::new(0);
        let (mut actions, mut lines) = (Vec::new(), Vec::new());
        for (number, name) in (1..).zip(moves) {
            let Ok(action) = (show.read_action)(&self.kit.game, &state, name) else { break };
            lines.push(format!("{number}. {name}"));
            actions.push(action);
            self.kit.game.step(&mut state, action, &mut rng);
        }
        match self.kit.numbered_steps {
            Some(notation) => {
                let text = notation(&self.kit.game, &self.state, &actions);
                text.lines().map(str::to_owned).collect()
            }
            None => lines,
        }
    }

    fn advise(
        &self,
        question: &Question<'_>,
        places: &[String],
        watch: &mut dyn FnMut(Advice),
    ) -> Result<Advice, CallError> {
        let mut tell = |thought: &Thought<G::Action>| {
            watch(self.advice(question, places, thought));
        };
        let thought = match &self.kit.thinking {
            Some(above) if !self.thinks_here(question.planner) => {
                above.think(&self.kit.game, &self.state, question, &mut tell)?
            }
            _ => {
                let root = self.root();
                let lower = |action| vec![action];
                think::think(&self.kit, &self.state, root, question, &lower, &mut tell)?
            }
        };
        Ok(self.advice(question, places, &thought))
    }

    fn asks<'s>(&'s self, planner: &'s Call, seed: u64) -> Result<Box<dyn Asks + 's>, CallError> {
        match self.kit.asks {
            Some(asks) => asks(self, planner, seed),
            None => Err(CallError::new(planner, "the game cannot be put into arrays")),
        }
    }

    fn tree(&self, question: &Question<'_>, depth: u32) -> Result<Vec<Twig>, CallError> {
        match &self.kit.thinking {
            Some(above) if !self.thinks_here(question.planner) => {
                above.tree(&self.kit.game, &self.state, question, depth)
            }
            _ => {
                let root = || self.root();
                think::tree(&self.kit, &self.state, root, question, depth)
            }
        }
    }

    fn trace(&self, question: &Question<'_>) -> Result<Trace, CallError> {
        match &self.kit.thinking {
            Some(above) if !self.thinks_here(question.planner) => {
                above.trace(&self.kit.game, &self.state, question)
            }
            _ => {
                let root = || self.root();
                trace::trace(&self.kit, &self.state, root, question)
            }
        }
    }

    fn solve(
        &self,
        solver: &Call,
        rng: Rng,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Solved),
    ) -> Result<Solved, SolveError> {
        solved::solve(&self.kit, &self.state, solver, rng, budget, cancel, watch)
    }

    fn verify(&self, solution: &str) -> Result<Checked, Invalid> {
        solved::verify(&self.kit, &self.state, solution)
    }
}
