! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x4 2x2 4x1
!@ exit: 2
!@ stderr: Fortran runtime error: End of file
! An error with a unit of another host is the error of the thread whose statement it is.
program unit_error
  use omp_lib
  integer :: x
  open(10, file='one.txt')
  write(10, *) 1
  rewind(10)
  !$omp parallel num_threads(4) private(x)
  if (omp_get_thread_num() == 3) then
     read(10, *) x
     read(10, *) x
  end if
  !$omp end parallel
end program
