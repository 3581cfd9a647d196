//! What is seen in the terminal.

use patience::model::{Scene, Standing};
use patience::{LegalMove, Measure, MoveAdvice};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::app::App;
use super::picture::{At, Picture, key_of, picture};

/// Columns that the moves need beside the board.
const SIDE: u16 = 26;
/// Rows that they need below it.
const BELOW: u16 = 5;

/// Where things are on a screen of this size.
struct Plan {
    head: Rect,
    board: Rect,
    side: Rect,
    message: Rect,
    keys: Rect,
    picture: Picture,
}

/// The plan, or the size that the board needs.
fn plan(app: &App, area: Rect) -> Result<Plan, (u16, u16)> {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, body, message, keys] = rows.areas(area);
    let picture = picture(&app.view.scene, body.height);
    let (width, height) = (picture.width(), picture.height());
    let text = matches!(app.view.scene, Scene::Text { .. });
    // What the board does not need is for the moves, whose words are long.
    let [board, side] = if height <= body.height && body.width >= width.saturating_add(SIDE) {
        Layout::horizontal([Constraint::Length(width + 1), Constraint::Min(SIDE - 1)]).areas(body)
    } else if text || (body.width >= width && body.height >= height.saturating_add(BELOW)) {
        let high = if text { body.height / 2 } else { height };
        Layout::vertical([Constraint::Length(high), Constraint::Min(1)]).areas(body)
    } else if body.width >= width && body.height >= height {
        [body, Rect::default()]
    } else {
        return Err((width.max(24), height + 3));
    };
    Ok(Plan { head, board, side, message, keys, picture })
}

pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let plan = match plan(app, area) {
        Ok(plan) => plan,
        Err((width, height)) => {
            let text = format!(
                "This window has {}×{} characters; {} needs {width}×{height}. Make it larger, or Q to quit.",
                area.width, area.height, app.view.title
            );
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            return;
        }
    };
    frame.render_widget(Paragraph::new(title(app)), plan.head);
    let marked = plan.picture.marked(app.cursor.as_ref(), app.picked.as_ref());
    frame.render_widget(Paragraph::new(marked.lines).wrap(Wrap { trim: false }), plan.board);
    sides(frame, app, plan.side);
    let message = match &app.typed {
        Some(typed) => format!("a move or a square, then Enter: {typed}_"),
        None => app.message.clone(),
    };
    frame.render_widget(Paragraph::new(message), plan.message);
    // The longest that there is room for.
    let fits = |text: &&&str| text.chars().count() <= usize::from(area.width);
    let text = BARS.iter().find(fits).copied().unwrap_or_default();
    frame.render_widget(Paragraph::new(text).style(Style::new().dim()), plan.keys);
}

/// The keys of commands, in so many words as there is room for.
const BARS: [&str; 3] = [
    "U undo R redo H hint P planner S save L load N new Q quit / type a move ↑↓←→ Enter mouse",
    "U undo R redo H hint P planner S save L load N new Q quit / move ↑↓←→ Enter",
    "U undo R redo H hint N new Q quit / move",
];

/// What a click means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// A place on the table.
    Table(At),
    /// A move of the list.
    Listed(usize),
}

/// What lies at a place of the screen, for the mouse.
pub(super) fn at(app: &App, area: Rect, x: u16, y: u16) -> Option<Hit> {
    let Plan { board, side, picture, .. } = plan(app, area).ok()?;
    let list = listed(app, side).inner;
    if list.contains(Position { x, y }) {
        let rows = listed(app, side).rows;
        return rows.get(usize::from(y - list.y)).map(|(place, _)| Hit::Listed(*place));
    }
    if !board.contains(Position { x, y }) {
        return None;
    }
    let (x, y) = (x - board.x, y - board.y);
    let hit =
        |spot: &&super::picture::Spot| spot.y == y && (spot.x..spot.x + spot.width).contains(&x);
    picture.spots.iter().find(hit).map(|spot| Hit::Table(spot.at.clone()))
}

fn title(app: &App) -> Line<'static> {
    let view = &app.view;
    let deal = view.deal.as_ref().map_or(String::new(), |deal| format!(", deal {deal}"));
    let score = format!(", {} {}", view.scored.to_lowercase(), view.score);
    let standing = match view.standing {
        Standing::Won => "  WON",
        Standing::Over => "  OVER",
        Standing::Open if app.takes_over => "  planner plays",
        Standing::Open => "",
    };
    let text = format!("{}{deal}: {} moves{score}{standing}", view.title, view.moves.len());
    Line::from(text).style(Style::new().bold())
}

/// The keys that play a move: those of its piles, the same all game long, or one from the list.
fn keys(app: &App, m: &LegalMove) -> String {
    let Scene::Cards { piles } = &app.view.scene else {
        return app.keys.of(&m.name).map_or(String::new(), String::from);
    };
    let key = |pile: &Option<String>| pile.as_ref().and_then(|id| key_of(piles, id));
    match (key(&m.label.from), key(&m.label.to)) {
        (Some('t'), _) | (_, Some('t')) => "t".to_owned(),
        (Some(from), Some(_)) if app.goes_one_way() => from.to_string(),
        (Some(from), Some(to)) => format!("{from}{to}"),
        _ => String::new(),
    }
}

