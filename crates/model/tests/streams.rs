//! The values of random streams are part of the interface: an experiment that was stored years ago
//! must go on with the same deals. These numbers are never to be changed.

use std::collections::HashSet;

use patience_model::Rng;

fn first<const N: usize>(mut rng: Rng) -> [u64; N] {
    std::array::from_fn(|_| rng.next_u64())
}

/// These follow from the published definitions of SplitMix64 and xoshiro256++.
#[test]
fn plain_seeds() {
    for (seed, values) in [
        (0, [0x53175d61490b23df, 0x61da6f3dc380d507, 0x5c0fdf91ec9a7bfc]),
        (1, [0xcfc5d07f6f03c29b, 0xbf424132963fe08d, 0x19a37d5757aaf520]),
        (u64::MAX, [0x56ccf8ce948e27b2, 0xe68588432e5a5b90, 0xe3e9b5a48119ca8b]),
    ] {
        assert_eq!(first(Rng::new(seed)), values, "{seed}");
    }
}

#[test]
fn names() {
    let pinned: [(u64, &[&str], [u64; 2]); 9] = [
        (0, &[], [0x84f09bf307c1073a, 0xc82ffb597ceee51b]),
        (7, &[], [0xf088cf8dbfd58037, 0xad3d4e90559aa92d]),
        (7, &[""], [0xd663a7dd1f0136e4, 0xf09c5119a3c40cb4]),
        (7, &["", ""], [0xc699a7e5736ad046, 0x250401dcf3672c27]),
        (7, &["ab", "c"], [0xbd325d6d9095ad0b, 0x9bb60fdd0f984c27]),
        (7, &["a", "bc"], [0x394ea9833d1960ac, 0x8a5d1ad836a1f106]),
        (7, &["abc"], [0x6bef316274bf88e7, 0xe6847188deb93659]),
        (8, &["abc"], [0x9506e783255397a0, 0x9c0a65afa7b0ade4]),
        (
            7,
            &["klondike-table-2", "uct", "game 12", "deal"],
            [0x8e07ec6ff822667c, 0x1e06cc2a0095f811],
        ),
    ];
    for (seed, name, values) in pinned {
        assert_eq!(first(Rng::named(seed, name)), values, "{seed} {name:?}");
    }
}

#[test]
fn numbers() {
    for (key, part, values) in [
        (0, 0, [0x84f09bf307c1073a, 0xc82ffb597ceee51b]),
        (0, 1, [0x655ffadf89fa28b1, 0xb3bd3850533f1ff2]),
        (1, 0, [0x1beed10d2847f8eb, 0x9838887998fb93bd]),
        (u64::MAX, u64::MAX, [0xe5351956d601035d, 0x71f75f9bf4867227]),
    ] {
        assert_eq!(first(Rng::numbered(key, part)), values, "{key} {part}");
    }
}

#[test]
fn draws() {
    let mut rng = Rng::new(42);
    let below = [1, 2, 6, 10, 52, 1 << 40, u64::MAX].map(|n| rng.below(n));
    assert_eq!(below, [0, 0, 5, 7, 41, 646621102158, 2312344417745909077]);

    let mut rng = Rng::new(42);
    let units: [f64; 4] = std::array::from_fn(|_| rng.unit());
    assert_eq!(
        units,
        [0.8143051451229099, 0.3188210400616611, 0.9838941681774888, 0.7011355981347556]
    );

    let mut rng = Rng::new(42);
    let chances: String = (0..12).map(|_| if rng.chance(0.3) { '1' } else { '0' }).collect();
    assert_eq!(chances, "000000101000");

    let mut rng = Rng::new(42);
    let picks: String = (0..6).map(|_| rng.pick(&['a', 'b', 'c'])).collect();
    assert_eq!(picks, "cacccb");

    let mut rng = Rng::new(42);
    let mut items: [u8; 12] = std::array::from_fn(|i| i as u8);
    rng.shuffle(&mut items);
    assert_eq!(items, [7, 1, 2, 5, 10, 0, 4, 8, 6, 11, 3, 9]);
    // As many draws as there are swaps, no more.
    assert_eq!(rng.next_u64(), 0xd99b8e00792f360d);
}

/// Streams of names that differ little share nothing that 200 000 streams would show.
#[test]
fn streams_are_independent() {
    const UNITS: u64 = 100_000;
    let mut seen = HashSet::new();
    // How often each bit is set, and how often it equals the same bit of the next unit's stream.
    let (mut set, mut equal) = ([0u64; 64], [0u64; 64]);
    let mut previous = 0;
    for unit in 0..UNITS {
        let name = unit.to_string();
        let value = Rng::named(7, &["experiment", "arm", &name]).next_u64();
        assert!(seen.insert(value), "unit {unit}");
        assert!(seen.insert(Rng::numbered(7, unit).next_u64()), "part {unit}");
        for bit in 0..64 {
            set[bit] += value >> bit & 1;
            equal[bit] += !(value ^ previous) >> bit & 1;
        }
        previous = value;
    }
    // Six standard deviations of a fair coin.
    let bound = 6.0 * (UNITS as f64 / 4.0).sqrt();
    for (bit, count) in set.iter().chain(&equal).enumerate() {
        assert!((*count as f64 - UNITS as f64 / 2.0).abs() < bound, "bit {bit}: {count}");
    }
}

/// Every order of four comes about equally often, and so does every number below seven.
#[test]
fn draws_are_even() {
    const DRAWS: u64 = 240_000;
    let mut rng = Rng::new(3);
    let mut orders = std::collections::HashMap::new();
    let mut numbers = [0u64; 7];
    for _ in 0..DRAWS {
        let mut items = [0, 1, 2, 3];
        rng.shuffle(&mut items);
        *orders.entry(items).or_insert(0u64) += 1;
        numbers[rng.below(7) as usize] += 1;
    }
    assert_eq!(orders.len(), 24);
    for (counts, ways) in [(orders.into_values().collect(), 24.0), (numbers.to_vec(), 7.0)] {
        let counts: Vec<u64> = counts;
        let mean = DRAWS as f64 / ways;
        for count in counts {
            assert!((count as f64 - mean).abs() < 6.0 * mean.sqrt(), "{count} of {mean}");
        }
    }
}
