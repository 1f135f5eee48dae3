//! The *Rules* of an algorithm, line by line.

use crate::Info;

/// The numbered rules in the head of an algorithm's file.
///
/// A rule begins with its number. Cases of a rule begin with a letter, and are rules of their own: `2b`. Lines without
/// a label belong to the rule above them.
///
/// ```text
/// 1  start:           send elect(id)
/// 2  on elect(j):
///    a  j > id:       send elect(j)
///    b  otherwise:    swallow
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    /// The lines as they stand, each with the label of its rule. A line that is common to several cases has a number
    /// only.
    pub lines: Vec<(String, String)>,
    /// What a step can follow.
    pub rules: Vec<Rule>,
}

/// A rule, or a case of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its label: `2b`.
    pub label: String,
    /// What happens to the process: `on elect(j)`.
    pub event: String,
    /// When the rule applies: `j > id`. Empty if it always does.
    pub condition: String,
    /// What the process does.
    pub action: String,
}

impl Rulebook {
    /// The rules of an algorithm.
    #[must_use]
    pub fn of(info: &Info) -> Self {
        let text = info.explanation();
        let rules = text.split_once("## Rules").map_or("", |(_, rest)| rest);
        let block = rules.split("```").nth(1).unwrap_or_default();
        Self::read(block.lines().skip(1))
    }

    /// The rule with this label.
    #[must_use]
    pub fn rule(&self, label: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.label == label)
    }

    fn read<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut book = Self { lines: vec![], rules: vec![] };
        // The rule whose cases follow, and the event of the rule that was read last.
        let (mut number, mut event) = (String::new(), String::new());
        for line in lines {
            let indented = line.starts_with(' ');
            let (label, text) = label(line);
            let text = text.trim();
            match (label, indented) {
                (Some(label), false) => {
                    number = label.to_string();
                    let (head, action) = parted(text);
                    event = head.to_string();
                    let rule = Rule { label: number.clone(), event: head.into(), condition: "".into(), action };
                    book.rules.push(rule);
                }
                (Some(label), true) => {
                    // The number alone is no rule if it has cases.
                    book.rules.pop_if(|rule| rule.label == number);
                    let (condition, action) = parted(text);
                    let label = format!("{number}{label}");
                    book.rules.push(Rule { label, event: event.clone(), condition: condition.into(), action });
                }
                (None, _) => {
                    if let Some(rule) = book.rules.last_mut() {
                        rule.action = format!("{} {text}", rule.action).trim().into();
                    }
                }
            }
            let label = book.rules.last().map_or(String::new(), |rule| rule.label.clone());
            book.lines.push((label, line.to_string()));
        }
        book
    }
}

/// The label of a line, and what follows it.
fn label(line: &str) -> (Option<&str>, &str) {
    let line = line.trim_start();
    let (first, rest) = line.split_once("  ").unwrap_or((line, ""));
    let is_number = !first.is_empty() && first.chars().all(|c| c.is_ascii_digit());
    let is_letter = first.len() == 1 && first.chars().all(|c| c.is_ascii_lowercase());
    if is_number || is_letter { (Some(first), rest) } else { (None, line) }
}

/// What stands before the first colon, and what stands behind it.
fn parted(text: &str) -> (&str, String) {
    let (head, action) = text.split_once(": ").unwrap_or((text.strip_suffix(':').unwrap_or(text), ""));
    (head.trim(), action.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_letters_are_rules_and_other_lines_belong_to_the_one_above() {
        let text = "1  start:        send elect(id);\n                 wait\n2  on elect(j):\n   \
                    a  j > id:    send elect(j)\n   b  otherwise: swallow\n3  check:        done";
        let book = Rulebook::read(text.lines());
        let rule = |label: &str, event: &str, condition: &str, action: &str| Rule {
            label: label.into(),
            event: event.into(),
            condition: condition.into(),
            action: action.into(),
        };
        let expected = [
            rule("1", "start", "", "send elect(id); wait"),
            rule("2a", "on elect(j)", "j > id", "send elect(j)"),
            rule("2b", "on elect(j)", "otherwise", "swallow"),
            rule("3", "check", "", "done"),
        ];
        assert_eq!(book.rules, expected);
        let labels: Vec<&str> = book.lines.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["1", "1", "2", "2a", "2b", "3"]);
    }
}
