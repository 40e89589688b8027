// SPDX-License-Identifier: BSD-3-Clause
//! The trace in the Open Trace Format 2, for Vampir and Score-P's tools (OTF2 3.0's headers,
//! score-p.org). Its own library writes it, if the system has one: it is loaded when a report is made,
//! so that nobody else needs it. Each thread is a location, each host a node with one process, each
//! site a region; transfers are RMA operations in one window, which has all memory.

use super::job::Job;
use super::kind::Kind;
use super::recording::{Event, Model, Recording, Site};
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;

/// Upstream's name and Debian's, of the one version whose functions these are.
const NAMES: [&std::ffi::CStr; 2] = [c"libotf2.so.10", c"libopen-trace-format2.so.10"];

/// Numbers of OTF2_GeneralDefinitions.h and OTF2_Definitions.h.
mod number {
    pub const FILEMODE_WRITE: u8 = 0;
    pub const SUBSTRATE_POSIX: u8 = 1;
    pub const COMPRESSION_NONE: u8 = 1;
    pub const CHUNK_EVENTS: u64 = 1 << 20;
    pub const CHUNK_DEFINITIONS: u64 = 4 << 20;
    pub const FLUSH: u8 = 1;
    pub const NO_REFERENCE: u32 = u32::MAX;
    pub const GROUP_PROCESS: u8 = 1;
    pub const CPU_THREAD: u8 = 1;
    pub const PARADIGM_OPENMP: u8 = 3;
    pub const PARADIGM_UPC: u8 = 12;
    pub const COMM_LOCATIONS: u8 = 4;
    pub const COMM_GROUP: u8 = 5;
    pub mod role {
        pub const CODE: u8 = 4;
        pub const PARALLEL: u8 = 5;
        pub const CRITICAL: u8 = 12;
        pub const BARRIER: u8 = 15;
        pub const COLLECTIVE: u8 = 26;
        pub const POINT_TO_POINT: u8 = 28;
        pub const RMA: u8 = 29;
        pub const ALLOCATE: u8 = 35;
    }
}

type Handle = *mut c_void;

#[repr(C)]
struct FlushCallbacks {
    before: extern "C" fn(Handle, u8, u64, Handle, bool) -> u8,
    after: Option<extern "C" fn(Handle, u8, u64) -> u64>,
}

extern "C" fn before_flush(_: Handle, _: u8, _: u64, _: Handle, _: bool) -> u8 {
    number::FLUSH
}

static FLUSH: FlushCallbacks = FlushCallbacks { before: before_flush, after: None };

/// Functions of the library, by their names without `OTF2_`.
macro_rules! library {
    ($($field:ident: $name:literal ($($argument:ty),*) -> $result:ty;)*) => {
        struct Library {
            $($field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Library {
            /// None: there is no such library here, or it lacks one of these.
            fn load() -> Option<Library> {
                // SAFETY: names end with zeros. The library stays loaded as long as the process.
                let found = NAMES.map(|name| unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) });
                let library = found.into_iter().find(|library| !library.is_null())?;
                Some(Library { $($field: {
                    let name = concat!("OTF2_", $name, "\0");
                    let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
                    if address.is_null() {
                        return None;
                    }
                    // SAFETY: the types are those of the headers of this version (see NAMES).
                    unsafe {
                        std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($($argument),*) -> $result,
                        >(address)
                    }
                },)* })
            }
        }
    };
}

