//! `bellwether exact`: exact costs over all orders of ids, and exact probabilities.

use std::io::Write;
use std::process::ExitCode;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_ask::{Election, Schedules};
use bellwether_check::Plan;
use bellwether_check::exact::{
    Chances, Cost, Costs, Expected, Extreme, MOST_STATES, Range, RoundAutomaton, Spread, costs, expected,
    over_schedules,
};
use bellwether_check::ledger::Stop;
use bellwether_check::machine::Machine;
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::{Here, progress};
use bellwether_core::{Info, Model, TopologyKind};
use bellwether_tell::{Object, family};
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::{Family, Freedom, Scenario, numbers};
use num_rational::BigRational;
use serde_json::{Value, json};

use crate::commands::check::args::{ExactArgs, Instead};
use crate::commands::check::on_top;
use crate::commands::check::search::{self, Effort};
use crate::commands::check::tell::{Telling, tell};

/// Computes exact costs or odds.
pub fn exact(args: &ExactArgs) -> Done {
    let mut asked = args.exact();
    let info = asked.asked.info()?;
    refuse_useless_options(args, info).map_err(Failure::Usage)?;
    asked.asked = asked.asked.settled(info);
    let family = asked.family(info, &Here)?;
    if let Some(reason) = asked.asked.dropped(&family, Freedom::default())?.first() {
        return Err(Failure::Usage(format!("{reason}; 'bellwether check' tells what comes of it")));
    }
    search::refuse_too_large(&family).map_err(Failure::Usage)?;
    if !info.randomised {
        search::refuse_too_many(args.budget.time, &family).map_err(Failure::Usage)?;
    }
    let found = if info.randomised { random(args, info, &family) } else { certain(args, info, &family) };
    let (found, effort) = found?;
    let told = ExactReport {
        info,
        seed: args.family.seed,
        found: &found,
        count: family.count(),
        done: effort.seen.configurations,
    };
    failure::unless_closed(tell(&asked.asked, args.family.json, &family, &told, &effort, &asked.line()))?;
    let wanted = args.schedules == Schedules::All;
    let known = match &found {
        Found::Certain { stopped, .. } => !(*stopped && wanted),
        Found::Random { .. } => true,
        Found::Stopped(_) => false,
    };
    Ok(ExitCode::from(if known { failure::RIGHT } else { failure::UNKNOWN }))
}

/// The advice to give in place of the options of other commands.
const INSTEAD: Instead = Instead {
    force: "costs and odds are computed where everything is given that the algorithm assumes: leave --force out; \
            'bellwether check' tells what becomes of the election otherwise",
    fault: "costs and odds are computed where nothing goes wrong: leave --fault out; 'bellwether check' tells what \
            becomes of the election otherwise",
    timing: "messages take a unit each, or any time: leave --timing out; --schedules says which",
    events: "no single run is shown here: leave --events out; 'bellwether run' has it",
};

fn refuse_useless_options(args: &ExactArgs, info: &Info) -> Result<(), String> {
    args.family.elsewhere.refuse(&INSTEAD)?;
    let name = info.name;
    if info.perpetual {
        return Err(format!("{name} never ends, so it has no exact costs: 'bellwether check' follows every schedule"));
    }
    if info.randomised && args.schedules == Schedules::Unit {
        return Err(format!(
            "{name} makes random choices, and its odds are those over all schedules: leave --schedules out"
        ));
    }
    if args.within.is_some() && phases(name).is_none() {
        let counted = CATALOGUE.iter().filter_map(|info| Some(format!("{} ({})", info.name, phases(info.name)?)));
        let counted = counted.collect::<Vec<_>>().join(", ");
        return Err(format!("{name} does not draw stage after stage until one elects: --within is for {counted}"));
    }
    Ok(())
}

/// The name of an algorithm's phases, whose number is unbounded; `None` if it has no phases.
fn phases(algorithm: &str) -> Option<&'static str> {
    bellwether_catalogue::algorithm(algorithm)?.events.phases
}

