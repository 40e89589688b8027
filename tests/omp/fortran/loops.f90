! SPDX-License-Identifier: BSD-3-Clause
! Loops: schedules, steps, collapse, ordered, doacross, lastprivate, wide kinds, nowait.
program loops
  use omp_lib
  implicit none
  integer, parameter :: n = 150
  integer :: i, j, k, hits(n), grid(12, 9), list(n), length, last
  integer(8) :: big, wide
  integer(1) :: small
  real(8) :: chain(0:n)
  hits = 0
  !$omp parallel
  !$omp do schedule(static)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp end do nowait
  !$omp do schedule(static)
  do i = 1, n
    hits(i) = hits(i) + 10
  end do
  !$omp end do
  !$omp do schedule(dynamic, 4)
  do i = n, 1, -1
    hits(i) = hits(i) + 100
  end do
  !$omp do schedule(guided)
  do i = 1, n, 7
    hits(i) = hits(i) + 1000
  end do
  !$omp do schedule(runtime)
  do i = 2, n, 2
    hits(i) = hits(i) + 10000
  end do
  !$omp end parallel
  do i = 1, n
    k = 111
    if (mod(i - 1, 7) == 0) k = k + 1000
    if (mod(i, 2) == 0) k = k + 10000
    if (hits(i) /= k) stop 1
  end do
  grid = 0
  !$omp parallel do collapse(2) schedule(dynamic) lastprivate(last)
  do j = 1, 9
    do i = 12, 1, -1
      grid(i, j) = grid(i, j) + i * 100 + j
      last = i
    end do
  end do
  do j = 1, 9
    do i = 1, 12
      if (grid(i, j) /= i * 100 + j) stop 2
    end do
  end do
  if (last /= 1) stop 3
  length = 0
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, n
    !$omp ordered
    length = length + 1
    list(length) = i
    !$omp end ordered
  end do
  if (any(list /= [(i, i = 1, n)])) stop 4
  chain(0) = 1
  !$omp parallel do ordered(1) schedule(static, 1)
  do i = 1, n
    !$omp ordered depend(sink: i - 1)
    chain(i) = chain(i - 1) + i
    !$omp ordered depend(source)
  end do
  if (chain(n) /= 1 + n * (n + 1) / 2) stop 5
  wide = 0
  !$omp parallel do reduction(+: wide) schedule(dynamic, 10)
  do big = 10000000000_8, 10000000099_8
    wide = wide + big - 10000000000_8
  end do
  if (wide /= 4950) stop 6
  k = 0
  !$omp parallel do reduction(+: k)
  do small = -50_1, 50_1, 25_1
    k = k + 1
  end do
  if (k /= 5) stop 7
  print '(a)', 'ok'
end program
