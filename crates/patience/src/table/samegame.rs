//! SameGame, Clickomania and Bubble Breaker on the table: the plain board.

use patience_games::samegame::{Cell, Grid, Penalty, Rewards, Scoring};

use super::view::{Scene, Standing, TableMove};
use super::{Measure, Seat, Setup, TableError};
use crate::call::Call;
use crate::registry::{AnyGame, AnyState};

#[derive(Clone, Debug)]
pub(super) struct SameGameSeat {
    game: AnyGame,
    pub(super) scoring: Scoring,
    pub(super) grid: Grid,
    width: usize,
    score: f64,
}

impl SameGameSeat {
    pub(super) fn new(game: AnyGame, call: &Call, setup: &Setup) -> Result<Self, TableError> {
        let wrong = |error: &dyn std::fmt::Display| TableError::Setup(error.to_string());
        // The registry has judged the parameters before.
        let size = |key, default| {
            call.value(key).and_then(|text| text.parse::<usize>().ok()).unwrap_or(default)
        };
        let rewards = call.value("rewards").unwrap_or("samegame");
        let penalty = call.value("penalty").unwrap_or("seed");
        let scoring = Scoring {
            rewards: rewards.parse::<Rewards>().map_err(|error| wrong(&error))?,
            penalty: penalty.parse::<Penalty>().map_err(|error| wrong(&error))?,
        };
        let grid = match &setup.position {
            Some(text) => text.parse::<Grid>().map_err(|error| wrong(&error))?,
            None => {
                let (width, height) = (size("width", 15), size("height", 15));
                Grid::seeded(width, height, size("colours", 5), setup.number()?)
                    .map_err(|error| wrong(&error))?
            }
        };
        let width = grid.columns().len();
        Ok(SameGameSeat { game, scoring, grid, width, score: 0.0 })
    }

    fn described(&self, cell: Cell) -> TableMove {
        let group = self.grid.group(cell);
        let colour = self.grid.colour(cell).unwrap_or(0);
        let points = self.scoring.group(group.len() as u32);
        TableMove {
            name: cell.to_string(),
            label: format!("{} tiles of colour {colour} at {cell} for {points}", group.len()),
            count: group.len(),
            cells: group.iter().map(|cell| (cell.column, cell.row)).collect(),
            points: Some(points),
            ..TableMove::default()
        }
    }
}

impl Seat for SameGameSeat {
    fn copy(&self) -> Box<dyn Seat> {
        Box::new(self.clone())
    }

    fn title(&self) -> String {
        match self.scoring.rewards {
            Rewards::SameGame => "SameGame",
            Rewards::BubbleBreaker => "Bubble Breaker",
            Rewards::Clickomania => "Clickomania",
        }
        .to_owned()
    }

    fn legal(&self) -> Vec<TableMove> {
        self.grid.moves().into_iter().map(|cell| self.described(cell)).collect()
    }

    fn play(&mut self, name: &str) -> Result<(), String> {
        let verified = patience_games::samegame::verify(&self.grid, self.scoring, name)
            .map_err(|error| error.to_string())?;
        let [cell] = verified.moves[..] else { return Err("one cell is expected".to_owned()) };
        let over = self.grid.play(cell).is_some() && self.grid.moves().is_empty();
        // The validator has added what is paid or charged at the end.
        debug_assert_eq!(over, verified.over);
        self.score += verified.score;
        Ok(())
    }

    fn scene(&self) -> Scene {
        Scene::Tiles {
            width: self.width,
            height: self.grid.height(),
            columns: self.grid.columns().to_vec(),
        }
    }

    fn standing(&self) -> Standing {
        if self.grid.columns().is_empty() {
            Standing::Won
        } else if self.grid.moves().is_empty() {
            Standing::Over
        } else {
            Standing::Open
        }
    }

    fn score(&self) -> Option<f64> {
        Some(self.score)
    }

    fn text(&self) -> String {
        self.grid.to_string()
    }

    fn planner(&self) -> String {
        self.game.planner().to_owned()
    }

    fn tree_planner(&self) -> String {
        "uct(c=0.1, scale=3000)".to_owned()
    }

    fn measure(&self) -> Measure {
        Measure::Score
    }

    fn thought(&self) -> Result<AnyState, String> {
        self.game.read(&self.text(), 0)
    }

    fn samegame(&self) -> Option<&SameGameSeat> {
        Some(self)
    }
}
