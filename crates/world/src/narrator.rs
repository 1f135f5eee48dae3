//! A run told in sentences, each with the rules that the step followed.

use std::collections::BTreeMap;

use bellwether_core::{Id, Info, Rule, Rulebook};
use bellwether_net::{Network, Node};
use serde_json::{Map, Value};

use crate::Scenario;
use crate::trace::{Event, Received, render};

/// Tells the events of a run, one after the other. It keeps the variables of all nodes, because the condition of a rule
/// is told with their values.
#[derive(Debug)]
pub struct Narrator {
    network: Network,
    ids: Option<Vec<Id>>,
    rulebook: Rulebook,
    states: BTreeMap<Node, Map<String, Value>>,
}

impl Narrator {
    /// Before the first event of a run of this algorithm.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        let ids = (!info.is_anonymous()).then(|| scenario.ids.clone());
        Self { network: scenario.topology.clone(), ids, rulebook: Rulebook::of(info), states: BTreeMap::new() }
    }

    /// The event as a sentence: `node 1 (id 3) receives elect(5) from node 0, ...; follows rule 2a (5 > 3) [tid 5]`. In
    /// brackets stand the variables that change. What a rule does is told only if the step has no other effect:
    /// `follows rule 2b (2 < 3): swallow`.
    pub fn tell(&mut self, event: &Event) -> String {
        let mut text = event.sentence(&self.network, self.ids.as_deref());
        for (place, label) in event.rules.iter().enumerate() {
            text += if place == 0 { "; follows rule " } else { ", then " };
            text += &self.rule(label, event);
        }
        let changes: Vec<String> = event.state.iter().filter(|(name, _)| *name != "id").map(changed).collect();
        if !changes.is_empty() {
            text += &format!(" [{}]", changes.join(", "));
        }
        let state = self.states.entry(event.node).or_default();
        state.extend(event.state.clone());
        state.retain(|_, value| !value.is_null());
        text
    }

    /// A rule with the values that it met: `2a (5 > 3)`.
    fn rule(&self, label: &str, event: &Event) -> String {
        let Some(rule) = self.rulebook.rule(label) else { return label.into() };
        let mut values = self.arguments(rule, event);
        // Before its first step, a node has told nothing but its id.
        if let Some(id) = self.ids.as_ref().and_then(|ids| ids.get(event.node as usize)) {
            values.insert("id".into(), id.to_string());
        }
        let has_effect = !event.sent.is_empty() || event.role.is_some();
        let action = if has_effect { String::new() } else { with_values(&rule.action, &values) };
        for (name, value) in self.states.get(&event.node).into_iter().flatten() {
            values.entry(name.clone()).or_insert_with(|| render(value));
        }
        let condition = with_values(&rule.condition, &values);
        let mut text = label.to_string();
        if !["", "otherwise"].contains(&condition.as_str()) {
            text += &format!(" ({condition})");
        }
        if action.is_empty() { text } else { format!("{text}: {action}") }
    }

    /// What the names in `on token(t, path) at p` stand for, if one message of this kind was received. A variable with
    /// a value for each port has one there: `out(p)`.
    fn arguments(&self, rule: &Rule, event: &Event) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        let Some((kind, rest)) = rule.event.strip_prefix("on ").and_then(|rest| rest.split_once('(')) else {
            return values;
        };
        let Some((names, rest)) = rest.split_once(')') else { return values };
        let content = |received: &Received| received.msg.as_object().and_then(|object| object.get(kind)).cloned();
        let mut fitting = event.received.iter().filter_map(|received| Some((received, content(received)?)));
        let (Some((received, content)), None) = (fitting.next(), fitting.next()) else { return values };
        let content = match content {
            Value::Array(items) if names.contains(',') => items,
            one => vec![one],
        };
        values.extend(names.split(',').map(|name| name.trim().to_string()).zip(content.iter().map(render)));
        if let Some(port) = rest.strip_prefix(" at ") {
            let port = port.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            values.insert(port.into(), format!("node {}", self.network.printed_name(received.from)));
            for (name, value) in self.states.get(&event.node).into_iter().flatten() {
                let all = render(value);
                let item =
                    all.strip_prefix('[').and_then(|all| all.strip_suffix(']')?.split(", ").nth(received.port.index()));
                values.extend(item.map(|item| (format!("{name}({port})"), item.to_string())));
            }
        }
        values
    }
}

/// A variable that has changed, in words: `tid 5`, or `no tid` if it is gone.
#[must_use]
pub fn changed((name, value): (&String, &Value)) -> String {
    match value {
        Value::Null => format!("no {name}"),
        value => format!("{name} {}", render(value)),
    }
}

