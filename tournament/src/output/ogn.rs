//! The game file, as [`kroo::ogn`] writes it: what a match knows of its games. The time of a move is left out for an
//! engine that has no limit of time, so that engines which always play the same make the same file.

use super::date::date;
use crate::game::SearchInfo;
use crate::plan::{FinishedGame, MatchPlan};
use kroo::ogn::GameRecord;
use kroo::protocol::{InfoScore, ScoreValue};

/// A game as text.
///
/// `Termination` says why the game ended, and by whose fault; `TimeControl` the limits, South's first if they differ. After
/// each move of an engine stands a comment: what it thought of its position, in seeds from its own side, after a slash the
/// depth, then the time it took. Moves of the opening have none.
#[must_use]
pub fn game_text(record: &FinishedGame, plan: &MatchPlan) -> String {
    let (scheduled, played) = (&record.scheduled, &record.played);
    let [south, north] = plan.names(scheduled);
    let timed = scheduled.players.map(|engine| plan.contestants[engine].limits.is_timed());
    let tags = [
        ("Event", plan.event.title(plan.contestants.len()).to_owned()),
        ("Date", date(plan.began)),
        ("Round", scheduled.meeting.round.to_string()),
        ("South", south.to_owned()),
        ("North", north.to_owned()),
        ("Result", played.outcome.score().to_owned()),
        ("Termination", played.reason([south, north])),
        ("TimeControl", plan.limits_of(scheduled)),
    ];
    let silent = std::iter::repeat_n(String::new(), played.opening);
    let moves = &played.game.moves()[played.opening..];
    let comments = played.told.iter().zip(moves).map(|(told, mv)| comment(told, timed[mv.side.index()]));
    GameRecord {
        game: played.game.clone(),
        tags: tags.map(|(name, value)| (name.to_owned(), value)).into(),
        comments: silent.chain(comments).collect(),
    }
    .to_string()
}

/// `+0.35/12 0.020s`, or as much of it as is known. The time is told of an engine that has a limit of time.
fn comment(told: &SearchInfo, timed: bool) -> String {
    let score = told.score.map(score_text);
    let depth = told.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let thought = score.map(|score| format!("{score}{depth}"));
    let time = timed.then(|| format!("{:.3}s", told.time.as_secs_f64()));
    [thought, time].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A score in seeds.
pub(super) fn score_text(score: InfoScore) -> String {
    match score.value {
        ScoreValue::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        ScoreValue::Mate(moves) => format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
    }
}
