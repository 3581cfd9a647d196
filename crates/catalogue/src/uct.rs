//! `uct` by name: its ingredients as parameters, and which of them go together.

use std::sync::Arc;

use patience_model::Game;
use patience_plan::uct::{
    Backup, Evaluate, Leaf, Range, Rave, Recommend, Rollout, RootRule, Selection, Settings, Uct,
    Uniform, Widening,
};
use patience_plan::{AdaptivePlayouts, Asked, Mast, NGrams};

use crate::call::{Arguments, CallError};
use crate::kit::{Kit, Made};
use crate::params::{Auto, Param, Params};
use crate::planners::named;
use crate::{params, words};

words! {
    /// How an action is selected in the tree.
    enum Rule {
        Ucb1 = "ucb1",
        Depth = "depth",
        Polynomial = "polynomial",
        Tuned = "tuned",
        UcbV = "ucb-v",
        Thompson = "thompson",
        Puct = "puct",
        Boltzmann = "boltzmann",
        Dents = "dents",
        KlUcb = "klucb",
        Improved = "improved",
        Uniform = "uniform",
    }
}
words! {
    /// How episodes are spent at the root.
    enum AtRoot { Tree = "tree", Halving = "halving", Gumbel = "gumbel" }
}
words! {
    /// When an episode stops within the tree.
    enum Stop { Never = "never", Visits = "visits" }
}
words! {
    /// What a node backs up.
    enum Told {
        Mean = "mean",
        Max = "max",
        Cautious = "cautious",
        Power = "power",
        Softmax = "softmax",
        Bellman = "bellman",
    }
}
words! {
    /// By what the action is recommended.
    enum By { Value = "value", Visits = "visits", Lower = "lower" }
}
words! {
    /// Which statistics are shared by action.
    enum Sharing { None = "none", Rave = "rave", Grave = "grave" }
}
words! {
    /// Which states share a node.
    enum Merged { No = "false", Depth = "true", Across = "across" }
}

params! {
    struct UctParams {
        /// Episodes per tree; inf: as many as the budget allows
        #[alias("trajectories")]
        iterations: Option<u64> = "inf", min 1;
        /// Trees whose root values are averaged (Ensemble-UCT, HOP-UCT)
        trees: u32 = "1", min 1;
        /// Outcomes sampled per action and node (Sparse UCT); 1 with trees: HOP-UCT
        width: Option<u32> = "inf", min 1;
        /// The selection rule; depth: the bias decays with depth (section 3.1)
        selection: Rule = "ucb1";
        /// Factor of the bonus, such as c*sqrt(ln t / s), for improved the weight of values, with root=gumbel at the root too; auto: sqrt(2) for ucb1, 1.25 for puct, 1.2 for ucb-v, 0.1 for improved, 1 for others
        c: Auto<f64> = "auto", min 0;
        /// Multiplies the bonus: the range of rewards, the horizon, or 10 as in section 3.2; what the problem is like, so it may be given with rules that have no bonus
        scale: f64 = "1", min 0;
        /// For selection=depth: the estimated length of the game from the root; auto: 20
        horizon: Auto<u32> = "auto", min 1;
        /// For selection=boltzmann, dents and backup=softmax, in units of reward; auto: 1
        temperature: Auto<f64> = "auto", min 0;
        /// For selection=boltzmann and dents: the share of uniform draws, which falls with ln visits; auto: 1
        epsilon: Auto<f64> = "auto", min 0;
        /// For selection=dents: what entropy is worth at first, which falls with ln visits; auto: the temperature
        entropy: Auto<f64> = "auto", min 0;
        /// First-play urgency: the score of an action never tried; auto: it comes first, or with puct has its node's mean
        urgency: Auto<f64> = "auto";
        /// How episodes are spent at the root: as in the tree, by sequential halving, or as in Gumbel AlphaZero
        root: AtRoot = "tree";
        /// For root=gumbel: how many actions are considered; auto: 16
        considered: Auto<u32> = "auto", min 1;
        /// How a leaf is valued: rollout, mast, ngrams, adaptive, zero, or an evaluation function of the game by name
        eval: String = "rollout";
        /// Moves after which a rollout is cut
        limit: u32 = "100000", min 1;
        /// What rollouts that learn go by: the temperature of mast (auto: 1), the share of random moves of ngrams (auto: 0.1), the rate of adaptive (auto: 1)
        learning: Auto<f64> = "auto", min 0;
        /// Nodes that an episode may add; inf: all that it visits; 0: none
        expand: Option<u32> = "1";
        /// visits: an episode stops at a node with probability 1/visits (section 3.2)
        stop: Stop = "never";
        /// What a node backs up; max is min for the opponent
        backup: Told = "mean";
        /// For backup=power: the exponent; auto: 2
        p: Auto<f64> = "auto", min 1;
        /// Recommend the action by value, by visits, or by a lower confidence bound
        recommend: By = "value";
        /// true: bounds are proven at nodes; needs the capability outcomes and no hidden part
        prove: bool = "false";
        /// For prove, klucb and backup=power: the least that rewards to come can sum to; auto: 0, for prove unknown
        low: Auto<f64> = "auto";
        /// For prove, klucb and backup=power: the most that they can sum to; auto: low + scale, for prove unknown
        high: Auto<f64> = "auto";
        /// Statistics shared by action wherever it is played later
        sharing: Sharing = "none";
        /// For sharing: how soon an action's own tries count for more; auto: 1e-5
        bias: Auto<f64> = "auto", min 0;
        /// For sharing=grave: visits that a node needs for its shared statistics to be used; auto: 50
        reference: Auto<u32> = "auto", min 0;
        /// true: equal states at equal depth share a node; across: at any depth; needs the capability key
        merge: Merged = "false";
        /// Progressive widening: actions of a node after one visit; auto: all at once
        widen: Auto<f64> = "auto", min 0;
        /// Outcomes of an action that are kept after one try, of a belief its observations; auto: a new one at every try
        widen_outcomes: Auto<f64> = "auto", min 0;
        /// For widen and widen_outcomes: the power of the visits with which there are more; auto: 0.5
        widen_power: Auto<f64> = "auto", min 0, max 1;
        /// Episodes under way at once: their leaves are valued together
        batch: u32 = "1", min 1, max 65536;
        /// For batch: by how much less an episode under way counts than the action's value; auto: 0
        virtual_loss: Auto<f64> = "auto", min 0;
        /// For trees: threads that grow them; for batch: threads that value leaves; the result is the same for any number
        threads: u32 = "1", min 1, max 1024;
    }
}

