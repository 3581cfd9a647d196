//! Games on the table, as people play them: a state with its moves so far, what can be seen, undo,
//! hints and proofs. The page and the terminal are two ways to look at a [`Table`].
//!
//! A table is its [`Setup`] and the moves so far, nothing else: whoever has these two can go on
//! with the game, so a link or a file holds all of it.

use patience_model::{Scene, Standing};
use patience_plan::{Budget, Cancel, Verdict};
use serde::Serialize;

use crate::advice::{Advice, Hint, Measure};
use crate::registry::Registry;
use crate::setup::{Setup, TableError};
use crate::solved::Solved;
use crate::state::{AnyState, LegalMove};
use crate::trace::Trace;
use crate::twig::Twig;

/// A game with its moves so far.
#[derive(Clone, Debug)]
pub struct Table {
    setup: Setup,
    now: AnyState,
    /// The positions before each of the moves.
    before: Vec<AnyState>,
    moves: Vec<String>,
}

/// More moves than any game of a person has; a longer list is refused.
const MOST_MOVES: usize = 5000;

/// All that a player may know of a game on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The game, as a string.
    pub game: String,
    /// What people call it.
    pub title: String,
    /// The deal, if it was one.
    pub deal: Option<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// Whether it goes on.
    pub standing: Standing,
    /// The score.
    pub score: f64,
    /// What the score counts, in a word.
    pub scored: &'static str,
    /// What lies on the table.
    pub scene: Scene,
    /// The moves that the rules allow.
    pub legal: Vec<LegalMove>,
    /// The position as text, to be copied and pasted.
    pub text: String,
    /// The planner that gives hints unless another is named.
    pub planner: String,
    /// What its hints measure.
    pub measure: Measure,
    /// Whether somebody can be asked if it can be won, and for the best solution.
    pub solvers: Solvers,
}

/// What solvers there are for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Solvers {
    /// One that says whether the game can be won.
    pub prove: bool,
    /// One that shows a solution, of which it tells nothing that the player must not see.
    pub solve: bool,
}

/// What a solver says of the game on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// What is known.
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub because: String,
    /// The moves to the end, by name; every one was replayed. Empty where there are none, and
    /// where they would tell what the player does not know.
    pub moves: Vec<String>,
    /// The same with numbers, and with cards where the game has such a text.
    pub numbered: Vec<String>,
    /// No solution is shorter, where that is known.
    pub lower: Option<f64>,
    /// The length or score of the solution.
    pub value: Option<f64>,
    /// Whether nothing better exists.
    pub optimal: bool,
    /// What was searched, so many of them.
    pub nodes: u64,
    /// Wall-clock seconds so far.
    pub seconds: f64,
    /// Whether the search is over.
    pub done: bool,
}

impl Proof {
    /// What is known of a solution; `moves` where they may be told.
    fn of(solved: &Solved, state: Option<&AnyState>, done: bool) -> Self {
        let counts = solved.stats.counts;
        let nodes = counts.nodes.max(counts.iterations);
        let because = match solved.verdict {
            Verdict::Optimal => format!("nothing better exists: {nodes} positions were searched"),
            Verdict::Unsolvable => {
                format!("all {nodes} positions that can be reached were searched: none wins")
            }
            Verdict::Solved => match (solved.bounds.lower, solved.length) {
                (Some(lower), _) => format!("no solution is shorter than {lower} moves"),
                (None, length) => {
                    let length = length.unwrap_or(0);
                    format!("a solution of {length} moves was found and replayed")
                }
            },
            Verdict::Unknown => format!("nothing was shown within {nodes} positions"),
        };
        Proof {
            verdict: solved.verdict,
            because,
            moves: state.map_or_else(Vec::new, |_| solved.moves.clone()),
            numbered: state.map_or_else(Vec::new, |state| state.numbered(&solved.moves)),
            lower: solved.bounds.lower,
            value: solved.value,
            optimal: solved.verdict == Verdict::Optimal,
            nodes,
            seconds: solved.stats.seconds,
            done,
        }
    }
}

impl Table {
    /// Sets the game up and plays the moves.
    ///
    /// # Errors
    /// Says what is wrong with the setup, or which move is not legal and why.
    pub fn open(registry: &Registry, setup: &Setup, moves: &[String]) -> Result<Table, TableError> {
        let now = setup.start(registry)?;
        let mut table = Table { setup: setup.clone(), now, before: Vec::new(), moves: Vec::new() };
        for name in moves {
            table.play(name)?;
        }
        Ok(table)
    }

