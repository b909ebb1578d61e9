//! Proves the value of a position.
//!
//! Where positions cannot repeat, a short search estimates the value, and null windows ask from there upwards and downwards until
//! the bounds meet ([`prove`]). Elsewhere an ordinary search deepens; its proven bounds count.

use super::watch::{Pause, Watch};
use crate::game::{Game, Move, Pit, Position};
use crate::plan::background::Growth;
use crate::plan::{Answer as Source, Plan, Resources};
use crate::protocol::{Limits, Question, Settings, SolveCommand};
use crate::search::{
    Aim, Purpose, Report, Request, SearchMemory, TablebasePolicy, prove, search, solver_takes,
};
use crate::time::Instant;
use crate::under;
use crate::value::{Bounds, CENTISEEDS, Score, UNKNOWN_PLIES, Value, within_reach};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

/// Nodes for the estimate where the first null window asks, at most a quarter of a limit. Chosen from 300 to 100,000 by the time
/// that fair starts of `kalah-emptycapture` take.
const ESTIMATE: u64 = 3_000;
/// The first null window asks nearer to a draw than the estimate, by one part in this many: a window above the value costs more
/// than one below it. `kalah` from its start took 13.2 million nodes, 16.5 from the estimate; smaller positions the same
/// (docs/experiments.csv).
const LESS: i8 = 4;
/// Nodes to find best play after a value: this minimum, or one in `NODES_FOR_PLAY` of those that the value took (both chosen,
/// not measured).
const MIN_NODES_FOR_PLAY: u64 = 10_000;
const NODES_FOR_PLAY: u64 = 20;

/// The proven bounds of a position, and the effort.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The bounds of the position.
    pub bounds: Bounds,
    /// A move that reaches the lower bound.
    pub best: Option<Move>,
    /// Best play: from the best move on, if the value is proven, as far as it was found.
    pub play: Vec<Move>,
    /// The bounds of each move, the best first, if they were asked for.
    pub moves: Vec<(Move, Bounds)>,
    /// Nodes visited.
    pub nodes: u64,
    /// From the begin of the work to its end.
    pub time: Duration,
}

impl Answer {
    /// Whether all questions are answered.
    pub fn is_proven(&self, question: Question) -> bool {
        self.bounds.answer(question) && self.moves.iter().all(|(_, bounds)| bounds.answer(question))
    }
}

/// Moves whose best value is asked for.
#[derive(Clone, Debug)]
struct Line {
    moves: Vec<Move>,
    aim: Aim,
    /// A move that reaches the lower bound.
    best: Option<Move>,
}

impl Line {
    /// Brings a move that reaches the lower bound to the front.
    fn prefer(&mut self, pit: Option<Pit>) {
        if let Some(index) = self.moves.iter().position(|mv| Some(mv.pit) == pit) {
            self.moves[..=index].rotate_right(1);
            self.best = Some(self.moves[0]);
        }
    }
}

/// A position that is being solved.
pub struct Solving {
    task: SolveCommand,
    /// None if the game is over.
    request: Option<Request>,
    /// The bounds that the seeds prove, or the value of a finished game.
    reach: Bounds,
    /// The lines to prove, once there is an estimate.
    lines: Vec<Line>,
    /// Whether the lines have all that an ordinary search says about them.
    is_estimated: bool,
    /// Whether endgames are built here. A build that was left would begin anew each time, and the work would never get on.
    builds: bool,
    play: Vec<Move>,
    nodes: u64,
    began: Option<Instant>,
    time: Duration,
}

impl Solving {
    /// A position of the settings' rule set, to be solved.
    pub fn new(game: &Game, task: SolveCommand, settings: &Settings, resources: &Resources) -> Solving {
        let limits = Limits { infinite: true, ..Limits::default() };
        let plan = Plan::of(&limits, game, settings, resources).expect("no moves are left out");
        let request = match plan.answer {
            Source::GameOver(_) => None,
            // The search tells when endgames have been paid for.
            Source::Search(request) => Some(Request {
                purpose: Purpose::Value,
                move_limit: 0,
                tablebase: TablebasePolicy::Available,
                solution: settings.solution,
                ..*request
            }),
        };
        Solving {
            task,
            request,
            reach: reach(game.position()),
            lines: Vec::new(),
            is_estimated: false,
            builds: true,
            play: Vec::new(),
            nodes: 0,
            began: None,
            time: Duration::ZERO,
        }
    }

