//! Who is alive, as far as one member can tell.
//!
//! A peer whose heartbeat came is alive. If no further one comes for some time, in beats of the member's own clock, the
//! peer is suspected; and at once if its session closes. A heartbeat ends every suspicion. A suspicion may be wrong:
//! that costs time and nothing else.

use std::fmt;

use bellwether_core::prelude::*;

/// What a member knows of its peers, by port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Detector {
    peers: Vec<Peer>,
    plan: Given<Plan>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Plan {
    /// The time from a beat to the next.
    beat: Span,
    /// A peer may be silent for this number of beats.
    patience: u64,
}

/// What is known of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Peer {
    /// It was not heard since the member's start, for this number of beats.
    Unheard(u64),
    /// It was heard, and then not for this number of beats.
    Alive(u64),
    Suspected(Reason),
}

/// Why a peer is suspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// No heartbeat came for this time.
    Silence(Span),
    /// Its session closed.
    Closed,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silence(span) => write!(f, "no heartbeat for {} units", span.0 / Span::UNIT.0),
            Self::Closed => f.write_str("its session closed"),
        }
    }
}

impl Detector {
    /// A detector that has heard of nobody. A peer may be silent for this time, which is rounded up to whole beats.
    pub fn new(peers: usize, beat: Span, silence: Span) -> Self {
        let patience = silence.0.div_ceil(beat.0.max(1)).max(1);
        Self { peers: vec![Peer::Unheard(0); peers], plan: Given(Plan { beat, patience }) }
    }

    /// A heartbeat came.
    pub fn hear(&mut self, from: Port) {
        if let Some(peer) = self.peers.get_mut(from.index()) {
            *peer = Peer::Alive(0);
        }
    }

    /// A session closed.
    pub fn close(&mut self, port: Port) {
        if let Some(peer) = self.peers.get_mut(port.index()) {
            *peer = Peer::Suspected(Reason::Closed);
        }
    }

    /// A beat has passed. Whoever was heard before the last beats is suspected now. Returns whether somebody is.
    pub fn beat(&mut self) -> bool {
        let Plan { beat, patience } = self.plan.0;
        let mut is_news = false;
        for peer in &mut self.peers {
            match peer {
                Peer::Unheard(beats) | Peer::Alive(beats) if *beats < patience => *beats += 1,
                Peer::Unheard(_) | Peer::Alive(_) => {
                    *peer = Peer::Suspected(Reason::Silence(beat.times(patience)));
                    is_news = true;
                }
                Peer::Suspected(_) => {}
            }
        }
        is_news
    }

    pub fn is_alive(&self, port: Port) -> bool {
        matches!(self.peers.get(port.index()), Some(Peer::Alive(_)))
    }

    /// Who is neither alive nor suspected.
    pub fn unheard(&self) -> impl Iterator<Item = Port> {
        (0..).map(Port).zip(&self.peers).filter(|(_, peer)| matches!(peer, Peer::Unheard(_))).map(|(port, _)| port)
    }

    /// Who is suspected, and why.
    pub fn suspicions(&self) -> impl Iterator<Item = (Port, Reason)> {
        (0..).map(Port).zip(&self.peers).filter_map(|(port, peer)| match peer {
            Peer::Suspected(reason) => Some((port, *reason)),
            Peer::Unheard(_) | Peer::Alive(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: Port = Port(1);

    fn detector() -> Detector {
        Detector::new(2, Span::UNIT, Span::units(4))
    }

    fn beats(detector: &mut Detector, count: usize) -> Vec<bool> {
        (0..count).map(|_| detector.beat()).collect()
    }

    fn why(detector: &Detector) -> Vec<(Port, String)> {
        detector.suspicions().map(|(port, reason)| (port, reason.to_string())).collect()
    }

    #[test]
    fn a_silent_peer_is_suspected_once_its_time_is_up() {
        let mut detector = detector();
        detector.hear(Port(0));
        detector.hear(PEER);
        assert_eq!(beats(&mut detector, 4), [false; 4], "the first beat may come right after the heartbeat");
        detector.hear(Port(0));
        assert!(detector.is_alive(PEER) && why(&detector).is_empty());
        assert_eq!(beats(&mut detector, 2), [true, false], "it is news once");
        assert!(!detector.is_alive(PEER) && detector.is_alive(Port(0)));
        assert_eq!(why(&detector), [(PEER, "no heartbeat for 4 units".into())]);
    }

    #[test]
    fn a_heartbeat_ends_the_suspicion_and_the_count() {
        let mut detector = detector();
        beats(&mut detector, 5);
        detector.hear(PEER);
        assert!(detector.is_alive(PEER));
        assert_eq!(beats(&mut detector, 5), [false, false, false, false, true]);
    }

    #[test]
    fn a_peer_that_was_never_heard_is_neither_alive_nor_suspected_at_first() {
        let mut detector = detector();
        assert_eq!((detector.unheard().count(), detector.is_alive(PEER)), (2, false));
        detector.hear(PEER);
        assert_eq!(detector.unheard().collect::<Vec<_>>(), [Port(0)]);
        assert_eq!(beats(&mut detector, 5), [false, false, false, false, true]);
        assert_eq!(detector.unheard().count(), 0);
    }

    #[test]
    fn a_closed_session_is_a_suspicion_at_once() {
        let mut detector = detector();
        detector.hear(PEER);
        detector.close(PEER);
        assert_eq!(why(&detector), [(PEER, "its session closed".into())]);
        assert_eq!(beats(&mut detector, 4), [false; 4]);
        detector.hear(PEER);
        assert!(detector.is_alive(PEER));
    }

    #[test]
    fn silence_is_counted_in_whole_beats_and_in_one_at_least() {
        let mut detector = Detector::new(1, Span::units(3), Span::units(4));
        assert_eq!(beats(&mut detector, 3), [false, false, true]);
        assert_eq!(why(&detector), [(Port(0), "no heartbeat for 6 units".into())]);
        let mut hasty = Detector::new(1, Span::units(3), Span::UNIT);
        hasty.hear(Port(0));
        assert_eq!(beats(&mut hasty, 2), [false, true]);
    }
}