/// The result.
enum Found {
    /// The costs of an algorithm without random choices. `schedules` has the smallest and the largest cost over all
    /// schedules, or the reason why they were not all followed.
    Certain {
        costs: Box<Costs>,
        schedules: Result<(u64, u64), &'static str>,
        /// Whether the search over all schedules was stopped.
        stopped: bool,
    },
    /// Expectations of a randomised algorithm, and whether schedules could make a difference.
    Random { expected: Box<Expected>, any_schedule: bool },
    /// No result, with the reason.
    Stopped(String),
}

/// The default length of the table of probabilities.
const WITHIN: u32 = 10;

/// The largest number of states of all configurations together for which all schedules are followed by default.
const FEW: u128 = 5_000_000;

/// One order of all moves that do not interfere. All initiators start first.
fn plan(reduction: bool) -> Plan {
    let freedom = Freedom { starts_first: true, ..Freedom::default() };
    Plan { freedom, reduction, symmetry: reduction, fingerprints: false }
}

/// An algorithm without random choices. Every configuration is run once. If schedules may differ, all are followed.
fn certain(args: &ExactArgs, info: &'static Info, family: &Family) -> Result<(Found, Effort), Failure> {
    let threads = search::threads(&args.budget);
    let mut stopped = false;
    let (found, effort) = search::search(&args.budget, family.count(), |ledger| {
        let costs = costs(family.scenarios(), &run, ledger, threads)?;
        let at_most = match args.schedules {
            _ if info.model == Model::Synchronous => return Ok((costs, Err("in rounds there is only one"))),
            Schedules::Unit => return Ok((costs, Err("only unit delays were asked for"))),
            Schedules::All => usize::MAX,
            Schedules::Auto => usize::try_from(FEW / family.count().max(1)).unwrap_or(usize::MAX),
        };
        let algorithm = bellwether_catalogue::algorithm(info.name).expect("the catalogue has it");
        let has_timers = algorithm.events.has_timers;
        if has_timers && args.schedules == Schedules::Auto {
            let reason = "there are timers, so only unit delays; --schedules all follows every other one";
            return Ok((costs, Err(reason)));
        }
        let schedules = match over_schedules(family.scenarios(), algorithm, plan(true), ledger, threads, at_most) {
            Err(Stop::Told | Stop::Memory) => {
                stopped = true;
                return Ok((costs, Err("stopped before all were followed, so only unit delays")));
            }
            schedules => schedules?,
        };
        let endless = "one may go on for ever, so there is no dearest; only unit delays";
        let many = "too many states, so only unit delays; --schedules all follows every other one";
        Ok((costs, schedules.ok_or(if args.schedules == Schedules::All { endless } else { many })))
    });
    let found = match found {
        Ok((costs, schedules)) => Found::Certain { costs: Box::new(costs), schedules, stopped },
        Err(stop) => Found::Stopped(why(args, info, stop)?),
    };
    Ok((found, effort))
}

/// Runs a configuration once.
fn run(scenario: &Scenario) -> Result<Cost, String> {
    let mut watcher = Watcher;
    let wishes = Wishes::none(&mut watcher);
    let report = bellwether_play::play(scenario, wishes).expect("the catalogue has it");
    let report = report.map_err(|error| error.to_string())?;
    if !report.is_right() {
        let ids = scenario.ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        return Err(format!(
            "on {} with ids {ids} the election is wrong, so its costs say nothing: {}; 'bellwether check' shows how",
            scenario.topology,
            report.violations.join("; ")
        ));
    }
    let time = report.time.and_then(bellwether_world::Time::whole).and_then(|time| u64::try_from(time).ok());
    Ok(Cost {
        messages: report.election_messages(),
        announce: report.announce_messages(),
        time: time.ok_or("the time of a run is beyond all numbers")?,
    })
}