library! {
    open: "Archive_Open"(*const c_char, *const c_char, u8, u64, u64, u8, u8) -> Handle;
    close: "Archive_Close"(Handle) -> c_int;
    set_flush: "Archive_SetFlushCallbacks"(Handle, *const FlushCallbacks, Handle) -> c_int;
    set_serial: "Archive_SetSerialCollectiveCallbacks"(Handle) -> c_int;
    set_creator: "Archive_SetCreator"(Handle, *const c_char) -> c_int;
    open_events: "Archive_OpenEvtFiles"(Handle) -> c_int;
    close_events: "Archive_CloseEvtFiles"(Handle) -> c_int;
    open_local: "Archive_OpenDefFiles"(Handle) -> c_int;
    close_local: "Archive_CloseDefFiles"(Handle) -> c_int;
    event_writer: "Archive_GetEvtWriter"(Handle, u64) -> Handle;
    close_event_writer: "Archive_CloseEvtWriter"(Handle, Handle) -> c_int;
    local_writer: "Archive_GetDefWriter"(Handle, u64) -> Handle;
    close_local_writer: "Archive_CloseDefWriter"(Handle, Handle) -> c_int;
    global_writer: "Archive_GetGlobalDefWriter"(Handle) -> Handle;
    enter: "EvtWriter_Enter"(Handle, Handle, u64, u32) -> c_int;
    leave: "EvtWriter_Leave"(Handle, Handle, u64, u32) -> c_int;
    put: "EvtWriter_RmaPut"(Handle, Handle, u64, u32, u32, u64, u64) -> c_int;
    get: "EvtWriter_RmaGet"(Handle, Handle, u64, u32, u32, u64, u64) -> c_int;
    complete: "EvtWriter_RmaOpCompleteBlocking"(Handle, Handle, u64, u32, u64) -> c_int;
    clock: "GlobalDefWriter_WriteClockProperties"(Handle, u64, u64, u64, u64) -> c_int;
    string: "GlobalDefWriter_WriteString"(Handle, u32, *const c_char) -> c_int;
    node: "GlobalDefWriter_WriteSystemTreeNode"(Handle, u32, u32, u32, u32) -> c_int;
    process: "GlobalDefWriter_WriteLocationGroup"(Handle, u32, u32, u8, u32, u32) -> c_int;
    location: "GlobalDefWriter_WriteLocation"(Handle, u64, u32, u8, u64, u32) -> c_int;
    region: "GlobalDefWriter_WriteRegion"(Handle, u32, u32, u32, u32, u8, u8, u32, u32, u32, u32)
        -> c_int;
    group: "GlobalDefWriter_WriteGroup"(Handle, u32, u32, u8, u8, u32, u32, *const u64) -> c_int;
    communicator: "GlobalDefWriter_WriteComm"(Handle, u32, u32, u32, u32, u32) -> c_int;
    window: "GlobalDefWriter_WriteRmaWin"(Handle, u32, u32, u32, u32) -> c_int;
}

/// Writes `dir/trace.otf2` and what belongs to it, with events of at least `shortest` ns. False: the
/// system has no library for that.
pub fn write(job: &Job, shortest: u64, dir: &Path) -> Result<bool, String> {
    let Some(library) = Library::load() else { return Ok(false) };
    let mut archive = Archive::open(&library, job, dir)?;
    let mut counts = Vec::new();
    archive.check(|l, a| unsafe { (l.open_events)(a) })?;
    for row in 0..job.threads.len() {
        counts.push(archive.events(row, shortest)?);
    }
    archive.check(|l, a| unsafe { (l.close_events)(a) })?;
    archive.locals()?;
    archive.definitions(&counts)?;
    archive.check(|l, a| unsafe { (l.close)(a) })?;
    Ok(true)
}

/// The region of the whole program; sites come after it.
const PROGRAM: u32 = 0;
const WINDOW: u32 = 0;

struct Archive<'a> {
    library: &'a Library,
    handle: Handle,
    job: &'a Job,
    /// Of (row, site), after PROGRAM.
    regions: HashMap<(usize, u32), u32>,
    sites: Vec<&'a Site>,
    strings: HashMap<String, u32>,
    /// The locations of threads.
    rows: HashMap<u32, u32>,
    writer: Handle,
}

impl<'a> Archive<'a> {
    fn open(library: &'a Library, job: &'a Job, dir: &Path) -> Result<Archive<'a>, String> {
        let path = CString::new(dir.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: here and below, handles are those that the library gave, and not yet closed.
        let handle = unsafe {
            (library.open)(
                path.as_ptr(),
                c"trace".as_ptr(),
                number::FILEMODE_WRITE,
                number::CHUNK_EVENTS,
                number::CHUNK_DEFINITIONS,
                number::SUBSTRATE_POSIX,
                number::COMPRESSION_NONE,
            )
        };
        if handle.is_null() {
            return Err(format!("OTF2 cannot make its archive in `{}`", dir.display()));
        }
        let mut archive = Archive {
            library,
            handle,
            job,
            regions: HashMap::new(),
            sites: Vec::new(),
            strings: HashMap::new(),
            rows: job.threads.iter().zip(0..).map(|(r, row)| (r.thread, row)).collect(),
            writer: null_mut(),
        };
        archive.number_sites();
        archive.check(|l, a| unsafe { (l.set_flush)(a, &raw const FLUSH, null_mut()) })?;
        archive.check(|l, a| unsafe { (l.set_serial)(a) })?;
        archive.check(|l, a| unsafe { (l.set_creator)(a, c"Furlong".as_ptr()) })?;
        Ok(archive)
    }

