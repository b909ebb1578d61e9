//! The report of a large tournament: a small page, and its games in separate files.

use crate::report_page::MISFITS;
use serde_json::{Value, json};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;
use support::browser::Browser;
use support::programs::referee_path;
use support::scene::line;
use support::scene::{Scene, words};
use support::tools::chromium;

/// The most bytes of a page, however many games there are.
const MOST: u64 = 5_000_000;

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

fn merge(journal: &Path, page: &Path) -> Output {
    Command::new(referee_path()).arg("merge").arg(journal).arg("--html").arg(page).output().unwrap()
}

/// The files in the folder of a page, by their names.
fn files_of(page: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(format!("{}.games", page.display())) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Writes a report of a number of games; returns the time taken.
fn report(scene: &Scene, page: &Path, games: u64) -> f64 {
    let journal = journal(scene, games);
    let began = Instant::now();
    let output = merge(&journal, page);
    let time = began.elapsed().as_secs_f64();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::metadata(page).unwrap().len() < MOST, "{}", fs::metadata(page).unwrap().len());
    assert_eq!(files_of(page).len() as u64, games.div_ceil(100));
    time
}

#[test]
fn a_large_report_is_a_small_page_with_files_beside_it() {
    let scene = Scene::new();
    let page = scene.path("a report.html");
    report(&scene, &page, 2_350);
    let first = files_of(&page);
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("\"games\":") && text.contains("\"index\": [1,0,1,"), "an index only");
    let run = first[0].file_name().unwrap().to_str().unwrap()[..8].to_owned();
    assert!(text.contains(&format!("\"files\": \"a%20report.html.games/{run}-\"")), "{run}");
    let last = fs::read_to_string(first.last().unwrap()).unwrap();
    assert!(last.contains(&format!("takeGames(\"{run}\", 24, [\n")) && last.contains("\"number\":2350"));

    // Another one takes its place, with other files. Foreign files stay.
    let notes = first[0].with_file_name("notes.js");
    fs::write(&notes, "mine").unwrap();
    let journal = scene.path("journal");
    assert!(merge(&journal, &page).status.success());
    let second = files_of(&page);
    assert!(second.contains(&notes) && first.iter().all(|file| !second.contains(file)), "{second:?}");
    assert_eq!(second.len(), first.len() + 1);

    // One that fails leaves the page and its files as they were.
    let whole = fs::read(&journal).unwrap();
    let at = whole.len() - 2_000;
    fs::write(&journal, [&whole[..at], b"damaged", &whole[at..]].concat()).unwrap();
    assert_eq!(merge(&journal, &page).status.code(), Some(1));
    assert_eq!(files_of(&page), second);

    // A small one needs no files.
    let engines = ["thoughtful", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let html = vec!["--html".to_owned(), page.display().to_string()];
    scene.run(&[engines, words("--rounds 1"), html]).assert_played(2);
    assert_eq!(files_of(&page), [notes]);
    assert!(fs::read_to_string(&page).unwrap().contains("\"games\":"));
}

#[test]
fn a_page_has_its_files_where_a_folder_can_be() {
    let scene = Scene::new();
    let page = scene.path("page.html");
    fs::write(scene.path("page.html.games"), "a file").unwrap();
    let output = merge(&journal(&scene, 2_000), &page);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("page.html.games, and this is no folder"), "{errors}");
    // A match finds it before its first game, whether it will have many games or not.
    let engines = ["thoughtful", "last"].map(|manner| scene.engine(manner, &["depth=1"])).concat();
    let html = vec!["--html".to_owned(), page.display().to_string()];
    let report = scene.run(&[engines, words("--rounds 1"), html]);
    assert_eq!((report.status, report.stdout.as_str()), (1, ""), "{}", report.stderr);
    assert_eq!(fs::read_to_string(scene.path("page.html.games")).unwrap(), "a file");
}

/// A hundred thousand games, as was asked for: `.ci/long` makes them.
#[test]
#[ignore = "it takes half a minute and 400 MB of disk; two thousand games are tested above"]
fn a_hundred_thousand_games_fit_a_small_page() {
    let scene = Scene::new();
    let page = scene.path("page.html");
    let time = report(&scene, &page, 100_000);
    let length = fs::metadata(&page).unwrap().len();
    let _ = writeln!(io::stderr(), "100,000 games: {time:.1} s, a page of {length} bytes");
    walk(&scene, &page, 99_998);
}

#[test]
fn a_phone_opens_a_game_that_is_far_down() {
    let scene = Scene::new();
    let page = scene.path("page #1.html");
    report(&scene, &page, 2_400);
    walk(&scene, &page, 2_398);
}

/// Goes to games in a browser as wide as a phone.
fn walk(scene: &Scene, page: &Path, far: u64) {
    let Some(program) = chromium() else { return };
    let address = format!(
        "file://{}#game={far}&ply=3",
        page.display().to_string().replace(' ', "%20").replace('#', "%23")
    );
    let mut browser = Browser::open(&program, scene.dir.path(), (390, 844), &address);
    let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let said = "document.getElementById('said').textContent";
    browser.until(&format!("{said}.startsWith('Move 3 of ')"));
    let title = "document.getElementById('title').textContent";
    assert!(browser.value(title).as_str().unwrap().starts_with(&format!("Game {far}: last (South) ")));
    assert_eq!(browser.value("document.querySelectorAll('#board .seed').length"), 48);
    assert_eq!(browser.value(MISFITS), json!([0]));
    // The list has them all, and finds one; its moves come when it is asked for.
    assert!(
        browser
            .value("document.getElementById('found').textContent")
            .as_str()
            .unwrap()
            .starts_with("the first 500 of ")
    );
    let search = |browser: &mut Browser, text: &str| {
        browser.value(&format!(
            "(() => {{ const search = document.getElementById('search'); search.value = {text:?}; \
             search.dispatchEvent(new Event('input')); }})()"
        ));
    };
    search(&mut browser, "1234 ");
    browser.click("#games button");
    browser.until(&format!("{title}.startsWith('Game 1234: ')"));
    browser.click("#last");
    browser.until(&format!("{said}.includes('Result ')"));
    let loaded = "[...document.scripts].filter((script) => script.getAttribute('src')).length";
    assert_eq!(browser.value(loaded), 2, "no more files than were needed");
    // Without its files the page says what it lacks, and the others go on.
    fs::rename(format!("{}.games", page.display()), scene.path("elsewhere")).unwrap();
    search(&mut browser, "7 ");
    browser.click("#games button[data-game='7']");
    browser.until(&format!("{title}.includes('has to be in the same folder')"));
    search(&mut browser, "1235 ");
    browser.click("#games button");
    browser.until(&format!("{title}.startsWith('Game ')"));
}