/// An algorithm that makes random choices.
fn random(args: &ExactArgs, info: &'static Info, family: &Family) -> Result<(Found, Effort), Failure> {
    // On a one-way ring every node reads one link in FIFO order, so all schedules do the same work.
    let any_schedule = info.model == Model::Asynchronous && info.topology != TopologyKind::OneWayRing;
    let (found, effort) = search::search(&args.budget, family.count(), |ledger| {
        let scenarios = || family.scenarios();
        let algorithm = bellwether_catalogue::algorithm(info.name).expect("the catalogue has it");
        if algorithm.is_synchronous() {
            let chances = &mut Chances::Rounds(&mut RoundAutomaton::new(algorithm));
            return expected(scenarios(), chances, ledger, args.within.unwrap_or(WITHIN));
        }
        let first = scenarios().next().ok_or_else(|| Stop::Impossible("there is no configuration".into()))?;
        let mut machine = Machine::new(algorithm, &first, plan(!any_schedule))?;
        expected(scenarios(), &mut Chances::Events(&mut machine), ledger, args.within.unwrap_or(WITHIN))
    });
    let found = match found {
        Ok(expected) => Found::Random { expected: Box::new(expected), any_schedule },
        Err(stop) => Found::Stopped(why(args, info, stop)?),
    };
    Ok((found, effort))
}

/// The reason why there is no result.
fn why(args: &ExactArgs, info: &Info, stop: Stop) -> Result<String, Failure> {
    match stop {
        Stop::Impossible(reason) => Err(Failure::Usage(reason)),
        Stop::States => {
            let draws = info.settings.iter().any(|setting| setting.name == "k");
            let draw = if draws { ", or let them draw from fewer values, as with --set k=2" } else { "" };
            Ok(format!(
                "there are more than {} states, too many for exact odds; take fewer nodes{draw}",
                numbers::grouped(MOST_STATES as u128)
            ))
        }
        Stop::Memory => Ok(format!("the states take more than {}; --memory SIZE allows more", args.budget.memory)),
        Stop::Told if progress::was_interrupted() => Ok("interrupted".into()),
        Stop::Told => Ok("the time is up; --time TIME allows more".into()),
    }
}

/// Everything that is reported.
struct ExactReport<'a> {
    info: &'static Info,
    /// What random networks are drawn from.
    seed: u64,
    found: &'a Found,
    /// The number of configurations, and the number of those with known costs.
    count: u128,
    done: u64,
}

