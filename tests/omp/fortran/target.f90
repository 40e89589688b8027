! SPDX-License-Identifier: BSD-3-Clause
! target and teams on the host; simd; routines.
program on_host
  use omp_lib
  implicit none
  integer, parameter :: n = 100
  real :: a(n), b(n)
  integer :: i, kind_, chunk, teams
  a = 1; b = 0
  !$omp target map(to: a) map(from: b)
  b = a + 1
  !$omp end target
  if (any(b /= 2)) stop 1
  !$omp target data map(tofrom: a)
  !$omp target teams distribute parallel do
  do i = 1, n
    a(i) = a(i) + i
  end do
  !$omp end target data
  if (any(a /= [(1. + i, i = 1, n)])) stop 2
  !$omp simd
  do i = 1, n
    b(i) = b(i) * 2
  end do
  !$omp parallel do simd
  do i = 1, n
    b(i) = b(i) + 1
  end do
  if (any(b /= 5)) stop 3
  teams = 0
  !$omp teams num_teams(2)
  !$omp parallel
  !$omp master
  !$omp atomic
  teams = teams + 1
  !$omp end master
  !$omp end parallel
  !$omp end teams
  if (teams < 1 .or. teams > 2) stop 4
  call omp_set_schedule(omp_sched_guided, 4)
  call omp_get_schedule(kind_, chunk)
  if (iand(kind_, 15) /= omp_sched_guided .or. chunk /= 4) stop 5
  call absent(chunk)
  call absent()
  if (chunk /= 40) stop 7
  if (omp_get_wtime() < 0 .or. omp_get_wtick() <= 0 .or. omp_in_parallel()) stop 6
  print '(a)', 'ok'
contains
  subroutine absent(x)
    integer, optional, intent(inout), target :: x
    !$omp target has_device_addr(x)
    if (present(x)) x = x * 10
    !$omp end target
  end subroutine
end program
