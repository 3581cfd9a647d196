//! A planner's game as text, for pipes.

use patience::model::Standing;
use patience::plan::{Budget, Cancel};
use patience::{Measure, Table};
use serde::Serialize;

use super::Thinking;
use super::thinker::MEMORY;
use crate::console::{cancel_on_interrupt, counted, say};
use crate::exit::{Code, Failure};

/// Whether a planner can think about this game.
pub(super) fn check(table: &Table, planner: &str) -> Result<(), Failure> {
    let budget = Budget::iterations(1).with_memory(MEMORY);
    // A glance tells; a flag that is raised already ends it at once.
    let cancel = Cancel::new();
    cancel.cancel();
    table.hint(Some(planner), &budget, 0, &cancel, &mut |_| ())?;
    Ok(())
}

/// What one move of a planner was.
#[derive(Serialize)]
struct Played<'a> {
    number: usize,
    action: &'a str,
    moves: &'a [String],
    label: &'a str,
    value: Option<f64>,
    score: f64,
    standing: Standing,
}

pub(super) fn watch(mut table: Table, thinking: &Thinking, json: bool) -> Result<Code, Failure> {
    let cancel = cancel_on_interrupt();
    if !json {
        say(&table.view().text);
    }
    let mut lost = None;
    loop {
        if table.view().standing != Standing::Open {
            break;
        }
        let budget = Budget::time(thinking.time).with_memory(MEMORY);
        let seed = thinking.seed.wrapping_add(table.moves().len() as u64);
        let hint = table.hint(thinking.planner.as_deref(), &budget, seed, &cancel, &mut |_| ())?;
        if cancel.is_cancelled() {
            return Ok(Code::Budget);
        }
        lost = hint.lost;
        // A move that leads back means that the planner sees nothing new to do.
        let Some(best) = hint.best.map(|best| &hint.moves[best]).filter(|best| !best.again) else {
            break;
        };
        let number = table.moves().len() + 1;
        for name in &best.moves {
            table.play(name)?;
        }
        let view = table.view();
        if json {
            let played = Played {
                number,
                action: &best.action,
                moves: &best.moves,
                label: &best.label,
                value: best.value,
                score: view.score,
                standing: view.standing,
            };
            let line = serde_json::to_string(&played).map_err(|error| {
                Failure::new(Code::Fault, format!("cannot write JSON: {error}"))
            })?;
            say(&line);
        } else {
            let value = best.value.map_or(String::new(), |value| format!(" ({value:.3})"));
            say(&format!("\n{number}. {}{value}\n\n{}", best.label, view.text));
        }
    }
    let view = table.view();
    if !json {
        let score = format!(", score {}", view.score);
        // Some games are won or lost; of others only the score is told.
        let to_be_won = matches!(view.measure, Measure::WinProbability | Measure::StepsToGo);
        let (end, why) = match (view.standing, lost) {
            (Standing::Won, _) => ("won", None),
            (_, Some(why)) => ("lost", Some(why)),
            (Standing::Over, _) if to_be_won => ("lost", Some("No move is left.".to_owned())),
            (Standing::Open, _) if to_be_won => {
                ("not won", Some("The planner found no move that leads on.".to_owned()))
            }
            _ => ("over", None),
        };
        let why = why.map_or(String::new(), |why| format!(". {why}"));
        let moves = counted(table.moves().len(), "move");
        say(&format!("\n{end} after {moves}{score}{why}"));
    }
    Ok(Code::Success)
}
