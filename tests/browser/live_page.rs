//! The live page: boards that move, then the report; and no text of a picture covers another one.

use crate::report_page::{MISFITS, STICKS, keep};
use serde_json::{Value, json};
use support::browser::Browser;
use support::scene::{Scene, signal, words};
use support::spectator::Match;
use support::tools::chromium;

/// Whether the first two small boards are side by side, with numbers of at least 9 pixels and no letters.
const SMALL: &str = "(() => { const [one, other] = [...document.querySelectorAll('#running .tile')].map((e) => e.getBoundingClientRect()); \
    const board = document.querySelector('.tile .board'), text = parseFloat(getComputedStyle(board.querySelector('.pit text')).fontSize); \
    const scale = board.getBoundingClientRect().width / board.viewBox.baseVal.width; \
    return one.top === other.top && text * scale >= 9 && !board.querySelector('.letter').checkVisibility(); })()";

/// Looks at the page in all sizes, and in the dark.
fn fits_phones_and_a_desk(browser: &mut Browser) {
    for (width, height) in [(360, 740), (390, 844), (1280, 1400)] {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.until(&format!("innerWidth === {width}"));
        assert_eq!(browser.value(MISFITS), json!([0]), "{width}");
        keep(&browser.picture(), &format!("watch-{width}.png"));
        assert_eq!(browser.value(STICKS), json!(width < 760), "{width}");
        // Small boards are side by side, even on a phone, and their numbers can be read.
        assert_eq!(browser.value(SMALL), json!(true), "{width}");
    }
    let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    browser.call("Emulation.setEmulatedMedia", dark);
    keep(&browser.picture(), "watch-dark.png");
}

