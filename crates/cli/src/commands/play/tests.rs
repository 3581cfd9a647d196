//! The terminal's pictures, held as text.

use std::path::{Path, PathBuf};
use std::time::Duration;

use patience::{Setup, Table, registry};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;
use super::draw::{Hit, draw};
use super::{Thinking, saved};

fn app_of(setup: &Setup, planner: Option<&str>, save: PathBuf) -> App {
    let table = Table::open(registry(), setup, &[]).unwrap();
    let time = Duration::from_millis(300);
    let thinking = Thinking { planner: planner.map(str::to_owned), time, seed: 0 };
    App::new(table, thinking, false, save)
}

fn app(game: &str, deal: &str) -> App {
    app_of(&Setup::deal(game, deal), None, PathBuf::from("unused.json"))
}

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '\n' => KeyCode::Enter,
            '↓' => KeyCode::Down,
            '↑' => KeyCode::Up,
            '→' => KeyCode::Right,
            '←' => KeyCode::Left,
            other => KeyCode::Char(other),
        };
        app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

fn picture(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, app)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| {
        let line: String = (0..width).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        line.trim_end().to_owned() + "\n"
    };
    (0..height).map(row).collect()
}

/// Compares with the picture that is kept; `PATIENCE_BLESS=1` keeps the new one.
fn same(name: &str, picture: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    if std::env::var_os("PATIENCE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, picture).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == picture, "{name} is\n{picture}\nand should be\n{kept}");
}

#[test]
fn games_are_drawn() {
    same("klondike", &picture(&app("klondike", "seed:7"), 100, 24));
    same("freecell", &picture(&app("freecell", "1"), 100, 24));
    same("samegame", &picture(&app("samegame", "1"), 100, 24));
    same("connect-four", &picture(&app("connect-four", "1"), 100, 24));
    same("klondike-narrow", &picture(&app("klondike", "seed:7"), 60, 30));
    same("freecell-80", &picture(&app("freecell", "1"), 80, 24));
    same("samegame-80", &picture(&app("samegame", "1"), 80, 24));
}

#[test]
fn every_game_fits_into_80_by_24_and_a_smaller_window_says_what_it_needs() {
    for info in registry().games().filter(|info| info.parameters.iter().all(|p| !p.is("file"))) {
        let kinds: Vec<&str> = match info.variants {
            [] => vec![info.name],
            variants => variants.iter().map(|variant| variant.0).collect(),
        };
        for kind in kinds {
            let app = app(kind, "1");
            let shown = picture(&app, 80, 24);
            assert!(!shown.contains("This window has"), "{kind}\n{shown}");
            // The lowest row of the table is there, and no label is cut.
            for m in app.view.legal.iter().take(3) {
                let last = m.label.label.split_whitespace().last().unwrap();
                assert!(shown.contains(last), "{kind}: {} in\n{shown}", m.label.label);
            }
        }
    }
    let small = picture(&app("samegame", "1"), 40, 12);
    assert!(small.contains("This window has 40×12"), "{small}");
    assert!(small.split_whitespace().any(|word| word.starts_with("48×")), "{small}");
}

#[test]
fn the_keys_of_piles_stay_the_same_and_play_from_one_to_the_other() {
    let mut app = app("klondike(draw=1)", "seed:7");
    let keys = |app: &App| picture(app, 100, 24).lines().nth(1).unwrap_or("").to_owned();
    let before = keys(&app);
    // The three of diamonds from column 5 to column 3.
    press(&mut app, "5");
    assert!(app.table.moves().is_empty() && app.picked.is_some());
    press(&mut app, "3");
    assert_eq!(app.table.moves(), ["5-3x1"]);
    press(&mut app, "t");
    assert_eq!(app.table.moves().len(), 2);
    assert_eq!(keys(&app), before);
    // Home is F; what cannot be done is said.
    press(&mut app, "2f");
    assert_eq!(app.table.moves().len(), 3);
    press(&mut app, "2f");
    assert!(
        app.message.contains("no card goes") || app.message.contains("nothing"),
        "{}",
        app.message
    );
    assert_eq!(app.table.moves().len(), 3);
}

#[test]
fn a_cursor_goes_over_the_table_and_the_mouse_chooses() {
    let mut app = app("klondike(draw=1)", "seed:7");
    press(&mut app, "→");
    assert!(app.cursor.is_some());
    let mut seen = std::collections::HashSet::new();
    for _ in 0..8 {
        press(&mut app, "→");
        seen.insert(format!("{:?}", app.cursor));
    }
    assert!(seen.len() > 3, "{seen:?}");
    press(&mut app, "↓");
    for _ in 0..8 {
        press(&mut app, "←");
    }
    // The mouse on the stock turns it.
    let area = ratatui::layout::Rect::new(0, 0, 100, 24);
    let Some(Hit::Table(stock)) = super::draw::at(&app, area, 1, 2) else {
        panic!("the stock lies there");
    };
    app.choose(&stock);
    assert_eq!(app.table.moves(), ["turn"]);
    assert_eq!(super::draw::at(&app, area, 99, 23), None);
    // On a board a square is a move.
    let mut board = app_of(&Setup::deal("connect-four", "1"), None, PathBuf::new());
    press(&mut board, "→→\n");
    assert_eq!(board.table.moves().len(), 1, "{}", board.message);
}

#[test]
fn a_key_plays_undo_takes_back_and_redo_plays_again() {
    let mut app = app("klondike(draw=1)", "seed:7");
    let before = picture(&app, 100, 24);
    let first = app.view.legal[0].name.clone();
    press(&mut app, "t");
    assert_eq!(app.table.moves(), [first.as_str()]);
    let after = picture(&app, 100, 24);
    assert_ne!(before, after);
    // The bar shows capitals; either case will do.
    press(&mut app, "U");
    assert_eq!(picture(&app, 100, 24), before);
    press(&mut app, "r");
    assert_eq!(picture(&app, 100, 24), after);
    // The arrows choose as well.
    press(&mut app, "u↓\n");
    assert_eq!(app.table.moves().len(), 1);
    assert_ne!(app.table.moves(), [first.as_str()]);
}

#[test]
fn hints_come_live_and_the_planner_takes_over_until_the_end() {
    let mut app = app_of(&Setup::deal("tic-tac-toe", "1"), None, PathBuf::new());
    app.thinking.time = Duration::from_millis(20);
    press(&mut app, "h");
    let wait = |app: &mut App, enough: &dyn Fn(&App) -> bool| {
        for _ in 0..1000 {
            app.tick();
            if enough(app) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("nothing happens");
    };
    wait(&mut app, &|app| app.hint.is_some() && !app.is_thinking());
    assert!(picture(&app, 100, 40).contains("★"), "{}", picture(&app, 100, 40));
    press(&mut app, "p");
    wait(&mut app, &|app| app.view.standing != patience::model::Standing::Open);
    assert!(picture(&app, 100, 24).contains("OVER"));
}

/// However high the board is, the move that the hint prefers is in sight.
#[test]
fn the_best_move_is_told_in_80_by_24() {
    for game in ["rock-sample(size=11)", "laser-tag", "tag"] {
        let mut app = app_of(&Setup::deal(game, "1"), None, PathBuf::new());
        app.thinking.time = Duration::from_millis(50);
        press(&mut app, "h");
        for _ in 0..1000 {
            app.tick();
            if app.hint.is_some() && !app.is_thinking() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let hint = app.hint.as_ref().expect("a hint");
        let best = &hint.moves[hint.best.expect("a best move")].label;
        let seen = picture(&app, 80, 24);
        let line = seen.lines().find(|line| line.contains('★')).unwrap_or_else(|| panic!("{seen}"));
        let words = best.split(' ').next().unwrap_or_default();
        assert!(line.contains(words), "{best} is not in sight:\n{seen}");
    }
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let mut first = app_of(&Setup::deal("freecell", "1"), None, path.clone());
    press(&mut first, "1a2b3cs");
    assert!(first.message.starts_with("saved to"), "{}", first.message);
    let mut second = app_of(&Setup::deal("freecell", "2"), None, path.clone());
    press(&mut second, "l");
    assert_eq!(second.table.moves(), first.table.moves());
    assert_eq!(second.view.text, first.view.text);
    std::fs::write(
        &path,
        "{\"setup\": {\"game\": \"freecell\", \"deal\": \"1\"}, \"moves\": [\"zz\"]}",
    )
    .unwrap();
    let failure = saved::load(&path).unwrap_err();
    assert!(failure.message.contains("game.json: move 1 (`zz`)"), "{}", failure.message);
}

#[test]
fn a_new_game_is_the_next_deal() {
    let mut app = app("klondike", "seed:7");
    press(&mut app, "n");
    assert_eq!(app.table.setup().deal.as_deref(), Some("seed:8"));
}

#[test]
fn a_move_keeps_its_key_all_game_long() {
    let mut app = app("connect-four", "1");
    let key = |app: &App, name: &str| app.keys.of(name).unwrap();
    let names: Vec<String> = app.view.legal.iter().map(|m| m.name.clone()).collect();
    let keys: String = names.iter().map(|name| key(&app, name)).collect();
    assert_eq!(keys, "1234567");
    // A column that is full takes nothing from the others.
    press(&mut app, "222222");
    assert_eq!(app.view.legal.len(), 6);
    press(&mut app, "2");
    assert_eq!(app.table.moves().len(), 6);
    press(&mut app, "3");
    assert_eq!(app.table.moves().last(), Some(&names[2]));
}

#[test]
fn a_move_without_a_key_is_typed_by_its_name_or_its_square() {
    let mut app = app("battleship", "1");
    assert_eq!(app.view.legal.len(), 100);
    let top = app.view.legal[0].name.clone();
    assert_eq!(top, "a10");
    let last = app.view.legal.last().unwrap().name.clone();
    assert_eq!(app.keys.of(&last), None);
    press(&mut app, &format!("/{last}\n"));
    assert_eq!(app.table.moves(), [last.as_str()]);
    // Commands are letters of names while a move is typed; Escape and Backspace take back.
    press(&mut app, "/hq");
    assert!(!app.over && picture(&app, 80, 24).contains("Enter: hq_"));
    app.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
    press(&mut app, "3\n");
    assert_eq!(app.table.moves(), [last.as_str(), "h3"]);
    press(&mut app, "/z99\n");
    assert!(app.message.contains("no move is called z99"), "{}", app.message);
    press(&mut app, "/a");
    app.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    assert_eq!((app.typed.as_deref(), app.table.moves().len()), (None, 2));
    // By a square whose move has another name.
    let mut life = app_of(&Setup::deal("game-of-life", "1"), None, PathBuf::new());
    press(&mut life, "/b3\n");
    assert_eq!(life.table.moves(), ["set b3"]);
}

#[test]
fn the_mouse_plays_from_the_list() {
    let mut app = app("battleship", "1");
    let shown = picture(&app, 80, 24);
    let label = app.view.legal[2].label.label.clone();
    let (y, line) = shown.lines().enumerate().find(|(_, line)| line.contains(&label)).unwrap();
    let x = line.chars().count() - 20;
    let area = ratatui::layout::Rect::new(0, 0, 80, 24);
    let hit = super::draw::at(&app, area, x as u16, y as u16);
    assert_eq!(hit, Some(Hit::Listed(2)), "{shown}");
    app.play_listed(2);
    assert_eq!(app.table.moves(), ["c10"]);
}

#[test]
fn the_keys_of_commands_are_not_cut() {
    for width in [60, 80, 100] {
        let shown = picture(&app("klondike", "seed:7"), width, 30);
        let bar = shown.lines().last().unwrap();
        assert!(["mouse", "Enter", "move"].iter().any(|word| bar.ends_with(word)), "{bar}");
    }
}

#[test]
fn long_numbers_are_whole_on_their_squares() {
    let rows =
        vec![vec!["131072".to_owned(), "16384".to_owned()], vec![String::new(), "2".to_owned()]];
    let scene = patience::model::Scene::Grid { rows, text: String::new(), seen: String::new() };
    let text: Vec<String> =
        super::picture::picture(&scene, 24).lines.iter().map(ToString::to_string).collect();
    assert!(text[1].contains("131072") && text[1].contains("16384"), "{text:?}");
}
