//! The counts of a match. Their size grows with the number of engines, not with the number of games.

use super::super::record::GameRecord;
use super::contest::Contest;
use super::counted::CountedGame;
use super::couple::Couple;
use super::totals::{Totals, share};
use super::workers::WorkerTable;
use crate::game::Termination;
use crate::schedule::Event;
use crate::statistics::{HeadToHeadScore, Rating, Ratings, SprtDecision, SprtStatus};
use ahash::AHashSet;
use kroo::game::Side;
use kroo::printable::counted;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The most engines of a gauntlet that are ranked after each game.
const MAX_LIVE_RATINGS: usize = 64;

/// The number of repeated pairs in a row that ends a test. Engines that do not always play alike repeat some.
const MIN_REPEATED: u64 = 20;

/// All counts of a match or tournament.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// How many games count.
    pub games: u64,
    /// Finished games that do not count, because an earlier one, needed by a test, is missing.
    pub uncounted: u64,
    plies: u64,
    /// How often a game was played again because the referee or an engine was suspended.
    pub replays: u64,
    /// The totals of each engine, in the order of the contest.
    pub engines: Vec<Totals>,
    /// The last `id name` of each engine.
    pub id_names: Vec<Option<String>>,
    /// The winner of a knockout.
    pub champion: Option<usize>,
    /// Each engine's latest round with a game.
    reached: Vec<u64>,
    /// Why an engine has broken the match, which then has no verdict.
    pub broken: Option<String>,
    /// The games of each two engines against each other, by their places in the contest, the lower one first.
    pub couples: BTreeMap<(usize, usize), Couple>,
    /// How many games have ended for each reason.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games with an unknown reason for their end.
    pub unexplained: u64,
    /// Fingerprints of all games: eight bytes for each.
    distinct: AHashSet<u64>,
    /// Fingerprints of their openings.
    openings: AHashSet<u64>,
    /// How many games each engine has ended by each kind of fault.
    pub faults: BTreeMap<(usize, Termination), u64>,
    /// The games that a bye counts as won; 0 if there are no byes.
    pub(super) games_of_bye: u64,
    /// The rounds whose byes are counted.
    byes: BTreeSet<u64>,
    /// The games of each worker of a queue.
    pub workers: WorkerTable,
}

/// Why no more games of a match count, although there are some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// The SPRT has accepted a hypothesis: more games could overturn it.
    Decided,
    /// No new pair has come for long, because the openings and the engines have nothing new: no test can go on.
    Exhausted,
    /// An engine has broken the match, which has no verdict. Why.
    Broken(String),
}

impl Results {
    /// Nothing yet.
    pub fn new(contest: &dyn Contest) -> Results {
        let games_of_bye = contest.games_of_bye().unwrap_or(0);
        let mut tally = Results { games_of_bye, ..Results::default() };
        tally.reserve(contest.names().len());
        tally
    }

    /// Makes room for this many engines.
    pub(super) fn reserve(&mut self, engines: usize) {
        let engines = engines.max(self.engines.len());
        self.engines.resize(engines, Totals::default());
        self.id_names.resize(engines, None);
        self.reached.resize(engines, 0);
    }

    /// Counts a game of a match.
    pub fn add(&mut self, record: &GameRecord) {
        self.workers.add(record);
        self.count(&CountedGame::of(record));
    }

    /// Counts a game, wherever it comes from.
    pub fn count(&mut self, game: &CountedGame<'_>) {
        self.games += 1;
        self.plies += game.plies;
        match game.termination {
            Some(termination) => *self.terminations.entry(termination).or_default() += 1,
            None => self.unexplained += 1,
        }
        let [south, north] = game.players;
        self.reserve(1 + south.max(north));
        for side in Side::BOTH {
            let engine = game.players[side.index()];
            self.engines[engine].add(game, side);
            self.reached[engine] = self.reached[engine].max(game.round);
            if let Some(termination) = game.termination.filter(|_| game.faults[side.index()]) {
                *self.faults.entry((engine, termination)).or_default() += 1;
            }
        }
        if let Some(played) = game.played {
            self.replays += u64::from(played.replays);
            for (engine, name) in game.players.into_iter().zip(&played.id_names) {
                if name.is_some() {
                    self.id_names[engine].clone_from(name);
                }
            }
        }
        if let Some(engine) = game.bye
            && self.byes.insert(game.round)
        {
            self.reserve(1 + engine);
            self.engines[engine].bye_games += self.games_of_bye;
        }
        self.distinct.insert(game.fingerprint);
        self.openings.extend(game.opening);
        self.couples.entry(game.couple()).or_default().add(game);
    }

