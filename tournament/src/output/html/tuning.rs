//! The page of a tuning run: a table of the parameters, and a picture of each. It has no script.

use super::parts::{head, nonce};
use super::picture::{Curve, Picture};
use super::report::card;
use crate::ledger::results::Summary;
use crate::output::text;
use crate::output::tuning_report::TuningReport;
use crate::plan::{MatchPlan, joined_names};
use crate::tuning::Parameter;
use horrorshow::{Raw, html};
use kroo::printable::{agreeing, counted};

/// The page, after its beginning.
pub(in crate::output) fn tuning_page(report: &TuningReport, plan: &MatchPlan, summary: &Summary) -> String {
    let pictures = report.plan().parameters.iter().enumerate().map(|(place, parameter)| {
        card(&format!("{} over the iterations", parameter.name), &picture(report, place, parameter))
    });
    let pictures: String = pictures.collect();
    let body = html! {
        h1 : joined_names(&plan.all_names(), " – ");
        p(class = "about") : about(report, plan, summary);
        : Raw(card("Parameters", &report.table().html()));
        div(class = "grid") : Raw(&pictures);
        : Raw(card("Words for a match", &lines(&format!("--each {}", report.words()))));
        : Raw(card("Lines for --params, to go on from here", &lines(&report.lines().join("\n"))));
    };
    let head = head(plan, &nonce(), false);
    format!("<html lang=\"en\"><head>{head}</head><body>{body}</body></html>\n")
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

/// How a value has moved.
fn picture(report: &TuningReport, place: usize, parameter: &Parameter) -> String {
    let points = report.curve(place);
    let curve = Curve { errors: vec![None; points.len()], points, ..Curve::default() };
    let marks = [(parameter.start, "start".to_owned())];
    Picture { across: "", curves: &[curve], marks: &marks, least_room: parameter.c_end }.svg()
}
