// SPDX-License-Identifier: BSD-3-Clause
//! A chromium without a window, by its protocol for debuggers over two named pipes: descriptors 3 and 4.

use serde_json::{json, Value};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub struct Browser {
    child: Child,
    folder: PathBuf,
    to: File,
    from: BufReader<File>,
    session: Value,
    last: u64,
    exceptions: Vec<String>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Browser {
    /// None if there is no browser.
    pub fn open(page: &Path) -> Option<Browser> {
        let found = Command::new("chromium").arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return None;
        }
        let folder = page.with_extension("browser");
        std::fs::create_dir_all(&folder).unwrap();
        for pipe in ["to", "from"] {
            let path = folder.join(pipe);
            nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        }
        let script = "exec chromium --headless --no-sandbox --disable-gpu --remote-debugging-pipe \
                      --no-first-run --window-size=1280,900 --user-data-dir=\"$PWD/profile\" \
                      3<to 4>from";
        let child = Command::new("sh")
            .args(["-c", script])
            .current_dir(&folder)
            .env("HOME", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(folder.join("to")).unwrap();
        let from = BufReader::new(File::open(folder.join("from")).unwrap());
        let (session, exceptions) = (Value::Null, Vec::new());
        let mut browser = Browser { child, folder, to, from, session, last: 0, exceptions };
        let url = format!("file://{}", page.display());
        let target =
            browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        browser.session = browser.call("Target.attachToTarget", attach)["sessionId"].clone();
        browser.call("Runtime.enable", json!({}));
        browser.call("Page.navigate", json!({"url": url}));
        for _ in 0..600 {
            if browser.eval(
                "document.readyState === 'complete' && !!document.querySelector('[role=tabpanel]')",
            ) == "true"
            {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(browser)
    }

    /// The result of a command; events that come before it are looked at.
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut text = Vec::new();
            self.from.read_until(0, &mut text).unwrap();
            assert_eq!(text.pop(), Some(0), "the browser has ended");
            let mut answer: Value = serde_json::from_slice(&text).unwrap();
            if answer["method"] == "Runtime.exceptionThrown" {
                self.exceptions.push(answer["params"].to_string());
            }
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
        }
    }

    /// The value of an expression, as text.
    pub fn eval(&mut self, expression: &str) -> String {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        match &answer["result"]["value"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    pub fn text(&mut self, selector: &str) -> String {
        self.eval(&format!("document.querySelector(`{selector}`).textContent"))
    }

    pub fn click(&mut self, selector: &str) {
        let middle = "b.width / 2 + ',' + b.height / 2";
        let size = self.eval(&format!(
            "(() => {{ const b = document.querySelector(`{selector}`).getBoundingClientRect(); return {middle}; }})()"
        ));
        let (x, y) = size.split_once(',').unwrap();
        self.click_at(selector, x.parse().unwrap(), y.parse().unwrap());
    }

    /// By the mouse, so many pixels from the element's corner.
    pub fn click_at(&mut self, selector: &str, x: f64, y: f64) {
        let at = self.eval(&format!(
            "(() => {{ const e = document.querySelector(`{selector}`); e.scrollIntoView({{block: 'nearest'}}); \
             const b = e.getBoundingClientRect(); return b.left + ',' + b.top; }})()"
        ));
        let (left, top) = at.split_once(',').unwrap();
        let (x, y) = (left.parse::<f64>().unwrap() + x, top.parse::<f64>().unwrap() + y);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
        self.settle();
    }

    /// To whatever has the focus.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
        self.settle();
    }

    pub fn key_on(&mut self, selector: &str, key: &str) {
        self.eval(&format!("document.querySelector(`{selector}`).focus()"));
        self.key(key);
    }

    /// Waits until what was asked for is drawn.
    pub fn settle(&mut self) {
        self.eval(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
    }

    /// Pixels of a canvas that have one of the page's colours.
    pub fn pixels(&mut self, selector: &str, colour: &str) -> u64 {
        let count = self.eval(&format!(
            "(() => {{ const c = document.querySelector(`{selector}`), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
             const [r, g, b] = color('{colour}').match(/[0-9a-f]{{2}}/g).map((x) => parseInt(x, 16)); let n = 0; \
             for (let i = 0; i < d.length; i += 4) n += d[i] === r && d[i + 1] === g && d[i + 2] === b; return n; }})()"
        ));
        count.parse().unwrap()
    }

    /// From the navigation's begin until the page had run.
    pub fn loaded_ms(&mut self) -> String {
        self.eval("performance.getEntriesByType('navigation')[0].loadEventEnd.toFixed(0)")
    }

    pub fn exceptions(&self) -> Vec<String> {
        self.exceptions.clone()
    }
}
