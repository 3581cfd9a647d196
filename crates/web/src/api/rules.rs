//! Rules in GDL: what the check finds, each with its place.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use patience::gdl::{
    Description, Diagnostic, GAMES, Place, Source, Strictness, Symbol, check as findings,
};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::server::Shared;

#[derive(Debug, Deserialize)]
pub(crate) struct Text {
    text: String,
}

#[derive(Debug, Serialize)]
struct Found {
    #[serde(flatten)]
    finding: Diagnostic,
    #[serde(flatten)]
    place: Place,
    /// The line with a mark below the place.
    excerpt: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Checked {
    findings: Vec<Found>,
    /// Whether it can be played all the same.
    playable: bool,
    /// The roles that decide.
    roles: Vec<String>,
}

/// Rules that come with the program.
#[derive(Debug, Serialize)]
pub(crate) struct Bundled {
    name: &'static str,
    text: &'static str,
}

/// `GET /api/rules`: the rules that come with the program, to be read, changed and played.
pub(crate) async fn bundled() -> Json<Vec<Bundled>> {
    Json(GAMES.iter().map(|&(name, text)| Bundled { name, text }).collect())
}

/// Findings that are told at most: each has its line with it, and rules may be one long line with a
/// thousand faults.
const MOST_FINDINGS: usize = 100;
/// Bytes of an excerpt at most; a longer one is left out.
const LONGEST_EXCERPT: usize = 2000;

/// `POST /api/rules`
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    text: Result<Json<Text>, JsonRejection>,
) -> Result<Json<Checked>, Failure> {
    let Json(Text { text }) = text?;
    let work = move || {
        let source = Source::new("rules", text);
        let show = |finding: Diagnostic| Found {
            place: source.place(finding.span),
            excerpt: Some(source.excerpt(finding.span))
                .filter(|text| text.len() <= LONGEST_EXCERPT)
                .unwrap_or_default(),
            finding,
        };
        match Description::read(source.text()) {
            Err(finding) => {
                Ok(Checked { findings: vec![show(finding)], playable: false, roles: Vec::new() })
            }
            Ok(description) => {
                let found = findings(&description);
                let refused = found.iter().any(|f| Strictness::Lenient.refuses(f));
                Ok(Checked {
                    findings: found.into_iter().take(MOST_FINDINGS).map(show).collect(),
                    playable: !refused,
                    roles: roles(&description),
                })
            }
        }
    };
    shared.short.work(work).await.map(Json)
}

/// The roles that decide, as the rules name them.
fn roles(description: &Description) -> Vec<String> {
    let symbols = &description.symbols;
    let is_role = |rule: &&patience::gdl::Rule| rule.head.relation == Symbol::ROLE;
    let roles = description.rules.iter().filter(is_role);
    let names = roles.filter_map(|rule| rule.head.arguments.first()?.name());
    names.filter(|&name| name != Symbol::RANDOM).map(|name| symbols.name(name).to_owned()).collect()
}
