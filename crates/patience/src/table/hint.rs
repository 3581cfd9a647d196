//! Hints: what a planner thinks, in the words of the table.

use patience_plan::{Budget, Cancel};
use serde::Serialize;

use super::{Seat, Table, TableError, distance};
use crate::advice::Advice;
use crate::registry::Twig;

/// What hints measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The probability of a win: the more the better.
    WinProbability,
    /// Steps to the end of the game: the fewer the better.
    StepsToGo,
    /// Points still to come: the more the better.
    Score,
    /// The sum of rewards still to come: the more the better, for the first player.
    Value,
}

/// What is known of one move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HintMove {
    /// The planner's action.
    pub action: String,
    /// The moves on the table that it comes to: a card may have to be uncovered or the stock turned
    /// first.
    pub moves: Vec<String>,
    /// The same in words.
    pub label: String,
    /// See [`Measure`].
    pub value: Option<f64>,
    /// Ends of the interval, where there is an honest one: 95%, or proven bounds for steps to go.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
    /// How often it was tried.
    pub visits: u64,
    /// It leads back to a position of this game.
    pub again: bool,
    /// It is proven to lose.
    pub loses: bool,
    /// Its value is proven.
    pub sure: bool,
}

/// What a search says of the game on the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// What the values are.
    pub measure: Measure,
    /// The best move's place in `moves`; none if the game is over or lost.
    pub best: Option<usize>,
    /// What is known of each action, best first.
    pub moves: Vec<HintMove>,
    /// Why the game cannot be won any more, if that is proven.
    pub lost: Option<String>,
    /// The value of the position: that of its best move.
    pub value: Option<f64>,
    /// What the planner says, in its own words; the same value as on the command line.
    pub advice: Advice,
}

impl Table {
    /// The planner of hints if none is named.
    pub fn planner(&self) -> String {
        self.now.planner()
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
        let default = self.now.planner();
        let planner = planner.map(str::trim).filter(|p| !p.is_empty()).unwrap_or(&default);
        if planner == distance::DISTANCE {
            let Some(seat) = self.now.freecell() else {
                let message = format!("the planner {planner} is for FreeCell and its family");
                return Err(TableError::Unfit(message));
            };
            return Ok(distance::hint(seat, &self.setup.game, budget, cancel, watch));
        }
        let thought = self.now.thought().map_err(TableError::Setup)?;
        let past = self.past();
        let measure = match self.now.measure() {
            // Planners count cards that go home, not steps.
            Measure::StepsToGo => Measure::Value,
            measure => measure,
        };
        let ways = Ways::new(&*self.now, thought.actions(), &past);
        let said = |advice: &Advice| ways.hint(&*self.now, measure, thought.minimising(), advice);
        let mut watching = |advice: &Advice| watch(&said(advice));
        let advice = thought.advise(planner, budget, seed, cancel, &mut watching)?;
        Ok(said(&advice))
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
        let default = self.now.tree_planner();
        let planner = planner.map(str::trim).filter(|p| !p.is_empty()).unwrap_or(&default);
        let thought = self.now.thought().map_err(TableError::Setup)?;
        Ok(thought.tree(planner, budget, seed, cancel, depth)?)
    }

    /// The positions of this game so far, as far as play can come back to them.
    fn past(&self) -> Vec<String> {
        let mut seat = self.start.copy();
        let mut past = Vec::from_iter(seat.place());
        for name in &self.moves {
            let _ = seat.play(name);
            past.extend(seat.place());
        }
        past
    }
}

/// What a turn of the stock is called.
const TURN: &str = "turn the stock";

/// Several moves on the table in one line.
fn told(labels: &[String]) -> Option<String> {
    let (last, before) = labels.split_last()?;
    let turns = before.iter().all(|label| label.starts_with("turn "));
    Some(match (before, turns) {
        ([], _) => last.clone(),
        (_, true) => {
            // Turning the waste over is not turning the stock.
            let turns = before.iter().filter(|label| label.as_str() == TURN).count();
            let over = if turns < before.len() { " and the waste over" } else { "" };
            match turns {
                0 => format!("{}, then {last}", before.join(", ")),
                1 => format!("{TURN}{over}, then {last}"),
                _ => format!("{TURN} {turns} times{over}, then {last}"),
            }
        }
        ([first, ..], false) => format!("{first}, then {last}"),
    })
}

/// What the actions come to on the table: found once, however often a search tells of them.
struct Ways(Vec<(String, Vec<String>, String, bool)>);

impl Ways {
    fn new(seat: &dyn Seat, actions: Vec<String>, past: &[String]) -> Self {
        let way = |action: String| {
            let moves = seat.way(&action);
            let mut after = seat.copy();
            let mut labels = Vec::new();
            for name in &moves {
                let known = after.legal().into_iter().find(|m| m.name == *name);
                labels.extend(known.map(|m| m.label));
                let _ = after.play(name);
            }
            let label = told(&labels).unwrap_or_else(|| action.clone());
            let again = after.place().is_some_and(|place| past.contains(&place));
            (action, moves, label, again)
        };
        Ways(actions.into_iter().map(way).collect())
    }

    fn hint(&self, seat: &dyn Seat, measure: Measure, minimising: bool, advice: &Advice) -> Hint {
        let sign = if minimising { -1.0 } else { 1.0 };
        let mut moves: Vec<HintMove> = advice
            .moves
            .iter()
            .map(|m| {
                let way = self.0.iter().find(|(action, ..)| *action == m.action);
                let (moves, label, again) = way.map_or_else(
                    || (Vec::new(), m.action.clone(), false),
                    |(_, moves, label, again)| (moves.clone(), label.clone(), *again),
                );
                HintMove {
                    action: m.action.clone(),
                    moves,
                    label,
                    value: m.value,
                    low: m.low,
                    high: m.high,
                    visits: m.visits,
                    again,
                    loses: m.sure && measure == Measure::WinProbability && m.value == Some(0.0),
                    sure: m.sure,
                }
            })
            .collect();
        // What leads back comes last; then the planner's choice, then by value.
        moves.sort_by(|a, b| {
            let rank = |m: &HintMove| {
                let value = m.value.map_or(f64::NEG_INFINITY, |value| sign * value);
                (m.again || m.moves.is_empty(), advice.best.as_ref() != Some(&m.action), -value)
            };
            let ((a0, a1, a2), (b0, b1, b2)) = (rank(a), rank(b));
            (a0, a1).cmp(&(b0, b1)).then(a2.total_cmp(&b2))
        });
        let lost = lost(seat, &moves);
        let best = moves.iter().position(|m| !m.moves.is_empty()).filter(|_| lost.is_none());
        let value = best.and_then(|best| moves[best].value);
        let mut advice = advice.clone();
        if seat.conceals() {
            advice.position = seat.text();
        }
        Hint { measure, best, moves, lost, value, advice }
    }
}

/// Why Klondike is lost, whatever lies face down: no action is left, or each is proven to lose.
fn lost(seat: &dyn Seat, moves: &[HintMove]) -> Option<String> {
    if seat.klondike().is_none() || seat.standing() == super::Standing::Won {
        return None;
    }
    let because = match moves.is_empty() {
        true => {
            "No card can be turned up, sent home or placed any more, however the stock is turned: \
             every move that is left leads back."
        }
        false if moves.iter().all(|m| m.loses) => {
            "Every move loses, whatever lies face down: all ways were searched."
        }
        false => return None,
    };
    Some(because.to_owned())
}
