//! Random games in a rule set, watched by the referee's own board.

use super::probe::CheckSession;
use super::searching::is_answer;
use super::{CheckResult, FindingKind};
use kroo::game::{Game, Position, split_mix};
use std::time::{Duration, Instant};

/// Moves after which a random game is given up.
const LONGEST: usize = 1_000;

/// A legal answer at every move of random games. Every other move is the engine's own.
pub(super) fn legality(probe: &mut CheckSession<'_>) -> CheckResult {
    for number in 0..probe.order.games {
        let mut state = probe.order.seed.wrapping_add(u64::from(number));
        let mut game = Game::new(Position::start(probe.variant));
        probe.send("ucinewgame")?;
        probe.ready()?;
        while game.position().verdict().is_none() && game.moves().len() < probe.order.max_moves {
            let (_, best) = probe.ask(&game, "go depth 2")?;
            let moves = game.position().moves();
            let drawn = split_mix(&mut state);
            let random = moves[(drawn >> 8) as usize % moves.len()];
            let mv = if drawn.is_multiple_of(2) { best.unwrap_or(random) } else { random };
            game.play(mv).expect("a legal move");
        }
        if game.position().verdict().is_some() {
            probe.ask(&game, "go depth 2")?;
        }
    }
    Ok(())
}

/// Positions in which the game is over, told as moves and as fields, with every way to ask.
pub(super) fn finished(probe: &mut CheckSession<'_>) -> CheckResult {
    let mut state = probe.order.seed;
    let game = loop {
        let mut game = Game::new(Position::start(probe.variant));
        while game.position().verdict().is_none() && game.moves().len() < LONGEST {
            let moves = game.position().moves();
            let drawn = split_mix(&mut state) as usize % moves.len();
            game.play(moves[drawn]).expect("a legal move");
        }
        if game.position().verdict().is_some() {
            break game;
        }
    };
    let set_up = Position::parse(probe.variant, &game.position().to_string()).map(Game::new);
    let shown = [Some(&game), set_up.as_ref().ok()].into_iter().flatten();
    for shown in shown.filter(|shown| shown.position().verdict().is_some()) {
        probe.ask(shown, "go depth 3")?;
        probe.ask(shown, "go movetime 50")?;
        probe.show(shown)?;
        probe.send("go infinite")?;
        let asked = Instant::now();
        if let Some(reply) =
            probe.is_silent(Duration::from_millis(50), "`stop`", |reply| !is_answer(reply))?
        {
            probe.fault(
                FindingKind::EarlyAnswer,
                format!("answered `{reply}` to `go infinite` before `stop`, the game being over"),
            );
            probe.send("stop")?;
            probe.ready()?;
            continue;
        }
        probe.send("stop")?;
        let answer = probe.answer(asked, Duration::from_millis(50) + probe.order.patience)?;
        probe.judge(shown, &answer);
    }
    Ok(())
}