/// A label in lines of this width, what follows the first one indented.
fn wrapped(head: &str, label: &str, width: usize) -> Vec<String> {
    let indent = head.chars().count();
    let mut lines = vec![head.to_owned()];
    for word in label.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        let used = line.chars().count();
        let gap = usize::from(used > indent);
        if used + gap + word.chars().count() > width && used > indent {
            lines.push(format!("{:indent$}{word}", ""));
        } else {
            if gap == 1 {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// The list of moves: where it is, and its lines with the number of the move that each belongs to.
struct Listed {
    above: Rect,
    inner: Rect,
    below: Rect,
    rows: Vec<(usize, String)>,
}

fn listed(app: &App, area: Rect) -> Listed {
    let hints = app.hint.is_some() || app.is_thinking();
    let share = if hints { 50 } else { 100 };
    let halves = [Constraint::Percentage(share), Constraint::Percentage(100 - share)];
    let [above, below] = Layout::vertical(halves).areas(area);
    let inner = Block::bordered().inner(above);
    let (width, room) = (usize::from(inner.width), usize::from(inner.height));
    let lines = |m: &LegalMove| wrapped(&format!(" {:<2} ", keys(app, m)), &m.label.label, width);
    let rows: Vec<Vec<String>> = app.view.legal.iter().map(lines).collect();
    // The chosen one is in sight.
    let mut first = 0;
    let high =
        |from: usize| -> usize { rows.iter().take(app.chosen + 1).skip(from).map(Vec::len).sum() };
    while first < app.chosen && high(first) > room {
        first += 1;
    }
    let numbered = rows.into_iter().enumerate().skip(first);
    let flat = numbered.flat_map(|(place, lines)| lines.into_iter().map(move |line| (place, line)));
    Listed { above, inner, below, rows: flat.take(room).collect() }
}

/// The moves with their keys, and below them what the planner thinks.
fn sides(frame: &mut Frame<'_>, app: &App, area: Rect) {
    if area.width < 8 || area.height < 3 {
        return;
    }
    let Listed { above, below, rows, .. } = listed(app, area);
    let styled = |(place, line): (usize, String)| match place == app.chosen && app.cursor.is_none()
    {
        true => Line::from(line).style(Style::new().add_modifier(Modifier::REVERSED)),
        false => Line::from(line),
    };
    let lines: Vec<Line<'static>> = rows.into_iter().map(styled).collect();
    let block = Block::bordered().title(format!("{} moves", app.view.legal.len()));
    frame.render_widget(Paragraph::new(lines).block(block), above);
    if app.hint.is_some() || app.is_thinking() {
        let block = Block::bordered().title(if app.is_thinking() { "thinking" } else { "hint" });
        frame.render_widget(
            Paragraph::new(thoughts(app)).wrap(Wrap { trim: false }).block(block),
            below,
        );
    }
}

/// What is thought of the moves, the best one first: there may be room for one line only.
fn thoughts(app: &App) -> Vec<Line<'static>> {
    let Some(hint) = &app.hint else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(lost) = &hint.lost {
        lines.push(Line::from(format!("lost: {lost}")).style(Style::new().red()));
    }
    let is_best = |place: &usize| Some(*place) == hint.best;
    let (first, others): (Vec<usize>, Vec<usize>) = (0..hint.moves.len()).partition(is_best);
    for place in first.into_iter().chain(others) {
        let (m, best) = (&hint.moves[place], is_best(&place));
        let mark = if best { "★" } else { " " };
        let text = format!("{mark} {:>18}  {}", worth(hint.measure, m), m.label);
        let style = if best { Style::new().bold().yellow() } else { Style::new() };
        lines.push(Line::from(text).style(style));
        if let Some(why) = hint.why.as_ref().filter(|_| best) {
            lines.push(Line::from(format!("  {why}")).style(Style::new().dim()));
        }
    }
    let stats = &hint.advice.stats;
    let counts = format!("{} iterations, {:.1} s", stats.counts.iterations, stats.seconds);
    lines.push(Line::from(counts).style(Style::new().dim()));
    lines
}

/// The value with its interval.
fn worth(measure: Measure, m: &MoveAdvice) -> String {
    let show = |value: f64| match measure {
        Measure::WinProbability => format!("{:.1}%", 100.0 * value),
        Measure::StepsToGo | Measure::Score => format!("{value:.0}"),
        Measure::Value => format!("{value:.3}"),
    };
    let between = match (m.low, m.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", show(low), show(high)),
        _ => String::new(),
    };
    match m.value {
        _ if m.loses => "loses".to_owned(),
        Some(value) => show(value) + &between,
        None => m.low.map_or("-".to_owned(), |low| format!("≥ {}", show(low))),
    }
}
