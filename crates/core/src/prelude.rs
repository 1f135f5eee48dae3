//! What an algorithm's file needs: `use bellwether_core::prelude::*;`.

pub use crate::{
    Bounds, Claim, Context, Electorate, Endless, Failover, Field, Formula, Given, Id, Inbox, Info, Informs, Knowledge,
    Lemma, LinkOrder, Local, LowerBound, Meaning, NoTimer, Phase, Phases, Port, Process, Race, Round, Rounds, Setting,
    Settings, Size, Span, Starts, Status, TopologyKind, Unmet, Values, Winner, ceil_lg, choose, floor_lg, harmonic,
    messages, power, roles, status_and_role, timers,
};
