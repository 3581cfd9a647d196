//! A game from outside: the link of the page, or a file in which it was saved.

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use crate::setup::Setup;

impl Setup {
    /// The setup and the moves of a link of the page, of which only what stands behind `#/` counts.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn from_link(link: &str) -> Result<(Setup, Vec<String>), String> {
        let query = link.split_once('#').and_then(|(_, hash)| hash.split_once('?'));
        let (_, query) = query.ok_or("this link names no game")?;
        let plain = |text: &str| {
            let decoded = percent_decode_str(text).decode_utf8();
            decoded.map(String::from).map_err(|_| format!("`{text}` is no text in UTF-8"))
        };
        let (mut setup, mut moves) = (Setup::default(), Vec::new());
        for part in query.split('&') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            if value.is_empty() {
                continue;
            }
            match key {
                "game" => setup.game = plain(value)?,
                "deal" => setup.deal = Some(plain(value)?),
                "position" => setup.position = Some(plain(value)?),
                "rules" => setup.rules = Some(plain(value)?),
                "role" => setup.role = Some(plain(value)?),
                "moves" => moves = value.split('+').map(plain).collect::<Result<_, _>>()?,
                // Pages have words of their own.
                _ => {}
            }
        }
        if setup.game.is_empty() {
            return Err("this link names no game".to_owned());
        }
        Ok((setup, moves))
    }

    /// The setup and the moves of a saved game: an object with both.
    ///
    /// # Errors
    /// Says what is wrong with it, and where.
    pub fn from_saved(text: &str) -> Result<(Setup, Vec<String>), String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Saved {
            setup: Setup,
            moves: Vec<String>,
        }
        let saved: Result<Saved, _> = serde_json::from_str(text);
        let saved = saved.map_err(|error| format!("not a saved game: {error}"))?;
        Ok((saved.setup, saved.moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_the_whole_game() {
        let link = "http://host:80/#/page?game=g(a%3D1)&deal=seed%3A7&moves=a%20b+c&planner=x";
        let (setup, moves) = Setup::from_link(link).unwrap();
        assert_eq!((setup.game.as_str(), setup.deal.as_deref()), ("g(a=1)", Some("seed:7")));
        assert_eq!(moves, ["a b", "c"]);
        for wrong in ["http://host/", "#/page", "#/page?deal=7", "#/page?game=%ff"] {
            assert!(Setup::from_link(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_saved_game_has_both_parts_and_nothing_else() {
        let (setup, moves) =
            Setup::from_saved(r#"{"setup":{"game":"g","deal":7},"moves":["a"]}"#).unwrap();
        assert_eq!((setup.deal.as_deref(), moves.len()), (Some("7"), 1));
        for wrong in ["", "{}", r#"{"setup":{"game":"g"},"moves":[],"more":1}"#] {
            assert!(Setup::from_saved(wrong).unwrap_err().starts_with("not a saved game"));
        }
    }
}
