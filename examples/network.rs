//! A network of your own in the search: a perceptron with one hidden layer, its weights from a file in
//! the format safetensors, that plans the first move of Connect Four.
//!
//! The names are PyTorch's: `body`, `value` and `policy` are `nn.Linear`, and the file is what
//! `safetensors.torch.save_file(model.state_dict(), "weights.safetensors")` writes. Without a file the
//! weights are drawn at random: an untrained network.
//!
//! Run it with `cargo run --release -p patience --example network [weights.safetensors]`.

use patience::games::ConnectFour;
use patience::model::Encoded;
use patience::plan::uct::{Recommend, Selection, Settings, Uct};
use patience::plan::{Evaluated, Evaluator, Judgements, States};
use patience::prelude::*;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

/// `nn.Linear`: a matrix, row by row, and a bias for each row.
struct Linear {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    fn read(file: &SafeTensors<'_>, name: &str, from: usize, to: usize) -> Result<Self, String> {
        let numbers = |part: &str, shape: &[usize]| {
            let name = format!("{name}.{part}");
            let tensor = file.tensor(&name).map_err(|error| format!("{name}: {error}"))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                let (dtype, given) = (tensor.dtype(), tensor.shape());
                return Err(format!("{name} is {dtype:?} {given:?}, expected F32 {shape:?}"));
            }
            let numbers = tensor.data().chunks_exact(4);
            Ok(numbers.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
        };
        Ok(Linear { weight: numbers("weight", &[to, from])?, bias: numbers("bias", &[to])? })
    }

    fn apply(&self, from: &[f32]) -> Vec<f32> {
        let row = |(row, bias): (&[f32], &f32)| {
            bias + row.iter().zip(from).map(|(weight, x)| weight * x).sum::<f32>()
        };
        self.weight.chunks_exact(from.len()).zip(&self.bias).map(row).collect()
    }
}

/// Values and logits from what is seen of a state.
pub(crate) struct Network {
    inputs: usize,
    body: Linear,
    value: Linear,
    policy: Linear,
}

impl Network {
    /// The network in a file, for a game.
    pub(crate) fn read<G: Encoded>(game: &G, bytes: &[u8]) -> Result<Self, String> {
        let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let inputs = game.highest().len();
        let hidden = file.tensor("body.bias").map_err(|error| format!("body.bias: {error}"))?;
        let hidden: usize = hidden.shape().iter().product();
        Ok(Network {
            inputs,
            body: Linear::read(&file, "body", inputs, hidden)?,
            value: Linear::read(&file, "value", hidden, 1)?,
            policy: Linear::read(&file, "policy", hidden, game.moves())?,
        })
    }
}

impl Evaluator for Network {
    fn evaluate(&self, states: States<'_>, judgements: Judgements<'_>) {
        for (row, seen) in states.observations.chunks_exact(self.inputs).enumerate() {
            let seen: Vec<f32> = seen.iter().map(|&number| f32::from(number)).collect();
            let hidden: Vec<f32> = self.body.apply(&seen).into_iter().map(|x| x.max(0.0)).collect();
            // Results are from −1 to 1.
            judgements.values[row] = f64::from(self.value.apply(&hidden)[0].tanh());
            let logits = self.policy.apply(&hidden);
            judgements.logits[row * logits.len()..][..logits.len()].copy_from_slice(&logits);
        }
    }
}

/// A file of these tensors.
pub(crate) fn file(tensors: &[(&str, Vec<usize>, Vec<f32>)]) -> Result<Vec<u8>, String> {
    let bytes: Vec<Vec<u8>> =
        tensors.iter().map(|(_, _, x)| x.iter().flat_map(|x| x.to_le_bytes()).collect()).collect();
    let views = tensors.iter().zip(&bytes).map(|((name, shape, _), bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        view.map(|view| (*name, view)).map_err(|error| format!("{name}: {error}"))
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    safetensors::serialize(views, None).map_err(|error| error.to_string())
}

/// An untrained network, as a file.
pub(crate) fn untrained<G: Encoded>(game: &G, hidden: usize, seed: u64) -> Result<Vec<u8>, String> {
    let mut rng = Rng::new(seed);
    let (inputs, moves) = (game.highest().len(), game.moves());
    let mut tensors = Vec::new();
    for (weight, bias, from, to) in [
        ("body.weight", "body.bias", inputs, hidden),
        ("value.weight", "value.bias", hidden, 1),
        ("policy.weight", "policy.bias", hidden, moves),
    ] {
        let wide = 1.0 / (from as f64).sqrt();
        let mut draw = |n| (0..n).map(|_| ((2.0 * rng.unit() - 1.0) * wide) as f32).collect();
        tensors.push((weight, vec![to, from], draw(to * from)));
        tensors.push((bias, vec![to], draw(to)));
    }
    file(&tensors)
}

/// The first move that a search with this network recommends, with the tries of all.
pub(crate) fn plan(network: Network, episodes: u64) -> (Option<String>, Vec<u64>) {
    let (selection, recommend) = (Selection::Puct { c: 1.25 }, Recommend::Visits);
    let settings = Settings { selection, recommend, batch: 8, ..Settings::default() };
    let leaf = Evaluated(std::sync::Arc::new(network));
    let planner: Uct<_> = Uct::new(settings, leaf).expect("they go together");
    let mut search = planner.search(&ConnectFour, Root::Certain(ConnectFour::START), Rng::new(1));
    search.run(&Budget::iterations(episodes), &Cancel::new());
    let name = |column| ConnectFour.action_text(&ConnectFour::START, column);
    let tries = search.estimates().iter().map(|estimate| estimate.visits).collect();
    (search.best().map(name), tries)
}

#[allow(dead_code)] // a test takes in this file
fn main() -> Result<(), String> {
    let bytes = match std::env::args_os().nth(1) {
        Some(path) => {
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => untrained(&ConnectFour, 32, 1)?,
    };
    let (best, tries) = plan(Network::read(&ConnectFour, &bytes)?, 800);
    println!("{} after 800 episodes, by column {tries:?}", best.expect("the game goes on"));
    Ok(())
}
