//! The rules of FreeCell and its relatives as parameters, and the games that have names.

use super::Card;

/// The most columns that rules can ask for; the tenth is written `0`.
pub const MAX_COLUMNS: usize = 10;
/// The most cells that rules can ask for.
pub const MAX_CELLS: usize = 12;

/// Which card may go onto which in a column; always the next lower rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Build {
    /// Red onto black and black onto red.
    AlternatingColour,
    /// The same suit.
    Suit,
    /// Any suit.
    Rank,
}

/// What may go into an empty column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// Any card.
    Any,
    /// A card of the highest rank only (and a run that begins with it).
    Kings,
    /// Nothing: an empty column stays empty.
    Nothing,
}

/// How many cards of a run may move at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// One card at a time.
    Single,
    /// As many as could be moved one by one through free cells and empty columns.
    Room,
    /// As many as there are.
    Unlimited,
}

/// The rules of a game of this family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Columns of the tableau.
    pub columns: u8,
    /// Cells, each for one card.
    pub cells: u8,
    /// Whether a cell that has become free may take another card: not so in King Albert.
    pub refill: bool,
    /// Building in columns.
    pub build: Build,
    /// Filling empty columns.
    pub fill: Fill,
    /// Moving runs.
    pub sequence: Sequence,
    /// Ranks per suit: 13, fewer for small test games.
    pub ranks: u8,
    /// How many cards lie in cells at the start.
    pub filled: u8,
    /// Whether the aces lie on the foundations at the start.
    pub aces_home: bool,
    /// Whether column n begins with n cards, as in King Albert, instead of about as many as the
    /// others.
    pub staircase: bool,
}

/// Rules that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Too few or too many columns.
    #[error("{0} columns: there must be 1 to {MAX_COLUMNS}")]
    Columns(u8),
    /// Too many cells.
    #[error("{0} cells: there can be at most {MAX_CELLS}")]
    Cells(u8),
    /// Too few or too many ranks.
    #[error("{0} ranks: there must be 1 to 13")]
    Ranks(u8),
    /// More cards are dealt into cells than there are cells or cards.
    #[error("{0} cards cannot be dealt into the cells")]
    Filled(u8),
}

impl Rules {
    /// FreeCell: 8 columns, 4 cells.
    pub const FREECELL: Rules = Rules {
        columns: 8,
        cells: 4,
        refill: true,
        build: Build::AlternatingColour,
        fill: Fill::Any,
        sequence: Sequence::Room,
        ranks: 13,
        filled: 0,
        aces_home: false,
        staircase: false,
    };
    /// Baker's Game: FreeCell built by suit.
    pub const BAKERS_GAME: Rules = Rules { build: Build::Suit, ..Rules::FREECELL };
    /// Eight Off: 8 cells, 4 of them filled, built by suit, kings into empty columns.
    pub const EIGHT_OFF: Rules =
        Rules { cells: 8, filled: 4, build: Build::Suit, fill: Fill::Kings, ..Rules::FREECELL };
    /// Seahaven Towers: 10 columns, 4 cells, 2 of them filled, by suit, kings into empty columns.
    pub const SEAHAVEN_TOWERS: Rules =
        Rules { columns: 10, cells: 4, filled: 2, ..Rules::EIGHT_OFF };
    /// ForeCell: FreeCell with all cells filled and only kings into empty columns.
    pub const FORECELL: Rules = Rules { filled: 4, fill: Fill::Kings, ..Rules::FREECELL };
    /// Relaxed FreeCell: runs of any length move at once.
    pub const RELAXED_FREECELL: Rules = Rules { sequence: Sequence::Unlimited, ..Rules::FREECELL };
    /// King Albert: 9 columns of 1 to 9 cards and 7 cards in reserve, one card at a time.
    pub const KING_ALBERT: Rules = Rules {
        columns: 9,
        cells: 7,
        filled: 7,
        refill: false,
        staircase: true,
        sequence: Sequence::Single,
        ..Rules::FREECELL
    };
    /// Beleaguered Castle: no cells, aces home, built by rank, one card at a time.
    pub const BELEAGUERED_CASTLE: Rules = Rules { aces_home: true, ..Rules::STREETS_AND_ALLEYS };
    /// Streets and Alleys: Beleaguered Castle with the aces dealt like the other cards.
    pub const STREETS_AND_ALLEYS: Rules =
        Rules { cells: 0, build: Build::Rank, sequence: Sequence::Single, ..Rules::FREECELL };

    /// All games that have a name, with it.
    pub const PRESETS: [(&str, Rules); 13] = [
        ("freecell", Rules::FREECELL),
        ("bakers-game", Rules::BAKERS_GAME),
        ("eight-off", Rules::EIGHT_OFF),
        ("seahaven-towers", Rules::SEAHAVEN_TOWERS),
        ("forecell", Rules::FORECELL),
        ("relaxed-freecell", Rules::RELAXED_FREECELL),
        ("king-albert", Rules::KING_ALBERT),
        ("beleaguered-castle", Rules::BELEAGUERED_CASTLE),
        ("streets-and-alleys", Rules::STREETS_AND_ALLEYS),
        ("freecell-0", Rules { cells: 0, ..Rules::FREECELL }),
        ("freecell-1", Rules { cells: 1, ..Rules::FREECELL }),
        ("freecell-2", Rules { cells: 2, ..Rules::FREECELL }),
        ("freecell-3", Rules { cells: 3, ..Rules::FREECELL }),
    ];

