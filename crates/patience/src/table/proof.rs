//! Can it be won? And solutions: found by the games' solvers, replayed move by move.

use std::time::Duration;

use patience_games::freecell::{self, Heuristic, Shown, notation, optimal, validator};
use patience_games::klondike::{self, solver};
use patience_games::samegame::{self, SolveOptions};
use patience_plan::{Budget, Cancel};
use serde::Serialize;

use super::freecell::name;
use super::{Table, TableError};

/// What is known after a proof was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can be won.
    Won,
    /// It cannot.
    Lost,
    /// The budget ended before.
    Unknown,
}

/// What a solver found of the game on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// Whether it can be won.
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub because: String,
    /// The moves to the end, by name; every one was replayed. Empty where there are none, and
    /// where they would tell what the player does not know.
    pub moves: Vec<String>,
    /// The same with numbers and cards, where the game has such a text.
    pub numbered: Vec<String>,
    /// No solution is shorter, where that is known.
    pub lower: Option<u32>,
    /// The length or score of the solution.
    pub value: Option<f64>,
    /// Whether nothing better exists.
    pub optimal: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Wall-clock seconds so far.
    pub seconds: f64,
    /// Whether the search is over.
    pub done: bool,
}

impl Proof {
    fn open() -> Self {
        Proof {
            verdict: Verdict::Unknown,
            because: String::new(),
            moves: Vec::new(),
            numbered: Vec::new(),
            lower: None,
            value: None,
            optimal: false,
            nodes: 0,
            seconds: 0.0,
            done: false,
        }
    }
}

impl Table {
    /// Whether the game can still be won, all cards known. Klondike's face-down cards are looked
    /// at, but only the verdict is told.
    ///
    /// # Errors
    /// If there is no solver for this game.
    pub fn prove(&self, budget: &Budget, cancel: &Cancel) -> Result<Proof, TableError> {
        if let Some(seat) = self.now.klondike() {
            let options = solver::SolverOptions {
                nodes: budget.iterations,
                memory: budget.memory.unwrap_or(256 << 20),
                ..Default::default()
            };
            let wrong = |error: solver::SolveError| TableError::Unfit(error.to_string());
            let begin = std::time::Instant::now();
            let mut solver = solver::Solver::new(seat.rules, options).map_err(wrong)?;
            let found = solver.solve(&seat.position, cancel).map_err(wrong)?;
            let nodes = found.nodes;
            let (verdict, because) = match found.verdict {
                solver::Verdict::Won => {
                    let replayed = klondike::replay(&seat.rules, &seat.position, &found.moves);
                    if !replayed.is_ok_and(|end| end.is_won(&seat.rules)) {
                        return Err(TableError::Unfit("the solution does not stand".to_owned()));
                    }
                    let length = found.moves.len();
                    (Verdict::Won, format!("a way of {length} moves was found and replayed"))
                }
                solver::Verdict::Lost => {
                    let text = format!(
                        "all {nodes} classes of positions that can be reached were searched, with \
                         all cards known: none wins"
                    );
                    (Verdict::Lost, text)
                }
                solver::Verdict::Unknown => {
                    (Verdict::Unknown, format!("nothing was shown within {nodes} positions"))
                }
            };
            let seconds = begin.elapsed().as_secs_f64();
            return Ok(Proof { verdict, because, nodes, seconds, done: true, ..Proof::open() });
        }
        if let Some(seat) = self.now.freecell() {
            let (verdict, stats) = freecell::solve(&seat.engine, &seat.board, budget, cancel);
            let nodes = stats.counts.iterations;
            let proof = Proof { nodes, seconds: stats.seconds, done: true, ..Proof::open() };
            return Ok(match verdict {
                freecell::Verdict::Solved(steps) => {
                    let length =
                        validator::verify(seat.rules(), seat.metric(), &seat.board, &steps)
                            .map_err(|error| TableError::Unfit(error.to_string()))?;
                    Proof {
                        verdict: Verdict::Won,
                        because: format!("a solution of {length} steps was found and replayed"),
                        value: Some(f64::from(length)),
                        ..proof
                    }
                }
                freecell::Verdict::Unsolvable => Proof {
                    verdict: Verdict::Lost,
                    because: format!("all {nodes} positions that can be reached were looked at"),
                    ..proof
                },
                freecell::Verdict::Unknown => Proof {
                    because: format!("nothing was shown within {nodes} positions"),
                    ..proof
                },
            });
        }
        Err(TableError::Unfit(format!("{} has no solver that proves", self.setup().game)))
    }

