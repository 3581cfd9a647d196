//! A* on random graphs against Dijkstra's distances.

use std::sync::Arc;

use patience_model::Rng;
use patience_plan::astar::{
    AStar, BitReader, BitWriter, BucketQueue, Entry, Finding, Problem, Registry,
};
use patience_plan::{Budget, Cancel, Status, Stepped, StopReason};

struct Graph {
    edges: Vec<Vec<(usize, u32)>>,
    estimates: Vec<Option<u32>>,
    distances: Vec<Option<u32>>,
}

/// A random graph whose last vertex is the goal. Estimates are admissible and, drawn as they are,
/// hardly ever consistent.
fn graph(rng: &mut Rng) -> Graph {
    let n = 2 + rng.index(60);
    let edges: Vec<Vec<(usize, u32)>> = (0..n)
        .map(|_| (0..rng.index(4)).map(|_| (rng.index(n), 1 + rng.below(9) as u32)).collect())
        .collect();
    let mut distances = vec![None; n];
    distances[n - 1] = Some(0);
    for _ in 0..n {
        for from in 0..n - 1 {
            let best = edges[from].iter().filter_map(|&(to, c)| distances[to].map(|d: u32| d + c));
            distances[from] = best.min();
        }
    }
    let estimates = distances
        .iter()
        .map(|d| match d {
            Some(d) => Some(rng.below(u64::from(*d) + 1) as u32),
            None if rng.chance(0.5) => None,
            None => Some(rng.below(20) as u32),
        })
        .collect();
    Graph { edges, estimates, distances }
}

impl Problem for Graph {
    type State = usize;
    type Work = ();

    fn start(&self) -> usize {
        0
    }
    fn pack(&self, state: &usize, bits: &mut BitWriter) {
        // Some states take one word, some several.
        bits.write(*state as u32 % 8, 3);
        for _ in 0..state % 4 {
            bits.write(7, 30);
        }
        bits.write(*state as u32 / 8, 32);
    }
    fn unpack(&self, bits: &mut BitReader<'_>) -> usize {
        let low = bits.read(3) as usize;
        for _ in 0..low % 4 {
            assert_eq!(bits.read(30), 7);
        }
        low + 8 * bits.read(32) as usize
    }
    fn is_goal(&self, state: &usize) -> bool {
        *state == self.edges.len() - 1
    }
    fn estimate(&self, state: &usize) -> Option<u32> {
        self.estimates[*state]
    }
    fn successors(&self, state: &usize, limit: u32, out: &mut Vec<(usize, u32)>) -> Option<u32> {
        out.clear();
        // Every second vertex prunes what it may.
        let all = self.edges[*state].iter().copied();
        let f = |&(to, cost): &(usize, u32)| self.estimates[to].map(|h| cost + h);
        let is_pruned =
            |edge: &(usize, u32)| state.is_multiple_of(2) && f(edge).is_some_and(|sum| sum > limit);
        out.extend(all.clone().filter(|edge| !is_pruned(edge)));
        all.filter(is_pruned).filter_map(|edge| f(&edge)).min()
    }
}

#[test]
fn finds_least_costs() {
    let mut rng = Rng::new(11);
    let (mut solved, mut unsolved) = (0, 0);
    for _ in 0..3000 {
        let graph = Arc::new(graph(&mut rng));
        let truth = graph.distances[0];
        let mut search = AStar::<Graph>::new(Arc::clone(&graph), None);
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        assert_eq!(stats.stop, Some(StopReason::Complete));
        let Some(d) = truth else {
            unsolved += 1;
            assert_eq!(search.finding(), Finding::Unsolvable);
            continue;
        };
        solved += 1;
        assert_eq!(search.finding(), Finding::Optimal(d));
        let path = search.path().unwrap();
        let cost: u32 = path
            .windows(2)
            .map(|p| {
                let edges = graph.edges[p[0]].iter().filter(|e| e.0 == p[1]);
                edges.map(|e| e.1).min().expect("an edge")
            })
            .sum();
        assert_eq!((path[0], *path.last().unwrap(), cost), (0, graph.edges.len() - 1, d));
        // A path known before is proven the least, or a cheaper one is found.
        for upper in [d, d + 1] {
            let mut search = AStar::<Graph>::new(Arc::clone(&graph), Some(upper));
            search.run(&Budget::UNLIMITED, &Cancel::new());
            assert_eq!(search.finding(), Finding::Optimal(d));
            assert_eq!(search.path().is_some(), upper > d);
        }
        // Bounds hold at any time.
        let mut search = AStar::<Graph>::new(Arc::clone(&graph), None);
        while search.step() == Status::Running {
            let Finding::Between { lower, upper } = search.finding() else { break };
            assert!(lower <= d && upper.is_none_or(|u| u >= d));
        }
    }
    assert!(solved > 500 && unsolved > 500, "{solved} {unsolved}");
}

/// A tangle of many vertices, each with a few edges; the goal is far away.
struct Tangle;

const VERTICES: u32 = 80_000;

impl Problem for Tangle {
    type State = u32;
    type Work = ();

