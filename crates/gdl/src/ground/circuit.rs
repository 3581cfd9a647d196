//! Gates over signals, each stored once.

use rustc_hash::FxHashMap;

/// How many shared conditions are taken out of a disjunction, and how deep: enough for the rules
/// that people write, and a bound on the work for those that machines do.
const MAX_FACTORS: usize = 8;

/// A signal or its negation: twice the signal's number, one more if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(pub(crate) u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    pub(crate) fn positive(signal: usize) -> Self {
        Lit(signal as u32 * 2)
    }

    pub(crate) fn signal(self) -> usize {
        self.0 as usize / 2
    }

    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn not(self) -> Self {
        Lit(self.0 ^ 1)
    }
}

/// What a gate does with its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Given from outside (or, for signal 0, always true).
    Input,
    /// All inputs hold.
    And,
    /// At least one input holds.
    Or,
}

/// A signal and how it comes about.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) kind: Kind,
    pub(crate) inputs: Vec<Lit>,
}

/// Gates under construction. Signal 0 is the constant true.
#[derive(Debug)]
pub(crate) struct Circuit {
    pub(crate) gates: Vec<Gate>,
    known: FxHashMap<(Kind, Vec<Lit>), usize>,
    /// Inputs of which exactly one holds whenever a successor is derived: the moves of a role.
    one_of: Vec<std::ops::Range<usize>>,
}

impl Circuit {
    pub(crate) fn new() -> Self {
        let constant = Gate { kind: Kind::Input, inputs: Vec::new() };
        Circuit { gates: vec![constant], known: FxHashMap::default(), one_of: Vec::new() }
    }

    /// A signal from outside.
    pub(crate) fn input(&mut self) -> Lit {
        self.gates.push(Gate { kind: Kind::Input, inputs: Vec::new() });
        Lit::positive(self.gates.len() - 1)
    }

    /// Says that exactly one of these inputs holds whenever a successor is derived.
    pub(crate) fn exactly_one(&mut self, signals: std::ops::Range<usize>) {
        self.one_of.push(signals);
    }

    /// Writes "one of most moves" as "none of the others": a fact that nearly every move leaves as
    /// it is then depends on the few that do not.
    fn complement(&mut self, inputs: &mut Vec<Lit>) {
        for group in 0..self.one_of.len() {
            let signals = self.one_of[group].clone();
            let inside = |l: &Lit| !l.negated() && signals.contains(&l.signal());
            let count = inputs.iter().filter(|l| inside(l)).count();
            if count * 2 > signals.len() && count > 1 {
                let has: rustc_hash::FxHashSet<Lit> =
                    inputs.iter().copied().filter(|l| inside(l)).collect();
                inputs.retain(|l| !inside(l));
                let others =
                    signals.map(Lit::positive).filter(|l| !has.contains(l)).collect::<Vec<_>>();
                inputs.push(self.or(others).not());
            }
        }
    }

    /// A disjunction whose inputs are set later, because it depends on itself.
    pub(crate) fn open_or(&mut self) -> Lit {
        self.gates.push(Gate { kind: Kind::Or, inputs: Vec::new() });
        Lit::positive(self.gates.len() - 1)
    }

    /// Sets the inputs of an open disjunction.
    pub(crate) fn close_or(&mut self, or: Lit, mut inputs: Vec<Lit>) {
        inputs.retain(|&l| l != Lit::FALSE);
        inputs.sort_unstable();
        inputs.dedup();
        self.gates[or.signal()].inputs = inputs;
    }

    fn gate(&mut self, kind: Kind, inputs: Vec<Lit>) -> Lit {
        let gates = &mut self.gates;
        let signal = *self.known.entry((kind, inputs)).or_insert_with_key(|(kind, inputs)| {
            gates.push(Gate { kind: *kind, inputs: inputs.clone() });
            gates.len() - 1
        });
        Lit::positive(signal)
    }

    /// The conjunction.
    pub(crate) fn and(&mut self, mut inputs: Vec<Lit>) -> Lit {
        inputs.retain(|&l| l != Lit::TRUE);
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.contains(&Lit::FALSE) || inputs.windows(2).any(|w| w[0].not() == w[1]) {
            return Lit::FALSE;
        }
        match inputs[..] {
            [] => Lit::TRUE,
            [one] => one,
            _ => self.gate(Kind::And, inputs),
        }
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, mut inputs: Vec<Lit>) -> Lit {
        inputs.sort_unstable();
        inputs.dedup();
        self.complement(&mut inputs);
        inputs.retain(|&l| l != Lit::FALSE);
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.contains(&Lit::TRUE) || inputs.windows(2).any(|w| w[0].not() == w[1]) {
            return Lit::TRUE;
        }
        match inputs[..] {
            [] => Lit::FALSE,
            [one] => one,
            _ => self.gate(Kind::Or, inputs),
        }
    }

    /// A disjunction of conjunctions. A condition that several conjunctions share is tested once:
    /// a cell that stays as it is unless moved to depends on the cell and on one disjunction of
    /// moves, instead of on a conjunction for each move.
    pub(crate) fn sum(&mut self, terms: Vec<Vec<Lit>>) -> Lit {
        self.factor(terms, MAX_FACTORS)
    }

    fn factor(&mut self, mut terms: Vec<Vec<Lit>>, depth: usize) -> Lit {
        terms.sort_unstable();
        terms.dedup();
        let mut parts = Vec::new();
        for _ in 0..depth {
            let mut count: FxHashMap<Lit, usize> = FxHashMap::default();
            for literal in terms.iter().filter(|t| t.len() > 1).flatten() {
                *count.entry(*literal).or_default() += 1;
            }
            // The smallest literal among the most frequent, so that the result is always the same.
            let best = count.into_iter().max_by_key(|&(l, n)| (n, std::cmp::Reverse(l)));
            let Some((shared, 2..)) = best else { break };
            let (with, without): (Vec<_>, Vec<_>) =
                terms.into_iter().partition(|t| t.len() > 1 && t.contains(&shared));
            terms = without;
            let rests = with
                .into_iter()
                .map(|t| t.into_iter().filter(|&l| l != shared).collect())
                .collect();
            let rest = self.factor(rests, depth - 1);
            parts.push(self.and(vec![shared, rest]));
        }
        for term in terms {
            parts.push(self.and(term));
        }
        self.or(parts)
    }
}
