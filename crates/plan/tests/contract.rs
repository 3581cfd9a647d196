//! What every search keeps to: same stream, same result; stepped or run, the same; budgets are
//! met exactly; what is held is counted.

use patience_games::Sailing;
use patience_games::pgame::{MoveValues, PGame};
use patience_model::{Game, Rng};
use patience_plan::{
    AlphaBeta, AlphaBetaParameters, Artdp, ArtdpParameters, Budget, Cancel, Despot,
    DespotParameters, Lrtdp, PgId, PgIdParameters, Planner, PolicyIteration, Root, SparseSampling,
    Status, StopReason, ValueIteration, Zero,
};

fn check<G: Game>(name: &str, game: &G, planner: &dyn Planner<G>, calls_per_step: u64) {
    let root = || Root::Certain(game.start(&mut Rng::new(9)));
    let mut run = planner.search(game, root(), Rng::new(4));
    let mut stepped = planner.search(game, root(), Rng::new(4));
    let nothing = Cancel::new();
    for target in [1, 2, 10, 100] {
        let stats = run.run(&Budget::iterations(target), &nothing);
        while stepped.counts().iterations < target && stepped.step() == Status::Running {}
        assert_eq!(run.counts(), stepped.counts(), "{name}");
        assert_eq!(run.estimates(), stepped.estimates(), "{name}");
        assert_eq!(run.best(), stepped.best(), "{name}");
        assert!(run.best().is_some(), "{name}");
        match stats.stop {
            Some(StopReason::Iterations) => assert_eq!(stats.counts.iterations, target, "{name}"),
            stop => assert_eq!(stop, Some(StopReason::Complete), "{name}"),
        }
    }
    // Model calls are met as closely as a step allows.
    let mut search = planner.search(game, root(), Rng::new(4));
    let stats = search.run(&Budget::model_calls(50), &nothing);
    if stats.stop == Some(StopReason::ModelCalls) {
        let over = stats.counts.model_calls - 50;
        assert!(over < calls_per_step, "{name}: {over} over");
    }
    assert!(stats.counts.bytes > 0 && stats.counts.nodes > 0, "{name}: {stats:?}");
    // Nothing is spent on a budget of nothing, and a raised flag ends the search.
    let mut search = planner.search(game, root(), Rng::new(4));
    search.run(&Budget::iterations(0), &nothing);
    assert_eq!(search.counts().model_calls, 0, "{name}");
    nothing.cancel();
    let stats = search.run(&Budget::UNLIMITED, &nothing);
    assert_eq!(stats.stop, Some(StopReason::Cancelled), "{name}");
}

#[test]
fn every_search_keeps_to_the_contract() {
    let lake = Sailing::new(4).unwrap();
    let pgame = PGame::new(3, 6, MoveValues::Uniform).unwrap();
    let alpha_beta = AlphaBeta::new(AlphaBetaParameters::default(), Zero).unwrap();
    let artdp = Artdp::new(ArtdpParameters::default(), Zero).unwrap();
    let pg_id = PgId::new(PgIdParameters::default(), Zero).unwrap();
    let sparse_sampling = SparseSampling::new(3, 4, Zero).unwrap();
    let value_iteration = ValueIteration::new(1e-6).unwrap();
    check("alpha-beta", &pgame, &alpha_beta, 6);
    check("ARTDP", &lake, &artdp, 1);
    check("ARTDP", &pgame, &artdp, 1);
    check("PG-ID", &lake, &pg_id, 100);
    check("PG-ID", &pgame, &pg_id, 6);
    check("sparse sampling", &lake, &sparse_sampling, 1);
    check("sparse sampling", &pgame, &sparse_sampling, 1);
    check("value iteration", &lake, &value_iteration, 256 * 8);
    check("policy iteration", &lake, &PolicyIteration::new(1e-6).unwrap(), 256 * 8);
    let few = DespotParameters { scenarios: 20, depth: 30, ..DespotParameters::default() };
    check("DESPOT", &lake, &Despot::new(few, Zero).unwrap(), 20_000);
    check("LRTDP", &lake, &Lrtdp::new(1e-6, Zero).unwrap(), 10_000);
}
