//! `referee history`: the tests of changes, as a table and as JSON.

use std::fs::{self, File};
use std::io::Write;
use support::workshop::Workshop;

/// Distant hypotheses, so that few games decide.
const QUICK: &str = "--sprt elo0=0 elo1=100 --random-plies 4 --max-moves 60";

#[test]
fn a_torn_line_of_the_history_harms_no_other() {
    let shop = Workshop::with(("gloomy", 1), ("honest", 2));
    assert_eq!(shop.show(&[]).stdout.lines().count(), 2, "there is no test yet");
    assert_eq!(shop.test("HEAD~1..HEAD", QUICK).status, 0);
    let path = shop.history().join("tests.jsonl");
    let mut file = File::options().append(true).open(&path).unwrap();
    file.write_all(b"{\"schema\":1,\"id\":\"cut").unwrap();
    assert_eq!(shop.test("HEAD~1..HEAD", QUICK).status, 0);
    file.write_all(b"{\"schema\":2}\n{\"schema\":1}\n\n").unwrap();
    let shown = shop.show(&["--json"]);
    assert_eq!(shown.stdout.lines().count(), 2, "{}", shown.stdout);
    assert!(shown.stderr.contains("tests.jsonl:2 is left out: EOF"), "{}", shown.stderr);
    assert!(
        shown.stderr.contains(":4 is left out: it has version 2, and this referee reads version 1"),
        "{}",
        shown.stderr
    );
    assert!(shown.stderr.contains(":5 is left out: missing field"), "{}", shown.stderr);
}

#[test]
fn rows_have_nothing_that_a_terminal_or_a_table_would_obey() {
    let shop = Workshop::new();
    shop.commit("gloomy", 1, "The base");
    shop.commit("honest", 2, "<img src=x onerror=alert(1)>|\u{202e}");
    assert_eq!(shop.test("HEAD~1..HEAD", &format!("{QUICK} --variant oware")).status, 0);
    let rows = shop.show(&[]).stdout;
    assert!(rows.contains("| &lt;img src=x onerror=alert(1)>\\|\\\\u{202e} | oware |"), "{rows}");
    // The page has the same cells as texts, and the way to each report.
    let page = shop.history().join("index.html");
    let shown = shop.show(&["--html", &page.to_string_lossy()]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""), "{}", shown.stderr);
    let text = fs::read_to_string(&page).unwrap();
    let id = shop.records()[0]["id"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with("<!doctype html>\n") && !text.contains("<img") && !text.contains('\u{202e}'),
        "{text}"
    );
    assert!(text.contains(&format!("id=\"t-{id}\"")) && text.contains(&format!("href=\"{id}/report.html\"")));
    let elsewhere = shop.scene.path("page.html");
    assert_eq!(shop.show(&["--html", &elsewhere.to_string_lossy()]).status, 0);
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("href=\"file:///"));
    let refused = shop.show(&["--html", &shop.scene.file("taken", "mine")]);
    assert!(
        refused.status == 1 && refused.stderr.contains("something else is in this file"),
        "{}",
        refused.stderr
    );
}
