//! What was asked: a card, written by hand before the run.

use std::path::Path;

use serde::Deserialize;

use super::DataError;

/// What was asked: written by hand, before the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What it is, in a line.
    pub title: String,
    /// What was asked.
    pub asked: Asked,
    /// What others have published, and what else a reader must know.
    pub notes: String,
}

/// What a result is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Deals that are solved.
    Deals(Deals),
    /// A figure or table of a paper: the units of an experiment.
    Experiment(Experiment),
    /// From results with less and less means: how much each deal needs.
    Fewest(Fewest),
}

/// Deals that are solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deals {
    /// The game, as a string.
    pub game: String,
    /// The solver, as a string.
    pub solver: String,
    /// The deals: `1..32000` or `seed:1..1000000`.
    pub deals: String,
    /// The seed of the solver's streams.
    pub seed: u64,
    /// Deals in a batch.
    pub batch: u64,
    /// Memory for one deal, in bytes; without it as much as it takes.
    pub memory: Option<u64>,
    /// Whether solutions are kept.
    pub solutions: bool,
}

/// The units of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The name of a built-in spec, or a file in the result's folder.
    pub spec: String,
    /// The spec's seed; a spec with another one is refused.
    pub seed: u64,
    /// Units of each arm; those of the spec if it is left out.
    pub units: Option<u64>,
    /// Units of each arm in a batch.
    pub batch: u64,
}

/// How much each deal needs, from results for less to more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fewest {
    /// What is counted, such as `free cells`.
    pub of: String,
    /// From the least to the most.
    pub steps: Vec<Step>,
}

/// One result of a [`Fewest`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// How much it allows.
    pub need: String,
    /// The result: the name of its folder, beside this one.
    pub data: String,
    /// How many deals need so much, as others have published.
    pub published: Option<u64>,
}

/// A card's file: which keys belong together is checked after they were read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    #[serde(default)]
    notes: String,
    game: Option<String>,
    solver: Option<String>,
    deals: Option<String>,
    seed: Option<u64>,
    batch: Option<u64>,
    memory: Option<u64>,
    solutions: Option<bool>,
    spec: Option<String>,
    units: Option<u64>,
    fewest: Option<String>,
    step: Option<Vec<Step>>,
}

impl Card {
    /// Reads a card's file.
    pub(super) fn read(path: &Path) -> Result<Card, DataError> {
        let text = std::fs::read_to_string(path).map_err(DataError::io(path, "read it"))?;
        let bad = |message: String| DataError::bad(path, message);
        let written: Written = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
        let (title, notes) = (written.title.clone(), written.notes.clone());
        let asked = written.asked().map_err(bad)?;
        Ok(Card { title, asked, notes })
    }
}

impl Written {
    fn asked(self) -> Result<Asked, String> {
        let kinds = [&self.game, &self.spec, &self.fewest];
        if kinds.iter().filter(|key| key.is_some()).count() != 1 {
            return Err("expected one of the keys game, spec and fewest".to_owned());
        }
        let deals = ["solver", "deals", "memory", "solutions"];
        let there = [
            self.solver.is_some(),
            self.deals.is_some(),
            self.memory.is_some(),
            self.solutions.is_some(),
        ];
        let foreign = |mut more: Vec<(&'static str, bool)>| {
            if self.game.is_none() {
                more.extend(deals.into_iter().zip(there));
            }
            let key = more.into_iter().find(|(_, there)| *there);
            key.map_or(Ok(()), |(key, _)| Err(format!("the key {key} does not belong here")))
        };
        let need = |key: &str| format!("the key {key} is missing");
        let batch = || match self.batch {
            None => Err(need("batch")),
            Some(0) => Err("batch: expected at least 1".to_owned()),
            Some(batch) => Ok(batch),
        };
        let (units, step) = (("units", self.units.is_some()), ("step", self.step.is_some()));
        if let Some(spec) = &self.spec {
            foreign(vec![step])?;
            return Ok(Asked::Experiment(Experiment {
                spec: spec.clone(),
                seed: self.seed.ok_or_else(|| need("seed"))?,
                units: self.units,
                batch: batch()?,
            }));
        }
        if let Some(of) = &self.fewest {
            let seed = ("seed", self.seed.is_some());
            foreign(vec![units, seed, ("batch", self.batch.is_some())])?;
            let steps = self.step.clone().filter(|steps| !steps.is_empty());
            return Ok(Asked::Fewest(Fewest {
                of: of.clone(),
                steps: steps.ok_or_else(|| need("step"))?,
            }));
        }
        foreign(vec![units, step])?;
        Ok(Asked::Deals(Deals {
            batch: batch()?,
            game: self.game.unwrap_or_default(),
            solver: self.solver.ok_or_else(|| need("solver"))?,
            deals: self.deals.ok_or_else(|| need("deals"))?,
            seed: self.seed.unwrap_or(1),
            memory: self.memory,
            solutions: self.solutions.unwrap_or(true),
        }))
    }
}

impl Deals {
    /// `seed:`, or nothing where deals are numbers; the first and the last deal.
    pub(super) fn range(&self) -> Result<(&'static str, (u64, u64)), String> {
        let (prefix, range) = match self.deals.strip_prefix("seed:") {
            Some(range) => ("seed:", range),
            None => ("", self.deals.as_str()),
        };
        let ends = range.split_once("..").unwrap_or((range, range));
        let (Ok(first), Ok(last)) = (ends.0.parse::<u64>(), ends.1.parse::<u64>()) else {
            let deals = &self.deals;
            return Err(format!("deals: `{deals}` is no range such as 1..100 or seed:1..100"));
        };
        if first > last || last == u64::MAX {
            return Err("the range of deals must not be empty".to_owned());
        }
        Ok((prefix, (first, last)))
    }
}
