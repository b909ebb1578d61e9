//! A run as a picture, SVG: above the points, below the weights of the best player.
//!
//! A player chooses the same whatever its weights are multiplied by, so each generation's are shown as parts of their
//! length, between −1 and 1.

use crate::checkpoint::Run;
use kroo::players::evolved::TERM_NAMES;
use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 900);
const FONT: &str = "sans-serif";
/// Okabe and Ito's colours, which all can tell apart.
const COLOURS: [RGBColor; 6] = [
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 0, 0),
];

/// How much longer the axis below is than the run, for the names of the curves.
const LEGEND: f64 = 1.1;

/// Why there is no picture.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Draws a run.
///
/// # Errors
/// If it cannot be drawn.
pub fn svg(run: &Run) -> Result<String, Failure> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        let (above, below) = area.split_vertically(420);
        points(run, &above).map_err(failed)?;
        weights(run, &below).map_err(failed)?;
        area.present().map_err(failed)?;
    }
    Ok(text)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    error.to_string().into()
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The last generation, at least 2, so that there is an axis.
fn last(run: &Run) -> f64 {
    run.generations.len().max(2) as f64
}

fn points(run: &Run, area: &Area<'_>) -> Drawn {
    let settings = &run.settings;
    let games = settings.population.saturating_sub(1) as f64 * f64::from(settings.meetings);
    let [win, _, loss] = settings.points;
    let (least, most) = (games * win.min(loss) as f64, games * win.max(loss) as f64);
    let title = format!(
        "{}: {} players, {} survivors, depth {}, seed {}",
        settings.variant, settings.population, settings.survivors, settings.depth, settings.seed
    );
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 20))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d(1.0..last(run), least..most.max(least + 1.0))?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("generation").y_desc("points").draw()?;
    let rows: Vec<(f64, f64, f64, f64)> = run
        .generations
        .iter()
        .map(|one| (f64::from(one.generation), one.best().1 as f64, one.median(), one.spread()))
        .collect();
    let above = rows.iter().map(|&(x, _, median, spread)| (x, median + spread));
    let below = rows.iter().rev().map(|&(x, _, median, spread)| (x, median - spread));
    let band = COLOURS[1].mix(0.25);
    chart
        .draw_series([Polygon::new(above.chain(below).collect::<Vec<_>>(), band.filled())])?
        .label("median ± one standard deviation of the points")
        .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 18, y + 5)], band.filled()));
    let mut curve = |name: &str, colour: RGBColor, points: Vec<(f64, f64)>| -> Drawn {
        let series = LineSeries::new(points, colour.stroke_width(2));
        chart.draw_series(series)?.label(name).legend(move |(x, y)| line(x, y, colour));
        Ok(())
    };
    curve("median", COLOURS[4], rows.iter().map(|&(x, _, median, _)| (x, median)).collect())?;
    curve("best", COLOURS[3], rows.iter().map(|&(x, best, _, _)| (x, best)).collect())?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

fn weights(run: &Run, area: &Area<'_>) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .caption("the best player's weights, as parts of their length", (FONT, 20))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d(1.0..last(run) * LEGEND, -1.0..1.0)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("generation").y_desc("weight").draw()?;
    for (term, (name, colour)) in TERM_NAMES.into_iter().zip(COLOURS).enumerate() {
        let points = run.generations.iter().map(|one| {
            let weights = one.best().0.weights;
            let length = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
            (f64::from(one.generation), if length > 0.0 { weights[term] / length } else { 0.0 })
        });
        let series = LineSeries::new(points.collect::<Vec<_>>(), colour.stroke_width(2));
        chart.draw_series(series)?.label(name).legend(move |(x, y)| line(x, y, colour));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

fn line(x: i32, y: i32, colour: RGBColor) -> PathElement<(i32, i32)> {
    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
}
