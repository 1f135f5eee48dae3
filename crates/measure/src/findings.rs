//! The results of a sweep.

use bellwether_ask::{Environment, Refusal, line};
use bellwether_world::Outcome;
use serde_json::json;

use crate::plan::Plan;
use crate::row::Row;
use crate::summary::{Curve, curves};
use crate::{Quantity, Shard};

/// The rows of a sweep, and what they say about one quantity.
pub struct Findings<'a> {
    /// The plan of the sweep.
    pub plan: &'a Plan,
    /// The measured rows.
    pub rows: &'a [Row],
    /// The quantity that is reported.
    pub quantity: Quantity,
    /// The part of the sweep, if it is not the whole.
    pub shard: Option<Shard>,
    /// How many rows there should be.
    pub planned: u64,
    /// The quantity by algorithm and size.
    pub curves: Vec<Curve<'a>>,
}

impl<'a> Findings<'a> {
    /// The findings from these rows.
    #[must_use]
    pub fn new(plan: &'a Plan, rows: &'a [Row], quantity: Quantity, shard: Option<Shard>) -> Self {
        let planned = plan.part(shard.unwrap_or(Shard::WHOLE)).count() as u64;
        Self { plan, rows, quantity, shard, planned, curves: curves(plan, rows, quantity) }
    }

    /// Whether all runs were held.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.rows.len() as u64 == self.planned
    }

    /// The elections that broke a property.
    pub fn wrong(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.broken > 0)
    }

    /// The elections about which nothing is known: they were stopped, or could not be judged.
    pub fn unknown(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.ok && row.broken == 0)
    }

    /// The command line that repeats the findings.
    #[must_use]
    pub fn repeat(&self) -> String {
        let quantity = Some(self.quantity).filter(|quantity| *quantity != Quantity::Messages);
        let [quantity, shard] = [quantity.map(|it| it.to_string()), self.shard.map(|it| it.to_string())];
        line::extended(self.plan.definition.clone(), &json!({"quantity": quantity, "shard": shard}))
    }

    /// The outcomes of the first of these elections. Each comes with the line that repeats it.
    ///
    /// # Errors
    /// If an election cannot be prepared again.
    pub fn repeats<'r>(
        &self,
        rows: impl Iterator<Item = &'r Row>,
        at_most: usize,
        environment: &dyn Environment,
    ) -> Result<Vec<(Outcome, String)>, Refusal> {
        let repeat = |row: &Row| {
            let number = self.plan.number(row).expect("every row is of the plan");
            Ok((row.outcome, self.plan.election(self.plan.item(number), environment)?.repeat()))
        };
        rows.take(at_most).map(repeat).collect()
    }
}