/// The parameters, as they are declared.
pub(crate) const PARAMS: &[Param] = UctParams::PARAMS;

/// Makes a planner from its parameters.
pub(crate) fn make<G: Game + 'static>(
    kit: &Kit<G>,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    let p = UctParams::read(arguments)?;
    refuse_idle(&p, arguments)?;
    let leaf = leaf(kit, &p, arguments)?;
    of_leaf(kit, &p, arguments, leaf)
}

/// Makes one whose leaves are judged by whoever steps its searches.
pub(crate) fn asking<G: Game + 'static>(
    kit: &Kit<G>,
    arguments: &Arguments<'_>,
) -> Result<Made<G>, CallError> {
    let p = UctParams::read(arguments)?;
    refuse_idle(&p, arguments)?;
    for key in ["eval", "limit", "threads"] {
        if arguments.has(key) {
            let message = format!("{key} goes without an evaluator only, which values the leaves");
            return Err(arguments.blame(key, message));
        }
    }
    of_leaf(kit, &p, arguments, Arc::new(Asked))
}

/// Makes one that values leaves so.
fn of_leaf<G: Game + 'static>(
    kit: &Kit<G>,
    p: &UctParams,
    arguments: &Arguments<'_>,
    mut leaf: Arc<dyn Leaf<G>>,
) -> Result<Made<G>, CallError> {
    if kit.is_hidden() {
        // A key or a list of outcomes tells states apart that a player may not be able to.
        let followed = p.widen_outcomes.0.is_some() && kit.track.is_some();
        for (key, given, message) in [
            ("width", p.width.is_some(), "a limited width is for games without a hidden part"),
            ("widen_outcomes", followed, "here what is known does not follow from a state alone"),
            ("prove", p.prove, "a proof is for games without a hidden part"),
        ] {
            if given {
                return Err(arguments.blame(key, message));
            }
        }
    }
    let settings = settings(p);
    let lists = p.prove || p.backup == Told::Bellman;
    if lists {
        let Some(with) = kit.with_outcomes.as_ref().filter(|_| !kit.is_hidden()) else {
            let key = if p.prove { "prove" } else { "backup" };
            let message = "this needs the capability `outcomes` and no hidden part";
            return Err(arguments.blame(key, message));
        };
        leaf = (with.listed)(leaf);
    }
    if p.batch > 1 && !leaf.waits() {
        match kit.threaded {
            // With one thread too: each leaf has a stream of its own, so their number changes nothing. Of
            // several trees each is grown by a thread as a whole.
            Some(threaded) => {
                let threads = if p.trees > 1 { 1 } else { p.threads };
                leaf = threaded(leaf, threads as usize);
            }
            None if p.threads > 1 => {
                let message = "this game is not made for several threads";
                return Err(arguments.blame("threads", message));
            }
            None => {}
        }
    }
    if p.trees > 1 && p.threads > 1 {
        if p.merge != Merged::No {
            let message = "threads grow trees whose nodes are not merged";
            return Err(arguments.blame("threads", message));
        }
        let Some(forest) = kit.forest else {
            return Err(arguments.blame("threads", "this game is not made for several threads"));
        };
        return Ok(forest(settings, leaf, lists, p.threads as usize));
    }
    if p.merge != Merged::No {
        // A key tells states apart that a player may not be able to.
        let Some(with_key) = kit.with_key.as_ref().filter(|_| !kit.is_hidden()) else {
            let message = "merging needs the capability `key` and no hidden part";
            return Err(arguments.blame("merge", message));
        };
        return Ok((with_key.uct)(settings, leaf, lists));
    }
    Ok(plain(settings, leaf, lists))
}

