//! Charts as SVG, drawn by `plotters`: the evolution experiment and the referee's report.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::io;
use std::ops::Range;

const FONT: &str = "sans-serif";
/// Heights in pixels.
const TITLE: u32 = 20;
/// Margin of a chart in pixels; on the right half of an axis number is outside the chart.
const MARGIN: u32 = 12;
const RIGHT: u32 = 24;
/// Pixels for the numbers and name of an axis.
const AXIS: [u32; 2] = [52, 60];
/// Most numbers of an axis.
const NUMBERS: usize = 8;
/// The legend: height of a row, width of a sample, the largest size of letters that a page shows a picture with.
const ROW: u32 = 22;
const SAMPLE: i32 = 18;
const LARGEST: f64 = 16.0;

/// Colours that are distinct with any colour vision (Okabe and Ito, "Color Universal Design", 2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(RGBColor);

impl Colour {
    pub const ORANGE: Colour = Colour(RGBColor(230, 159, 0));
    pub const SKY_BLUE: Colour = Colour(RGBColor(86, 180, 233));
    pub const GREEN: Colour = Colour(RGBColor(0, 158, 115));
    pub const VERMILION: Colour = Colour(RGBColor(213, 94, 0));
    pub const BLUE: Colour = Colour(RGBColor(0, 114, 178));
    pub const BLACK: Colour = Colour(BLACK);
    pub const PURPLE: Colour = Colour(RGBColor(204, 121, 167));
    /// All colours, in order of use.
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

#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// The title; empty for none.
    pub title: String,
    /// Height in pixels.
    pub height: u32,
    pub x: Axis,
    pub y: Axis,
    /// The series; later ones cover earlier ones.
    pub series: Vec<Series>,
    /// Marked values of the vertical axis, with their names.
    pub marks: Vec<(f64, String)>,
}

#[derive(Clone, Debug, Default)]
pub struct Axis {
    pub name: String,
    pub range: Range<f64>,
    /// Whether numbers are shown in per cent.
    pub in_percent: bool,
}

/// A curve or band. A series without a name is not in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    pub colour: Colour,
    pub shape: Shape,
}

/// The shape of a series, from left to right. All numbers are finite.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A line through points; a dot if there is only one.
    Line(Vec<(f64, f64)>),
    /// The area between two lines: x, the lower and the upper y.
    Band(Vec<(f64, f64, f64)>),
}

/// Draws charts from top to bottom.
pub fn svg(width: u32, charts: &[Chart]) -> String {
    let mut text = String::new();
    let height = charts.iter().map(|chart| chart.height).sum();
    draw(&mut text, (width, height), charts).expect("writing to a string does not fail");
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
    fn clamp(&self, value: f64) -> f64 {
        let Range { start, end } = self.range();
        value.clamp(start, end)
    }

    /// The range, made finite and non-empty.
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
            .margin_right(RIGHT)
            .x_label_area_size(AXIS[0])
            .y_label_area_size(AXIS[1])
            .build_cartesian_2d(self.x.range(), self.y.range())?;
        let percent = |value: &f64| format!("{:.0} %", 100.0 * value);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).x_desc(&self.x.name).y_desc(&self.y.name);
        mesh.x_label_formatter(&number).y_label_formatter(if self.y.in_percent { &percent } else { &number });
        mesh.x_labels(NUMBERS).y_labels(NUMBERS);
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

    /// Draws the legend above the curves, which it cannot hide there. Returns the area below it.
    fn draw_legend<'a>(
        &self,
        area: &DrawingArea<SVGBackend<'a>, Shift>,
    ) -> Result<DrawingArea<SVGBackend<'a>, Shift>, DrawingAreaErrorKind<io::Error>> {
        let width = i32::try_from(area.dim_in_pixel().0).unwrap_or(i32::MAX);
        let left = (MARGIN + AXIS[1]).cast_signed();
        let (mut x, mut y) = (left, MARGIN.cast_signed());
        let named: Vec<&Series> = self.series.iter().filter(|series| !series.name.is_empty()).collect();
        for Series { name, colour: Colour(colour), shape } in &named {
            let (name, letters) = cut(name, width - left - SAMPLE - 6);
            let wide = SAMPLE + 6 + letters + SAMPLE;
            if x > left && x + wide > width {
                (x, y) = (left, y + ROW.cast_signed());
            }
            let half = if matches!(shape, Shape::Line(_)) { 1 } else { 5 };
            let style = if half == 1 { colour.filled() } else { colour.mix(0.25).filled() };
            area.draw(&Rectangle::new([(x, y + 6 - half), (x + SAMPLE, y + 6 + half)], style))?;
            area.draw(&Text::new(name, (x + SAMPLE + 6, y), (FONT, 13)))?;
            x += wide;
        }
        let rows = if named.is_empty() { 0 } else { (y.cast_unsigned() - MARGIN) / ROW + 1 };
        Ok(area.split_vertically(rows * ROW).1)
    }
}

/// A name that fits into a width, and its own width at most. One that does not fit ends in an ellipsis.
fn cut(name: &str, room: i32) -> (String, i32) {
    let (mut ends, mut width) = (Vec::new(), 0.0);
    for letter in name.chars() {
        width += LARGEST * relative_width(letter);
        ends.push(width.ceil() as i32);
    }
    let whole = ends.last().copied().unwrap_or(0);
    if whole <= room {
        return (name.to_owned(), whole);
    }
    let rest = room - LARGEST.ceil() as i32;
    let fit = ends.iter().take_while(|&&end| end <= rest).count();
    (name.chars().take(fit).chain(['…']).collect(), room)
}

/// The width of a letter in wide fonts without serifs, as a fraction of their size.
fn relative_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | 'I' | ' ' | '.' | ',' | ':' | '/' | '-' | '(' | ')' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' | '+' | '=' | '~' | '<' | '>' => 0.84,
        ' '..='~' => 0.64,
        _ => 1.0,
    }
}

/// A number of an axis, without trailing zeros and with a minus sign.
fn number(value: &f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.replace('-', "−") }
}