impl Telling for ExactReport<'_> {
    // The width of "tournaments", the longest name.
    const WIDTH: usize = 11;

    fn how(&self) -> String {
        let configurations = |count: u64| match count {
            1 => "1 configuration".into(),
            count => format!("{} configurations", numbers::grouped(count)),
        };
        match &self.found {
            Found::Certain { costs, .. } => format!("exactly, over {}", configurations(costs.configurations)),
            Found::Random { expected, .. } if expected.configurations > 1 => {
                format!("exactly, over all draws, {}", configurations(expected.configurations))
            }
            Found::Random { .. } => "exactly, over all draws".into(),
            Found::Stopped(_) => "stopped, so nothing is known".into(),
        }
    }

    fn when(&self) -> &'static str {
        ", before anything else happens"
    }

    fn json(&self, object: &mut Object) {
        match &self.found {
            Found::Certain { costs, schedules, .. } => {
                object.put("configurations", &costs.configurations);
                object.put("messages", &self.messages(costs));
                object.put("announce", &spread(&costs.announce));
                object.put("time", &spread(&costs.time));
                let schedules = match schedules {
                    Ok((least, most)) => json!({"min": least, "max": most}),
                    Err(reason) => json!({"left_out": reason}),
                };
                object.put("schedules", &schedules);
            }
            Found::Random { expected, any_schedule } => {
                let Expected { configurations, states, extremes: (least, most), odds } = &**expected;
                object.put("configurations", configurations);
                object.put("states", states);
                let mut messages = json!({"min": least, "max": most});
                put(&mut messages, "mean", &odds.messages);
                object.put("messages", &messages);
                object.put("schedules", &self.schedules(expected, *any_schedule));
                if let Some(name) = phases(self.info.name) {
                    let mut phases = json!({});
                    put(&mut phases, "mean", &odds.phases);
                    object.put(name, &phases);
                    let row = |(k, range): (u32, &Range)| {
                        let mut row = json!({"k": k});
                        put(&mut row, "p", range);
                        row
                    };
                    object.put("within", &(1..).zip(&odds.within).map(row).collect::<Vec<_>>());
                }
            }
            Found::Stopped(reason) => {
                object.put("configurations", &self.done);
                object.put("of", &family::in_json(self.count));
                object.put("stopped", reason);
            }
        }
    }

    fn human(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match &self.found {
            Found::Certain { costs, schedules, .. } => {
                self.line(out, "messages", &in_words(&costs.messages, " to elect"))?;
                for (word, extreme) in Self::extremes(costs) {
                    self.line(out, "", &format!("the {word}: {}", self.run(&extreme.scenario)))?;
                }
                self.line(out, "announce", &in_words(&costs.announce, ""))?;
                let unit = if self.info.model == Model::Synchronous { "rounds" } else { "units" };
                self.line(out, "time", &format!("{}, in {unit}", in_words(&costs.time, "")))?;
                let all = match schedules {
                    Ok((least, most)) if least == most => {
                        format!("{} to elect on all of them", numbers::grouped(*least))
                    }
                    Ok((least, most)) => {
                        format!("{} to {} to elect over all of them", numbers::grouped(*least), numbers::grouped(*most))
                    }
                    Err(reason) => (*reason).into(),
                };
                self.line(out, "schedules", &all)
            }
            Found::Random { expected, any_schedule } => {
                let Expected { extremes: (least, most), odds, states, .. } = &**expected;
                let mean = expectation(&odds.messages);
                self.line(out, "messages", &format!("{mean} to elect, on average{}", on_top(self.info)))?;
                let most = most.map_or("any number".into(), numbers::grouped);
                let least = least.map_or("none".into(), numbers::grouped);
                self.line(out, "", &format!("from {least} to {most} to elect"))?;
                if let Some(phases) = phases(self.info.name) {
                    self.line(out, phases, &expectation(&odds.phases))?;
                    for (k, range) in (1..).zip(&odds.within) {
                        let title = if k == 1 { "within" } else { "" };
                        self.line(out, title, &format!("{k:>4}   {}", expectation(range)))?;
                    }
                }
                self.line(out, "schedules", self.schedules(expected, *any_schedule))?;
                self.line(out, "states", &numbers::grouped(*states))
            }
            Found::Stopped(reason) => {
                self.line(out, "stopped", reason)?;
                let (done, count) = (numbers::grouped(self.done), family::in_words(self.count));
                self.line(out, "", &format!("{done} of {count} configurations were done by then"))
            }
        }
    }
}

impl ExactReport<'_> {
    /// The configurations with the smallest and the largest cost, if they differ.
    fn extremes(costs: &Costs) -> impl Iterator<Item = (&'static str, &Extreme)> {
        let differ = costs.messages.least != Some(costs.messages.most);
        let both = [("fewest", &costs.cheapest), ("most", &costs.dearest)];
        both.into_iter().filter(move |_| differ).filter_map(|(word, extreme)| Some((word, extreme.as_ref()?)))
    }

    /// The messages to elect, with the cheapest and the most expensive configuration.
    fn messages(&self, costs: &Costs) -> Value {
        let mut messages = spread(&costs.messages);
        for (end, (_, Extreme { scenario, .. })) in ["min", "max"].into_iter().zip(Self::extremes(costs)) {
            messages[format!("{end}_ids")] = json!(scenario.ids);
            messages[format!("{end}_run")] = json!(self.run(scenario));
        }
        messages
    }

    /// The command line that runs a configuration.
    fn run(&self, scenario: &Scenario) -> String {
        let limit = scenario.generous_limit(self.info);
        let scenario = Scenario { seed: self.seed, limit, ..scenario.clone() };
        Election::of(&scenario, self.info).expect("its network has a name").line()
    }

    /// The influence of schedules on the probabilities.
    fn schedules(&self, Expected { odds, .. }: &Expected, any_schedule: bool) -> &'static str {
        let ranges = || odds.within.iter().chain([&odds.messages, &odds.phases]);
        match any_schedule {
            true if ranges().all(|range| range.same().is_some()) => "the same on all of them",
            true => "at least and at most over all of them",
            false if self.info.model == Model::Synchronous => "in rounds there is only one",
            false => "the same on all of them: everybody reads one link, in order",
        }
    }
}