/// A planner that merges nothing.
pub(crate) fn plain<G: Game + 'static>(
    settings: Settings,
    leaf: Arc<dyn Leaf<G>>,
    lists: bool,
) -> Made<G> {
    let made =
        if lists { Uct::<_>::listing(settings, leaf) } else { Uct::<_>::new(settings, leaf) };
    Ok(Box::new(made?))
}

/// A random rollout.
pub(crate) fn rollout<G: Game>(limit: u32) -> Arc<dyn Leaf<G>> {
    Arc::new(Rollout { policy: Uniform, limit })
}

/// A parameter that another one gives its meaning is refused without that one.
fn refuse_idle(p: &UctParams, arguments: &Arguments<'_>) -> Result<(), CallError> {
    let boltzmann = matches!(p.selection, Rule::Boltzmann | Rule::Dents);
    let ranged = p.prove || p.backup == Told::Power || p.selection == Rule::KlUcb;
    let with_range = "prove=true, selection=klucb and backup=power";
    let widens = p.widen.0.is_some() || p.widen_outcomes.0.is_some();
    let learns = matches!(p.eval.as_str(), "mast" | "ngrams" | "adaptive");
    let drawn = matches!(p.selection, Rule::Boltzmann | Rule::Dents | Rule::Uniform);
    let rolls = learns || p.eval == "rollout";
    for (key, given, used, with) in [
        ("c", p.c.0.is_some(), !drawn, "a selection that is not boltzmann, dents or uniform"),
        ("limit", arguments.has("limit"), rolls, "eval=rollout, mast, ngrams and adaptive"),
        ("horizon", p.horizon.0.is_some(), p.selection == Rule::Depth, "selection=depth"),
        (
            "temperature",
            p.temperature.0.is_some(),
            boltzmann || p.backup == Told::Softmax,
            "selection=boltzmann, dents and backup=softmax",
        ),
        ("epsilon", p.epsilon.0.is_some(), boltzmann, "selection=boltzmann and dents"),
        ("entropy", p.entropy.0.is_some(), p.selection == Rule::Dents, "selection=dents"),
        ("considered", p.considered.0.is_some(), p.root == AtRoot::Gumbel, "root=gumbel"),
        ("learning", p.learning.0.is_some(), learns, "eval=mast, ngrams and adaptive"),
        ("p", p.p.0.is_some(), p.backup == Told::Power, "backup=power"),
        ("low", p.low.0.is_some(), ranged, with_range),
        ("high", p.high.0.is_some(), ranged, with_range),
        ("bias", p.bias.0.is_some(), p.sharing != Sharing::None, "sharing=rave and grave"),
        ("reference", p.reference.0.is_some(), p.sharing == Sharing::Grave, "sharing=grave"),
        ("virtual_loss", p.virtual_loss.0.is_some(), p.batch > 1, "batch above 1"),
        ("threads", p.threads > 1, p.batch > 1 || p.trees > 1, "batch or trees above 1"),
        ("batch", p.batch > 1, !learns, "rollouts that do not learn"),
        ("widen_power", p.widen_power.0.is_some(), widens, "widen and widen_outcomes"),
    ] {
        if given && !used {
            return Err(arguments.blame(key, format!("{key} goes with {with} only")));
        }
    }
    Ok(())
}

