//! The ingredients, and which of them go together.

use crate::ParameterError;
use crate::tree::{Backup, Selection};

/// Which action is recommended in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recommend {
    /// The one of the highest value.
    Value,
    /// The one tried most often; of equals the one of higher value.
    Visits,
    /// The one that is surely worth most: the highest value − 1.96 standard deviations/√tries, an
    /// approximate lower confidence bound. An action must have been tried twice for it.
    LowerBound,
}

/// How episodes are spent on the actions of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RootRule {
    /// As at every other node.
    AsBelow,
    /// Sequential halving (Karnin, Koren and Somekh 2013): all actions alike, then the better half of
    /// them alike, and so on. Nearly optimal for finding the best arm of a stationary bandit with a
    /// known number of tries, and so for simple regret; what is told of the budget is planned for, and
    /// without a number of episodes the plan is made anew for twice as many each time.
    Halving,
    /// Gumbel AlphaZero (Danihelka et al. 2022): sequential halving among so many actions drawn without
    /// replacement from the prior, by Gumbel noise + ln prior + (50 + most tries)·`scale`·value, values
    /// scaled to [0, 1]. With right values the action is in expectation no worse than the prior policy.
    Gumbel {
        /// How many actions are considered.
        considered: u32,
        /// The weight of values against priors.
        scale: f64,
    },
}

/// Statistics of an action wherever it is played later (Gelly and Silver 2007), of the nearest node
/// above that was visited often enough (GRAVE, Cazenave 2015): they count for much as long as the
/// action itself was tried little, with weight β = ñ/(ñ + n + `bias`·ñ·n).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rave {
    /// How soon an action's own tries count for more; the square of the error of shared values.
    pub bias: f64,
    /// Visits that a node needs for its shared statistics to be used; 0 is RAVE.
    pub reference: u32,
}

/// Progressive widening: ⌈`factor`·n^`power`⌉ of what could be tried after n visits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// How many there are after the first visit.
    pub factor: f64,
    /// How fast there are more; 0 to 1.
    pub power: f64,
}

impl Widening {
    /// How many there may be after so many visits: at least one.
    #[inline]
    pub(super) fn at(self, visits: u32) -> u32 {
        (self.factor * f64::from(visits).powf(self.power)).ceil().max(1.0) as u32
    }
}

/// Between what the rewards to come must lie, in every state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The ingredients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Episodes per tree; `None`: as many as the budget allows.
    pub iterations: Option<u64>,
    /// Trees, one after the other, whose root values are averaged.
    pub trees: u32,
    /// Outcomes sampled per action and node (Sparse UCT's w); `None`: a new one at every visit.
    /// For roots that are certain: with a belief every episode draws another state, so the same
    /// noise does not make the same outcome, and a tree that meets it again learns what is hidden.
    pub width: Option<u32>,
    /// The bandit rule.
    pub selection: Selection,
    /// First-play urgency (Gelly and Wang 2006): what an action scores that was never tried, in the
    /// eyes of the player to move. `None`: it comes first, or for PUCT has its node's mean.
    pub urgency: Option<f64>,
    /// How episodes are spent at the root.
    pub root: RootRule,
    /// Nodes that an episode may add; `None`: all that it visits. After that the leaf is valued.
    pub expand: Option<u32>,
    /// Whether an episode stops at a node with probability 1/visits (section 3.2): an approximate
    /// iterative deepening for problems without a horizon.
    pub stop_episodes: bool,
    /// What a node backs up.
    pub backup: Backup,
    /// What is recommended.
    pub recommend: Recommend,
    /// Proven bounds at nodes; for leaves that list outcomes. What is not proven lies in this range.
    pub prove: Option<Range>,
    /// Statistics shared by action.
    pub rave: Option<Rave>,
    /// Whether nodes that are merged may lie at different depths.
    pub across_depths: bool,
    /// Actions of a node that are tried after so many visits.
    pub widen_actions: Option<Widening>,
    /// Outcomes of an action that are kept after so many tries; one of them is met again if there may be
    /// no more. Of a belief that can be [redrawn](crate::Belief::redraw) observations are kept, of others none.
    pub widen_outcomes: Option<Widening>,
    /// Episodes that are under way at once, for leaves that value many states better than one.
    pub batch: u32,
    /// Virtual loss: by how much less an episode under way counts than the action's value. 0: it
    /// counts as a visit only (WU-UCT, Liu et al. 2020).
    pub virtual_loss: f64,
}

