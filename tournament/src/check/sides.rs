//! Positions of each side to move: a clock and a score belong to a side.

use super::finding::FindingKind;
use super::session::{CheckResult, CheckSession};
use kroo::game::{Game, Position, Side, Variant};
use kroo::protocol::{InfoScore, Proven, ScoreValue};

/// A score that says who is ahead, in hundredths of a seed.
const CLEAR: i32 = 100;

/// A game in which this side is to move, from the start.
pub(super) fn to_move(variant: Variant, side: Side) -> Game {
    if side == Side::South { Game::new(Position::start(variant)) } else { north_to_move(variant) }
}

/// A game in which North is to move, so that its moves are not those of the start position.
pub(super) fn north_to_move(variant: Variant) -> Game {
    let start = Game::new(Position::start(variant));
    let after = start.position().moves().into_iter().map(|mv| {
        let mut game = start.clone();
        game.play(mv).expect("a listed move is legal");
        game
    });
    let mut after = after.filter(|game| game.position().side() == Side::North);
    after.next().expect("some first move ends South's turn in every rule set")
}

/// A position in which the side to move is behind by so much that it cannot win: the other one has half of all seeds in its store,
/// and each pit, or each of the last three of a side, one. `None` if such a position is none of the rule set, or is over.
pub(super) fn behind(variant: Variant, side: Side) -> Option<Game> {
    let start = Position::start(variant);
    let all = start.board().seeds();
    let first = if all >= 36 { 0 } else { 3 };
    let row = (0..6).map(|pit| u8::from(pit >= first));
    let pits: Vec<u8> = row.clone().chain(row).collect();
    let ahead = (all / 2).min(all.checked_sub(pits.iter().sum())?);
    let own = all - ahead - pits.iter().sum::<u8>();
    let (stores, letter) = match side {
        Side::South => ([own, ahead], "S"),
        Side::North => ([ahead, own], "N"),
    };
    let numbers: Vec<String> = pits.iter().chain(&stores).map(u8::to_string).collect();
    let position = Position::parse(variant, &format!("{}-{letter}", numbers.join("-"))).ok()?;
    (own < ahead && position.verdict().is_none()).then(|| Game::new(position))
}

/// Scores are those of the side to move. In two positions in which it is behind, an engine whose scores are always South's, always
/// North's or always the other side's says in one of them at least that it is ahead.
pub(super) fn scores(session: &mut CheckSession<'_>) -> CheckResult {
    let mut ahead = Vec::new();
    for side in Side::BOTH {
        let Some(game) = behind(session.variant, side) else { return Ok(()) };
        let (answer, best) = session.ask(&game, "go depth 3")?;
        let scores = answer.infos.iter().filter(|info| info.multipv.is_none_or(|line| line == 1));
        let last = scores.filter_map(|info| info.score).rfind(|score| score.is_definite());
        if best.is_some() && last.is_some_and(says_ahead) {
            ahead.push((side, last.map(|score| score.to_string()).unwrap_or_default(), *game.position()));
        }
    }
    let whose = match ahead.as_slice() {
        [] => return Ok(()),
        [(Side::North, ..)] => "South's",
        [(Side::South, ..)] => "North's",
        _ => "those of the side that has moved",
    };
    let (side, score, position) = &ahead[0];
    let problem = format!(
        "gives `score {score}` in {position}, where {side} is to move and far behind: its scores seem to be {whose}, expected those \
         of the side to move"
    );
    session.fault(FindingKind::ScoreSide, problem);
    Ok(())
}

/// Whether a score says that the side to move is ahead.
fn says_ahead(score: InfoScore) -> bool {
    match (score.proven, score.value) {
        (Some(proven), _) => proven == Proven::Win,
        (None, ScoreValue::Cp(cp)) => cp >= CLEAR,
        (None, ScoreValue::Mate(moves)) => moves > 0,
    }
}
