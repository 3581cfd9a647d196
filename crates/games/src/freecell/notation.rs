//! Solutions as text: standard notation (`26 3a bh`), and numbered steps.

use std::fmt::{self, Write as _};

use super::{Board, Card, Metric, Rules, validator};

/// Where a card can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A column, from 0.
    Column(u8),
    /// A cell, from 0.
    Cell(u8),
    /// The foundations.
    Home,
}

impl Place {
    /// The letter of standard notation: `1` to `9` and `0` for columns, `a` to `g` and from `i`
    /// on for cells, `h` for home.
    pub fn letter(self) -> char {
        match self {
            Place::Column(9) => '0',
            Place::Column(n) => char::from(b'1' + n),
            Place::Cell(n) => char::from(b'a' + n + u8::from(n >= 7)),
            Place::Home => 'h',
        }
    }

    fn from_letter(letter: char) -> Option<Place> {
        Some(match letter {
            '0' => Place::Column(9),
            '1'..='9' => Place::Column(letter as u8 - b'1'),
            'h' => Place::Home,
            'a'..='g' => Place::Cell(letter as u8 - b'a'),
            'i'..='m' => Place::Cell(letter as u8 - b'a' - 1),
            _ => return None,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Column(n) => write!(f, "column {}", n + 1),
            Place::Cell(_) => write!(f, "cell {}", self.letter()),
            Place::Home => f.write_str("home"),
        }
    }
}

/// One move on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the cards come from.
    pub from: Place,
    /// Where they go.
    pub to: Place,
    /// How many they are.
    pub count: u8,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from.letter(), self.to.letter())?;
        if self.count > 1 { write!(f, "v{}", self.count) } else { Ok(()) }
    }
}

/// Why a text is not a solution, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, step {step} (“{word}”): {fault}")]
pub struct NotationError {
    /// Line of the text, from 1.
    pub line: usize,
    /// Which step, from 1.
    pub step: usize,
    /// What was read.
    pub word: String,
    /// What is wrong with it.
    pub fault: NotationFault,
}

/// What can be wrong with a step's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationFault {
    /// Not like `26`, `3a`, `bh`, `26v4`.
    #[error("steps are written like 26, 3a, bh or 26v4")]
    NotAStep,
    /// Not like `3. 7H x2: column 1 -> column 4`.
    #[error("numbered steps are written like “3. 7H x2: column 1 -> column 4”")]
    NotANumberedStep,
    /// The steps are numbered in another order.
    #[error("this should be step {0}")]
    Number(usize),
    /// The card named is not the one that the step moves.
    #[error("the step moves {0}")]
    Moves(String),
    /// The step breaks a rule.
    #[error(transparent)]
    Rule(#[from] validator::Fault),
}

/// How many cards a step without a number moves: onto a card as many as make the run fit, into an
/// empty column as many as can go.
fn usual_count(rules: &Rules, metric: Metric, board: &Board, from: Place, to: Place) -> u8 {
    let (Place::Column(from), Place::Column(to)) = (from, to) else { return 1 };
    let (from, to) = (usize::from(from), usize::from(to));
    if metric == Metric::Single || from.max(to) >= board.columns.len() {
        return 1;
    }
    let run = board.run(rules, from);
    match board.columns[to].last() {
        None => run.min(validator::limit(rules, metric, board, true)).max(1) as u8,
        Some(&target) => {
            let cards = &board.columns[from];
            let fits = |&n: &usize| rules.builds(cards[cards.len() - n], target);
            (1..=run).find(fits).unwrap_or(1) as u8
        }
    }
}

/// The steps in standard notation, ten to a line; every foundation move is written. Runs of more
/// than one card, and moves that would be read as another number of cards, have a suffix such as
/// `v4`.
///
/// The steps must keep to the rules.
pub fn standard(rules: &Rules, metric: Metric, board: &Board, steps: &[Step]) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        match number {
            0 => {}
            n if n % 10 == 0 => text.push('\n'),
            _ => text.push(' '),
        }
        let _ = write!(text, "{step}");
        if step.count == 1 && usual_count(rules, metric, &board, step.from, step.to) != 1 {
            text.push_str("v1");
        }
        validator::make(&mut board, step);
    }
    text
}

