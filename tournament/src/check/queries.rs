//! The questions of UGI about a position, and what the referee's own board says of the answers.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use kroo::game::{Game, MOVE_LIMIT, Side};
use kroo::protocol::{Command, Dialect, GameResult, Query, Reply, Response};

impl CheckSession<'_> {
    /// Asks an engine that speaks UGI everything about the position that it has been shown last, which is the game's. An engine
    /// may end a game at the usual move limit, so nothing is asked about a longer one.
    pub fn query(&mut self, game: &Game) -> CheckResult {
        let position = game.position();
        let may_have_ended = position.verdict().is_none() && game.is_at_limit(MOVE_LIMIT);
        if self.protocol() != Dialect::Ugi || may_have_ended {
            return Ok(());
        }
        self.must_respond(Query::GameOver, Response::Truth(position.verdict().is_some()))?;
        self.must_respond(Query::Result, Response::Result(GameResult::of(position)))?;
        // Once a game is over, neither side is to move.
        if position.verdict().is_none() {
            self.must_respond(Query::P1Turn, Response::Truth(position.side() == Side::South))?;
        }
        Ok(())
    }

    fn must_respond(&mut self, query: Query, right: Response) -> CheckResult {
        let command = Command::Query(query);
        self.send_command(&command)?;
        let mut given = None;
        let expected = format!("`response` to `{command}`");
        let within = self.options.answer_timeout;
        self.await_reply(FindingKind::NoResponse, &expected, within, |reply| {
            given = if let Reply::Response(response) = reply { Some(*response) } else { None };
            given.is_some()
        })?;
        if let Some(given) = given.filter(|given| *given != right) {
            let problem = format!("answered `response {given}` to `{command}`: expected `response {right}`");
            self.fault(FindingKind::WrongResponse, problem);
        }
        Ok(())
    }

    /// A line of UCI in the words of the protocol that is checked.
    pub fn in_its_words(&self, line: &str) -> String {
        match Command::parse(line) {
            Ok(Some(command)) => self.protocol().write(&command).to_string(),
            _ => line.to_owned(),
        }
    }
}
