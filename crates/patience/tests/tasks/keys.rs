//! The keys of tasks, and the columns that they lead to.

use patience::lab::Column;

use super::task;

#[test]
fn columns_are_one_per_checkpoint() {
    let columns = task("pgame(depth=4)", "mc", "kind = \"convergence\"\nat = [1, 10, 100, 1000]")
        .unwrap()
        .columns();
    let expected = [1.0, 10.0, 100.0, 1000.0].map(|x| Column::rate("failure").at(x));
    assert_eq!(columns, expected);
    let keys = "kind = \"convergence\"\nmeasure = \"error\"\nby = \"model_calls\"\nat = [5]\n";
    let columns = task("sailing(size=2)", "artdp", keys).unwrap().columns();
    assert_eq!(columns, [Column::mean("error").at(5.0)]);
    let columns = task("tiger", "random", "kind = \"play\"").unwrap().columns();
    assert_eq!(columns, [Column::mean("return"), Column::mean("moves")]);
    let columns = task("tiger", "random", "kind = \"play\"\nwon_at = 0").unwrap().columns();
    let won = Column::proportion("won");
    assert_eq!(columns, [won, Column::mean("return"), Column::mean("moves")]);
}

#[test]
fn wrong_keys_are_told() {
    let convergence = "kind = \"convergence\"\n";
    for (game, planner, keys, fragments) in [
        ("tiger", "mc", "kind = \"plya\"".into(), ["task.kind", "did you mean `play`"].as_slice()),
        ("tigre", "mc", "kind = \"play\"".into(), &["game", "did you mean `tiger`"]),
        ("tiger", "mcc", "kind = \"play\"".into(), &["planner", "did you mean `mc`"]),
        ("tiger", "mc", "kind = \"play\"".into(), &["planner", "do not end", "iterations"]),
        ("tiger", "artdp", "kind = \"play\"".into(), &["planner", "a hidden part"]),
        (
            "tic-tac-toe",
            "random",
            "kind = \"play\"\nopponent = \"uct\"".into(),
            &["task.opponent", "do not end"],
        ),
        (
            "tic-tac-toe",
            "random",
            "kind = \"play\"\nopponent = \"randon\"".into(),
            &["task.opponent", "did you mean `random`"],
        ),
        (
            "tiger",
            "mc",
            "kind = \"play\"\niterations = 0".into(),
            &["task.iterations", "a whole number from 1"],
        ),
        (
            "tiger",
            "mc",
            "kind = \"play\"\niterations = 1.5".into(),
            &["task.iterations", "a whole number"],
        ),
        (
            "tiger",
            "random",
            "kind = \"play\"\nmax_moves = 0".into(),
            &["task.max_moves", "a whole number from 1"],
        ),
        (
            "tiger",
            "random",
            "kind = \"play\"\nreuse = \"yes\"".into(),
            &["task.reuse", "true or false"],
        ),
        (
            "tiger",
            "random",
            "kind = \"play\"\nwon_at = nan".into(),
            &["task.won_at", "a finite number"],
        ),
        (
            "tiger",
            "random",
            "kind = \"play\"\nmax_move = 3".into(),
            &["task.max_move", "unknown key", "did you mean `max_moves`"],
        ),
        ("rock-sample", "mc", format!("{convergence}at = [1]"), &["game", "exact values"]),
        ("pgame", "mc", convergence.into(), &["task.at", "is missing"]),
        ("pgame", "mc", format!("{convergence}at = []"), &["task.at", "rising whole numbers"]),
        ("pgame", "mc", format!("{convergence}at = [2, 2]"), &["task.at", "rising"]),
        ("pgame", "mc", format!("{convergence}at = [0, 2]"), &["task.at", "from 1"]),
        ("pgame", "mc", format!("{convergence}at = [1.5]"), &["task.at", "whole"]),
        ("pgame", "mc", format!("{convergence}at = [1e300]"), &["task.at", "whole"]),
        ("pgame", "mc", format!("{convergence}at = 5"), &["task.at", "a list of numbers"]),
        ("pgame", "mc", format!("{convergence}at = [1]\nruns = 0"), &["task.runs", "from 1"]),
        (
            "pgame",
            "mc",
            format!("{convergence}at = [1]\nmeasure = \"failures\""),
            &["task.measure", "did you mean `failure`"],
        ),
        (
            "pgame",
            "mc",
            format!("{convergence}at = [1]\nby = \"time\""),
            &["task.by", "iterations, model_calls"],
        ),
        (
            "pgame",
            "mc",
            format!("{convergence}at = [1]\nwon_at = 1"),
            &["task.won_at", "unknown key"],
        ),
    ] {
        let fault = task(game, planner, &keys).map(drop).unwrap_err();
        let message = fault.to_string();
        for fragment in fragments {
            assert!(message.contains(fragment), "{message}\nshould contain\n{fragment}");
        }
    }
}