    /// What people call the game.
    pub fn title(&self) -> String {
        let named = Rules::PRESETS.iter().find(|(_, rules)| rules == self);
        match named.map(|(name, _)| *name) {
            Some("freecell") => "FreeCell".to_owned(),
            Some("bakers-game") => "Baker's Game".to_owned(),
            Some("eight-off") => "Eight Off".to_owned(),
            Some("seahaven-towers") => "Seahaven Towers".to_owned(),
            Some("forecell") => "ForeCell".to_owned(),
            Some("relaxed-freecell") => "Relaxed FreeCell".to_owned(),
            Some("king-albert") => "King Albert".to_owned(),
            Some("beleaguered-castle") => "Beleaguered Castle".to_owned(),
            Some("streets-and-alleys") => "Streets and Alleys".to_owned(),
            Some("freecell-0") => "FreeCell without cells".to_owned(),
            Some("freecell-1") => "FreeCell with one cell".to_owned(),
            Some("freecell-2") => "FreeCell with two cells".to_owned(),
            Some("freecell-3") => "FreeCell with three cells".to_owned(),
            Some(_) => format!("FreeCell with {} cells", self.cells),
            None => "FreeCell by other rules".to_owned(),
        }
    }

    /// The game of this name.
    pub fn named(name: &str) -> Option<Rules> {
        Rules::PRESETS.iter().find(|(n, _)| *n == name).map(|(_, rules)| *rules)
    }

    /// Whether the rules can be played.
    pub fn check(&self) -> Result<(), RulesError> {
        if !(1..=MAX_COLUMNS).contains(&usize::from(self.columns)) {
            return Err(RulesError::Columns(self.columns));
        }
        if usize::from(self.cells) > MAX_CELLS {
            return Err(RulesError::Cells(self.cells));
        }
        if !(1..=13).contains(&self.ranks) {
            return Err(RulesError::Ranks(self.ranks));
        }
        let dealt = 4 * (self.ranks - u8::from(self.aces_home));
        if self.filled > self.cells || self.filled > dealt {
            return Err(RulesError::Filled(self.filled));
        }
        Ok(())
    }

    /// How many cards the game has.
    #[inline]
    pub fn cards(&self) -> u8 {
        4 * self.ranks
    }

    /// Whether `upper` may lie on `lower` in a column.
    #[inline]
    pub fn builds(&self, upper: Card, lower: Card) -> bool {
        upper.rank() + 1 == lower.rank()
            && match self.build {
                Build::AlternatingColour => upper.is_red() != lower.is_red(),
                Build::Suit => upper.suit() == lower.suit(),
                Build::Rank => true,
            }
    }

    /// Whether a run that begins with this card may go into an empty column.
    #[inline]
    pub fn fills(&self, card: Card) -> bool {
        match self.fill {
            Fill::Any => true,
            Fill::Kings => card.rank() == self.ranks,
            Fill::Nothing => false,
        }
    }
}

/// What a move costs, and with it what counts as one move. Lengths in different metrics must not
/// be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// One card at a time; every card moved costs 1.
    Single,
    /// The metric of the paper's Table 1: a run moved between columns costs 1, every card that
    /// goes home costs 1. A run of (free cells + 1) · 2^(empty columns) may go onto a card, but
    /// only one of (free cells + 1) into an empty column (inferred: it gives the ten published
    /// lengths).
    Table1,
    /// As [`Metric::Table1`] with the usual limit into an empty column:
    /// (free cells + 1) · 2^(other empty columns).
    Supermove,
}

/// A metric that a game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these rules have no metric “{}”: {why}", metric.name())]
pub struct MetricError {
    /// The metric asked for.
    pub metric: Metric,
    /// Why there is none.
    pub why: &'static str,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 3] = [Metric::Single, Metric::Table1, Metric::Supermove];

    /// `single`, `table1` or `supermove`.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Single => "single",
            Metric::Table1 => "table1",
            Metric::Supermove => "supermove",
        }
    }

    /// The metric of this name.
    pub fn named(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Whether the rules have this metric. For the last two, runs must move at once; if they do so
    /// without limit, the two are the same.
    pub fn check(self, rules: &Rules) -> Result<(), MetricError> {
        let why = match (self, rules.sequence) {
            (Metric::Single, Sequence::Unlimited) => "runs of any length move at once",
            (Metric::Table1, Sequence::Unlimited) => "there is no limit on runs, use supermove",
            (Metric::Table1 | Metric::Supermove, Sequence::Single) => "cards move one at a time",
            _ => return Ok(()),
        };
        Err(MetricError { metric: self, why })
    }
}
