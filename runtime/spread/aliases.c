/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Further names by which glibc offers functions on which this room interposes, for programs that
 * were linked against them: internal names that are public, names with two underscores of POSIX's
 * locks, and those of functions for files of 64 bits, which are the same where off_t has as many.
 * Each is a jump, so that the function finds the program's return address.
 */
#define ALIAS(name, function)                                                                      \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n    jmp " #function     \
            "@PLT\n.size " #name ", . - " #name "\n")

ALIAS(__close, close);
ALIAS(__connect, connect);
ALIAS(__dup2, dup2);
ALIAS(__fcntl, fcntl);
ALIAS(__fork, fork);
ALIAS(__getdelim, getdelim);
ALIAS(__gettimeofday, gettimeofday);
ALIAS(__lseek, lseek);
ALIAS(__nanosleep, nanosleep);
ALIAS(__open, open);
ALIAS(__open64, open);
ALIAS(__pipe, pipe);
ALIAS(__poll, poll);
ALIAS(__pread64, pread);
ALIAS(__pthread_getspecific, pthread_getspecific);
ALIAS(__pthread_key_create, pthread_key_create);
ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);
ALIAS(__pthread_once, pthread_once);
ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);
ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
ALIAS(__pthread_setspecific, pthread_setspecific);
ALIAS(__pwrite64, pwrite);
ALIAS(__read, read);
ALIAS(__sched_yield, sched_yield);
ALIAS(__select, select);
ALIAS(__send, send);
ALIAS(__sigaction, sigaction);
ALIAS(__sigsuspend, sigsuspend);
ALIAS(__statfs, statfs);
ALIAS(__wait, wait);
ALIAS(__waitpid, waitpid);
ALIAS(__write, write);
ALIAS(_IO_fread, fread);
ALIAS(_IO_fwrite, fwrite);
ALIAS(_IO_fputs, fputs);
ALIAS(_IO_puts, puts);

ALIAS(creat64, creat);
ALIAS(fcntl64, fcntl);
ALIAS(fopen64, fopen);
ALIAS(freopen64, freopen);
ALIAS(fstat64, fstat);
ALIAS(fstatat64, fstatat);
ALIAS(fstatfs64, fstatfs);
ALIAS(fstatvfs64, fstatvfs);
ALIAS(ftruncate64, ftruncate);
ALIAS(getrlimit64, getrlimit);
ALIAS(glob64, glob);
ALIAS(lseek64, lseek);
ALIAS(lstat64, lstat);
ALIAS(mkostemp64, mkostemp);
ALIAS(mkostemps64, mkostemps);
ALIAS(mkstemp64, mkstemp);
ALIAS(mkstemps64, mkstemps);
ALIAS(mmap64, mmap);
ALIAS(open64, open);
ALIAS(openat64, openat);
ALIAS(pread64, pread);
ALIAS(preadv64, preadv);
ALIAS(preadv64v2, preadv2);
ALIAS(prlimit64, prlimit);
ALIAS(pwrite64, pwrite);
ALIAS(pwritev64, pwritev);
ALIAS(pwritev64v2, pwritev2);
ALIAS(scandir64, scandir);
ALIAS(sendfile64, sendfile);
ALIAS(setrlimit64, setrlimit);
ALIAS(stat64, stat);
ALIAS(statfs64, statfs);
ALIAS(statvfs64, statvfs);
ALIAS(tmpfile64, tmpfile);
ALIAS(truncate64, truncate);
