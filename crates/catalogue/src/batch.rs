//! Many games of one kind, played side by side on arrays: what programs that learn want.

use std::fmt;
use std::sync::Arc;

use patience_model::{Encoded, Game, Rng};

use crate::game::{DealName, no_deal};
use crate::info::Deals;
use crate::kit::Kit;
use crate::path::{Origin, Path, no_such_move, stream};

/// Many games in progress. What is seen of them and what they bring is written into arrays of the
/// caller, so that nothing is copied.
///
/// Game i of a batch that was reset with a seed is the game that [`AnyGame::start`] begins with that
/// seed: the same deal, the same chance.
///
/// [`AnyGame::start`]: crate::AnyGame::start
///
/// A game always begins with a move to make. Where the deal of a seed allows none, as one Klondike deal
/// in some hundreds, the next deal of the seed that allows one takes its place.
///
/// Several threads step the games of a batch: [`AnyGame::batch_on`]. Each game has streams of its own,
/// so they are the same on any number of threads.
///
/// [`AnyGame::batch_on`]: crate::AnyGame::batch_on
pub struct Batch {
    games: Box<dyn Many>,
    deals: Deals,
}

/// After so many deals without a move a game is taken to have none that allows one.
const DEALS: u32 = 1000;

/// Where a step writes, one entry per game but for the first two.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// What is seen, one row per game.
    pub observations: &'a mut [i16],
    /// 1 for each move that is legal, one row per game.
    pub legal: &'a mut [i8],
    /// What the moves brought.
    pub rewards: &'a mut [f64],
    /// Which games are over.
    pub over: &'a mut [bool],
    /// Which moves were not legal: in these games nothing happened.
    pub illegal: &'a mut [bool],
}

impl Batch {
    pub(crate) fn new(games: Box<dyn Many>, deals: Deals) -> Self {
        Batch { games, deals }
    }

    /// The move that starts a game anew.
    pub const RESTART: i64 = i64::MIN;

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.games()
    }

    /// The highest value of each number of an observation; the lowest is 0.
    pub fn highest(&self) -> Vec<i16> {
        self.games.highest()
    }

    /// How many moves there can be, in all states together.
    pub fn moves(&self) -> usize {
        self.games.moves()
    }

    /// Starts all games anew, each with its seed.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]) {
        assert_eq!(seeds.len(), self.games(), "one seed per game");
        self.games.reset(seeds, observations, legal);
    }

    /// Starts all games anew, each at a deal by its name ([`AnyGame::deal`]) and with its seed for chance.
    ///
    /// # Errors
    /// If there is no such deal, or it allows no move. Then nothing has happened.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    ///
    /// [`AnyGame::deal`]: crate::AnyGame::deal
    pub fn reset_to(
        &mut self,
        names: &[String],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String> {
        assert_eq!([names.len(), seeds.len()], [self.games(); 2], "one deal and seed per game");
        let names = names.iter().map(|name| DealName::read(name, self.deals));
        let names = names.collect::<Result<Vec<_>, _>>()?;
        self.games.reset_to(&names, seeds, observations, legal)
    }

    /// How many deals without a move were passed over when each game began.
    pub fn skipped(&self, skipped: &mut [u32]) {
        self.games.skipped(skipped);
    }

    /// Starts all games anew, each with the next deal of its seed.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]) {
        self.games.deal(observations, legal);
    }

    /// Makes a move in every game. A game that is over is started anew instead, whatever the move, and
    /// so is one whose move is [`Batch::RESTART`]; a move that is not legal changes nothing.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn step(&mut self, moves: &[i64], arrays: Arrays<'_>) {
        self.games.step(moves, arrays);
    }

    /// Picks a legal move in every game, each alike; -1 where a game is over.
    ///
    /// # Panics
    /// If there is not one entry per game.
    pub fn sample(&self, rng: &mut Rng, moves: &mut [i64]) {
        assert_eq!(moves.len(), self.games(), "one move per game");
        self.games.sample(rng, moves);
    }

    /// Where a game began, and its moves since: [`AnyGame::follow`] gives its state.
    ///
    /// # Panics
    /// If there is no such game.
    ///
    /// [`AnyGame::follow`]: crate::AnyGame::follow
    pub fn path(&self, game: usize) -> Path {
        assert!(game < self.games(), "there is no game {game}");
        self.games.path(game)
    }

    /// Puts a game where a path ends.
    ///
    /// # Errors
    /// If there is no such deal or position, or a move is not legal. Then nothing has happened.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn follow(&mut self, game: usize, path: &Path) -> Result<(), String> {
        assert!(game < self.games(), "there is no game {game}");
        self.games.follow(game, path, self.deals)
    }

    /// Writes what is seen and which moves are legal.
    ///
    /// # Panics
    /// If an array has another size than the games need.
    pub fn show(&self, observations: &mut [i16], legal: &mut [i8]) {
        self.games.show(observations, legal);
    }

    /// The moves of a game by number, in the game's order and notation.
    pub fn legal(&self, game: usize) -> Vec<(usize, String)> {
        self.games.legal(game)
    }

    /// A game as text.
    pub fn text(&self, game: usize) -> String {
        self.games.text(game)
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Batch({} games)", self.games())
    }
}

