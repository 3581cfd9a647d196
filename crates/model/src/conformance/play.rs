//! Random play, recorded move by move, and played again.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Property, Suite, Violation};
use crate::{Game, Rng, Step};

/// A game played at random.
pub(super) struct Play<G: Game> {
    pub(super) number: u64,
    /// The stream as it was before the start.
    stream: Rng,
    pub(super) start: G::State,
    pub(super) moves: Vec<Moment<G>>,
    pub(super) ended: bool,
}

/// One move of it.
pub(super) struct Moment<G: Game> {
    pub(super) before: G::State,
    pub(super) actions: Vec<G::Action>,
    pub(super) action: G::Action,
    /// The stream as it was before the move.
    pub(super) stream: Rng,
    pub(super) step: Step<G::Obs>,
    pub(super) after: G::State,
}

/// Plays a game at random and checks what must hold in every position.
pub(super) fn record<G: Game>(suite: &Suite<'_, G>, number: u64) -> Result<Play<G>, Violation> {
    let game = suite.game;
    let name = number.to_string();
    let mut choice = Rng::named(suite.seed, &["conformance", &name, "choice"]);
    let stream = Rng::named(suite.seed, &["conformance", &name, "chance"]);
    let mut rng = stream.clone();
    let start = game.start(&mut rng);
    let mut play = Play { number, stream, start: start.clone(), moves: Vec::new(), ended: false };
    let mut state = start;
    // The buffer is never cleared here: that is the game's part.
    let mut buffer = Vec::new();
    loop {
        let actions = listed(suite, &play, &state, &mut buffer)?;
        if actions.is_empty() {
            play.ended = true;
            return Ok(play);
        }
        if play.moves.len() as u64 >= suite.limit {
            if suite.endless {
                return Ok(play);
            }
            let detail = format!("it went on after {} moves", suite.limit);
            return Err(suite.violation(Property::Ends, number, None, detail));
        }
        for &action in &actions {
            playable(suite, &play, &state, action, &rng)?;
        }
        let before = state.clone();
        let action = choice.pick(&actions);
        let stream = rng.clone();
        let step = game.step(&mut state, action, &mut rng);
        play.moves.push(Moment { before, actions, action, stream, step, after: state.clone() });
    }
}

/// The actions of a state, asked for in several ways that must not matter.
fn listed<G: Game>(
    suite: &Suite<'_, G>,
    play: &Play<G>,
    state: &G::State,
    buffer: &mut Vec<G::Action>,
) -> Result<Vec<G::Action>, Violation> {
    let game = suite.game;
    let fail = |property, detail| {
        Err(suite.violation(property, play.number, Some(play.moves.len()), detail))
    };
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let mut again = Vec::new();
    let clone = state.clone();
    for (what, state) in [("again", state), ("for a clone", &clone)] {
        again.clear();
        game.actions(state, &mut again);
        if again != actions {
            let detail = format!("{actions:?}, and {what} {again:?}");
            return fail(Property::ActionsRepeatable, detail);
        }
    }
    game.actions(state, buffer);
    if *buffer != actions {
        let detail = format!("{buffer:?} in a used buffer, {actions:?} in a new one");
        return fail(Property::ActionsReplace, detail);
    }
    for (i, action) in actions.iter().enumerate() {
        if actions[..i].contains(action) {
            return fail(Property::ActionsDistinct, format!("{action:?} in {actions:?}"));
        }
    }
    if game.minimising(state) != game.minimising(&clone) {
        return fail(Property::MinimisingRepeatable, "a clone has another".to_owned());
    }
    Ok(actions)
}

/// Plays an action on a copy.
fn playable<G: Game>(
    suite: &Suite<'_, G>,
    play: &Play<G>,
    state: &G::State,
    action: G::Action,
    rng: &Rng,
) -> Result<(), Violation> {
    let fail = |property, detail| {
        Err(suite.violation(property, play.number, Some(play.moves.len()), detail))
    };
    let (mut copy, mut rng) = (state.clone(), rng.clone());
    // The copy is thrown away, so nobody sees what a panic left of it.
    match catch_unwind(AssertUnwindSafe(|| suite.game.step(&mut copy, action, &mut rng))) {
        Ok(step) if step.reward.is_finite() => Ok(()),
        Ok(step) => fail(Property::RewardsFinite, format!("{action:?} brings {}", step.reward)),
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            fail(Property::ActionsPlayable, format!("{action:?} panics: {message}"))
        }
    }
}

/// The same stream gives the same play.
pub(super) fn replays<G: Game>(suite: &Suite<'_, G>, plays: &[Play<G>]) -> Result<u64, Violation> {
    let game = suite.game;
    let mut comparisons = 0;
    let mut actions = Vec::new();
    for play in plays {
        let mut rng = play.stream.clone();
        let mut state = game.start(&mut rng);
        for (i, moment) in play.moves.iter().enumerate() {
            let fail =
                |property, detail| Err(suite.violation(property, play.number, Some(i), detail));
            game.actions(&state, &mut actions);
            if actions != moment.actions {
                let detail = format!("actions {:?}, then {actions:?}", moment.actions);
                return fail(Property::SameStreamSamePlay, detail);
            }
            if game.minimising(&state) != game.minimising(&moment.before) {
                return fail(Property::SameStreamSamePlay, "another player moves".to_owned());
            }
            if let Some(key) = suite.key_text {
                let (first, second) = (key(game, &moment.before), key(game, &state));
                if first != second {
                    let detail = format!("{first}, and when played again {second}");
                    return fail(Property::EqualKeys, detail);
                }
            }
            if rng != moment.stream {
                let detail = "another number of random draws".to_owned();
                return fail(Property::SameStreamSamePlay, detail);
            }
            let step = game.step(&mut state, moment.action, &mut rng);
            if step != moment.step {
                let detail = format!("{:?} brings {:?}, then {step:?}", moment.action, moment.step);
                return fail(Property::SameStreamSamePlay, detail);
            }
            comparisons += 1;
        }
        game.actions(&state, &mut actions);
        if actions.is_empty() != play.ended {
            let detail = "it ends only once".to_owned();
            let moves = Some(play.moves.len());
            return Err(suite.violation(Property::SameStreamSamePlay, play.number, moves, detail));
        }
    }
    Ok(comparisons)
}
