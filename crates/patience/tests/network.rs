//! The example with a network from a file: its search goes by the weights, and a file that does not fit is
//! refused with the reason.

use patience::games::ConnectFour;
use patience::model::Encoded;
use patience::plan::{Evaluator, Judgements, States};

#[path = "../../../examples/network.rs"]
mod example;

use example::{Network, file, plan, untrained};

const INPUTS: usize = 43;

/// One hidden number, always 1, by which the policy prefers a column.
fn prefers(column: usize) -> Vec<u8> {
    let mut policy = vec![0.0; 7];
    policy[column] = 4.0;
    file(&[
        ("body.weight", vec![1, INPUTS], vec![0.0; INPUTS]),
        ("body.bias", vec![1], vec![1.0]),
        ("value.weight", vec![1, 1], vec![0.0]),
        ("value.bias", vec![1], vec![0.0]),
        ("policy.weight", vec![7, 1], policy),
        ("policy.bias", vec![7], vec![0.0; 7]),
    ])
    .unwrap()
}

#[test]
fn a_search_goes_by_the_weights_of_the_file() {
    for (column, name) in [(0, "a"), (5, "f")] {
        let (best, tries) = plan(Network::read(&ConnectFour, &prefers(column)).unwrap(), 400);
        assert_eq!(best.as_deref(), Some(name));
        // Its share of the prior is e⁴/(e⁴ + 6) = 0.9.
        assert!(tries[column] > 300 && tries.iter().sum::<u64>() == 400, "{tries:?}");
    }
    let untrained = untrained(&ConnectFour, 16, 2).unwrap();
    let plans = || plan(Network::read(&ConnectFour, &untrained).unwrap(), 200);
    assert_eq!(plans(), plans());
}

/// Two layers by hand: max(0, 2·x₀ − 1) and its value and logits.
#[test]
fn the_network_is_what_its_layers_say() {
    let mut body = vec![0.0; INPUTS];
    body[0] = 2.0;
    let bytes = file(&[
        ("body.weight", vec![1, INPUTS], body),
        ("body.bias", vec![1], vec![-1.0]),
        ("value.weight", vec![1, 1], vec![0.5]),
        ("value.bias", vec![1], vec![-0.25]),
        ("policy.weight", vec![7, 1], (0..7).map(|n| n as f32).collect()),
        ("policy.bias", vec![7], vec![1.0; 7]),
    ]);
    let network = Network::read(&ConnectFour, &bytes.unwrap()).unwrap();
    assert_eq!(ConnectFour.highest().len(), INPUTS);
    let mut observations = [0; 2 * INPUTS];
    observations[INPUTS] = 2;
    let (mut values, mut logits) = ([0.0; 2], [0.0; 14]);
    let (legal, minimising) = ([1; 14], [false; 2]);
    let states =
        States { count: 2, observations: &observations, legal: &legal, minimising: &minimising };
    network.evaluate(states, Judgements { values: &mut values, logits: &mut logits });
    let expected = [f64::from((-0.25_f32).tanh()), f64::from((0.5_f32 * 3.0 - 0.25).tanh())];
    assert_eq!(values, expected);
    assert_eq!(logits[..7], [1.0; 7]);
    assert_eq!(logits[7..], [1.0, 4.0, 7.0, 10.0, 13.0, 16.0, 19.0]);
}

#[test]
fn a_file_that_does_not_fit_is_refused() {
    let refused = |bytes: &[u8]| Network::read(&ConnectFour, bytes).err().expect("refused");
    assert!(!refused(b"no tensors").is_empty());
    assert!(refused(&file(&[]).unwrap()).contains("body.bias"));
    let narrow =
        file(&[("body.weight", vec![1, 3], vec![0.0; 3]), ("body.bias", vec![1], vec![0.0])]);
    let why = refused(&narrow.unwrap());
    assert_eq!(why, "body.weight is F32 [1, 3], expected F32 [1, 43]");
}