/// A batch without its type.
pub(crate) trait Many: Send {
    fn games(&self) -> usize;
    fn highest(&self) -> Vec<i16>;
    fn moves(&self) -> usize;
    fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]);
    fn reset_to(
        &mut self,
        names: &[DealName<'_>],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String>;
    fn skipped(&self, skipped: &mut [u32]);
    fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]);
    fn step(&mut self, moves: &[i64], arrays: Arrays<'_>);
    fn sample(&self, rng: &mut Rng, moves: &mut [i64]);
    fn path(&self, game: usize) -> Path;
    fn follow(&mut self, game: usize, path: &Path, deals: Deals) -> Result<(), String>;
    fn show(&self, observations: &mut [i16], legal: &mut [i8]);
    fn legal(&self, game: usize) -> Vec<(usize, String)>;
    fn text(&self, game: usize) -> String;
}

/// One of the games.
struct One<G: Game> {
    state: G::State,
    last: Option<G::Obs>,
    chance: Rng,
    path: Path,
    /// How many deals without a move were passed over when it began.
    skipped: u32,
    /// Where its legal actions end in [`Part::actions`].
    end: usize,
}

/// The games that one thread steps.
struct Part<G: Game> {
    games: Vec<One<G>>,
    /// The legal actions of all games, one after the other.
    actions: Vec<G::Action>,
    /// Those of the step before, whose memory is used again.
    before: Vec<G::Action>,
    legal: Vec<G::Action>,
}

/// The games of a batch.
struct Of<G: Game> {
    kit: Arc<Kit<G>>,
    parts: Vec<Part<G>>,
    /// How many games each part has, but perhaps the last one.
    share: usize,
    games: usize,
    seen: usize,
    moves: usize,
}

/// A batch of `games` games of a kit.
pub(crate) fn batch<G>(kit: Arc<Kit<G>>, games: usize, threads: usize) -> Box<dyn Many>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    let (seen, moves) = (kit.game.highest().len(), kit.game.moves());
    let share = games.div_ceil(threads.max(1)).max(1);
    let part = |first: usize| {
        let seeds = first as u64..games.min(first + share) as u64;
        let games = seeds.map(|seed| One::of(&kit, seed)).collect();
        let mut part = Part { games, actions: Vec::new(), before: Vec::new(), legal: Vec::new() };
        part.list(&kit.game);
        part
    };
    let parts = (0..games).step_by(share).map(part).collect();
    Box::new(Of { kit, parts, share, games, seen, moves })
}

