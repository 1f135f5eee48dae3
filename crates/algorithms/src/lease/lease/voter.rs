//! What a voter does: it promises, lends and takes back.

use bellwether_core::prelude::*;

use super::Msg::{Grant, Refuse};
use super::{Holder, Lease, Msg, Request, Timer, Vote, Who};

impl Lease {
    /// Rules 2a to 2e.
    pub(super) fn consider(&mut self, request: Request, ctx: &mut impl Context<Msg, Timer>) {
        let Request { epoch, holder, round } = request;
        let is_promised = epoch == self.promise && self.holder == Some(holder);
        if is_promised && round > self.granted {
            ctx.rule("2a");
            self.lend(request, ctx);
        } else if is_promised {
            ctx.rule("2b");
            if self.vote == Vote::Lent && round == self.granted {
                self.answer(holder.who, Grant(holder.start, epoch, round), ctx);
            }
        } else if epoch <= self.promise {
            ctx.rule("2c");
            self.answer(holder.who, Refuse(holder.start, epoch, self.promise), ctx);
        } else if self.vote == Vote::Waits || self.vote == Vote::Lent && self.holder != Some(holder) {
            ctx.rule("2d");
            self.kept = self.kept.max(Some(request));
        } else {
            ctx.rule("2e");
            self.lend(request, ctx);
        }
    }

    fn lend(&mut self, Request { epoch, holder, round }: Request, ctx: &mut impl Context<Msg, Timer>) {
        (self.promise, self.holder, self.lent, self.granted) = (epoch, Some(holder), Given(self.plan.0.lease), round);
        self.vote = Vote::Lent;
        self.kept = self.kept.filter(|kept| kept.epoch > epoch && kept.holder != holder);
        ctx.cancel_timer(Timer::Wait);
        ctx.set_timer(Timer::Grant, self.plan.0.lease);
        self.answer(holder.who, Grant(holder.start, epoch, round), ctx);
    }

    /// Sends an answer, or takes it itself.
    fn answer(&mut self, who: Who, msg: Msg, ctx: &mut impl Context<Msg, Timer>) {
        match (who, msg) {
            (Some(port), msg) => ctx.send(port, msg),
            (None, Grant(start, epoch, round)) => self.count(None, start, epoch, round, ctx),
            (None, Refuse(start, epoch, promise)) => self.give_way(start, epoch, promise, ctx),
            (None, _) => {} // never: it tells itself nothing else
        }
    }

    /// Rule 7b.
    pub(super) fn answer_kept(&mut self, ctx: &mut impl Context<Msg, Timer>) {
        self.vote = Vote::Free;
        if let Some(request) = self.kept.take().filter(|_| !self.is_changing()) {
            self.consider(request, ctx);
        }
        self.take_on(ctx);
    }

    /// Rule 8.
    pub(super) fn take_back(&mut self, epoch: u64, holder: Holder, ctx: &mut impl Context<Msg, Timer>) {
        self.kept = self.kept.filter(|kept| (kept.epoch, kept.holder) != (epoch, holder));
        if (self.promise, self.holder) == (epoch, Some(holder)) {
            self.holder = None;
            if self.vote == Vote::Lent {
                ctx.cancel_timer(Timer::Grant);
                self.answer_kept(ctx);
            }
        }
    }
}