impl Default for Settings {
    /// Plain UCT with UCB1, for rewards within [0, 1].
    fn default() -> Self {
        Settings {
            iterations: None,
            trees: 1,
            width: None,
            selection: Selection::Ucb1 { c: std::f64::consts::SQRT_2 },
            urgency: None,
            root: RootRule::AsBelow,
            expand: Some(1),
            stop_episodes: false,
            backup: Backup::Mean,
            recommend: Recommend::Value,
            prove: None,
            rave: None,
            across_depths: false,
            widen_actions: None,
            widen_outcomes: None,
            batch: 1,
            virtual_loss: 0.0,
        }
    }
}

impl Settings {
    /// Whether nothing but tables and counts is needed to select and to go back up: most searches.
    pub(super) fn is_plain(&self) -> bool {
        use Selection::{Boltzmann, Dents, Improved, Puct};
        let rule = self.selection;
        let rule = matches!(rule, Puct { .. } | Improved { .. } | Boltzmann { .. } | Dents { .. });
        let extra = self.prove.is_some() || self.rave.is_some() || self.urgency.is_some();
        let widens = self.widen_actions.is_some() || self.widen_outcomes.is_some();
        let root = self.root != RootRule::AsBelow || self.across_depths;
        !(rule || extra || widens || root || self.backup == Backup::Bellman || self.batch > 1)
    }

    /// Whether an untried action comes first, and all else is values, visits and tries: searches with a batch
    /// and nothing more.
    pub(super) fn is_tabled(&self) -> bool {
        let extra = self.prove.is_some() || self.rave.is_some() || self.urgency.is_some();
        self.selection.is_tabled() && !extra && self.widen_actions.is_none()
    }

    /// Whether outcomes must be listed.
    pub(super) fn lists(&self) -> bool {
        self.prove.is_some() || self.backup == Backup::Bellman
    }

    /// Whether the episodes through a root action are independent of one another, so that their
    /// mean has a standard error.
    pub(super) fn independent(&self) -> bool {
        self.selection == Selection::Uniform
            && self.backup == Backup::Mean
            && self.root == RootRule::AsBelow
    }

    /// Whether deviations of the root's actions are wanted.
    pub(super) fn root_deviations(&self) -> bool {
        self.independent() || self.recommend == Recommend::LowerBound
    }

    /// Whether a tree can be kept below a move. Sampled outcomes of a limited width belong to the
    /// numbers of the edges, and a bias that decays with depth to the depth: both change when the
    /// root moves. Of several trees only the last is there. What is kept beside the tree is not moved.
    pub(super) fn advances(&self) -> bool {
        let by_depth = matches!(self.selection, Selection::DepthDecayed { .. });
        let entropy = matches!(self.selection, Selection::Dents { .. });
        let beside =
            self.lists() || self.rave.is_some() || self.widen_outcomes.is_some() || entropy;
        let planned = self.root != RootRule::AsBelow || self.batch > 1 || self.across_depths;
        let deviations = self.recommend == Recommend::LowerBound;
        let none = by_depth || beside || planned || deviations;
        self.trees == 1 && self.width.is_none() && !none
    }

    /// Vanilla Monte-Carlo planning: actions at the root tried alike, the rest is rollout.
    pub fn monte_carlo() -> Self {
        Settings { selection: Selection::Uniform, expand: Some(0), ..Settings::default() }
    }

    /// Monte-Carlo planning with minimax value update (section 3.1).
    pub fn minimax_monte_carlo() -> Self {
        Settings {
            selection: Selection::Uniform,
            expand: None,
            backup: Backup::Max,
            ..Settings::default()
        }
    }

