//! The report for people, looked at in a real browser.

use crate::browser::{Browser, installed};
use crate::harness::{Scene, words};
use kroo::game::{Game, Move, Pit, Position, Side, Variant};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs, io};

/// A match with a page.
fn report(scene: &Scene, engines: &[&str], more: &str) -> (Value, PathBuf) {
    let page = scene.path("page.html");
    let engines: Vec<String> = engines.iter().flat_map(|manner| scene.engine(manner, &[])).collect();
    let html = vec!["--html".to_owned(), page.to_string_lossy().into_owned()];
    let report = scene.run(&[engines, words(more), words("--recover"), html]);
    assert!(report.stderr.is_empty(), "{}", report.stderr);
    (report.json, page)
}

/// The seeds of a position as the page has them: pits, then stores.
fn seeds(position: &Position) -> Vec<u64> {
    let pits = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| position.row(side).pit(pit)));
    pits.chain(Side::BOTH.map(|side| position.store(side))).map(u64::from).collect()
}

/// What the drawn board shows.
fn drawn(browser: &mut Browser) -> Value {
    browser.value(
        "(() => { const of = (kind) => [...document.querySelectorAll(kind)].map((e) => Number(e.dataset.seeds)); \
         return { seeds: [...of('#board .pit'), ...of('#board .store')], \
         kroos: document.querySelectorAll('#board .pit.kroo').length, \
         from: document.querySelector('#board .pit.from')?.dataset.pit ?? null, \
         said: document.getElementById('said').textContent, dots: document.querySelectorAll('#board .seed').length }; })()",
    )
}

/// Clicks through a game from its start, and compares each board with the rules.
fn click_through(browser: &mut Browser, game: &Value, variant: Variant) -> usize {
    let mut played = Game::new(Position::start(variant));
    let letters = [game["opening"].as_str().unwrap(), game["moves"].as_str().unwrap()].concat();
    browser.click("#first");
    let mut kroos = 0;
    for (ply, letter) in (1..).zip(letters.chars()) {
        browser.click("#next");
        played.play(Move::from_letter(letter).unwrap()).unwrap();
        let (shown, expected) = (drawn(browser), seeds(played.position()));
        assert_eq!(shown["seeds"], json!(expected), "move {ply}, {letter}");
        assert_eq!(shown["from"], letter.to_string());
        let large = expected[..12].iter().filter(|&&seeds| seeds > 12).count();
        assert_eq!(shown["kroos"], large);
        kroos += large;
        let all = expected.iter().sum::<u64>();
        assert!(shown["dots"].as_u64().unwrap() >= all.min(40), "{shown}");
        let said = shown["said"].as_str().unwrap();
        assert!(said.starts_with(&format!("Move {ply} of {}: {letter}, ", letters.len())), "{said}");
    }
    let said = drawn(browser)["said"].as_str().unwrap().to_owned();
    assert!(said.contains(&format!("Result {}", game["result"].as_str().unwrap())), "{said}");
    kroos
}

/// Keeps a picture where somebody wants to look at it.
fn keep(picture: &[u8], name: &str) {
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.len() > 20_000, "{} bytes", picture.len());
    if let Some(folder) = env::var_os("REFEREE_PICTURES") {
        fs::write(PathBuf::from(folder).join(name), picture).unwrap();
    }
}

