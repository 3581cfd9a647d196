//! A scene as lines of text, with where on it things can be chosen.

use patience::model::{Pile, PileKind, Scene};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// Where something can be chosen: a card of a pile with all that lies on it, or a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// The card at this place of a pile; 0 of an empty one.
    Pile(String, usize),
    /// A column and a row as moves count them.
    Square(u8, u8),
}

/// A place on the picture that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) at: At,
}

/// A scene as lines of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) lines: Vec<Line<'static>>,
    pub(super) spots: Vec<Spot>,
}

impl Picture {
    pub(super) fn width(&self) -> u16 {
        self.lines.iter().map(Line::width).max().unwrap_or(0) as u16
    }

    pub(super) fn height(&self) -> u16 {
        self.lines.len() as u16
    }

    /// The same with the chosen places marked: where the cursor is, and what was picked up.
    pub(super) fn marked(mut self, cursor: Option<&At>, picked: Option<&At>) -> Picture {
        for spot in &self.spots {
            let style = if Some(&spot.at) == picked {
                Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
            } else if Some(&spot.at) == cursor {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                continue;
            };
            restyle(&mut self.lines[usize::from(spot.y)], spot.x, spot.width, style);
        }
        self
    }
}

/// Marks a part of a line: its spans are cut where the part begins and ends.
fn restyle(line: &mut Line<'static>, from: u16, width: u16, style: Style) {
    let (from, to) = (usize::from(from), usize::from(from + width));
    let (mut at, mut spans) = (0, Vec::new());
    for span in std::mem::take(&mut line.spans) {
        let text: Vec<char> = span.content.chars().collect();
        let (first, last) = (from.clamp(at, at + text.len()), to.clamp(at, at + text.len()));
        let part = |a: usize, b: usize| text[a - at..b - at].iter().collect::<String>();
        let parts = [
            (at, first, span.style),
            (first, last, span.style.patch(style)),
            (last, at + text.len(), span.style),
        ];
        for (a, b, style) in parts {
            if a < b {
                spans.push(Span::styled(part(a, b), style));
            }
        }
        at += text.len();
    }
    line.spans = spans;
}

/// The keys of piles, in their order: those that are no command.
const KEYS: &str = "1234567890abcdegijkmovxyz";

/// The key that stands for a pile all game long: columns and cells in their order, T for the stock, W
/// for the waste, F for the foundations.
pub(super) fn key_of(piles: &[Pile], id: &str) -> Option<char> {
    let pile = piles.iter().find(|pile| pile.id == id)?;
    match pile.kind {
        PileKind::Stock => Some('t'),
        PileKind::Waste => Some('w'),
        PileKind::Foundation => Some('f'),
        PileKind::Column | PileKind::Cell => {
            let columns = piles.iter().filter(|pile| pile.kind == PileKind::Column);
            let cells = piles.iter().filter(|pile| pile.kind == PileKind::Cell);
            // Cells are named by letters, as in the notation of the game.
            let place = columns.chain(cells).position(|pile| pile.id == id)?;
            if pile.kind == PileKind::Cell {
                let first = piles.iter().filter(|pile| pile.kind == PileKind::Column).count();
                let letters = KEYS.chars().skip(first.max(10));
                return letters.clone().nth(place - first);
            }
            KEYS.chars().nth(place)
        }
    }
}

/// Draws a scene, no higher than there is room for if that can be.
pub(super) fn picture(scene: &Scene, room: u16) -> Picture {
    match scene {
        Scene::Cards { piles } => cards(piles, usize::from(room)),
        Scene::Tiles { width, height, columns } => tiles(*width, *height, columns),
        Scene::Grid { rows, text, seen } => {
            let mut picture = grid(rows);
            picture.lines.extend(words(text, seen));
            picture
        }
        Scene::Text { text, seen } => Picture { lines: words(text, seen), spots: Vec::new() },
    }
}

