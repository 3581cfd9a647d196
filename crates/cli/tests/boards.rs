//! Experiments on the positions of a folder.

use crate::support;

use support::Bench;

#[test]
fn an_experiment_takes_boards_from_a_folder() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    for seed in 1..=2 {
        let board = bench.ok(&["solve", "samegame", &format!("seed:{seed}"), "--write", "text"]);
        bench.write(&format!("boards/{seed}.txt"), board);
    }
    let spec = "name = \"small\"\nseed = 1\nunits = 5\n\n[task]\nkind = \"solve\"\n\n[[arm]]\n\
                name = \"mcts\"\ngame = \"samegame\"\nplanner = \"mcts(iterations=200)\"\n";
    bench.write("small.toml", spec);
    let run = ["experiment", "run", "small.toml", "--store", "S.db", "--boards"];
    let said = bench.ok(&[&run[..], &["boards"]].concat());
    assert!(said.contains("2/2 in all"), "{said}");
    let rows = bench.ok(&["experiment", "export", "--store", "S.db"]);
    assert!(
        rows.contains("small,mcts,1,score,") && rows.contains("small,mcts,0,cleared,"),
        "{rows}"
    );
    // Going on needs no --boards: the store has it.
    assert!(bench.ok(&["experiment", "resume", "--store", "S.db"]).contains("2/2 in all"));
    bench.fails(&[&run[..], &["nowhere"]].concat(), 3, &["--boards nowhere"]);
    // A cluster would not see the folder.
    bench.fails(&[&run[..], &["boards", "--ray", "auto"]].concat(), 2, &["--ray", "--boards"]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.fails(&[&run[..], &["empty"]].concat(), 3, &["no file *.txt in this folder"]);
    // What is no *.txt is no board, as in `solve`.
    bench.write("boards/README.md", "Two boards.\n");
    assert!(bench.ok(&[&run[..], &["boards"]].concat()).contains("2/2 in all"));
    bench.write("boards/0.txt", "01\n10\n");
    let message = ["0.txt", "the board is 2 x 2, the game's are 15 x 15"];
    bench.fails(&[&run[..], &["boards"]].concat(), 3, &message);
    std::fs::remove_file(bench.path("boards/0.txt")).unwrap();
    bench.write("boards/3.txt", "01234\n00005\n");
    let message = ["3.txt", "line 2, column 5: `5`, expected 0 to 4: there are 5 colours"];
    bench.fails(&[&run[..], &["boards"]].concat(), 3, &message);
}
