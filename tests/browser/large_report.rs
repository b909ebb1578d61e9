//! The report of a large tournament: the first games are in its page, and the page tells how many more there are.

use crate::report_page::MISFITS;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::Command;
use support::browser::Browser;
use support::programs::referee_path;
use support::scene::line;
use support::scene::{Scene, words};
use support::tools::chromium;

/// Most bytes of games in a page.
const MOST_INSIDE: usize = 20_000_000;

/// A journal of a number of games: copies of two games.
fn journal(scene: &Scene, games: u64) -> PathBuf {
    let genuine = scene.path("genuine").display().to_string();
    let engines = ["thoughtful", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let place = vec!["--journal".to_owned(), genuine.clone()];
    scene.run(&[engines, words("--rounds 1"), place]).assert_played(2);
    let text = fs::read_to_string(&genuine).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(&line[9..]).unwrap()).collect();
    lines[0]["plan"]["rounds"] = json!(games / 2);
    let path = scene.path("journal");
    let mut file = BufWriter::new(fs::File::create(&path).unwrap());
    file.write_all(line(&lines[0].to_string()).as_bytes()).unwrap();
    for number in 1..=games {
        let pair = (number - 1) / 2;
        let entry = &mut lines[1 + (number - 1) as usize % 2];
        for (name, value) in [("number", number), ("pair", pair), ("round", pair + 1)] {
            entry[name] = json!(value);
        }
        file.write_all(line(&entry.to_string()).as_bytes()).unwrap();
    }
    file.flush().unwrap();
    path
}

#[test]
fn a_large_report_has_its_first_games_and_counts_the_others() {
    const GAMES: u64 = 8_000;
    let scene = Scene::new();
    let page = scene.path("page #1.html");
    let mut merge = Command::new(referee_path());
    let output = merge.arg("merge").arg(journal(&scene, GAMES)).arg("--html").arg(&page).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&page).unwrap();
    assert!((MOST_INSIDE..MOST_INSIDE + 1_000_000).contains(&text.len()), "{}", text.len());
    let inside = text.matches("{\"number\":").count() as u64;
    assert!((1_000..GAMES).contains(&inside), "{inside}");

    let Some(program) = chromium() else { return };
    let path = page.display().to_string().replace(' ', "%20").replace('#', "%23");
    let address = format!("file://{path}#game={inside}&ply=3");
    let mut browser = Browser::open(&program, scene.dir.path(), (390, 844), &address);
    let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let said = "document.getElementById('said').textContent";
    browser.until(&format!("{said}.startsWith('Move 3 of ')"));
    let title = "document.getElementById('title').textContent";
    assert!(browser.value(title).as_str().unwrap().starts_with(&format!("Game {inside}: ")));
    assert_eq!(browser.value(MISFITS), json!([0]));
    assert_eq!(
        browser.value("document.getElementById('found').textContent"),
        format!("the first 500 of {inside} games")
    );
    assert_eq!(
        browser.value("document.getElementById('beyond').textContent"),
        format!("{} more games are not in this page, but in the file of --games-out (.ogn).", GAMES - inside)
    );
    // All are counted.
    assert_eq!(
        browser.value(&format!(
            "document.querySelector('.about').textContent.includes(' {GAMES} games were played')"
        )),
        true
    );
}
