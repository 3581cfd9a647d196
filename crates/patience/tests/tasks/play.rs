//! Games from start to end.

use patience::lab::Task;

use super::{run, task};

#[test]
fn uct_as_first_player_of_tic_tac_toe_never_loses() {
    let keys = "kind = \"play\"\nopponent = \"random\"\nwon_at = 1";
    let uct = task("tic-tac-toe", "uct(iterations=2000)", keys).unwrap();
    let random = task("tic-tac-toe", "random", keys).unwrap();
    let play = |task: &dyn Task| (0..50).map(|unit| run(task, "a", unit)).collect::<Vec<_>>();
    let (uct, random) = (play(&*uct), play(&*random));
    assert!(uct.iter().all(|row| row[1] >= 0.0), "{uct:?}");
    assert!(random.iter().any(|row| row[1] < 0.0));
    let won = |rows: &[Vec<f64>]| rows.iter().map(|row| row[0]).sum::<f64>();
    assert!(won(&uct) >= 45.0 && won(&random) <= 40.0, "{} and {}", won(&uct), won(&random));
    for row in uct.iter().chain(&random) {
        assert_eq!(row[0] == 1.0, row[1] >= 1.0);
        assert!((5.0..=9.0).contains(&row[2]));
    }
}

#[test]
fn the_opponent_minimises() {
    // Both perfect: a draw. The opponent against a random first player wins most games.
    let exact = "alpha-beta";
    let keys = format!("kind = \"play\"\nopponent = \"{exact}\"");
    let both = task("tic-tac-toe", exact, &keys).unwrap();
    let weak = task("tic-tac-toe", "random", &keys).unwrap();
    let sum = |task: &dyn Task| (0..20).map(|unit| run(task, "a", unit)[0]).sum::<f64>();
    assert_eq!(sum(&*both), 0.0);
    assert!(sum(&*weak) < -10.0, "{}", sum(&*weak));
    // Without an opponent the planner plays both sides.
    let alone = task("tic-tac-toe", exact, "kind = \"play\"").unwrap();
    assert_eq!(sum(&*alone), 0.0);
}

#[test]
fn returns_are_discounted_and_games_can_be_cut() {
    let game = "tiger(horizon=9, discount=0.5)";
    // One iteration decides by chance between the three moves; the return has a closed form.
    let task = task(game, "random", "kind = \"play\"").unwrap();
    let mut listened = false;
    for unit in 0..50 {
        let [value, moves] = run(&*task, "a", unit)[..] else { panic!() };
        let waited = -(2.0 - 2.0 * 0.5f64.powf(moves - 1.0));
        let last = 0.5f64.powf(moves - 1.0);
        let ends = [-1.0, 10.0, -100.0].map(|end| waited + last * end);
        assert!(ends.iter().any(|end| (end - value).abs() < 1e-12), "{value} after {moves}");
        listened |= moves > 1.0;
    }
    assert!(listened);
    let cut = |most: u64| {
        let keys = format!("kind = \"play\"\nmax_moves = {most}");
        let task = self::task("connect-four", "random", &keys).unwrap();
        run(&*task, "a", 0)[1]
    };
    assert_eq!((cut(1), cut(5)), (1.0, 5.0));
    assert!(cut(1000) > 5.0 && cut(1000) <= 42.0);
}

#[test]
fn arms_share_the_deal_and_the_chance_of_the_world() {
    // The same planner string under two names: own streams differ, the world does not.
    let task = task("sailing(size=4, start=random)", "value-iteration", "kind = \"play\"").unwrap();
    let mut several = std::collections::BTreeSet::new();
    for unit in 0..10 {
        let row = run(&*task, "a", unit);
        assert_eq!(row, run(&*task, "b", unit));
        several.insert(format!("{row:?}"));
    }
    assert!(several.len() > 5);
}