fn settings(p: &UctParams) -> Settings {
    let standard = match p.selection {
        Rule::Ucb1 => std::f64::consts::SQRT_2,
        Rule::Puct => 1.25,
        Rule::Improved => 0.1,
        Rule::UcbV => 1.2,
        Rule::Depth
        | Rule::Polynomial
        | Rule::Tuned
        | Rule::Thompson
        | Rule::Boltzmann
        | Rule::Dents
        | Rule::KlUcb
        | Rule::Uniform => 1.0,
    };
    let factor = p.c.0.unwrap_or(standard);
    let c = p.scale * factor;
    let temperature = p.temperature.0.unwrap_or(1.0);
    let low = p.low.0.unwrap_or(0.0);
    let high = p.high.0.unwrap_or(low + p.scale);
    let epsilon = p.epsilon.0.unwrap_or(1.0);
    let power = p.widen_power.0.unwrap_or(0.5);
    let widening = |factor: Auto<f64>| factor.0.map(|factor| Widening { factor, power });
    Settings {
        iterations: p.iterations,
        trees: p.trees,
        width: p.width,
        selection: match p.selection {
            Rule::Ucb1 => Selection::Ucb1 { c },
            Rule::Depth => Selection::DepthDecayed { c, horizon: p.horizon.0.unwrap_or(20) },
            Rule::Polynomial => Selection::Polynomial { c },
            Rule::Tuned => Selection::Tuned { c },
            // Its bonus knows the range itself.
            Rule::UcbV => Selection::UcbV { c: factor, range: p.scale },
            Rule::Thompson => Selection::Thompson { c },
            Rule::Puct => Selection::Puct { c },
            Rule::Boltzmann => Selection::Boltzmann { temperature, epsilon },
            Rule::Dents => {
                let entropy = p.entropy.0.unwrap_or(temperature);
                Selection::Dents { temperature, epsilon, entropy }
            }
            Rule::KlUcb => Selection::KlUcb { c: factor, low, high },
            Rule::Improved => Selection::Improved { scale: factor },
            Rule::Uniform => Selection::Uniform,
        },
        urgency: p.urgency.0,
        root: match p.root {
            AtRoot::Tree => RootRule::AsBelow,
            AtRoot::Halving => RootRule::Halving,
            // One weight of values against priors, at the root and below it.
            AtRoot::Gumbel => RootRule::Gumbel {
                considered: p.considered.0.unwrap_or(16),
                scale: if p.selection == Rule::Improved { factor } else { 0.1 },
            },
        },
        expand: p.expand,
        stop_episodes: p.stop == Stop::Visits,
        backup: match p.backup {
            Told::Mean => Backup::Mean,
            Told::Max => Backup::Max,
            Told::Cautious => Backup::Cautious { range: p.scale },
            Told::Power => Backup::Power { p: p.p.0.unwrap_or(2.0), low, high },
            Told::Softmax => Backup::Softmax { temperature },
            Told::Bellman => Backup::Bellman,
        },
        recommend: match p.recommend {
            By::Value => Recommend::Value,
            By::Visits => Recommend::Visits,
            By::Lower => Recommend::LowerBound,
        },
        prove: p.prove.then(|| Range {
            low: p.low.0.unwrap_or(f64::NEG_INFINITY),
            high: p.high.0.unwrap_or(f64::INFINITY),
        }),
        rave: (p.sharing != Sharing::None).then(|| Rave {
            bias: p.bias.0.unwrap_or(1e-5),
            reference: match p.sharing {
                Sharing::Grave => p.reference.0.unwrap_or(50),
                _ => 0,
            },
        }),
        across_depths: p.merge == Merged::Across,
        widen_actions: widening(p.widen),
        widen_outcomes: widening(p.widen_outcomes),
        batch: p.batch,
        virtual_loss: p.virtual_loss.0.unwrap_or(0.0),
    }
}

/// What values the leaves.
fn leaf<G: Game + 'static>(
    kit: &Kit<G>,
    p: &UctParams,
    arguments: &Arguments<'_>,
) -> Result<Arc<dyn Leaf<G>>, CallError> {
    let mut names = vec!["rollout", "mast", "ngrams", "adaptive"];
    names.extend(kit.evaluations.iter().map(|(name, _)| *name));
    names.push("zero");
    names.extend(kit.leaves.iter().map(|(name, _)| *name));
    let name = arguments.choose("eval", &names)?;
    if let Some((_, leaf)) = kit.leaves.iter().find(|(own, _)| *own == name) {
        return Ok(Arc::clone(leaf));
    }
    let (limit, learning) = (p.limit, p.learning.0);
    let out_of_range = |expected: &str| {
        let given = learning.unwrap_or_default();
        Err(arguments.blame("learning", format!("learning is {given}, expected {expected}")))
    };
    Ok(match name {
        "rollout" => rollout(limit),
        "mast" => {
            let temperature = learning.unwrap_or(1.0);
            if temperature <= 0.0 {
                return out_of_range("a temperature above 0");
            }
            Arc::new(Rollout { policy: Mast { temperature }, limit })
        }
        "ngrams" => {
            let epsilon = learning.unwrap_or(0.1);
            if epsilon > 1.0 {
                return out_of_range("a share from 0 to 1");
            }
            Arc::new(Rollout { policy: NGrams { epsilon, least: 7 }, limit })
        }
        "adaptive" => {
            let rate = learning.unwrap_or(1.0);
            Arc::new(Rollout { policy: AdaptivePlayouts { rate }, limit })
        }
        name => Arc::new(Evaluate(named(kit, name))),
    })
}