    /// The task.
    pub fn task(&self) -> SolveCommand {
        self.task
    }

    /// Works until the question is answered, a limit is reached, or `tell`, which gets the bounds so far, the nodes and the time, ends it;
    /// returns whether it is finished. If it was left, it can go on with the same table.
    pub fn work(
        &mut self,
        table: &SearchMemory,
        growth: Option<&Growth>,
        tell: &mut dyn FnMut(Bounds, u64, Duration) -> Pause,
    ) -> bool {
        let Some(request) = self.request.clone() else { return true };
        let began = *self.began.get_or_insert_with(Instant::now);
        let mut watch = Watch {
            endgames: &request.endgames,
            growth,
            builds: self.builds,
            variant: request.position().variant(),
            until: self.task.movetime.map(|time| began + Duration::from_millis(time)),
            nodes: self.nodes,
            searched: 0,
            limit: self.task.nodes.unwrap_or(u64::MAX),
            reach: self.reach,
            bounds: self.bounds(),
            question: self.task.question,
            began,
            tell,
            ended: false,
            left: false,
        };
        let takes = solver_takes(request.position());
        if !self.is_estimated {
            self.estimate(&request, takes, table, &mut watch);
        }
        if takes && self.is_estimated {
            // The lines that come first are likely to be the best.
            let proven =
                (0..self.lines.len()).all(|index| self.prove_line(&request, index, table, &mut watch));
            if proven {
                self.find_play(&request, table, &mut watch);
            }
        }
        (self.nodes, self.builds) = (watch.nodes, watch.builds);
        self.time = began.elapsed();
        !watch.left
    }

    /// What is proven so far.
    pub fn answer(&self) -> Answer {
        let (bounds, task) = (self.bounds(), self.task);
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        lines.sort_by_key(|line| Reverse((line.aim.bounds.at_least, line.aim.bounds.at_most)));
        let best = lines.first().and_then(|line| match task.moves {
            true => Some(line.moves[0]).filter(|_| bounds.answer(task.question)),
            false => line.best.or(Some(line.moves[0]).filter(|_| bounds.value().is_some())),
        });
        let moves =
            lines.iter().filter(|_| task.moves).map(|line| (line.moves[0], line.aim.bounds)).collect();
        let play = self
            .play
            .iter()
            .copied()
            .filter(|_| bounds.value().is_some() && best == self.play.first().copied());
        let play = play.collect::<Vec<_>>();
        let play = if play.is_empty() { best.into_iter().collect() } else { play };
        Answer { bounds, best, play, moves, nodes: self.nodes, time: self.time }
    }

    /// The bounds of the best of all lines.
    fn bounds(&self) -> Bounds {
        let best = |bound: fn(&Bounds) -> Value| self.lines.iter().map(|line| bound(&line.aim.bounds)).max();
        Bounds {
            at_least: best(|bounds| bounds.at_least).unwrap_or(self.reach.at_least),
            at_most: best(|bounds| bounds.at_most).unwrap_or(self.reach.at_most),
            ..self.reach
        }
    }

    /// Notes what an ordinary search says about the lines: all that there is where positions can repeat.
    fn estimate(&mut self, request: &Request, takes: bool, table: &SearchMemory, watch: &mut Watch<'_>) {
        let moves = request.position().moves();
        let left = watch.nodes_left();
        let nodes = if takes { ESTIMATE.min(left / 4) } else { left };
        let quick = Request {
            nodes: nodes.max(1),
            multipv: if self.task.moves { moves.len() } else { 1 },
            threads: if takes { 1 } else { request.threads },
            solver: false,
            goes_on: !self.lines.is_empty(),
            ..request.clone()
        };
        let report = search(&quick, table, watch);
        watch.nodes += report.nodes;
        self.take_report(&report, moves);
        self.is_estimated = !watch.left;
        watch.bounds = self.bounds();
    }

