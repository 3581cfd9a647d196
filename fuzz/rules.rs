//! What is done with any bytes: read, check, render, ground, and play a few moves. Shared by the fuzz
//! target and by the test that runs over the stored corpus.

use std::sync::Arc;
use std::time::Duration;

use patience_gdl::{
    Description, GroundLimits, Grounded, Lifted, Reasoner, Source, Strictness, check, ground,
};
use patience_model::Rng;

/// Facts of one relation, and instances of rules: enough for small games, quick for large ones.
const MOST: usize = 2_000;
/// What each engine may take.
const SHORT: Duration = Duration::from_millis(200);

/// Must not panic, and must not take long, whatever the bytes are.
pub(crate) fn one(bytes: &[u8]) {
    let source = Source::new("fuzz", String::from_utf8_lossy(bytes));
    let description = match Description::read(source.text()) {
        Ok(description) => description,
        Err(finding) => {
            assert!(!finding.render(&source).is_empty());
            return;
        }
    };
    let findings = check(&description);
    for finding in &findings {
        assert!(finding.render(&source).contains("help: "), "every finding says what to write");
    }
    if findings.iter().any(|finding| Strictness::Lenient.refuses(finding)) {
        return;
    }
    if let Ok(mut lifted) = Lifted::with_limits(&description, MOST, SHORT) {
        walk(&mut lifted);
    }
    let limits = GroundLimits { time: SHORT, instances: MOST, lifted: SHORT };
    if let Ok(network) = ground(&description, &limits) {
        walk(&mut Grounded::new(Arc::new(network)));
    }
}

fn walk(engine: &mut impl Reasoner) {
    let mut rng = Rng::new(1);
    let mut joint = Vec::new();
    if engine.start().is_err() {
        return;
    }
    for _ in 0..5 {
        if engine.terminal() != Ok(false) || engine.random_joint(&mut rng, &mut joint).is_err() {
            break;
        }
        if engine.play(&joint).is_err() {
            break;
        }
    }
    for role in 0..engine.roles().len() {
        let _ = engine.goal(role);
    }
}
