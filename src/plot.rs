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
const AXIS: [u32; 2] = [30, 60];

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
    /// Where the names of the series stand.
    pub legend: Corner,
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

/// A corner of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Corner {
    /// Above on the left.
    #[default]
    UpperLeft,
    /// Above on the right.
    UpperRight,
    /// Below on the right.
    LowerRight,
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
        let mut builder = ChartBuilder::on(area);
        if !self.title.is_empty() {
            builder.caption(&self.title, (FONT, TITLE));
        }
        let mut chart = builder
            .margin(MARGIN)
            .x_label_area_size(AXIS[0])
            .y_label_area_size(AXIS[1])
            .build_cartesian_2d(self.x.range(), self.y.range())?;
        let percent = |value: &f64| format!("{:.0} %", 100.0 * value);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).x_desc(&self.x.name).y_desc(&self.y.name);
        if self.y.in_percent {
            mesh.y_label_formatter(&percent);
        }
        mesh.draw()?;
        for (height, name) in &self.marks {
            let Range { start, end } = self.x.range();
            let height = self.y.clamp(*height);
            let style = BLACK.mix(0.5);
            chart.draw_series(DashedLineSeries::new([(start, height), (end, height)], 5, 4, style.into()))?;
            chart.draw_series([Text::new(name.clone(), (start, height), (FONT, 12))])?;
        }
        let place = |x: f64, y: f64| (self.x.clamp(x), self.y.clamp(y));
        for Series { name, colour, shape } in &self.series {
            let &Colour(colour) = colour;
            let drawn = match shape {
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
            if name.is_empty() {
                continue;
            }
            match shape {
                Shape::Line(_) => drawn.label(name).legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)).into_dyn()
                }),
                Shape::Band(_) => drawn.label(name).legend(move |(x, y)| {
                    Rectangle::new([(x, y - 5), (x + 18, y + 5)], colour.mix(0.25).filled()).into_dyn()
                }),
            };
        }
        if self.series.iter().any(|series| !series.name.is_empty()) {
            let position = match self.legend {
                Corner::UpperLeft => SeriesLabelPosition::UpperLeft,
                Corner::UpperRight => SeriesLabelPosition::UpperRight,
                Corner::LowerRight => SeriesLabelPosition::LowerRight,
            };
            let mut legend = chart.configure_series_labels();
            legend.position(position).background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
        }
        Ok(())
    }
}