    /// Makes the lines of a report, with what was proven before.
    fn take_report(&mut self, report: &Report, moves: Vec<Move>) {
        let before = std::mem::take(&mut self.lines);
        let known = |mv: Move| {
            let same = |line: &&Line| !self.task.moves || line.moves[0] == mv;
            before.iter().find(same).map_or(self.reach, |line| line.aim.bounds)
        };
        let line = |(score, mv): (Score, Move)| {
            let mut bounds = known(mv);
            bounds.narrow(Bounds::of(score, UNKNOWN_PLIES));
            let estimate = score.value.rounded_seeds();
            let aim = Aim { bounds, guess: estimate - estimate / LESS };
            Line { moves: vec![mv], aim, best: score.proof.at_least.then_some(mv) }
        };
        let reported = report.lines().into_iter().map(|reported| (reported.score, reported.pv[0]));
        let mut lines: Vec<Line> = reported.map(line).collect();
        let left: Vec<Move> =
            moves.into_iter().filter(|mv| lines.iter().all(|line| line.moves[0] != *mv)).collect();
        if self.task.moves {
            let guess = lines[lines.len() - 1].aim.guess;
            let line = |mv| Line { moves: vec![mv], aim: Aim { bounds: known(mv), guess }, best: None };
            lines.extend(left.into_iter().map(line));
        } else {
            lines[0].moves.extend(left);
        }
        self.lines = lines;
        self.play.clone_from(&report.pv);
    }

    /// Asks claims about a line until its question is answered; returns whether it is.
    fn prove_line(
        &mut self,
        request: &Request,
        index: usize,
        table: &SearchMemory,
        watch: &mut Watch<'_>,
    ) -> bool {
        while let Some(target) = self.lines[index].aim.target(watch.question) {
            if watch.ended || watch.left || watch.nodes_left() == 0 {
                return false;
            }
            watch.bounds = self.bounds();
            let line = &mut self.lines[index];
            let request = Request {
                search_moves: line.moves.iter().map(|mv| mv.pit).collect(),
                nodes: watch.nodes_left(),
                ..request.clone()
            };
            let proven = prove(&request, target, table, watch);
            watch.nodes += proven.nodes;
            let Some(bound) = proven.bound else { return false };
            line.aim.learn(target, bound);
            line.prefer(proven.pit);
        }
        true
    }

    /// Finds best play after the best move, if the value is known.
    fn find_play(&mut self, request: &Request, table: &SearchMemory, watch: &mut Watch<'_>) {
        let answer = self.answer();
        let Some((value, best)) = answer.bounds.value().zip(answer.best) else { return };
        watch.bounds = answer.bounds;
        let enough = watch.nodes.saturating_add((watch.nodes / NODES_FOR_PLAY).max(MIN_NODES_FOR_PLAY));
        let mut position = *request.position();
        let side = position.side();
        let mut play = Vec::new();
        let mut next = Some(best);
        while let Some(mv) = next {
            position = position.play(mv).expect("a best move is legal");
            play.push(mv);
            let margin = (value.centiseeds() / CENTISEEDS) as i8;
            let target = if position.side() == side { margin } else { -margin };
            next = self.best_move(request, &position, target, enough, table, watch);
        }
        self.play = play;
    }

    /// A move that reaches the margin of a position, if it is found within the nodes.
    fn best_move(
        &self,
        request: &Request,
        position: &Position,
        target: i8,
        enough: u64,
        table: &SearchMemory,
        watch: &mut Watch<'_>,
    ) -> Option<Move> {
        let nodes = enough.min(watch.limit).checked_sub(watch.nodes).filter(|&nodes| nodes > 0)?;
        position.verdict().is_none().then_some(())?;
        let request = Request { nodes, game: Arc::new(Game::new(*position)), ..request.clone() };
        let proven = prove(&request, target, table, watch);
        watch.nodes += proven.nodes;
        proven.bound.filter(|&bound| bound >= target)?;
        position.moves().into_iter().find(|mv| Some(mv.pit) == proven.pit)
    }
}

/// The bounds that the seeds prove, or the value of a finished game.
pub fn reach(position: &Position) -> Bounds {
    let board = position.board();
    if let Some(verdict) = position.verdict() {
        return Bounds::exact(Value::ended(verdict, board.lead()));
    }
    let (at_least, at_most) = under!(position.variant(), R => within_reach::<R>(board));
    Bounds { at_least, at_most, ..Bounds::NONE }
}
