//! A described game as a game of the model: one role decides, chance and all other roles move at
//! random, percepts are what is seen.

use std::ops::Deref;
use std::sync::Arc;

use patience_model::{Game, Rng, Step, Text};

use super::{Percepts, World, fingerprint};
use crate::network::{MAX_ROLES, Network};

/// A move of the deciding role, by its number in the [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// Why a game is not played by a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// There is no such role.
    #[error("there is no role {0} (there are: {1})")]
    Role(String, String),
    /// The role is that of chance.
    #[error("the role random is chance and decides nothing")]
    Random,
    /// There are too many roles.
    #[error("there are {0} roles, more than {MAX_ROLES}")]
    Roles(usize),
}

/// Where a match stands, and, where several roles decide and not all is seen, a fingerprint of what
/// each of them has done and seen so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GdlState<P> {
    /// The position.
    pub position: P,
    pub(crate) views: Vec<u64>,
}

impl<P> Deref for GdlState<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.position
    }
}

/// A game seen by one role. Goals count as rewards from 0 to 1 when the game ends.
///
/// Roles other than `random` are taken to move at random too: sound for one-player games, a weak
/// model of opponents elsewhere; [`Several`](crate::Several) has a better one. A state in which some
/// role has no legal move although the game is not over counts as over, without reward.
///
/// Where the rules have neither the role `random` nor `sees`, all moves are seen, as in GDL before
/// its second version.
#[derive(Debug)]
pub struct GdlGame<W = Network> {
    world: Arc<W>,
    role: usize,
    role_count: usize,
    sees_all: bool,
    has_views: bool,
    name: Option<Arc<str>>,
}

impl<W> Clone for GdlGame<W> {
    fn clone(&self) -> Self {
        GdlGame { world: Arc::clone(&self.world), name: self.name.clone(), ..*self }
    }
}

impl<W: World> GdlGame<W> {
    /// The game of a role, given by its name.
    ///
    /// # Errors
    /// If there is no such role, or it is `random`.
    pub fn new(world: Arc<W>, role: &str) -> Result<Self, GameError> {
        let names = world.role_names();
        if names.len() > MAX_ROLES {
            return Err(GameError::Roles(names.len()));
        }
        let found = names.iter().position(|name| name.eq_ignore_ascii_case(role));
        let missing = || GameError::Role(role.to_owned(), names.join(", "));
        Self::of_role(Arc::clone(&world), found.ok_or_else(missing)?)
    }

    /// The game of a role, given by its number.
    ///
    /// # Errors
    /// If the role is `random`.
    pub fn of_role(world: Arc<W>, role: usize) -> Result<Self, GameError> {
        if world.is_chance(role) {
            return Err(GameError::Random);
        }
        let role_count = world.role_names().len();
        let deciding = (0..role_count).filter(|&role| !world.is_chance(role)).count();
        let sees_all = !world.has_percepts() && deciding == role_count;
        let has_views = deciding > 1 && !sees_all;
        Ok(GdlGame { world, role, role_count, sees_all, has_views, name: None })
    }

    /// The same with all moves seen by everybody, whatever the rules say: so it is when a controller
    /// tells them.
    pub fn with_all_seen(mut self) -> Self {
        (self.sees_all, self.has_views) = (true, false);
        self
    }

    /// The same with the name of its rules, for people.
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The name of the rules, if it was given.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The engine behind it.
    pub fn network(&self) -> &Arc<W> {
        &self.world
    }

    /// The number of the deciding role.
    pub fn role(&self) -> usize {
        self.role
    }

    /// How many roles there are, chance among them.
    pub fn role_count(&self) -> usize {
        self.role_count
    }

    /// Whether all moves are seen.
    pub fn sees_all(&self) -> bool {
        self.sees_all
    }

    /// Whether standings remember what each role has seen.
    pub(crate) fn has_views(&self) -> bool {
        self.has_views
    }

    /// The highest reward that any goal of the role gives.
    pub fn highest_reward(&self) -> f64 {
        f64::from(self.world.highest_goal(self.role)) / 100.0
    }

    /// A position before any move.
    pub fn state_at(&self, position: W::Position) -> GdlState<W::Position> {
        let views = if self.has_views { vec![0; self.role_count] } else { Vec::new() };
        GdlState { position, views }
    }

    /// The reward of a state in which the game is over.
    pub fn reward(&self, position: &W::Position) -> f64 {
        self.reward_of(position, self.role)
    }

    /// The same for any role.
    pub fn reward_of(&self, position: &W::Position, role: usize) -> f64 {
        self.world.goal(position, role).map_or(0.0, |goal| f64::from(goal) / 100.0)
    }

    /// What a role sees of a joint move that has just been played.
    #[inline]
    pub fn seen(&self, position: &W::Position, joint: &[u32], role: usize) -> Percepts {
        if self.sees_all { self.seen_moves(joint) } else { self.world.seen(position, role) }
    }

    /// What is seen of a joint move where all moves are seen.
    pub fn seen_moves(&self, joint: &[u32]) -> Percepts {
        Percepts(fingerprint(joint.iter().map(|&m| u64::from(m))))
    }

    /// Plays a joint move and says what the deciding role sees.
    #[inline]
    pub fn play(&self, state: &mut GdlState<W::Position>, joint: &[u32]) -> Percepts {
        self.world.play(&mut state.position, joint);
        if self.has_views {
            for (role, view) in state.views.iter_mut().enumerate() {
                let seen = self.world.seen(&state.position, role).0;
                let parts = [*view, u64::from(joint[role]), seen as u64, (seen >> 64) as u64];
                *view = fingerprint(parts.into_iter()) as u64;
            }
        }
        self.seen(&state.position, joint, self.role)
    }

    /// Whether the game goes on: it is not over, and every role can move.
    pub fn goes_on(&self, position: &W::Position) -> bool {
        !self.world.terminal(position)
            && (0..self.role_count).all(|role| self.world.can_move(position, role))
    }
}

impl<W: World> Game for GdlGame<W> {
    type State = GdlState<W::Position>;
    type Action = Move;
    type Obs = Percepts;

    fn start(&self, _: &mut Rng) -> Self::State {
        self.state_at(self.world.position())
    }

    fn actions(&self, state: &Self::State, out: &mut Vec<Move>) {
        out.clear();
        if self.goes_on(state) {
            self.world.for_each_legal(state, self.role, &mut |number| out.push(Move(number)));
        }
    }

    fn step(&self, state: &mut Self::State, action: Move, rng: &mut Rng) -> Step<Percepts> {
        let mut joint = [0u32; MAX_ROLES];
        for (role, number) in joint[..self.role_count].iter_mut().enumerate() {
            *number = match role == self.role {
                true => action.0,
                false => self.world.random_move(state, role, rng).unwrap_or(0),
            };
        }
        let obs = self.play(state, &joint[..self.role_count]);
        let reward = if self.world.terminal(state) { self.reward(state) } else { 0.0 };
        Step { reward, obs }
    }
}

impl<W: World> Text for GdlGame<W> {
    /// What the deciding role saw of its last move. Nothing where all moves are seen, for then there
    /// are no percepts.
    fn obs_text(&self, state: &Self::State, obs: Percepts) -> String {
        let world = self.network();
        if self.sees_all() || world.seen(&state.position, self.role()) != obs {
            return String::new();
        }
        world.percept_texts(&state.position, self.role()).join(" ")
    }

    fn state_text(&self, state: &Self::State) -> String {
        self.world.facts(state).join(" ")
    }

    fn action_text(&self, _: &Self::State, action: Move) -> String {
        self.world.move_text(self.role, action.0)
    }
}