    /// That every parameter is in its range, and that they go together.
    pub(super) fn check(&self, merges: bool, lists: bool) -> Result<(), ParameterError> {
        self.check_ranges()?;
        let refuse =
            |parameter, given: &str, expected| Err(ParameterError::new(parameter, given, expected));
        if self.trees > 1 && self.iterations.is_none() {
            let expected = "1, or a number of iterations with it: the episodes of each tree";
            return refuse("trees", &self.trees.to_string(), expected);
        }
        let backup = self.backup.name();
        if self.selection.wants_variance() && self.backup.of_actions() {
            let expected = "mean, because this selection needs the variance of a mean";
            return refuse("backup", backup, expected);
        }
        let dents = matches!(self.selection, Selection::Dents { .. });
        if dents && matches!(self.backup, Backup::Softmax { .. }) {
            let expected = "max, because DENTS keeps entropy apart from values";
            return refuse("backup", backup, expected);
        }
        if dents && merges {
            let expected = "another rule, because entropy needs one parent per node";
            return refuse("selection", "dents", expected);
        }
        if merges && self.backup.of_actions() {
            let expected = "mean, because nodes are merged and others need one parent per node";
            return refuse("backup", backup, expected);
        }
        if self.across_depths && !merges {
            return refuse(
                "merge",
                "false",
                "a way to merge nodes that may lie at different depths",
            );
        }
        if self.recommend == Recommend::LowerBound && self.backup.of_actions() {
            let expected = "value or visits, because a lower bound needs the variance of a mean";
            return refuse("recommend", "lower", expected);
        }
        if self.recommend == Recommend::LowerBound && self.trees > 1 {
            let expected = "value or visits, because values of several trees are averaged";
            return refuse("recommend", "lower", expected);
        }
        if self.lists() && !lists {
            let (parameter, given) =
                if self.prove.is_some() { ("prove", "true") } else { ("backup", backup) };
            let expected = "something else, because outcomes cannot be listed here";
            return refuse(parameter, given, expected);
        }
        if self.width.is_some() && self.lists() {
            let expected = "inf, because a proof or a Bellman backup is of the game itself, not of a \
                            sampled one";
            return refuse("width", "finite", expected);
        }
        if self.width.is_some() && self.widen_outcomes.is_some() {
            let expected = "inf, because widening says which outcomes are kept";
            return refuse("width", "finite", expected);
        }
        if self.lists() && self.widen_outcomes.is_some() {
            let expected = "none, because a proof or a Bellman backup wants all outcomes";
            return refuse("widen_outcomes", "given", expected);
        }
        if self.prove.is_some() && self.trees > 1 {
            return refuse("trees", &self.trees.to_string(), "1, because one tree is proven");
        }
        let decides = matches!(self.root, RootRule::Halving | RootRule::Gumbel { .. });
        if decides && self.trees > 1 {
            return refuse("trees", &self.trees.to_string(), "1, because the root is planned for");
        }
        if decides && self.batch > 1 {
            let expected = "1, because the root is decided episode by episode";
            return refuse("batch", &self.batch.to_string(), expected);
        }
        if self.selection == Selection::Uniform && self.urgency.is_some() {
            return refuse("urgency", "given", "auto, because uniform selection asks for no score");
        }
        if matches!(self.selection, Selection::Improved { .. }) && self.urgency.is_some() {
            return refuse(
                "urgency",
                "given",
                "auto, because untried actions have the node's value",
            );
        }
        if self.selection == Selection::Uniform && self.rave.is_some() {
            return refuse("rave", "given", "none, because uniform selection asks for no score");
        }
        if self.batch > 1 && self.rave.is_some() {
            let expected = "1, because shared statistics follow one episode at a time";
            return refuse("batch", &self.batch.to_string(), expected);
        }
        if self.batch > 1 && self.widen_outcomes.is_some() {
            return refuse("batch", &self.batch.to_string(), "1, because outcomes are widened");
        }
        Ok(())
    }

