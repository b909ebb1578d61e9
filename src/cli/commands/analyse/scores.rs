//! Scores as text and as JSON.

use crate::game::{Move, Side, Verdict};
use crate::search::ReportedLine;
use crate::value::{Proof, Score};
use serde_json::{Value as Json, json};

/// The side from which scores are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointOfView {
    South,
    /// The side that moves.
    Mover,
}

impl PointOfView {
    /// The names on the command line.
    pub(super) const NAMES: [&str; 2] = ["south", "mover"];

    pub(super) fn called(name: &str) -> PointOfView {
        if name == "mover" { PointOfView::Mover } else { PointOfView::South }
    }

    pub(super) const fn name(self) -> &'static str {
        PointOfView::NAMES[self as usize]
    }

    pub(super) const fn header(self) -> &'static str {
        match self {
            PointOfView::South => "Scores for South: +1.00 is one seed in South's favour.",
            PointOfView::Mover => "Scores for the mover: +1.00 is one seed in favour of the side to move.",
        }
    }

    /// A score of the side to move, seen from here.
    pub(super) fn of(self, score: Score, to_move: Side) -> Score {
        if self == PointOfView::South && to_move == Side::North { score.turned() } else { score }
    }
}

/// A score in seeds with its result: `+3.00 win` if it is proven, `>= +3.00 win` if the win may be larger, and `+3.00 found win` if
/// it is not proven.
pub fn shown(score: Score) -> String {
    let seeds = f64::from(score.value.shown_centiseeds()) / 100.0;
    let bound = match score.proof {
        Proof::AT_LEAST => ">= ",
        Proof::AT_MOST => "<= ",
        _ => "",
    };
    match (score.proven(), score.found()) {
        (Some(proven), _) => format!("{bound}{seeds:+.2} {}", proven.word()),
        (None, Some(found)) => format!("{seeds:+.2} found {}", found.word()),
        (None, None) => format!("{seeds:+.2}"),
    }
}

/// The first moves of a line with their score.
pub(super) fn written(score: Score, line: &[Move]) -> String {
    let moves: Vec<String> = line.iter().take(6).map(Move::to_string).collect();
    format!("{} ({})", moves.join(" "), shown(score))
}

/// A score for programs.
pub fn score_json(score: Score) -> Json {
    json!({ "centiseeds": score.value.shown_centiseeds(), "proven": score.proven().map(Verdict::word),
        "found": score.found().map(Verdict::word), "exact": score.proof.is_exact(), "wdl": score.chances() })
}

impl PointOfView {
    /// The number of a line, its score and its moves.
    pub(super) fn line(self, number: usize, line: &ReportedLine) -> String {
        let to_move = line.pv[0].side;
        let mut score = shown(self.of(line.score, to_move));
        if line.is_lower_bound {
            let turns = self.of(Score { proof: Proof::AT_LEAST, ..line.score }, to_move).proof.at_most;
            score.insert_str(0, if turns { "<= " } else { ">= " });
        }
        let moves: Vec<String> = line.pv.iter().map(Move::to_string).collect();
        format!("{number}. {score:>17}  {}", moves.join(" "))
    }

    /// A line with its score for programs.
    pub(super) fn line_json(self, line: &ReportedLine) -> Json {
        let mut json = score_json(self.of(line.score, line.pv[0].side));
        json["depth"] = line.depth.into();
        json["stopped"] = line.is_lower_bound.into();
        json["pv"] = line.pv.iter().map(Move::to_string).collect::<String>().into();
        json
    }
}
