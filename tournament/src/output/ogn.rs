//! A game of a match as text, in the format of [`kroo::ogn`].

use crate::game::SearchInfo;
use crate::ledger::record::GameRecord;
use crate::ledger::results::{COUNTED, Results};
use crate::plan::MatchPlan;
use kroo::ogn::{self, OPENING, date};
use kroo::protocol::{Bound, InfoScore, ScoreValue};

/// A game as text.
///
/// `Game` is its number in the schedule, and `Players` has the places of South and North in the list of engines: they give a file
/// the order and the ranks of the match. `Bye` is the engine that has a bye in this round, by its place and name, and `ByeGames`
/// the games that it counts as won; the last game of a knockout names the `EventWinner`. The tag `Termination` has the reason for
/// the end, and the engine at fault; `TimeControl` has the limits, South's first if they differ; `OpeningPlies` the number of
/// given moves. `counts` are the results with this game; without them it does not count, and the tag `Counted` says so. Each move
/// of an engine has a comment with the score in seeds, after a slash the depth, and then the time. Moves of the opening have
/// none. The time is left out for an engine without a time limit: engines that always play the same moves then make the same
/// file.
pub fn game_text(record: &GameRecord, plan: &MatchPlan, counts: Option<&Results>) -> String {
    let (scheduled, played) = (&record.scheduled, &record.played);
    let [south, north] = plan.names(scheduled);
    let timed = scheduled.players.map(|engine| plan.contestants[engine].limits.is_timed());
    let (players, engines) = (scheduled.players.map(|engine| engine + 1), plan.contestants.len());
    let bye = scheduled.bye.map(|engine| ("Bye", format!("{} {}", engine + 1, plan.name(engine))));
    let bye_games = plan.games_of_bye().map(|games| ("ByeGames", games.to_string()));
    let winner = counts.and_then(|results| results.champion);
    let winner = winner.map(|engine| ("EventWinner", plan.name(engine).to_owned()));
    let uncounted = counts.is_none().then(|| (COUNTED, "no".to_owned()));
    let tags = [
        ("Event", plan.event.title(plan.contestants.len()).to_owned()),
        ("Date", date(record.date)),
        ("Round", scheduled.pairing.round.to_string()),
        ("Game", scheduled.number.to_string()),
        ("South", south.to_owned()),
        ("North", north.to_owned()),
        ("Result", played.outcome.score().to_owned()),
        ("Termination", played.reason([south, north])),
        ("TimeControl", plan.limits_of(scheduled)),
        (OPENING, played.opening.to_string()),
        ("Players", format!("{} and {} of {engines}", players[0], players[1])),
    ];
    let tags = tags.into_iter().chain(bye).chain(bye_games).chain(winner).chain(uncounted);
    let without_comment = std::iter::repeat_n(String::new(), played.opening);
    let moves = &played.game.moves()[played.opening..];
    let comments =
        played.search_info.iter().zip(moves).map(|(info, mv)| comment(info, timed[mv.side.index()]));
    let mut document = ogn::GameRecord::new(played.game.clone());
    tags.for_each(|(name, value)| document.set_tag(name, &value));
    for (notes, comment) in document.notes.iter_mut().zip(without_comment.chain(comments)) {
        notes.comment = comment;
    }
    document.to_string()
}

/// `+0.35/12 0.020s`, or as much of it as is known.
fn comment(info: &SearchInfo, timed: bool) -> String {
    let score = info.score.map(score_text);
    let depth = info.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let score = score.map(|score| format!("{score}{depth}"));
    let time = timed.then(|| format!("{:.3}s", info.time.as_secs_f64()));
    [score, time].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A score in seeds, a bound with its sign.
pub(super) fn score_text(score: InfoScore) -> String {
    let bound = match score.bound {
        Bound::Exact => "",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    };
    match score.value {
        ScoreValue::Cp(cp) => format!("{bound}{:+.2}", f64::from(cp) / 100.0),
        ScoreValue::Mate(moves) => {
            format!("{bound}{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())
        }
    }
}