    /// How many games differ, move by move, from all others of the same engines on the same sides.
    pub fn distinct_games(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// Pairs that repeat another one.
    pub fn repeated_pairs(&self) -> u64 {
        self.couples.values().map(|couple| couple.repeated).sum()
    }

    /// Moves in a game, on average, the opening's included.
    pub fn average_plies(&self) -> f64 {
        share(self.plies as f64, self.games)
    }

    /// The ratings of all engines, from all results together.
    pub fn ratings(&self) -> Ratings {
        let scores = self.couples.iter().map(|(&(first, second), couple)| {
            let [losses, draws, wins] = couple.games_without_repeated();
            let points = wins as f64 + draws as f64 / 2.0;
            HeadToHeadScore { first, second, games: losses + draws + wins, points, pairs: couple.pairs }
        });
        Ratings::new(self.engines.len(), &scores.collect::<Vec<_>>())
    }

    /// The state of the plan's SPRT, if it has one; a part of a match decides nothing by itself. Only complete pairs count, since
    /// the first game of a pair may owe its result to its opening. A broken match decides nothing.
    pub fn sprt(&self, contest: &dyn Contest) -> Option<SprtStatus> {
        let first = self.couples.values().next();
        let (games, pairs) = first.map_or_else(Default::default, |couple| (couple.pair_games, couple.pairs));
        let single = first.filter(|_| games == [0; 3] && contest.counts_single_games());
        let status = contest.test().map(|sprt| match single {
            // A file without pairs has nothing but its games.
            Some(single) => sprt.status_at(sprt.llr_of_games(single.games())),
            None => sprt.status(games, pairs),
        });
        status.map(|status| {
            if self.broken.is_some() || self.faults_only(contest).is_some() {
                SprtStatus { decision: SprtDecision::Continue, ..status }
            } else {
                status
            }
        })
    }

    /// Why no more games count after those that were added, if so.
    pub fn end(&self, contest: &dyn Contest) -> Option<MatchEnd> {
        if let Some(why) = &self.broken {
            return Some(MatchEnd::Broken(why.clone()));
        }
        let status = self.sprt(contest)?;
        // A test decides nothing at a bound if an engine has lost all games by its faults.
        match self.faults_only(contest).filter(|_| status.is_at_bound()) {
            Some(why) => Some(MatchEnd::Broken(why)),
            None if status.is_decided() => Some(MatchEnd::Decided),
            None => self.exhausted(contest).map(|_| MatchEnd::Exhausted),
        }
    }

    /// A sentence about a test that cannot go on although it is not decided, because nothing new comes: the pairs of all openings,
    /// played again and again, repeat earlier ones move by move.
    pub fn exhausted(&self, contest: &dyn Contest) -> Option<String> {
        contest.test()?;
        let repeated = self.couples.values().next()?.in_a_row;
        let openings = self.openings.len() as u64;
        (openings > 0 && repeated >= MIN_REPEATED.max(2 * openings)).then(|| {
            format!(
                "the last {repeated} pairs repeated earlier ones move by move: {} and these engines have nothing new to show",
                counted(openings, "opening")
            )
        })
    }

    /// A sentence about an engine that has lost every one of its games by a fault, if any.
    pub fn faults_only(&self, contest: &dyn Contest) -> Option<String> {
        let faults = |engine: usize| self.faults.iter().filter(move |((of, _), _)| *of == engine);
        let lost_all = |&engine: &usize| {
            let (losses, games) = (self.engines[engine].losses, self.engines[engine].games());
            games > 0 && losses == games && faults(engine).map(|(_, games)| games).sum::<u64>() >= games
        };
        let engine = (0..self.engines.len()).find(lost_all)?;
        let kinds: Vec<String> = faults(engine).map(|((_, kind), games)| format!("{kind} {games}")).collect();
        Some(format!("{} has lost all its games by faults ({})", contest.engine(engine), kinds.join(", ")))
    }

    /// The engines as all outputs rank them: those of a gauntlet, which play different opponents, by Elo; all others by
    /// points, then by the Sonneborn-Berger score (for each game the points of the opponent, times the result), wins, the
    /// margin of seeds, and their order in the list. In a knockout the winner is first, and the round that an engine has
    /// reached comes before its points.
    pub fn order(&self, contest: &dyn Contest) -> Vec<usize> {
        let by_elo = contest.is_ranked_by_elo();
        self.order_by(contest, &if by_elo { self.ratings().engines } else { Vec::new() })
    }

    /// The same while games are played: empty for a large gauntlet, since to fit its ratings takes time that grows with the cube of
    /// the number of engines.
    pub fn order_so_far(&self, contest: &dyn Contest) -> Vec<usize> {
        let is_large = self.engines.len() > MAX_LIVE_RATINGS;
        if is_large && contest.is_ranked_by_elo() { Vec::new() } else { self.order(contest) }
    }

    /// The same, with ratings that were made already; only a gauntlet needs them.
    pub(super) fn order_by(&self, contest: &dyn Contest, ratings: &[Option<Rating>]) -> Vec<usize> {
        let mut beaten = vec![0.0; self.engines.len()];
        for (&(first, second), couple) in &self.couples {
            let (points, count) = (couple.totals.points(), couple.totals.games() as f64);
            beaten[first] += points * self.engines[second].points();
            beaten[second] += (count - points) * self.engines[first].points();
        }
        let mut elos = vec![0.0; self.engines.len()];
        if contest.is_ranked_by_elo() {
            let elo = |rating: Option<Rating>| rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
            elos = ratings.iter().copied().map(elo).collect();
        }
        let key = |engine: usize| {
            let totals = self.engines[engine];
            let champion = if self.champion == Some(engine) { 1.0 } else { 0.0 };
            let reached = if contest.event() == Event::Knockout { self.reached[engine] as f64 } else { 0.0 };
            let (wins, margin) = (totals.wins as f64, totals.average_margin());
            [champion, reached, elos[engine], totals.points(), beaten[engine], wins, margin]
        };
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|&one, &other| {
            let both = key(other).into_iter().zip(key(one));
            both.map(|(one, other)| one.total_cmp(&other))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        order
    }
}
