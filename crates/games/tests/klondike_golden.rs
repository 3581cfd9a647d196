//! A playthrough of Klondike as text, and a solution, compared with those kept under
//! `tests/golden/`. `PATIENCE_BLESS=1 cargo test -p patience-games --test all klondike_golden` writes
//! them anew.

use std::fmt::Write as _;
use std::path::Path;

use patience_games::klondike::format::Format;
use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{Deal, Klondike, KlondikeTable, Position, Rules, Scoring};
use patience_model::{Game, Rng, Text};
use patience_plan::{Budget, Cancel, Search, Stepped, Verdict};

fn playthrough(game: &Klondike, seed: u64) -> String {
    let mut rng = Rng::named(seed, &["golden", "klondike"]);
    let mut state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
    let mut text = format!("# Klondike, deal of seed {seed}\n{}\n", game.state_text(&state));
    let mut actions = Vec::new();
    for number in 1.. {
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            break;
        }
        let notation: Vec<_> = actions.iter().map(|&a| game.action_text(&state, a)).collect();
        let chosen = rng.index(actions.len());
        let step = game.step(&mut state, actions[chosen], &mut rng);
        writeln!(text, "\n{number}. {} of: {}", notation[chosen], notation.join(" ")).unwrap();
        writeln!(text, "   reward {}, seen {:?}", step.reward, step.obs).unwrap();
        writeln!(text, "{}", game.state_text(&state)).unwrap();
    }
    text
}

fn solution(rules: &Rules, seed: u64) -> String {
    let start = Position::deal(rules, &Deal::seeded(rules, seed));
    let table = KlondikeTable::new(*rules, Scoring::Win);
    let mut search = ThoughtfulSearch::new(&table, start.clone(), Thoughtful::default()).unwrap();
    let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
    let solution = search.finding();
    let moves: Vec<_> = solution.moves.iter().map(ToString::to_string).collect();
    let verdict = match solution.verdict {
        Verdict::Optimal | Verdict::Solved => "Won",
        Verdict::Unsolvable => "Lost",
        Verdict::Unknown => "Unknown",
    };
    format!(
        "# solution of the deal of seed {seed}\n{}{verdict} after {} nodes\n{}\n",
        Format::Pysol.write(&start).unwrap(),
        stats.counts.nodes,
        moves.join(" ")
    )
}

#[test]
fn klondike() {
    let rules = Rules::default();
    let game = Klondike::new(rules).unwrap();
    let text = [playthrough(&game, 1), solution(&rules, 1), solution(&rules, 2)].join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/klondike.txt");
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; PATIENCE_BLESS=1 writes it", path.display()));
    for (number, (ours, theirs)) in text.lines().zip(kept.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {}; PATIENCE_BLESS=1 accepts it", number + 1);
    }
    assert_eq!(text.len(), kept.len());
}
