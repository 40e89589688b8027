! SPDX-License-Identifier: BSD-3-Clause
! A Fourier transform by recursive tasks, a red-black sweep with collapsed loops, and a sequence of
! printed lines in order.
module transforms
  implicit none
  integer, parameter :: n = 1024, small = 64
contains
  recursive subroutine transform(x, m)
    integer, intent(in) :: m
    complex(8), intent(inout) :: x(m)
    complex(8), allocatable :: even(:), odd(:)
    complex(8) :: root
    real(8) :: angle
    integer :: k, half
    if (m == 1) return
    half = m / 2
    allocate (even(half), odd(half))
    even = x(1:m:2)
    odd = x(2:m:2)
    !$omp task shared(even) if (m > small)
    call transform(even, half)
    !$omp end task
    !$omp task shared(odd) if (m > small)
    call transform(odd, half)
    !$omp end task
    !$omp taskwait
    do k = 1, half
      angle = -2 * acos(-1d0) * (k - 1) / m
      root = cmplx(cos(angle), sin(angle), 8) * odd(k)
      x(k) = even(k) + root
      x(k + half) = even(k) - root
    end do
  end subroutine
end module

program main
  use transforms
  use omp_lib
  implicit none
  complex(8) :: x(n), expected
  real(8) :: grid(0:41, 0:41), alone(0:41, 0:41), angle
  integer :: i, j, k, colour, next
  logical :: right
  right = .true.
  do i = 1, n
    x(i) = cmplx(mod(i * 7, 13), mod(i * 5, 11), 8)
  end do
  !$omp parallel
  !$omp single
  call transform(x, n)
  !$omp end single
  !$omp end parallel
  do k = 0, n - 1, 101
    expected = 0
    do i = 1, n
      angle = -2 * acos(-1d0) * mod(k * (i - 1), n) / n
      expected = expected + cmplx(mod(i * 7, 13), mod(i * 5, 11), 8) * cmplx(cos(angle), sin(angle), 8)
    end do
    right = right .and. abs(expected - x(k + 1)) < 1d-8
  end do

  grid = 0
  grid(0, :) = 1
  alone = grid
  do colour = 0, 9
    !$omp parallel do collapse(2) default(none) shared(grid, colour) private(i, j)
    do j = 1, 40
      do i = 1, 40
        if (mod(i + j + colour, 2) == 0) then
          grid(i, j) = (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1) + grid(i, j + 1)) / 4
        end if
      end do
    end do
    !$omp end parallel do
    do j = 1, 40
      do i = 1, 40
        if (mod(i + j + colour, 2) == 0) then
          alone(i, j) = (alone(i - 1, j) + alone(i + 1, j) + alone(i, j - 1) + alone(i, j + 1)) / 4
        end if
      end do
    end do
  end do
  right = right .and. all(grid == alone)

  next = 1
  !$omp parallel do ordered schedule(dynamic) reduction(.and. : right)
  do i = 1, 60
    !$omp ordered
    right = right .and. next == i
    next = next + 1
    !$omp end ordered
  end do
  if (.not. right) stop 1
  print '(a)', 'ok'
end program