/// A text in which names have become their values, where they are [marked](is_marked).
fn with_values(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut told = String::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let end = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // `out(p)` is a name, too.
        let with_port = text[end..].find(')').map_or(end, |close| end + close + 1);
        let end = if values.contains_key(&text[start..with_port]) { with_port } else { end };
        let name = &text[start..end];
        let value = values.get(name).filter(|_| is_marked(text, start, end, values));
        told += value.map_or(name, String::as_str);
        let next = text[end..].find(is_part).map_or(text.len(), |gap| end + gap);
        told += &text[end..next];
        start = next;
    }
    told
}

/// Whether the name at this place stands for its value, and is no plain word: it is one letter, stands beside a sign,
/// or stands alone in brackets. So `by` is a word in `it leads by this round`.
fn is_marked(text: &str, start: usize, end: usize, values: &BTreeMap<String, String>) -> bool {
    const SIGNS: [&str; 8] = ["=", "≠", "<", ">", "+", "·", "^", ":="];
    let (name, before, after) = (&text[start..end], &text[..start], &text[end..]);
    let is_letter = name.chars().count() == 1 && name != "a";
    let trimmed = (before.trim_end(), after.trim_start());
    let is_operand = SIGNS.iter().any(|sign| trimmed.0.ends_with(sign) || trimmed.1.starts_with(sign))
        || before.ends_with(" - ")
        || after.starts_with(" - ");
    // `in` is a sign only behind a name: `j in seen`, `j not in seen`.
    let member = before.strip_suffix(" in ").map(|element| element.strip_suffix(" not").unwrap_or(element));
    let is_set = member.and_then(|element| element.split(' ').next_back()).is_some_and(|it| values.contains_key(it));
    let is_within = before.matches(['(', '[', '{']).count() > before.matches([')', ']', '}']).count();
    let is_alone = trimmed.0.ends_with(['(', '[', '{', ',']) && trimmed.1.starts_with([')', ']', '}', ',']);
    is_letter || is_operand || is_set || is_within && is_alone
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};

    use super::*;

    fn told(text: &str, values: &[(&str, &str)]) -> String {
        with_values(text, &values.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }

    #[test]
    fn whole_words_become_values() {
        let values = [("j", "5"), ("id", "3")];
        assert_eq!(told("j > id, not just idle: send elect(j)", &values), "5 > 3, not just idle: send elect(5)");
    }

    #[test]
    fn a_variable_has_a_value_at_a_port() {
        let values = [("j", "5"), ("e", "node 1"), ("out", "[3, 4]"), ("out(e)", "4")];
        assert_eq!(told("j > out(e), not timeout(e)", &values), "5 > 4, not timeout(node 1)");
    }

    #[test]
    fn a_plain_word_is_no_variable_whatever_variables_are_called() {
        let values = ["by", "round", "promise", "id", "a", "j", "seen", "epoch"].map(|name| (name, "7"));
        for plain in ["it leads by this round", "more than the promise", "every smaller id", "a port (a round), left"] {
            assert_eq!(told(plain, &values), plain);
        }
        assert_eq!(told("asks in round 3, in seen", &values), "asks in round 3, in seen");
        let formulas = "round = by, id·n + 1, a > 2, epoch - 1, (by, round), [id], j in seen, j not in seen";
        let filled = "7 = 7, 7·n + 1, 7 > 2, 7 - 1, (7, 7), [7], 7 in 7, 7 not in 7";
        assert_eq!(told(formulas, &values), filled);
    }

    /// As if every word of every rule were the name of a variable. Those that would be filled in are variables,
    /// parameters and constants, and words that stand for a value: `it`, `the` first such port, `now`.
    #[test]
    fn no_plain_word_of_any_rule_is_filled_in() {
        let mut filled = BTreeSet::new();
        for info in CATALOGUE.iter().chain(PERPETUAL) {
            for Rule { condition, action, .. } in Rulebook::of(info).rules {
                for text in [condition, action] {
                    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1);
                    for word in words.filter(|word| word.chars().all(char::is_alphabetic)) {
                        if told(&text, &[(word, "*")]).contains('*') {
                            filled.insert(word.to_string());
                        }
                    }
                }
            }
        }
        let filled: Vec<String> = filled.into_iter().collect();
        let expected = "asked bar been best bid caller coloured compare done draws false flag go heard hop id it kids \
                        largest level mark max min msg none now ntid number out parent path phase promise random \
                        replies seen the tid token true ttl";
        assert_eq!(filled.join(" "), expected);
    }
}