#[test]
fn a_browser_shows_the_page_and_clicks_through_a_game() {
    let Some(program) = installed() else {
        let loud = "\n*** NO CHROMIUM: the page for people is NOT looked at. Install chromium and run this again. ***\n";
        io::stderr().write_all(loud.as_bytes()).unwrap();
        return;
    };
    let scene = Scene::new();
    let (json, page) =
        report(&scene, &["thoughtful", "last"], "--rounds 4 --max-moves 60 --sprt elo0=0 elo1=5");
    let games = json["games"].as_array().unwrap();
    let address = format!("file://{}#game=3&ply=2", page.display());
    let mut browser = Browser::open(&program, scene.dir.path(), (1200, 1500), &address);
    // The address says where to begin.
    assert!(drawn(&mut browser)["said"].as_str().unwrap().starts_with("Move 2 of "));
    keep(&browser.picture(), "page.png");
    let before = browser.picture();
    assert_eq!(click_through(&mut browser, &games[2], Variant::Awari) > 0, json_has_kroo(&games[2]));
    let after = browser.picture();
    keep(&after, "replayed.png");
    assert!(before != after);
    // The list leads to other games, the search narrows it, a move in the text is a place to go to.
    browser.click("#games button[data-game='2']");
    assert_eq!(browser.value("state.game.number"), 2);
    browser.click("#moves span:nth-child(7)");
    assert_eq!(browser.value("[state.ply, location.hash]"), json!([7, "#game=2&ply=7"]));
    browser.value("document.getElementById('search').value = '4. '; list()");
    let found = |browser: &mut Browser, what: &str| {
        browser.value(&format!("document.querySelectorAll({what:?}).length"))
    };
    assert_eq!(browser.value("document.getElementById('search').value = ''; list(); 1"), 1);
    assert_eq!(found(&mut browser, "#games button"), games.len());
    assert_eq!(found(&mut browser, "#standings tr"), 3);
    assert_eq!(found(&mut browser, "#crosstable tr"), 3);
    // Elo, LLR and seeds; the board and the scores.
    assert_eq!(found(&mut browser, "svg"), 5);
    assert_eq!(found(&mut browser, "#scores polyline[points*=',']"), 1, "one of the two tells scores");
    browser.value("document.querySelector('.grid').scrollIntoView()");
    keep(&browser.picture(), "pictures.png");
    for event in &browser.events {
        assert!(event["method"] != "Runtime.exceptionThrown", "{event}");
        let address = event["params"]["request"]["url"].as_str().unwrap_or("file:");
        assert!(address.starts_with("file:") || address.starts_with("about:"), "the page asks for {address}");
    }
}

/// Whether a kroo comes up in a game.
fn json_has_kroo(game: &Value) -> bool {
    let mut played = Game::new(Position::start(Variant::Awari));
    let letters = [game["opening"].as_str().unwrap(), game["moves"].as_str().unwrap()].concat();
    letters.chars().any(|letter| {
        played.play(Move::from_letter(letter).unwrap()).unwrap();
        seeds(played.position())[..12].iter().any(|&seeds| seeds > 12)
    })
}

#[test]
fn a_page_needs_nothing_else_and_holds_every_game() {
    let scene = Scene::new();
    let (json, page) = report(
        &scene,
        &["honest", "last", "exit-at-go", "thoughtful"],
        "--variant kalah --rounds 1 --random-plies 2 --concurrency 2",
    );
    let text = fs::read_to_string(page).unwrap();
    for outside in ["https:", "src=", "@import", "url(", "<link", "fetch(", "XMLHttp", "import "] {
        assert!(!text.contains(outside), "{outside}");
    }
    let start = text.find("const DATA = ").unwrap() + "const DATA = ".len();
    let end = start + text[start..].find(";\n</script>").unwrap();
    let data: Value = serde_json::from_str(&text[start..end]).unwrap();
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 12);
    for (game, expected) in games.iter().zip(json["games"].as_array().unwrap()) {
        let moves = [expected["opening"].as_str().unwrap(), expected["moves"].as_str().unwrap()].concat();
        assert_eq!((&game["number"], &game["result"]), (&expected["number"], &expected["result"]));
        assert_eq!(game["moves"], moves);
        assert_eq!(game["boards"].as_str().unwrap().len(), 14 * (moves.len() + 1));
    }
    assert!(text.contains("crash: exit-at-go ended with exit status 3"));
    assert!(
        text.contains("<tr><td class=\"name\">by exit-at-go: crash</td><td>6</td><td></td></tr>"),
        "faults are told"
    );
    // Four engines against each other: a cell for each two.
    let cells = text.matches(" of 2").count();
    assert_eq!(cells, 12, "a crosstable of four");
}

