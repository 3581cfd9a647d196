//! The player for hidden cards: it sees nothing that is hidden, what it calls sure is sure, and it
//! wins.

use std::collections::HashMap;

use patience_games::klondike::best::{Best, BestSettings};
use patience_games::klondike::solver::{Thoughtful, ThoughtfulSearch};
use patience_games::klondike::{
    Action, Card, Column, Deal, Ending, Klondike, KlondikeTable, Position, Rules, Scoring, State,
    TakingBack, format,
};
use patience_model::{Game, Rng, Text};
use patience_plan::{
    Branch, Budget, Cancel, Estimate, Guess, Planner, Root, Search, Stepped, Verdict,
};

fn klondike(draw: u32) -> Klondike {
    Klondike::new(Rules::draw(draw).unwrap()).unwrap()
}

fn best(samples: u64) -> Best {
    Best::new(BestSettings { samples: Some(samples), ..BestSettings::default() }).unwrap()
}

fn think(search: &mut dyn Search<Klondike>) {
    search.run(&Budget::UNLIMITED, &Cancel::new());
}

/// Plays a game; gives the states in which there was a choice, with what was chosen.
fn game(game: &Klondike, player: &Best, start: State) -> (Vec<(State, Action)>, State) {
    let (mut state, mut actions, mut choices) = (start, Vec::new(), Vec::new());
    let mut search = player.search(game, Root::Certain(game.open(&state)), Rng::new(5));
    loop {
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            return (choices, state);
        }
        think(&mut *search);
        let action = search.best().unwrap();
        assert!(actions.contains(&action), "{action:?} is not among {actions:?}");
        choices.push((state, action));
        let obs = game.step(&mut state, action, &mut Rng::new(0)).obs;
        assert!(search.advance(action, obs, Root::Certain(game.open(&state))));
    }
}

/// The face-down cards of a position in another order.
fn swapped(position: &Position, seed: u64) -> Position {
    let mut other = position.clone();
    let mut down: Vec<_> = position.columns.iter().flat_map(|c| c.down.clone()).collect();
    Rng::new(seed).shuffle(&mut down);
    for card in other.columns.iter_mut().flat_map(|c: &mut Column| c.down.iter_mut()) {
        *card = down.pop().unwrap();
    }
    other
}

/// The hidden cards are swapped behind the player's back: it thinks and decides the same, however
/// the state is given to it.
#[test]
fn no_decision_depends_on_what_is_hidden() {
    let game = klondike(3);
    let player = best(60);
    for seed in 1..=6 {
        let truth = Position::deal(game.rules(), &Deal::seeded(game.rules(), seed));
        let other = swapped(&truth, seed);
        assert_ne!(truth, other);
        let look = |position: &Position, open: bool| {
            let state = game.state(position).unwrap();
            let root = if open { Root::Certain(game.open(&state)) } else { Root::Certain(state) };
            let mut search = player.search(&game, root, Rng::new(seed));
            think(&mut *search);
            (search.best(), search.estimates(), search.counts())
        };
        let first = look(&truth, true);
        assert_eq!(first, look(&other, true));
        // Even a state that fixes the hidden cards tells it nothing.
        assert_eq!(first, look(&truth, false));
        assert_eq!(first, look(&other, false));
    }
}

/// Goes down a tree by the rules: every action is legal where it is, and what was seen can be seen.
fn walk(game: &Klondike, state: &State, branches: &[Branch<Action, Option<Card>>]) -> usize {
    let mut legal = Vec::new();
    game.actions(state, &mut legal);
    let mut levels = 0;
    for branch in branches {
        assert!(legal.contains(&branch.action), "{:?} in {legal:?}", branch.action);
        assert!(branch.visits > 0 && (0.0..=1.0).contains(&branch.value), "{branch:?}");
        let after: u64 = branch.after.iter().map(|after| after.visits).sum();
        assert!(after >= branch.visits, "{branch:?}");
        for after in &branch.after {
            let below = (0..2_000).find_map(|seed| {
                let mut next = *state;
                let seen = game.step(&mut next, branch.action, &mut Rng::new(seed)).obs;
                (seen == after.obs).then_some(next)
            });
            let below = below.unwrap_or_else(|| panic!("{:?} was never seen", after.obs));
            levels = levels.max(1 + walk(game, &below, &after.branches));
        }
    }
    assert!(branches.is_sorted_by_key(|branch| std::cmp::Reverse(branch.visits)));
    levels
}

