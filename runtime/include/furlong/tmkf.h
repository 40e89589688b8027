! SPDX-License-Identifier: BSD-3-Clause
! Shared memory for Fortran programs that run on several hosts, in the interface of TreadMarks; for
! fixed and free form. Common blocks are shared; all else is private. See furlong_tmk(3).
      integer tmk_barriers, tmk_locks, tmk_conds
      parameter (tmk_barriers = 1024, tmk_locks = 1024)
      parameter (tmk_conds = 256)
      integer tmk_proc_id, tmk_nprocs
      external tmk_proc_id, tmk_nprocs
      external tmk_startup, tmk_exit, tmk_barrier, tmk_distribute
      external tmk_lock_acquire, tmk_lock_release
      external tmk_lock_cond_wait, tmk_lock_cond_signal
      external tmk_lock_cond_broadcast
