//! Curves as pictures (SVG), drawn by `plotters`: the learning curve, the evolution experiment, and the referee's report.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::io;
use std::ops::Range;

const FONT: &str = "sans-serif";
/// Heights in pixels.
const TITLE: u32 = 20;
/// Pixels that are left free around a chart.
const MARGIN: u32 = 12;
/// Pixels for the numbers and the name of an axis.
const AXIS: [u32; 2] = [44, 60];
/// A row of the legend: its height, the width of a sample, and of a letter at the most.
const ROW: u32 = 22;
const SAMPLE: i32 = 18;
const LETTER: i32 = 8;

/// Colours that all people can tell apart (Okabe and Ito, "Color Universal Design", 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(RGBColor);

impl Colour {
    /// Orange.
    pub const ORANGE: Colour = Colour(RGBColor(230, 159, 0));
    /// Sky blue.
    pub const SKY_BLUE: Colour = Colour(RGBColor(86, 180, 233));
    /// Bluish green.
    pub const GREEN: Colour = Colour(RGBColor(0, 158, 115));
    /// Vermilion.
    pub const VERMILION: Colour = Colour(RGBColor(213, 94, 0));
    /// Blue.
    pub const BLUE: Colour = Colour(RGBColor(0, 114, 178));
    /// Black.
    pub const BLACK: Colour = Colour(BLACK);
    /// Reddish purple.
    pub const PURPLE: Colour = Colour(RGBColor(204, 121, 167));
    /// One after the other, for curves whose number is not known beforehand.
    pub const ALL: [Colour; 7] = [
        Colour::BLUE,
        Colour::VERMILION,
        Colour::GREEN,
        Colour::ORANGE,
        Colour::PURPLE,
        Colour::SKY_BLUE,
        Colour::BLACK,
    ];
}

/// A picture of one chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What stands above it; nothing if it is empty.
    pub title: String,
    /// Its height, in pixels.
    pub height: u32,
    /// What runs to the right, and from where to where.
    pub x: Axis,
    /// What goes up.
    pub y: Axis,
    /// What is drawn, the first below.
    pub series: Vec<Series>,
    /// Heights with a meaning of their own, and what they are called.
    pub marks: Vec<(f64, String)>,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What it shows.
    pub name: String,
    /// From where to where.
    pub range: Range<f64>,
    /// Whether its numbers are shown as parts of a hundred.
    pub in_percent: bool,
}

/// What is drawn in one colour. A series without a name is not in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// Its shape.
    pub shape: Shape,
}

/// The shape of a series, from left to right. All its numbers are finite.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A line through points; a dot if there is only one.
    Line(Vec<(f64, f64)>),
    /// What lies between two lines: x, the lower and the upper y.
    Band(Vec<(f64, f64, f64)>),
}

/// Draws charts below each other.
///
/// # Panics
/// Never: a text has room for every picture.
#[must_use]
pub fn svg(width: u32, charts: &[Chart]) -> String {
    let mut text = String::new();
    let height = charts.iter().map(|chart| chart.height).sum();
    draw(&mut text, (width, height), charts).expect("a text has room for every picture");
    text
}

type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

fn draw(text: &mut String, size: (u32, u32), charts: &[Chart]) -> Drawn {
    let mut area = SVGBackend::with_string(text, size).into_drawing_area();
    area.fill(&WHITE)?;
    for chart in charts {
        let (above, below) = area.split_vertically(chart.height);
        chart.draw(&above)?;
        area = below;
    }
    area.present()
}

impl Axis {
    /// A value within the range: whatever is outside is drawn on the edge.
    fn clamp(&self, value: f64) -> f64 {
        let Range { start, end } = self.range();
        value.clamp(start, end)
    }

    /// The range, of some length whatever was given.
    fn range(&self) -> Range<f64> {
        let Range { start, end } = self.range;
        match (start.is_finite(), end.is_finite() && end > start) {
            (true, true) => start..end,
            (true, false) => start..start + 1.0,
            (false, _) => 0.0..1.0,
        }
    }
}

