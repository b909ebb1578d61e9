//! The report for people, looked at and clicked through.

use kroo::game::{Game, Move, Pit, Position, Side, Variant};
use kroo::ogn::Reader;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::{env, fs};
use support::browser::Browser;
use support::scene::{Scene, words};
use support::spectator::Match;
use support::tools::chromium;

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

/// The content of the drawn board.
fn drawn(browser: &mut Browser) -> Value {
    browser.value(
        "(() => { const of = (kind) => [...document.querySelectorAll(kind)].map((e) => Number(e.querySelector('.count').textContent)); \
         return { seeds: [...of('#board .pit'), ...of('[data-place=S]'), ...of('[data-place=N]')], \
         kroos: document.querySelectorAll('#board .pit.kroo').length, \
         captured: [...document.querySelectorAll('#board .pit.bad')].map((e) => e.dataset.place + e.querySelector('.value').textContent.trim()).sort(), \
         from: document.querySelector('#board .pit.last')?.dataset.place ?? null, \
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
        let effects = played.play_telling(Move::from_letter(letter).unwrap()).unwrap();
        let (shown, expected) = (drawn(browser), seeds(played.position()));
        let pits = Side::BOTH.into_iter().flat_map(|side| Pit::ALL.map(|pit| Move { side, pit }));
        let taken = pits.zip(effects.taken.as_flattened()).filter(|&(_, &taken)| taken > 0);
        let captured: Vec<String> = taken.map(|(pit, taken)| format!("{pit}−{taken}")).collect();
        assert_eq!(shown["captured"], json!(captured), "move {ply}, {letter}");
        assert_eq!(shown["seeds"], json!(expected), "move {ply}, {letter}");
        assert_eq!(shown["from"], letter.to_string());
        let large = expected[..12].iter().filter(|&&seeds| seeds > 12).count();
        assert_eq!(shown["kroos"], large);
        kroos += large;
        assert_eq!(shown["dots"], expected.iter().sum::<u64>());
        let said = shown["said"].as_str().unwrap();
        assert!(said.starts_with(&format!("Move {ply} of {}: {letter}, ", letters.len())), "{said}");
    }
    let said = drawn(browser)["said"].as_str().unwrap().to_owned();
    assert!(said.contains(&format!("Result {}", game["result"].as_str().unwrap())), "{said}");
    kroos
}

/// Keeps a picture for inspection.
pub fn keep(picture: &[u8], name: &str) {
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.len() > 20_000, "{} bytes", picture.len());
    if let Some(folder) = env::var_os("REFEREE_PICTURES") {
        fs::write(PathBuf::from(folder).join(name), picture).unwrap();
    }
}

#[test]
fn a_browser_shows_the_page_and_clicks_through_a_game() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let (json, page) =
        report(&scene, &["thoughtful", "last"], "--rounds 4 --max-moves 60 --sprt elo0=0 elo1=5");
    let games = json["games"].as_array().unwrap();
    let address = format!("file://{}#game=3&ply=2", page.display());
    let mut browser = Browser::open(&program, scene.dir.path(), (1200, 1500), &address);
    // The address says where to begin.
    assert!(drawn(&mut browser)["said"].as_str().unwrap().starts_with("Move 2 of "));
    keep(&browser.picture(), "page.png");
    // Next to that of the window, the list of games shows no scrollbar until it is used.
    assert_eq!(
        browser.value("getComputedStyle(document.getElementById('games')).scrollbarColor"),
        "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)"
    );
    let before = browser.picture();
    assert_eq!(click_through(&mut browser, &games[2], Variant::Awari) > 0, json_has_kroo(&games[2]));
    let after = browser.picture();
    keep(&after, "replayed.png");
    assert!(before != after);
    // The list leads to other games, the search narrows it, a move in the text is a place to go to.
    browser.click("#games button[data-game='2']");
    assert_eq!(browser.value("location.hash"), "#game=2&ply=0");
    browser.click("#moves [data-ply='7']");
    assert_eq!(browser.value("location.hash"), "#game=2&ply=7");
    let found = |browser: &mut Browser, what: &str| {
        browser.value(&format!("document.querySelectorAll({what:?}).length"))
    };
    let search = |browser: &mut Browser, text: &str| {
        browser.value(&format!(
            "(() => {{ const search = document.getElementById('search'); search.value = {text:?}; \
             search.dispatchEvent(new Event('input')); }})()"
        ));
        found(browser, "#games button")
    };
    let fourth = format!("4 {} –", games[3]["south"].as_str().unwrap());
    assert_eq!(search(&mut browser, &fourth), 1);
    assert_eq!(search(&mut browser, ""), games.len());
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

