//! The board in the facts of a described game: cells with coordinates, such as `(cell 1 1 b)`.

use std::collections::{BTreeMap, BTreeSet};

/// Where the squares of a board are: the relation that tells of them, and both coordinates in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The relation and its number of arguments; `None` where any that names squares will do.
    relation: Option<(String, usize)>,
    /// From the left.
    columns: Vec<String>,
    /// From the top: the first coordinate counts from the left, the second from below, as on a chess
    /// board.
    rows: Vec<String>,
}

/// Boards have up to so many rows and columns.
const LARGEST: usize = 26;
/// Fewer facts than these are no board.
const FEWEST: usize = 4;
/// What an empty square is called.
const EMPTY: [&str; 6] = ["b", "blank", "empty", "e", "none", "dirt"];

/// The words of a flat term such as `(cell 1 1 b)`.
fn words(term: &str) -> Option<Vec<&str>> {
    let inner = term.strip_prefix('(')?.strip_suffix(')')?;
    (!inner.contains(['(', ')'])).then(|| inner.split_whitespace().collect())
}

/// All coordinates from the first to the last: numbers or single letters.
fn coordinates(found: &BTreeSet<&str>) -> Option<Vec<String>> {
    let numbers: Option<Vec<u32>> = found.iter().map(|text| text.parse().ok()).collect();
    let all: Vec<String> = if let Some(numbers) = numbers {
        let (first, last) = (*numbers.iter().min()?, *numbers.iter().max()?);
        (first..=last).take(LARGEST + 1).map(|n| n.to_string()).collect()
    } else {
        let letter = |text: &&str| match text.as_bytes() {
            [one] if one.is_ascii_lowercase() => Some(*one),
            _ => None,
        };
        let letters: Option<Vec<u8>> = found.iter().map(letter).collect();
        let letters = letters?;
        (*letters.iter().min()?..=*letters.iter().max()?).map(|b| char::from(b).into()).collect()
    };
    (2..=LARGEST).contains(&all.len()).then_some(all)
}

impl Grid {
    /// The board in these facts: the largest set of facts of one relation whose first two arguments
    /// are coordinates, each pair of them once.
    pub(super) fn of(facts: &[String]) -> Option<Grid> {
        let mut groups: BTreeMap<(&str, usize), Vec<(&str, &str)>> = BTreeMap::new();
        for words in facts.iter().filter_map(|fact| words(fact)) {
            if let [relation, x, y, ..] = words[..] {
                groups.entry((relation, words.len() - 1)).or_default().push((x, y));
            }
        }
        let grid = |((relation, arity), pairs): ((&str, usize), Vec<(&str, &str)>)| {
            let distinct: BTreeSet<_> = pairs.iter().collect();
            if pairs.len() < FEWEST || distinct.len() < pairs.len() {
                return None;
            }
            let columns = coordinates(&pairs.iter().map(|pair| pair.0).collect())?;
            let mut rows = coordinates(&pairs.iter().map(|pair| pair.1).collect())?;
            rows.reverse();
            let relation = Some((relation.to_owned(), arity));
            Some((pairs.len(), Grid { relation, columns, rows }))
        };
        let grids = groups.into_iter().filter_map(grid);
        grids.max_by_key(|(facts, _)| *facts).map(|(_, grid)| grid)
    }

    /// The board of an empty start: moves such as `(place 1 1)` name every one of its squares.
    pub(super) fn of_moves(moves: &[String]) -> Option<Grid> {
        let pairs: BTreeSet<(&str, &str)> = moves
            .iter()
            .filter_map(|text| match words(text)?[..] {
                [_, x, y] => Some((x, y)),
                _ => None,
            })
            .collect();
        let columns = coordinates(&pairs.iter().map(|pair| pair.0).collect())?;
        let mut rows = coordinates(&pairs.iter().map(|pair| pair.1).collect())?;
        rows.reverse();
        let all = pairs.len() >= FEWEST && pairs.len() == columns.len() * rows.len();
        all.then_some(Grid { relation: None, columns, rows })
    }

