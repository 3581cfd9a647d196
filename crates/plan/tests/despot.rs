//! DESPOT: against trying all policies on the same scenarios, against exact values of the tiger and of a
//! small field of rocks, and its parameters.

use patience_games::rock_sample::Action as Rover;
use patience_games::tiger::{self, Tiger};
use patience_games::{RockSample, Tag};
use patience_model::{Game, Hidden, Rng};
use patience_plan::{
    Budget, ByKnown, Cancel, Despot, DespotParameters, Evaluation, Guess, Planner, Root, Search,
    Status,
};

fn belief<G>(known: G::Known) -> Root<G>
where
    G: Hidden,
    G::Known: Send + 'static,
{
    Root::Belief(Box::new(Guess(known)))
}

/// The twin: the best policy on the scenarios less λ for each of its nodes, by trying everything. The
/// default policy is one action, the best of some that are legal everywhere.
struct Twin<'g, G: Game> {
    game: &'g G,
    keys: Vec<u64>,
    parameters: DespotParameters,
    default: G::Action,
}

impl<'g, G: Game> Twin<'g, G> {
    fn new(
        game: &'g G,
        root: &Root<G>,
        parameters: DespotParameters,
        repeated: &[G::Action],
        mut rng: Rng,
    ) -> (Self, Vec<(usize, G::State)>) {
        let key = rng.next_u64();
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for number in 0..parameters.scenarios as usize {
            let mut stream = Rng::numbered(key, number as u64);
            starts.push((number, root.sample(game, &mut stream)));
            keys.push(stream.next_u64());
        }
        let mut twin = Twin { game, keys, parameters, default: repeated[0] };
        let mut worth = |action: &G::Action| {
            twin.default = *action;
            twin.default(&starts, 0)
        };
        let best = repeated.iter().rev().max_by(|a, b| worth(a).total_cmp(&worth(b)));
        twin.default = *best.unwrap();
        (twin, starts)
    }

    fn over(&self, state: &G::State, depth: u32) -> bool {
        let mut legal = Vec::new();
        self.game.actions(state, &mut legal);
        legal.is_empty() || depth == self.parameters.depth
    }

    fn step(
        &self,
        scenario: &mut (usize, G::State),
        action: G::Action,
        depth: u32,
    ) -> (f64, G::Obs) {
        let mut rng = Rng::numbered(self.keys[scenario.0], u64::from(depth));
        let step = self.game.step(&mut scenario.1, action, &mut rng);
        let weight = self.game.discount().powi(depth as i32) / self.keys.len() as f64;
        (weight * step.reward, step.obs)
    }

    fn default(&self, belief: &[(usize, G::State)], mut depth: u32) -> f64 {
        let (mut belief, mut sum) = (belief.to_vec(), 0.0);
        while let Some(at) = Some(depth).filter(|_| belief.iter().any(|s| !self.over(&s.1, depth)))
        {
            belief.retain(|scenario| !self.over(&scenario.1, at));
            sum += belief.iter_mut().map(|s| self.step(s, self.default, at).0).sum::<f64>();
            depth += 1;
        }
        sum
    }

    fn best(&self, belief: &[(usize, G::State)], depth: u32) -> f64 {
        let after = self.actions(belief, depth).into_iter().map(|(_, value)| value);
        after.fold(self.default(belief, depth), f64::max)
    }

    fn actions(&self, belief: &[(usize, G::State)], depth: u32) -> Vec<(G::Action, f64)> {
        let mut legal = Vec::new();
        self.game.actions(&belief[0].1, &mut legal);
        let value = |action: G::Action| {
            let (mut sum, mut after) = (-self.parameters.lambda, std::collections::HashMap::new());
            for mut scenario in belief.iter().cloned() {
                let (reward, obs) = self.step(&mut scenario, action, depth);
                sum += reward;
                if !self.over(&scenario.1, depth + 1) {
                    after.entry(obs).or_insert_with(Vec::new).push(scenario);
                }
            }
            sum + after.values().map(|belief| self.best(belief, depth + 1)).sum::<f64>()
        };
        legal.into_iter().map(|action| (action, value(action))).collect()
    }
}