fn words(text: &str, seen: &str) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> =
        text.lines().map(|line| Line::from(line.to_owned())).collect();
    if !seen.is_empty() {
        lines.push(Line::from(format!("seen: {seen}")));
    }
    lines
}

/// Letters of a word that is short on a square, and those that are left of a longer one.
const SHORT: usize = 6;
const BEGINNING: usize = 4;

/// A board of squares: as much of what stands on each as there is room for.
fn grid(rows: &[Vec<String>]) -> Picture {
    // Numbers are never cut, nor are short words; of long ones the beginning tells them apart.
    let need = |text: &String| match text.chars().count() {
        long if long > SHORT && text.parse::<u64>().is_err() => BEGINNING,
        length => length,
    };
    let wide = rows.iter().flatten().map(need).max().unwrap_or(1).max(1);
    let dim = Style::new().dim();
    let square = |text: &String| match text.as_str() {
        "" => Span::styled(format!(" {:^wide$}", "·"), dim),
        "wall" => Span::styled(format!(" {}", "▒".repeat(wide)), dim),
        chance if chance.ends_with('%') => Span::raw(format!(" {chance:^wide$}")),
        _ => Span::styled(
            format!(" {:^wide$}", text.chars().take(wide).collect::<String>()),
            Style::new().bold(),
        ),
    };
    let mut picture = Picture { lines: vec![Line::default()], spots: Vec::new() };
    for (number, row) in rows.iter().enumerate() {
        let mut spans = vec![Span::styled(format!("{:>2}", rows.len() - number), dim)];
        spans.extend(row.iter().map(square));
        for column in 0..row.len() {
            picture.spots.push(Spot {
                x: (2 + column * (wide + 1)) as u16,
                y: number as u16 + 1,
                width: wide as u16 + 1,
                at: At::Square(column as u8, number as u8),
            });
        }
        picture.lines.push(Line::from(spans));
    }
    let letters = ('a'..='z').chain('A'..='Z').take(rows.first().map_or(0, Vec::len));
    let names: String = letters.map(|letter| format!(" {letter:^wide$}")).collect();
    picture.lines.extend([Line::from(format!("  {names}")).style(dim), Line::default()]);
    picture
}

