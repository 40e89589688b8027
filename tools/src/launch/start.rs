// SPDX-License-Identifier: BSD-3-Clause
//! Starts the processes of a job, each with what docs/launch.md promises it.

use super::bind;
use super::plan::Process;
use super::wire::Task;
use crate::{install, text};
use nix::errno::Errno;
use nix::fcntl::{fcntl, open, FcntlArg, FdFlag, OFlag};
use nix::sys::memfd::{memfd_create, MFdFlags};
use nix::sys::personality::{self, Persona};
use nix::sys::resource::{getrlimit, setrlimit, Resource};
use nix::sys::signal::Signal;
use nix::sys::socket::{send, socketpair, AddressFamily, MsgFlags, SockFlag, SockType};
use nix::sys::stat::Mode;
use nix::unistd::Pid;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

const PRELOAD: &str = "LD_PRELOAD";

/// A running process, and upcrun's ends of what connects them.
pub struct Started {
    pub pid: Pid,
    pub ctl: OwnedFd,
    /// None if the process writes to upcrun's own output.
    pub stdout: Option<OwnedFd>,
    pub stderr: Option<OwnedFd>,
    /// None but for a process 0 that cannot read upcrun's own input.
    pub stdin: Option<OwnedFd>,
}

pub struct Starter<'a> {
    task: &'a Task,
    mem: OwnedFd,
    /// The standard input of processes that have none.
    null: File,
    /// What comes before a program of omprun's; empty for others.
    preloaded: Vec<Preloaded>,
    /// The limit on open files that the user's program shall see.
    files: (u64, u64),
}

impl<'a> Starter<'a> {
    pub fn new(task: &'a Task) -> io::Result<Starter<'a>> {
        let mem = memory_file()?;
        if task.plan.spread.is_some() {
            check_randomisation()?;
        }
        let files = getrlimit(Resource::RLIMIT_NOFILE)?;
        let objects = ["libfurlong-spread.so", "omp/libgomp.so.1"];
        let preloaded = match task.plan.spread {
            Some(_) => {
                objects.iter().map(|name| Preloaded::find(name)).collect::<io::Result<_>>()?
            }
            None => Vec::new(),
        };
        Ok(Starter { task, mem, null: null_device()?, preloaded, files })
    }

    pub fn memory(&self) -> BorrowedFd<'_> {
        self.mem.as_fd()
    }

    pub fn start(&self, process: usize) -> io::Result<Started> {
        let plan = &self.task.plan;
        let (ctl, theirs) =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
        set_nonblocking(ctl.as_fd())?;
        if plan.hosts.len() > 1 {
            let packet = plan.net.key.packet();
            send(ctl.as_raw_fd(), packet.as_bytes(), MsgFlags::MSG_NOSIGNAL)?;
        }
        let mut job = plan.job_variable(process, self.mem.as_raw_fd(), theirs.as_raw_fd());
        job += &format!(",{}", install::root_setting());
        let mut command = self.command(process)?;
        command.env("FURLONG_JOB", job);
        if plan.apart {
            // What the terminal's keys send goes to the debugger alone.
            command.process_group(0);
        }
        let mut inherited = vec![self.mem.as_raw_fd(), theirs.as_raw_fd()];
        inherited.extend(self.preloaded.iter().filter_map(|p| Some(p.file.as_ref()?.as_raw_fd())));
        prepare_child(&mut command, inherited, self.files, plan.spread);
        // OpenMP binds threads of several hosts itself, to what it was told.
        let binds_teams = plan.spread.is_none() || plan.bind.is_some_and(|bind| bind.is_asked);
        if plan.own_threads || !binds_teams {
            confine(&mut command, &plan.cpus_of_process(process));
        }
        let mut child = command.spawn()?;
        let pipe = |end: Option<OwnedFd>| -> io::Result<Option<OwnedFd>> {
            if let Some(end) = &end {
                set_nonblocking(end.as_fd())?;
            }
            Ok(end)
        };
        Ok(Started {
            pid: Pid::from_raw(child.id() as i32),
            ctl,
            stdout: pipe(child.stdout.take().map(OwnedFd::from))?,
            stderr: pipe(child.stderr.take().map(OwnedFd::from))?,
            stdin: pipe(child.stdin.take().map(OwnedFd::from))?,
        })
    }

