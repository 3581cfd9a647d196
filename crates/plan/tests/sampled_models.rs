//! ARTDP and PG-ID: they find the optimal action from samples alone.

use crate::tiny;

use std::sync::Arc;

use patience_games::sailing::{Optimal, Perturbed, Sailing, State};
use patience_model::{Game, Rng};
use patience_plan::{
    Artdp, ArtdpParameters, Budget, Cancel, Evaluation, Exploration, PgId, PgIdParameters, Planner,
    Root, Search, Status, Zero,
};
use tiny::Table;

fn artdp<E>(evaluation: E) -> Artdp<E> {
    Artdp::new(ArtdpParameters::default(), evaluation).unwrap()
}

fn pg_id<E>(evaluation: E) -> PgId<E> {
    PgId::new(PgIdParameters::default(), evaluation).unwrap()
}

fn pg_id_boltzmann<E>(evaluation: E) -> PgId<E> {
    let exploration = Exploration::Boltzmann { temperature: 3.0 };
    PgId::new(PgIdParameters { exploration, ..Default::default() }, evaluation).unwrap()
}

fn all<G, E>(evaluation: E) -> [Box<dyn Planner<G>>; 3]
where
    G: Game + patience_model::Keyed,
    E: Evaluation<G> + Clone + 'static,
{
    [
        Box::new(artdp(evaluation.clone())),
        Box::new(pg_id(evaluation.clone())),
        Box::new(pg_id_boltzmann(evaluation)),
    ]
}

fn run<'g, G: Game>(
    planner: &dyn Planner<G>,
    game: &'g G,
    state: G::State,
    calls: u64,
    seed: u64,
) -> Box<dyn Search<G> + 'g> {
    let mut search = planner.search(game, Root::Certain(state), Rng::new(seed));
    search.run(&Budget::model_calls(calls), &Cancel::new());
    search
}

#[test]
fn small_problems_are_solved() {
    let mut turned = Table::gamble();
    // The same with all signs turned, for the opponent.
    turned.minimising = vec![0, 1, 2];
    for ways in turned.states.iter_mut().flatten().flatten() {
        ways.1 = -ways.1;
    }
    for (game, best, value) in
        [(Table::gamble(), 1, 2.0), (turned, 1, -2.0), (Table::tenure(), 0, 1.0 / 0.19)]
    {
        for (i, planner) in all::<Table, _>(Zero).iter().enumerate() {
            let search = run(&**planner, &game, 0, 30_000, 5);
            assert_eq!(search.best(), Some(best), "planner {i}: {:?}", search.estimates());
            let found = search.estimates()[best].value.unwrap();
            assert!((found - value).abs() < 0.2, "planner {i}: {found} against {value}");
        }
    }
}

#[test]
fn small_lakes_are_sailed_well() {
    let lake = Sailing::new(4).unwrap();
    let optimal = Arc::new(Optimal::solve(&lake));
    let mut error = [0.0; 3];
    for unit in 0..40 {
        let mut rng = Rng::numbered(7, unit);
        let state = lake.random_state(&mut rng);
        let perturbed = Perturbed::new(optimal.clone(), 0.1, rng.next_u64());
        let evaluation = move |_: &Sailing, state: &State| perturbed.value(state);
        for (planner, error) in all::<Sailing, _>(evaluation).iter().zip(&mut error) {
            let best = run(&**planner, &lake, state, 10_000, unit).best().unwrap();
            *error += (optimal.value(&state) - optimal.action_value(&state, best)) / 40.0;
        }
    }
    assert!(error.iter().all(|e| *e < 0.05), "{error:?}");
}

#[test]
fn a_trial_starts_again_after_its_length() {
    // A walk without end: from the root to 1 and on to 2, where it stays.
    let game = Table::new(
        0.9,
        vec![vec![vec![(1.0, 0.0, 1)]], vec![vec![(1.0, 0.0, 2)]], vec![vec![(1.0, 1.0, 2)]]],
    );
    let root_visits = |trial_length| {
        let parameters = ArtdpParameters { trial_length, ..Default::default() };
        let planner = Artdp::new(parameters, Zero).unwrap();
        run(&planner, &game, 0, 1000, 1).estimates()[0].visits
    };
    assert_eq!(root_visits(None), 1);
    assert_eq!(root_visits(Some(10)), 100);
}

