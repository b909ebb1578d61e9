//! Proves the values of positions, one after the other, with one transposition table.
//!
//! Where positions cannot repeat, a short search estimates the value, and null windows ask from there upwards and downwards until
//! the bounds meet ([`prove`]). Elsewhere an ordinary search deepens; its proven bounds count.

use super::bounds::{Bounds, Question};
use crate::endgames::Endgames;
use crate::game::{Game, Move, Pit, Variant};
use crate::plan::{Answer as Source, Plan, Resources};
use crate::protocol::{Limits, Settings};
use crate::search::{
    Observer, Purpose, Report, ReportedLine, Request, SearchMemory, TablebasePolicy, prove, search,
    solver_takes,
};
use crate::under;
use crate::value::{CENTISEEDS, Score};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Nodes for the estimate where the first null window asks. Chosen from 300 to 100,000 by the time that fair starts of
/// `kalah-emptycapture` take.
const ESTIMATE: u64 = 3_000;

/// The question about each position, and its limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub question: Question,
    /// Whether each move has bounds of its own.
    pub moves: bool,
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
}

/// The proven bounds of a position, and the effort.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub bounds: Bounds,
    /// A move that reaches the lower bound.
    pub best: Option<Move>,
    /// The bounds of each move, the best first, if they were asked for.
    pub moves: Vec<(Move, Bounds)>,
    pub nodes: u64,
    pub time: Duration,
}

impl Answer {
    /// Whether all questions are answered.
    pub(super) fn is_proven(&self, question: Question) -> bool {
        self.bounds.answer(question) && self.moves.iter().all(|(_, bounds)| bounds.answer(question))
    }
}

/// Moves whose best value is asked for.
struct Line {
    moves: Vec<Move>,
    bounds: Bounds,
    /// Seeds, the value that the next null window asks about.
    guess: i8,
    /// A move that reaches the lower bound.
    best: Option<Move>,
}

impl Line {
    /// The margin to ask about next, as MTD(f) does.
    fn target(&self, question: Question) -> i8 {
        let [at_least, at_most] =
            [self.bounds.at_least, self.bounds.at_most].map(|bound| (bound.centiseeds() / CENTISEEDS) as i8);
        match question {
            Question::Value => self.guess.clamp(at_least + 1, at_most),
            Question::Win => 1,
            Question::Draw if at_least >= 0 || at_most > 0 && self.guess > 0 => 1,
            Question::Draw => 0,
        }
    }

    /// Takes the answer to a claim.
    fn learn(&mut self, target: i8, bound: i8, pit: Option<Pit>) {
        self.bounds.learn(target, bound);
        self.guess = if bound >= target { bound + 1 } else { bound };
        if let Some(index) = self.moves.iter().position(|mv| Some(mv.pit) == pit) {
            self.moves[..=index].rotate_right(1);
            self.best = Some(self.moves[0]);
        }
    }
}

/// The solver with its settings and its memory.
pub(super) struct Solver {
    pub(super) settings: Settings,
    pub(super) resources: Resources,
    table: SearchMemory,
}

impl Solver {
    /// # Errors
    /// If there is not enough memory for the table, or a file of the settings is not usable.
    pub(super) fn new(settings: &Settings) -> Result<Solver, Box<dyn Error>> {
        let (resources, table) = (Resources::open(settings)?, SearchMemory::new(settings.hash_mib)?);
        Ok(Solver { settings: settings.clone(), resources, table })
    }

    /// The faults of the endgame files, each once.
    pub(super) fn take_faults(&mut self) -> Vec<String> {
        self.resources.take_faults(&self.settings)
    }

    /// Proves what a task asks of the position of a game of the settings' rule set. `tell` receives the bounds so far and the nodes from time to time.
    pub(super) fn solve(&self, game: &Game, task: Task, tell: &mut dyn FnMut(Bounds, u64)) -> Answer {
        let began = Instant::now();
        let mut bounds = Bounds::of(game.position());
        let Some(request) = self.request(game) else {
            return Answer { bounds, best: None, moves: Vec::new(), nodes: 0, time: Duration::ZERO };
        };
        let mut watch = Watch {
            endgames: &request.endgames,
            variant: self.settings.variant,
            until: task.time.map(|time| began + time),
            nodes: 0,
            limit: task.nodes.unwrap_or(u64::MAX),
            reach: bounds,
            bounds,
            question: task.question,
            tell,
        };
        let takes = solver_takes(game.position());
        let mut lines = self.first_lines(&request, task, takes, &mut watch);
        if takes {
            // The lines that come first are likely to be the best.
            for index in 0..lines.len() {
                if !self.prove_line(&request, &mut lines, index, &mut watch) {
                    break;
                }
            }
        }
        bounds = joined(&lines);
        lines.sort_by_key(|line| std::cmp::Reverse((line.bounds.at_least, line.bounds.at_most)));
        let best = lines.first().and_then(|line| match task.moves {
            true => Some(line.moves[0]).filter(|_| bounds.answer(task.question)),
            false => line.best.or(Some(line.moves[0]).filter(|_| bounds.value().is_some())),
        });
        let moves = lines.iter().filter(|_| task.moves).map(|line| (line.moves[0], line.bounds)).collect();
        Answer { bounds, best, moves, nodes: watch.nodes, time: began.elapsed() }
    }