/// The tree that is shown is the search's own: its samples, and nothing that is hidden.
#[test]
fn the_tree_holds_what_was_tried() {
    for draw in [1, 3] {
        let game = klondike(draw).with_taking_back(TakingBack::Any).with_ending(Ending::Home);
        let player = Best::new(BestSettings::default()).unwrap();
        let mut deepest = 0;
        for seed in 1..=4 {
            let position = Position::deal(game.rules(), &Deal::seeded(game.rules(), seed));
            let mut state = game.state(&position).unwrap();
            let hidden = game.state(&swapped(&position, seed)).unwrap();
            let think = |state: &State| {
                let root = Root::Certain(game.open(state));
                let mut search = player.search(&game, root, Rng::new(seed));
                search.run(&Budget::iterations(120), &Cancel::new());
                search
            };
            assert_eq!(think(&state).tree(3), think(&hidden).tree(3));
            let mut legal = Vec::new();
            for _ in 0..12 {
                let search = think(&state);
                let tree = search.tree(4);
                deepest = deepest.max(walk(&game, &game.open(&state), &tree));
                // Every sample went through one of the actions.
                let tried: u64 = tree.iter().map(|branch| branch.visits).sum();
                assert_eq!(tried, search.counts().iterations, "{tree:?}");
                let estimates = search.estimates();
                for branch in tree.iter().filter(|branch| branch.bonus.is_some()) {
                    let told = estimates.iter().find(|told| told.action == branch.action).unwrap();
                    assert_eq!(told.visits, branch.visits, "{branch:?}");
                }
                game.actions(&state, &mut legal);
                let Some(action) = search.best() else { break };
                game.step(&mut state, action, &mut Rng::new(0));
            }
        }
        assert!(deepest >= 3, "{deepest}");
    }
}

#[test]
fn a_belief_is_thought_about_like_what_is_known() {
    let game = klondike(3);
    let mut thought = 0;
    for seed in 1..=6 {
        let state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        let root = Root::Belief(Box::new(Guess(game.open(&state))));
        let mut search = best(80).search(&game, root, Rng::new(1));
        think(&mut *search);
        assert!(search.best().is_some());
        // Nothing, where a move needs no second thought.
        assert!([0, 80].contains(&search.counts().iterations));
        thought += search.counts().iterations;
    }
    assert!(thought > 0);
}

#[test]
fn a_search_started_anew_is_a_new_search() {
    let game = klondike(3);
    let player = best(50);
    let root = |seed| {
        let state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        Root::Certain(game.open(&state))
    };
    let mut new = player.search(&game, root(2), Rng::new(9));
    think(&mut *new);
    let mut old = player.search(&game, root(1), Rng::new(7));
    think(&mut *old);
    assert!(old.restart(root(2), Rng::new(9)));
    think(&mut *old);
    assert_eq!(old.estimates(), new.estimates());
    assert_eq!(old.best(), new.best());
}

/// The verdict of the solver for every order of the hidden cards after an action.
fn verdicts(game: &Klondike, position: &Position, action: Action) -> Vec<bool> {
    let down: Vec<_> = position.columns.iter().flat_map(|c| c.down.clone()).collect();
    let mut all = Vec::new();
    orders(&mut down.clone(), 0, &mut |order| {
        let mut position = position.clone();
        let mut order = order.iter();
        for card in position.columns.iter_mut().flat_map(|c: &mut Column| c.down.iter_mut()) {
            *card = *order.next().unwrap();
        }
        let state = game.state(&position).unwrap();
        all.push(wins(game, &position, state, action));
    });
    all
}

