//! Pictures: that everything is in them which should be, and that nothing in the numbers can spoil one.

use kroo::plot::{Axis, Chart, Colour, Series, Shape, svg};

fn axis(name: &str, range: std::ops::Range<f64>) -> Axis {
    Axis { name: name.to_owned(), range, in_percent: false }
}

fn chart(shape: Shape) -> Chart {
    let series = Series { name: "a <b> & \"c\"".to_owned(), colour: Colour::VERMILION, shape };
    Chart {
        title: "one <title>".to_owned(),
        height: 200,
        x: axis("games", 0.0..10.0),
        y: axis("points", -1.0..1.0),
        series: vec![series],
        marks: vec![(0.5, "H1".to_owned())],
    }
}

/// The picture is one element, with every letter that means something in SVG escaped, and all its numbers are numbers.
fn assert_sound(picture: &str) {
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    let opened = picture.matches('<').count();
    assert_eq!(opened, picture.matches('>').count(), "{picture}");
}

#[test]
fn a_picture_has_its_curves_names_and_marks() {
    let picture = svg(400, &[chart(Shape::Line(vec![(0.0, 0.0), (5.0, 1.0), (10.0, -1.0)]))]);
    assert_sound(&picture);
    for part in ["one &lt;title&gt;", "a &lt;b&gt; &amp; ", "games", "points", "H1", "#D55E00", "<polyline"] {
        assert!(picture.contains(part), "{part}: {picture}");
    }
    assert!(picture.contains("width=\"400\" height=\"200\""), "{picture}");
    let band = svg(400, &[chart(Shape::Band(vec![(0.0, -0.5, 0.5), (10.0, 0.0, 1.0)]))]);
    assert!(band.contains("<polygon"), "{band}");
    let two = svg(400, &[chart(Shape::Line(Vec::new())), chart(Shape::Line(vec![(1.0, 0.0)]))]);
    assert_sound(&two);
    assert!(two.contains("height=\"400\"") && two.contains("<circle"), "a single point is a dot: {two}");
}

/// A legend is above the curves, and numbers of an axis have no decimals without need.
#[test]
fn a_legend_hides_nothing() {
    let line = Shape::Line(vec![(0.0, 0.0), (10.0, 1.0)]);
    let mut many = chart(line.clone());
    many.height = 300;
    let name = |number| Series { name: format!("engine number {number}"), ..many.series[0].clone() };
    many.series = (0..6).map(name).collect();
    let picture = svg(500, &[many]);
    assert_sound(&picture);
    // The top of the curves is the least y of their points.
    let points = picture.split("<polyline").filter_map(|part| part.split("points=\"").nth(1));
    let ys = points.flat_map(|part| {
        let numbers = part.split('"').next().unwrap_or_default().split_whitespace();
        numbers.filter_map(|pair| pair.split(',').nth(1)?.parse::<f64>().ok()).collect::<Vec<_>>()
    });
    let top = ys.fold(f64::INFINITY, f64::min);
    for number in 0..6 {
        let before = picture.split(&format!("engine number {number}")).next().expect("the text before");
        let y = before.rsplit("<text").next().and_then(|text| text.split("y=\"").nth(1)).expect("a place");
        let y: f64 = y.split('"').next().and_then(|y| y.parse().ok()).expect("a number");
        assert!(y + 13.0 < top, "{number}: {y} and {top}");
    }
    assert!(!picture.contains(".0\n"), "{picture}");
}

#[test]
fn no_range_spoils_a_picture() {
    for range in [0.0..0.0, 1.0..-1.0, 3.0..3.0, 0.0..1e9, -1e-9..1e-9, f64::NAN..1.0, 0.0..f64::INFINITY] {
        let mut flat = chart(Shape::Line(vec![(3.0, 3.0), (-1e12, 1e12), (4.0, 0.0)]));
        (flat.x.range, flat.y.range) = (range.clone(), range);
        assert_sound(&svg(300, &[flat]));
    }
}
