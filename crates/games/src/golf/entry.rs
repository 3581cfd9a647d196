//! Golf by name.

use patience_catalogue::{
    AnyGame, Arguments, CallError, Checked, GameEntry, GameInfo, Invalid, Kit, Objective, Params,
    Words, params,
};
use patience_model::{Game, Text};

use super::{COLUMNS, Golf, Replayed, State, replay};
use crate::cards;

params! {
    struct GolfParams {
        /// Nothing goes onto a king
        strict: bool = "false";
    }
}

const INFO: GameInfo = GameInfo {
    name: "golf",
    title: "Golf",
    summary: "the solitaire in which seven columns go onto one pile, with a stock to help",
    rewards: "1 for every card that leaves the columns",
    paper: "Blake and Gent 2024",
    planner: "uct(scale=35)",
    solver: "depth-first",
    positions: "`waste:` and its card, `stock:` and its cards or their number, then a line for each column",
    score: "Gone",
    variants: &[("golf", "Golf"), ("golf(strict=true)", "Nothing onto kings")],
    page: 4,
    parameters: GolfParams::PARAMS,
    words: &[cards::GERMAN, GERMAN],
    ..GameInfo::NEW
};

/// The entry in the list of games.
pub fn entry() -> GameEntry {
    GameEntry::new(INFO, game)
}

fn game(arguments: &Arguments<'_>) -> Result<AnyGame, CallError> {
    let GolfParams { strict } = GolfParams::read(arguments)?;
    Ok(Kit::new(Golf { strict })
        .shown()
        .keyed()
        .encoded()
        .hidden()
        .deterministic()
        .reading(|game, text| game.read(text).map_err(|error| error.to_string()))
        .solved_when("won", Golf::is_won, Objective::Win)
        .dead_ends(Golf::is_dead_end)
        .solvable_if(Golf::check_known)
        .verified(verify)
        .written_whole(|game, state| Ok(game.whole_text(state)))
        .format("text", |game, state| Ok(game.whole_text(state)))
        .into())
}

fn verify(game: &Golf, state: &State, text: &str) -> Result<Checked, Invalid> {
    let start = Replayed {
        columns: (0..COLUMNS).map(|column| state.column(column).to_vec()).collect(),
        waste: state.waste(),
        stock: state.stock().to_vec(),
        moves: 0,
    };
    let played = replay(start, game.strict, text).map_err(|(readable, why)| match readable {
        true => Invalid::Step(why),
        false => Invalid::Text(why),
    })?;
    let columns = std::array::from_fn(|column| played.columns[column].clone());
    let end = State::of(&columns, played.waste, &played.stock);
    let mut legal = Vec::new();
    game.actions(&end, &mut legal);
    Ok(Checked {
        value: played.moves as f64,
        length: played.moves,
        reached: game.is_won(&end),
        over: legal.is_empty(),
        end: game.state_text(&end),
    })
}

const GERMAN: Words = Words::german(&[
    ("Gone", "Abgeräumt"),
    ("Nothing onto kings", "Nichts auf Könige"),
    ("{name}, nothing onto kings", "{name}, nichts auf Könige"),
]);