    /// How it was set up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The moves so far, by their names.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Where the game stands.
    pub fn state(&self) -> &AnyState {
        &self.now
    }

    /// All positions of the game, from its start to where it stands.
    pub fn states(&self) -> impl Iterator<Item = &AnyState> {
        self.before.iter().chain([&self.now])
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal: the table is then as it was.
    pub fn play(&mut self, name: &str) -> Result<(), TableError> {
        let number = self.moves.len() + 1;
        if number > MOST_MOVES {
            return Err(TableError::TooManyMoves(MOST_MOVES));
        }
        let wrong = |why| TableError::Move { number, name: name.chars().take(40).collect(), why };
        let before = self.now.clone();
        self.now.play(name).map_err(wrong)?;
        self.before.push(before);
        self.moves.push(name.to_owned());
        Ok(())
    }

    /// Takes the last move back and names it; `None` at the start.
    pub fn undo(&mut self) -> Option<String> {
        self.now = self.before.pop()?;
        self.moves.pop()
    }

    /// All that a player may know.
    pub fn view(&self) -> View {
        let (state, game) = (&self.now, self.now.game());
        let proves = |solver: &str| {
            let name = solver.split('(').next().unwrap_or_default();
            game.solvers().iter().any(|info| info.name == name && info.proves)
        };
        View {
            game: self.setup.game.clone(),
            title: state.title(),
            deal: self.setup.deal.clone(),
            moves: self.moves.clone(),
            standing: state.standing(),
            score: state.score(),
            scored: game.info().score,
            scene: state.scene(),
            legal: state.legal(),
            text: state.text(),
            planner: self.planner().to_owned(),
            measure: state.measure(),
            solvers: Solvers {
                prove: game.solver().is_some_and(proves),
                solve: game.optimiser().is_some() && !state.conceals(),
            },
        }
    }

    /// The planner of hints if none is named.
    pub fn planner(&self) -> &'static str {
        self.now.game().planner()
    }

    fn planner_or<'p>(&self, planner: Option<&'p str>) -> &'p str {
        planner.map(str::trim).filter(|p| !p.is_empty()).unwrap_or(self.planner())
    }

    /// Thinks about the position. `watch` hears about ten times a second of what is known by then.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn hint(
        &self,
        planner: Option<&str>,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Hint),
    ) -> Result<Hint, TableError> {
        let mut watch = |advice: &Advice| watch(&Hint::from(advice.clone()));
        let planner = self.planner_or(planner);
        Ok(self.now.advise(planner, budget, seed, cancel, &mut watch)?.into())
    }

    /// Thinks about the position and shows the first levels of the search's tree.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn tree(
        &self,
        planner: Option<&str>,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
        depth: u32,
    ) -> Result<Vec<Twig>, TableError> {
        Ok(self.now.tree(self.planner_or(planner), budget, seed, cancel, depth)?)
    }

    /// Thinks about the position, and writes every iteration down.
    ///
    /// # Errors
    /// If the planner's string is wrong.
    pub fn trace(
        &self,
        planner: Option<&str>,
        budget: &Budget,
        seed: u64,
        cancel: &Cancel,
    ) -> Result<Trace, TableError> {
        Ok(self.now.trace(self.planner_or(planner), budget, seed, cancel)?)
    }

    /// Whether the game can still be won, all cards known. What lies face down is looked at, but only
    /// the verdict is told.
    ///
    /// # Errors
    /// If there is no solver for this game that proves.
    pub fn prove(&self, budget: &Budget, cancel: &Cancel) -> Result<Proof, TableError> {
        if !self.view().solvers.prove {
            return Err(TableError::Unfit(format!(
                "{} has no solver that proves",
                self.setup.game
            )));
        }
        let solved = self.now.solve(self.now.game().solver(), budget, 1, cancel, &mut |_| ())?;
        Ok(Proof::of(&solved, None, true))
    }

    /// The best solution that is found. `watch` hears about ten times a second of what is known.
    ///
    /// # Errors
    /// If there is no such solver for this game, or it would tell what the player must not see.
    pub fn solve(
        &self,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Proof),
    ) -> Result<Proof, TableError> {
        if !self.view().solvers.solve {
            let why = format!("{} has no solver whose solution may be told", self.setup.game);
            return Err(TableError::Unfit(why));
        }
        let mut watch = |solved: &Solved| watch(&Proof::of(solved, None, false));
        let optimiser = self.now.game().optimiser();
        let solved = self.now.solve(optimiser, budget, 1, cancel, &mut watch)?;
        Ok(Proof::of(&solved, Some(&self.now), true))
    }
}