    fn check_ranges(&self) -> Result<(), ParameterError> {
        let above_0 = "a whole number above 0";
        ParameterError::check("trees", self.trees, |&n| n > 0, above_0)?;
        ParameterError::check("batch", self.batch, |n| (1..=65_536).contains(n), "1 to 65536")?;
        if let Some(n) = self.iterations {
            ParameterError::check("iterations", n, |&n| n > 0, above_0)?;
        }
        if let Some(width) = self.width {
            ParameterError::check("width", width, |&w| w > 0, "a whole number above 0, or inf")?;
        }
        let not_negative = "a finite number that is not negative";
        let sound = |x: &f64| x.is_finite() && *x >= 0.0;
        let positive = |x: &f64| x.is_finite() && *x > 0.0;
        let above = "a finite number above 0";
        use Selection::{
            Boltzmann, Dents, DepthDecayed, Improved, KlUcb, Polynomial, Puct, Thompson, Tuned,
            Ucb1, UcbV, Uniform,
        };
        match self.selection {
            Ucb1 { c }
            | DepthDecayed { c, .. }
            | Tuned { c }
            | Polynomial { c }
            | Puct { c }
            | Thompson { c }
            | KlUcb { c, .. }
            | UcbV { c, .. } => {
                ParameterError::check("c", c, sound, not_negative)?;
            }
            Boltzmann { temperature, epsilon } | Dents { temperature, epsilon, .. } => {
                ParameterError::check("temperature", temperature, positive, above)?;
                ParameterError::check("epsilon", epsilon, sound, not_negative)?;
            }
            Improved { scale } => {
                ParameterError::check("scale", scale, sound, not_negative)?;
            }
            Uniform => {}
        }
        if let DepthDecayed { horizon, .. } = self.selection {
            let expected = "a whole number from 1 to 10000";
            ParameterError::check("horizon", horizon, |h| (1..=10_000).contains(h), expected)?;
        }
        if let Dents { entropy, .. } = self.selection {
            ParameterError::check("entropy", entropy, sound, not_negative)?;
        }
        let ordered = "finite ends of a range, low below high";
        let is_range = |low: f64, high: f64| low.is_finite() && high.is_finite() && low < high;
        if let KlUcb { low, high, .. } = self.selection {
            ParameterError::check("low", low, |_| is_range(low, high), ordered)?;
        }
        if let UcbV { range, .. } = self.selection {
            ParameterError::check("range", range, positive, above)?;
        }
        match self.backup {
            Backup::Cautious { range } => {
                ParameterError::check("range", range, positive, above)?;
            }
            Backup::Power { p, low, high } => {
                let from_1 = "a finite number from 1 on";
                ParameterError::check("p", p, |p| p.is_finite() && *p >= 1.0, from_1)?;
                ParameterError::check("low", low, |_| is_range(low, high), ordered)?;
            }
            Backup::Softmax { temperature } => {
                ParameterError::check("temperature", temperature, positive, above)?;
            }
            Backup::Mean | Backup::Max | Backup::Bellman => {}
        }
        if let Some(Range { low, high }) = self.prove {
            // An end that is not known may be infinite.
            let sound = low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY;
            ParameterError::check("low", low, |_| sound, "a number at most high")?;
        }
        if let Some(rave) = self.rave {
            ParameterError::check("bias", rave.bias, sound, not_negative)?;
        }
        for (name, widening) in
            [("widen", self.widen_actions), ("widen_outcomes", self.widen_outcomes)]
        {
            let Some(Widening { factor, power }) = widening else { continue };
            ParameterError::check(name, factor, positive, above)?;
            let within = "a power from 0 to 1";
            ParameterError::check(name, power, |p| (0.0..=1.0).contains(p), within)?;
        }
        if let RootRule::Gumbel { considered, scale } = self.root {
            ParameterError::check("considered", considered, |&n| n > 0, above_0)?;
            ParameterError::check("scale", scale, sound, not_negative)?;
        }
        if let Some(urgency) = self.urgency {
            ParameterError::check("urgency", urgency, |u| u.is_finite(), "a finite number")?;
        }
        ParameterError::check("virtual_loss", self.virtual_loss, sound, not_negative)?;
        Ok(())
    }
}
