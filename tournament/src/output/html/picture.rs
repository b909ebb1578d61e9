//! The report's curves, drawn by [`kroo::plot`].

use kroo::plot::{self, Axis, Chart, Colour, Series, Shape};

/// A picture's width and height, in pixels; a reader may see it larger or smaller.
const SIZE: (u32, u32) = (560, 320);
/// Space above and below the curves, as a fraction of their height.
const ROOM: f64 = 0.08;

#[derive(Clone, Debug, Default)]
pub struct Curve {
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How far the truth may be from a point, to each side.
    pub errors: Vec<Option<f64>>,
}

impl Curve {
    /// The ends of its band in its second half. At the beginning it is so high that the curve would be flat, and is cut off.
    fn late_band(&self) -> impl Iterator<Item = f64> {
        let late = self.points.iter().zip(&self.errors).skip(self.points.len() / 2);
        late.flat_map(|(&(_, y), &error)| error.map(|error| [y - error, y + error])).flatten()
    }
}

/// The content of a picture.
pub struct Picture<'a> {
    /// The horizontal axis.
    pub across: &'a str,
    pub curves: &'a [Curve],
    /// Heights with a meaning of their own.
    pub marks: &'a [(f64, String)],
    /// How much is left free above and below the curves at least.
    pub least_room: f64,
}

impl Picture<'_> {
    /// The picture; empty without points.
    pub fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let Some(right) = points().map(|point| point.0).reduce(f64::max) else { return String::new() };
        let bands = || self.curves.iter().flat_map(Curve::late_band);
        let heights =
            || points().map(|point| point.1).chain(bands()).chain(self.marks.iter().map(|mark| mark.0));
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let room = ((high - low) * ROOM).max(self.least_room);
        let (width, height) = SIZE;
        let chart = Chart {
            height,
            x: Axis { name: self.across.to_owned(), range: 0.0..right.max(1.0), ..Axis::default() },
            y: Axis { range: low - room..high + room, ..Axis::default() },
            series: self.curves.iter().zip(Colour::ALL.into_iter().cycle()).flat_map(series).collect(),
            marks: self.marks.to_vec(),
            ..Chart::default()
        };
        plot::svg(width, &[chart])
    }
}

/// A curve, over a band of what it may be.
fn series((curve, colour): (&Curve, Colour)) -> [Series; 2] {
    let known = curve.points.iter().zip(&curve.errors);
    let band = known.filter_map(|(&(x, y), &error)| error.map(|error| (x, y - error, y + error)));
    [
        Series { name: String::new(), colour, shape: Shape::Band(band.collect()) },
        Series { name: curve.name.clone(), colour, shape: Shape::Line(curve.points.clone()) },
    ]
}