fn orders<T: Copy>(items: &mut Vec<T>, from: usize, each: &mut impl FnMut(&[T])) {
    if from == items.len() {
        return each(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        orders(items, from + 1, each);
        items.swap(from, i);
    }
}

/// Whether an action leaves a win, all cards known: by search over the game's own actions.
fn wins(game: &Klondike, position: &Position, mut state: State, action: Action) -> bool {
    // A position that is lost whatever is done needs no look.
    let table = KlondikeTable::new(*game.rules(), Scoring::Win);
    let mut solver =
        ThoughtfulSearch::new(&table, position.clone(), Thoughtful::default()).unwrap();
    solver.run(&Budget::UNLIMITED, &Cancel::new());
    if solver.finding().verdict == Verdict::Unsolvable {
        return false;
    }
    game.step(&mut state, action, &mut Rng::new(0));
    let (mut seen, mut open) = (std::collections::HashSet::new(), vec![state]);
    while let Some(state) = open.pop() {
        if game.is_won(&state) {
            return true;
        }
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        for action in actions {
            let mut next = state;
            game.step(&mut next, action, &mut Rng::new(0));
            if seen.insert(format!("{next:?}")) {
                open.push(next);
            }
        }
    }
    false
}

/// Small packs with few hidden cards: a move called surely lost wins with no order of the hidden
/// cards, one called surely won with every order.
#[test]
fn what_is_called_sure_is_sure() {
    let (won, lost) = sure(TakingBack::Any);
    assert!(won > 5 && lost > 5, "{won} surely won, {lost} surely lost: too few to mean something");
}

/// The same where the odds cannot be computed, so that the player samples: with two cards face down a
/// sample says nothing of the other order.
#[test]
fn what_is_called_sure_after_samples_is_sure() {
    let (_, lost) = sure(TakingBack::Useful);
    assert!(lost > 5, "{lost} surely lost: too few to mean something");
}

/// How many moves are called surely won and surely lost, all of them rightly.
fn sure(taking_back: TakingBack) -> (u32, u32) {
    let rules = Rules::draw(3).unwrap().with_pack(4, 3).unwrap();
    let game = Klondike::new(rules).unwrap().with_taking_back(taking_back);
    let player = best(400);
    let (mut won, mut lost) = (0, 0);
    for seed in 0..250 {
        let position = Position::deal(&rules, &Deal::seeded(&rules, seed));
        let state = game.state(&position).unwrap();
        let mut search = player.search(&game, Root::Certain(game.open(&state)), Rng::new(seed));
        think(&mut *search);
        for estimate in search.estimates().into_iter().filter(|e| e.proven) {
            let all = verdicts(&game, &position, estimate.action);
            match estimate.value {
                Some(1.0) => {
                    won += 1;
                    assert!(all.iter().all(|&win| win), "deal {seed}, {:?}", estimate.action);
                }
                Some(0.0) => {
                    lost += 1;
                    assert!(all.iter().all(|&win| !win), "deal {seed}, {:?}", estimate.action);
                }
                other => panic!("sure, but worth {other:?}"),
            }
        }
    }
    (won, lost)
}

/// Played to the end, every action legal; and won far more often than the 13% of greedy play. With
/// 40 games and a chance of 0.35 to win each, fewer than 7 have a probability below 1%.
#[test]
fn it_wins() {
    let game = klondike(3);
    let player = best(60);
    let mut won = 0;
    for seed in 101..=140 {
        let start = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        won += u32::from(game.is_won(&self::game(&game, &player, start).1));
    }
    assert!(won >= 7, "{won} of 40");
}

/// A position whose only way to win takes back a card on which nothing can be laid at once.
const BACK: &str = "Foundations: C-4 D-7 H-7 S-8\nTalon: 8D\nKC QH JC TH 9C 8H 7C\nKS QD JS TD 9S\n\
    KD QC JH TC 9H\nKH QS JD TS 9D\n:\n:\n<??> <??> 6C\n";

/// Where the game does not offer what a plan needs, the plan proves nothing.
#[test]
fn a_win_is_sure_only_if_any_card_may_come_back() {
    let position = format::read(klondike(3).rules(), BACK).unwrap();
    for taking_back in [TakingBack::Useful, TakingBack::Any] {
        let game = klondike(3).with_taking_back(taking_back).with_ending(Ending::Home);
        let state = game.state(&position).unwrap();
        let mut search = Best::new(BestSettings::default()).unwrap().search(
            &game,
            Root::Certain(game.open(&state)),
            Rng::new(1),
        );
        search.run(&Budget::iterations(500), &Cancel::new());
        let estimates = search.estimates();
        let sure = |e: &Estimate<Action>| e.proven && e.value == Some(1.0);
        assert_eq!(estimates.iter().any(sure), taking_back == TakingBack::Any, "{estimates:?}");
        // What is not proven is not said to be certain, even if all samples agree.
        for e in estimates.iter().filter(|e| !e.proven && e.visits > 0) {
            let value = e.value.unwrap();
            assert!(e.low.is_none() && 0.0 < value && value < 1.0, "{e:?}");
        }
    }
}

/// People play to the last card: a game that greedy play would win goes on.
#[test]
fn a_game_can_be_played_to_the_last_card() {
    let player = best(60);
    let mut won = 0;
    for seed in 1..=8 {
        let until = |ending| {
            let game = klondike(3).with_taking_back(TakingBack::Any).with_ending(ending);
            let start = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
            let (choices, end) = self::game(&game, &player, start);
            (game.is_won(&end), choices.len())
        };
        let (greedy, home) = (until(Ending::Greedy), until(Ending::Home));
        assert_eq!(greedy.0, home.0, "seed {seed}");
        assert!(!greedy.0 || home.1 > greedy.1, "seed {seed}: {greedy:?} {home:?}");
        won += u32::from(home.0);
    }
    assert!(won > 0);
}

/// No move is told to be worth more than the best one, be it safe or not.
#[test]
fn the_best_move_is_told_the_highest_value() {
    let game = klondike(3).with_taking_back(TakingBack::Any).with_ending(Ending::Home);
    let player = Best::new(BestSettings::default()).unwrap();
    let (mut safe, mut others) = (0, 0);
    for seed in 1..=12 {
        let mut state = game.deal(&Deal::seeded(game.rules(), seed)).unwrap();
        for _ in 0..6 {
            let root = Root::Certain(game.open(&state));
            let mut search = player.search(&game, root, Rng::new(seed));
            search.run(&Budget::iterations(400), &Cancel::new());
            let (Some(best), estimates) = (search.best(), search.estimates()) else { break };
            let value = |e: &Estimate<Action>| e.value.unwrap_or(0.0);
            let most = estimates.iter().map(value).fold(0.0, f64::max);
            let told = estimates.iter().find(|e| e.action == best).map(value);
            assert_eq!(told, Some(most), "deal {seed}: {estimates:?}");
            let mean = search.figures().iter().find(|figure| figure.0 == "mean").map(|f| f.1);
            assert!(mean.is_some_and(|mean| (0.0..=1.0).contains(&mean)));
            let count = if search.reason().is_some() { &mut safe } else { &mut others };
            *count += u32::from(most > 0.0);
            game.step(&mut state, best, &mut Rng::new(seed));
        }
    }
    assert!(safe > 5 && others > 5, "{safe} safe, {others} others");
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings| Best::new(settings).is_err();
    let fine = BestSettings::default();
    assert!(!refused(fine));
    assert!(refused(BestSettings { samples: Some(0), ..fine }));
    assert!(refused(BestSettings { nodes: 0, ..fine }));
    assert!(refused(BestSettings { unknown: 1.5, ..fine }));
    assert!(refused(BestSettings { c: f64::NAN, ..fine }));
}

/// Where nothing can be turned up any more after a move, no sample is needed to say so.
#[test]
fn a_move_after_which_nothing_turns_up_is_lost_at_once() {
    let trap = "\
Foundations: C-5 D-8 H-K S-8
Talon:
9D
JC
KS QD JS TD
KD QS JD
KC
QC
<??> <??> <??> <??> <??> <??> 8C
";
    let game = klondike(3).with_taking_back(TakingBack::Any).with_ending(Ending::Home);
    let state = game.state(&format::read(game.rules(), trap).unwrap()).unwrap();
    let player = Best::new(BestSettings::default()).unwrap();
    let search = player.search(&game, Root::Certain(game.open(&state)), Rng::new(3));
    let sure: Vec<_> = search.estimates().into_iter().filter(|e| e.proven).collect();
    let names: Vec<_> = sure.iter().map(|e| game.action_text(&state, e.action)).collect();
    assert_eq!(names, ["9D-f"]);
    assert_eq!((sure[0].low, sure[0].high), (Some(0.0), Some(0.0)));
}

/// What a player who sees no face-down card wins at best in the game's own actions: every action, and every
/// card that it may turn up. (No position comes twice on a way, and each is valued once, so it may be less
/// than the truth, never more.) `None` if that takes more than `most` positions.
struct Plain<'g> {
    game: &'g Klondike,
    values: HashMap<String, f64>,
    most: usize,
}

