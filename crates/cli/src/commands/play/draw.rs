//! What is seen in the terminal.

use patience::model::{Pile, PileKind, Scene, Standing};
use patience::{Measure, MoveAdvice};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::app::{App, KEYS};

/// Columns that the moves need beside the board.
const SIDE: u16 = 38;

pub(super) fn draw(frame: &mut Frame<'_>, app: &App) {
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(8),
        Constraint::Length(1),
        Constraint::Length(1),
    ]);
    let [head, body, message, keys] = rows.areas(frame.area());
    frame.render_widget(Paragraph::new(title(app)), head);
    let scene = scene(&app.view.scene);
    let width = scene.iter().map(Line::width).max().unwrap_or(0) as u16;
    // What the board does not need is for the moves, whose words are long.
    let [board, side] = if body.width >= width.saturating_add(SIDE) {
        Layout::horizontal([Constraint::Length(width + 1), Constraint::Min(SIDE - 1)]).areas(body)
    } else {
        Layout::vertical([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(body)
    };
    frame.render_widget(Paragraph::new(scene).wrap(Wrap { trim: false }), board);
    sides(frame, app, side);
    frame.render_widget(Paragraph::new(app.message.as_str()), message);
    let text = "U undo  R redo  H hint  P planner  S save  L load  N new  Q quit  ↑↓ Enter";
    frame.render_widget(Paragraph::new(text).style(Style::new().dim()), keys);
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

/// The moves with their keys, and below them what the planner thinks.
fn sides(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let hints = app.hint.is_some() || app.is_thinking();
    let share = if hints { 50 } else { 100 };
    let halves = [Constraint::Percentage(share), Constraint::Percentage(100 - share)];
    let [above, below] = Layout::vertical(halves).areas(area);
    let room = usize::from(above.height.saturating_sub(2)).max(1);
    let first = (app.chosen + 1).saturating_sub(room);
    let lines = app.view.legal.iter().enumerate().skip(first).take(room).map(|(place, m)| {
        let key = KEYS.chars().nth(place).unwrap_or(' ');
        let style = match place == app.chosen {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        Line::from(format!(" {key}  {}", m.label.label)).style(style)
    });
    let block = Block::bordered().title(format!("{} moves", app.view.legal.len()));
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), above);
    if hints {
        let block = Block::bordered().title(if app.is_thinking() { "thinking" } else { "hint" });
        frame.render_widget(
            Paragraph::new(thoughts(app)).wrap(Wrap { trim: true }).block(block),
            below,
        );
    }
}

fn thoughts(app: &App) -> Vec<Line<'static>> {
    let Some(hint) = &app.hint else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(lost) = &hint.lost {
        lines.push(Line::from(format!("lost: {lost}")).style(Style::new().red()));
    }
    let stats = &hint.advice.stats;
    let counts = format!("{} iterations, {:.1} s", stats.counts.iterations, stats.seconds);
    lines.push(Line::from(counts).style(Style::new().dim()));
    for (place, m) in hint.moves.iter().enumerate() {
        let best = Some(place) == hint.best;
        let mark = if best { "★" } else { " " };
        let text = format!("{mark} {:>18}  {}", worth(hint.measure, m), m.label);
        let style = if best { Style::new().bold().yellow() } else { Style::new() };
        lines.push(Line::from(text).style(style));
    }
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

fn scene(scene: &Scene) -> Vec<Line<'static>> {
    match scene {
        Scene::Cards { piles } => cards(piles),
        Scene::Tiles { width, height, columns } => tiles(*width, *height, columns),
        Scene::Text { text, seen } => {
            let mut lines: Vec<Line<'static>> =
                text.lines().map(|line| Line::from(line.to_owned())).collect();
            if !seen.is_empty() {
                lines.extend([Line::default(), Line::from(format!("seen: {seen}"))]);
            }
            lines
        }
    }
}

