! SPDX-License-Identifier: BSD-3-Clause
! Common blocks and module variables: shared, threadprivate with copyin, private.
module state
  implicit none
  integer :: counter = 5
  real :: table(4) = [1., 2., 3., 4.]
  integer, save :: per_thread = 1
  integer, allocatable, save :: own(:)
  !$omp threadprivate(per_thread, own)
end module

program main
  use omp_lib
  use state
  implicit none
  integer :: a, b(3), shared_count, n, me
  logical :: good
  common /block/ a, b
  common /all/ shared_count
  !$omp threadprivate(/block/)
  n = omp_get_max_threads(); good = .true.
  call omp_set_dynamic(.false.)
  a = 10; b = [1, 2, 3]; shared_count = 0; per_thread = 42
  !$omp parallel copyin(/block/, per_thread) private(me) reduction(.and.: good)
  me = omp_get_thread_num()
  good = good .and. a == 10 .and. b(3) == 3 .and. per_thread == 42
  a = me; per_thread = 2 * me
  allocate(own(me + 1)); own = me
  !$omp atomic
  shared_count = shared_count + 1
  !$omp critical
  counter = counter + 1
  table(1 + mod(me, 4)) = table(1 + mod(me, 4)) + 1
  !$omp end critical
  !$omp end parallel
  !$omp parallel private(me) reduction(.and.: good)
  me = omp_get_thread_num()
  good = good .and. a == me .and. per_thread == 2 * me .and. size(own) == me + 1
  good = good .and. all(own == me)
  deallocate(own)
  call add(1)
  !$omp end parallel
  if (.not. good) stop 1
  if (shared_count /= 2 * n .or. counter /= 5 + n .or. sum(table) /= 10 + n) stop 2
  print '(a)', 'ok'
contains
  subroutine add(i)
    integer, intent(in) :: i
    integer :: count
    common /all/ count
    !$omp atomic
    count = count + i
  end subroutine
end program