/// Runs a search to its end and compares.
fn agrees<G>(
    game: &G,
    known: G::Known,
    parameters: DespotParameters,
    high: f64,
    repeated: &[G::Action],
) where
    G: Hidden + 'static,
    G::Known: Send + 'static,
{
    let upper = move |_: &G, _: &G::State| high;
    let planner = Despot::new(parameters, upper).unwrap();
    for seed in 0..6 {
        let root = || belief::<G>(known.clone());
        let mut search = planner.search(game, root(), Rng::new(seed));
        let mut steps = 0;
        while search.step() == Status::Running {
            steps += 1;
            assert!(steps < 200_000, "it ends");
        }
        let (twin, starts) = Twin::new(game, &root(), parameters, repeated, Rng::new(seed));
        let (best, actions) = (twin.best(&starts, 0), twin.actions(&starts, 0));
        let estimates = search.estimates();
        let found =
            estimates.iter().filter_map(|e| e.value).fold(twin.default(&starts, 0), f64::max);
        assert!((found - best).abs() < 1e-8, "{parameters:?} {seed}: {found} {best}");
        for (estimate, (action, value)) in estimates.iter().zip(&actions) {
            assert_eq!(estimate.action, *action);
            let value = value + 1e-8;
            assert!(estimate.value.is_none_or(|found| found < value), "{estimate:?} {value}");
        }
        let chosen = search.best().unwrap();
        let worth = actions.iter().find(|(action, _)| *action == chosen).unwrap().1;
        let kept = chosen == twin.default && twin.default(&starts, 0) > best - 1e-8;
        assert!(kept || worth > best - 1e-8, "{chosen:?} of {actions:?}");
    }
}

#[test]
fn once_complete_it_has_the_best_policy_for_its_scenarios() {
    let game = Tiger::new(5, 0.95).unwrap();
    let unheard = tiger::Known { heard_left: 0, heard_right: 0, opened: None };
    let heard = tiger::Known { heard_left: 1, ..unheard };
    let open = tiger::Action::Open;
    let all = [tiger::Action::Listen, open(tiger::Door::Left), open(tiger::Door::Right)];
    for lambda in [0.0, 0.02, 0.5, 5.0] {
        for (scenarios, known) in [(1, unheard), (12, unheard), (60, heard)] {
            let parameters =
                DespotParameters { scenarios, lambda, depth: 5, ..DespotParameters::default() };
            agrees(&game, known, parameters, 10.0, &all);
        }
    }
    let game = RockSample::new(4, 0.95).unwrap();
    let start = game.known(&game.start(&mut Rng::new(0)));
    for lambda in [0.0, 0.1] {
        let parameters =
            DespotParameters { scenarios: 10, lambda, depth: 4, ..DespotParameters::default() };
        agrees(&game, start, parameters, 50.0, &[Rover::East]);
    }
}

/// Many scenarios stand for the belief itself. What the actions are worth exactly is known; the bound on
/// regret is what 2,000 scenarios leave in doubt: a standard deviation of about 20 in what opening comes
/// to is a standard error of 0.45, and a difference of two has four of them in 2.5.
#[test]
fn the_tiger_is_played_nearly_as_well_as_can_be() {
    let game = Tiger::new(8, 0.95).unwrap();
    let parameters = DespotParameters { scenarios: 2_000, ..DespotParameters::default() };
    let planner = Despot::new(parameters, |_: &Tiger, _: &tiger::State| 10.0).unwrap();
    for (heard_left, heard_right) in [(0, 0), (1, 0), (2, 0), (0, 2), (1, 2), (1, 3), (3, 0)] {
        let known = tiger::Known { heard_left, heard_right, opened: None };
        let mut search = planner.search(&game, belief::<Tiger>(known), Rng::new(7));
        search.run(&Budget::iterations(2_000), &Cancel::new());
        let exact = game.optimal_values(&known);
        let best = exact.iter().map(|e| e.1).fold(f64::NEG_INFINITY, f64::max);
        let chosen = search.best().unwrap();
        let worth = exact.iter().find(|e| e.0 == chosen).unwrap().1;
        assert!(best - worth < 2.5, "{known:?}: {chosen:?} of {exact:?}");
        let found = search.estimates().iter().filter_map(|e| e.value).fold(f64::MIN, f64::max);
        assert!((found - best).abs() < 2.5, "{known:?}: {found} against {best}");
    }
}

