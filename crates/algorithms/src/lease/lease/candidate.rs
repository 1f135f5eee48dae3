//! What a candidate does: it asks, leads, renews and stops.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use super::Msg::{Ask, Release};
use super::plan::Plan;
use super::{Holder, Lease, Msg, Request, Role, Timer, Vote, Who};

impl Lease {
    /// Rule 13.
    pub(super) fn stand(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let Plan { is_candidate, outsiders, .. } = self.plan.0;
        if !is_candidate || !outsiders && !self.is_voter() || self.is_changing() {
            return;
        }
        ctx.rule("13");
        self.seen = self.seen.max(self.promise) + 1;
        self.role = Role::Asks { epoch: self.seen, round: 1, grants: BTreeSet::new(), late: BTreeSet::new() };
        self.ask(self.seen, 1, ctx);
    }

    /// Rule 14.
    pub(super) fn ask(&mut self, epoch: u64, round: u64, ctx: &mut impl Context<Msg, Timer>) {
        ctx.rule("14");
        ctx.set_timer(timer_of(round), self.plan.0.round);
        ctx.set_timer(Timer::Tick, self.plan.0.tick);
        self.ask_again(epoch, round, ctx);
    }

    fn ask_again(&mut self, epoch: u64, round: u64, ctx: &mut impl Context<Msg, Timer>) {
        let missing = match &self.role {
            Role::Asks { grants, .. } | Role::Leads { grants, .. } => self.voters() - grants,
            Role::Idle | Role::Stops { .. } => BTreeSet::new(),
        };
        let asks_itself = missing.contains(&None);
        Self::tell(missing, &Ask(self.configuration, epoch, round, self.starts), ctx);
        if asks_itself {
            let holder = Holder { who: None, start: self.starts };
            self.consider(Request { epoch, holder, round }, ctx);
        }
    }

    /// Rule 3.
    pub(super) fn count(&mut self, who: Who, start: u64, epoch: u64, round: u64, ctx: &mut impl Context<Msg, Timer>) {
        let majority =
            |grants: &BTreeSet<Who>| 2 * grants.len() > self.plan.0.voters[self.configuration as usize].len();
        let sessions = self.plan.0.close_is_release;
        match &mut self.role {
            Role::Asks { epoch: e, round: r, grants, .. } if (start, epoch, round) == (self.starts, *e, *r) => {
                grants.insert(who);
                if !majority(grants) {
                    return ctx.rule("3b");
                }
                ctx.rule("3a");
                let voters = if sessions { std::mem::take(grants) } else { BTreeSet::new() };
                self.role = Role::Leads { epoch, by: round, round, grants: BTreeSet::new(), voters };
                if let Some(after) = self.plan.0.resign {
                    ctx.set_timer(Timer::Resign, after);
                }
            }
            Role::Leads { epoch: e, by, round: r, grants, voters }
                if (start, epoch, round) == (self.starts, *e, *r) && *r > *by =>
            {
                grants.insert(who);
                if !majority(grants) {
                    return ctx.rule("3b");
                }
                ctx.rule("3a");
                ctx.cancel_timer(timer_of(*by));
                *by = *r;
                *voters = if sessions { std::mem::take(grants) } else { BTreeSet::new() };
                grants.clear();
            }
            Role::Asks { epoch: e, late, .. } if (start, epoch) == (self.starts, *e) => {
                ctx.rule("3b");
                late.insert(who);
            }
            Role::Leads { epoch: e, by, voters, .. } if sessions && (start, epoch, round) == (self.starts, *e, *by) => {
                ctx.rule("3b"); // one more than a majority
                voters.insert(who);
            }
            Role::Idle | Role::Asks { .. } | Role::Leads { .. } | Role::Stops { .. } => ctx.rule("3b"),
        }
    }

    /// Rule 4.
    pub(super) fn give_way(&mut self, start: u64, epoch: u64, promise: u64, ctx: &mut impl Context<Msg, Timer>) {
        match self.role {
            Role::Asks { epoch: e, .. } if (start, epoch) == (self.starts, e) => {
                ctx.rule("4a");
                self.seen = self.seen.max(promise);
                self.step_back(epoch, ctx);
            }
            Role::Asks { .. } | Role::Idle | Role::Leads { .. } | Role::Stops { .. } => ctx.rule("4b"),
        }
    }

    /// Rule 6.
    pub(super) fn tick(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let (most, voters) = (self.plan.0.rounds, self.voters().len());
        match &mut self.role {
            Role::Asks { epoch, late, .. } if 2 * late.len() > voters => {
                ctx.rule("6a");
                let epoch = *epoch;
                self.step_back(epoch, ctx);
            }
            Role::Asks { epoch, round, grants, late } if *round < most => {
                ctx.rule("6b");
                ctx.cancel_timer(timer_of(*round));
                *round += 1;
                late.append(grants);
                let (epoch, round) = (*epoch, *round);
                self.ask(epoch, round, ctx);
            }
            Role::Leads { epoch, by, round, .. } if *round == *by && *round < most => {
                ctx.rule("6b");
                *round += 1;
                let (epoch, round) = (*epoch, *round);
                self.ask(epoch, round, ctx);
            }
            Role::Leads { epoch, by, round, .. } if *round > *by => {
                ctx.rule("6b");
                let (epoch, round) = (*epoch, *round);
                ctx.set_timer(Timer::Tick, self.plan.0.tick);
                self.ask_again(epoch, round, ctx);
            }
            Role::Asks { .. } | Role::Leads { .. } | Role::Stops { .. } => ctx.rule("6b"), // no round is left
            Role::Idle if self.vote == Vote::Lost => {
                ctx.rule("6c");
                self.query_all(ctx);
            }
            Role::Idle if self.answers.is_some() => {
                ctx.rule("6c");
                self.query_for_change(ctx);
            }
            Role::Idle => {
                ctx.rule("6d");
                self.stand(ctx);
            }
        }
    }

    /// Neither leads nor asks any longer, and stands again later.
    pub(super) fn rest(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        self.role = Role::Idle;
        [Timer::Even, Timer::Odd, Timer::Resign, Timer::Stopped].into_iter().for_each(|timer| ctx.cancel_timer(timer));
        self.pause(ctx);
    }

    /// Stands again later, if it is a candidate.
    pub(super) fn pause(&self, ctx: &mut impl Context<Msg, Timer>) {
        if self.plan.0.is_candidate {
            ctx.set_timer(Timer::Tick, self.plan.0.pause);
        } else {
            ctx.cancel_timer(Timer::Tick);
        }
    }

    /// The same, and gives an epoch back.
    pub(super) fn step_back(&mut self, epoch: u64, ctx: &mut impl Context<Msg, Timer>) {
        self.rest(ctx);
        Self::tell(self.voters().clone(), &Release(epoch, self.starts), ctx);
        if self.voters().contains(&None) {
            self.take_back(epoch, Holder { who: None, start: self.starts }, ctx);
        }
    }

    /// The service is being stopped.
    pub(super) fn stop(&mut self, epoch: u64, by: u64, ctx: &mut impl Context<Msg, Timer>) {
        self.role = Role::Stops { epoch, by };
        ctx.cancel_timer(Timer::Tick);
        ctx.set_timer(Timer::Stopped, Span::UNIT);
    }
}

/// The timer of a round.
pub(super) fn timer_of(round: u64) -> Timer {
    if round.is_multiple_of(2) { Timer::Even } else { Timer::Odd }
}