    /// How many threads OpenMP and the like should have in a process, where that is fewer than they
    /// would take.
    fn team(&self, process: usize) -> Option<usize> {
        let plan = &self.task.plan;
        let Process { host, first, .. } = plan.processes[process];
        let bound = plan.cpus_of(first).len();
        let cpus = std::thread::available_parallelism().map_or(1, |n| n.get());
        let share = if bound > 0 { bound } else { plan.share(host, cpus) };
        (plan.limits_teams && share < cpus).then_some(share)
    }

    /// Whether the user gives processes the environment variable.
    fn has_variable(&self, name: &str) -> bool {
        let Task { plan, away, .. } = self.task;
        let inherited = match away {
            Some(away) => away.env.iter().any(|(other, _)| other == name.as_bytes()),
            None => std::env::var_os(name).is_some(),
        };
        inherited || plan.settings.iter().any(|(other, _)| other == name)
    }

    /// The program with its arguments, environment, and standard input and outputs.
    fn command(&self, process: usize) -> io::Result<Command> {
        let Task { program, words, plan, away, .. } = self.task;
        let mut command = Command::new(program);
        command.arg0(text::os(&words[0])).args(words[1..].iter().map(|word| text::os(word)));
        if let Some(away) = away {
            let text = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
            command
                .env_clear()
                .envs(away.env.iter().map(|(name, value)| (text(name), text(value))));
        }
        command.envs(plan.settings.iter().map(|(name, value)| (name, text::os(value))));
        if plan.spread.is_some() || plan.plain {
            command.envs(bind::openmp(plan));
        }
        if plan.spread.is_some() {
            let list = self.preload_list(&command);
            command.env(PRELOAD, list).env("LD_BIND_NOW", "1");
        }
        if let Some(n) = self.team(process).filter(|_| !self.has_variable("OMP_NUM_THREADS")) {
            command.env("OMP_NUM_THREADS", n.to_string());
        }
        if let Some(on) = plan.backtrace {
            command.env("UPC_BACKTRACE", if on { "1" } else { "0" });
        }
        match process {
            0 if away.is_some() => command.stdin(Stdio::piped()),
            0 if !plan.apart => command.stdin(Stdio::inherit()),
            _ => command.stdin(self.null.try_clone()?),
        };
        if plan.passes_output() || away.is_some() {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        Ok(command)
    }

    /// Our own objects, and after them those of the user, as an option or the environment has them.
    fn preload_list(&self, command: &Command) -> OsString {
        let mut given = command.get_envs().filter(|(name, _)| *name == PRELOAD);
        let inherited = || std::env::var_os(PRELOAD).filter(|_| self.task.away.is_none());
        let own = self.preloaded.iter().map(|object| object.name.clone());
        let users = given.next().and_then(|(_, value)| value.map(OsStr::to_owned));
        let all: Vec<_> = own.chain(users.or_else(inherited)).collect();
        all.join(OsStr::new(":"))
    }
}

/// Has the child begin on its CPUs, if there are any: libraries count them before main.
fn confine(command: &mut Command, cpus: &[u32]) {
    if cpus.is_empty() {
        return;
    }
    // SAFETY: cpu_set_t is plain data.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for &cpu in cpus.iter().filter(|&&cpu| cpu < libc::CPU_SETSIZE as u32) {
        // SAFETY: the set has a bit for the CPU.
        unsafe { libc::CPU_SET(cpu as usize, &mut set) };
    }
    let bind = move || {
        // SAFETY: the call gets the set's size. The runtime reports that CPUs cannot be had.
        unsafe { libc::sched_setaffinity(0, std::mem::size_of_val(&set), &set) };
        Ok(())
    };
    // SAFETY: the closure makes a system call only.
    unsafe { command.pre_exec(bind) };
}

