! SPDX-License-Identifier: BSD-3-Clause
! Regions, data clauses, single with copyprivate, sections, critical, master, barriers.
program region
  use omp_lib
  implicit none
  integer :: n, me, total, f, i, last, array(10), shared_array(0:255), order
  logical :: good
  character(len=8) :: text
  n = omp_get_max_threads()
  total = 0; f = 7; good = .true.; array = [(i, i = 1, 10)]; shared_array = -1
  !$omp parallel private(me, text) firstprivate(f, array) shared(total, shared_array) reduction(.and.: good)
  me = omp_get_thread_num()
  good = good .and. omp_get_num_threads() == n .and. f == 7 .and. array(10) == 10
  f = me; array = me
  shared_array(me) = me
  !$omp critical (adding)
  total = total + 1
  !$omp end critical (adding)
  !$omp barrier
  good = good .and. f == me .and. all(array == me) .and. total == n
  !$omp single
  text = 'single'
  f = 99
  !$omp end single copyprivate(text, f)
  good = good .and. text == 'single' .and. f == 99
  !$omp barrier
  !$omp master
  total = total + 100
  !$omp end master
  !$omp barrier
  good = good .and. total == n + 100
  !$omp end parallel
  if (.not. good) stop 1
  if (any(shared_array(0:n-1) /= [(i, i = 0, n - 1)])) stop 2
  last = 0; order = 0
  !$omp parallel sections lastprivate(last) reduction(+: order)
  !$omp section
  last = 1; order = order + 1
  !$omp section
  last = 2; order = order + 10
  !$omp section
  last = 3; order = order + 100
  !$omp end parallel sections
  if (last /= 3 .or. order /= 111) stop 3
  print '(a)', 'ok'
end program