/// Reads standard notation: steps with blanks between them. They must keep to the rules, since
/// the number of cards depends on the position; an error says which step does not.
pub fn read_standard(
    rules: &Rules,
    metric: Metric,
    board: &Board,
    text: &str,
) -> Result<Vec<Step>, NotationError> {
    let mut board = board.clone();
    let mut steps = Vec::new();
    for (line, words) in (1..).zip(text.lines()) {
        for word in words.split_whitespace() {
            let error = |fault| NotationError {
                line,
                step: steps.len() + 1,
                word: word.chars().take(40).collect(),
                fault,
            };
            let step = standard_step(rules, metric, &board, word)
                .ok_or_else(|| error(NotationFault::NotAStep))?;
            validator::check(rules, metric, &board, &step).map_err(|f| error(f.into()))?;
            validator::make(&mut board, &step);
            steps.push(step);
        }
    }
    Ok(steps)
}

fn standard_step(rules: &Rules, metric: Metric, board: &Board, word: &str) -> Option<Step> {
    let mut letters = word.chars();
    let from = Place::from_letter(letters.next()?)?;
    let to = Place::from_letter(letters.next()?)?;
    let count = match letters.as_str() {
        "" => usual_count(rules, metric, board, from, to),
        suffix => suffix.strip_prefix('v')?.parse().ok()?,
    };
    Some(Step { from, to, count })
}

/// What a step moves: `7H`, or `7H x3` for the run of three that begins with the seven.
fn moved(board: &Board, step: &Step) -> String {
    let card: Option<Card> = match step.from {
        Place::Home => None,
        Place::Cell(n) => board.cells[usize::from(n)],
        Place::Column(n) => {
            let column = &board.columns[usize::from(n)];
            column.len().checked_sub(usize::from(step.count)).and_then(|i| column.get(i)).copied()
        }
    };
    let card = card.map_or_else(|| "nothing".to_string(), |c| c.to_string());
    if step.count > 1 { format!("{card} x{}", step.count) } else { card }
}

/// The steps one to a line, with their numbers and cards: `3. 7H x2: column 1 -> column 4`.
///
/// The steps must keep to the rules.
pub fn numbered(board: &Board, steps: &[Step]) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for (number, step) in (1..).zip(steps) {
        let moved = moved(&board, step);
        let _ = writeln!(text, "{number}. {moved}: {} -> {}", step.from, step.to);
        validator::make(&mut board, step);
    }
    text
}

/// Reads what [`numbered`] writes. Numbers, cards and rules are checked.
pub fn read_numbered(
    rules: &Rules,
    metric: Metric,
    board: &Board,
    text: &str,
) -> Result<Vec<Step>, NotationError> {
    let mut board = board.clone();
    let mut steps = Vec::new();
    for (line, word) in (1..).zip(text.lines().map(str::trim)) {
        if word.is_empty() {
            continue;
        }
        let expected = steps.len() + 1;
        let error = |fault| NotationError {
            line,
            step: expected,
            word: word.chars().take(40).collect(),
            fault,
        };
        let (number, named, step) =
            numbered_step(word).ok_or_else(|| error(NotationFault::NotANumberedStep))?;
        if number != expected {
            return Err(error(NotationFault::Number(expected)));
        }
        validator::check(rules, metric, &board, &step).map_err(|f| error(f.into()))?;
        let moved = moved(&board, &step);
        if moved != named {
            return Err(error(NotationFault::Moves(moved)));
        }
        validator::make(&mut board, &step);
        steps.push(step);
    }
    Ok(steps)
}

fn numbered_step(line: &str) -> Option<(usize, &str, Step)> {
    let (number, rest) = line.split_once('.')?;
    let (named, places) = rest.split_once(':')?;
    let (from, to) = places.split_once("->")?;
    let place = |text: &str| -> Option<Place> {
        let mut words = text.split_whitespace();
        let place = match (words.next()?, words.next()) {
            ("column", Some(n)) => Place::Column(n.parse::<u8>().ok()?.checked_sub(1)?),
            ("cell", Some(letter)) if letter.len() == 1 => {
                Place::from_letter(letter.chars().next()?)?
            }
            ("home", None) => Place::Home,
            _ => return None,
        };
        words.next().is_none().then_some(place)
    };
    let named = named.trim();
    let count = match named.split_once(" x") {
        Some((_, n)) => n.parse().ok()?,
        None => 1,
    };
    let step = Step { from: place(from)?, to: place(to)?, count };
    Some((number.trim().parse().ok()?, named, step))
}