impl Plain<'_> {
    fn value(&mut self, state: &State) -> Option<f64> {
        if self.game.is_won(state) {
            return Some(1.0);
        }
        let text = self.game.state_text(state);
        if let Some(&value) = self.values.get(&text) {
            return Some(value);
        }
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        let mut best = 0.0_f64;
        for action in actions {
            best = best.max(self.after(state, action)?);
            if best == 1.0 {
                break;
            }
        }
        self.values.insert(text, best);
        (self.values.len() <= self.most).then_some(best)
    }

    fn after(&mut self, state: &State, action: Action) -> Option<f64> {
        // Every card that can turn up does so in many tries: a miss has a chance below 1e-7.
        let (mut seen, mut sum) = (Vec::new(), 0.0);
        for number in 0..80 {
            let mut next = *state;
            let step = self.game.step(&mut next, action, &mut Rng::numbered(7, number));
            if !seen.contains(&step.obs) {
                seen.push(step.obs);
                sum += self.value(&next)?;
            }
            if step.obs.is_none() {
                break;
            }
        }
        Some(sum / seen.len() as f64)
    }
}

/// With few cards face down the odds are exact. They are no less than trying everything with what is seen
/// gives in the game's own actions, where cards come back only to be of use at once, and nearly always the
/// same. The states are those of games that the player played.
#[test]
fn with_few_cards_hidden_the_odds_are_exact() {
    let (mut compared, mut same, mut unsure) = (0, 0, 0);
    for seed in 0..GAMES {
        let useful = klondike(1 + (seed % 3) as u32).with_ending(Ending::Home);
        let any = useful.with_taking_back(TakingBack::Any);
        let start = any.deal(&Deal::seeded(any.rules(), seed)).unwrap();
        let (choices, _) = self::game(&any, &best(30), start);
        let hidden = |state: &State| {
            let search = best(1).search(&any, Root::Certain(*state), Rng::new(0));
            let figures = search.figures();
            figures.iter().find(|figure| figure.0 == "face_down").map_or(0.0, |figure| figure.1)
        };
        let met = choices.iter().map(|(state, _)| any.open(state));
        let mut met = met.filter(|state| (2.0..=5.0).contains(&hidden(state)));
        let Some(state) = met.next() else { continue };
        let mut plain = Plain { game: &useful, values: HashMap::new(), most: 20_000 };
        let Some(least) = plain.value(&state) else { continue };
        let player = Best::new(BestSettings::default()).unwrap();
        let mut search = player.search(&any, Root::Certain(state), Rng::new(1));
        search.run(&Budget::iterations(300), &Cancel::new());
        let (estimates, best) = (search.estimates(), search.best());
        let Some(chosen) = estimates.iter().find(|e| Some(e.action) == best) else { continue };
        if chosen.low.is_none() {
            // It was not solved within its nodes.
            continue;
        }
        let told = chosen.value.unwrap();
        assert_eq!((chosen.low, chosen.high), (Some(told), Some(told)));
        let highest = estimates.iter().filter_map(|e| e.value).fold(0.0, f64::max);
        assert_eq!(told, highest, "seed {seed}");
        assert!(least <= told + 1e-9, "{least} to {told}, seed {seed}");
        compared += 1;
        same += u32::from((told - least).abs() < 1e-9);
        unsure += u32::from(least < 1.0 && least > 0.0);
    }
    println!("{compared} compared, {same} the same, {unsure} neither won nor lost for certain");
    assert!(compared > 20 && unsure > 3 && same * 10 >= compared * 9);
}

