//! A plot of a run as SVG: above the points, below the weights of the best player.
//!
//! A positive factor of all weights does not change a player's choices: the weights are shown normalised to length 1.

use crate::checkpoint::Run;
use crate::population::Generation;
use kroo::players::evolved::TERM_NAMES;
use kroo::plot::{self, Axis, Chart, Colour, Series, Shape};

/// Width in pixels.
const WIDTH: u32 = 960;
/// The colour of each weight.
const COLOURS: [Colour; 6] =
    [Colour::ORANGE, Colour::SKY_BLUE, Colour::GREEN, Colour::VERMILION, Colour::BLUE, Colour::BLACK];
/// Extra length of the lower axis, for the names of the curves.
const LEGEND: f64 = 1.1;

/// Draws a run.
pub fn svg(run: &Run) -> String {
    plot::svg(WIDTH, &[points(run), weights(run)])
}

fn generations(run: &Run, stretched: f64) -> Axis {
    // At least two generations, which an axis needs.
    let last = run.generations.len().max(2) as f64;
    Axis { name: "generation".to_owned(), range: 1.0..last * stretched, in_percent: false }
}

fn points(run: &Run) -> Chart {
    let settings = &run.settings;
    let games = settings.population.saturating_sub(1) as f64 * f64::from(settings.games_per_pairing);
    let [win, _, loss] = settings.points;
    let range = games * win.min(loss) as f64..games * win.max(loss) as f64;
    let of = |value: fn(&Generation) -> f64| {
        run.generations.iter().map(move |one| (f64::from(one.generation), value(one)))
    };
    let spread = run.generations.iter().map(|one| {
        let (median, spread) = (one.median(), one.spread());
        (f64::from(one.generation), median - spread, median + spread)
    });
    let series = |name: &str, colour, shape| Series { name: name.to_owned(), colour, shape };
    Chart {
        title: format!(
            "{}: {} players, {} survivors, depth {}, seed {}",
            settings.variant, settings.population, settings.survivors, settings.depth, settings.seed
        ),
        height: 420,
        x: generations(run, 1.0),
        y: Axis { name: "points".to_owned(), range, in_percent: false },
        series: vec![
            series(
                "median ± one standard deviation of the points",
                Colour::SKY_BLUE,
                Shape::Band(spread.collect()),
            ),
            series("median", Colour::BLUE, Shape::Line(of(|one| one.median()).collect())),
            series("best", Colour::VERMILION, Shape::Line(of(|one| one.best().1 as f64).collect())),
        ],
        ..Chart::default()
    }
}

fn weights(run: &Run) -> Chart {
    let series = TERM_NAMES.into_iter().zip(COLOURS).enumerate().map(|(term, (name, colour))| {
        let points = run.generations.iter().map(|one| {
            let weights = one.best().0.weights;
            let length = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
            (f64::from(one.generation), if length > 0.0 { weights[term] / length } else { 0.0 })
        });
        Series { name: name.to_owned(), colour, shape: Shape::Line(points.collect()) }
    });
    Chart {
        title: "the best player's weights, as parts of their length".to_owned(),
        height: 480,
        x: generations(run, LEGEND),
        y: Axis { name: "weight".to_owned(), range: -1.0..1.0, in_percent: false },
        series: series.collect(),
        ..Chart::default()
    }
}
