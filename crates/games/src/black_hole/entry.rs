//! Black Hole by name.

use patience_catalogue::{Checked, GameEntry, GameInfo, Invalid, Kit, Objective, Words};
use patience_model::Text;

use super::{BlackHole, FANS, State, replay};
use crate::cards;

const INFO: GameInfo = GameInfo {
    name: "black-hole",
    title: "Black Hole",
    summary: "the solitaire with seventeen fans of three cards, all of which go into one hole",
    rewards: "1 for every card that goes into the hole",
    paper: "Gent and others 2007",
    planner: "uct(scale=51)",
    solver: "depth-first",
    positions: "`hole:` and its card, then a line for each fan",
    score: "In the hole",
    variants: &[("black-hole", "Black Hole")],
    page: 5,
    words: &[cards::GERMAN, GERMAN],
    ..GameInfo::NEW
};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, |_| {
        Ok(Kit::new(BlackHole)
            .shown()
            .keyed()
            .encoded()
            .deterministic()
            .reading(|game, text| game.read(text).map_err(|error| error.to_string()))
            .solved_when("won", BlackHole::is_won, Objective::Win)
            .dead_ends(BlackHole::is_dead_end)
            .verified(verify)
            .format("text", |game, state| Ok(game.state_text(state)))
            .into())
    })
}

fn verify(game: &BlackHole, state: &State, text: &str) -> Result<Checked, Invalid> {
    let fans: Vec<_> = (0..FANS).map(|fan| state.fan(fan).to_vec()).collect();
    let played = replay(&fans, state.hole(), text).map_err(|(readable, why)| match readable {
        true => Invalid::Step(why),
        false => Invalid::Text(why),
    })?;
    let reached = played.fans.iter().all(Vec::is_empty);
    let fans = std::array::from_fn(|fan| played.fans[fan].clone());
    let end = State::of(fans, played.hole);
    let mut legal = Vec::new();
    patience_model::Game::actions(game, &end, &mut legal);
    Ok(Checked {
        value: played.moves as f64,
        length: played.moves,
        reached,
        over: legal.is_empty(),
        end: game.state_text(&end),
    })
}

const GERMAN: Words = Words::german(&[
    ("{card} from fan {n}", "{card} von Fächer {n}"),
    ("fan {n}", "Fächer {n}"),
    ("the hole", "das Loch"),
    ("In the hole", "Im Loch"),
]);
