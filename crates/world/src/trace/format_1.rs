//! Traces of format 1, in which messages are numbered through the whole run.

use std::collections::BTreeMap;

use bellwether_net::Node;

use super::{Event, EventKind};

/// Gives messages the numbers of the current format: every sender counts its own.
#[derive(Debug, Default)]
pub(super) struct Renumbering {
    /// By number in the run: the number among the sender's messages.
    numbers: BTreeMap<u64, u64>,
    /// By node: how many messages it has sent.
    sent: BTreeMap<Node, u64>,
}

impl Renumbering {
    /// Renumbers the messages of the next event.
    ///
    /// # Errors
    /// If the event names a message that was not sent, or sends one a second time.
    pub(super) fn event(&mut self, event: &mut Event) -> Result<(), String> {
        for received in &mut event.received {
            received.n = self.number(received.n)?;
        }
        for sent in &mut event.sent {
            if !matches!(event.kind, EventKind::Drop | EventKind::Duplicate) {
                let count = self.sent.entry(event.node).or_default();
                if self.numbers.insert(sent.n, *count).is_some() {
                    return Err(format!("message {} was sent before", sent.n));
                }
                *count += 1;
            }
            sent.n = self.number(sent.n)?;
        }
        Ok(())
    }

    fn number(&self, in_run: u64) -> Result<u64, String> {
        self.numbers.get(&in_run).copied().ok_or_else(|| format!("nobody has sent message {in_run}"))
    }
}
