! SPDX-License-Identifier: BSD-3-Clause
! Molecular dynamics in small: modules, allocatable arrays, a reduction of an array, thread-private
! data in a module and in a common block, array statements shared among threads.
module particles
  implicit none
  integer, parameter :: n = 120
  real(8), allocatable :: at(:, :), speed(:, :), force(:, :)
  real(8), save :: my_energy
  integer :: my_pairs
  common /counted/ my_pairs
  !$omp threadprivate(my_energy)
  !$omp threadprivate(/counted/)
contains
  subroutine start()
    integer :: i
    if (.not. allocated(at)) allocate (at(3, n), speed(3, n), force(3, n))
    !$omp parallel do private(i)
    do i = 1, n
      at(:, i) = [mod(i, 5) * 1.1d0, mod(i / 5, 5) * 1.1d0, (i / 25) * 1.1d0]
      speed(:, i) = 0.01d0 * [mod(i, 3) - 1, mod(i, 7) - 3, mod(i, 11) - 5]
    end do
  end subroutine

  subroutine forces(energy, pairs)
    real(8), intent(out) :: energy
    integer, intent(out) :: pairs
    real(8) :: away(3), r2, r6
    integer :: i, j
    energy = 0
    pairs = 0
    force = 0
    !$omp parallel private(i, j, away, r2, r6)
    my_energy = 0
    my_pairs = 0
    !$omp do schedule(dynamic, 7) reduction(+ : force)
    do i = 1, n - 1
      do j = i + 1, n
        away = at(:, i) - at(:, j)
        r2 = sum(away**2)
        if (r2 < 6.25d0) then
          r6 = 1 / r2**3
          my_energy = my_energy + r6 * (r6 - 1)
          my_pairs = my_pairs + 1
          force(:, i) = force(:, i) + r6 * (2 * r6 - 1) / r2 * away
          force(:, j) = force(:, j) - r6 * (2 * r6 - 1) / r2 * away
        end if
      end do
    end do
    !$omp critical
    energy = energy + my_energy
    pairs = pairs + my_pairs
    !$omp end critical
    !$omp end parallel
  end subroutine

  subroutine move(dt)
    real(8), intent(in) :: dt
    !$omp parallel workshare
    speed = speed + dt * force
    at = at + dt * speed
    !$omp end parallel workshare
  end subroutine

  real(8) function run(steps)
    integer, intent(in) :: steps
    real(8) :: energy
    integer :: i, pairs
    call start()
    do i = 1, steps
      call forces(energy, pairs)
      call move(1d-3)
    end do
    run = energy + pairs + sum(at) + sum(speed)
  end function
end module

program dynamics
  use particles
  use omp_lib
  implicit none
  real(8) :: with_all, alone
  integer :: threads
  threads = omp_get_max_threads()
  with_all = run(6)
  call omp_set_num_threads(1)
  alone = run(6)
  call omp_set_num_threads(threads)
  if (abs(with_all - alone) > 1d-9 * abs(alone)) then
    print *, 'with all', with_all, 'alone', alone
    stop 1
  end if
  print '(a)', 'ok'
end program
