//! NRPA and beam search on small games: optima, bounds of memory, parameters.

use crate::tiny;

use patience_games::SameGame;
use patience_games::samegame::{Grid, Scoring, TabuColor};
use patience_model::{Game, Rng};
use patience_plan::beam::{Beam, BeamSettings, Evaluated, Sampled};
use patience_plan::nested::Solution;
use patience_plan::nrpa::{CodedBy, Nrpa, NrpaSettings};
use patience_plan::uct::Rollout;
use patience_plan::{
    Budget, Cancel, Planner, Root, Search, Status, Stepped, StopReason, Verdict, Zero,
};
use tiny::Table;

/// The most that one player can get, by plain recursion.
fn optimum(table: &Table, state: usize) -> f64 {
    let value = |ways: &Vec<tiny::Way>| ways[0].1 + table.discount * optimum(table, ways[0].2);
    let best = table.states[state].iter().map(value).fold(f64::NEG_INFINITY, f64::max);
    if table.states[state].is_empty() { 0.0 } else { best }
}

fn replay<G: Game>(game: &G, mut state: G::State, solution: &Solution<G::Action>) {
    let mut legal = Vec::new();
    let (mut sum, mut weight) = (0.0, 1.0);
    for &action in &solution.moves {
        game.actions(&state, &mut legal);
        assert!(legal.contains(&action), "{action:?} is not legal");
        sum += weight * game.step(&mut state, action, &mut Rng::new(0)).reward;
        weight *= game.discount();
    }
    game.actions(&state, &mut legal);
    assert!(legal.is_empty(), "the solution stops before the end");
    assert_eq!(sum, solution.value);
}

fn complete<G: Game>(mut search: impl Search<G>) -> Solution<G::Action> {
    let stats = search.run(&Budget::iterations(1_000_000), &Cancel::new());
    assert_eq!(stats.stop, Some(StopReason::Complete));
    assert_eq!(search.step(), Status::Complete);
    let found = search.finding();
    assert_eq!(found.verdict, Verdict::Solved);
    Solution { value: found.value.unwrap(), moves: found.moves }
}

#[test]
fn a_wide_beam_sees_everything() {
    let settings = BeamSettings { width: 1000, runs: Some(1), ..BeamSettings::default() };
    let beam = Beam::new(settings, Evaluated(Zero)).unwrap();
    for seed in 0..40 {
        for discount in [1.0, 0.5] {
            let table = Table::random(&mut Rng::new(seed), 6, discount);
            let best = optimum(&table, 0);
            let solution = complete(beam.solver(&table, &Root::Certain(0), Rng::new(1)));
            assert!((solution.value - best).abs() < 1e-12, "table {seed}");
            replay(&table, 0, &solution);
        }
    }
}

/// A table without chance: of each state the reward and the next state of each action.
fn sure(states: Vec<Vec<(f64, usize)>>) -> Table {
    let ways = |actions: Vec<(f64, usize)>| {
        actions.into_iter().map(|(reward, next)| vec![(1.0, reward, next)]).collect()
    };
    Table::new(1.0, states.into_iter().map(ways).collect())
}

/// Twenty ways to a state that pays at once, and one to a state that pays later: two states, so a
/// beam of two has room for both.
#[test]
fn ways_to_the_same_state_do_not_crowd_out_another() {
    let mut first = vec![(10.0, 1); 20];
    first.push((0.0, 2));
    let table = sure(vec![first, vec![(0.0, 3)], vec![(100.0, 3)], vec![]]);
    let settings = BeamSettings { width: 2, runs: Some(1), ..BeamSettings::default() };
    let beam = Beam::new(settings, Evaluated(Zero)).unwrap();
    let solution = complete(beam.solver(&table, &Root::Certain(0), Rng::new(1)));
    assert_eq!(solution.value, 100.0);
}

/// Noise may rank the worse of two ways to a state higher; the better one is taken all the same.
#[test]
fn of_two_ways_to_a_state_the_one_that_pays_more_is_taken() {
    let table = sure(vec![vec![(0.0, 1), (1.0, 1), (0.0, 1)], vec![(0.0, 2)], vec![]]);
    let settings =
        BeamSettings { width: 1, runs: Some(1), noise: 100.0, ..BeamSettings::default() };
    let beam = Beam::new(settings, Evaluated(Zero)).unwrap();
    for seed in 0..20 {
        let solution = complete(beam.solver(&table, &Root::Certain(0), Rng::new(seed)));
        assert_eq!(solution.value, 1.0, "seed {seed}");
    }
}

#[test]
fn nrpa_finds_the_optimum_of_small_games() {
    // The state tells moves apart, so a policy can be as good as the game allows.
    let coding = CodedBy(|_: &Table, &state: &usize, action| {
        (state as u64 * 8 + action as u64).wrapping_mul(0x2545_f491_4f6c_dd1d)
    });
    for repetitions in [None, Some(3)] {
        let settings = NrpaSettings {
            level: 2,
            iterations: 8,
            starts: Some(100),
            repetitions,
            ..Default::default()
        };
        let nrpa = Nrpa::new(settings, coding.clone()).unwrap();
        for seed in 0..20 {
            let table = Table::random(&mut Rng::new(seed), 5, 1.0);
            let solution = complete(nrpa.solver(&table, &Root::Certain(0), Rng::new(seed)));
            assert!((solution.value - optimum(&table, 0)).abs() < 1e-12, "table {seed}");
            replay(&table, 0, &solution);
        }
    }
}