    fn start(&self) -> u32 {
        0
    }
    fn pack(&self, state: &u32, bits: &mut BitWriter) {
        bits.write(*state, 32);
    }
    fn unpack(&self, bits: &mut BitReader<'_>) -> u32 {
        bits.read(32)
    }
    fn is_goal(&self, state: &u32) -> bool {
        *state == VERTICES - 1
    }
    fn estimate(&self, state: &u32) -> Option<u32> {
        Some((VERTICES - 1 - *state).div_ceil(VERTICES / 40))
    }
    fn successors(&self, state: &u32, _limit: u32, out: &mut Vec<(u32, u32)>) -> Option<u32> {
        out.clear();
        let mut rng = Rng::numbered(7, u64::from(*state));
        for _ in 0..2 {
            let step = 1 + rng.below(u64::from(VERTICES / 40)) as u32;
            let back = rng.below(u64::from(VERTICES / 20)) as u32;
            out.push(((state + step).min(VERTICES - 1), 1 + rng.below(3) as u32));
            out.push((state.saturating_sub(back), 1 + rng.below(2) as u32));
        }
        None
    }
}

#[test]
fn threads_change_nothing() {
    let run = |threads| {
        let mut search = AStar::new(Tangle, None).on_threads(threads);
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        let certificate = search.certificate().unwrap();
        (search.finding(), search.path().unwrap(), stats.counts, certificate)
    };
    let alone = run(1);
    assert!(alone.2.iterations > 80_000, "{:?}", alone.2);
    for threads in [2, 4] {
        assert_eq!(run(threads), alone);
    }
    // A budget ends it at the same place.
    for budget in [
        Budget { iterations: Some(75_001), ..Budget::UNLIMITED },
        Budget::UNLIMITED.with_memory(alone.2.bytes - 1),
    ] {
        let stopped = |threads| {
            let mut search = AStar::new(Tangle, None).on_threads(threads);
            let stats = search.run(&budget, &Cancel::new());
            (search.finding(), stats.counts, stats.stop)
        };
        let alone = stopped(1);
        assert_ne!(alone.2, Some(StopReason::Complete));
        assert!(budget.iterations.is_none_or(|n| alone.1.iterations == n));
        assert!(budget.memory.is_none_or(|n| alone.1.bytes <= n));
        assert_eq!(stopped(2), alone);
    }
}

#[test]
fn a_certificate_says_what_was_stored() {
    let certify = |upper| {
        let mut search = AStar::new(Tangle, upper);
        assert_eq!(search.certificate(), None, "nothing is proven yet");
        let stats = search.run(&Budget::UNLIMITED, &Cancel::new());
        (search.certificate().unwrap(), stats.counts.nodes, search.finding())
    };
    let (whole, nodes, finding) = certify(None);
    let Finding::Optimal(cost) = finding else { panic!("{finding:?}") };
    assert!(whole.layers.is_sorted() && whole.layers.is_sorted_by_key(|layer| layer.1));
    assert_eq!(whole.layers.last(), Some(&(cost, nodes)));
    // With the cost known the last layer is not searched: fewer states, another sum.
    let (known, fewer, _) = certify(Some(cost));
    assert!(fewer < nodes && known.sum != whole.sum);
    // Where both searched whole layers they stored as many states.
    let shared = known.layers.len() - 1;
    assert_eq!(known.layers[..shared], whole.layers[..shared]);
    let text = whole.to_string();
    assert!(text.ends_with(&format!("{cost}:{nodes} sum:{:032x}", whole.sum)), "{text}");
}

#[test]
fn the_registry_holds_every_state_once() {
    let mut registry = Registry::default();
    let mut writer = BitWriter::default();
    for round in 0..2 {
        for n in 0..100_000u32 {
            let pack = |bits: &mut BitWriter| bits.write(n, 32);
            match registry.insert(&mut writer, None, n % 1000, pack, || true) {
                Entry::New(id) => assert_eq!((round, registry.read(id).read(32)), (0, n)),
                Entry::Known(_, cost) => assert_eq!((round, cost), (1, n % 1000)),
                Entry::Rejected => panic!("every state is admitted"),
            }
        }
    }
    assert_eq!(registry.len(), 100_000);
    let new = |bits: &mut BitWriter| bits.write(100_000, 32);
    assert_eq!(registry.insert(&mut writer, None, 0, new, || false), Entry::Rejected);
    assert_eq!(registry.len(), 100_000);
}

#[test]
fn the_queue_gives_the_smallest_first() {
    let mut registry = Registry::default();
    let mut writer = BitWriter::default();
    let mut queue = BucketQueue::default();
    let mut rng = Rng::new(5);
    let mut kept: Vec<(u32, u32)> = Vec::new();
    for n in 0..20_000 {
        if rng.chance(0.6) {
            let entry = registry.insert(&mut writer, None, 0, |b| b.write(n, 32), || true);
            let Entry::New(id) = entry else { panic!("{entry:?}") };
            let priority = (rng.below(20) as u32, rng.below(20) as u32);
            queue.push(priority.0, priority.1, id);
            kept.push(priority);
        } else {
            kept.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(queue.pop().map(|(first, second, _)| (first, second)), kept.pop());
        }
        assert_eq!(queue.len(), kept.len());
        assert_eq!(queue.lowest(), kept.iter().map(|p| p.0).min());
    }
}