impl<G: Game + 'static> One<G> {
    /// The first game of a seed that has a move to make.
    fn of(kit: &Kit<G>, seed: u64) -> Self {
        let mut one = Self::at(kit.deal_of(seed, 0), Path::of(seed));
        one.skip(kit, &mut Vec::new());
        one
    }

    /// A game at the beginning of a path.
    fn at(state: G::State, path: Path) -> Self {
        let chance = stream("chance", path.seed, path.number);
        One { state, last: None, chance, path, skipped: 0, end: 0 }
    }

    /// Begins anew with the next deal of its seed.
    fn next(&mut self, kit: &Kit<G>) {
        let Path { seed, number, origin, moves } = &mut self.path;
        *number += 1;
        *origin = Origin::Seed;
        moves.clear();
        self.state = kit.deal_of(*seed, *number);
        self.chance = stream("chance", *seed, *number);
        self.last = None;
    }

    /// Passes over deals that allow no move; `legal` is left with the legal actions.
    fn skip(&mut self, kit: &Kit<G>, legal: &mut Vec<G::Action>) {
        self.skipped = 0;
        kit.game.actions(&self.state, legal);
        while legal.is_empty() && self.skipped < DEALS {
            self.skipped += 1;
            self.next(kit);
            kit.game.actions(&self.state, legal);
        }
    }

    /// Makes the move at a place among the legal ones; gives the reward.
    #[inline]
    fn play(&mut self, game: &G, place: usize, action: G::Action) -> f64 {
        let step = game.step(&mut self.state, action, &mut self.chance);
        self.path.moves.push(place as u32);
        self.last = Some(step.obs);
        step.reward
    }
}

impl<G: Game> Part<G> {
    /// Lists the legal actions of all games.
    fn list(&mut self, game: &G) {
        self.actions.clear();
        for one in &mut self.games {
            game.actions(&one.state, &mut self.legal);
            self.actions.extend_from_slice(&self.legal);
            one.end = self.actions.len();
        }
    }

    fn own(&self, game: usize) -> &[G::Action] {
        let begin = if game == 0 { 0 } else { self.games[game - 1].end };
        &self.actions[begin..self.games[game].end]
    }
}

impl<G: Encoded + 'static> Part<G> {
    /// Makes a move in every game. One pass over them, while each is in the cache.
    fn step(&mut self, kit: &Kit<G>, moves: &[i64], arrays: Arrays<'_>) {
        let Arrays { observations, legal, rewards, over, illegal } = arrays;
        let (game, count) = (&kit.game, self.games.len());
        let (seen, numbers) = (observations.len() / count, legal.len() / count);
        std::mem::swap(&mut self.actions, &mut self.before);
        self.actions.clear();
        legal.fill(0);
        let mut begin = 0;
        for (i, one) in self.games.iter_mut().enumerate() {
            let known = &self.before[begin..one.end];
            begin = one.end;
            (rewards[i], illegal[i]) = (0.0, false);
            if known.is_empty() || moves[i] == Batch::RESTART {
                one.next(kit);
                one.skip(kit, &mut self.legal);
            } else {
                let wanted = usize::try_from(moves[i]).unwrap_or(usize::MAX);
                let named = |action: &G::Action| game.number(&one.state, *action) == wanted;
                match known.iter().position(named) {
                    Some(place) => rewards[i] = one.play(game, place, known[place]),
                    None => illegal[i] = true,
                }
                game.actions(&one.state, &mut self.legal);
            }
            self.actions.extend_from_slice(&self.legal);
            one.end = self.actions.len();
            over[i] = self.legal.is_empty();
            game.observe(&one.state, one.last, &mut observations[i * seen..][..seen]);
            let row = &mut legal[i * numbers..][..numbers];
            for &action in &self.legal {
                row[game.number(&one.state, action)] = 1;
            }
        }
    }
}

