//! Games described in GDL on the table: readable facts, or where not all is seen, percepts.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use patience_gdl::{GdlGame, GroundLimits, Source, World};
use patience_model::{Game, Rng};

use super::view::{Scene, Standing, TableMove};
use super::{Measure, Seat, Setup, TableError};
use crate::call::Call;
use crate::described::{Described, RuleFile};
use crate::registry::{AnyGame, AnyState, described_game};

/// A described game as one role plays it.
#[derive(Debug)]
struct DescribedSeat<W: World> {
    game: GdlGame<W>,
    world: Arc<W>,
    role: usize,
    title: String,
    /// For planners: it knows what the role did and saw.
    state: AnyState,
    /// The same position, told in terms; moved by the same stream.
    position: <GdlGame<W> as Game>::State,
    chance: Rng,
    result: f64,
    /// What the role did and saw, where it does not see all.
    told: Vec<String>,
    seen: String,
}

/// What rules from a request may cost.
const LIMITS: GroundLimits = GroundLimits {
    time: Duration::from_secs(5),
    instances: 1_000_000,
    lifted: Duration::from_secs(5),
};

/// The start of a game whose rules are in the setup, or in a file that its string names.
pub(super) fn sit_down(call: &Call, setup: &Setup) -> Result<Box<dyn Seat>, TableError> {
    let wrong = |error: &dyn std::fmt::Display| TableError::Setup(error.to_string());
    let (described, role, title) = match &setup.rules {
        Some(text) => (from_text(text)?, setup.role.as_deref(), "rules".to_owned()),
        None => {
            let file = call.value("file").unwrap_or("monty_hall");
            let rules = RuleFile::open(file).map_err(|error| wrong(&error))?;
            let described = rules.described(&GroundLimits::default());
            (described.map_err(|error| wrong(&error))?, call.value("role"), setup.game.clone())
        }
    };
    let role = described.role(role).map_err(|error| wrong(&error))?;
    let seed = setup.number()?;
    match described {
        Described::Grounded(world) => DescribedSeat::begin(world, role, title, seed),
        Described::Lifted(world, _) => DescribedSeat::begin(world, role, title, seed),
    }
}

/// Rules that were grounded last: a game is replayed at every move, its rules need not be.
static GROUNDED: Mutex<Vec<(String, Described)>> = Mutex::new(Vec::new());
/// How many are kept.
const KEPT: usize = 4;

fn from_text(text: &str) -> Result<Described, TableError> {
    let kept = || GROUNDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, described)) = kept().iter().find(|(other, _)| other == text) {
        return Ok(described.clone());
    }
    let rules = RuleFile::read(Source::new("rules", text));
    let described = rules.and_then(|rules| rules.described(&LIMITS));
    let described = described.map_err(|error| TableError::Setup(error.to_string()))?;
    let mut kept = kept();
    kept.truncate(KEPT - 1);
    kept.insert(0, (text.to_owned(), described.clone()));
    Ok(described)
}

impl<W: World> DescribedSeat<W> {
    fn begin(
        world: Arc<W>,
        role: usize,
        title: String,
        seed: u64,
    ) -> Result<Box<dyn Seat>, TableError> {
        let wrong = |error: patience_gdl::GameError| TableError::Setup(error.to_string());
        let game = GdlGame::of_role(Arc::clone(&world), role).map_err(wrong)?;
        let any: AnyGame = described_game(Arc::clone(&world), role, &title).map_err(wrong)?;
        let position = game.start(&mut Rng::named(seed, &["start"]));
        let name = world.role_names().get(role).cloned().unwrap_or_default();
        Ok(Box::new(DescribedSeat {
            game,
            role,
            title: format!("{title} as {name}"),
            state: any.start(seed),
            position,
            // The stream of `AnyState`, so that both see the same chance.
            chance: Rng::named(seed, &["chance"]),
            result: 0.0,
            told: Vec::new(),
            seen: String::new(),
            world,
        }))
    }
}

impl<W: World> Seat for DescribedSeat<W> {
    fn copy(&self) -> Box<dyn Seat> {
        Box::new(DescribedSeat {
            game: self.game.clone(),
            world: Arc::clone(&self.world),
            role: self.role,
            title: self.title.clone(),
            state: self.state.clone(),
            position: self.position.clone(),
            chance: self.chance.clone(),
            result: self.result,
            told: self.told.clone(),
            seen: self.seen.clone(),
        })
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn legal(&self) -> Vec<TableMove> {
        let describe =
            |name: String| TableMove { label: name.clone(), name, ..TableMove::default() };
        self.state.actions().into_iter().map(describe).collect()
    }

    fn play(&mut self, name: &str) -> Result<(), String> {
        let actions = self.state.actions();
        let Some(place) = actions.iter().position(|action| action == name) else {
            return Err(match actions.is_empty() {
                true => "the game is over".to_owned(),
                false => "this is no legal move".to_owned(),
            });
        };
        let mut legal = Vec::new();
        self.game.actions(&self.position, &mut legal);
        let Some(&action) = legal.get(place) else { return Err("the game is over".to_owned()) };
        self.state.step(place);
        self.result += self.game.step(&mut self.position, action, &mut self.chance).reward;
        if !self.game.sees_all() {
            self.seen = self.world.percept_texts(&self.position.position, self.role).join(" ");
            let seen = if self.seen.is_empty() { "nothing" } else { &self.seen };
            self.told.push(format!("{}. {name}: saw {seen}", self.told.len() + 1));
        }
        Ok(())
    }

    fn scene(&self) -> Scene {
        Scene::Text { text: self.text(), seen: self.seen.clone() }
    }

    fn standing(&self) -> Standing {
        if self.state.is_over() { Standing::Over } else { Standing::Open }
    }

    fn score(&self) -> Option<f64> {
        Some(self.result)
    }

    /// The facts that hold; where the role does not see all, what it did and saw.
    fn text(&self) -> String {
        if self.game.sees_all() {
            self.world.facts(&self.position.position).join(" ")
        } else if self.told.is_empty() {
            "Not all is seen in this game: what you do and see will be listed here.".to_owned()
        } else {
            self.told.join("\n")
        }
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

    fn conceals(&self) -> bool {
        !self.game.sees_all()
    }
}
