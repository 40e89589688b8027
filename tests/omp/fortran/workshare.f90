! SPDX-License-Identifier: BSD-3-Clause
! workshare: array assignments, where, forall, and reductions of arrays in it.
program workshare
  implicit none
  integer, parameter :: n = 64
  real :: a(n, n), b(n, n), c(n, n), total
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = i; b(i, j) = j
    end do
  end do
  !$omp parallel shared(a, b, c, total)
  !$omp workshare
  c = a + b
  where (c > n)
    c = c - n
  elsewhere
    c = -c
  end where
  total = sum(abs(c))
  forall (i = 1:n) a(i, i) = 0
  !$omp end workshare
  !$omp end parallel
  do j = 1, n
    do i = 1, n
      if (i + j > n .and. c(i, j) /= i + j - n) stop 1
      if (i + j <= n .and. c(i, j) /= -(i + j)) stop 2
    end do
    if (a(j, j) /= 0) stop 3
  end do
  if (total /= sum(abs(c))) stop 4
  !$omp parallel workshare
  b = 2 * b
  !$omp end parallel workshare
  if (any(b(1, :) /= [(2. * j, j = 1, n)])) stop 5
  print '(a)', 'ok'
end program
