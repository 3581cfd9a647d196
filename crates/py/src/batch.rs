//! Many games side by side on NumPy arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2,
};
use patience::Arrays;
use pyo3::prelude::*;

use crate::convert::{deal_name, whole};
use crate::error::{input, usage};
use crate::rng::Rng;

/// Many games of one kind that are stepped in one call. Arrays are written in place, so nothing is
/// copied; the interpreter's lock is let go meanwhile.
#[pyclass(module = "patience", frozen)]
#[derive(Debug)]
pub(crate) struct Batch {
    inner: Mutex<patience::Batch>,
    games: usize,
    seen: usize,
    moves: usize,
}

impl Batch {
    pub(crate) fn new(batch: patience::Batch) -> Self {
        let (games, seen, moves) = (batch.games(), batch.highest().len(), batch.moves());
        Batch { inner: Mutex::new(batch), games, seen, moves }
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

    /// The legal moves of a game: their numbers and their texts.
    fn legal(&self, game: usize) -> Vec<(usize, String)> {
        self.lock().legal(game)
    }

    /// A game as text.
    fn text(&self, game: usize) -> String {
        self.lock().text(game)
    }
}