fn most<G: Game>(search: &dyn Search<G>) -> f64 {
    search.estimates().iter().filter_map(|e| e.value).fold(f64::MIN, f64::max)
}

/// What a policy of what is known comes to, by playing it on.
fn worth<G: Hidden>(game: &G, policy: impl Fn(&G, &G::Known) -> G::Action, games: u64) -> f64 {
    let mut sum = 0.0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.start(&mut rng);
        let (mut legal, mut weight) = (Vec::new(), 1.0);
        for _ in 0..90 {
            game.actions(&state, &mut legal);
            if legal.is_empty() {
                break;
            }
            let action = policy(game, &game.known(&state));
            assert!(legal.contains(&action), "{action:?}");
            sum += weight * game.step(&mut state, action, &mut rng).reward;
            weight *= game.discount();
        }
    }
    sum / games as f64
}

/// A robot that goes after the likeliest place is caught up with: what DESPOT knows from the first step on
/// is what that policy comes to, and nothing that it finds is less. Who repeats one move never tags.
#[test]
fn a_good_default_policy_is_a_good_lower_bound() {
    let game = Tag::new(0.95).unwrap();
    let upper = |game: &Tag, state: &_| game.most(state);
    let parameters = DespotParameters { scenarios: 100, ..DespotParameters::default() };
    let found = |pursues: bool, calls: u64| {
        let known = game.known(&game.start(&mut Rng::new(5)));
        let plain = Despot::new(parameters, upper).unwrap();
        let planner: Box<dyn Planner<Tag>> = match pursues {
            true => Box::new(plain.going_on(std::sync::Arc::new(ByKnown(Tag::pursue))
                as std::sync::Arc<dyn patience_plan::DefaultPolicy<Tag>>)),
            false => Box::new(plain),
        };
        let mut search = planner.search(&game, belief::<Tag>(known), Rng::new(1));
        search.run(&Budget::model_calls(calls), &Cancel::new());
        assert!(search.best().is_some());
        most(&*search)
    };
    // Played on from the start it comes to about -11 (a standard deviation of 8 in 400 games: 1.6).
    let pursued = worth(&game, Tag::pursue, 400);
    assert!(pursued > -13.0, "{pursued}");
    let (first, later) = (found(true, 100_000), found(true, 400_000));
    assert!(first > -14.0 && later >= first - 1e-9, "{first} {later}");
    assert!(found(false, 400_000) < first, "one move again and again is worse");
}

/// The bounds of the games are bounds: what good policies come to is between the policy's own worth and what
/// is possible at most.
#[test]
fn upper_bounds_are_above_what_good_policies_come_to() {
    let tag = Tag::new(0.95).unwrap();
    let rocks = RockSample::new(7, 0.95).unwrap();
    let foresight = patience_games::rock_sample::Foresight::new(&rocks);
    let (mut most_tag, mut most_rocks) = (0.0, 0.0);
    for seed in 0..200 {
        most_tag += tag.most(&tag.start(&mut Rng::new(seed))) / 200.0;
        most_rocks += foresight.value(&rocks, &rocks.start(&mut Rng::new(seed))) / 200.0;
    }
    assert!(worth(&tag, Tag::pursue, 200) < most_tag, "{most_tag}");
    assert!(worth(&rocks, RockSample::collect, 200) < most_rocks, "{most_rocks}");
    // Nothing is known of any rock, so the rover goes out: ten after seven moves.
    let out = worth(&rocks, RockSample::collect, 20);
    assert!((out - 10.0 * 0.95f64.powi(6)).abs() < 1e-9, "{out}");
}

