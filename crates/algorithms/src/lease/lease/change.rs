//! How voters change, and how a voter comes back without its disk.

use std::collections::{BTreeMap, BTreeSet};

use bellwether_core::prelude::*;

use super::Msg::Query;
use super::{Answer, Lease, Msg, Role, Timer, Vote, Who};

impl Lease {
    /// The next configuration is wanted some time, if there is one.
    pub(super) fn expect_change(&self, ctx: &mut impl Context<Msg, Timer>) {
        if self.configuration as usize + 1 < self.plan.0.voters.len() {
            ctx.set_timer(Timer::Change, self.plan.0.change);
        }
    }

    /// Rule 10.
    pub(super) fn change(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        if let Role::Leads { epoch, by, .. } = self.role {
            ctx.rule("10a");
            self.stop(epoch, by, ctx);
        }
        if let Role::Stops { .. } = self.role {
            return ctx.set_timer(Timer::Change, Span::units(2)); // the service has stopped by then
        }
        ctx.rule("10b");
        if let Role::Asks { epoch, .. } = self.role {
            self.step_back(epoch, ctx);
        }
        self.kept = None;
        self.query_for_change(ctx);
    }

    /// Asks the voters in a new round.
    pub(super) fn query_for_change(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        self.queries += 1;
        self.answers = Some(BTreeMap::new());
        self.query(self.voters().clone(), ctx);
        if self.voters().contains(&None) {
            self.note_answer(None, self.configuration, self.promise);
        }
        self.take_on(ctx);
    }

    /// Asks the voters of all configurations.
    pub(super) fn query_all(&self, ctx: &mut impl Context<Msg, Timer>) {
        self.query(self.plan.0.voters.iter().flatten().copied().collect(), ctx);
    }

    fn query(&self, voters: BTreeSet<Who>, ctx: &mut impl Context<Msg, Timer>) {
        Self::tell(voters, &Query(self.starts, self.configuration, self.queries), ctx);
        ctx.set_timer(Timer::Tick, self.plan.0.tick);
    }

    pub(super) fn note_answer(&mut self, who: Who, configuration: u64, promise: u64) {
        if let Some(answers) = &mut self.answers {
            answers.insert(who, Answer { configuration, promise });
        }
    }

    /// Rule 11a, once all is there.
    pub(super) fn take_on(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let Some(answers) = self.answers.as_ref().filter(|_| self.vote == Vote::Free) else { return };
        if self.is_majority(answers.len()) {
            ctx.rule("11a");
            self.promise = answers.values().map(|answer| answer.promise).fold(self.promise, u64::max);
            self.holder = None;
            self.kept = None;
            self.configuration += 1;
            self.answers = None;
            self.expect_change(ctx);
            self.pause(ctx);
        }
    }

    /// Rule 11b, once all is there.
    pub(super) fn rejoin(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        let Some(answers) = &self.answers else { return };
        let latest = answers.values().map(|answer| answer.configuration).fold(0, u64::max);
        let is_known = |voters: &BTreeSet<Who>| {
            let others = voters.iter().filter(|who| who.is_some());
            2 * others.clone().filter(|who| answers.contains_key(who)).count() > others.count()
        };
        if (0..).zip(&self.plan.0.voters).all(|(k, voters)| latest.abs_diff(k) > 1 || is_known(voters)) {
            ctx.rule("11b");
            self.promise = answers.values().map(|answer| answer.promise).fold(0, u64::max);
            self.configuration = latest;
            self.answers = None;
            self.vote = Vote::Free;
            ctx.cancel_timer(Timer::Tick);
            self.expect_change(ctx);
            self.stand(ctx);
        }
    }
}
