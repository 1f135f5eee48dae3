//! What an algorithm's file needs: `use bellwether_core::prelude::*;`.

pub use crate::{
    Bounds, Claim, Context, Electorate, Endless, Field, Formula, Id, Inbox, Info, Informs, Knowledge, Lemma, LinkOrder,
    Local, LowerBound, Meaning, NoTimer, Phase, Port, Process, Round, Rounds, Setting, Settings, Size, Span, Starts,
    Status, TopologyKind, Unmet, Values, Winner, ceil_lg, floor_lg, harmonic, messages, roles, status_and_role, timers,
};
