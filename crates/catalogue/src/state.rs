//! A game in progress whose type has been erased: what front ends play with and people look at.

use std::fmt;
use std::sync::Arc;

use patience_model::{Game, Label, Rng, Scene, Standing};
use patience_plan::{Budget, Cancel, Verdict};
use serde::Serialize;

use crate::advice::{Advice, Measure, MoveAdvice};
use crate::call::{Call, CallError};
use crate::game::AnyGame;
use crate::kit::{Kit, Objective};
use crate::planners;
use crate::solved::{self, Checked, Invalid, SolveError, Solved};
use crate::think::{self, Considered, Question, Thought};
use crate::twig::Twig;

/// A game in progress, whatever the game.
///
/// Chance has a stream of its own that belongs to the state, so the same seed and the same moves
/// give the same game, and a copy goes on like the original.
pub struct AnyState {
    game: AnyGame,
    inner: Box<dyn Position>,
    chance: Rng,
    moves: u64,
    result: f64,
    weight: f64,
    /// What the player did and saw, where that is all there is to show.
    told: Vec<String>,
    seen: String,
    /// Where the game has been, as far as play can come back there.
    places: Vec<String>,
}

/// What a move brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The reward.
    pub reward: f64,
    /// What the player saw.
    pub observation: String,
}

/// A move that the rules allow.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LegalMove {
    /// Its name: what is played, and what a list of moves has.
    pub name: String,
    /// What it is called, and where it happens.
    #[serde(flatten)]
    pub label: Label,
}

impl AnyState {
    pub(crate) fn new(game: AnyGame, inner: Box<dyn Position>, seed: u64) -> Self {
        let places = Vec::from_iter(inner.place());
        AnyState {
            game,
            inner,
            chance: Rng::named(seed, &["chance"]),
            moves: 0,
            result: 0.0,
            weight: 1.0,
            told: Vec::new(),
            seen: String::new(),
            places,
        }
    }

    /// The game.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The legal actions in the game's notation and order; none if the game is over.
    pub fn actions(&self) -> Vec<String> {
        self.inner.actions()
    }

    /// The same with what people call them.
    pub fn legal(&self) -> Vec<LegalMove> {
        self.inner.labels()
    }

    /// How many actions are legal.
    pub fn count(&self) -> usize {
        self.inner.count()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.count() == 0
    }

    /// Whether the minimising player is to move.
    pub fn minimising(&self) -> bool {
        self.inner.minimising()
    }

    /// Takes the action with this number in the order of [`AnyState::actions`]; `None`, and nothing
    /// happens, if there is none.
    pub fn step(&mut self, action: usize) -> Option<Turn> {
        let (name, turn) = self.inner.step(action, &mut self.chance)?;
        Some(self.stepped(&name, turn))
    }

    /// Plays the move of this name.
    ///
    /// # Errors
    /// If it is not legal: says why, and nothing happens.
    pub fn play(&mut self, name: &str) -> Result<Turn, String> {
        let turn = self.inner.play(name, &mut self.chance)?;
        Ok(self.stepped(name, turn))
    }

    fn stepped(&mut self, name: &str, turn: Turn) -> Turn {
        self.moves += 1;
        self.result += self.weight * turn.reward;
        self.weight *= self.inner.discount();
        self.places.extend(self.inner.place());
        if self.inner.is_tracked() {
            let seen = if turn.observation.is_empty() { "nothing" } else { &turn.observation };
            self.told.push(format!("{}. {name}: saw {seen}", self.told.len() + 1));
        }
        self.seen.clone_from(&turn.observation);
        turn
    }

    /// How many moves were made.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The discounted sum of the rewards so far.
    pub fn result(&self) -> f64 {
        self.result
    }

    /// The state's key, for games that have one: equal for equal states.
    pub fn key(&self) -> Option<u64> {
        self.inner.key()
    }

    /// The position as the player may see it; nothing if the game has no text. Where the position is
    /// not seen, what the player did and saw.
    pub fn text(&self) -> String {
        match (self.inner.is_tracked(), self.told.is_empty()) {
            (false, _) => self.inner.text(),
            (true, false) => self.told.join("\n"),
            (true, true) => {
                "Not all is seen in this game: what you do and see will be listed here.".to_owned()
            }
        }
    }

    /// What was seen of the last move.
    pub fn seen(&self) -> &str {
        &self.seen
    }

    /// What people call the game.
    pub fn title(&self) -> String {
        self.inner.title().unwrap_or_else(|| self.game.to_string())
    }

    /// What lies on the table.
    pub fn scene(&self) -> Scene {
        match self.inner.scene() {
            Some(Scene::Text { text, .. }) if !self.inner.is_tracked() => {
                Scene::Text { text, seen: self.seen.clone() }
            }
            Some(scene @ (Scene::Cards { .. } | Scene::Tiles { .. })) => scene,
            _ => Scene::Text { text: self.text(), seen: self.seen.clone() },
        }
    }

    /// Whether the game goes on.
    pub fn standing(&self) -> Standing {
        let over = || if self.is_over() { Standing::Over } else { Standing::Open };
        self.inner.standing().unwrap_or_else(over)
    }

    /// The score.
    pub fn score(&self) -> f64 {
        self.inner.score(self.result)
    }

    /// What the values of its usual planner are.
    pub fn measure(&self) -> Measure {
        let call = Call::parse(self.game.planner());
        call.map_or(Measure::Value, |call| self.inner.measure(&call))
    }

