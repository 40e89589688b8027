! SPDX-License-Identifier: BSD-3-Clause
! Tasks: recursion, dependences, taskgroup, taskloop, firstprivate of arrays.
program tasks
  use omp_lib
  implicit none
  integer :: r, i, x, chain(5), squares(100), total
  !$omp parallel
  !$omp single
  r = fib(17)
  !$omp end single
  !$omp end parallel
  if (r /= 1597) stop 1
  chain = 0; x = 1
  !$omp parallel
  !$omp single
  !$omp task depend(out: x) shared(x)
  x = 2
  !$omp end task
  do i = 1, 4
    !$omp task depend(in: x) shared(chain) firstprivate(i)
    chain(i) = x * i
    !$omp end task
  end do
  !$omp task depend(inout: x) shared(x, chain)
  x = 3
  chain(5) = sum(chain(1:4))
  !$omp end task
  !$omp taskwait
  !$omp taskgroup
  do i = 1, 100
    !$omp task shared(squares)
    squares(i) = i * i
    !$omp end task
  end do
  !$omp end taskgroup
  total = sum(squares)
  !$omp end single
  !$omp end parallel
  if (x /= 3 .or. chain(5) /= 20 .or. total /= 338350) stop 2
  total = 0
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) shared(squares)
  do i = 1, 100
    squares(i) = squares(i) + 1
  end do
  !$omp taskloop num_tasks(5) reduction(+: total)
  do i = 1, 100
    total = total + squares(i)
  end do
  !$omp end single
  !$omp end parallel
  if (total /= 338450) stop 3
  print '(a)', 'ok'
contains
  recursive function fib(n) result(f)
    integer, intent(in) :: n
    integer :: f, a, b
    if (n < 2) then
      f = n
      return
    end if
    !$omp task shared(a) firstprivate(n)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b) firstprivate(n)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    f = a + b
  end function
end program