/// A relay empties pits without a capture.
#[test]
fn a_page_marks_what_is_captured() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let (json, page) = report(&scene, &["first", "last"], "--variant ayoayo --rounds 2 --max-moves 20");
    let address = format!("file://{}#game=2&ply=abc", page.display());
    let mut browser = Browser::open(&program, scene.dir.path(), (1200, 1500), &address);
    assert!(drawn(&mut browser)["said"].as_str().unwrap().starts_with("Start position"));
    click_through(&mut browser, &json["games"][1], Variant::Ayoayo);
}

#[test]
fn a_report_without_a_game_shows_no_board() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let engines = ["silent-at-go", "last"].map(|manner| scene.engine(manner, &["nodes=1"])).concat();
    let html = vec!["--html".to_owned(), scene.path("page.html").display().to_string()];
    let mut played = Match::of(scene, &[engines, words("--rounds 1"), html]);
    assert_eq!(played.terminate().game_results().len(), 0);
    let address = format!("file://{}", played.scene.path("page.html").display());
    let mut browser = Browser::open(&program, played.scene.dir.path(), (390, 844), &address);
    browser.until("document.querySelector('#board') && !document.querySelector('#board').checkVisibility()");
    assert_eq!(browser.value("document.body.innerText.includes('No game has ended yet.')"), true);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    keep(&browser.picture(), "page-empty.png");
}

/// Misfits: elements wider than the window or their card, and seeds outside of their places.
pub const MISFITS: &str = "(() => { const wide = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.closest('svg') \
    && !e.closest('table') && e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5).map((e) => e.tagName + '#' + e.id); \
    const seeds = [...document.querySelectorAll('#board [data-place]')].flatMap((place) => { const hollow = place.querySelector('.hollow').getBBox(); \
    return [...place.querySelectorAll('.seed')].filter((seed) => { const [x, y, r] = ['cx', 'cy', 'r'].map((name) => Number(seed.getAttribute(name))); \
    return x - r < hollow.x || y - r < hollow.y || x + r > hollow.x + hollow.width || y + r > hollow.y + hollow.height; }).map(() => place.dataset.place); }); \
    return [document.documentElement.scrollWidth - document.documentElement.clientWidth, ...wide, ...seeds]; })()";

/// Whether the standings can be scrolled sideways; the names then stay at the left edge. No tick of an axis ends in `.0`, no number
/// has a hyphen for its minus sign, and the numbers of a picture can be read.
pub const STICKS: &str = "(() => { const card = document.querySelector('#standings').closest('.card'); card.scrollLeft = 9999; \
    const far = card.scrollLeft > 50, name = document.querySelector('#standings td.name').getBoundingClientRect(); card.scrollLeft = 0; \
    if (far && Math.abs(name.left - card.getBoundingClientRect().left) > 2) throw new Error('the names are scrolled away'); \
    const ticks = [...document.querySelectorAll('.card > svg text')].map((e) => e.textContent.trim()).filter((text) => /\\.0+$/.test(text)); \
    if (ticks.length) throw new Error(ticks.join()); \
    const hyphens = [...document.querySelectorAll('.card svg text, #standings td')].map((e) => e.textContent.trim()).filter((text) => /^-/.test(text)); \
    if (hyphens.length) throw new Error(hyphens.join()); \
    const endings = document.querySelector('#endings')?.closest('.card'); \
    if (endings && endings.scrollWidth > endings.clientWidth) throw new Error('the table of ends is too wide'); \
    const svg = document.querySelector('#cards svg, .grid svg'), text = svg.querySelector('text'); \
    const size = parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; \
    if (size < 9) throw new Error(`numbers of ${size} px`); return far; })()";

/// The size of a pit's label on the screen.
const LABEL: &str = "(() => { const board = document.querySelector('#board'), text = getComputedStyle(board.querySelector('.pit text')); \
    return parseFloat(text.fontSize) * board.getBoundingClientRect().width / board.viewBox.baseVal.width; })()";

