//! The policy that is learnt: a weight per code, and its adaptation to a sequence of moves.

use super::coding::Key;

/// Weights are kept within these, far from where 32-bit floats end.
const LEAST: f32 = 1e-20;
const MOST: f32 = 1e20;

/// exp(w) for each code, in a table of fixed size: codes that fall on one place share a weight.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    weights: Vec<f32>,
    shift: u32,
}

impl Policy {
    pub(super) fn new(bits: u32) -> Self {
        Policy { weights: vec![1.0; 1 << bits], shift: 32 - bits }
    }

    pub(super) fn reset(&mut self) {
        self.weights.fill(1.0);
    }

    pub(super) fn copy_from(&mut self, other: &Policy) {
        self.weights.copy_from_slice(&other.weights);
    }

    /// The place of a code.
    #[inline]
    pub(super) fn find(&self, code: Key) -> Key {
        Key::new(code.place() >> self.shift, code.factor())
    }

    /// The weight at a place, times the factor.
    #[inline]
    pub(super) fn weight(&self, key: Key) -> f32 {
        self.weights[key.place() as usize] * key.factor()
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.weights.capacity() * size_of::<f32>()) as u64
    }
}

/// The choices of a playout: all places that could be chosen at each step, and which was.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Place and bias factor of each legal move, step after step.
    pub(super) places: Vec<Key>,
    /// Of each step the index of the chosen one in `places`, and where the step ends.
    pub(super) steps: Vec<(u32, u32)>,
}

impl Record {
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.steps.clear();
    }

    fn bytes(&self) -> u64 {
        (self.places.capacity() * 8 + self.steps.capacity() * 8) as u64
    }
}

/// A record in which every place has a small number of its own: a sequence that stays the best is
/// adapted to over and over, and only its own few hundred places are touched.
#[derive(Clone, Debug, Default)]
pub(super) struct Lesson {
    /// Place and bias factor by number.
    distinct: Vec<Key>,
    numbers: Vec<u16>,
    steps: Vec<(u32, u32)>,
}

/// What adaptation works with. Weights and changes are by number, with room for every number, so that
/// none need be checked.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    number_of: Vec<u16>,
    weights: Box<[f32; NUMBERS]>,
    changes: Box<[f32; NUMBERS]>,
}

impl Default for Bench {
    fn default() -> Self {
        Bench { number_of: Vec::new(), weights: room(), changes: room() }
    }
}

fn room() -> Box<[f32; NUMBERS]> {
    match vec![0.0; NUMBERS].into_boxed_slice().try_into() {
        Ok(room) => room,
        Err(_) => unreachable!("it has this length"),
    }
}

/// How many numbers a `u16` has.
const NUMBERS: usize = 1 << 16;

const NONE: u16 = u16::MAX;

impl Lesson {
    /// Takes over a record.
    pub(super) fn learn_from(&mut self, record: &Record, table: usize, bench: &mut Bench) {
        self.distinct.clear();
        self.numbers.clear();
        self.steps.clone_from(&record.steps);
        bench.number_of.resize(table, NONE);
        for &key in &record.places {
            let number = &mut bench.number_of[key.place() as usize];
            // More than 65,535 different places would share the last number: no game comes near.
            if *number == NONE {
                *number = self.distinct.len().min(usize::from(NONE) - 1) as u16;
                if self.distinct.len() < usize::from(NONE) {
                    self.distinct.push(key);
                }
            }
            self.numbers.push(*number);
        }
        for key in &self.distinct {
            bench.number_of[key.place() as usize] = NONE;
        }
    }