impl<'a> Arrays<'a> {
    /// The rows of the first so many of `all` games, and those of the others.
    fn split(self, games: usize, all: usize) -> (Arrays<'a>, Arrays<'a>) {
        let seen = self.observations.len() / all;
        let moves = self.legal.len() / all;
        let (observations, others) = self.observations.split_at_mut(games * seen);
        let (legal, other_legal) = self.legal.split_at_mut(games * moves);
        let (rewards, other_rewards) = self.rewards.split_at_mut(games);
        let (over, other_over) = self.over.split_at_mut(games);
        let (illegal, other_illegal) = self.illegal.split_at_mut(games);
        let first = Arrays { observations, legal, rewards, over, illegal };
        let rest = Arrays {
            observations: others,
            legal: other_legal,
            rewards: other_rewards,
            over: other_over,
            illegal: other_illegal,
        };
        (first, rest)
    }
}

impl<G: Game> Of<G> {
    fn one(&self, game: usize) -> Option<&One<G>> {
        self.parts.get(game / self.share)?.games.get(game % self.share)
    }

    /// Every game with its legal actions.
    fn each(&self) -> impl Iterator<Item = (&One<G>, &[G::Action])> {
        self.parts.iter().flat_map(|part| {
            (0..part.games.len()).map(move |game| (&part.games[game], part.own(game)))
        })
    }
}

impl<G> Of<G>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    /// Replaces all games, and shows them.
    fn begin(
        &mut self,
        games: impl IntoIterator<Item = One<G>>,
        observations: &mut [i16],
        legal: &mut [i8],
    ) {
        let mut games = games.into_iter();
        for part in &mut self.parts {
            for (one, new) in part.games.iter_mut().zip(&mut games) {
                *one = new;
            }
            part.list(&self.kit.game);
        }
        self.show(observations, legal);
    }
}

