//! Random games of a rule set, followed on the referee's own board.

use super::finding::FindingKind;
use super::searching::is_answer;
use super::session::{CheckResult, CheckSession};
use kroo::game::{Game, Position, split_mix};
use std::time::{Duration, Instant};

/// Moves after which a random game is abandoned.
const MAX_RANDOM_MOVES: usize = 1_000;

/// Legal answers throughout random games. About half of the moves are the engine's own.
pub(super) fn legality(session: &mut CheckSession<'_>) -> CheckResult {
    for number in 0..session.options.games {
        let mut state = session.options.seed.wrapping_add(u64::from(number));
        let mut game = Game::new(Position::start(session.variant));
        session.new_game()?;
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

/// Positions in which the game is over, given as moves and as fields, with several kinds of `go`.
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
        session.ask(shown, "go depth 3")?;
        session.query(shown)?;
        session.ask(shown, "go movetime 50")?;
        session.show(shown)?;
        session.send("go infinite")?;
        let asked = Instant::now();
        if let Some(reply) =
            session.unexpected_reply(Duration::from_millis(50), "`stop`", |reply| !is_answer(reply))?
        {
            session.fault(
                FindingKind::EarlyAnswer,
                format!("answered `{reply}` to `go infinite` before `stop`, when the game is over"),
            );
            session.send("stop")?;
            session.ready()?;
            continue;
        }
        session.send("stop")?;
        let answer = session.await_move(asked, Duration::from_millis(50) + session.options.answer_timeout)?;
        session.judge(shown, &answer);
    }
    Ok(())
}