    /// The same place of the program is one region in all threads.
    fn number_sites(&mut self) {
        let mut known: HashMap<(&str, &str, &str, u32), u32> = HashMap::new();
        for (row, recording) in self.job.threads.iter().enumerate() {
            for (number, site) in recording.sites.iter().enumerate() {
                let key = (&*site.what, &*site.call, &*site.file, site.line);
                let region = *known.entry(key).or_insert_with(|| {
                    self.sites.push(site);
                    self.sites.len() as u32
                });
                self.regions.insert((row, number as u32), region);
            }
        }
    }

    fn check(&self, call: impl FnOnce(&Library, Handle) -> c_int) -> Result<(), String> {
        match call(self.library, self.handle) {
            0 => Ok(()),
            error => Err(format!("OTF2 refuses a record of the trace (error {error})")),
        }
    }

    fn global(&self, call: impl FnOnce(&Library, Handle) -> c_int) -> Result<(), String> {
        self.check(|library, _| call(library, self.writer))
    }

    /// Returns how many records the thread has.
    fn events(&self, row: usize, shortest: u64) -> Result<u64, String> {
        let recording = &self.job.threads[row];
        let writer = unsafe { (self.library.event_writer)(self.handle, row as u64) };
        if writer.is_null() {
            return Err("OTF2 gives no writer of events".to_string());
        }
        let mut n = 0;
        for record in records(recording, shortest, &self.rows) {
            n += 1;
            self.check(|l, _| unsafe {
                match record {
                    Record::Enter(at, site) => {
                        (l.enter)(writer, null_mut(), at, self.region_of(row, site))
                    }
                    Record::Leave(at, site) => {
                        (l.leave)(writer, null_mut(), at, self.region_of(row, site))
                    }
                    Record::Put(at, peer, bytes, number) => {
                        (l.put)(writer, null_mut(), at, WINDOW, peer, bytes, number)
                    }
                    Record::Get(at, peer, bytes, number) => {
                        (l.get)(writer, null_mut(), at, WINDOW, peer, bytes, number)
                    }
                    Record::Complete(at, number) => {
                        (l.complete)(writer, null_mut(), at, WINDOW, number)
                    }
                }
            })?;
        }
        self.check(|l, a| unsafe { (l.close_event_writer)(a, writer) })?;
        Ok(n)
    }

    fn region_of(&self, row: usize, site: Option<u32>) -> u32 {
        site.map_or(PROGRAM, |site| self.regions[&(row, site)])
    }

    /// Readers want a file of definitions for each location, if an empty one.
    fn locals(&self) -> Result<(), String> {
        self.check(|l, a| unsafe { (l.open_local)(a) })?;
        for row in 0..self.job.threads.len() {
            let writer = unsafe { (self.library.local_writer)(self.handle, row as u64) };
            self.check(|l, a| unsafe { (l.close_local_writer)(a, writer) })?;
        }
        self.check(|l, a| unsafe { (l.close_local)(a) })
    }

    fn string(&mut self, text: &str) -> Result<u32, String> {
        if let Some(&known) = self.strings.get(text) {
            return Ok(known);
        }
        let number = self.strings.len() as u32;
        let c_text = CString::new(text.replace('\0', "")).unwrap_or_default();
        self.global(|l, w| unsafe { (l.string)(w, number, c_text.as_ptr()) })?;
        self.strings.insert(text.to_string(), number);
        Ok(number)
    }

    fn definitions(&mut self, counts: &[u64]) -> Result<(), String> {
        self.writer = unsafe { (self.library.global_writer)(self.handle) };
        let (begin, end) = (self.job.begin(), self.job.end());
        let real = self.job.threads[0].begin_real;
        self.global(|l, w| unsafe { (l.clock)(w, 1_000_000_000, begin, end - begin + 1, real) })?;
        self.regions()?;
        self.places(counts)?;
        self.window()
    }