    /// What a fact says of a square, if it tells of one.
    fn told<'f>(&self, words: &[&'f str]) -> Option<Vec<&'f str>> {
        match (&self.relation, words) {
            (Some((name, arity)), [relation, arguments @ ..]) => {
                (relation == name && arguments.len() == *arity).then(|| arguments.to_vec())
            }
            (None, [_, x, y, _, ..]) => self.square(x, y).map(|_| words[1..].to_vec()),
            _ => None,
        }
    }

    fn square(&self, x: &str, y: &str) -> Option<(usize, usize)> {
        let at = |all: &[String], text: &str| all.iter().position(|other| other == text);
        Some((at(&self.columns, x)?, at(&self.rows, y)?))
    }

    /// What stands on the squares, row by row from the top, and the facts that tell of something
    /// else. `None` if a square has two things on it, or one lies beyond the board.
    pub(super) fn rows(&self, facts: &[String]) -> Option<(Vec<Vec<String>>, String)> {
        let mut rows = vec![vec![String::new(); self.columns.len()]; self.rows.len()];
        let mut others = Vec::new();
        for fact in facts {
            let words = words(fact).unwrap_or_default();
            let Some(told) = self.told(&words) else {
                others.push(fact.as_str());
                continue;
            };
            let (column, row) = self.square(told[0], told[1])?;
            let content = match &told[2..] {
                [] => words[0].to_owned(),
                [empty] if EMPTY.contains(empty) => continue,
                content => content.join(" "),
            };
            let square = &mut rows[row][column];
            if !square.is_empty() {
                return None;
            }
            *square = content;
        }
        Some((rows, others.join(" ")))
    }

    /// The squares that a move names, from the left and from the top, and how many they are meant as:
    /// one, or two where a piece moves, or a whole column of which any square stands for it.
    pub(super) fn squares(&self, action: &str) -> (Vec<(u8, u8)>, usize) {
        let words = words(action).unwrap_or_default();
        let arguments = words.get(1..).unwrap_or(&[]);
        let square =
            |x: &str, y: &str| self.square(x, y).map(|(column, row)| (column as u8, row as u8));
        if let [.., x1, y1, x2, y2] = *arguments
            && let (Some(from), Some(to)) = (square(x1, y1), square(x2, y2))
        {
            return (vec![from, to], 2);
        }
        if let [.., x, y] = *arguments
            && let Some(at) = square(x, y)
        {
            return (vec![at], 1);
        }
        if let [x] = *arguments
            && let Some(column) = self.columns.iter().position(|other| other == x)
        {
            let all = (0..self.rows.len()).map(|row| (column as u8, row as u8));
            return (all.collect(), 1);
        }
        (Vec::new(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<String> {
        let closed = |fact: &str| format!("({fact})");
        text.split(", ").map(closed).collect()
    }

    #[test]
    fn rows_between_the_pieces_belong_to_the_board() {
        let facts =
            facts("cell a 1 white, cell b 1 white, cell a 4 black, cell b 4 black, control white");
        let grid = Grid::of(&facts).unwrap();
        let (rows, others) = grid.rows(&facts).unwrap();
        assert_eq!((rows.len(), rows[0].len()), (4, 2));
        assert_eq!((rows[0][0].as_str(), rows[3][1].as_str()), ("black", "white"));
        assert_eq!((rows[1][0].as_str(), others.as_str()), ("", "(control white)"));
        assert_eq!(grid.squares("(move a 1 b 2)"), (vec![(0, 3), (1, 2)], 2));
        assert_eq!(grid.squares("(move pawn a 1 b 2)"), (vec![(0, 3), (1, 2)], 2));
        assert_eq!(grid.squares("(place b 3)"), (vec![(1, 1)], 1));
        assert_eq!(grid.squares("(drop b)"), (vec![(1, 0), (1, 1), (1, 2), (1, 3)], 1));
        assert_eq!(grid.squares("noop"), (Vec::new(), 0));
        assert_eq!(grid.squares("(move a 1 z 9)"), (Vec::new(), 0));
    }

    #[test]
    fn a_board_that_begins_empty_is_known_by_its_moves() {
        let moves = facts("place 1 1, place 1 2, place 2 1, place 2 2");
        let grid = Grid::of_moves(&moves).unwrap();
        let (rows, others) = grid.rows(&facts("control x")).unwrap();
        assert!(rows.iter().flatten().all(String::is_empty) && others == "(control x)");
        let (rows, _) = grid.rows(&facts("cell 1 2 x, control o")).unwrap();
        assert_eq!(rows[0][0], "x");
        assert_eq!(Grid::of_moves(&moves[..3]), None);
        assert_eq!(Grid::of_moves(&facts("say 1, say 2, say 3, say 4")), None);
    }

    #[test]
    fn what_is_no_board_is_none() {
        for text in [
            "cell 1 1 b, cell 1 2 b",
            "step 1, step 2, step 3, step 4",
            "in 1 1 x, in 1 1 y, in 2 1 x, in 2 2 x",
            "at boat north x, at boat south y, at car north x, at car south y",
        ] {
            assert_eq!(Grid::of(&facts(text)), None, "{text}");
        }
        // Two things on one square are beyond a drawing.
        let grid = Grid::of(&facts("cell 1 1 b, cell 1 2 b, cell 2 1 b, cell 2 2 b")).unwrap();
        assert_eq!(grid.rows(&facts("cell 1 1 x, cell 1 1 y")), None);
    }
}