/// A card in four characters: `10♥ `, `▒▒▒ ` face down.
fn card(text: &str) -> Span<'static> {
    if text == Pile::HIDDEN {
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

/// A row that is being written: what was put down so far, and how wide it is.
#[derive(Default)]
struct Row {
    spans: Vec<Span<'static>>,
    width: u16,
}

impl Row {
    fn put(&mut self, span: Span<'static>) -> (u16, u16) {
        let (x, width) = (self.width, span.width() as u16);
        self.spans.push(span);
        self.width += width;
        (x, width)
    }
}

/// The rows of a column in so many: which of its cards, and `None` for those that are left out.
fn shown(pile: &Pile, room: usize) -> Vec<Option<usize>> {
    let n = pile.cards.len();
    if n <= room || room < 3 {
        return (0..n).map(Some).collect();
    }
    let first = [Some(0), None];
    first.into_iter().chain((n - (room - 2)..n).map(Some)).collect()
}

fn cards(piles: &[Pile], room: usize) -> Picture {
    let mut picture = Picture::default();
    let dim = Style::new().dim();
    let mut top = Row::default();
    let mut keys = Row::default();
    let mut spot = |pile: &Pile, (x, width): (u16, u16), y: u16, index: usize| {
        picture.spots.push(Spot { x, y, width, at: At::Pile(pile.id.clone(), index) });
    };
    let last = |pile: &Pile| pile.cards.len().saturating_sub(1);
    let named = |keys: &mut Row, pile: &Pile, x: u16| {
        if let Some(key) = key_of(piles, &pile.id) {
            let gap = x.saturating_sub(keys.width);
            keys.put(Span::raw(" ".repeat(usize::from(gap))));
            keys.put(Span::styled(format!("{key:>2}  "), dim));
        }
    };
    for pile in piles {
        match pile.kind {
            PileKind::Stock => {
                let count = pile.cards.len();
                let text =
                    if count == 0 { "[ ⟲ ]".to_owned() } else { format!("[▒{count:>2}]") };
                let place = top.put(Span::styled(text, Style::new().fg(Color::Blue)));
                spot(pile, place, 1, last(pile));
                named(&mut keys, pile, place.0);
                top.put(Span::raw("  "));
            }
            PileKind::Waste => {
                let shown = pile.cards.len().saturating_sub(3);
                let mut place = (top.width, 4);
                for text in &pile.cards[shown..] {
                    place = top.put(card(text));
                }
                for _ in pile.cards.len()..3 {
                    top.put(Span::raw("    "));
                }
                spot(pile, place, 1, last(pile));
                named(&mut keys, pile, place.0);
                top.put(Span::raw("  "));
            }
            PileKind::Cell => {
                let place = top.put(pile.cards.last().map_or_else(empty, |text| card(text)));
                spot(pile, place, 1, last(pile));
                named(&mut keys, pile, place.0);
            }
            PileKind::Foundation | PileKind::Column => {}
        }
    }
    top.put(Span::raw("  │ "));
    for (number, pile) in piles.iter().filter(|p| p.kind == PileKind::Foundation).enumerate() {
        let suit = pile.id.trim_start_matches('f');
        let nothing = || card(&format!("-{suit}"));
        let place = top.put(pile.cards.last().map_or_else(nothing, |text| card(text)));
        spot(pile, place, 1, last(pile));
        if number == 0 {
            named(&mut keys, pile, place.0);
        }
    }
    let columns: Vec<&Pile> = piles.iter().filter(|p| p.kind == PileKind::Column).collect();
    let mut numbers = Row::default();
    for pile in &columns {
        let key = key_of(piles, &pile.id).unwrap_or(' ');
        numbers.put(Span::styled(format!("{key:>2}  "), dim));
    }
    let rows: Vec<Vec<Option<usize>>> =
        columns.iter().map(|pile| shown(pile, room.saturating_sub(4))).collect();
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut lines = Vec::new();
    for row in 0..longest {
        let mut line = Row::default();
        for (pile, places) in columns.iter().zip(&rows) {
            let span = match places.get(row) {
                Some(Some(index)) => card(&pile.cards[*index]),
                Some(None) => Span::styled(" ⋮  ", dim),
                None if row == 0 => empty(),
                None => Span::raw("    "),
            };
            let place = line.put(span);
            match places.get(row) {
                Some(&Some(index)) => spot(pile, place, row as u16 + 4, index),
                None if row == 0 => spot(pile, place, 4, 0),
                _ => {}
            }
        }
        lines.push(Line::from(line.spans));
    }
    picture.lines = vec![
        Line::from(keys.spans),
        Line::from(top.spans),
        Line::default(),
        Line::from(numbers.spans),
    ];
    picture.lines.extend(lines);
    picture
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

fn tiles(width: usize, height: usize, columns: &[Vec<u8>]) -> Picture {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEF";
    let mut picture = Picture::default();
    for (y, row) in (0..height).rev().enumerate() {
        let mut spans = vec![Span::styled(format!("{:>2} ", row + 1), Style::new().dim())];
        for column in 0..width {
            spans.push(match columns.get(column).and_then(|tiles| tiles.get(row)) {
                Some(&colour) => {
                    picture.spots.push(Spot {
                        x: 3 + 3 * column as u16,
                        y: y as u16,
                        width: 3,
                        at: At::Square(column as u8, row as u8),
                    });
                    let background = COLOURS[usize::from(colour) % COLOURS.len()];
                    Span::styled(
                        format!(" {colour} "),
                        Style::new().fg(Color::Black).bg(background),
                    )
                }
                None => Span::raw("   "),
            });
        }
        picture.lines.push(Line::from(spans));
    }
    let names: String = letters.chars().take(width).map(|letter| format!(" {letter} ")).collect();
    picture.lines.push(Line::from(format!("   {names}")).style(Style::new().dim()));
    picture
}
