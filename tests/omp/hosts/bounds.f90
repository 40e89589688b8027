! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x4 2x2 4x1
!@ flags: -fcheck=bounds
!@ exit: 2
!@ stderr: Index '11' of dimension 1
! An error of Fortran in a region ends the program on all hosts: who finds it has its unit's lock.
program bounds
  use omp_lib
  implicit none
  integer :: some(10), at
  some = 0
!$omp parallel private(at)
  at = 11
  if (omp_get_thread_num() == omp_get_max_threads() - 1) print *, some(at)
!$omp barrier
!$omp end parallel
end program
