//! The search for a move, and what is known at the end.

use std::sync::PoisonError;
use std::sync::mpsc::Sender;
use std::time::Instant;

use patience::gdl::{Move, World};
use patience::model::{Game, Rng};
use patience::plan::{Budget, Halt};

use super::{Answer, MatchPlayer};

/// States that are drawn to find one in which the game goes on.
const DRAWS: u32 = 1000;

impl<W: World> MatchPlayer<'_, W> {
    pub(super) fn think(&mut self, until: Instant, answers: &Sender<Answer>) {
        self.asked = true;
        // What is sent is the move now, not what was sent before.
        *self.setup.answered.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if self.legal.is_empty() && self.late.is_none() {
            self.find_legal(until);
        }
        let legal = self.legal.clone();
        let Some(&first) = legal.first() else {
            let message = match &self.late {
                Some(why) => format!("no legal move is known yet: {why}"),
                None => "the game is over".to_owned(),
            };
            self.setup.log.line(&format!("wrong: {message}"));
            let _ = answers.send(Answer::Wrong(message));
            return;
        };
        let _ = answers.send(Answer::Legal(self.text(first)));
        self.setup.log.line(&format!("turn {}: {} moves are legal", self.turn, legal.len()));
        let left = until.saturating_duration_since(Instant::now());
        let budget = Budget::time(left).with_memory(self.setup.memory);
        let (stats, best) = self.player.think(&budget, &self.setup.cancel);
        let best = self.text(best.filter(|best| legal.contains(best)).unwrap_or(first));
        self.setup.log.line(&format!(
            "turn {}: {best} of {} moves, {} simulations in {:.3} s",
            self.turn,
            legal.len(),
            stats.counts.iterations,
            stats.seconds
        ));
        let _ = answers.send(Answer::Best(best));
    }

    /// Who is asked for a move knows that the game goes on. Of the states that agree with what was seen one
    /// was drawn in which it is over; so others are drawn.
    fn find_legal(&mut self, until: Instant) {
        let Some(past) = &mut self.past else { return };
        let _halt = Halt::new(&self.setup.cancel, Some(until));
        let mut rng = Rng::named(self.setup.seed, &["goes on", &self.turn.to_string()]);
        for _ in 0..DRAWS {
            let Ok(state) = past.draw(&mut rng) else { return };
            self.game.actions(&state, &mut self.legal);
            if !self.legal.is_empty() || Halt::is_due() {
                return;
            }
        }
    }

    /// Logs how the match ended, as far as the player can know.
    pub(super) fn result(&self, taken: Result<(), String>) {
        let goal = self.game.network().goal(&self.known.position, self.game.role());
        let over = self.game.network().terminal(&self.known.position);
        self.setup.log.line(&match (taken, goal.filter(|_| over && self.game.sees_all())) {
            (Err(message), _) => format!("stopped; wrong: {message}"),
            (_, Some(goal)) => format!("stopped after {} moves, goal {goal}", self.turn),
            _ => format!("stopped after {} moves", self.turn),
        });
    }

    fn text(&self, action: Move) -> String {
        self.game.network().move_text(self.game.role(), action.0)
    }
}