/// A card in four characters: `10♥ `, `▒▒▒ ` face down.
fn card(text: &str) -> Span<'static> {
    if text == "??" {
        return Span::styled("▒▒▒ ", Style::new().fg(Color::Blue));
    }
    let (rank, suit) = text.split_at(text.len().saturating_sub(1));
    let rank = if rank == "T" { "10" } else { rank };
    let (sign, colour) = match suit {
        "H" => ('♥', Color::LightRed),
        "D" => ('♦', Color::LightMagenta),
        "C" => ('♣', Color::LightCyan),
        _ => ('♠', Color::White),
    };
    Span::styled(format!("{rank:>2}{sign} "), Style::new().fg(colour).bold())
}

fn empty() -> Span<'static> {
    Span::styled(" ·  ", Style::new().dim())
}

fn cards(piles: &[Pile]) -> Vec<Line<'static>> {
    let mut top: Vec<Span<'static>> = Vec::new();
    for pile in piles {
        match pile.kind {
            PileKind::Stock => {
                let count = pile.cards.len();
                let text =
                    if count == 0 { "[ ⟲ ]".to_owned() } else { format!("[▒{count:>2}]") };
                top.extend([Span::styled(text, Style::new().fg(Color::Blue)), Span::raw("  ")]);
            }
            PileKind::Waste => {
                let shown = pile.cards.len().saturating_sub(3);
                top.extend(pile.cards[shown..].iter().map(|text| card(text)));
                top.extend((pile.cards.len()..3).map(|_| Span::raw("    ")));
                top.push(Span::raw("  "));
            }
            PileKind::Cell => top.push(pile.cards.last().map_or_else(empty, |text| card(text))),
            PileKind::Foundation | PileKind::Column => {}
        }
    }
    top.push(Span::raw("  │ "));
    for pile in piles.iter().filter(|pile| pile.kind == PileKind::Foundation) {
        let suit = pile.id.trim_start_matches('f');
        let nothing = || card(&format!("-{suit}"));
        top.push(pile.cards.last().map_or_else(nothing, |text| card(text)));
    }
    let mut lines = vec![Line::default(), Line::from(top), Line::default()];
    let columns: Vec<&Pile> = piles.iter().filter(|p| p.kind == PileKind::Column).collect();
    let numbers =
        (1..=columns.len()).map(|n| Span::styled(format!("{n:>2}  "), Style::new().dim()));
    lines.push(Line::from(numbers.collect::<Vec<_>>()));
    let longest = columns.iter().map(|pile| pile.cards.len()).max().unwrap_or(0).max(1);
    for row in 0..longest {
        let spans = columns.iter().map(|pile| match pile.cards.get(row) {
            Some(text) => card(text),
            None if row == 0 => empty(),
            None => Span::raw("    "),
        });
        lines.push(Line::from(spans.collect::<Vec<_>>()));
    }
    lines
}

const COLOURS: [Color; 10] = [
    Color::Yellow,
    Color::LightBlue,
    Color::Green,
    Color::LightMagenta,
    Color::Red,
    Color::Cyan,
    Color::White,
    Color::LightGreen,
    Color::LightRed,
    Color::Gray,
];

fn tiles(width: usize, height: usize, columns: &[Vec<u8>]) -> Vec<Line<'static>> {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEF";
    let mut lines = Vec::new();
    for row in (0..height).rev() {
        let mut spans = vec![Span::styled(format!("{:>2} ", row + 1), Style::new().dim())];
        for column in 0..width {
            spans.push(match columns.get(column).and_then(|tiles| tiles.get(row)) {
                Some(&colour) => {
                    let background = COLOURS[usize::from(colour) % COLOURS.len()];
                    Span::styled(
                        format!(" {colour} "),
                        Style::new().fg(Color::Black).bg(background),
                    )
                }
                None => Span::raw("   "),
            });
        }
        lines.push(Line::from(spans));
    }
    let names: String = letters.chars().take(width).map(|letter| format!(" {letter} ")).collect();
    lines.push(Line::from(format!("   {names}")).style(Style::new().dim()));
    lines
}
