//! What happens at a key: the game in the terminal without the terminal.

use std::path::PathBuf;

use patience::model::{PileKind, Scene, Standing};
use patience::{Deals, Hint, LegalMove, Setup, Table, View, registry};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::picture::At;
use super::thinker::{Thinker, Told};
use super::{Thinking, saved};

/// The keys of moves, in order: those that are no command.
const KEYS: &str = "1234567890abcdefgijkmotvwxyz";

/// Which key plays which move, by the move's name. A name keeps its key all game long; only where there are
/// more names than keys does a new one take that of a move which is not legal now.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<(char, String)>);

impl Keys {
    fn add(&mut self, legal: &[LegalMove]) {
        for m in legal {
            if self.of(&m.name).is_some() {
                continue;
            }
            match KEYS.chars().nth(self.0.len()) {
                Some(key) => self.0.push((key, m.name.clone())),
                None => {
                    let idle =
                        |(_, name): &&mut (char, String)| legal.iter().all(|m| m.name != *name);
                    let Some((_, name)) = self.0.iter_mut().find(idle) else { return };
                    name.clone_from(&m.name);
                }
            }
        }
    }

    /// The key of a move.
    pub(super) fn of(&self, name: &str) -> Option<char> {
        self.0.iter().find(|(_, other)| other == name).map(|(key, _)| *key)
    }

    fn name(&self, key: char) -> Option<&str> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, name)| name.as_str())
    }
}

pub(super) struct App {
    pub(super) table: Table,
    pub(super) view: View,
    pub(super) undone: Vec<String>,
    pub(super) chosen: usize,
    pub(super) keys: Keys,
    /// What was typed of a move's name or of a square, while it is typed.
    pub(super) typed: Option<String>,
    /// Where the cursor is on the table; nowhere while moves are chosen from the list.
    pub(super) cursor: Option<At>,
    /// What was picked up, to be put down elsewhere.
    pub(super) picked: Option<At>,
    pub(super) hint: Option<Hint>,
    pub(super) thinking: Thinking,
    thinker: Option<Thinker>,
    /// The planner plays.
    pub(super) takes_over: bool,
    pub(super) message: String,
    save: PathBuf,
    pub(super) over: bool,
}

/// The square of a name such as `b3`, whose row is counted from below.
fn square(name: &str, rows: usize) -> Option<(u8, u8)> {
    let mut letters = name.chars();
    let column = u8::try_from(letters.next()?.to_ascii_lowercase()).ok()?.checked_sub(b'a')?;
    let row = rows.checked_sub(letters.as_str().parse().ok()?)?;
    Some((column, u8::try_from(row).ok()?))
}

/// What is seen of a table. Of a card's moves to free cells one is enough to choose from.
fn seen(table: &Table) -> View {
    let mut view = table.view();
    let mut from = None;
    let Scene::Cards { piles } = &view.scene else { return view };
    let cells: Vec<&String> =
        piles.iter().filter(|pile| pile.kind == PileKind::Cell).map(|pile| &pile.id).collect();
    view.legal.retain(|m| {
        let to_cell = m.label.to.as_ref().is_some_and(|to| cells.contains(&to));
        !to_cell || std::mem::replace(&mut from, m.label.from.clone()) != m.label.from
    });
    view
}

impl App {
    pub(super) fn new(table: Table, thinking: Thinking, takes_over: bool, save: PathBuf) -> Self {
        let view = seen(&table);
        let mut keys = Keys::default();
        keys.add(&view.legal);
        App {
            table,
            view,
            undone: Vec::new(),
            chosen: 0,
            keys,
            typed: None,
            cursor: None,
            picked: None,
            hint: None,
            thinking,
            thinker: None,
            takes_over,
            message: String::new(),
            save,
            over: false,
        }
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.thinker.is_some()
    }

    /// The position has changed.
    fn changed(&mut self) {
        self.view = seen(&self.table);
        self.thinker = None;
        self.hint = None;
        self.chosen = 0;
        self.picked = None;
        self.keys.add(&self.view.legal);
        self.keep_cursor();
    }

    /// Another game is on the table.
    fn opened(&mut self, table: Table) {
        (self.table, self.undone, self.keys) = (table, Vec::new(), Keys::default());
        self.changed();
    }

    /// Plays the move of the list with this number.
    pub(super) fn play_listed(&mut self, place: usize) {
        if let Some(chosen) = self.view.legal.get(place) {
            let name = chosen.name.clone();
            self.play(&name);
        }
    }

    /// A key while a move is typed: its name, or a square that stands for it.
    fn type_on(&mut self, code: KeyCode, mut typed: String) {
        match code {
            KeyCode::Enter => {
                let place = self.typed_move(typed.trim());
                match place {
                    Some(place) => self.play_listed(place),
                    None => self.message = format!("no move is called {typed}"),
                }
                return;
            }
            KeyCode::Esc => return,
            KeyCode::Backspace => {
                typed.pop();
            }
            KeyCode::Char(letter) => typed.push(letter),
            _ => {}
        }
        self.typed = Some(typed);
    }

    fn typed_move(&self, typed: &str) -> Option<usize> {
        let legal = &self.view.legal;
        let called = |m: &LegalMove| m.name.eq_ignore_ascii_case(typed);
        legal.iter().position(called).or_else(|| {
            let Scene::Grid { rows, .. } = &self.view.scene else { return None };
            let square = square(typed, rows.len())?;
            let mut there =
                legal.iter().enumerate().filter(|(_, m)| m.label.cells.contains(&square));
            // Of several moves of a square none is meant more than the others.
            let (place, _) = there.next()?;
            there.next().is_none().then_some(place)
        })
    }