    /// What the values of a planner are.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn measure_of(&self, planner: &str) -> Result<Measure, CallError> {
        Ok(self.inner.measure(&Call::parse(planner)?))
    }

    /// Whether the position holds what the player must not see.
    pub fn conceals(&self) -> bool {
        self.inner.conceals()
    }

    /// The position with all that is hidden in it, for those who solve it.
    pub fn whole_text(&self) -> String {
        self.inner.whole_text()
    }

    /// By what solutions are judged.
    pub fn objective(&self) -> Objective {
        self.inner.objective()
    }

    /// The position in one of the game's formats; see [`AnyGame::formats`].
    ///
    /// # Errors
    /// If there is no such format, or the position cannot be written in it.
    pub fn write(&self, format: &str) -> Result<String, String> {
        self.inner.write(format)
    }

    /// Thinks about the position. `watch` hears about ten times a second of what is known by then.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn advise(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Advice),
    ) -> Result<Advice, CallError> {
        let planner = Call::parse(planner)?;
        let named = |advice: Advice| Advice {
            game: self.game.to_string(),
            position: self.text(),
            ..advice
        };
        let question = Question { planner: &planner, budget, seed, cancel };
        let mut watch = |advice: Advice| watch(&named(advice));
        self.inner.advise(&question, &self.places, &mut watch).map(named)
    }

    /// Thinks about the position, and gives the first levels of the search's tree, so many actions
    /// deep; nothing if the planner keeps no tree.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn tree(
        &self,
        planner: &str,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        depth: u32,
    ) -> Result<Vec<Twig>, CallError> {
        let planner = Call::parse(planner)?;
        self.inner.tree(&Question { planner: &planner, budget, seed, cancel }, depth)
    }

    /// Solves the position, by the solver named or the one that suits the game. Whatever is found was
    /// replayed by the game's validator. `watch` hears about ten times a second of what is known by
    /// then.
    ///
    /// # Errors
    /// If there is no such solver for this game, or its solution does not stand.
    pub fn solve(
        &self,
        solver: Option<&str>,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Solved),
    ) -> Result<Solved, SolveError> {
        let Some(solver) = solver.or(self.game.solver()) else {
            return Err(SolveError::None(self.game.to_string()));
        };
        let solver = Call::parse(solver)?;
        let named = |solved: Solved| Solved { game: self.game.to_string(), seed, ..solved };
        let mut watch = |solved: &Solved| watch(&named(solved.clone()));
        let rng = Rng::named(seed, &["solver"]);
        self.inner.solve(&solver, rng, budget, cancel, &mut watch).map(named)
    }

    /// Replays a solution from its text by the game's validator.
    ///
    /// # Errors
    /// Says which step breaks a rule, or what cannot be read.
    pub fn verify(&self, solution: &str) -> Result<Checked, Invalid> {
        self.inner.verify(solution)
    }

    /// A solution with a number and words for every step.
    pub fn numbered(&self, moves: &[String]) -> Vec<String> {
        self.inner.numbered(moves)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState {
            game: self.game.clone(),
            inner: self.inner.copy(),
            chance: self.chance.clone(),
            told: self.told.clone(),
            seen: self.seen.clone(),
            places: self.places.clone(),
            ..*self
        }
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyState({}, {} moves)", self.game, self.moves)
    }
}

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
    fn conceals(&self) -> bool;
    fn write(&self, format: &str) -> Result<String, String>;
    fn numbered(&self, moves: &[String]) -> Vec<String>;
    fn advise(
        &self,
        question: &Question<'_>,
        places: &[String],
        watch: &mut dyn FnMut(Advice),
    ) -> Result<Advice, CallError>;
    fn tree(&self, question: &Question<'_>, depth: u32) -> Result<Vec<Twig>, CallError>;
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
    /// What was done and seen, where that is all a player knows.
    past: Vec<(G::Action, G::Obs)>,
}

impl<G: Game + 'static> Of<G> {
    pub(crate) fn new(kit: Arc<Kit<G>>, state: G::State) -> Self {
        Of { kit, state, past: Vec::new() }
    }

    fn legal(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        self.kit.game.actions(&self.state, &mut legal);
        legal
    }

    fn take(&mut self, action: G::Action, chance: &mut Rng) -> Turn {
        let step = self.kit.game.step(&mut self.state, action, chance);
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
    fn advice(
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
    let (last, before) = labels.split_last()?;
    let mut parts: Vec<(&String, usize)> = Vec::new();
    for label in before {
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
    let mut said: Vec<String> = parts.iter().map(said).collect();
    said.push(last.clone());
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

    fn text(&self) -> String {
        self.kit.state_text(&self.state)
    }

    fn copy(&self) -> Box<dyn Position> {
        let (kit, state) = (Arc::clone(&self.kit), self.state.clone());
        Box::new(Of { kit, state, past: self.past.clone() })
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
                let root = think::root(&self.kit, &self.past, &self.state);
                let lower = |action| vec![action];
                think::think(&self.kit, &self.state, root, question, &lower, &mut tell)?
            }
        };
        Ok(self.advice(question, places, &thought))
    }

    fn tree(&self, question: &Question<'_>, depth: u32) -> Result<Vec<Twig>, CallError> {
        match &self.kit.thinking {
            Some(above) if !self.thinks_here(question.planner) => {
                above.tree(&self.kit.game, &self.state, question, depth)
            }
            _ => {
                let root = || think::root(&self.kit, &self.past, &self.state);
                think::tree(&self.kit, &self.state, root, question, depth)
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