fn spread(spread: &Spread) -> Value {
    json!({"min": spread.least, "max": spread.most, "mean": spread.mean().map(|mean| mean.to_string())})
}

/// A range and its mean, with what the numbers are for.
fn in_words(spread: &Spread, purpose: &str) -> String {
    let least = spread.least.unwrap_or_default();
    if least == spread.most {
        return format!("always {}{purpose}", numbers::grouped(least));
    }
    let mean = spread.mean().as_ref().map(fraction).unwrap_or_default();
    format!("{} to {}{purpose}, on average {mean}", numbers::grouped(least), numbers::grouped(spread.most))
}

/// A fraction, and its approximate value.
fn fraction(value: &BigRational) -> String {
    const LONGEST: usize = 40;
    let text = value.to_string();
    if value.is_integer() {
        return text;
    }
    let about = approximate(value);
    // Enough digits that rounding does not make it look like a whole number.
    let about = (6..12).map(|digits| format!("{about:.digits$}")).find(|text| !text.ends_with("000000"));
    let about = about.unwrap_or_else(|| "a whole number, but for less than a millionth of a millionth".into());
    if text.len() > LONGEST { format!("≈ {about} (--json has the fraction)") } else { format!("{text} ≈ {about}") }
}

/// A fraction as a floating-point number, even if its numerator and denominator are very long.
fn approximate(value: &BigRational) -> f64 {
    // Scaled to multiples of 10^-12, which a floating-point number represents well enough.
    let scale = num_rational::BigRational::from_integer(1_000_000_000_000u64.into());
    let scaled = (value * scale).round().to_integer().to_string();
    scaled.parse::<f64>().unwrap_or(f64::NAN) / 1e12
}

fn expectation(range: &Range) -> String {
    let known = |value: &Option<BigRational>| value.as_ref().map_or("without bound".into(), fraction);
    match range.same() {
        Some(value) => fraction(value),
        None if range.least.is_none() && range.most.is_none() => "without bound".into(),
        None => format!("at least {}, at most {}", known(&range.least), known(&range.most)),
    }
}

/// Adds an expectation: one number if all schedules give the same, otherwise the smallest and the largest.
fn put(object: &mut Value, key: &str, range: &Range) {
    let text = |value: &Option<BigRational>| value.as_ref().map(ToString::to_string);
    match range.same() {
        Some(value) => object[key] = json!(value.to_string()),
        None => {
            object[format!("{key}_min")] = json!(text(&range.least));
            object[format!("{key}_max")] = json!(text(&range.most));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_any_length_are_about_right() {
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(fraction(&third), "1/3 ≈ 0.333333");
        let tiny = third.pow(200);
        assert_eq!(fraction(&(&tiny + &third)), "≈ 0.333333 (--json has the fraction)");
        let almost = BigRational::from_integer(1.into()) - third.pow(14);
        assert_eq!(fraction(&almost), "4782968/4782969 ≈ 0.9999998");
        assert_eq!(fraction(&BigRational::from_integer(7.into())), "7");
    }
}
