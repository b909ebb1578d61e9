//! A curve of scores as a picture (SVG).

use std::fmt::Write;

/// What is drawn.
pub(super) struct Curve<'a> {
    pub title: &'a str,
    /// The score of each round, from 0 to 1.
    pub scores: &'a [f64],
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
/// What is left free around the curve.
const MARGIN: f64 = 48.0;

/// The picture.
pub(super) fn draw(curve: &Curve<'_>) -> String {
    let rounds = curve.scores.len();
    let steps = (rounds.max(2) - 1) as f64;
    let x = |round: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * round as f64 / steps;
    let y = |score: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * score;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{}\" y=\"28\" \
         text-anchor=\"middle\" font-size=\"14\">{}</text>\n",
        WIDTH / 2.0,
        curve.title
    );
    for percent in [0, 25, 50, 75, 100] {
        let level = y(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{level:.1}\" y2=\"{level:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
            WIDTH - MARGIN,
            MARGIN - 6.0,
            level + 4.0
        );
    }
    for round in (0..rounds).filter(|round| (round + 1) % (rounds / 10).max(1) == 0) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(round),
            HEIGHT - MARGIN + 18.0,
            round + 1
        );
    }
    let points: Vec<String> = curve
        .scores
        .iter()
        .enumerate()
        .map(|(round, &score)| format!("{:.1},{:.1}", x(round), y(score)))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1764ab\" stroke-width=\"2\"/>\n<text x=\"{}\" y=\"{}\" \
         text-anchor=\"middle\">round</text>\n</svg>",
        points.join(" "),
        WIDTH / 2.0,
        HEIGHT - 8.0
    );
    svg
}