/// Where a guess is needed the odds say so: one jack wins for certain, the other one but for one card in
/// five. (The position is the one of `docs/klondike.md`.)
#[test]
fn the_odds_of_a_guess_are_exact() {
    let figure = "Foundations: C-2 D-5 H-3 S-7\nTalon: 8H 7C JD 6H QC\nWaste: TH 7D 9S 4H JH\n\
        KS QH JS TD 9C 8D\nKC QD\n<??> TC 9D\nKH QS\n5C\nKD\n<??> <??> <??> <??> TS 9H 8S 7H 6C 5H\n";
    let useful = klondike(3).with_ending(Ending::Home);
    let any = useful.with_taking_back(TakingBack::Any);
    let state = any.open(&any.state(&format::read(any.rules(), figure).unwrap()).unwrap());
    let player = Best::new(BestSettings::default()).unwrap();
    let mut search = player.search(&any, Root::Certain(state), Rng::new(1));
    search.run(&Budget::iterations(1), &Cancel::new());
    let told = search.estimates();
    assert_eq!(told.len(), 4);
    for (name, expected) in [("sJD-c", 0.8), ("sJH-c", 1.0), ("sQC-c", 0.0)] {
        let e = told.iter().find(|e| any.action_text(&state, e.action) == name).unwrap();
        let mut plain = Plain { game: &useful, values: HashMap::new(), most: 1_000_000 };
        let value = plain.after(&state, e.action).unwrap();
        assert!((value - expected).abs() < 1e-9, "{name}: {value}");
        assert!((e.value.unwrap() - expected).abs() < 1e-9, "{name}: {e:?}");
        assert_eq!((e.low, e.high, e.visits), (e.value, e.value, 0));
        assert_eq!(e.proven, expected == 0.0 || expected == 1.0);
    }
}

/// Games whose late states are looked at.
const GAMES: u64 = 200;
