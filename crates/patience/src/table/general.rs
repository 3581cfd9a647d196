//! Any other registered game: its own notation, its own text.

use super::view::{Scene, Standing, TableMove};
use super::{Measure, Seat, Setup, TableError};
use crate::registry::{AnyGame, AnyState};

#[derive(Clone, Debug)]
pub(super) struct GeneralSeat {
    state: AnyState,
    seen: String,
}

impl GeneralSeat {
    pub(super) fn new(game: AnyGame, setup: &Setup) -> Result<Self, TableError> {
        let seed = setup.number()?;
        let state = match &setup.position {
            Some(text) => game.read(text, seed).map_err(TableError::Setup)?,
            None => game.start(seed),
        };
        Ok(GeneralSeat { state, seen: String::new() })
    }
}

impl Seat for GeneralSeat {
    fn copy(&self) -> Box<dyn Seat> {
        Box::new(self.clone())
    }

    fn title(&self) -> String {
        self.state.game().to_string()
    }

    fn legal(&self) -> Vec<TableMove> {
        let describe =
            |name: String| TableMove { label: name.clone(), name, ..TableMove::default() };
        self.state.actions().into_iter().map(describe).collect()
    }

    fn play(&mut self, name: &str) -> Result<(), String> {
        let actions = self.state.actions();
        let found = actions.iter().position(|action| action == name);
        let turn = found.and_then(|action| self.state.step(action));
        let turn = turn.ok_or_else(|| match actions.is_empty() {
            true => "the game is over".to_owned(),
            false => "this is no legal move".to_owned(),
        })?;
        self.seen = turn.observation;
        Ok(())
    }

    fn scene(&self) -> Scene {
        Scene::Text { text: self.state.text(), seen: self.seen.clone() }
    }

    fn standing(&self) -> Standing {
        if self.state.is_over() { Standing::Over } else { Standing::Open }
    }

    fn score(&self) -> Option<f64> {
        Some(self.state.result())
    }

    fn text(&self) -> String {
        self.state.text()
    }

    fn planner(&self) -> String {
        self.state.game().planner().to_owned()
    }

    fn measure(&self) -> Measure {
        Measure::Value
    }

    fn thought(&self) -> Result<AnyState, String> {
        Ok(self.state.clone())
    }
}
