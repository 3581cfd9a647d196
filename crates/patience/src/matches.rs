//! Matches of a described game: every role has a player, chance has its stream.

use std::sync::Arc;

use patience_gdl::{GdlGame, GdlState, RunError, World};
use patience_model::Rng;
use patience_plan::{Budget, Cancel, Halt};

use crate::player::{Player, RoleKit};
use patience_catalogue::CallError;

/// Why a match has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MatchError {
    /// A planner's string is wrong.
    #[error("{0}")]
    Planner(#[from] CallError),
    /// A role cannot move.
    #[error("after {moves} moves the role {role} has no legal move, and the game is not over")]
    NoLegalMove {
        /// The role.
        role: String,
        /// Moves played.
        moves: u64,
    },
    /// A role has more than one goal value.
    #[error("at the end the role {role} has the goals {goals}: a game must derive exactly one")]
    Goals {
        /// The role.
        role: String,
        /// Its goals.
        goals: String,
    },
    /// The match does not end.
    #[error("the game is not over after {0} moves: raise the limit if it is meant to be so long")]
    TooLong(u64),
    /// What follows from the rules is not known.
    #[error("after {moves} moves {error}")]
    Run {
        /// Why.
        error: RunError,
        /// Moves played.
        moves: u64,
    },
    /// A player cannot make sense of what it saw.
    #[error("after {moves} moves {role} is lost: {why}")]
    Lost {
        /// The role.
        role: String,
        /// Moves played.
        moves: u64,
        /// Why.
        why: String,
    },
    /// Somebody raised the cancel flag.
    #[error("interrupted")]
    Cancelled,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct MatchResult {
    /// The goal of each role, 0 to 100; none counts as 0.
    pub goals: Vec<u8>,
    /// Joint moves played.
    pub moves: u64,
    /// The roles without a goal, by number: chance needs none.
    pub without_goal: Vec<usize>,
    /// For each role, how many of the moves that it chose were not legal. A role that cannot tell its
    /// legal moves from what it saw, or has lost track, chooses such; a legal one is made in its place,
    /// and the role is told, as game controllers do.
    pub replaced: Vec<u64>,
}

/// How matches are played.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The planner of each role; `None` for chance and for those who move at random.
    pub planners: Vec<Option<String>>,
    /// What a move may cost.
    pub budget: Budget,
    /// Moves after which a match is taken for endless.
    pub most_moves: u64,
    /// The seed of all streams.
    pub seed: u64,
}

/// Chooses a legal move from what was seen of the last one; `None` ends the match.
pub type Choose<'c> = dyn FnMut(&[String], &[u32]) -> Option<u32> + 'c;

/// Matches of one game.
#[derive(Debug)]
pub struct Matches<W: World> {
    world: Arc<W>,
    names: Vec<String>,
    kits: Vec<Option<RoleKit<W>>>,
    plan: MatchPlan,
}

impl<W: World> Matches<W> {
    /// Matches by this plan.
    ///
    /// # Errors
    /// If a planner's string is wrong, or its searches need a budget and have none.
    pub fn new(world: Arc<W>, plan: MatchPlan) -> Result<Self, CallError> {
        let names = world.role_names();
        let kit = |(role, planner): (usize, &Option<String>)| {
            let game = GdlGame::of_role(Arc::clone(&world), role).ok();
            planner.as_ref().and(game).map(Player::kit)
        };
        let kits: Vec<Option<RoleKit<W>>> = plan.planners.iter().enumerate().map(kit).collect();
        let matches = Matches { world, names, kits, plan };
        matches.players(0)?;
        Ok(matches)
    }

    /// Whether some planner's searches do not end by themselves, so that moves need a time.
    pub fn needs_time(&self) -> bool {
        let players = self.players(0).unwrap_or_default();
        players.iter().flatten().any(|player| !player.ends())
    }

    /// Sets what a move may cost.
    pub fn set_budget(&mut self, budget: Budget) {
        self.plan.budget = budget;
    }

