//! A real browser, driven through its debugging pipe: two named pipes, with messages that end with a zero byte.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A browser that takes longer is killed.
const LIMIT: Duration = Duration::from_secs(180);

/// A browser with one page.
pub struct Browser {
    process: Child,
    to: File,
    from: BufReader<File>,
    session: Option<String>,
    last: u64,
    /// Unsolicited events: the method and its parameters.
    pub events: Vec<Value>,
}

impl Browser {
    /// Starts a browser with its files in a folder and a window of a given size, and opens a page.
    pub fn open(program: &Path, folder: &Path, window: (u32, u32), address: &str) -> Browser {
        let pipes = ["to", "from"].map(|name| folder.join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
        let process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$TO\" 4>\"$FROM\""])
            .arg(program)
            .args([
                "--headless",
                "--force-prefers-reduced-motion",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg(format!("--window-size={},{}", window.0, window.1))
            .env("TO", &pipes[0])
            .env("FROM", &pipes[1])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let number = process.id().to_string();
        thread::spawn(move || {
            thread::sleep(LIMIT);
            let _ = Command::new("kill").args(["-KILL", &number]).stderr(Stdio::null()).status();
        });
        let to = File::options().write(true).open(&pipes[0]).unwrap();
        let from = BufReader::new(File::open(&pipes[1]).unwrap());
        let mut browser = Browser { process, to, from, session: None, last: 0, events: Vec::new() };
        // In a window of its own: behind another page it might be hidden, and draw nothing.
        let target = json!({"url": "about:blank", "newWindow": true, "width": window.0, "height": window.1});
        let target = browser.call("Target.createTarget", target);
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.call("Page.navigate", json!({"url": address}));
        browser.until("document.readyState === 'complete' && location.protocol !== 'about:'");
        browser
    }

    /// Calls a method and waits for its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "the browser has ended at {method}");
            let heard: Value = serde_json::from_slice(&bytes).unwrap();
            if heard["id"] == self.last {
                assert!(heard["error"].is_null(), "{method}: {heard}");
                return heard["result"].clone();
            }
            self.events.push(heard);
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true});
        let result = self.call("Runtime.evaluate", asked);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true, for half of the time that a browser has.
    pub fn until(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != true {
            assert!(began.elapsed() < LIMIT / 2, "not true in time: {expression}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The errors and warnings on the console.
    pub fn complaints(&self) -> Vec<&Value> {
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        self.events.iter().filter(is_bad).collect()
    }

    /// Clicks with the mouse on the centre of the element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        self.click_slowly(selector, |_| {});
    }

    /// Presses the mouse there, does something, and releases it. On a page that moves, the element may be elsewhere when the
    /// press comes: then it is pressed again where it is now.
    pub fn click_slowly(&mut self, selector: &str, meanwhile: impl FnOnce(&mut Browser)) {
        let began = Instant::now();
        loop {
            let place = self.value(&format!(
                "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); \
                 const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
            ));
            let mouse = |browser: &mut Browser, kind, [x, y]: [&Value; 2]| {
                let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
                browser.call("Input.dispatchMouseEvent", event);
            };
            mouse(self, "mousePressed", [&place[0], &place[1]]);
            if self.value(&format!("document.querySelector({selector:?}).matches(':active')")) == true {
                meanwhile(self);
                return mouse(self, "mouseReleased", [&place[0], &place[1]]);
            }
            // A release elsewhere is no click.
            mouse(self, "mouseReleased", [&json!(0), &json!(0)]);
            assert!(began.elapsed() < LIMIT / 2, "not pressed in time: {selector}");
        }
    }

    /// A picture of the window, as PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let result = self.call("Page.captureScreenshot", json!({"format": "png"}));
        decoded(result["data"].as_str().unwrap())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Base64: six bits a character.
fn decoded(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
