/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Further names by which glibc offers functions on which this room interposes, for programs that
 * were linked against them: internal names that are public, and names with two underscores of
 * POSIX's locks. Each is a jump, so that the function finds the program's return address.
 */
#define ALIAS(name, function)                                                                      \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n    jmp " #function     \
            "@PLT\n.size " #name ", . - " #name "\n")

ALIAS(__close, close);
ALIAS(__connect, connect);
ALIAS(__dup2, dup2);
ALIAS(__fcntl, fcntl);
ALIAS(__fork, fork);
ALIAS(__gettimeofday, gettimeofday);
ALIAS(__lseek, lseek);
ALIAS(__nanosleep, nanosleep);
ALIAS(__open, open);
ALIAS(__open64, open64);
ALIAS(__pipe, pipe);
ALIAS(__poll, poll);
ALIAS(__pread64, pread64);
ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);
ALIAS(__pthread_once, pthread_once);
ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);
ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
ALIAS(__pwrite64, pwrite64);
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
