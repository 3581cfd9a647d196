//! Names: compared with case folded, printed as first written.

use rustc_hash::FxHashMap;

/// A name, as a number in a [`Symbols`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name),* }
        impl Symbol {
            $(#[doc = concat!("The keyword `", $text, "`.")]
            pub const $name: Symbol = Symbol(Order::$name as u32);)*
        }
        const KEYWORDS: &[&str] = &[$($text),*];
    };
}

keywords! {
    ROLE = "role", INIT = "init", TRUE = "true", DOES = "does", NEXT = "next", LEGAL = "legal",
    GOAL = "goal", TERMINAL = "terminal", BASE = "base", INPUT = "input", SEES = "sees",
    DISTINCT = "distinct", NOT = "not", OR = "or", AND = "and", IF = "<=", RANDOM = "random",
}

/// The table of names. The keywords are always there, at fixed numbers.
#[derive(Clone, Debug)]
pub struct Symbols {
    spelling: Vec<Box<str>>,
    by_folded: FxHashMap<Box<str>, Symbol>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols { spelling: Vec::new(), by_folded: FxHashMap::default() };
        for word in KEYWORDS {
            symbols.intern(word);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol of a name; the first spelling is kept for printing.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.find(name) {
            return symbol;
        }
        let symbol = Symbol(self.spelling.len() as u32);
        self.spelling.push(name.into());
        self.by_folded.insert(name.to_lowercase().into(), symbol);
        symbol
    }

    /// The symbol of a name that is already known.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        if name.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            self.by_folded.get(name.to_lowercase().as_str()).copied()
        } else {
            self.by_folded.get(name).copied()
        }
    }

    /// The spelling of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.spelling[symbol.0 as usize]
    }
}
