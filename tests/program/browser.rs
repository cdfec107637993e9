//! The page of `--http` in a real browser. Nothing is cut off in wide or narrow windows, in light
//! or dark colours. The page follows the sweep, and shows when the sweep has ended.
//!
//! The test is skipped if Chromium is not installed. `SWEEP_SCREENSHOTS=FOLDER` writes screenshots
//! to FOLDER.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::support::served_sweep::ServedSweep;
use crate::waiting::PATIENCE;

/// A browser without a window, controlled through pipes by the Chrome DevTools protocol.
struct Browser {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: Value,
    last: u64,
    /// Messages of the browser that are not answers.
    events: VecDeque<Value>,
    _profile: tempfile::TempDir,
}

impl Browser {
    fn start() -> Option<Self> {
        let found =
            |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
        let Some(name) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(found) else {
            println!("skipped: Chromium is not installed (Debian: apt install chromium)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // The protocol uses descriptors 3 and 4. The sandbox is off, since it needs privileges that
        // test machines lack.
        let script = format!(
            "exec {name} --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
             --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
             --disable-dev-shm-usage --user-data-dir=\"$0\" --remote-debugging-pipe 3<&0 4>&1 >/dev/null 2>&1"
        );
        let mut process = Command::new("sh")
            .args(["-c", &script])
            .arg(profile.path())
            .env("TMPDIR", profile.path()) // a killed browser leaves a folder there
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let (session, events) = (Value::Null, VecDeque::new());
        let mut browser = Self { process, commands, answers, session, last: 0, events, _profile: profile };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let target = json!({"targetId": target["targetId"], "flatten": true});
        browser.session = browser.ask("Target.attachToTarget", target)["sessionId"].clone();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.ask(domain, json!({}));
        }
        Some(browser)
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut command = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_null() {
            command["sessionId"] = self.session.clone();
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.answers.read_until(0, &mut bytes).unwrap();
            assert!(bytes.pop().is_some(), "the browser has exited");
            let answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push_back(answer);
        }
    }

    /// Runs a script on the page and returns its value.
    fn evaluate(&mut self, script: &str) -> Value {
        let params = json!({"expression": script, "awaitPromise": true, "returnByValue": true});
        let result = self.ask("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{script}: {result}");
        result["result"]["value"].clone()
    }

    #[track_caller]
    fn wait_for(&mut self, script: &str) {
        let start = Instant::now();
        while self.evaluate(script) != true {
            assert!(start.elapsed() < PATIENCE, "false after {PATIENCE:?}: {script}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    fn open(&mut self, url: &str) {
        self.ask("Page.navigate", json!({"url": url}));
        self.wait_for("document.readyState == 'complete' && document.querySelector('main') != null");
    }

    fn resize(&mut self, width: u32, scheme: &str) {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600});
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.ask("Emulation.setEmulatedMedia", features);
    }

    fn screenshot(&mut self, name: &str) {
        let picture = self.ask("Page.captureScreenshot", json!({"captureBeyondViewport": true}));
        let picture = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        assert!(picture.starts_with(b"\x89PNG"));
        if let Some(folder) = std::env::var_os("SWEEP_SCREENSHOTS") {
            std::fs::write(PathBuf::from(folder).join(name), picture).unwrap();
        }
    }

    /// Returns the errors of the page, including violations of its content security policy.
    fn errors(&self) -> Vec<String> {
        let is_error = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            _ => false,
        };
        self.events.iter().filter(is_error).map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Elements that extend beyond the page, elements whose text extends beyond them, and numbers with
/// a line break.
const CUT: &str = "[...document.body.querySelectorAll('*')].filter(e => !e.closest('.hidden, [hidden]')).filter(e => {
    const box = e.getBoundingClientRect();
    if (e.matches('.tiles div:first-child strong') && e.getClientRects().length > 1) return true;
    return box.right > innerWidth + 1 || box.left < -1 || (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0);
}).map(e => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 60)).join('; ')";

/// Clicks the button that copies the command, and returns the text that is copied with the
/// clipboard's function.
const COPY: &str = "new Promise(copied => {
    navigator.clipboard.writeText = async text => copied(text);
    document.querySelector('.copy').click();
})";

/// Does the same on a page without that function, as on a server that is not this machine.
const COPY_WITHOUT_CLIPBOARD: &str = "new Promise(copied => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => { copied(getSelection().toString()); return true; };
    document.querySelector('.copy').click();
})";

/// The least contrast between the text of an element and the page, as defined by WCAG 2.
const CONTRAST: &str = "(() => {
    const light = color => {
        const [r, g, b] = color.match(/[\\d.]+/g).map(x => x / 255)
            .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.body).backgroundColor);
    return Math.min(...[...document.querySelectorAll('h1, h2, p, dt, dd, td, th, a, span:not(.hidden)')].map(e => {
        const text = light(getComputedStyle(e).color);
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    }));
})()";

#[test]
fn the_page_fits_any_width_follows_the_sweep_and_shows_its_end() {
    let Some(mut browser) = Browser::start() else { return };
    // Values of several lengths, and then endless failures.
    let plan = ["0..=3000000", "4611686018427387000..=MAX"];
    let mut sweep = ServedSweep::start(
        &[&["--exhaustive", "--codec", "article2015", "--max-failures", "0"], &plan[..]].concat(),
    );
    let url = sweep.url.clone();
    browser.resize(1280, "light");
    browser.open(&url);
    browser.wait_for(
        "document.querySelector('polyline') != null && document.querySelector('.failures') != null",
    );
    let first = browser.evaluate("document.querySelector('.tiles strong').textContent");
    browser.evaluate("window.stayed = true");
    browser.wait_for(&format!("document.querySelector('.tiles strong').textContent != {first}"));
    assert_eq!(browser.evaluate("window.stayed"), true, "the page updates without a reload");
    for width in [1280, 400, 320] {
        for scheme in ["light", "dark"] {
            browser.resize(width, scheme);
            assert_eq!(browser.evaluate(CUT), "", "cut off at {width} pixels");
            let contrast = browser.evaluate(CONTRAST).as_f64().unwrap();
            assert!(contrast >= 4.5, "{contrast} at {width} pixels, {scheme}");
            browser.screenshot(&format!("live-{width}-{scheme}.png"));
        }
    }
    let command = browser.evaluate("document.querySelector('.replay code').textContent");
    assert_eq!(browser.evaluate(COPY), command);
    assert_eq!(browser.evaluate(COPY_WITHOUT_CLIPBOARD), command);
    let command = command.as_str().unwrap();
    let range = "--exhaustive 4611686018427387904..=";
    assert!(
        command.starts_with("sweep --type i64 --codec article2015 ") && command.contains(range),
        "{command}"
    );
    assert_eq!(browser.errors(), [""; 0]);
    browser.evaluate("document.querySelector('form').style.width = '5000px'");
    assert_ne!(browser.evaluate(CUT), "", "the script finds an element that is cut off");
    browser.evaluate("document.querySelector('form').style.width = ''");
    assert_eq!(sweep.end(), Some(1), "the sweep had failures");
    browser.wait_for("!document.querySelector('#lost').hidden");
    assert!(
        browser
            .evaluate("document.querySelector('#lost').textContent")
            .as_str()
            .unwrap()
            .contains("has ended")
    );
    assert_eq!(browser.evaluate(CUT), "");
}