#[test]
fn the_page_fits_a_phone_and_a_desk_and_gives_its_games_away() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let (json, page) =
        report(&scene, &["thoughtful", "last", "honest"], "--rounds 2 --max-moves 120 --random-plies 2");
    let game = &json["games"].as_array().unwrap()[1];
    let address = format!("file://{}#game={}&ply=0", page.display(), game["number"]);
    let mut browser = Browser::open(&program, scene.dir.path(), (1280, 900), &address);
    browser.click("#last");
    for (width, height) in [(360, 740), (390, 844), (844, 390), (1280, 900)] {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        assert_eq!(browser.value(MISFITS), json!([0]), "{width}");
        assert_eq!(browser.value(STICKS), json!(width < 900), "{width}");
        let label = browser.value(LABEL).as_f64().unwrap();
        assert!(label >= 11.0, "labels of {label} px at {width}");
        keep(&browser.picture(), &format!("page-{width}.png"));
    }
    // At a desk no table is wider than its card. On a phone the board comes before the list of games.
    let too_wide =
        "[...document.querySelectorAll('.card')].filter((e) => e.scrollWidth > e.clientWidth).length";
    assert_eq!(browser.value(too_wide), 0);
    let top = |what: &str| format!("document.getElementById({what:?}).getBoundingClientRect().top");
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true}),
    );
    assert_eq!(browser.value(&format!("{} < {}", top("board"), top("games"))), true);
    // It is dark where the system is.
    let paper = "getComputedStyle(document.body).backgroundColor";
    let light = browser.value(paper);
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    browser.call("Emulation.setEmulatedMedia", dark);
    assert_ne!(browser.value(paper), light);
    keep(&browser.picture(), "page-dark.png");

    // All moves are there, with numbers; a click on the scores goes to a move.
    let moves = [game["opening"].as_str().unwrap(), game["moves"].as_str().unwrap()].concat();
    let shown = "[...document.querySelectorAll('#moves button')].map((e) => e.textContent).join('')";
    assert_eq!(browser.value(shown), moves);
    assert_eq!(browser.value("document.querySelector('#moves .number').textContent"), "1.");
    assert_eq!(
        browser.value("(() => { const e = document.getElementById('moves'); return e.scrollHeight - e.clientHeight; })()"),
        0
    );
    browser.click("#scores");
    let ply = browser.value("Number(location.hash.split('ply=')[1])").as_u64().unwrap() as usize;
    assert!(ply.abs_diff(moves.len() / 2) <= 1 + moves.len() / 20, "{ply} of {}", moves.len());

    // The position as the protocol has it, and the game as a file.
    let line = browser.value("document.getElementById('position').value");
    let start = Position::start(Variant::Awari);
    assert_eq!(line, format!("{start} moves {}", &moves[..ply]));
    browser.click("#copy-game");
    let text = browser.value("document.getElementById('game-file').textContent");
    let read = Reader::new(text.as_str().unwrap().as_bytes()).next().unwrap().unwrap().play().unwrap();
    assert_eq!(read.game.moves().iter().map(|mv| mv.letter()).collect::<String>(), moves);
    for (tag, value) in [("Result", &game["result"]), ("South", &game["south"]), ("North", &game["north"])] {
        assert_eq!(read.tag(tag), value.as_str(), "{tag}");
    }
    assert_eq!(read.opening(), game["opening"].as_str().unwrap().len());
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
    // Gradients of the board are parts of the page itself.
    let text = fs::read_to_string(page).unwrap().replace("url(#", "");
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
    let cells = text.matches("/2</td>").count();
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
    let Some(program) = chromium() else { return };
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
    // Injected code would not run, and the page sends nothing.
    browser.value(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"data:x\" onerror=\"window.owned=3\"><b style=\"color:red\" id=\"red\">x</b>'); \
         const late = document.createElement('script'); late.textContent = 'window.owned=4'; document.body.append(late); \
         fetch('file:///etc/passwd').then(() => { window.owned = 5; }, () => { window.refused = true; }); 1",
    );
    browser.until("window.refused === true");
    assert_eq!(browser.value("window.owned ?? null"), Value::Null);
    assert_ne!(browser.value("getComputedStyle(document.getElementById('red')).color"), "rgb(255, 0, 0)");
}
