//! A match that shows whether learning helps: a learner with a small depth against an opponent that never changes.
//!
//! Everything else is fixed: depths, openings, empty tables at the start of each game. So without learning, all rounds would be
//! alike.

use super::output::say;
use crate::files;
use crate::game::{Game, MOVE_LIMIT, Position, Rng, Side, Variant, Verdict};
use crate::level::Strength;
use crate::players::{Kroo, Player, PlayerConfig, Silent, Turn, player};
use crate::plot::{self, Axis, Chart, Colour, Series, Shape};
use crate::roster::PlayerName;
use crate::search::Request;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The picture's width and height, in pixels.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 360;

/// The parameters of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The rule set.
    pub variant: Variant,
    /// Games of each opening from either side.
    pub rounds: usize,
    /// Number of openings.
    pub openings: usize,
    /// Random moves of each opening except the first, which has none.
    pub plies: usize,
    /// The learner's depth in plies.
    pub depth: u8,
    /// The opponent's depth in plies.
    pub against: u8,
    /// The random seed.
    pub seed: u64,
    /// The name of the files, without extensions.
    pub out: PathBuf,
}

/// Plays the match and writes the files.
pub(super) fn trial(plan: &Trial) -> Result<(), Box<dyn std::error::Error>> {
    let named = |end: &str| PathBuf::from(format!("{}.{end}", plan.out.display()));
    let lessons = named("learn");
    if let Err(error) = fs::remove_file(&lessons)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(format!("{} cannot be deleted: {error}", lessons.display()).into());
    }
    let mut learner = Kroo::new(plan.variant, Some(&lessons))?;
    let mut teacher = player(PlayerName::Kroo, &PlayerConfig::new(plan.variant))?;
    let openings = openings(plan);
    let mut csv = String::from("game,round,opening,side,points,seeds,moves\n");
    let mut scores: Vec<f64> = Vec::new();
    for round in 1..=plan.rounds {
        let mut points = 0.0;
        for (number, opening) in openings.iter().enumerate() {
            for side in Side::BOTH {
                let game = play(plan, opening.clone(), side, &mut learner, &mut *teacher);
                learner.learn(&game, side);
                if let Some(trouble) = learner.remarks().first() {
                    return Err(trouble.clone().into());
                }
                let (won, lead) = outcome(&game, side);
                points += won;
                let played = scores.len() * 2 * openings.len() + 2 * number + side.index() + 1;
                let moves = game.moves().len();
                writeln!(csv, "{played},{round},{},{},{won},{lead},{moves}", number + 1, side.letter())?;
            }
        }
        let games = 2 * openings.len();
        scores.push(points / games as f64);
        say(&format!("{} round {round}: {points} of {games}", plan.variant))?;
    }
    files::replace(&named("csv"), csv.as_bytes())?;
    let title = format!(
        "{}: kroo at depth {} with LearnFile against depth {}, {} games a round",
        plan.variant,
        plan.depth,
        plan.against,
        2 * openings.len()
    );
    let drawn = picture(title, &scores);
    Ok(files::replace(&named("svg"), drawn.as_bytes())?)
}

/// The score of each round, from 0 to 1, as a curve.
fn picture(title: String, scores: &[f64]) -> String {
    let points = scores.iter().zip(1_u32..).map(|(&score, round)| (f64::from(round), score)).collect();
    let curve = Series { name: String::new(), colour: Colour::BLUE, shape: Shape::Line(points) };
    let chart = Chart {
        title,
        height: HEIGHT,
        x: Axis { name: "round".to_owned(), range: 1.0..scores.len() as f64, in_percent: false },
        y: Axis { name: "score".to_owned(), range: 0.0..1.0, in_percent: true },
        series: vec![curve],
        ..Chart::default()
    };
    plot::svg(WIDTH, &[chart])
}

/// The start, and positions after random moves.
fn openings(plan: &Trial) -> Vec<Game> {
    let mut rng = Rng::new(plan.seed);
    let mut openings = vec![Game::new(Position::start(plan.variant))];
    while openings.len() < plan.openings {
        let mut game = openings[0].clone();
        for _ in 0..plan.plies {
            let moves = game.position().moves();
            if !moves.is_empty() {
                let mv = moves[rng.below(moves.len() as u64) as usize];
                game.play(mv).expect("a move that was listed is legal");
            }
        }
        if game.position().verdict().is_none() {
            openings.push(game);
        }
    }
    openings
}

/// Plays a game to its end.
fn play(plan: &Trial, mut game: Game, side: Side, learner: &mut Kroo, teacher: &mut dyn Player) -> Game {
    let tables = [(); 2].map(|()| Turn::new(&game).table);
    while game.position().verdict().is_none() && game.moves().len() < MOVE_LIMIT {
        let mine = game.position().side() == side;
        let depth = if mine { plan.depth } else { plan.against };
        let request = Request { depth, solver_share: 0, ..Request::new(&game) };
        let turn = Turn {
            game: game.clone(),
            request,
            strength: Strength::FULL,
            table: tables[usize::from(mine)].clone(),
        };
        let report =
            if mine { learner.choose(&turn, &mut Silent) } else { teacher.choose(&turn, &mut Silent) };
        game.play(report.pv[0]).expect("a player's move is legal");
    }
    game
}

/// The points of a side, and its lead in seeds.
fn outcome(game: &Game, side: Side) -> (f64, i32) {
    let position = game.position();
    let lead = i32::from(position.store(side)) - i32::from(position.store(side.other()));
    let points = match (position.verdict_for(side), lead) {
        (Some(Verdict::Win), _) | (None, 1..) => 1.0,
        (Some(Verdict::Draw), _) | (None, 0) => 0.5,
        _ => 0.0,
    };
    (points, lead)
}
