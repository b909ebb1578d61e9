//! The endgame values of a position and of each of its moves, in words.

use kroo_core::endgames::probe::endgames::Endgames;
use kroo_core::endgames::probe::indexing::Indexing;
use kroo_core::endgames::probe::thresholds::{Thresholds, open_stores};
use kroo_core::game::{Move, Position, Rules, Side, Verdict};
use kroo_core::printable::counted;
use kroo_core::under;
use kroo_core::value::CENTISEEDS;
use std::cmp::{Ordering, Reverse};

/// Lines for people about a position that is not over, the best moves first; `None` if its database is not there.
///
/// In `oware` they are about the position as if none had been seen before. The line that makes a value sure may lead through
/// the position itself, which ends the game; that is taken into account.
pub fn explain(endgames: &Endgames, position: &Position) -> Option<Vec<String>> {
    under!(position.variant(), R => Explain(endgames, position).lines::<R>())
}

#[derive(Clone, Copy)]
struct Explain<'a>(&'a Endgames, &'a Position);

impl Explain<'_> {
    fn lines<R: Rules>(self) -> Option<Vec<String>> {
        let Explain(endgames, position) = self;
        let (seeds, side) = (position.board().seeds(), position.side());
        endgames.built::<R>().filter(|&built| built >= seeds && Endgames::is_about::<R>(position.board()))?;
        let line = |name: &str, text: &str| format!("   {name:<8}{text}");
        let mut lines = vec![line(&side.to_string(), &self.value_for::<R>(position, side, None)?.1)];
        if R::SWEEP_WINS {
            lines.push(line("", &thresholds_text::<R>(self.thresholds_of::<R>(position), seeds)));
        }
        let after = |mv: Move| {
            let next = position.play(mv).expect("the move is legal");
            Some((mv, self.value_for::<R>(&next, side, Some(position))?))
        };
        let moves: Option<Vec<(Move, (i32, String))>> = position.moves().into_iter().map(after).collect();
        let mut moves = moves?;
        moves.sort_by_key(|(_, (key, _))| Reverse(*key));
        lines.extend(moves.into_iter().map(|(mv, (_, text))| line(&mv.to_string(), &text)));
        // A file may have turned out to be damaged meanwhile.
        endgames.built::<R>().filter(|&built| built >= seeds).map(|_| lines)
    }
}

impl Explain<'_> {
    fn thresholds_of<R: Rules>(&self, position: &Position) -> Thresholds {
        let board = position.board();
        let database = self.0.database::<R>(board.seeds()).expect("the database is there");
        database.thresholds(Indexing::get().rank(board))
    }

    /// The value of a position for a side: a key for sorting, the larger the better, and words. `before` is the position
    /// before the side's move, if a move led here. `None` if the file of its database turns out to be damaged.
    fn value_for<R: Rules>(
        &self,
        position: &Position,
        side: Side,
        before: Option<&Position>,
    ) -> Option<(i32, String)> {
        let mine = position.side() == side;
        let turned = |number: i32| if mine { number } else { -number };
        let board = position.board();
        if let Some(verdict) = position.verdict_for(side) {
            let margin = turned(i32::from(board.lead()));
            let key = match verdict {
                _ if R::LEAD_ADDS => margin,
                _ if R::SWEEP_WINS => key_of(verdict),
                _ => 100 * i32::from(position.store(side)) + i32::from(position.store(side)),
            };
            return Some((key, format!("{}, and the game is over", result(verdict, Some(margin)))));
        }
        if !R::LEAD_ADDS && !R::SWEEP_WINS {
            let back = before.filter(|before| before.board().seeds() == board.seeds());
            let paid = back.map(|before| i32::from(R::cycle(before.board()).board.mover.store()));
            return Some(shares_text::<R>(position, side, self.thresholds_of::<R>(position), paid));
        }
        // Gains and thresholds leave nothing open.
        let score = self.0.probe::<R>(board, board.seeds())?;
        let verdict = score.proven()?;
        let verdict = if mine { verdict } else { verdict.turned() };
        if R::LEAD_ADDS {
            let margin = turned(score.value.centiseeds() / CENTISEEDS);
            return Some((margin, result(verdict, Some(margin))));
        }
        Some((key_of(verdict), result(verdict, None)))
    }
}

/// The certain bounds on the seeds that a side will have, store and pits together. `paid` is its total if a repetition ends the
/// game on the way, where that can be.
fn shares_text<R: Rules>(
    position: &Position,
    side: Side,
    bounds: Thresholds,
    paid: Option<i32>,
) -> (i32, String) {
    let left = position.board().seeds();
    let [least, most] = bounds.shares(left);
    let [least, most] = if position.side() == side { [least, most] } else { [left - most, left - least] };
    let [least, most] = [least, most].map(|share| i32::from(position.store(side) + share));
    let least = paid.map_or(least, |paid| least.min(paid));
    let half = i32::from(R::SEEDS / 2);
    let result = match (least.cmp(&half), most.cmp(&half)) {
        (Ordering::Greater, _) => "win",
        (_, Ordering::Less) => "loss",
        (Ordering::Equal, Ordering::Equal) => "draw",
        (Ordering::Equal, _) => "a draw at least",
        (_, Ordering::Equal) => "a draw at most",
        _ => "open",
    };
    let seeds = if least == most { counted(most as u64, "seed") } else { format!("{least} to {most} seeds") };
    (100 * least + most, format!("{result}, {seeds}"))
}

fn key_of(verdict: Verdict) -> i32 {
    verdict as i32
}

fn result(verdict: Verdict, margin: Option<i32>) -> String {
    let name = verdict.word();
    match margin.filter(|_| verdict != Verdict::Draw) {
        None => name.to_owned(),
        // A side can win with fewer seeds where capturing everything wins.
        Some(margin) if (margin > 0) != (verdict == Verdict::Win) => format!("{name} with {margin:+}"),
        Some(margin) => format!("{name} by {}", margin.abs()),
    }
}

/// With which stores the side to move wins and draws.
fn thresholds_text<R: Rules>(Thresholds([wins, draws]): Thresholds, seeds: u8) -> String {
    let possible = open_stores::<R>(seeds);
    let from = |at: u8| match at {
        at if at > *possible.end() => "with no store".to_owned(),
        at if at <= *possible.start() => "with any store".to_owned(),
        at => format!("with {at} in store"),
    };
    format!("wins {}, does not lose {}", from(wins), from(draws))
}