    pub(super) fn play(&mut self, name: &str) {
        match self.table.play(name) {
            Ok(()) => {
                if self.undone.last().is_some_and(|last| last == name) {
                    self.undone.pop();
                } else {
                    self.undone.clear();
                }
                self.message.clear();
                self.changed();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    fn think(&mut self) {
        if self.view.standing == Standing::Open {
            self.hint = None;
            self.thinker = Some(Thinker::start(&self.table, &self.thinking));
        }
    }

    /// What goes on without a key: a search tells, a planner plays. `true` if something changed.
    pub(super) fn tick(&mut self) -> bool {
        if self.takes_over && self.thinker.is_none() && self.hint.is_none() {
            if self.view.standing == Standing::Open {
                self.think();
                return true;
            }
            self.takes_over = false;
        }
        let mut changed = false;
        while let Some(told) = self.thinker.as_ref().and_then(Thinker::told) {
            changed = true;
            match told {
                Told::Now(hint) => self.hint = Some(*hint),
                Told::Done(done) => {
                    self.thinker = None;
                    match done {
                        Ok(hint) => self.thought(*hint),
                        Err(error) => {
                            (self.message, self.takes_over) = (error, false);
                        }
                    }
                }
            }
        }
        changed
    }

    /// A search is over.
    fn thought(&mut self, hint: Hint) {
        let best = hint.best.map(|best| hint.moves[best].clone());
        self.hint = Some(hint);
        if !self.takes_over {
            return;
        }
        match best.filter(|best| !best.again) {
            Some(best) => {
                for name in &best.moves {
                    self.play(name);
                }
            }
            None => {
                self.takes_over = false;
                "the planner found no move that leads on".clone_into(&mut self.message);
            }
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        // The bar shows capitals; either case will do.
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        if let Some(typed) = self.typed.take().filter(|_| !control) {
            self.type_on(key.code, typed);
            return;
        }
        match code {
            KeyCode::Char('c') if control => self.over = true,
            KeyCode::Char('/') => {
                self.typed = Some(String::new());
                self.message.clear();
            }
            KeyCode::Char('q') => self.over = true,
            KeyCode::Esc => {
                (self.takes_over, self.thinker) = (false, None);
                (self.cursor, self.picked) = (None, None);
            }
            KeyCode::Char('u') | KeyCode::Backspace => {
                self.takes_over = false;
                if let Some(last) = self.table.undo() {
                    self.undone.push(last);
                    self.changed();
                }
            }
            KeyCode::Char('r') => {
                if let Some(next) = self.undone.last().cloned() {
                    self.play(&next);
                }
            }
            KeyCode::Char('h') => self.think(),
            KeyCode::Char('p') => {
                self.takes_over = !self.takes_over;
                (self.hint, self.thinker) = (None, None);
            }
            KeyCode::Char('s') => {
                let path = self.save.display().to_string();
                self.message = match saved::save(&self.table, &self.save) {
                    Ok(()) => format!("saved to {path}"),
                    Err(failure) => failure.message,
                };
            }
            KeyCode::Char('l') => match saved::load(&self.save) {
                Ok(table) => {
                    self.opened(table);
                    self.message = format!("loaded from {}", self.save.display());
                }
                Err(failure) => self.message = failure.message,
            },
            KeyCode::Char('n') => self.new_game(),
            KeyCode::Left => self.go(-1, 0),
            KeyCode::Right => self.go(1, 0),
            KeyCode::Up if self.cursor.is_some() => self.go(0, -1),
            KeyCode::Down if self.cursor.is_some() => self.go(0, 1),
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => {
                self.chosen = (self.chosen + 1).min(self.view.legal.len().saturating_sub(1));
            }
            KeyCode::Enter | KeyCode::Char(' ') if self.cursor.is_some() => {
                if let Some(at) = self.cursor.clone() {
                    self.choose(&at);
                }
            }
            KeyCode::Enter => self.play_listed(self.chosen),
            KeyCode::Char(letter) if matches!(self.view.scene, Scene::Cards { .. }) => {
                self.pile_key(letter);
            }
            KeyCode::Char(letter) => {
                let place = |name| self.view.legal.iter().position(|m| m.name == name);
                if let Some(place) = self.keys.name(letter).and_then(place) {
                    self.play_listed(place);
                }
            }
            _ => {}
        }
    }

    /// The next deal.
    fn new_game(&mut self) {
        let old = self.table.setup();
        let deal = old.deal.as_deref().unwrap_or("0");
        let numbered = matches!(self.table.state().game().info().deals, Deals::Numbers(_));
        let (prefix, digits) = match deal.strip_prefix("seed:") {
            Some(digits) => ("seed:", digits),
            None if numbered => ("", deal),
            None => ("seed:", deal),
        };
        let next = digits.parse::<u64>().map_or(1, |number| number.wrapping_add(1));
        let setup = Setup { position: None, deal: Some(format!("{prefix}{next}")), ..old.clone() };
        match Table::open(registry(), &setup, &[]) {
            Ok(table) => {
                self.opened(table);
                self.message = format!("deal {prefix}{next}");
            }
            Err(error) => self.message = error.to_string(),
        }
    }
}