impl<G> Many for Of<G>
where
    G: Encoded + Send + Sync + 'static,
    G::State: Send,
    G::Action: Send,
    G::Obs: Send,
{
    fn games(&self) -> usize {
        self.games
    }

    fn highest(&self) -> Vec<i16> {
        self.kit.game.highest()
    }

    fn moves(&self) -> usize {
        self.moves
    }

    fn reset(&mut self, seeds: &[u64], observations: &mut [i16], legal: &mut [i8]) {
        let kit = Arc::clone(&self.kit);
        self.begin(seeds.iter().map(|&seed| One::of(&kit, seed)), observations, legal);
    }

    fn deal(&mut self, observations: &mut [i16], legal: &mut [i8]) {
        for part in &mut self.parts {
            for one in &mut part.games {
                one.next(&self.kit);
                one.skip(&self.kit, &mut part.legal);
            }
            part.list(&self.kit.game);
        }
        self.show(observations, legal);
    }

    fn reset_to(
        &mut self,
        names: &[DealName<'_>],
        seeds: &[u64],
        observations: &mut [i16],
        legal: &mut [i8],
    ) -> Result<(), String> {
        let mut games = Vec::with_capacity(names.len());
        let mut actions = Vec::new();
        for (name, &seed) in names.iter().zip(seeds) {
            let (name, state) = match name {
                DealName::Seed(deal) => (format!("seed:{deal}"), self.kit.deal_of(*deal, 0)),
                DealName::Own(name) => {
                    let state = self.kit.deal_numbered(name);
                    ((*name).to_owned(), state.map_err(|why| no_deal(name, &why))?)
                }
            };
            self.kit.game.actions(&state, &mut actions);
            if actions.is_empty() {
                return Err(format!("deal {name} allows no move: the game would be over"));
            }
            let path = Path { origin: Origin::Deal(name), ..Path::of(seed) };
            games.push(One::at(state, path));
        }
        self.begin(games, observations, legal);
        Ok(())
    }

    fn skipped(&self, skipped: &mut [u32]) {
        for ((one, _), skipped) in self.each().zip(skipped) {
            *skipped = one.skipped;
        }
    }

    fn step(&mut self, moves: &[i64], arrays: Arrays<'_>) {
        let count = self.games;
        assert_eq!(moves.len(), count, "one move per game");
        assert_eq!(arrays.observations.len(), count * self.seen, "one observation per game");
        assert_eq!(arrays.legal.len(), count * self.moves, "one row of moves per game");
        let per_game = [arrays.rewards.len(), arrays.over.len(), arrays.illegal.len()];
        assert_eq!(per_game, [count; 3], "one entry per game");
        let kit = &*self.kit;
        let Some((first, others)) = self.parts.split_first_mut() else { return };
        std::thread::scope(|scope| {
            let (own, mut rest) = arrays.split(first.games.len(), count);
            let (own_moves, mut moves) = moves.split_at(first.games.len());
            let mut left = count - first.games.len();
            for part in others {
                let games = part.games.len();
                let (arrays, after) = rest.split(games, left);
                let (chosen, later) = moves.split_at(games);
                (rest, moves, left) = (after, later, left - games);
                scope.spawn(move || part.step(kit, chosen, arrays));
            }
            first.step(kit, own_moves, own);
        });
    }

    fn sample(&self, rng: &mut Rng, moves: &mut [i64]) {
        for ((one, own), chosen) in self.each().zip(moves) {
            *chosen = match own {
                [] => -1,
                own => self.kit.game.number(&one.state, rng.pick(own)) as i64,
            };
        }
    }

    fn path(&self, game: usize) -> Path {
        self.one(game).map_or_else(Path::default, |one| one.path.clone())
    }

    fn follow(&mut self, game: usize, path: &Path, deals: Deals) -> Result<(), String> {
        let kit = &*self.kit;
        let state = match &path.origin {
            Origin::Seed => kit.deal_of(path.seed, path.number),
            Origin::Deal(name) => match DealName::read(name, deals)? {
                DealName::Seed(seed) => kit.deal_of(seed, 0),
                DealName::Own(name) => {
                    kit.deal_numbered(name).map_err(|why| no_deal(name, &why))?
                }
            },
            Origin::Text(text) => {
                let read = kit.read.as_ref().ok_or("this game is not read from text")?;
                read(&kit.game, text)?
            }
        };
        let mut one = One::<G>::at(state, Path { moves: Vec::new(), ..path.clone() });
        let mut legal = Vec::new();
        for (number, &place) in (1..).zip(&path.moves) {
            kit.game.actions(&one.state, &mut legal);
            let action = legal.get(place as usize);
            let wrong = || no_such_move(number, place, legal.len());
            one.play(&kit.game, place as usize, *action.ok_or_else(wrong)?);
        }
        let part = &mut self.parts[game / self.share];
        part.games[game % self.share] = one;
        part.list(&self.kit.game);
        Ok(())
    }

    fn show(&self, observations: &mut [i16], legal: &mut [i8]) {
        assert_eq!(observations.len(), self.games * self.seen, "one observation per game");
        assert_eq!(legal.len(), self.games * self.moves, "one row of moves per game");
        legal.fill(0);
        for (i, (one, own)) in self.each().enumerate() {
            let row = &mut observations[i * self.seen..][..self.seen];
            self.kit.game.observe(&one.state, one.last, row);
            let row = &mut legal[i * self.moves..][..self.moves];
            for &action in own {
                row[self.kit.game.number(&one.state, action)] = 1;
            }
        }
    }

    fn legal(&self, game: usize) -> Vec<(usize, String)> {
        let Some((one, own)) = self.each().nth(game) else { return Vec::new() };
        let shown = |&action: &G::Action| {
            let number = self.kit.game.number(&one.state, action);
            (number, self.kit.action_text(&one.state, action))
        };
        own.iter().map(shown).collect()
    }

    fn text(&self, game: usize) -> String {
        self.one(game).map_or_else(String::new, |one| self.kit.state_text(&one.state))
    }
}