    fn regions(&mut self) -> Result<(), String> {
        let (paradigm, none) = (self.paradigm(), number::NO_REFERENCE);
        let program = self.job.threads[0].program.clone();
        let (name, empty) = (self.string(&program)?, self.string("")?);
        self.global(|l, w| unsafe {
            (l.region)(w, PROGRAM, name, name, empty, number::role::CODE, paradigm, 0, none, 0, 0)
        })?;
        for (number, site) in self.sites.clone().into_iter().enumerate() {
            let what = if site.call.is_empty() { &site.what } else { &site.call };
            let (name, file) = (self.string(what)?, self.string(&site.file)?);
            let (number, line, role) = (number as u32 + 1, site.line, role_of(site));
            self.global(|l, w| unsafe {
                (l.region)(w, number, name, name, empty, role, paradigm, 0, file, line, line)
            })?;
        }
        Ok(())
    }

    /// Hosts are nodes with one process each, under the job.
    fn places(&mut self, counts: &[u64]) -> Result<(), String> {
        let none = number::NO_REFERENCE;
        let (job, machine) = (self.string("job")?, self.string("machine")?);
        self.global(|l, w| unsafe { (l.node)(w, 0, job, machine, none) })?;
        let (class, mut hosts) = (self.string("node")?, Vec::new());
        for recording in self.job.threads.iter() {
            if !hosts.contains(&recording.host) {
                hosts.push(recording.host);
                let (name, host) = (self.string(&recording.host_name)?, recording.host);
                self.global(|l, w| unsafe { (l.node)(w, host + 1, name, class, 0) })?;
                self.global(|l, w| unsafe {
                    (l.process)(w, host, name, number::GROUP_PROCESS, host + 1, none)
                })?;
            }
        }
        for (row, recording) in self.job.threads.iter().enumerate() {
            let (name, host) =
                (self.string(&format!("thread {}", recording.thread))?, recording.host);
            self.global(|l, w| unsafe {
                (l.location)(w, row as u64, name, number::CPU_THREAD, counts[row], host)
            })?;
        }
        Ok(())
    }

    fn window(&mut self) -> Result<(), String> {
        let paradigm = self.paradigm();
        let (name, empty) = (self.string("shared memory")?, self.string("")?);
        let rows: Vec<u64> = (0..self.job.threads.len() as u64).collect();
        let n = rows.len() as u32;
        for (group, kind) in [number::COMM_LOCATIONS, number::COMM_GROUP].into_iter().enumerate() {
            self.global(|l, w| unsafe {
                (l.group)(w, group as u32, empty, kind, paradigm, 0, n, rows.as_ptr())
            })?;
        }
        self.global(|l, w| unsafe { (l.communicator)(w, 0, name, 1, number::NO_REFERENCE, 0) })?;
        self.global(|l, w| unsafe { (l.window)(w, WINDOW, name, 0, 0) })
    }

    fn paradigm(&self) -> u8 {
        match self.job.model() {
            Model::Upc => number::PARADIGM_UPC,
            Model::OpenMp => number::PARADIGM_OPENMP,
        }
    }
}

fn role_of(site: &Site) -> u8 {
    match Kind::of(site) {
        Kind::Barrier => number::role::BARRIER,
        Kind::Lock => number::role::CRITICAL,
        Kind::Transfer => number::role::RMA,
        Kind::Collective => number::role::COLLECTIVE,
        Kind::Signal => number::role::POINT_TO_POINT,
        Kind::Memory => number::role::ALLOCATE,
        Kind::Region => number::role::PARALLEL,
    }
}

/// What a location's file holds; times never go back. No site: the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Record {
    Enter(u64, Option<u32>),
    Leave(u64, Option<u32>),
    /// When, with whom, bytes, and the number by which its end knows it.
    Put(u64, u32, u64, u64),
    Get(u64, u32, u64, u64),
    Complete(u64, u64),
}

/// An event that has begun and not ended.
struct Open {
    end: u64,
    site: Option<u32>,
    transfer: Option<u64>,
}

impl Open {
    fn close(self, out: &mut Vec<Record>) {
        out.extend(self.transfer.map(|number| Record::Complete(self.end, number)));
        out.push(Record::Leave(self.end, self.site));
    }
}

