//! Counting games by who has played them.

use super::group::GroupBy;
use crate::game::Outcome;
use crate::plan::FinishedGame;
use crate::statistics::{Association, ChiSquare, corrected, more_than_chance};
use ahash::AHashMap;
use kroo::game::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Below this probability, corrected for the number of groups, results are those of an outlier. One clean match in a hundred is
/// accused wrongly, which costs a look.
const OUTLIER: f64 = 0.01;

/// The games of a match by who has played them.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    by: GroupBy,
    groups: BTreeMap<String, Group>,
    /// Pairs of which one game is counted, by their numbers: who has played it, and the half points of the first engine.
    half_finished: AHashMap<u64, (String, u8)>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    workers: BTreeSet<String>,
    games: u64,
    half_points: u64,
    faults: u64,
    /// Complete pairs, by the places of the two engines.
    pairings: BTreeMap<(usize, usize), [u64; 5]>,
}

/// The games of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupLine {
    /// Whose they are.
    pub name: String,
    /// How many workers have played them.
    pub workers: usize,
    /// How many there are.
    pub games: u64,
    /// The points of the first engine of each pairing.
    pub points: f64,
    /// Complete pairs by the points they brought that engine: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Games that an engine has ended by a fault: late, dead, or with a move that is none.
    pub faults: u64,
    /// How the pairs differ from those of all others. `None` if there are too few to be compared.
    pub chi_square: Option<ChiSquare>,
    /// The probability of that by chance, corrected for the number of groups.
    pub probability: Option<f64>,
    /// The probability of so many faults by chance, corrected for the number of groups.
    pub fault_probability: Option<f64>,
}

impl GroupLine {
    /// Whether its results are not those of the others.
    #[must_use]
    pub fn is_outlier(&self) -> bool {
        self.differs() || self.has_faults()
    }

    /// The least of its probabilities.
    fn least(&self) -> f64 {
        let both = [self.probability, self.fault_probability];
        both.into_iter().flatten().fold(1.0, f64::min)
    }

    /// Whether its pairs end otherwise.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.probability.is_some_and(|probability| probability < OUTLIER)
    }

    /// Whether engines fail there more often.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.fault_probability.is_some_and(|probability| probability < OUTLIER)
    }
}

impl GroupCounts {
    /// Nothing yet.
    #[must_use]
    pub fn new(by: GroupBy) -> GroupCounts {
        GroupCounts { by, ..GroupCounts::default() }
    }

    /// Whose games are counted together.
    #[must_use]
    pub fn by(&self) -> GroupBy {
        self.by
    }

    /// Whether there is more than one group.
    #[must_use]
    pub fn has_several(&self) -> bool {
        self.groups.len() > 1
    }

    /// Counts a game, if it says who has played it.
    pub fn add(&mut self, record: &FinishedGame) {
        let Some(by) = &record.played_by else { return };
        let name = self.by.group(by);
        let group = match self.groups.get_mut(name) {
            Some(group) => group,
            None => self.groups.entry(name.to_owned()).or_default(),
        };
        let (scheduled, played) = (&record.scheduled, &record.played);
        if !group.workers.contains(&by.worker) {
            group.workers.insert(by.worker.clone());
        }
        group.games += 1;
        group.faults += u64::from(Side::BOTH.iter().any(|&side| played.is_fault_of(side)));
        if played.outcome == Outcome::Void {
            return;
        }
        let half_points = played.outcome.half_points(scheduled.side_of_first());
        group.half_points += u64::from(half_points);
        let pairing = (scheduled.pairing.first, scheduled.pairing.second);
        match self.half_finished.remove(&scheduled.pair) {
            // A pair of two groups says nothing about either.
            Some((other, first)) if other == name => {
                let points = usize::from(first + half_points);
                group.pairings.entry(pairing).or_default()[points] += 1;
            }
            Some(_) => {}
            None => _ = self.half_finished.insert(scheduled.pair, (name.to_owned(), half_points)),
        }
    }

    /// A line for each group, in the order of their names. The worst outlier is taken out before the others are compared again: beside
    /// it all would look wrong.
    #[must_use]
    pub fn lines(&self) -> Vec<GroupLine> {
        let mut left: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        let mut lines = Vec::new();
        loop {
            let mut compared = self.compared(&left);
            let worst = compared.iter().filter(|line| line.is_outlier()).map(GroupLine::least);
            let Some(worst) = worst.min_by(f64::total_cmp).filter(|_| left.len() > 2) else {
                lines.append(&mut compared);
                break;
            };
            // What is equally improbable cannot be told apart.
            let (out, _): (Vec<GroupLine>, Vec<_>) =
                compared.into_iter().partition(|line| line.least() <= worst);
            left.retain(|name| !out.iter().any(|line| line.name == *name));
            lines.extend(out);
        }
        lines.sort_by(|one, other| one.name.cmp(&other.name));
        lines
    }

    /// Compares each of some groups with the others of them.
    fn compared(&self, names: &[&str]) -> Vec<GroupLine> {
        let groups: Vec<(&str, &Group)> =
            names.iter().filter_map(|&name| self.groups.get(name).map(|group| (name, group))).collect();
        let sum = |of: &dyn Fn(&Group) -> u64| groups.iter().map(|(_, group)| of(group)).sum::<u64>();
        let (games, faults) = (sum(&|group| group.games), sum(&|group| group.faults));
        let mut pairings: BTreeMap<(usize, usize), [u64; 5]> = BTreeMap::new();
        for (&pairing, counts) in groups.iter().flat_map(|(_, group)| &group.pairings) {
            let all = pairings.entry(pairing).or_default();
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        let mut lines: Vec<GroupLine> =
            groups.iter().map(|(name, group)| line(name, group, &pairings)).collect();
        if lines.len() < 2 {
            return lines;
        }
        let of_faults: Vec<f64> =
            lines.iter().map(|line| more_than_chance(line.faults, line.games, faults, games)).collect();
        for (line, probability) in lines.iter_mut().zip(corrected(&of_faults)) {
            line.fault_probability = Some(probability);
        }
        let tested: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].chi_square.is_some()).collect();
        let alone: Vec<f64> = tested
            .iter()
            .filter_map(|&line| lines[line].chi_square)
            .map(|found| found.probability())
            .collect();
        for (line, probability) in tested.into_iter().zip(corrected(&alone)) {
            lines[line].probability = Some(probability);
        }
        lines
    }
}

fn line(name: &str, group: &Group, all: &BTreeMap<(usize, usize), [u64; 5]>) -> GroupLine {
    let mut association = Association::default();
    let mut pairs = [0; 5];
    for (pairing, counts) in &group.pairings {
        association.add(*counts, all.get(pairing).copied().unwrap_or_default());
        pairs.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    GroupLine {
        name: name.to_owned(),
        workers: group.workers.len(),
        games: group.games,
        points: group.half_points as f64 / 2.0,
        pairs,
        faults: group.faults,
        chi_square: association.chi_square(),
        probability: None,
        fault_probability: None,
    }
}
