// SPDX-License-Identifier: BSD-3-Clause
//! Programs with functions and variables of their own whose names POSIX has and C has not: `send`,
//! `index`, `poll`. A linker shows them to all shared libraries, since the C library has the same
//! names: PMIx, MPI or a network's library would call the program's `send`. So such programs are
//! linked once more with an object that has these names hidden, which every linker heeds.

use crate::elf::{Elf, Export, PLAIN_STACK};
use std::path::Path;

/// The functions of POSIX.1-2017, in one word, that C17 has not, and some older ones and of Linux.
/// Functions that programs have only so that libraries call them are missing: the families of `malloc`
/// and `getenv`, `pthread_` and the like; and so are names that C keeps for itself, as `strdup`.
const NAMES: &str = "
    a64l accept access alarm alphasort basename bcmp bcopy bind bzero catclose catgets catopen
    cfgetispeed cfgetospeed cfsetispeed cfsetospeed chdir chmod chown chroot clone close
    closedir closelog confstr connect creat ctermid daemon dirfd dirname dlclose dlerror dlopen
    dlsym dprintf drand48 dup dup2 duplocale endgrent endhostent endnetent endprotoent endpwent
    endservent endutxent erand48 err error errx execl execle execlp execv execve execvp
    faccessat fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fdopen fdopendir fexecve
    ffs fileno flockfile fmemopen fmtmsg fnmatch fork fpathconf freeaddrinfo freelocale fseeko
    fstat fstatat fstatvfs fsync ftello ftok ftruncate ftrylockfile ftw funlockfile futimens
    getaddrinfo getcwd getdate getdelim getdomainname getegid geteuid getgid getgrent getgrgid
    getgrnam getgroups gethostbyaddr gethostbyname gethostent gethostid gethostname getitimer
    getline getlogin getnameinfo getnetbyaddr getnetbyname getnetent getopt getpeername getpgid
    getpgrp getpid getppid getpriority getprotobyname getprotobynumber getprotoent getpwent
    getpwnam getpwuid getrlimit getrusage getservbyname getservbyport getservent getsid
    getsockname getsockopt getsubopt gettimeofday getuid getutxent getutxid getutxline glob
    globfree grantpt hcreate hdestroy hsearch htonl htons iconv index initstate insque ioctl
    jrand48 kill killpg l64a lchown lcong48 lfind link linkat listen lockf login logout lrand48
    lsearch lseek lstat madvise mbsnrtowcs mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat
    mkstemp mlock mlockall mmap mount mprotect mrand48 msgctl msgget msgrcv msgsnd msync
    munlock munlockall munmap nanosleep newlocale nftw nice nrand48 ntohl ntohs open openat
    opendir openlog pathconf pause pclose personality pipe poll popen pread profil pselect
    psiginfo psignal ptsname pututxline pwrite random read readdir readlink readlinkat readv
    realpath reboot recv recvfrom recvmsg regcomp regerror regexec regfree remque renameat
    revoke rewinddir rexec rindex rmdir scandir seed48 seekdir select semctl semget semop send
    sendmsg sendto setegid seteuid setgid setgrent sethostent setitimer setlogmask setnetent
    setpgid setpgrp setpriority setprotoent setpwent setregid setreuid setrlimit setservent
    setsid setsockopt setstate setuid setutxent shmat shmctl shmdt shmget shutdown sigaction
    sigaddset sigaltstack sigdelset sigemptyset sigfillset sighold sigignore siginterrupt
    sigismember siglongjmp sigpause sigpending sigprocmask sigqueue sigrelse sigset sigsuspend
    sigtimedwait sigwait sigwaitinfo sleep sockatmark socket socketpair splice srand48 srandom
    stat statvfs stpcpy stpncpy stty swab swapoff swapon symlink symlinkat sync sysconf sysinfo
    syslog tcdrain tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcsendbreak tcsetattr tcsetpgrp
    tdelete tee telldir tempnam tfind times truncate tsearch ttyname twalk tzset ulimit umask
    umount uname unlink unlinkat unlockpt uselocale usleep utime utimensat utimes vdprintf
    vfork wait waitid waitpid warn warnx wcpcpy wcpncpy wcwidth wordexp wordfree write writev";

/// Whether what the words link is a library, or libraries are meant to call functions of the program:
/// it says which, or they are a sanitizer's, which clang links into it.
pub fn are_for_libraries<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    const SAY_WHICH: [&str; 3] = ["--dynamic-list", "--export-dynamic-symbol", "--version-script"];
    let says_which = |word: &str| SAY_WHICH.iter().any(|option| word.contains(option));
    let is_library = |word: &str| matches!(word, "-shared" | "-r");
    words.any(|word| is_library(word) || says_which(word) || word.starts_with("-fsanitize="))
}

/// The names of NAMES that the program shows to shared libraries.
pub fn shown(program: &Path) -> std::io::Result<Vec<Export>> {
    let Some(elf) = Elf::open(program)? else { return Ok(Vec::new()) };
    let mut exports = elf.exports()?;
    exports.retain(|export| NAMES.split_whitespace().any(|name| name == export.name));
    Ok(exports)
}

/// Assembly for the object that hides them. The assembler forgets names without a use: here
/// relocations that change nothing, in a section that is not loaded.
pub fn hiding(names: &[Export]) -> String {
    let hide = |export: &Export| {
        let name = &export.name;
        let type_ = if export.is_thread_local { "tls_object" } else { "notype" };
        format!(".hidden {name}\n.type {name}, %{type_}\n.reloc 0, BFD_RELOC_NONE, {name}\n")
    };
    let each: String = names.iter().map(hide).collect();
    format!(".section furlong_own_names,\"\"\n.byte 0\n{each}{PLAIN_STACK}")
}
