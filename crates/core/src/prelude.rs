//! What an algorithm's file needs: `use bellwether_core::prelude::*;`.

pub use crate::{
    Bounds, Context, Electorate, Endless, Field, Formula, Given, Id, Inbox, Info, Informs, Knowledge, LinkOrder, Local,
    Meaning, NoTimer, Phase, Phases, Port, Process, Race, Round, Rounds, Setting, Settings, Size, Span, Starts, Status,
    TopologyKind, Unmet, Values, Winner, ceil_lg, choose, floor_lg, harmonic, messages, power, roles, status_and_role,
    timers,
};
