//! One step: what the process does beside what the trace says.

use bellwether_net::Node;
use bellwether_world::trace::{Event, EventKind, Sent, render};
use serde_json::{Map, Value};

/// Compares a step with the trace, which need not tell rules and variables.
///
/// # Errors
/// The first difference.
pub(super) fn compare(happens: &Event, told: &Event) -> Result<(), String> {
    let node = happens.node;
    match (happens.kind, told.kind) {
        (EventKind::Drop, EventKind::Receive) => return Err(format!("node {node} is down")),
        (EventKind::Receive, EventKind::Drop) => {
            return Err(format!("nothing that node {node} has to do with can be lost here"));
        }
        _ => {}
    }
    for (is, told) in happens.received.iter().zip(&told.received) {
        if is.port != told.port {
            return Err(format!("no message {} is under way to port {} of node {node}", told.n, told.port));
        }
        if is.n != told.n {
            return Err(format!("message {} of node {} arrives, and the trace says message {}", is.n, is.from, told.n));
        }
        if is.msg != told.msg {
            let (sent, told) = (render(&is.msg), render(&told.msg));
            return Err(format!("message {} was sent as {sent}, and arrives as {told}", is.n));
        }
    }
    draws(node, &happens.draws, &told.draws)?;
    if happens.sent != told.sent {
        let (sends, told) = (list(&happens.sent), list(&told.sent));
        return Err(format!("node {node} sends {sends}, but the trace says {told}"));
    }
    if happens.role != told.role {
        let turns = happens.role.as_ref().map_or("takes no new role".into(), |role| format!("is now {role}"));
        let told = told.role.as_ref().map_or("nothing of it".into(), |role| format!("{role:?}"));
        return Err(format!("node {node} {turns}, and the trace says {told}"));
    }
    if !told.rules.is_empty() && happens.rules != told.rules {
        let [follows, told] = [happens, told].map(|event| event.rules.join(", then "));
        let follows = if follows.is_empty() { "no rule".into() } else { format!("rule {follows}") };
        return Err(format!("node {node} follows {follows}, and the trace says rule {told}"));
    }
    if !told.state.is_empty() {
        variables(node, &happens.state, &told.state)?;
    }
    Ok(())
}

/// Makes sure that all fields of an event belong to its kind.
///
/// # Errors
/// The first that does not.
pub(super) fn has_its_fields(told: &Event) -> Result<(), String> {
    told.foreign_field().map_or(Ok(()), |field| Err(format!("such an event has no '{field}'")))
}

fn draws(node: Node, drawn: &[u64], told: &[u64]) -> Result<(), String> {
    if let Some((drawn, told)) = drawn.iter().zip(told).find(|(drawn, told)| drawn != told) {
        return Err(format!("node {node} drew {told}, but the seed says {drawn}"));
    }
    match told.len().cmp(&drawn.len()) {
        std::cmp::Ordering::Less => Err(format!("node {node} draws one value more than the trace says")),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(format!("node {node} draws fewer values than the trace says")),
    }
}

fn variables(node: Node, changed: &Map<String, Value>, told: &Map<String, Value>) -> Result<(), String> {
    let Some(name) = changed.keys().chain(told.keys()).find(|name| changed.get(*name) != told.get(*name)) else {
        return Ok(());
    };
    let [becomes, told] = [changed, told].map(|state| match state.get(name) {
        None => "does not change".into(),
        Some(Value::Null) => "is gone".into(),
        Some(value) => format!("is now {}", render(value)),
    });
    Err(format!("variable {name} of node {node} {becomes}, and the trace says that it {told}"))
}

fn list(sent: &[Sent]) -> String {
    let told = |it: &Sent| format!("{} to node {} by port {} as message {}", render(&it.msg), it.to, it.port.0, it.n);
    if sent.is_empty() { "nothing".into() } else { sent.iter().map(told).collect::<Vec<_>>().join(", ") }
}