impl Chart {
    fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Drawn {
        let mut area = area.clone();
        if !self.title.is_empty() {
            area = area.titled(&self.title, (FONT, TITLE))?;
        }
        let area = self.draw_legend(&area)?;
        let mut builder = ChartBuilder::on(&area);
        let mut chart = builder
            .margin(MARGIN)
            .x_label_area_size(AXIS[0])
            .y_label_area_size(AXIS[1])
            .build_cartesian_2d(self.x.range(), self.y.range())?;
        let percent = |value: &f64| format!("{:.0} %", 100.0 * value);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).x_desc(&self.x.name).y_desc(&self.y.name);
        mesh.x_label_formatter(&number).y_label_formatter(if self.y.in_percent { &percent } else { &number });
        mesh.draw()?;
        for (height, name) in &self.marks {
            let Range { start, end } = self.x.range();
            let height = self.y.clamp(*height);
            let style = BLACK.mix(0.5);
            chart.draw_series(DashedLineSeries::new([(start, height), (end, height)], 5, 4, style.into()))?;
            chart.draw_series([Text::new(name.clone(), (start, height), (FONT, 12))])?;
        }
        let place = |x: f64, y: f64| (self.x.clamp(x), self.y.clamp(y));
        for Series { colour, shape, .. } in &self.series {
            let &Colour(colour) = colour;
            match shape {
                Shape::Line(points) if points.len() == 1 => chart
                    .draw_series(points.iter().map(|&(x, y)| Circle::new(place(x, y), 3, colour.filled())))?,
                Shape::Line(points) => chart.draw_series(LineSeries::new(
                    points.iter().map(|&(x, y)| place(x, y)),
                    colour.stroke_width(2),
                ))?,
                Shape::Band(points) => {
                    let above = points.iter().map(|&(x, _, upper)| place(x, upper));
                    let below = points.iter().rev().map(|&(x, lower, _)| place(x, lower));
                    let corners: Vec<_> = above.chain(below).collect();
                    chart.draw_series([Polygon::new(corners, colour.mix(0.25).filled())])?
                }
            };
        }
        Ok(())
    }

    /// Draws the names of the series above the curves, which they cannot hide there. Returns the area below them.
    fn draw_legend<'a>(
        &self,
        area: &DrawingArea<SVGBackend<'a>, Shift>,
    ) -> Result<DrawingArea<SVGBackend<'a>, Shift>, DrawingAreaErrorKind<io::Error>> {
        let width = i32::try_from(area.dim_in_pixel().0).unwrap_or(i32::MAX);
        let left = (MARGIN + AXIS[1]).cast_signed();
        let (mut x, mut y) = (left, MARGIN.cast_signed());
        let named: Vec<&Series> = self.series.iter().filter(|series| !series.name.is_empty()).collect();
        for Series { name, colour: Colour(colour), shape } in &named {
            let letters = i32::try_from(name.chars().count()).unwrap_or(i32::MAX / LETTER / 2);
            let wide = SAMPLE + 6 + letters * LETTER + SAMPLE;
            if x > left && x + wide > width {
                (x, y) = (left, y + ROW.cast_signed());
            }
            let half = if matches!(shape, Shape::Line(_)) { 1 } else { 5 };
            let style = if half == 1 { colour.filled() } else { colour.mix(0.25).filled() };
            area.draw(&Rectangle::new([(x, y + 6 - half), (x + SAMPLE, y + 6 + half)], style))?;
            area.draw(&Text::new(name.clone(), (x + SAMPLE + 6, y), (FONT, 13)))?;
            x += wide;
        }
        let rows = if named.is_empty() { 0 } else { (y.cast_unsigned() - MARGIN) / ROW + 1 };
        Ok(area.split_vertically(rows * ROW).1)
    }
}

/// A number of an axis, without decimals that say nothing.
fn number(value: &f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}