    /// Moves the policy towards the sequence: at every step the logit of the chosen code rises by
    /// `alpha` and those of all legal codes fall by `alpha` times their probability, all under the
    /// policy as it was (Rosin 2011, Algorithm 2).
    pub(super) fn adapt(&self, policy: &mut Policy, alpha: f32, bench: &mut Bench) {
        let (weights, changes) = (&mut *bench.weights, &mut *bench.changes);
        for (weight, &key) in weights.iter_mut().zip(&self.distinct) {
            *weight = policy.weight(key);
        }
        changes[..self.distinct.len()].fill(0.0);
        let mut from = 0;
        for &(chosen, to) in &self.steps {
            let numbers = &self.numbers[from..to as usize];
            let total: f32 = numbers.iter().map(|&n| weights[usize::from(n)]).sum();
            let share = alpha / total;
            for &n in numbers {
                changes[usize::from(n)] -= share * weights[usize::from(n)];
            }
            changes[usize::from(self.numbers[chosen as usize])] += alpha;
            from = to as usize;
        }
        let changes = &mut changes[..self.distinct.len()];
        for change in &mut *changes {
            *change = exp(*change);
        }
        for (key, &change) in self.distinct.iter().zip(&*changes) {
            let weight = &mut policy.weights[key.place() as usize];
            *weight = (*weight * change).clamp(LEAST, MOST);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.distinct.capacity() * 8 + self.numbers.capacity() * 2 + self.steps.capacity() * 8)
            as u64
    }
}

/// e to the power of x, to within a few units of the last place: the same on every machine, which a
/// library's need not be, and a loop of it is done several at a time. Beyond ±80 as at ±80.
#[inline]
pub(super) fn exp(x: f32) -> f32 {
    /// Added and taken away again, it leaves the nearest whole number.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-80.0, 80.0);
    let n = x * std::f32::consts::LOG2_E + ROUND - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    // Taylor's series: |r| is at most ln 2 / 2.
    let mut p = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + term;
    }
    p * f32::from_bits(((n as i32 + 127) << 23) as u32)
}

impl Bench {
    pub(super) fn bytes(&self, record: &Record) -> u64 {
        record.bytes()
            + (self.number_of.capacity() * 2 + (self.weights.len() + self.changes.len()) * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adaptation_is_rosins() {
        let mut policy = Policy::new(4);
        policy.weights[..4].copy_from_slice(&[1.0, 2.0, 0.5, 3.0]);
        let factor = |place: u32| if place == 2 { 4.0 } else { 1.0 };
        // Two steps: 0, 1 and 2 are legal and 1 is chosen; then 1 and 3, and 3 is chosen.
        let places = [0, 1, 2, 1, 3].map(|p| Key::new(p, factor(p))).to_vec();
        let record = Record { places, steps: vec![(1, 3), (4, 5)] };
        let (mut lesson, mut bench) = (Lesson::default(), Bench::default());
        lesson.learn_from(&record, 16, &mut bench);
        lesson.adapt(&mut policy, 0.7, &mut bench);
        // Logits: the first step's probabilities are 1/5, 2/5, 2/5; the second's 2/5, 3/5.
        let logits: [f64; 4] = [
            0.0 - 0.7 * 0.2,
            2f64.ln() + 0.7 * (1.0 - 0.4) - 0.7 * 0.4,
            0.5f64.ln() - 0.7 * 0.4,
            3f64.ln() + 0.7 * (1.0 - 0.6),
        ];
        for (place, logit) in (0..).zip(logits) {
            let got = f64::from(policy.weights[place]).ln();
            assert!((got - logit).abs() < 1e-6, "{place}: {got}, not {logit}");
        }
        assert_eq!(policy.weights[4..], [1.0; 12]);
        // The bench is clean for the next lesson.
        assert!(bench.number_of.iter().all(|&n| n == NONE));
    }

    #[test]
    fn exp_is_the_exponential() {
        for k in -8000..=8000 {
            let x = k as f32 / 100.0;
            let right = f64::from(x).exp();
            let off = (f64::from(exp(x)) / right - 1.0).abs();
            assert!(off < 1e-6, "{x}: off by {off}");
        }
        assert_eq!((exp(0.0), exp(-1e9), exp(f32::INFINITY)), (1.0, exp(-80.0), exp(80.0)));
    }

    #[test]
    fn weights_stay_finite() {
        let mut policy = Policy::new(2);
        let record =
            Record { places: [0, 1].map(|p| Key::new(p, 1.0)).to_vec(), steps: vec![(0, 2)] };
        let (mut lesson, mut bench) = (Lesson::default(), Bench::default());
        lesson.learn_from(&record, 4, &mut bench);
        for _ in 0..1000 {
            lesson.adapt(&mut policy, 100.0, &mut bench);
        }
        assert!(policy.weights.iter().all(|w| (LEAST..=MOST).contains(w)), "{:?}", policy.weights);
    }
}