#[test]
fn a_browser_sees_boards_move_and_then_the_report() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let hostile = "name=<img src=x onerror=window.owned=1>";
    let one = [scene.engine("late", &["nodes=1"]), vec![hostile.to_owned()]].concat();
    let one: Vec<String> = one.into_iter().filter(|word| word != "name=late").collect();
    let engines = [one, scene.engine("last", &["nodes=1"])].concat();
    let mut played = Match::of(
        scene,
        &[engines, words("--rounds 1000 --concurrency 3 --max-moves 14 --sprt elo0=0 elo1=5")],
    );
    let mut browser = Browser::open(&program, played.scene.dir.path(), (1280, 1400), &played.page);
    browser.until("document.querySelectorAll('#running .tile').length === 3");
    let seeds = "[...document.querySelectorAll('#running .count')].map((e) => e.textContent).join()";
    let before = browser.value(seeds).as_str().unwrap().to_owned();
    browser.until(&format!("{seeds} !== {before:?}"));
    assert_eq!(browser.value("document.querySelectorAll('.tile')[0].querySelectorAll('.seed').length"), 48);
    browser.until("document.querySelectorAll('#games button').length >= 3");
    browser.until("document.getElementById('state').textContent.startsWith('Live: ')");
    let moving = json!({"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]});
    browser.call("Emulation.setEmulatedMedia", moving);
    // On the large board the moves are seen; a click on a small one brings its game there.
    browser.value(
        "globalThis.carried = 0; new MutationObserver(() => { carried = Math.max(carried, \
         document.querySelectorAll('#featured-board .hand .seed').length); }) \
         .observe(document.querySelector('#featured-board'), { childList: true, subtree: true }); 1",
    );
    browser.until("carried > 0");
    // The board that is clicked may change before the button of the mouse is up again.
    let shown = "document.querySelector('#running .tile:nth-child(2) small').textContent";
    browser.click_slowly("#running .tile:nth-child(2) .pit .hollow", |browser| {
        let pressed = browser.value(shown);
        browser.until(&format!("{shown} !== {pressed}"));
    });
    browser.until(
        "[...document.querySelectorAll('#running .tile')].map((e) => e.getAttribute('aria-pressed')).join() === 'false,true,false'",
    );
    let complete = "document.querySelectorAll('#standings tr').length === 3 && document.querySelectorAll('#cards svg').length === 3";
    assert_eq!(browser.value(complete), true);
    fits_phones_and_a_desk(&mut browser);
    // A game that is over can be walked while others are played. New ones change neither what is pressed nor what is seen.
    let list = "document.getElementById('games')";
    let newer = |browser: &mut Browser| {
        let newest = browser.value(&format!("{list}.firstChild.dataset.game"));
        browser.until(&format!("{list}.firstChild.dataset.game !== {newest}"));
    };
    let number = browser.value(&format!("{list}.children[1].dataset.game"));
    let entry = format!("#games [data-game={number}]");
    browser.click_slowly(&entry, newer);
    browser.until(&format!("location.hash.includes('game=' + {number} + '&')"));
    browser.value(&format!(
        "globalThis.height = () => document.querySelector({entry:?}).getBoundingClientRect().y; \
         scrollTo(0, 0); globalThis.before = height(); 1"
    ));
    newer(&mut browser);
    let kept = "[scrollY, Math.abs(height() - before) < 2, document.activeElement.dataset.game]";
    assert_eq!(browser.value(kept), json!([0, true, number]));
    browser.click("#next");
    browser.until("document.getElementById('said').textContent.startsWith('Move 1 of ')");

    signal(&played.referee.0, "TERM");
    browser.until("document.getElementById('state').textContent.startsWith('The match is over.')");
    assert_eq!(browser.value("document.getElementById('running-card').hidden"), true);
    let report = played.end();
    let count = report.json["result"]["games"].as_u64().unwrap();
    let about = browser.value("document.getElementById('about').textContent");
    assert!(about.as_str().unwrap().contains(&format!(" {count} games were played")), "{about}");
    assert_eq!(browser.value("document.querySelectorAll('#games button').length"), count);
    browser.click("#last");
    browser.until("document.getElementById('said').textContent.includes('Result ')");
    keep(&browser.picture(), "watch-over.png");
    assert_eq!(browser.value("window.owned ?? null"), Value::Null);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

/// Texts of pictures that touch each other or a sample of the legend, or are not within their picture.
const OVERLAPS: &str = "[...document.querySelectorAll('#cards svg')].flatMap((svg) => { \
    const box = (e) => [e.textContent.trim() || e.tagName, e.getBoundingClientRect()], [, around] = box(svg); \
    const texts = [...svg.querySelectorAll('text')].filter((e) => e.textContent.trim()).map(box), title = svg.closest('.card').querySelector('h2'); \
    const samples = [...svg.querySelectorAll('rect')].slice(1).map(box); \
    const touch = ([one, a], [other, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom \
      ? [one + ' and ' + other] : []; \
    const out = texts.filter(([, a]) => a.left < around.left || a.right > around.right || a.top < around.top || a.bottom > around.bottom); \
    return [...out.map(([name]) => name + ' is cut off'), ...texts.flatMap((one, index) => \
      [box(title), ...samples, ...texts.slice(index + 1)].flatMap((other) => touch(one, other)))]; })";

#[test]
fn legend_titles_and_numbers_do_not_overlap() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let names =
        ["MWMWMWMWMWMWMWMWMW", "WWWWWWWWWWWWWWWWWW", &"An engine with a long name, version 12. ".repeat(2)];
    let engines = names.map(|name| {
        let words =
            scene.engine("unhurried", &["nodes=1"]).into_iter().filter(|word| word != "name=unhurried");
        words.chain([format!("name={}", name.trim())]).collect::<Vec<_>>()
    });
    let played = Match::of(scene, &[engines.concat(), words("--rounds 10000 --max-moves 30")]);
    let mut browser = Browser::open(&program, played.scene.dir.path(), (1280, 900), &played.page);
    let legend = "document.querySelectorAll('#cards svg').length >= 2 && [...document.querySelectorAll('#cards svg')] \
        .every((svg) => svg.textContent.includes('MWMW') && svg.textContent.includes('An engine with'))";
    browser.until(legend);
    for width in [360, 390, 760, 844, 1280] {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.until(&format!("innerWidth === {width}"));
        assert_eq!(browser.value(OVERLAPS), json!([]), "{width}");
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    // One that is gone is missed.
    signal(&played.referee.0, "KILL");
    browser.until("document.getElementById('state').textContent.startsWith('The referee does not answer: ')");
}
