//! The fast board: one word per column, and which neighbours are of one colour.
//!
//! Two sets per column say which tiles are linked, that is, of the colour of their neighbour above
//! and to the right. A group is found by following links, so all colours are treated at once. A
//! move changes links only in the columns that it touches and beside them.

use super::word::{Word, same, tiles};

/// A place on the board: column from the left, row from the bottom, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Column from the left.
    pub column: u8,
    /// Row from the bottom.
    pub row: u8,
}

/// A position: up to `N` columns of tiles, without a gap in a column or between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<W, const N: usize> {
    columns: [W; N],
    /// Tiles of the colour of the tile above.
    up: [W; N],
    /// Tiles of the colour of the tile to the right.
    right: [W; N],
    /// Columns that have tiles.
    width: u32,
}

/// A connected group of tiles of one colour: a set per column, from column `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group<W, const N: usize> {
    pub(super) sets: [W; N],
    pub(super) first: usize,
    pub(super) last: usize,
}

impl<W: Word, const N: usize> Group<W, N> {
    /// The cell that it goes by: the lowest of its leftmost column.
    #[inline]
    pub(super) fn cell(&self) -> Cell {
        Cell { column: self.first as u8, row: self.sets[self.first].lowest() as u8 }
    }

    /// How many tiles it has.
    #[inline]
    pub(super) fn size(&self) -> u32 {
        self.sets[self.first..=self.last].iter().map(|set| set.count()).sum()
    }
}

/// Where a move changed tiles or links: columns before `from` and from `to` on are as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// What a move did to groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched<W, const N: usize> {
    /// By column the places where a tile was taken, has fallen or was moved to the left, and those
    /// whose tile was linked to one that was. A group that has no tile there, before the move and
    /// after it, is as it was.
    pub(super) sets: [W; N],
    /// Columns before `from` and from `to` on have no such place.
    from: usize,
    to: usize,
}

