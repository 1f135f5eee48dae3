//! Texts in four languages.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A language in which lessons and exercises are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Romanian.
    Romanian,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Romanian];

    /// Its code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Romanian => "ro",
        }
    }

    /// A text of the catalogue, with these values in the places of their names.
    ///
    /// # Panics
    /// If there is no such text; a test makes sure that no language lacks one.
    #[must_use]
    pub fn text(self, key: &str, values: &[(&str, &str)]) -> String {
        let text = TEXTS.get(self.code()).and_then(|texts| texts.get(key));
        let text = text.unwrap_or_else(|| panic!("no text '{key}' in {self}"));
        values.iter().fold(text.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }
}

/// By language and key.
static TEXTS: LazyLock<BTreeMap<String, BTreeMap<String, String>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/texts.json"))).expect("texts by key")
});

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|language| language.code() == text);
        found.ok_or_else(|| format!("'{text}' is no language here: take en, de, fr or ro"))
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Language> for String {
    fn from(language: Language) -> Self {
        language.code().into()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The same text in every language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    en: String,
    de: String,
    fr: String,
    ro: String,
}

impl Text {
    /// The text in this language.
    #[must_use]
    pub fn to(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::German => &self.de,
            Language::French => &self.fr,
            Language::Romanian => &self.ro,
        }
        .trim()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names in braces.
    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
    }

    #[test]
    fn no_language_lacks_a_key_or_a_place() {
        let codes: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
        assert_eq!(TEXTS.keys().cloned().collect::<BTreeSet<_>>(), codes.iter().map(ToString::to_string).collect());
        let english = &TEXTS["en"];
        for (code, texts) in TEXTS.iter() {
            assert!(texts.keys().eq(english.keys()), "{code} has other keys than en");
            for (key, text) in texts {
                assert_eq!(places(text), places(&english[key]), "{code}: {key}");
                assert!(!text.trim().is_empty(), "{code}: {key} is empty");
            }
        }
    }
}