    fn players(&self, number: u64) -> Result<Vec<Option<Player<'_, W>>>, CallError> {
        let number = number.to_string();
        let mut players = Vec::with_capacity(self.kits.len());
        for (role, kit) in self.kits.iter().enumerate() {
            let player = match (&self.plan.planners[role], kit) {
                (Some(planner), Some(kit)) => {
                    let name = ["match", &number, "player", &self.names[role]];
                    let seed = Rng::named(self.plan.seed, &name).next_u64();
                    Some(Player::new(kit, planner, seed)?)
                }
                _ => None,
            };
            players.push(player);
        }
        Ok(players)
    }

    /// Plays a match; its streams depend on the seed and this number only.
    ///
    /// # Errors
    /// If the match has no result.
    pub fn play(&self, number: u64, cancel: &Cancel) -> Result<MatchResult, MatchError> {
        self.run(number, None, cancel)
    }

    /// The same with the moves of one role chosen from outside.
    ///
    /// # Errors
    /// If the match has no result, or no move was chosen.
    pub fn play_with(
        &self,
        role: usize,
        choose: &mut Choose<'_>,
        cancel: &Cancel,
    ) -> Result<MatchResult, MatchError> {
        self.run(0, Some((role, choose)), cancel)
    }

    fn run(
        &self,
        number: u64,
        mut outside: Option<(usize, &mut Choose<'_>)>,
        cancel: &Cancel,
    ) -> Result<MatchResult, MatchError> {
        let world = &*self.world;
        let roles = self.names.len();
        let _halt = Halt::new(cancel, None);
        let mut players = self.players(number)?;
        let mut others = Rng::named(self.plan.seed, &["match", &number.to_string(), "others"]);
        // What is seen is the same for every role's game; only the deciding role differs.
        let games: Vec<Option<GdlGame<W>>> =
            (0..roles).map(|r| GdlGame::of_role(Arc::clone(&self.world), r).ok()).collect();
        let mut position = world.position();
        let mut legal = Vec::new();
        let (mut joint, mut last) = (vec![0; roles], Vec::new());
        let mut replaced = vec![0; roles];
        for moves in 0..=self.plan.most_moves {
            match world.fault(&position) {
                Some(RunError::Stopped { .. }) => return Err(MatchError::Cancelled),
                Some(error) => return Err(MatchError::Run { error: error.clone(), moves }),
                None => {}
            }
            if world.terminal(&position) {
                let goals = self.goals(&position)?;
                let none = |&role: &usize| goals[role].is_none() && !world.is_chance(role);
                let without_goal = (0..roles).filter(none).collect();
                let goals = goals.into_iter().map(|goal| goal.unwrap_or(0)).collect();
                return Ok(MatchResult { goals, moves, without_goal, replaced });
            }
            for role in 0..roles {
                world.legal(&position, role, &mut legal);
                if legal.is_empty() {
                    return Err(MatchError::NoLegalMove { role: self.names[role].clone(), moves });
                }
                if let Some((_, choose)) = outside.as_mut().filter(|(own, _)| *own == role) {
                    let seen = self.told(&games[role], &position, &last);
                    let chosen = choose(&seen, &legal).filter(|number| legal.contains(number));
                    joint[role] = chosen.ok_or(MatchError::Cancelled)?;
                    continue;
                }
                joint[role] = match &mut players[role] {
                    None => rng_pick(&legal, &mut others),
                    Some(player) => {
                        let chosen = player.choose(&self.plan.budget, cancel);
                        let chosen = chosen.map_err(|_| MatchError::Cancelled)?;
                        if let Some(why) = player.lost() {
                            let role = self.names[role].clone();
                            return Err(MatchError::Lost { role, moves, why });
                        }
                        let number = chosen.map_or(legal[0], |action| action.0);
                        if legal.contains(&number) {
                            number
                        } else {
                            replaced[role] += 1;
                            rng_pick(&legal, &mut others)
                        }
                    }
                };
            }
            if cancel.is_cancelled() {
                return Err(MatchError::Cancelled);
            }
            world.play(&mut position, &joint);
            last.clone_from(&joint);
            for (role, player) in players.iter_mut().enumerate() {
                if let (Some(player), Some(game)) = (player, &games[role]) {
                    let seen = game.seen(&position, &joint, role);
                    let standing: GdlState<W::Position> = game.state_at(position.clone());
                    let own = patience_gdl::Move(joint[role]);
                    player.observe(own, seen, game.sees_all().then_some(&standing));
                }
            }
        }
        Err(MatchError::TooLong(self.plan.most_moves))
    }

    /// What a role is told of the last joint move.
    fn told(
        &self,
        game: &Option<GdlGame<W>>,
        position: &W::Position,
        joint: &[u32],
    ) -> Vec<String> {
        let Some(game) = game.as_ref().filter(|_| !joint.is_empty()) else { return Vec::new() };
        if !game.sees_all() {
            return self.world.percept_texts(position, game.role());
        }
        let moves = joint.iter().enumerate();
        moves.map(|(role, &number)| self.world.move_text(role, number)).collect()
    }

    fn goals(&self, position: &W::Position) -> Result<Vec<Option<u8>>, MatchError> {
        let goal = |role: usize| {
            let texts = self.world.goal_texts(position, role);
            if texts.len() > 1 {
                let (role, goals) = (self.names[role].clone(), texts.join(" and "));
                return Err(MatchError::Goals { role, goals });
            }
            Ok(self.world.goal(position, role))
        };
        (0..self.names.len()).map(goal).collect()
    }
}

/// One of these; a single one needs no chance.
fn rng_pick(legal: &[u32], rng: &mut Rng) -> u32 {
    if let [only] = legal { *only } else { rng.pick(legal) }
}
