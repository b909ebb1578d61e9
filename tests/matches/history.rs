//! `referee history`: what tests have left, as a table and as a page.

use std::env;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use support::browser::Browser;
use support::tools::chromium;
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

/// Looks at the page with a window of a width.
fn look(program: &Path, shop: &Workshop, page: &Path, width: u32) {
    let folder = shop.scene.path(&format!("browser-{width}"));
    fs::create_dir(&folder).unwrap();
    let mut browser = Browser::open(program, &folder, (width, 800), &format!("file://{}", page.display()));
    assert_eq!(browser.value("document.getElementById('shown').textContent"), "3 of 3 tests");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true, "at {width}");
    let fits =
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.card'))";
    assert_eq!(browser.value(fits), true, "at {width}");
    assert_eq!(browser.value("document.querySelectorAll('#tests img, #tests script').length"), 0);
    let mut shown = |choose: &str| {
        browser.value(&format!(
            "(() => {{ const set = (id, value) => {{ const input = document.getElementById(id); input.value = value; \
             input.dispatchEvent(new Event('input')); }}; {choose}; \
             return [...document.querySelectorAll('#tests tr[id]')].filter((row) => row.checkVisibility()).length; }})()"
        ))
    };
    assert_eq!(shown("set('variant', 'kalah')"), 1);
    assert_eq!(shown("set('variant', ''); set('verdict', 'rejected')"), 1);
    assert_eq!(shown("set('verdict', ''); set('words', 'BACK engine')"), 1);
    assert_eq!(shown("set('words', 'nothing of this')"), 0);
    assert_eq!(shown("set('words', '')"), 3);
    let faults: Vec<_> = browser.events.iter().filter(|event| event["method"] == "Log.entryAdded").collect();
    assert!(faults.is_empty(), "{faults:?}");
    if let Some(folder) = env::var_os("REFEREE_PICTURES") {
        let picture = browser.picture();
        fs::write(Path::new(&folder).join(format!("tests-{width}.png")), picture).unwrap();
    }
}

#[test]
fn the_page_of_tests_has_a_place_for_each() {
    let hostile = "</script><img src=x onerror=alert(1)>|\u{202e}";
    let shop = Workshop::new();
    shop.commit("gloomy", 1, "The base");
    shop.commit("honest", 2, hostile);
    assert_eq!(shop.test("HEAD~1..HEAD", &format!("{QUICK} --variant oware kalah")).status, 0);
    assert_eq!(shop.test("HEAD..HEAD~1", &format!("{QUICK} --variant oware --name back")).status, 10);
    let page = shop.history().join("index.html");
    let shown = shop.show(&["--html", &page.to_string_lossy()]);
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""), "{}", shown.stderr);
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        text.starts_with("<!doctype html>\n")
            && !text.contains("<img")
            && !text.contains("://")
            && !text.contains('\u{202e}'),
        "{text}"
    );
    for record in shop.records() {
        let id = record["id"].as_str().unwrap();
        assert!(
            text.contains(&format!("id=\"t-{id}\"")) && text.contains(&format!("href=\"{id}/report.html\""))
        );
    }
    // A row has nothing that a terminal or a table would obey.
    let rows = shop.show(&[]).stdout;
    assert!(rows.contains("| &lt;/script>&lt;img src=x onerror=alert(1)>\\|\\\\u{202e} | oware |"), "{rows}");
    // From elsewhere the reports are found by their whole path; the page itself may be written again.
    let elsewhere = shop.scene.path("page.html");
    assert_eq!(shop.show(&["--html", &elsewhere.to_string_lossy()]).status, 0);
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("href=\"file:///"));
    assert_eq!(shop.show(&["--html", &page.to_string_lossy()]).status, 0);
    let taken = shop.scene.file("taken", "mine");
    let refused = shop.show(&["--html", &taken]);
    assert!(
        refused.status == 1 && refused.stderr.contains("something else is in this file"),
        "{}",
        refused.stderr
    );
    let Some(program) = chromium() else { return };
    look(&program, &shop, &page, 1200);
    look(&program, &shop, &page, 390);
}
