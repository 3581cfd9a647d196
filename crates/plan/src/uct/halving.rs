//! Sequential halving at the root: all actions alike, then the better half of them, and so on.

/// An action in the race.
#[derive(Clone, Copy, Debug)]
struct Runner {
    edge: u32,
    /// What stands for it before any episode: Gumbel noise and the logarithm of the prior.
    head_start: f64,
}

/// A race of root actions (Karnin, Koren and Somekh 2013, Algorithm 1).
#[derive(Debug, Default)]
pub(super) struct Halving {
    /// All that may run.
    field: Vec<Runner>,
    /// Those still in the race, in the order in which they are tried.
    running: Vec<Runner>,
    /// Episodes that each gets in this round, and episodes of this round so far.
    round: (u64, u64),
    rounds: u64,
    /// Episodes that the race is planned for.
    planned: u64,
    /// Whether no number of episodes was told.
    open: bool,
}

impl Halving {
    /// Puts these edges in the race; `most`: no more than so many, those with the best head start.
    pub(super) fn new(edges: impl Iterator<Item = (u32, f64)>, most: usize) -> Self {
        let runners = edges.map(|(edge, head_start)| Runner { edge, head_start });
        let mut field: Vec<Runner> = runners.collect();
        field.sort_by(|a, b| b.head_start.total_cmp(&a.head_start));
        field.truncate(most);
        Halving { field, open: true, ..Halving::default() }
    }

    /// Plans a race of so many more episodes; `None`: nobody knows how many there are.
    pub(super) fn plan(&mut self, episodes: Option<u64>) {
        self.open = episodes.is_none();
        // Twice the shortest race in which everybody runs in every round.
        let shortest = 2 * self.field.len() as u64 * self.lengths();
        self.planned =
            episodes.unwrap_or(if self.planned == 0 { shortest } else { 2 * self.planned });
        self.running.clone_from(&self.field);
        self.rounds = self.lengths();
        self.start_round();
    }

    /// Rounds until one is left.
    fn lengths(&self) -> u64 {
        u64::from(self.field.len().max(2).next_power_of_two().trailing_zeros())
    }

    fn start_round(&mut self) {
        let each = self.planned / (self.rounds * self.running.len().max(1) as u64);
        self.round = (each.max(1), 0);
    }

    /// The edge of the next episode; `score` judges an edge with its head start.
    pub(super) fn next(&mut self, score: impl Fn(u32, f64) -> f64) -> u32 {
        if self.running.is_empty() {
            self.plan(None);
        }
        let runners = self.running.len() as u64;
        if self.round.1 == self.round.0 * runners {
            if runners > 1 {
                let judge = |runner: &Runner| score(runner.edge, runner.head_start);
                self.running.sort_by(|a, b| judge(b).total_cmp(&judge(a)));
                self.running.truncate(runners.div_ceil(2) as usize);
                self.start_round();
            } else if self.open {
                self.plan(None);
            }
        }
        let place = self.round.1 % self.running.len() as u64;
        self.round.1 += 1;
        self.running[place as usize].edge
    }

    /// Those that are still in the race, with their head starts.
    pub(super) fn running(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let runners = if self.running.is_empty() { &self.field } else { &self.running };
        runners.iter().map(|runner| (runner.edge, runner.head_start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8 arms, 96 episodes: rounds of 4, 8 and 16 each, as in the paper's Algorithm 1.
    #[test]
    fn rounds_are_those_of_the_paper() {
        let mut race = Halving::new((0..8).map(|edge| (edge, 0.0)), usize::MAX);
        race.plan(Some(96));
        let mut tries = [0; 8];
        for _ in 0..96 {
            tries[race.next(|edge, _| f64::from(edge)) as usize] += 1;
        }
        assert_eq!(tries, [4, 4, 4, 4, 12, 12, 28, 28]);
        assert_eq!(race.next(|edge, _| f64::from(edge)), 7);
        assert_eq!(race.running().map(|runner| runner.0).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn without_a_number_races_get_longer() {
        let mut race = Halving::new((0..4).map(|edge| (edge, 0.0)), usize::MAX);
        let picks: Vec<u32> = (0..200).map(|_| race.next(|edge, _| -f64::from(edge))).collect();
        // 16 episodes: 2 each of 4, then 4 each of 2, then those of the one left; then 32.
        assert_eq!(picks[..16], [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1]);
        assert!(picks.iter().filter(|&&edge| edge == 3).count() < 30);
    }

    #[test]
    fn no_more_than_so_many_are_considered() {
        let race = Halving::new((0..8).map(|edge| (edge, f64::from(edge))), 3);
        assert_eq!(race.running().map(|runner| runner.0).collect::<Vec<_>>(), [7, 6, 5]);
    }
}
