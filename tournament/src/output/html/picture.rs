//! Curves as inline SVG.

use std::fmt::Write;

/// The picture, in its own units.
const SIZE: (f64, f64) = (560.0, 300.0);
/// Where the curves are: left, right, top, bottom.
const FRAME: (f64, f64, f64, f64) = (52.0, 548.0, 14.0, 232.0);
/// Colours of curves, one after the other.
const COLOURS: [&str; 8] =
    ["#1f6f8b", "#b3472f", "#3d7a3a", "#8a5a9e", "#b98a00", "#4b5fc0", "#a0522d", "#60717a"];
/// Lines across a picture, about.
const LINES: f64 = 5.0;

/// A curve.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How far the truth may be from a point, to each side.
    pub errors: Vec<Option<f64>>,
}

/// What a picture shows.
pub(super) struct Picture<'a> {
    /// What runs to the right.
    pub across: &'a str,
    /// Its curves.
    pub curves: &'a [Curve],
    /// Heights with a meaning of their own.
    pub marks: &'a [(f64, String)],
}

impl Picture<'_> {
    /// The picture; nothing if there is no point to draw.
    pub fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let Some(right) = points().map(|point| point.0).reduce(f64::max) else { return String::new() };
        let heights = || points().map(|point| point.1).chain(self.marks.iter().map(|mark| mark.0));
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let room = ((high - low) * 0.08).max(0.5);
        let scale = Scale { right: right.max(1.0), low: low - room, high: high + room };
        let (width, height) = SIZE;
        let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\">");
        scale.grid(&mut svg, self.across);
        for (value, text) in self.marks {
            let y = scale.y(*value);
            put(
                &mut svg,
                format_args!(
                    "<line x1=\"{}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#8a8378\" stroke-dasharray=\"5 4\"/>\
                 <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                    FRAME.0,
                    FRAME.1,
                    FRAME.1,
                    y - 4.0,
                    escaped(text)
                ),
            );
        }
        for (curve, colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            scale.curve(&mut svg, curve, colour);
        }
        self.legend(&mut svg);
        svg.push_str("</svg>");
        svg
    }

    fn legend(&self, svg: &mut String) {
        let mut x = FRAME.0;
        for (curve, colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            if curve.name.is_empty() {
                continue;
            }
            put(
                svg,
                format_args!(
                    "<rect x=\"{x:.0}\" y=\"280\" width=\"12\" height=\"4\" fill=\"{colour}\"/>\
                 <text x=\"{:.0}\" y=\"287\">{}</text>",
                    x + 17.0,
                    escaped(&curve.name)
                ),
            );
            x += 30.0 + 7.0 * curve.name.chars().count() as f64;
        }
    }
}

/// From values to places.
struct Scale {
    right: f64,
    low: f64,
    high: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        FRAME.0 + (FRAME.1 - FRAME.0) * value / self.right
    }

    fn y(&self, value: f64) -> f64 {
        FRAME.3 - (FRAME.3 - FRAME.2) * (value.clamp(self.low, self.high) - self.low) / (self.high - self.low)
    }

    fn grid(&self, svg: &mut String, across: &str) {
        let step = round_step((self.high - self.low) / LINES);
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            let y = self.y(value);
            // Never `-0`.
            let shown = if value.abs() < step / 1e6 { 0.0 } else { (value * 1e6).round() / 1e6 };
            put(
                svg,
                format_args!(
                    "<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>",
                    FRAME.0,
                    FRAME.1,
                    FRAME.0 - 6.0,
                    y + 4.0
                ),
            );
            value += step;
        }
        let step = round_step(self.right / LINES).max(1.0);
        let mut value = 0.0;
        while value <= self.right {
            let x = self.x(value);
            put(
                svg,
                format_args!(
                    "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"/>\
                 <text class=\"soft\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                    FRAME.3,
                    FRAME.3 + 4.0,
                    FRAME.3 + 18.0
                ),
            );
            value += step;
        }
        let middle = (FRAME.0 + FRAME.1) / 2.0;
        put(
            svg,
            format_args!(
                "<text class=\"soft\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                FRAME.3 + 36.0,
                escaped(across)
            ),
        );
    }

    fn curve(&self, svg: &mut String, curve: &Curve, colour: &str) {
        let place = |x: f64, y: f64| format!("{:.1},{:.1} ", self.x(x), self.y(y));
        let known =
            || curve.points.iter().zip(&curve.errors).filter_map(|(&(x, y), error)| Some((x, y, (*error)?)));
        let upper: String = known().map(|(x, y, error)| place(x, y + error)).collect();
        let lower: Vec<String> = known().map(|(x, y, error)| place(x, y - error)).collect();
        if !upper.is_empty() {
            let lower: String = lower.into_iter().rev().collect();
            put(svg, format_args!("<polygon points=\"{upper}{lower}\" fill=\"{colour}\" opacity=\"0.14\"/>"));
        }
        if let Some(&(x, y)) = curve.points.last() {
            let (x, y) = (self.x(x), self.y(y));
            put(svg, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>"));
        }
        let line: String = curve.points.iter().map(|&(x, y)| place(x, y)).collect();
        put(
            svg,
            format_args!(
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>"
            ),
        );
    }
}

/// 1, 2 or 5 times a power of ten, not less than this.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(power * 10.0)
}

/// Text that is no markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, expected) in [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (70.0, 100.0), (0.02, 0.02)]
        {
            assert!((round_step(least) - expected).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn a_picture_has_its_curves_and_no_number_that_is_none() {
        let curve = Curve {
            name: "a <b>".to_owned(),
            points: vec![(0.0, 1.0), (4.0, -2.0)],
            errors: vec![None, Some(1.0)],
        };
        let svg = Picture { across: "games", curves: &[curve], marks: &[(3.0, "H1".to_owned())] }.svg();
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("<polyline") && svg.contains(">H1<"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let flat = Curve { points: vec![(0.0, 0.0)], errors: vec![None], ..Curve::default() };
        assert!(!Picture { across: "", curves: &[flat], marks: &[] }.svg().contains("NaN"));
        assert_eq!(Picture { across: "", curves: &[], marks: &[] }.svg(), "");
    }
}
