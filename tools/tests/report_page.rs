// SPDX-License-Identifier: BSD-3-Clause
//! The page of a report, opened in a browser without a window, and clicked. Skipped where there is no
//! chromium.

#[path = "report_page/browser.rs"]
mod browser;
#[path = "report_page/recordings.rs"]
mod recordings;

use browser::Browser;
use furlong_tools::report;
use recordings::Thread;
use std::path::PathBuf;
use std::time::Instant;

const SOURCE: &str = "shared int a[THREADS];\n\n</script>\nint main(void) {\n    upc_barrier;\n}\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("furlong-report-{name}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Three threads: at each barrier, thread 1 comes last; thread 0 reads of thread 2.
fn record(folder: &Folder) {
    let source = folder.0.join("a.upc");
    std::fs::write(&source, SOURCE).unwrap();
    for thread in 0..3 {
        let mut recorded = Thread::new(thread, 3);
        let barrier = recorded.site("barrier", source.to_str().unwrap(), "", 5);
        let get = recorded.site("read", source.to_str().unwrap(), "upc_memget", 1);
        for step in 0..10 {
            let late = if thread == 1 { 90_000 } else { 10_000 };
            recorded.event(barrier, step * 100_000 + late, 95_000 - late, u32::MAX, 0);
            if thread == 0 {
                recorded.event(get, step * 100_000 + 2000, 3000, 2, 8);
            }
        }
        if thread == 0 {
            recorded.access(get, 10, 80, 2);
        }
        recorded.end(1_000_000);
        recorded.write(&folder.0);
    }
    report::make(&folder.0).unwrap();
}

#[test]
fn the_page_can_be_clicked() {
    let folder = Folder::new("click");
    record(&folder);
    let Some(mut page) = Browser::open(&folder.0.join("index.html")) else {
        println!("skipped: there is no chromium");
        return;
    };
    assert!(page.text("#about").starts_with("UPC, 3 threads"), "{}", page.text("#about"));
    assert!(page.text(".advice").contains("give thread 1 less to do"), "{}", page.text(".advice"));
    assert_eq!(page.eval("document.querySelectorAll('.bars .bar').length"), "3");

    page.click("#tab-lines");
    assert!(page.text("#lines-table tbody tr:nth-child(1)").contains("a.upc:5"));
    assert!(page.text("#source").contains("</script>"), "the source is shown as it is");
    page.click("#lines-table tbody tr:nth-child(2)");
    assert!(
        page.text("#source .at").contains("shared int a[THREADS];"),
        "{}",
        page.text("#source .at")
    );
    page.click("#lines-table th:nth-child(6) button");
    assert_eq!(page.eval("document.querySelector('[aria-sort]').textContent"), "operations");

    page.click("#tab-matrix");
    page.click_at("#matrix-canvas", 46.0 + 2.5 * 56.0, 46.0 + 28.0);
    assert_eq!(
        page.text("#matrix-readout"),
        "thread 0 with thread 2's memory; 10 reads, 80 B; 0 writes, 0 B"
    );
    page.key("ArrowDown");
    assert!(page.text("#matrix-readout").starts_with("thread 1 with thread 2's memory; nothing"));

    page.click("#tab-timeline");
    let whole = page.text("#timeline-status");
    assert!(whole.starts_with("0 ns to 1.00 ms: 40 events"), "{whole}");
    assert!(page.pixels("#timeline-canvas", "barrier") > 1000, "waits are drawn");
    page.click_at("#timeline-canvas", 400.0, 40.0);
    page.key("+");
    page.key("ArrowRight");
    page.settle();
    let part = page.text("#timeline-status");
    assert!(part.starts_with("350 µs to 850 µs"), "{part}");
    page.key("0");
    page.settle();
    assert_eq!(page.text("#timeline-status"), whole);

    page.click("#tab-memory");
    page.key("ArrowRight");
    assert_eq!(page.eval("document.activeElement.id"), "tab-summary", "tabs go round by keys");
    assert_eq!(page.eval("performance.getEntriesByType('resource').length"), "0", "no network");
    assert_eq!(page.exceptions(), Vec::<String>::new());
}

#[test]
fn a_thread_that_did_nothing_has_a_page() {
    let folder = Folder::new("nothing");
    let mut recorded = Thread::new(0, 1);
    recorded.end(1_000_000);
    recorded.write(&folder.0);
    report::make(&folder.0).unwrap();
    let Some(mut page) = Browser::open(&folder.0.join("index.html")) else { return };
    assert!(page.text("#about").starts_with("UPC, 1 thread, "), "{}", page.text("#about"));
    for part in ["matrix", "timeline", "lines", "memory"] {
        page.click(&format!("#tab-{part}"));
    }
    assert_eq!(page.exceptions(), Vec::<String>::new());
}

/// 64 threads, as many events as FURLONG_TEST_EVENTS says: 10^7 by hand, fewer otherwise.
#[test]
fn many_events_open() {
    let wanted = std::env::var("FURLONG_TEST_EVENTS").ok().and_then(|n| n.parse().ok());
    let events: u64 = wanted.unwrap_or(500_000) / 64;
    let folder = Folder::new("many");
    for thread in 0..64 {
        let mut recorded = Thread::new(thread, 64);
        let barrier = recorded.site("barrier", "a.upc", "", 5);
        let read = recorded.site("read", "a.upc", "", 7);
        for i in 0..events {
            let site = if i % 10 == 0 { barrier } else { read };
            let peer = if i % 10 == 0 { u32::MAX } else { (thread + 1) % 64 };
            recorded.event(site, i * 1500, 200 + (i * 7919 + u64::from(thread)) % 900, peer, 8);
        }
        recorded.end(events * 1500);
        recorded.write(&folder.0);
    }
    let begin = Instant::now();
    report::make(&folder.0).unwrap();
    let made = begin.elapsed();
    let size = std::fs::metadata(folder.0.join("index.html")).unwrap().len();
    let Some(mut page) = Browser::open(&folder.0.join("index.html")) else { return };
    let opened = page.loaded_ms();
    page.click("#tab-timeline");
    let drawn = page.eval(
        "(() => { const t = performance.now(); document.getElementById('timeline-joins').click(); \
         return performance.now() - t; })()",
    );
    println!(
        "{} events: made in {made:?}, {size} bytes, open after {opened} ms, drawn in {drawn} ms",
        events * 64
    );
    let status = page.text("#timeline-status");
    assert!(status.ends_with("shares of time"), "{status}");
    (0..12).for_each(|_| page.key_on("#timeline-canvas", "+"));
    page.settle();
    assert!(page.text("#timeline-status").ends_with("events"), "{}", page.text("#timeline-status"));
    assert_eq!(page.exceptions(), Vec::<String>::new());
}