#[test]
fn a_page_is_refused_before_the_match_where_it_cannot_stand() {
    let scene = Scene::new();
    let engines = [scene.engine("honest", &[]), scene.engine("last", &[])].concat();
    let refused = |page: &str| {
        let report = scene.run(&[engines.clone(), vec!["--html".to_owned(), page.to_owned()]]);
        assert_eq!((report.status, report.finished()), (1, 0), "{}", report.stdout);
        report.stderr
    };
    assert!(
        refused("/no/such/folder/page.html")
            .contains("/no/such/folder/page.html: there is no folder /no/such/folder")
    );
    let same = scene.path("games.json").to_string_lossy().into_owned();
    assert!(refused(&same).contains("--json and --html"));
}

#[test]
fn hostile_names_are_only_text_and_the_page_runs_nothing_but_its_own() {
    let names = [
        "<script>window.owned=1</script><img src=x onerror=window.owned=2>",
        "\"'></title></script><style>body{display:none}</style>\\u003cb\\x3c",
    ];
    let scene = Scene::new();
    let page = scene.path("page.html");
    let named = ["honest", "exit-at-go"].iter().zip(names).flat_map(|(manner, name)| {
        let words = scene.engine(manner, &["depth=1"]).into_iter();
        words.map(move |word| if word.starts_with("name=") { format!("name={name}") } else { word })
    });
    let html = vec!["--html".to_owned(), page.to_string_lossy().into_owned()];
    let report = scene.run(&[named.collect(), words("--rounds 1 --max-moves 20"), html]);
    report.assert_played(2);
    let text = fs::read_to_string(&page).unwrap();
    let policy =
        text.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';").unwrap();
    assert!(policy < text.find("<title>").unwrap(), "before anything from elsewhere");
    let nonce = text.split("script-src 'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert_eq!(
        (nonce.len(), text.matches(&format!("nonce=\"{nonce}\"")).count()),
        (32, 3),
        "style and two scripts"
    );
    assert_eq!(text.matches("<script").count() + text.matches("<style").count(), 3);
    assert!(!text.contains("style=") && !text.contains("<img"));
    let Some(program) = installed() else {
        io::stderr()
            .write_all(b"\n*** NO CHROMIUM: hostile names are NOT looked at in a browser. ***\n")
            .unwrap();
        return;
    };
    let address = format!("file://{}", page.display());
    let mut browser = Browser::open(&program, scene.dir.path(), (1200, 1500), &address);
    let expected = names.join(" – ");
    assert_eq!(browser.value("document.querySelector('h1').textContent"), expected);
    assert!(browser.value("document.title").as_str().unwrap().starts_with(&expected));
    let button = browser.value("document.querySelector('#games button').textContent");
    assert!(button.as_str().unwrap().contains(&expected), "{button}");
    // The page's own style and script are at work.
    assert_eq!(browser.value("getComputedStyle(document.body).maxWidth"), "1180px");
    assert_eq!(drawn(&mut browser)["seeds"].as_array().unwrap().len(), 14);
    // What might get in all the same is not run, and nothing leaves the page.
    browser.value(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"data:x\" onerror=\"window.owned=3\"><b style=\"color:red\" id=\"red\">x</b>'); \
         const late = document.createElement('script'); late.textContent = 'window.owned=4'; document.body.append(late); \
         fetch('file:///etc/passwd').then(() => { window.owned = 5; }, () => { window.refused = true; }); 1",
    );
    browser.until("window.refused === true");
    assert_eq!(browser.value("window.owned ?? null"), Value::Null);
    assert_ne!(browser.value("getComputedStyle(document.getElementById('red')).color"), "rgb(255, 0, 0)");
}
