! SPDX-License-Identifier: BSD-3-Clause
! Allocatables, pointers, assumed shapes, derived types and strings in data clauses and regions.
program arrays
  use omp_lib
  implicit none
  type :: item
    integer :: number
    real, allocatable :: values(:)
  end type
  real, allocatable :: a(:), p(:, :)
  integer, pointer :: q(:)
  type(item) :: items(20)
  character(len=20) :: text
  integer :: i, n, length
  logical :: good
  n = omp_get_max_threads(); good = .true.; length = 0
  allocate(a(100), p(3, 3), q(50))
  a = 1; p = 2; q = 3; text = 'shared text'
  !$omp parallel firstprivate(p) private(i) reduction(.and.: good)
  good = good .and. all(p == 2) .and. size(p) == 9 .and. text == 'shared text'
  p = omp_get_thread_num()
  !$omp do
  do i = 1, 20
    items(i)%number = i
    allocate(items(i)%values(i))
    items(i)%values = i
  end do
  call scale(a, 2.)
  !$omp do
  do i = 1, 50
    q(i) = q(i) * i
  end do
  good = good .and. all(p == omp_get_thread_num())
  !$omp end parallel
  if (.not. good .or. any(p /= 2)) stop 1
  do i = 1, 20
    if (size(items(i)%values) /= i .or. any(items(i)%values /= i)) stop 2
  end do
  if (any(a /= 2) .or. any(q /= [(3 * i, i = 1, 50)])) stop 3
  !$omp parallel do reduction(+: length) private(text)
  do i = 1, 10
    text = repeat('x', i)
    length = length + len_trim(text)
  end do
  if (length /= 55) stop 4
  deallocate(a, p, q)
  print '(a)', 'ok'
contains
  subroutine scale(x, factor)
    real, intent(inout) :: x(:)
    real, intent(in) :: factor
    integer :: k
    !$omp do schedule(dynamic, 5)
    do k = 1, size(x)
      x(k) = x(k) * factor
    end do
  end subroutine
end program