#[test]
fn the_evaluation_stands_for_what_was_not_seen() {
    // One trajectory of one move: reward 3 and the evaluation of state 1.
    let game = Table::new(0.5, vec![vec![vec![(1.0, 3.0, 1)]], vec![vec![(1.0, 0.0, 1)]]]);
    let evaluation = |_: &Table, state: &usize| *state as f64 * 8.0;
    for planner in &all(evaluation)[..2] {
        let mut search = planner.search(&game, Root::Certain(0), Rng::new(0));
        assert_eq!(search.estimates()[0].value, None);
        assert_eq!(search.best(), Some(0));
        search.step();
        assert_eq!(search.estimates()[0].value, Some(7.0));
    }
}

#[test]
fn the_horizon_grows_as_the_error_falls() {
    // The reward lies four moves away, past states that the evaluation calls worthless.
    let step = |reward, next| vec![(1.0, reward, next)];
    let game = Table::new(
        1.0,
        vec![
            vec![step(0.5, 5), step(0.0, 1)],
            vec![step(0.0, 2)],
            vec![step(0.0, 3)],
            vec![step(9.0, 5)],
            vec![],
            vec![],
        ],
    );
    let planner = pg_id(Zero);
    let mut search = planner.search(&game, Root::Certain(0), Rng::new(3));
    let mut calls = vec![0];
    for _ in 0..2000 {
        search.step();
        calls.push(search.counts().model_calls);
    }
    let lengths: Vec<u64> = calls.windows(2).map(|w| w[1] - w[0]).collect();
    assert_eq!((lengths[0], lengths.iter().max()), (1, Some(&4)), "one move, then up to four");
    assert_eq!(search.best(), Some(1));
    // An error that is never small enough keeps the horizon where it was.
    let parameters = PgIdParameters { error: 1e-9, ..Default::default() };
    let shallow = PgId::new(parameters, Zero).unwrap();
    let search = run(&shallow, &game, 0, 2000, 3);
    assert_eq!(search.counts().iterations, 2000);
    assert_eq!(search.best(), Some(0));
}

#[test]
fn a_deeper_horizon_is_sampled_before_the_next() {
    // One move to any of 20 states, from each of which the walk goes on for ever.
    let mut states = vec![vec![(1..=20).map(|state| (0.05, 0.0, state)).collect()]];
    states.extend((1..=20).map(|state| vec![vec![(1.0, 0.0, state)]]));
    let game = Table::new(1.0, states);
    let planner = pg_id(Zero);
    let mut search = planner.search(&game, Root::Certain(0), Rng::new(3));
    let mut of_length = [0; 4];
    while of_length[3] == 0 {
        let before = search.counts().model_calls;
        search.step();
        let length = (search.counts().model_calls - before) as usize;
        of_length[length - 1] += 1;
    }
    // 6 / √(n + 1) < 1 first holds for n = 36. Then the 20 states need about as many each, and
    // more where two such errors add up.
    assert_eq!(of_length[0], 36);
    assert!((600..1500).contains(&of_length[1]), "{of_length:?}");
    assert!((1500..6000).contains(&of_length[2]), "{of_length:?}");
}

#[test]
fn a_finished_game_is_complete_at_once() {
    let game = Table::new(1.0, vec![vec![]]);
    for planner in all(Zero) {
        let mut search = planner.search(&game, Root::Certain(0), Rng::new(0));
        assert_eq!((search.step(), search.best()), (Status::Complete, None));
        assert!(search.estimates().is_empty());
    }
}

#[test]
fn wrong_parameters_are_refused() {
    let temperature = |temperature| {
        Artdp::new(ArtdpParameters { temperature, ..Default::default() }, Zero).map(drop)
    };
    let message = temperature(0.0).unwrap_err().to_string();
    assert_eq!(message, "temperature is 0, expected a number above 0");
    assert!(temperature(f64::NAN).is_err() && temperature(f64::INFINITY).is_ok());
    let parameters = ArtdpParameters { trial_length: Some(0), ..Default::default() };
    assert!(Artdp::new(parameters, Zero).is_err());
    let good = PgIdParameters::default();
    for bad in [
        PgIdParameters { error: 0.0, ..good },
        PgIdParameters { error: f64::INFINITY, ..good },
        PgIdParameters { width: -1.0, ..good },
        PgIdParameters { width: f64::NAN, ..good },
        PgIdParameters { horizon: 0, ..good },
        PgIdParameters { horizon: 9, max_horizon: 8, ..good },
        PgIdParameters { exploration: Exploration::Boltzmann { temperature: 0.0 }, ..good },
    ] {
        assert!(PgId::new(bad, Zero).is_err(), "{bad:?}");
    }
}