    /// The request of an analysis without a move limit; `None` if the game is over. The search is told when endgames have been
    /// paid for.
    fn request(&self, game: &Game) -> Option<Request> {
        let limits = Limits { infinite: true, ..Limits::default() };
        let plan = Plan::of(&limits, game, &self.settings, &self.resources).expect("no moves are left out");
        match plan.answer {
            Source::GameOver(_) => None,
            Source::Search(request) => {
                let (tablebase, solution) = (TablebasePolicy::Available, self.settings.solution);
                let (purpose, moves_left) = (Purpose::Value, None);
                Some(Request { purpose, moves_left, tablebase, solution, ..*request })
            }
        }
    }

    /// The lines to prove, with what an ordinary search says about them: all that there is where positions can repeat.
    fn first_lines(&self, request: &Request, task: Task, takes: bool, watch: &mut Watch<'_>) -> Vec<Line> {
        let moves = request.position.moves();
        let quick = Request {
            nodes: if takes { ESTIMATE.min(watch.limit) } else { watch.limit },
            multipv: if task.moves { moves.len() } else { 1 },
            threads: if takes { 1 } else { request.threads },
            solver: false,
            ..request.clone()
        };
        let report = search(&quick, &self.table, watch);
        watch.nodes += report.nodes;
        let bounds = Bounds::of(&request.position);
        let line = |ReportedLine { score, pv, .. }| {
            let mut line = Line { moves: vec![pv[0]], bounds, guess: guess(score), best: None };
            line.bounds.add(score);
            line.best = score.proof.at_least.then_some(pv[0]);
            line
        };
        let mut lines: Vec<Line> = report.lines().into_iter().map(line).collect();
        let others: Vec<Move> =
            moves.into_iter().filter(|mv| lines.iter().all(|line| line.moves[0] != *mv)).collect();
        if task.moves {
            let guess = lines[lines.len() - 1].guess;
            lines.extend(others.into_iter().map(|mv| Line { moves: vec![mv], bounds, guess, best: None }));
        } else {
            lines[0].moves.extend(others);
        }
        lines
    }

    /// Asks claims about a line until its question is answered; returns whether it is.
    fn prove_line(&self, request: &Request, lines: &mut [Line], index: usize, watch: &mut Watch<'_>) -> bool {
        while !lines[index].bounds.answer(watch.question) {
            watch.bounds = joined(lines);
            let line = &mut lines[index];
            let target = line.target(watch.question);
            let request = Request {
                search_moves: line.moves.iter().map(|mv| mv.pit).collect(),
                nodes: watch.limit.saturating_sub(watch.nodes).max(1),
                ..request.clone()
            };
            let proven = prove(&request, target, &self.table, watch);
            watch.nodes += proven.nodes;
            let Some(bound) = proven.bound else { return false };
            line.learn(target, bound, proven.pit);
        }
        true
    }
}

/// The bounds of the best of all lines.
fn joined(lines: &[Line]) -> Bounds {
    let best = |bound: fn(&Line) -> crate::value::Value| lines.iter().map(bound).max();
    let bounds = lines[0].bounds;
    Bounds {
        at_least: best(|line| line.bounds.at_least).unwrap_or(bounds.at_least),
        at_most: best(|line| line.bounds.at_most).unwrap_or(bounds.at_most),
    }
}

/// A score as a margin, rounded to seeds.
fn guess(score: Score) -> i8 {
    (score.value.centiseeds() + CENTISEEDS / 2).div_euclid(CENTISEEDS) as i8
}

/// Ends a search at a limit, builds the endgames that it has paid for, and tells how it goes.
struct Watch<'a> {
    endgames: &'a Arc<Endgames>,
    variant: Variant,
    until: Option<Instant>,
    /// Nodes of the searches before.
    nodes: u64,
    limit: u64,
    /// The bounds that the seeds prove, of the position and of each move.
    reach: Bounds,
    /// The position's bounds so far.
    bounds: Bounds,
    question: Question,
    tell: &'a mut dyn FnMut(Bounds, u64),
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Observer for Watch<'_> {
    fn stop(&mut self, nodes: u64) -> bool {
        (self.tell)(self.bounds, self.nodes + nodes);
        self.is_over()
    }

    fn iteration(&mut self, report: &Report) -> bool {
        self.bounds.add(report.score);
        report.lines().iter().all(|line| {
            let mut bounds = self.reach;
            bounds.add(line.score);
            bounds.answer(self.question)
        })
    }

    fn wants_endgames(&mut self, seeds: u8) {
        let until = self.until;
        let stop = &mut || until.is_some_and(|until| Instant::now() >= until);
        under!(self.variant, R => self.endgames.build::<R>(seeds, stop));
    }
}
