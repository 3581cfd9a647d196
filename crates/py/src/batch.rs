//! Many games side by side on NumPy arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2,
};
use patience::Arrays;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{deal_name, whole};
use crate::error::{input, usage};
use crate::game::Game;
use crate::rng::Rng;
use crate::state::{Parts, State, parts, path};

/// Many games of one kind that are stepped in one call. Arrays are written in place, so nothing is
/// copied; the interpreter's lock is let go meanwhile.
#[pyclass(module = "patience", frozen)]
#[derive(Debug)]
pub(crate) struct Batch {
    game: Game,
    inner: Mutex<patience::Batch>,
    games: usize,
    threads: usize,
    seen: usize,
    moves: usize,
}

impl Batch {
    pub(crate) fn new(game: Game, games: usize, threads: usize) -> PyResult<Self> {
        let Some(batch) = game.inner.batch_on(games, threads) else {
            return Err(input(format!("{} cannot be put into arrays", game.inner)));
        };
        let (seen, moves) = (batch.highest().len(), batch.moves());
        Ok(Batch { game, inner: Mutex::new(batch), games, threads, seen, moves })
    }

    /// A game of the batch by its place.
    fn known(&self, game: u64) -> PyResult<usize> {
        let wrong = || usage(format!("there are {} games, none at place {game}", self.games));
        usize::try_from(game).ok().filter(|game| *game < self.games).ok_or_else(wrong)
    }

    fn lock(&self) -> MutexGuard<'_, patience::Batch> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expect(&self, what: &str, shape: &[usize], expected: &[usize]) -> PyResult<()> {
        if shape == expected {
            return Ok(());
        }
        Err(usage(format!("{what} has the shape {shape:?}, expected {expected:?}")))
    }
}

fn rows<'a, T: numpy::Element>(
    what: &str,
    array: &'a mut PyReadwriteArray2<'_, T>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| usage(format!("{what} must be one block of memory")))
}

fn row<'a, T: numpy::Element>(
    what: &str,
    array: &'a mut PyReadwriteArray1<'_, T>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| usage(format!("{what} must be one block of memory")))
}

fn borrowed<T>(result: Result<T, numpy::BorrowError>) -> PyResult<T> {
    result.map_err(|error| usage(format!("an array is in use elsewhere: {error}")))
}

#[pymethods]
impl Batch {
    /// How many games there are.
    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    /// How many moves there can be, in all states together.
    #[getter]
    fn moves(&self) -> usize {
        self.moves
    }

    /// The highest value of each number of an observation; the lowest is 0.
    #[getter]
    fn highest(&self) -> Vec<i16> {
        self.lock().highest()
    }

    /// Starts all games anew, with these seeds, or each going on with its own stream; with `deals`, each
    /// at the deal of that name.
    #[pyo3(signature = (seeds, observations, legal, deals = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seeds: Option<Vec<Bound<'_, PyAny>>>,
        observations: &Bound<'_, PyArray2<i16>>,
        legal: &Bound<'_, PyArray2<i8>>,
        deals: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<()> {
        let seeds = seeds.map(|seeds| seeds.iter().map(whole).collect::<PyResult<Vec<u64>>>());
        let seeds = seeds.transpose()?;
        if let Some(seeds) = &seeds {
            self.expect("seeds", &[seeds.len()], &[self.games])?;
        }
        let deals = deals.map(|deals| deals.iter().map(deal_name).collect::<PyResult<Vec<_>>>());
        let deals = deals.transpose()?;
        if let Some(deals) = &deals {
            self.expect("deals", &[deals.len()], &[self.games])?;
        }
        let mut observations = borrowed(observations.try_readwrite())?;
        let mut legal = borrowed(legal.try_readwrite())?;
        self.expect("observations", observations.as_array().shape(), &[self.games, self.seen])?;
        self.expect("legal", legal.as_array().shape(), &[self.games, self.moves])?;
        let observations = rows("observations", &mut observations)?;
        let legal = rows("legal", &mut legal)?;
        py.detach(|| {
            match (&deals, &seeds) {
                (Some(deals), Some(seeds)) => {
                    return self.lock().reset_to(deals, seeds, observations, legal);
                }
                (Some(_), None) => return Err("deals need seeds for chance".to_owned()),
                (None, Some(seeds)) => self.lock().reset(seeds, observations, legal),
                (None, None) => self.lock().deal(observations, legal),
            }
            Ok(())
        })
        .map_err(input)
    }

    /// How many deals that allow no move were passed over when each game began.
    fn skipped(&self) -> Vec<u32> {
        let mut skipped = vec![0; self.games];
        self.lock().skipped(&mut skipped);
        skipped
    }

