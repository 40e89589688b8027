! SPDX-License-Identifier: BSD-3-Clause
! atomic in its forms, locks, flush.
program atomics
  use omp_lib
  implicit none
  integer :: i, n, counter, ticket, captured, most, taken(0:4095), guarded, nested, seen, turn, me
  real(8) :: x
  integer(8) :: wide
  logical :: flag
  complex(8) :: z
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  n = omp_get_max_threads()
  counter = 0; x = 0; wide = 0; most = 0; ticket = 0; taken = 0; flag = .false.; z = 0
  guarded = 0; nested = 0; turn = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  !$omp parallel private(captured)
  do i = 1, 40
    !$omp atomic
    counter = counter + 1
    !$omp atomic update
    x = x + 0.5d0
    !$omp atomic
    wide = wide - i
    !$omp atomic
    most = max(most, i)
    !$omp atomic
    flag = flag .or. i == 3
    !$omp atomic
    z = z + (1d0, 2d0)
    !$omp atomic capture
    captured = ticket
    ticket = ticket + 1
    !$omp end atomic
    taken(captured) = taken(captured) + 1
    call omp_set_lock(lock)
    guarded = guarded + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
  end do
  !$omp end parallel
  if (counter /= 40 * n .or. x /= 20d0 * n .or. wide /= -820_8 * n .or. most /= 40) stop 1
  if (.not. flag .or. z /= (40d0, 80d0) * n .or. any(taken(0:40*n-1) /= 1)) stop 2
  if (guarded /= 40 * n .or. nested /= 40 * n) stop 3
  !$omp parallel private(me, seen)
  me = omp_get_thread_num()
  do
    !$omp flush
    !$omp atomic read
    seen = turn
    if (seen == me) exit
  end do
  !$omp flush
  guarded = guarded + 1
  !$omp flush
  !$omp atomic write
  turn = me + 1
  !$omp end parallel
  if (guarded /= 41 * n) stop 4
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
  print '(a)', 'ok'
end program