#[test]
fn a_policy_that_has_settled_ends_its_call() {
    let table = Table::random(&mut Rng::new(3), 5, 1.0);
    let coding = CodedBy(|_: &Table, &state: &usize, action| (state * 8 + action) as u64 * 99_991);
    let run = |repetitions| {
        let settings =
            NrpaSettings { level: 2, starts: Some(1), repetitions, ..Default::default() };
        let nrpa = Nrpa::new(settings, coding.clone()).unwrap();
        let mut search = nrpa.solver(&table, &Root::Certain(0), Rng::new(1));
        search.run(&Budget::UNLIMITED, &Cancel::new()).counts.iterations
    };
    assert_eq!(run(None), 100 * 100);
    assert!(run(Some(5)) < 5000);
}

#[test]
fn beams_widen_within_their_memory_and_use_what_rollouts_find() {
    let grid = Grid::seeded(10, 10, 4, 3).unwrap();
    let game: SameGame = SameGame::on(&grid, Scoring::default()).unwrap();
    let board = game.start(&mut Rng::new(0));
    let run = |widest, noise| {
        let settings = BeamSettings { width: 5, growth: 2.0, widest, runs: Some(4), noise };
        let judge = Sampled { policy: TabuColor, rollouts: 2 };
        let beam = Beam::new(settings, judge).unwrap();
        assert!(Planner::<SameGame>::ends(&beam));
        let mut search = beam.solver(&game, &Root::Certain(board), Rng::new(1));
        search.step();
        assert!(search.solution().is_some(), "a rollout is a solution from the first step on");
        let mut last = f64::NEG_INFINITY;
        while search.step() == Status::Running {
            let value = search.solution().unwrap().value;
            assert!(value >= last);
            last = value;
        }
        replay(&game, board, search.solution().unwrap());
        (last, search.counts())
    };
    let (narrow, wide) = (run(5, 0.0), run(40, 0.0));
    assert!(wide.0 >= narrow.0 - 200.0, "{narrow:?} {wide:?}");
    assert!(wide.1.nodes > narrow.1.nodes * 2);
    // 40 members, 320 candidates and one member's children, and the history of 50 layers.
    assert!(wide.1.bytes < 150_000, "{wide:?}");
    assert_eq!(run(40, 10.0), run(40, 10.0), "the same stream, the same search");
}

#[test]
fn a_game_that_is_over_is_no_trouble() {
    let table = Table::new(1.0, vec![vec![]]);
    let settings = BeamSettings { runs: Some(2), ..BeamSettings::default() };
    let beam = Beam::new(settings, Sampled { policy: Rollout::default(), rollouts: 1 }).unwrap();
    assert_eq!(
        complete(beam.solver(&table, &Root::Certain(0), Rng::new(1))).moves,
        Vec::<usize>::new()
    );
    let settings = NrpaSettings { level: 1, starts: Some(1), ..Default::default() };
    let nrpa = Nrpa::new(settings, CodedBy(|_: &Table, _: &usize, _| 1)).unwrap();
    assert_eq!(
        complete(nrpa.solver(&table, &Root::Certain(0), Rng::new(1))).moves,
        Vec::<usize>::new()
    );
}

#[test]
fn parameters_out_of_range_are_named() {
    let wrong = |settings| Beam::new(settings, Evaluated(Zero)).unwrap_err().to_string();
    let good = BeamSettings::default();
    assert!(wrong(BeamSettings { width: 0, ..good }).starts_with("width is 0"));
    assert!(wrong(BeamSettings { widest: 7, ..good }).starts_with("widest is 7"));
    assert!(wrong(BeamSettings { growth: f64::NAN, ..good }).starts_with("growth is NaN"));
    assert!(wrong(BeamSettings { noise: -1.0, ..good }).starts_with("noise is -1"));
    assert!(wrong(BeamSettings { runs: Some(0), ..good }).starts_with("runs is 0"));
    let coding = CodedBy(|_: &Table, _: &usize, _| 1);
    let wrong = |settings| Nrpa::new(settings, coding.clone()).unwrap_err().to_string();
    let good = NrpaSettings::default();
    assert!(wrong(NrpaSettings { level: 0, ..good }).starts_with("level is 0"));
    assert!(wrong(NrpaSettings { iterations: 0, ..good }).starts_with("iterations is 0"));
    assert!(wrong(NrpaSettings { alpha: f32::NAN, ..good }).starts_with("alpha is NaN"));
    assert!(wrong(NrpaSettings { repetitions: Some(0), ..good }).starts_with("repetitions is 0"));
    assert!(wrong(NrpaSettings { starts: Some(0), ..good }).starts_with("starts is 0"));
    assert!(wrong(NrpaSettings { table_bits: 40, ..good }).starts_with("table_bits is 40"));
    assert!(wrong(NrpaSettings { longest: 0, ..good }).starts_with("longest is 0"));
}
