//! Taking part in a match at the terminal.

use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use patience::gdl::World;
use patience::plan::Budget;
use patience::{MatchError, MatchPlan, Matches};

use crate::console::{cancel_on_interrupt, say};
use crate::exit::{Code, Failure};

/// One match in which the moves of a role are read from standard input.
pub(crate) fn play<W: World>(
    world: &Arc<W>,
    role: usize,
    plan: MatchPlan,
) -> Result<Code, Failure> {
    let budget = plan.budget;
    let mut matches = Matches::new(Arc::clone(world), plan)?;
    if budget.time.is_none() && matches.needs_time() {
        matches.set_budget(Budget { time: Some(Duration::from_secs(1)), ..budget });
    }
    let cancel = cancel_on_interrupt();
    let names = world.role_names();
    say(&format!(
        "You are {}. Type a move or its number; an empty line ends the match.",
        names[role]
    ));
    let mut lines = std::io::stdin().lock().lines();
    let mut turn = 0;
    let mut choose = |seen: &[String], legal: &[u32]| {
        turn += 1;
        if turn > 1 {
            let seen = if seen.is_empty() { "nothing".to_owned() } else { seen.join(" ") };
            say(&format!("You see: {seen}"));
        }
        if let [only] = legal {
            say(&format!("{turn}. {}", world.move_text(role, *only)));
            return Some(*only);
        }
        let texts: Vec<String> = legal.iter().map(|&n| world.move_text(role, n)).collect();
        for (i, text) in texts.iter().enumerate() {
            say(&format!("  {:3}  {text}", i + 1));
        }
        loop {
            say(&format!("{turn}. Your move?"));
            let line = lines.next().and_then(Result::ok).unwrap_or_default();
            let line = line.trim();
            if line.is_empty() || cancel.is_cancelled() {
                return None;
            }
            // A move may be a number itself, so its term comes first.
            let same = |number: &u32| legal.contains(number);
            let named = world.move_named(role, line).filter(same);
            let numbered = || legal.get(line.parse::<usize>().ok()?.checked_sub(1)?).copied();
            match named.or_else(numbered) {
                Some(number) => return Some(number),
                None => say(&format!("{line} is not legal")),
            }
        }
    };
    match matches.play_with(role, &mut choose, &cancel) {
        Ok(result) => {
            for (role, (name, goal)) in names.iter().zip(&result.goals).enumerate() {
                let none = result.without_goal.contains(&role);
                say(&format!("{name}: {goal}{}", if none { " (no goal holds)" } else { "" }));
            }
            Ok(Code::Success)
        }
        Err(MatchError::Cancelled) => Ok(Code::Budget),
        Err(error) => Err(Failure::new(Code::BadInput, error.to_string())),
    }
}
