//! The nearest known name, for messages. `patience_plan::did_you_mean` may take its place.

/// "; did you mean `x`?" for the candidate nearest to `wrong`, or nothing.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let lower = wrong.to_lowercase();
    // One wrong letter is near, however short the word: `utc` for `uct`.
    let nearness = |other: &str| match strsim::osa_distance(&lower, other) {
        0 | 1 => 1.0,
        _ => strsim::jaro_winkler(&lower, other),
    };
    candidates
        .into_iter()
        .map(|c| (nearness(&c.to_lowercase()), c))
        .filter(|(near, _)| *near > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| format!("; did you mean `{c}`?"))
        .unwrap_or_default()
}
