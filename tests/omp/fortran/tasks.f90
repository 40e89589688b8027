! SPDX-License-Identifier: BSD-3-Clause
! Tasks in Fortran: recursion, arrays and characters as firstprivate, dependences, taskloop, task
! reductions, detach.
program tasks
    use omp_lib
    implicit none
    integer :: failures = 0, n, i, x, total, reduced
    integer, allocatable :: v(:)
    integer(omp_event_handle_kind) :: event
    real(8) :: r(10)
    character(len=12) :: text

    n = omp_get_max_threads()
    allocate(v(n * 20))
    v = 0
    text = 'unchanged'
    r = [(1d0 * i, i = 1, 10)]
    !$omp parallel shared(v, total) firstprivate(r, text) private(event)
    !$omp single
    if (fib(15) /= 610) call failed('recursion')
    do i = 1, size(v)
        !$omp task firstprivate(r, text, i)
        if (text == 'unchanged' .and. r(10) == 10d0) v(i) = v(i) + i
        !$omp end task
    end do
    !$omp taskwait
    if (any(v /= [(i, i = 1, size(v))])) call failed('firstprivate')
    x = 0
    do i = 1, 100
        !$omp task depend(inout: x) shared(x)
        x = merge(i, -1000, x == i - 1)
        !$omp end task
    end do
    !$omp taskwait
    if (x /= 100) call failed('depend')
    do i = 1, size(v)
        !$omp task depend(in: x) shared(v, x) firstprivate(i)
        v(i) = x * i
        !$omp end task
    end do
    !$omp task depend(inout: x) shared(v, x)
    x = sum(v) - 99 * size(v) * (size(v) + 1) / 2
    !$omp end task
    !$omp taskwait
    if (x /= size(v) * (size(v) + 1) / 2) call failed('depend on many')
    total = 0
    !$omp taskloop reduction(+: total) grainsize(7)
    do i = 100, 1, -1
        total = total + i
    end do
    if (total /= 5050) call failed('taskloop')
    reduced = 0
    !$omp taskgroup task_reduction(+: reduced)
    do i = 1, 50
        !$omp task in_reduction(+: reduced) firstprivate(i)
        reduced = reduced + i
        !$omp end task
    end do
    !$omp end taskgroup
    if (reduced /= 1275) call failed('task_reduction')
    !$omp task detach(event) shared(x)
    x = -1
    !$omp end task
    !$omp task shared(x) firstprivate(event)
    call omp_fulfill_event(event)
    !$omp end task
    !$omp taskwait
    if (x /= -1) call failed('detach')
    !$omp end single
    !$omp end parallel
    if (failures == 0) then
        print '(a)', 'ok'
    else
        stop 1
    end if

contains

    recursive integer function fib(k) result(value)
        integer, intent(in) :: k
        integer :: a, b
        if (k < 2) then
            value = k
            return
        end if
        !$omp task shared(a) firstprivate(k)
        a = fib(k - 1)
        !$omp end task
        !$omp task shared(b) firstprivate(k)
        b = fib(k - 2)
        !$omp end task
        !$omp taskwait
        value = a + b
    end function

    subroutine failed(what)
        character(len=*), intent(in) :: what
        failures = failures + 1
        print '(a)', what
    end subroutine
end program
