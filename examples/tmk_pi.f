! SPDX-License-Identifier: BSD-3-Clause
! Plain Fortran on several hosts that share memory, which a common block is: each process integrates
! a part of 4 / (1 + x * x) from 0 to 1, and adds it to a sum under a lock.
!
!     gfortran tmk_pi.f -o tmk_pi $(pkg-config --cflags --libs furlong-tmkf)
!     upcrun -n 4 -hosts ada,bert,cleo,dora ./tmk_pi
      program pi
      implicit none
      include 'tmkf.h'
      double precision sum
      common /shared/ sum
      call tmk_startup()
      call add(tmk_proc_id(), tmk_nprocs())
      call tmk_barrier(0)
      if (tmk_proc_id() .eq. 0) then
         print '(a, f10.8, a, i0, a)', 'pi is ', sum, ', by ',
     &      tmk_nprocs(), ' processes'
      end if
      call tmk_exit(0)
      end

! What is private to a thread is a variable of a subroutine: those of the main program may be shared
! by the threads of a host.
      recursive subroutine add(me, n)
      implicit none
      include 'tmkf.h'
      integer me, n, i, steps
      parameter (steps = 4000000)
      double precision sum, part, x
      common /shared/ sum
      part = 0
      do i = me, steps - 1, n
         x = (i + 0.5d0) / steps
         part = part + 4 / (1 + x * x) / steps
      end do
      call tmk_lock_acquire(0)
      sum = sum + part
      call tmk_lock_release(0)
      end
