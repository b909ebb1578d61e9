//! Random games of a rule set, followed on the referee's own board, which also answers the questions of UGI.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use super::trials::{FINISHED, trial};
use kroo::game::{Game, MOVE_LIMIT, Position, Side, split_mix};
use kroo::protocol::{Command, Dialect, GameResult, Query, Reply, Response};

/// Moves after which a random game is abandoned.
const MAX_RANDOM_MOVES: usize = 1_000;

/// Legal answers throughout random games. About half of the moves are the engine's own.
pub(super) fn legality(session: &mut CheckSession<'_>) -> CheckResult {
    for number in 0..session.options.games {
        let mut state = session.options.seed.wrapping_add(u64::from(number));
        let mut game = Game::new(Position::start(session.variant));
        session.ready(&session.line(&Command::NewGame))?;
        while game.position().verdict().is_none() && game.moves().len() < session.options.max_moves {
            let (_, best) = session.ask(&game, "go depth 2")?;
            session.query(&game)?;
            let moves = game.position().moves();
            let drawn = split_mix(&mut state);
            let random = moves[(drawn >> 8) as usize % moves.len()];
            let mv = if drawn.is_multiple_of(2) { best.unwrap_or(random) } else { random };
            game.play(mv).expect("a legal move");
        }
        if game.position().verdict().is_some() {
            session.ask(&game, "go depth 2")?;
            session.query(&game)?;
        }
    }
    Ok(())
}

/// Positions after the end of a game, given as moves and as fields, with several kinds of `go`.
pub(super) fn finished(session: &mut CheckSession<'_>) -> CheckResult {
    let mut state = session.options.seed;
    let game = loop {
        let mut game = Game::new(Position::start(session.variant));
        while game.position().verdict().is_none() && game.moves().len() < MAX_RANDOM_MOVES {
            let moves = game.position().moves();
            let drawn = split_mix(&mut state) as usize % moves.len();
            game.play(moves[drawn]).expect("a legal move");
        }
        if game.position().verdict().is_some() {
            break game;
        }
    };
    let set_up = Position::parse(session.variant, &game.position().to_string()).map(Game::new);
    let shown = [Some(&game), set_up.as_ref().ok()].into_iter().flatten();
    for shown in shown.filter(|shown| shown.position().verdict().is_some()) {
        trial(session, shown, FINISHED)?;
        session.query(shown)?;
    }
    Ok(())
}

impl CheckSession<'_> {
    /// Asks an engine that speaks UGI everything about the position shown last, which is the game's. An engine may end a game at
    /// the usual move limit: nothing is asked about a longer one.
    fn query(&mut self, game: &Game) -> CheckResult {
        let position = game.position();
        let is_over = position.verdict().is_some();
        if self.protocol() != Dialect::Ugi || !is_over && game.is_at_limit(MOVE_LIMIT) {
            return Ok(());
        }
        self.must_respond(Query::GameOver, Response::Truth(is_over))?;
        self.must_respond(Query::Result, Response::Result(GameResult::of(position)))?;
        // Once a game is over, neither side is to move.
        let side = Response::Truth(position.side() == Side::South);
        if is_over { Ok(()) } else { self.must_respond(Query::P1Turn, side) }
    }

    fn must_respond(&mut self, query: Query, right: Response) -> CheckResult {
        let command = Command::Query(query);
        let expected = format!("`response` to `{command}`");
        let expected = (FindingKind::NoResponse, expected.as_str(), self.options.answer_timeout);
        let given = self.expect(self.line(&command).as_bytes(), expected, |reply, _| match reply {
            Reply::Response(response) => Some(*response),
            _ => None,
        })?;
        if given != right {
            let problem = format!("answered `response {given}` to `{command}`: expected `response {right}`");
            self.fault(FindingKind::WrongResponse, problem);
        }
        Ok(())
    }
}
