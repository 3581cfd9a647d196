//! A game is built once for all arms on it, an arm is resolved once, and its results depend on the
//! versions of its own parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use patience::games::TicTacToe;
use patience::lab::{self, Arm, RunOptions, Spec, Store, Versions};
use patience::prelude::*;

const SPEC: &str = r#"
name = "once"
seed = 1
units = 3
task = { kind = "play", iterations = 5 }
[[arm]]
name = "one"
game = "mine"
planner = "uct"
[[arm]]
name = "other"
game = "mine"
planner = "mc"
[[arm]]
name = "elsewhere"
game = "tic-tac-toe"
planner = "uct"
[[arm]]
name = "on the lake"
game = "sailing(size=2)"
planner = "value-iteration"
"#;

/// The built-in games and one of our own, which counts how often it is built.
fn with_mine(version: u32) -> (Registry, Arc<AtomicUsize>) {
    let mut registry = patience::list();
    let info = GameInfo { name: "mine", version, ..GameInfo::NEW };
    let built = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&built);
    registry.add(GameEntry::new(info, move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Kit::new(TicTacToe).text().keyed().into())
    }));
    (registry, built)
}

#[test]
fn two_arms_on_one_game_build_it_once_and_each_arm_is_resolved_once() {
    let (registry, built) = with_mine(1);
    let spec = Spec::parse("once.toml", SPEC, false).unwrap();
    let resolve = patience::resolve(&registry);
    let resolved = AtomicUsize::new(0);
    let counting = |spec: &Spec, arm: &Arm| {
        resolved.fetch_add(1, Ordering::Relaxed);
        resolve(spec, arm)
    };
    let path = std::env::temp_dir().join(format!("once-{}.db", std::process::id()));
    let mut store = Store::open(&path).unwrap();
    let options = RunOptions::default();
    let run = lab::run(&spec, &counting, &mut store, &options, &Cancel::new(), &mut |_| ());
    drop(store);
    for ending in ["", "-wal", "-shm", ".lock"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    assert_eq!(run.unwrap().ran, 4 * 3);
    assert_eq!(resolved.into_inner(), spec.arms.len());
    assert_eq!(built.load(Ordering::Relaxed), 1);
    // Advice and play need no more of them.
    let (registry, built) = with_mine(1);
    let game = registry.game("mine").unwrap();
    for seed in 0..3 {
        game.advise("uct", &Budget::iterations(5), seed).unwrap();
        game.start(seed).step(0);
    }
    assert_eq!(built.load(Ordering::Relaxed), 1);
}

#[test]
fn raising_the_version_of_a_game_leaves_arms_on_others_as_they_are() {
    let spec = Spec::parse("once.toml", SPEC, false).unwrap();
    let hashes = |version| {
        let (registry, _) = with_mine(version);
        let hash = |arm: &Arm| {
            let task = patience::task(&registry, &spec, arm).unwrap();
            arm.hash(&Versions::of(&*task))
        };
        spec.arms.iter().map(hash).collect::<Vec<_>>()
    };
    let (before, after) = (hashes(1), hashes(2));
    assert_eq!(before, hashes(1));
    let kept: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a == b).collect();
    assert_eq!(kept, [false, false, true, true]);
}

#[test]
fn results_depend_on_the_game_and_on_those_who_play() {
    let depends = |game: &str, planner: &str, task: &str| {
        let text = format!(
            "name = \"d\"\nseed = 1\nunits = 1\n[[arm]]\nname = \"a\"\ngame = \"{game}\"\n\
             planner = \"{planner}\"\n[task]\n{task}\n"
        );
        let spec = Spec::parse("d.toml", &text, false).unwrap();
        let task = patience::task(patience::registry(), &spec, &spec.arms[0]).unwrap();
        let names: Vec<String> = task.depends().into_iter().map(|(name, _)| name).collect();
        names.join(" ")
    };
    let play = "kind = \"play\"\niterations = 3";
    assert_eq!(depends("klondike", "best", play), "klondike best");
    assert_eq!(depends("tic-tac-toe", "uct(c=1)", play), "tic-tac-toe uct");
    let against = format!("{play}\nopponent = \"mc\"");
    assert_eq!(depends("tic-tac-toe", "uct", &against), "tic-tac-toe uct tic-tac-toe mc");
    let judged = "kind = \"convergence\"\nat = [1]";
    assert_eq!(depends("pgame(depth=4)", "alpha-beta", judged), "pgame alpha-beta");
    for (game, solver) in [
        ("freecell", "optimal"),
        ("klondike", "nested"),
        ("klondike", "thoughtful"),
        ("klondike", "optimal"),
        ("samegame", "nrpa"),
    ] {
        assert_eq!(depends(game, solver, "kind = \"solve\""), format!("{game} {solver}"));
    }
}
