! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x4 2x2 4x1 3x1 3x2 2x7
! What is printed by the threads of all hosts is shown in the order in which they have printed it.
program output
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  use omp_lib
  implicit none
  interface
    integer(c_int) function creat(path, mode) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
    end function
    integer(c_int) function dup(fd) bind(c)
      import
      integer(c_int), value :: fd
    end function
    integer(c_int) function dup2(fd, to) bind(c)
      import
      integer(c_int), value :: fd, to
    end function
  end interface
  integer, parameter :: lines = 30
  integer :: i, n, x, stat, bad = 0
  integer(c_int) :: before, fd
  character(len=40) :: what
  n = omp_get_max_threads()
  before = dup(1_c_int)
  fd = creat('shown.txt' // c_null_char, int(o'600', c_int))
  if (fd < 0 .or. dup2(fd, 1_c_int) < 0) stop 1

  !$omp parallel do ordered schedule(static, 1)
  do i = 1, lines
    !$omp ordered
    print '(a, i0)', 'ordered ', value(i)
    !$omp end ordered
  end do
  !$omp parallel private(i)
  do i = 1, n
    if (i == omp_get_thread_num() + 1) write(*, *) 'barrier', i
    !$omp barrier
  end do
  !$omp end parallel
  flush(6)
  fd = dup2(before, 1_c_int)

  open(10, file='shown.txt', status='old')
  do i = 1, lines
    read(10, *, iostat=stat) what, x
    if (stat /= 0 .or. what /= 'ordered' .or. x /= i) bad = bad + 1
  end do
  do i = 1, n
    read(10, *, iostat=stat) what, x
    if (stat /= 0 .or. what /= 'barrier' .or. x /= i) bad = bad + 1
  end do
  close(10, status='delete')
  if (bad == 0) then
    print '(a)', 'ok'
  else
    write(error_unit, *) bad, 'lines are not where they should be'
  end if
contains
  ! Asks for a lock while the statement that calls it prints.
  integer function value(i)
    integer, intent(in) :: i
    !$omp critical
    value = i
    !$omp end critical
  end function
end program
