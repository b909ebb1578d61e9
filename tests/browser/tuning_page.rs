//! The page of a tuning run.

use crate::report_page::MISFITS;
use serde_json::json;
use std::process::Command;
use support::browser::Browser;
use support::programs::referee_path;
use support::scene::{Scene, built, words};
use support::tools::chromium;

#[test]
fn the_page_fits_a_phone_and_a_desk() {
    let Some(program) = chromium() else { return };
    let scene = Scene::new();
    let engine = built("examples/tunable", &["-p", "kroo-referee", "--example", "tunable"]);
    let options = "depth=1 --param Aim,20,0,200,12,0.03 --param Nerve,float,0.9,0,1,0.08,0.03 --iterations 20 --pairs 2 \
        --max-moves 40 --random-plies 4 --html run.html";
    let mut command = Command::new(referee_path());
    command.args(["tune", "--engine", &format!("cmd={}", engine.display())]).args(words(options));
    let output = command.current_dir(scene.dir.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let address = format!("file://{}", scene.path("run.html").display());
    let mut browser = Browser::open(&program, scene.dir.path(), (1280, 900), &address);
    for (width, height) in [(360, 740), (390, 844), (1280, 900)] {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        assert_eq!(browser.value(MISFITS), json!([0]), "{width}");
    }
    let drawn = "[...document.querySelectorAll('.card > svg')].filter((e) => e.getBoundingClientRect().width > 300).length";
    assert_eq!(browser.value(drawn), 2);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
