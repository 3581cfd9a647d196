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

/// Edit a file, and results of before no longer count; take the edit back, and they do again.
#[test]
fn what_files_say_is_part_of_what_results_belong_to() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("boards")).unwrap();
    let board = |seed: &str| bench.ok(&["solve", "samegame", seed, "--write", "text"]);
    let (first, second) = (board("seed:1"), board("seed:2"));
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../gdl/games");
    let rules = std::fs::read_to_string(format!("{games}/monty_hall.gdl")).unwrap();
    bench.write(
        "files.toml",
        "name = \"files\"\nseed = 1\nunits = 1\ntask = { kind = \"play\" }\n\n[[arm]]\nname = \"boards\"\n\
         game = \"samegame\"\nplanner = \"mcts(iterations=50)\"\n\
         task = { kind = \"solve\", boards = \"boards\" }\n\n[[arm]]\nname = \"rules\"\n\
         game = \"gdl(file=doors.kif)\"\nplanner = \"norns(iterations=20)\"\n\
         task = { kind = \"play\" }\n",
    );
    let run = |board: &str, rules: &str, before: usize, said: &str| {
        bench.write("boards/1.txt", board);
        bench.write("doors.kif", rules);
        let ended = bench.run(&["experiment", "run", "files.toml", "--store", "S.db"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.out.contains(&format!("files: {} units", 2 - before)), "{ended:?}");
        assert!(ended.err.contains(said), "{ended:?}");
    };
    run(&first, &rules, 0, "");
    run(&first, &rules, 2, "");
    run(&second, &rules, 1, "arm `boards`: 1 unit of another version kept, made with boards ");
    let other = format!("{rules}\n; another door\n");
    run(&second, &other, 1, "arm `rules`: 1 unit of another version kept, made with doors.kif ");
    run(&first, &rules, 2, "");
}

#[test]
fn a_store_that_lost_rows_is_rescued_and_run_again() {
    let bench = Bench::new();
    let spec = "name = \"small\"\nseed = 1\nunits = 40\n\n[task]\nkind = \"play\"\n\n[[arm]]\n\
                name = \"mc\"\ngame = \"tic-tac-toe\"\nplanner = \"mc(iterations=5)\"\n";
    bench.write("small.toml", spec);
    bench.ok(&["experiment", "run", "small.toml", "--store", "S.db"]);
    let rows = bench.ok(&["experiment", "export", "--store", "S.db"]);
    let connection = rusqlite::Connection::open(bench.path("S.db")).unwrap();
    connection.execute("DELETE FROM results WHERE unit IN (3, 8, 9)", []).unwrap();
    connection.close().unwrap();
    let gone = "S.db: 3 of 40 units of arm `mc` of `small` are gone (probably 3, 8 to 9)";
    for command in ["report", "list", "export", "resume"] {
        let said = [gone, "patience experiment rescue", "the file was left as it is"];
        bench.fails(&["experiment", command, "--store", "S.db"], 3, &said);
    }
    let ended = bench.run(&["experiment", "rescue", "S.db", "--store", "new.db"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("37 rows copied to new.db"), "{ended:?}");
    assert!(ended.out.contains("arm `mc` of `small`: 3 units are gone"), "{ended:?}");
    assert!(ended.err.contains("patience experiment resume --store new.db"), "{ended:?}");
    let said = bench.ok(&["experiment", "resume", "--store", "new.db"]);
    assert!(said.contains("small: 3 units") && said.contains("40/40 in all"), "{said}");
    assert_eq!(bench.ok(&["experiment", "export", "--store", "new.db"]), rows);
    let again = ["experiment", "rescue", "S.db", "--store", "new.db"];
    bench.fails(&again, 2, &["new.db: this exists; rescue into a new store"]);
}