impl<W: Word, const N: usize> Board<W, N> {
    /// A board of these columns, each from the bottom up; colours are 1 to 15. Empty columns are
    /// closed. What does not fit is left out: [`super::SameGame`] checks sizes.
    pub(super) fn new<'a>(columns: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut board =
            Board { columns: [W::ZERO; N], up: [W::ZERO; N], right: [W::ZERO; N], width: 0 };
        for column in columns.filter(|column| !column.is_empty()).take(N) {
            for (row, &colour) in (0..).zip(column.iter().take(W::ROWS)) {
                board.columns[board.width as usize] |= W::paint(row, colour);
            }
            board.width += 1;
        }
        board.relink(0, N);
        board
    }

    /// Columns that have tiles.
    #[inline]
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// The tiles of a column, four bits each from the bottom up.
    #[inline]
    pub(super) fn columns(&self) -> &[W; N] {
        &self.columns
    }

    /// The colour of the tile at a cell; 0 if there is none.
    #[inline]
    pub fn colour(&self, cell: Cell) -> u8 {
        if usize::from(cell.row) >= W::ROWS {
            return 0;
        }
        self.columns.get(usize::from(cell.column)).map_or(0, |c| c.tile(u32::from(cell.row)))
    }

    /// How many tiles there are of each colour; the first entry, for no colour, is 0.
    pub fn counts(&self) -> [u32; 16] {
        let mut counts = [0; 16];
        for &column in &self.columns[..self.width()] {
            for row in 0..column.height() {
                counts[usize::from(column.tile(row))] += 1;
            }
        }
        counts
    }

    /// Whether no group of two or more is left.
    #[inline]
    pub fn is_over(&self) -> bool {
        let links = self.up.iter().zip(&self.right).fold(W::ZERO, |all, (&u, &r)| all | u | r);
        links == W::ZERO
    }

    /// Tiles of this column that are linked above or to the right but not below or to the left.
    /// Every group of two or more has one such tile or a few, so they stand for the groups.
    #[inline]
    pub(super) fn corners(&self, column: usize) -> W {
        let left = if column == 0 { W::ZERO } else { self.right[column - 1] };
        (self.up[column] | self.right[column]) & !(self.up[column] << 4) & !left
    }

    /// Tiles of this colour in a column.
    #[inline]
    pub(super) fn of_colour(&self, column: usize, colour: W) -> W {
        same(self.columns[column], colour)
    }

    /// All tiles of the touched runs of a column.
    #[inline]
    fn runs(&self, column: usize, touched: W) -> W {
        let links = self.up[column];
        let mut all = touched.climb(links);
        loop {
            let below = (all >> 4) & links & !all;
            if below == W::ZERO {
                return all;
            }
            all |= below;
        }
    }

    /// The group of the tile at this place, which must have one.
    #[inline]
    pub(super) fn group(&self, column: usize, place: W) -> Group<W, N> {
        let mut sets = [W::ZERO; N];
        let (mut first, mut last) = (column, column);
        sets[column] = self.runs(column, place);
        // Sweeps to the right and to the left in turn, until one finds nothing new.
        let mut again = true;
        while again {
            let mut c = first;
            while c < N - 1 && c <= last {
                let new = sets[c] & self.right[c] & !sets[c + 1];
                if new != W::ZERO {
                    sets[c + 1] = self.runs(c + 1, sets[c + 1] | new);
                    last = last.max(c + 1);
                }
                c += 1;
            }
            again = false;
            let mut c = last;
            while c > 0 && c >= first {
                let new = sets[c] & self.right[c - 1] & !sets[c - 1];
                if new != W::ZERO {
                    sets[c - 1] = self.runs(c - 1, sets[c - 1] | new);
                    first = first.min(c - 1);
                    again = true;
                }
                c -= 1;
            }
        }
        Group { sets, first, last }
    }

    /// Takes a group off the board: tiles fall, empty columns close.
    #[inline]
    pub(super) fn remove(&mut self, group: &Group<W, N>) -> Change {
        let mut emptied = false;
        for c in group.first..=group.last {
            self.columns[c] = self.columns[c].drop_onto(group.sets[c]);
            emptied |= self.columns[c] == W::ZERO;
        }
        let mut to = (group.last + 2).min(N);
        if emptied {
            to = N;
            self.close(group.first);
        }
        self.relink(group.first, group.last + 1);
        Change { from: group.first.saturating_sub(1), to }
    }

    /// Takes a group off the board as [`Board::remove`] does, and says which groups have changed.
    #[inline]
    pub(super) fn take(&mut self, group: &Group<W, N>) -> Touched<W, N> {
        let mut moved = [W::ZERO; N];
        let mut emptied = N;
        let range = group.first..=group.last;
        for ((c, moved), &gone) in
            (group.first..).zip(&mut moved[range.clone()]).zip(&group.sets[range])
        {
            *moved = gone.lowest_up();
            self.columns[c] = self.columns[c].drop_onto(gone);
            if self.columns[c] == W::ZERO {
                emptied = emptied.min(c);
            }
        }
        let (from, mut to) = (group.first.saturating_sub(1), (group.last + 2).min(N));
        if emptied < N {
            moved[emptied..].fill(W::ONES);
            to = N;
        }
        // Links as they were: no tile that stays has one up to a tile that goes or falls, because the
        // lowest that goes in a column has another colour than the tile below it.
        let mut sets = moved;
        for c in from..to {
            if c + 1 < N {
                sets[c] |= self.right[c] & moved[c + 1];
            }
            if c > 0 {
                sets[c] |= self.right[c - 1] & moved[c - 1];
            }
        }
        if emptied < N {
            self.close(group.first);
        }
        self.relink(group.first, group.last + 1);
        Touched { sets, from, to }
    }

    /// Every group of two or more that has a touched tile, from the left and in a column from the
    /// bottom. Adds all their tiles to the touched places: a group from before the move is still
    /// there exactly if the cell that it goes by is not among them.
    #[inline]
    pub(super) fn touched_groups(
        &self,
        touched: &mut Touched<W, N>,
        mut found: impl FnMut(&Group<W, N>),
    ) {
        let mut met = [W::ZERO; N];
        let mut left = if touched.from == 0 { W::ZERO } else { self.right[touched.from - 1] };
        for column in touched.from..touched.to.min(self.width()) {
            let (up, right) = (self.up[column], self.right[column]);
            let linked = up | (up << 4) | right | left;
            let mut starts = touched.sets[column] & linked & !met[column];
            while starts != W::ZERO {
                let group = self.group(column, W::place(starts.lowest()));
                let range = group.first..=group.last;
                for (met, &set) in met[range.clone()].iter_mut().zip(&group.sets[range]) {
                    *met |= set;
                }
                found(&group);
                starts &= !met[column];
            }
            left = right;
        }
        for (set, &met) in touched.sets.iter_mut().zip(&met) {
            *set |= met;
        }
    }

    /// Moves columns left over empty ones, with their links.
    #[cold]
    fn close(&mut self, first: usize) {
        let mut to = first;
        for from in first..self.width() {
            if self.columns[from] != W::ZERO {
                self.columns[to] = self.columns[from];
                self.up[to] = self.up[from];
                self.right[to] = self.right[from];
                to += 1;
            }
        }
        for c in to..self.width() {
            (self.columns[c], self.up[c], self.right[c]) = (W::ZERO, W::ZERO, W::ZERO);
        }
        self.width = to as u32;
    }

    /// Finds the links of these columns, and of the column before them to the right.
    #[inline]
    fn relink(&mut self, from: usize, to: usize) {
        let mut here = tiles(self.columns[from]);
        if from > 0 {
            self.right[from - 1] = same(self.columns[from - 1], self.columns[from]) & here;
        }
        for c in from..to {
            let column = self.columns[c];
            self.up[c] = same(column, column >> 4) & here;
            let next = if c + 1 < N { self.columns[c + 1] } else { W::ZERO };
            self.right[c] = same(column, next) & here;
            here = tiles(next);
        }
    }

    /// Every group of two or more, in order of the cells that they go by.
    #[inline]
    pub(super) fn groups(&self, found: impl FnMut(&Group<W, N>)) {
        self.touched_groups(&mut Touched { sets: [W::ONES; N], from: 0, to: N }, found);
    }
}
