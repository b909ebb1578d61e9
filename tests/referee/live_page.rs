//! The live page in a real browser: no text of a picture covers another one.

use serde_json::json;
use support::browser::Browser;
use support::scene::{Scene, words};
use support::spectator::Match;
use support::tools::chromium;

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
}
