//! The text of a tuning run: how the values move, and where they are.

use super::table::Table;
use super::text;
use crate::ledger::record::GameRecord;
use crate::ledger::results::Summary;
use crate::plan::MatchPlan;
use crate::tuning::{Applied, Parameter, Settings, Spsa, TuningPlan, TuningRun};
use kroo::printable::counted;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::iter;

/// The most points of a curve that are kept: with more, every second one goes.
const MAX_POINTS: usize = 2_000;
/// Parameters that are named in a line of progress.
const NAMED: usize = 12;

/// The state of a run, counted in the order of the schedule.
#[derive(Debug)]
pub(super) struct TuningReport {
    spsa: Spsa,
    run: TuningRun,
    /// The planned values of incomplete iterations.
    settings: BTreeMap<u64, Settings>,
    /// The iterations that are kept: every `stride`-th.
    points: Vec<Applied>,
    stride: u64,
    /// The first game that was played with other values than it should have been.
    strange: Option<u64>,
}

impl TuningReport {
    /// Nothing yet; `None` if nothing is tuned.
    pub fn new(plan: &MatchPlan) -> Option<TuningReport> {
        let spsa = plan.spsa()?;
        let run = TuningRun::new(spsa.clone(), plan.pairs);
        Some(TuningReport {
            spsa,
            run,
            settings: BTreeMap::new(),
            points: Vec::new(),
            stride: 1,
            strange: None,
        })
    }

    /// Counts a game. Returns the iterations that it has completed.
    pub fn add(&mut self, record: &GameRecord) -> Vec<Applied> {
        while let Some((iteration, settings)) = self.run.hand_out() {
            self.settings.insert(iteration, settings);
        }
        let (scheduled, iteration) = (&record.scheduled, record.scheduled.pairing.round);
        if let (Some(expected), Some(found)) = (self.settings.get(&iteration), &scheduled.settings)
            && expected != &**found
        {
            self.strange.get_or_insert(scheduled.number);
        }
        let side = scheduled.side_of_first();
        let applied = self.run.add(iteration, 1, u64::from(record.played.outcome.half_points(side)));
        for applied in &applied {
            self.settings.remove(&applied.iteration);
            self.keep(applied);
        }
        applied
    }

    fn keep(&mut self, applied: &Applied) {
        if !applied.iteration.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(applied.clone());
        if self.points.len() > MAX_POINTS {
            self.stride *= 2;
            self.points.retain(|point| point.iteration.is_multiple_of(self.stride));
        }
    }

    /// The parameters, each with its value now.
    pub fn parameters(&self) -> impl Iterator<Item = (&Parameter, f64)> {
        self.plan().parameters.iter().zip(self.run.values().iter().copied())
    }

    /// The table of the parameters.
    pub fn table(&self) -> Table {
        let head = ["Parameter", "Start", "End", "Rounded", "C_END", "Range"].map(str::to_owned);
        let row = |(parameter, value): (&Parameter, f64)| {
            let Parameter { name, start, min, max, c_end, .. } = parameter;
            let [start, end] = [*start, value].map(|value| parameter.precise(value));
            let (rounded, range) = (parameter.text(value), format!("{min}..{max}"));
            vec![name.clone(), start, end, rounded, c_end.to_string(), range]
        };
        let rows = iter::once(head.to_vec()).chain(self.parameters().map(row)).collect();
        Table { id: "parameters", names: 0, rows }
    }

    /// The parameters.
    pub fn plan(&self) -> &TuningPlan {
        self.spsa.plan()
    }

    /// The iterations that are kept.
    pub fn points(&self) -> &[Applied] {
        &self.points
    }

    /// How many iterations are complete, and how many there are to be.
    pub fn iterations(&self) -> [u64; 2] {
        [self.run.applied(), self.spsa.iterations()]
    }

    /// The curve of a parameter, by its place in the list, from its start on.
    pub fn curve(&self, place: usize) -> Vec<(f64, f64)> {
        let mut curve = vec![(0.0, self.plan().parameters[place].start)];
        curve.extend(self.points.iter().map(|point| (point.iteration as f64, point.values[place])));
        let last = (self.run.applied() as f64, self.run.values()[place]);
        if curve.last() != Some(&last) {
            curve.push(last);
        }
        curve
    }

    /// The line about an iteration.
    pub fn progress(&self, applied: &Applied) -> String {
        let Applied { iteration, result, values } = applied;
        let mut line = format!("Iteration {iteration} of {}: {result:+}", self.spsa.iterations());
        let parameters = &self.plan().parameters;
        for (parameter, value) in parameters.iter().zip(values).take(NAMED) {
            let _ = write!(line, ", {} {}", parameter.name, parameter.precise(*value));
        }
        if parameters.len() > NAMED {
            let _ = write!(line, ", and {} more", parameters.len() - NAMED);
        }
        line
    }

    /// The values as words for the command line of a match.
    pub fn words(&self) -> String {
        let word = |(parameter, value): (&Parameter, f64)| {
            let word = format!("option.{}={}", parameter.name, parameter.text(value));
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._=-+:/".contains(&byte);
            match shlex::try_quote(&word) {
                Ok(quoted) if !word.bytes().all(plain) => quoted.into_owned(),
                _ => word,
            }
        };
        self.parameters().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The lines of a file for `--params`, to go on from here.
    pub fn lines(&self) -> Vec<String> {
        self.parameters().map(|(parameter, value)| parameter.line(value)).collect()
    }

    /// Why the values are not what they should be, if they are not.
    pub fn problem(&self) -> Option<String> {
        self.strange.map(|number| {
            format!(
                "game {number} was played with other values than follow from the games before it: the journal is of another \
                 version of the referee, or was changed"
            )
        })
    }

    pub fn results(&self, summary: &Summary, plan: &MatchPlan) -> String {
        let mut text = String::new();
        if let Some(why) = &summary.broken {
            let _ = writeln!(text, "\nBroken, without a result: {why}.");
        } else if summary.interrupted {
            let _ = writeln!(
                text,
                "\nInterrupted after {} of {}.",
                summary.score.games,
                counted(plan.games(), "game")
            );
        }
        if summary.score.games == 0 {
            return text;
        }
        let [applied, _] = self.iterations();
        let _ = writeln!(
            text,
            "\nResults of tuning {} ({}, {}), after {}:",
            counted(self.plan().parameters.len() as u64, "parameter"),
            plan.variant,
            plan.limits(),
            counted(applied, "iteration")
        );
        text.push_str(&self.table().text());
        let _ = writeln!(text, "--each {}\n\nLines for --params, to go on from here:", self.words());
        self.lines().iter().for_each(|line| _ = writeln!(text, "{line}"));
        text.push('\n');
        text::endings(&mut text, summary, plan);
        text
    }
}
