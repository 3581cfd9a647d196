//! Parameters, declared once: name, type, range, default and help stand in one place, from which the
//! parser, its errors, `--json`, Python's help and the tables of the guide are made.

use std::time::Duration;

use serde::Serialize;

use crate::call::{Arguments, CallError};

/// A parameter of a game or planner, as it is declared.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// What values it takes.
    pub kind: &'static str,
    /// The words that it takes, if it takes words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub words: &'static [&'static str],
    /// The least number that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Names that it had in earlier versions.
    #[serde(skip)]
    pub aliases: &'static [&'static str],
}

impl Param {
    /// Whether it goes by this name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// What it takes, in words.
    pub fn expected(&self) -> String {
        if !self.words.is_empty() {
            return format!("one of {}", self.words.join(", "));
        }
        match (self.min, self.max) {
            (None, None) => self.kind.to_owned(),
            (Some(min), None) => format!("{} from {min} on", self.kind),
            (None, Some(max)) => format!("{} up to {max}", self.kind),
            (Some(min), Some(max)) => format!("{} from {min} to {max}", self.kind),
        }
    }

    /// Whether a number lies in its range.
    pub(crate) fn holds(&self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }
}

/// Declared parameters, read from the arguments of a call.
pub trait Params: Sized {
    /// What is declared.
    const PARAMS: &'static [Param];

    /// Reads them.
    ///
    /// # Errors
    /// Says where a value is wrong and what was expected.
    fn read(arguments: &Arguments<'_>) -> Result<Self, CallError>;
}

/// No parameters.
impl Params for () {
    const PARAMS: &'static [Param] = &[];

    fn read(_: &Arguments<'_>) -> Result<Self, CallError> {
        Ok(())
    }
}

/// A type that parameters can have.
pub trait Value: Sized {
    /// What it takes, in words.
    const KIND: &'static str;
    /// The words that it takes, if it takes words.
    const WORDS: &'static [&'static str] = &[];

    /// Reads a value.
    fn read(text: &str) -> Option<Self>;

    /// All numbers in it, for ranges.
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// Reads a whole number, plain or like 1e6.
pub fn whole(text: &str) -> Option<u64> {
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    // 1e6 is easier to read than 1000000; only what a double holds exactly.
    let x: f64 = text.parse().ok()?;
    (text.contains(['e', 'E']) && x.fract() == 0.0 && (0.0..=9e15).contains(&x)).then_some(x as u64)
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl Value for $type {
            const KIND: &'static str = "a whole number";

            fn read(text: &str) -> Option<Self> {
                <$type>::try_from(whole(text)?).ok()
            }

            fn numbers(&self) -> Vec<f64> {
                vec![*self as f64]
            }
        }

        /// `inf` is no limit.
        impl Value for Option<$type> {
            const KIND: &'static str = "a whole number or inf";

            fn read(text: &str) -> Option<Self> {
                if text == "inf" { Some(None) } else { <$type>::read(text).map(Some) }
            }

            fn numbers(&self) -> Vec<f64> {
                self.iter().flat_map(Value::numbers).collect()
            }
        }
    )*};
}

whole_numbers!(u8, u32, u64, usize);

impl Value for f64 {
    const KIND: &'static str = "a number";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|x: &f64| !x.is_nan())
    }

    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Value for bool {
    const KIND: &'static str = "true or false";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A name whose meaning depends on the game.
impl Value for String {
    const KIND: &'static str = "a name";

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// A value, or `auto`: what it then is depends on the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Auto<T>(pub Option<T>);

impl<T: Value> Value for Auto<T> {
    const KIND: &'static str = T::KIND;
    const WORDS: &'static [&'static str] = T::WORDS;

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(Auto(None)) } else { T::read(text).map(|value| Auto(Some(value))) }
    }

    fn numbers(&self) -> Vec<f64> {
        self.0.iter().flat_map(Value::numbers).collect()
    }
}

/// A value for each level of a nested search, with `/` between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PerLevel<T>(pub Vec<T>);

impl<T: Value> Value for PerLevel<T> {
    const KIND: &'static str = T::KIND;
    const WORDS: &'static [&'static str] = T::WORDS;

    fn read(text: &str) -> Option<Self> {
        text.split('/').map(T::read).collect::<Option<Vec<T>>>().map(PerLevel)
    }

    fn numbers(&self) -> Vec<f64> {
        self.0.iter().flat_map(Value::numbers).collect()
    }
}

/// Reads a time such as `250ms` or `4s`.
pub(crate) fn time(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

/// Declares parameters: a struct with a public field each, and [`Params`] for it. The comment of a
/// field is its help; the default is written as a user would write it.
///
/// ```
/// patience_catalogue::params! {
///     /// What a lake is like.
///     pub struct Lake {
///         /// The lake is size x size
///         size: u32 = "10", min 2, max 1000;
///         /// Where the boat starts
///         start: String = "corner";
///     }
/// }
/// use patience_catalogue::{Call, Params};
/// let call = Call::parse("sailing(size=20)").unwrap();
/// let lake = Lake::read(&call.arguments(Lake::PARAMS).unwrap()).unwrap();
/// assert_eq!((lake.size, lake.start.as_str()), (20, "corner"));
/// let call = Call::parse("sailing(size=1)").unwrap();
/// let error = Lake::read(&call.arguments(Lake::PARAMS).unwrap()).unwrap_err();
/// assert!(error.to_string().contains("size is 1, expected a whole number from 2 to 1000"));
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$outer:meta])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[alias($($alias:literal),+)])?
                $field:ident: $type:ty = $default:literal $(, min $min:literal)? $(, max $max:literal)?;
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $help])+ pub $field: $type,)*
        }

        impl $crate::Params for $name {
            const PARAMS: &'static [$crate::Param] = &[$($crate::Param {
                name: stringify!($field),
                default: $default,
                meaning: concat!($($help),+).trim_ascii(),
                kind: <$type as $crate::Value>::KIND,
                words: <$type as $crate::Value>::WORDS,
                min: $crate::optional!($($min)?),
                max: $crate::optional!($($max)?),
                aliases: &[$($($alias),+)?],
            }),*];

            fn read(arguments: &$crate::Arguments<'_>) -> Result<Self, $crate::CallError> {
                Ok($name { $($field: arguments.get(stringify!($field))?,)* })
            }
        }
    };
}

/// A number that may be missing.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    () => {
        None
    };
    ($number:literal) => {
        Some($number as f64)
    };
}

/// Declares an enum whose variants are words in strings.
///
/// ```
/// patience_catalogue::words! {
///     /// What a node backs up.
///     pub enum Told { Mean = "mean", Max = "max" }
/// }
/// use patience_catalogue::Value;
/// assert_eq!(Told::read("max"), Some(Told::Max));
/// assert_eq!(Told::WORDS, ["mean", "max"]);
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$outer:meta])* $vis:vis enum $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        $vis enum $name { $($variant),+ }

        impl $crate::Value for $name {
            const KIND: &'static str = "a word";
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn read(text: &str) -> Option<Self> {
                match text {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