/// Events as regions inside regions. One that outlasts what it began in ends with that.
fn records(recording: &Recording, shortest: u64, rows: &HashMap<u32, u32>) -> Vec<Record> {
    let mut events: Vec<&Event> = recording.events.iter().filter(|e| e.ns >= shortest).collect();
    events.sort_by_key(|event| (event.begin, std::cmp::Reverse(event.ns)));
    let begin = events.first().map_or(recording.begin, |e| e.begin.min(recording.begin));
    let end = events.iter().map(|e| e.begin + e.ns).fold(recording.last(), u64::max);
    let mut out = vec![Record::Enter(begin, None)];
    let mut open = vec![Open { end, site: None, transfer: None }];
    for (number, event) in events.into_iter().enumerate() {
        while open.len() > 1 && open[open.len() - 1].end <= event.begin {
            open.pop().into_iter().for_each(|inner| inner.close(&mut out));
        }
        let limit = open[open.len() - 1].end;
        out.push(Record::Enter(event.begin, Some(event.site)));
        let peer = rows.get(&event.peer).copied();
        let transfer = peer.and_then(|peer| transfer(recording, event, peer, number as u64));
        out.extend(transfer);
        open.push(Open {
            end: (event.begin + event.ns).min(limit),
            site: Some(event.site),
            transfer: transfer.map(|_| number as u64),
        });
    }
    while let Some(inner) = open.pop() {
        inner.close(&mut out);
    }
    out
}

fn transfer(recording: &Recording, event: &Event, peer: u32, number: u64) -> Option<Record> {
    let site = &recording.sites[event.site as usize];
    if Kind::of(site) != Kind::Transfer {
        return None;
    }
    let (at, bytes) = (event.begin, event.value);
    let name = if site.call.is_empty() { &site.what } else { &site.call };
    Some(match name.contains("get") || name.contains("read") {
        true => Record::Get(at, peer, bytes, number),
        false => Record::Put(at, peer, bytes, number),
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::NOBODY;
    use super::*;

    fn recording(events: &[(u64, u64, u32, u32)]) -> Recording {
        let site = |what: &str| Site { what: what.to_string(), ..Site::default() };
        let event = |&(begin, ns, site, peer)| Event { begin, ns, site, peer, value: 8 };
        Recording {
            begin: 10,
            end: Some(100),
            threads: 3,
            sites: vec![site("barrier"), site("read"), site("write")],
            events: events.iter().map(event).collect(),
            ..Recording::default()
        }
    }

    fn rows() -> HashMap<u32, u32> {
        (0..3).map(|thread| (thread, thread)).collect()
    }

    #[test]
    fn events_are_regions_inside_regions() {
        let r =
            recording(&[(20, 5, 1, 2), (30, 40, 0, NOBODY), (35, 90, 2, 0), (90, 1, 0, NOBODY)]);
        let expected = [
            Record::Enter(10, None),
            Record::Enter(20, Some(1)),
            Record::Get(20, 2, 8, 0),
            Record::Complete(25, 0),
            Record::Leave(25, Some(1)),
            Record::Enter(30, Some(0)),
            Record::Enter(35, Some(2)),
            Record::Put(35, 0, 8, 2),
            Record::Complete(70, 2),
            Record::Leave(70, Some(2)),
            Record::Leave(70, Some(0)),
            Record::Enter(90, Some(0)),
            Record::Leave(91, Some(0)),
            Record::Leave(125, None),
        ];
        assert_eq!(records(&r, 0, &rows()), expected);
        assert_eq!(records(&r, 6, &rows()).len(), 8);
    }

    #[test]
    fn times_never_go_back_and_regions_end() {
        let events: Vec<_> =
            (0..500u64).map(|i| (i * 37 % 90, i * 13 % 41, (i % 3) as u32, 1)).collect();
        let (mut last, mut open) = (0, Vec::new());
        for record in records(&recording(&events), 0, &rows()) {
            let at = match record {
                Record::Enter(at, site) => {
                    open.push(site);
                    at
                }
                Record::Leave(at, site) => {
                    assert_eq!(open.pop(), Some(site));
                    at
                }
                Record::Put(at, ..) | Record::Get(at, ..) | Record::Complete(at, _) => at,
            };
            assert!(at >= last, "{at} after {last}");
            last = at;
        }
        assert!(open.is_empty());
    }
}