    /// The best solution: for FreeCell a shortest one with its closing gap, for SameGame the best
    /// score within the time. `watch` hears about ten times a second of what is known.
    ///
    /// # Errors
    /// If there is no such solver for this game.
    pub fn solve(
        &self,
        budget: &Budget,
        cancel: &Cancel,
        watch: &mut dyn FnMut(&Proof),
    ) -> Result<Proof, TableError> {
        if let Some(seat) = self.now.freecell() {
            let mut told = |news: freecell::News<'_>| {
                let freecell::News::Gap(stats, bounds) = news else { return };
                watch(&Proof {
                    lower: Some(bounds.lower),
                    value: bounds.upper.map(f64::from),
                    nodes: stats.counts.nodes,
                    seconds: stats.seconds,
                    ..Proof::open()
                });
            };
            let (shown, stats) =
                optimal(&seat.engine, &seat.board, Heuristic::Best, budget, cancel, &mut told);
            let nodes = stats.counts.nodes;
            let proof = Proof { nodes, seconds: stats.seconds, done: true, ..Proof::open() };
            let solved = |steps: &[freecell::Step], lower: u32, optimal: bool| {
                let length = validator::verify(seat.rules(), seat.metric(), &seat.board, steps)
                    .map_err(|error| TableError::Unfit(error.to_string()))?;
                let numbered = notation::numbered(&seat.board, steps);
                Ok::<Proof, TableError>(Proof {
                    verdict: Verdict::Won,
                    because: match optimal {
                        true => format!("a shortest solution: {nodes} positions were looked at"),
                        false => format!("none is shorter than {lower} steps"),
                    },
                    moves: steps.iter().map(name).collect(),
                    numbered: numbered.lines().map(str::to_owned).collect(),
                    lower: Some(lower),
                    value: Some(f64::from(length)),
                    optimal,
                    ..proof.clone()
                })
            };
            return match shown {
                Shown::Optimal(steps) => solved(&steps, steps.len() as u32, true),
                Shown::Solved(steps, bounds) => solved(&steps, bounds.lower, false),
                Shown::Unsolvable => Ok(Proof {
                    verdict: Verdict::Lost,
                    because: format!("all {nodes} positions that can be reached were looked at"),
                    ..proof
                }),
                Shown::Unknown(bounds) => Ok(Proof { lower: Some(bounds.lower), ..proof }),
            };
        }
        if let Some(seat) = self.now.samegame() {
            let options = SolveOptions {
                time: Some(budget.time.unwrap_or(Duration::from_secs(10))),
                rollouts: budget.iterations,
                threads: std::num::NonZeroUsize::new(1),
                seed: 1,
            };
            let mut told = |progress: &samegame::SolveProgress| {
                watch(&Proof {
                    value: progress.score,
                    nodes: progress.rollouts,
                    seconds: progress.seconds,
                    ..Proof::open()
                });
            };
            let wrong = |error: samegame::SameGameError| TableError::Unfit(error.to_string());
            let solved = samegame::solve(&seat.grid, seat.scoring, &options, cancel, &mut told)
                .map_err(wrong)?;
            let text = samegame::solution_text(&solved.solution);
            let verified = samegame::verify(&seat.grid, seat.scoring, &text).map_err(wrong)?;
            let moves: Vec<String> = verified.moves.iter().map(ToString::to_string).collect();
            return Ok(Proof {
                verdict: if verified.cleared { Verdict::Won } else { Verdict::Unknown },
                because: format!("the best of {} playouts, replayed", solved.rollouts),
                numbered: (1..).zip(&moves).map(|(n, m)| format!("{n}. {m}")).collect(),
                moves,
                value: Some(verified.score),
                nodes: solved.rollouts,
                seconds: solved.seconds,
                done: true,
                ..Proof::open()
            });
        }
        Err(TableError::Unfit(format!("{} has no solver", self.setup().game)))
    }
}