    /// Makes a move in every game; one that is over starts anew.
    #[allow(clippy::too_many_arguments)]
    fn step(
        &self,
        py: Python<'_>,
        moves: PyReadonlyArray1<'_, i64>,
        observations: &Bound<'_, PyArray2<i16>>,
        legal: &Bound<'_, PyArray2<i8>>,
        rewards: &Bound<'_, PyArray1<f64>>,
        over: &Bound<'_, PyArray1<bool>>,
        illegal: &Bound<'_, PyArray1<bool>>,
    ) -> PyResult<()> {
        let mut observations = borrowed(observations.try_readwrite())?;
        let mut legal = borrowed(legal.try_readwrite())?;
        let mut rewards = borrowed(rewards.try_readwrite())?;
        let mut over = borrowed(over.try_readwrite())?;
        let mut illegal = borrowed(illegal.try_readwrite())?;
        self.expect("moves", moves.as_array().shape(), &[self.games])?;
        self.expect("observations", observations.as_array().shape(), &[self.games, self.seen])?;
        self.expect("legal", legal.as_array().shape(), &[self.games, self.moves])?;
        self.expect("rewards", rewards.as_array().shape(), &[self.games])?;
        self.expect("over", over.as_array().shape(), &[self.games])?;
        self.expect("illegal", illegal.as_array().shape(), &[self.games])?;
        let moves = moves.as_slice().map_err(|_| usage("moves must be one block of memory"))?;
        let arrays = Arrays {
            observations: rows("observations", &mut observations)?,
            legal: rows("legal", &mut legal)?,
            rewards: row("rewards", &mut rewards)?,
            over: row("over", &mut over)?,
            illegal: row("illegal", &mut illegal)?,
        };
        py.detach(|| self.lock().step(moves, arrays));
        Ok(())
    }

    /// Picks a legal move in every game, each alike; -1 where a game is over.
    fn sample(
        &self,
        py: Python<'_>,
        rng: &Bound<'_, Rng>,
        moves: &Bound<'_, PyArray1<i64>>,
    ) -> PyResult<()> {
        let mut moves = borrowed(moves.try_readwrite())?;
        self.expect("moves", moves.as_array().shape(), &[self.games])?;
        let moves = row("moves", &mut moves)?;
        let stream = &mut rng.borrow_mut().0;
        py.detach(|| self.lock().sample(stream, moves));
        Ok(())
    }

    /// The move that starts a game anew.
    #[classattr]
    const RESTART: i64 = patience::Batch::RESTART;

    /// Writes what is seen and which moves are legal.
    fn show(
        &self,
        observations: &Bound<'_, PyArray2<i16>>,
        legal: &Bound<'_, PyArray2<i8>>,
    ) -> PyResult<()> {
        let mut observations = borrowed(observations.try_readwrite())?;
        let mut legal = borrowed(legal.try_readwrite())?;
        self.expect("observations", observations.as_array().shape(), &[self.games, self.seen])?;
        self.expect("legal", legal.as_array().shape(), &[self.games, self.moves])?;
        self.lock().show(rows("observations", &mut observations)?, rows("legal", &mut legal)?);
        Ok(())
    }

    /// Where a game stands, as a state of its own.
    fn state(&self, #[pyo3(from_py_with = whole)] game: u64) -> PyResult<State> {
        let path = self.lock().path(self.known(game)?);
        State::at(self.game.clone(), path)
    }

    /// Puts a game where a state stands.
    fn set_state(&self, #[pyo3(from_py_with = whole)] game: u64, state: &State) -> PyResult<()> {
        if state.game != self.game {
            let (given, own) = (&state.game, &self.game.inner);
            return Err(usage(format!("{} is no state of {own}", given.__repr__())));
        }
        let game = self.known(game)?;
        self.lock().follow(game, &state.path()).map_err(input)
    }

    /// The same games in another batch, which goes on alike.
    fn copy(&self) -> PyResult<Batch> {
        let batch = Batch::new(self.game.clone(), self.games, self.threads)?;
        for game in 0..self.games {
            let path = self.lock().path(game);
            batch.lock().follow(game, &path).map_err(input)?;
        }
        Ok(batch)
    }

    fn __copy__(&self) -> PyResult<Batch> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> PyResult<Batch> {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let maker = py.import("patience._native")?.getattr("follow_all")?;
        let paths: Vec<Parts> = (0..self.games).map(|game| parts(self.lock().path(game))).collect();
        let arguments = (self.game.clone(), self.threads, paths).into_pyobject(py)?;
        PyTuple::new(py, [maker, arguments.into_any()])
    }

    /// The legal moves of a game: their numbers and their texts.
    fn legal(&self, #[pyo3(from_py_with = whole)] game: u64) -> PyResult<Vec<(usize, String)>> {
        let game = self.known(game)?;
        Ok(self.lock().legal(game))
    }

    /// A game as text, as far as the player may see it.
    fn text(&self, #[pyo3(from_py_with = whole)] game: u64) -> PyResult<String> {
        self.state(game)?.text()
    }
}

/// The games at the ends of paths, side by side: what pickle calls.
#[pyfunction]
pub(crate) fn follow_all(game: &Game, threads: usize, paths: Vec<Parts>) -> PyResult<Batch> {
    let batch = Batch::new(game.clone(), paths.len(), threads)?;
    for (number, way) in paths.into_iter().enumerate() {
        batch.lock().follow(number, &path(way)).map_err(input)?;
    }
    Ok(batch)
}
