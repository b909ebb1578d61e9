//! The page of a tuning run: a table of the parameters, and a picture of each. It has no script.

use super::plain;
use super::report::card;
use crate::ledger::results::Summary;
use crate::output::text;
use crate::output::tuning_report::{TuningReport, row};
use crate::plan::{MatchPlan, joined_names};
use crate::tuning::Parameter;
use horrorshow::{Raw, html};
use kroo::plot::{self, Axis, Chart, Colour, Series, Shape};
use kroo::printable::{agreeing, counted};

/// A picture's width and height, in pixels: a telephone shows it hardly smaller.
const SIZE: (u32, u32) = (420, 260);
/// How much is left free above and below a curve, as a part of what it takes.
const ROOM: f64 = 0.1;

/// The page, after its beginning.
pub(in crate::output) fn tuning_page(report: &TuningReport, plan: &MatchPlan, summary: &Summary) -> String {
    let title = format!("{} ({})", joined_names(&plan.all_names(), " – "), plan.variant.title());
    let pictures = report.plan().parameters.iter().enumerate().map(|(place, parameter)| {
        card(&format!("{} over the iterations", parameter.name), &picture(report, place, parameter))
    });
    let pictures: String = pictures.collect();
    let body = html! {
        h1 : joined_names(&plan.all_names(), " – ");
        p(class = "about") : about(report, plan, summary);
        : Raw(card("Parameters", &table(report)));
        div(class = "grid") : Raw(&pictures);
        : Raw(card("Words for a match", &lines(&format!("--each {}", report.words()))));
        : Raw(card("Lines for --params, to go on from here", &lines(&report.lines().join("\n"))));
    };
    plain::page(&title, &body.to_string())
}

/// The run in a few sentences.
fn about(report: &TuningReport, plan: &MatchPlan, summary: &Summary) -> String {
    let [applied, all] = report.iterations();
    let cut = match &summary.broken {
        Some(why) => format!(" The run is broken: {why}."),
        None if summary.interrupted => " The run was interrupted.".to_owned(),
        None => String::new(),
    };
    let played = summary.score.games;
    format!(
        "{}. {applied} of {} complete, {} {} played.{cut}",
        text::header(plan),
        counted(all, "iteration"),
        counted(played, "game"),
        agreeing(played, "was", "were")
    )
}

fn lines(text: &str) -> String {
    html! { pre : text; }.to_string()
}

fn table(report: &TuningReport) -> String {
    html! {
        table(id = "parameters") {
            tr {
                th(class = "name") : "Parameter";
                @ for title in ["Start", "End", "Rounded", "C_END", "Range"] { th : title; }
            }
            @ for (parameter, value) in report.parameters() {
                tr {
                    @ for (column, cell) in row(parameter, value).iter().enumerate() {
                        td(class? = (column == 0).then_some("name")) : cell;
                    }
                }
            }
        }
    }
    .to_string()
}

/// How a value has moved.
fn picture(report: &TuningReport, place: usize, parameter: &Parameter) -> String {
    let points = report.curve(place);
    let values = || points.iter().map(|point| point.1);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let room = ((high - low) * ROOM).max(parameter.c_end);
    let right = points.last().map_or(1.0, |point| point.0.max(1.0));
    let (width, height) = SIZE;
    let chart = Chart {
        height,
        x: Axis { range: 0.0..right, ..Axis::default() },
        y: Axis { range: low - room..high + room, ..Axis::default() },
        marks: vec![(parameter.start, "start".to_owned())],
        series: vec![Series { name: String::new(), colour: Colour::BLUE, shape: Shape::Line(points) }],
        ..Chart::default()
    };
    plot::svg(width, &[chart])
}
