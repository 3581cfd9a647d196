//! Bad input for the player: messages of controllers are read or refused with a reason.

#[path = "../../../fuzz/mutate.rs"]
mod mutate;

use patience::model::Rng;
use patience_ggp::{Message, News};

fn messages(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match Message::read(&text) {
        Err(wrong) => {
            let said = wrong.to_string();
            assert!(!said.is_empty());
            said
        }
        Ok(Message::Start { rules, start_clock, play_clock, .. }) => {
            // What is kept is a part of what was sent, and clocks are bounded.
            assert!(text.contains(&rules) && start_clock.max(play_clock) <= 86_400);
            "a match".to_owned()
        }
        Ok(Message::Play(_, news) | Message::Stop(_, news)) => match news {
            News::Nothing => "nothing new".to_owned(),
            News::Terms(terms) => format!("{} terms", terms.len().min(3)),
            News::Turn { percepts, own, .. } => {
                format!("a turn, {} {}", percepts.len().min(3), own.is_some())
            }
        },
        Ok(other) => format!("{other:?}").chars().take(5).collect(),
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let rules = patience::gdl::built_in("tictactoe").expect("it is built in");
    vec![format!("(START m x ({}) 10.0 1)", rules.text()).into_bytes()]
}

#[test]
fn changed_messages_do_no_harm() {
    mutate::shortly("messages", seeds(), 1500, messages);
}

#[test]
#[ignore = "PATIENCE_FUZZ_SECONDS long, five minutes if nothing is set"]
fn changed_messages_do_no_harm_for_long() {
    mutate::for_long("messages", seeds(), messages);
}
