//! Where units start: unit n of `first_deal = d` is deal d + n.

use patience::prelude::*;

use super::{run, task};

#[test]
fn units_are_the_deals_from_the_first_on() {
    let game = patience::registry().game("freecell").unwrap().table();
    let length = |deal: u64| {
        let state = game.deal(&deal.to_string(), 1).unwrap();
        let solved = state
            .solve(Some("satisficing"), &Budget::UNLIMITED, 1, &Cancel::new(), &mut |_| ())
            .unwrap();
        solved.length.unwrap() as f64
    };
    let lengths: Vec<f64> = (4..=9).map(length).collect();
    let next_to_each_other = lengths.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(next_to_each_other >= 4, "deals that tell nothing apart: {lengths:?}");
    let task = task("freecell", "satisficing", "kind = \"solve\"\nfirst_deal = 5").unwrap();
    let column = task.columns().iter().position(|column| column.name == "length").unwrap();
    let found: Vec<f64> = (0..4).map(|unit| run(&*task, "a", unit)[column]).collect();
    assert_eq!(found, lengths[1..5]);
}