/// Has the child, between fork and exec, tie its life to upcrun's and keep `inherited` open.
fn prepare_child(
    command: &mut Command,
    inherited: Vec<i32>,
    files: (u64, u64),
    spread: Option<u64>,
) {
    let parent = nix::unistd::getpid();
    let signals = super::signals::heard();
    let prepare = move || {
        nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
        // upcrun may have died before the line above.
        if nix::unistd::getppid() != parent {
            return Err(Errno::ESRCH.into());
        }
        for &fd in &inherited {
            // SAFETY: upcrun keeps the descriptors open until the child is started.
            let fd = unsafe { BorrowedFd::borrow_raw(fd) };
            fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty()))?;
        }
        signals.thread_unblock()?;
        setrlimit(Resource::RLIMIT_NOFILE, files.0, files.1)?;
        Ok(spread.map_or(Ok(()), equal_addresses)?)
    };
    // SAFETY: the closure makes system calls only; it neither allocates nor takes locks.
    unsafe { command.pre_exec(prepare) };
}

/// The memory that the processes of this host share. Where a sandbox refuses the call that makes
/// one, it is a file without a name in `/dev/shm`; it dies with its users, too.
fn memory_file() -> io::Result<OwnedFd> {
    match memfd_create(c"furlong", MFdFlags::MFD_CLOEXEC) {
        Ok(file) => Ok(file),
        Err(refused @ (Errno::EPERM | Errno::ENOSYS)) => {
            let flags = OFlag::O_TMPFILE | OFlag::O_RDWR | OFlag::O_CLOEXEC | OFlag::O_EXCL;
            open("/dev/shm", flags, Mode::S_IRUSR | Mode::S_IWUSR).map_err(|e| {
                io::Error::other(format!(
                    "no shared memory can be made: memfd_create says {}, /dev/shm {}; a container \
                     needs one of both (docs/containers.md)",
                    refused.desc(),
                    e.desc()
                ))
            })
        }
        Err(e) => Err(e.into()),
    }
}

/// Says what lacks if processes cannot be started at equal addresses.
fn check_randomisation() -> io::Result<()> {
    let own = personality::get().unwrap_or(Persona::empty());
    match set_equal_addresses() {
        Ok(()) if own.contains(Persona::ADDR_NO_RANDOMIZE) => Ok(()),
        Ok(()) => Ok(personality::set(own).map(drop)?),
        Err(e) => Err(io::Error::other(format!(
            "a program over several hosts needs its memory at the same addresses on all of them, \
             but personality(ADDR_NO_RANDOMIZE) is refused: {}; in a container allow that call: \
             `--security-opt seccomp=FILE` with its value 262144 in the profile, or \
             `seccomp=unconfined` (docs/containers.md)",
            e.desc()
        ))),
    }
}

/// Where the kernel puts what follows depends on chance and on the limit of stacks.
fn equal_addresses(stack: u64) -> Result<(), Errno> {
    setrlimit(Resource::RLIMIT_STACK, stack, stack)?;
    set_equal_addresses()
}

fn set_equal_addresses() -> Result<(), Errno> {
    let own = personality::get()?;
    match own.contains(Persona::ADDR_NO_RANDOMIZE) {
        true => Ok(()),
        false => personality::set(own | Persona::ADDR_NO_RANDOMIZE).map(drop),
    }
}

/// A shared object of ours that comes before the program's own: the library that makes its memory
/// that of all hosts, and the OpenMP runtime that knows of it, where the program was linked with
/// another one.
struct Preloaded {
    name: OsString,
    /// Open in the child where the name goes by way of it.
    file: Option<OwnedFd>,
}

impl Preloaded {
    /// The list of LD_PRELOAD has no quoting: blanks and colons part its names, so an installation
    /// in a folder with such a name is reached through an open file.
    fn find(place: &str) -> io::Result<Preloaded> {
        let path = install::plugins().join(place);
        if !path.as_os_str().as_bytes().iter().any(|b| b" \t\n:;$".contains(b)) {
            return Ok(Preloaded { name: path.into_os_string(), file: None });
        }
        let file = OwnedFd::from(File::open(&path)?);
        let name = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(Preloaded { name: name.into(), file: Some(file) })
    }
}

/// `/dev/null`, for reading and writing.
pub fn null_device() -> io::Result<File> {
    let opened = File::options().read(true).write(true).open("/dev/null");
    opened.map_err(|e| io::Error::other(format!("cannot open /dev/null: {e}")))
}

pub fn set_nonblocking(fd: BorrowedFd) -> io::Result<()> {
    let flags = OFlag::from_bits_truncate(fcntl(fd, FcntlArg::F_GETFL)?);
    fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}