/// The small field of rocks by the rules of the paper, over beliefs: where the rover is, and how likely
/// each rock is good.
fn field(place: (i32, i32), good: [f64; 4], moves: u32) -> f64 {
    if moves == 0 {
        return 0.0;
    }
    let rocks = [(3, 1), (2, 1), (1, 3), (1, 0)];
    let (x, y) = place;
    let on = |place, good| 0.95 * field(place, good, moves - 1);
    let mut best = if x == 3 { 10.0 } else { on((x + 1, y), good) };
    for (dx, dy) in [(0, 1), (0, -1), (-1, 0)] {
        let (x, y) = (x + dx, y + dy);
        if x >= 0 && (0..4).contains(&y) {
            best = best.max(on((x, y), good));
        }
    }
    for (rock, &(rx, ry)) in rocks.iter().enumerate() {
        if (rx, ry) == place {
            let mut after = good;
            after[rock] = 0.0;
            best = best.max(20.0 * good[rock] - 10.0 + on(place, after));
        }
        if good[rock] > 0.0 {
            let distance = f64::from((rx - x).pow(2) + (ry - y).pow(2)).sqrt();
            let right = (1.0 + 0.5f64.powf(distance / 20.0)) / 2.0;
            let mut sum = 0.0;
            for told in [right, 1.0 - right] {
                let (yes, no) = (good[rock] * told, (1.0 - good[rock]) * (1.0 - told));
                let mut after = good;
                after[rock] = yes / (yes + no);
                sum += (yes + no) * on(place, after);
            }
            best = best.max(sum);
        }
    }
    best
}

/// Five moves ahead, 500 scenarios: the best policy looks at a rock and samples it if it looks good, for
/// 10 or nothing, so that four standard errors are 4·5/√500 = 0.9.
#[test]
fn a_small_field_of_rocks_has_its_exact_value() {
    let game = RockSample::new(4, 0.95).unwrap();
    let exact = field((0, 2), [0.5; 4], 5);
    let parameters = DespotParameters { depth: 5, ..DespotParameters::default() };
    let planner = Despot::new(parameters, |_: &RockSample, _: &_| 50.0).unwrap();
    let known = game.known(&game.start(&mut Rng::new(0)));
    let mut search = planner.search(&game, belief::<RockSample>(known), Rng::new(1));
    search.run(&Budget::iterations(3_000), &Cancel::new());
    let found = search.estimates().iter().filter_map(|e| e.value).fold(f64::MIN, f64::max);
    assert!((found - exact).abs() < 0.9, "{found} against {exact}");
}

#[test]
fn bounds_only_close() {
    let game = RockSample::new(7, 0.95).unwrap();
    let planner = Despot::new(DespotParameters::default(), |_: &RockSample, _: &_| 90.0).unwrap();
    let known = game.known(&game.start(&mut Rng::new(0)));
    let mut search = planner.search(&game, belief::<RockSample>(known), Rng::new(1));
    let mut last = f64::NEG_INFINITY;
    for steps in [1, 220, 500, 2_000] {
        search.run(&Budget::iterations(steps), &Cancel::new());
        let best = search.estimates().iter().filter_map(|e| e.value).fold(f64::MIN, f64::max);
        assert!(best >= last - 1e-9, "{best} after {last}");
        last = best;
    }
    // Straight out to the east is worth 10 after seven moves: the default policy, of which the first move
    // is a node.
    assert!(last > 10.0 * 0.95f64.powi(6) - 0.01 - 1e-9, "{last}");
}

#[test]
fn wrong_parameters_are_refused() {
    let standard = DespotParameters::default();
    for (parameters, name) in [
        (DespotParameters { scenarios: 0, ..standard }, "scenarios"),
        (DespotParameters { depth: 0, ..standard }, "depth"),
        (DespotParameters { lambda: -1.0, ..standard }, "lambda"),
        (DespotParameters { target: 1.0, ..standard }, "target"),
    ] {
        let error = Despot::new(parameters, patience_plan::Zero).unwrap_err();
        assert_eq!(error.parameter, name, "{error}");
    }
}
