//! The report's curves and pictures.

use kroo_referee::output::html::picture::{Curve, Picture};
use kroo_referee::output::html::series::{CHEAP, LEAST_POINTS, POINTS, points};

#[test]
fn ratings_of_many_engines_are_fitted_a_few_times() {
    let fits = |engines: usize| points(engines) * engines.pow(3);
    assert_eq!((points(2), points(3), points(CHEAP)), (POINTS, POINTS, POINTS));
    assert_eq!((points(60), points(200), points(5_000)), (20, LEAST_POINTS, LEAST_POINTS));
    assert!((CHEAP..40).all(|engines| fits(engines) <= fits(CHEAP)));
}

#[test]
fn a_picture_has_its_curves_and_no_number_that_is_none() {
    let curve = Curve {
        name: "a <b>".to_owned(),
        points: vec![(0.0, 1.0), (4.0, -2.0)],
        errors: vec![None, Some(1.0)],
    };
    let svg =
        Picture { across: "games", curves: &[curve], marks: &[(3.0, "H1".to_owned())], least_room: 0.5 }
            .svg();
    assert!(svg.contains("a &lt;b&gt;") && svg.contains("<polyline") && svg.contains("H1"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let flat = Curve { points: vec![(0.0, 0.0)], errors: vec![None], ..Curve::default() };
    assert!(!Picture { across: "", curves: &[flat], marks: &[], least_room: 0.5 }.svg().contains("NaN"));
    assert_eq!(Picture { across: "", curves: &[], marks: &[], least_room: 0.5 }.svg(), "");
}

/// The band of equal engines is as high above their line as below it.
#[test]
fn a_band_is_not_cut_off_at_the_range_of_its_line() {
    let points: Vec<(f64, f64)> = (1..=100).map(|x| (f64::from(x), 300.0 / f64::from(x * x))).collect();
    let errors = (1..=100).map(|x| Some(900.0 / f64::from(x).sqrt())).collect();
    let curve = Curve { name: String::new(), points, errors };
    let svg = Picture { across: "games", curves: &[curve], marks: &[], least_room: 0.5 }.svg();
    let rows = |shape: &str| {
        let (_, rest) = svg.split_once(shape).expect("the shape");
        let (_, rest) = rest.split_once("points=\"").expect("its points");
        let places = rest.split_once('"').expect("their end").0.split_whitespace();
        places
            .map(|place| place.split_once(',').expect("two numbers").1.parse::<f64>().expect("one"))
            .collect::<Vec<_>>()
    };
    let (line, band) = (rows("<polyline fill=\"none\" opacity=\"1\" stroke=\"#0072B2\""), rows("<polygon"));
    assert_eq!(band.len(), 2 * line.len());
    for place in 50..100 {
        let (above, below) = (band[place], band[band.len() - 1 - place]);
        let apart = (line[place] - above, below - line[place]);
        assert!((apart.0 - apart.1).abs() <= 2.0 && apart.0 > 20.0, "{place}: {apart:?}");
    }
}
