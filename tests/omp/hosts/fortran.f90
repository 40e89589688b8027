! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x1 1x4 2x2 3x1
!@ sort
! Fortran over hosts: a module's allocatable array, a common block, internal and external files,
! array functions of the library, output of all threads.
module shared_data
  implicit none
  integer, allocatable :: numbers(:)
  real(8) :: in_common(1000)
  common /block/ in_common
end module

program over_hosts
  use shared_data
  use omp_lib
  implicit none
  integer :: i, n, me, bad
  character(len=20) :: names(64), expected
  real(8) :: total
  real(8), allocatable :: matrix(:,:)
  bad = 0
  n = omp_get_max_threads()
  allocate(numbers(10000), matrix(50,50))
  !$omp parallel do
  do i = 1, 10000
    numbers(i) = i
  end do
  if (sum(numbers) /= 50005000) bad = bad + 1
  !$omp parallel private(me)
  me = omp_get_thread_num()
  write(names(me+1), '(a,i3)') 'thread', me
  in_common(me+1) = me
  !$omp end parallel
  do i = 1, n
    write(expected, '(a,i3)') 'thread', i - 1
    if (names(i) /= expected .or. in_common(i) /= i - 1) bad = bad + 1
  end do
  matrix = 1
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, 50
    total = total + sum(matmul(matrix(i:i,:), matrix))
  end do
  if (total /= 125000) bad = bad + 1
  open(10, file='numbers')
  write(10,*) numbers
  rewind(10)
  numbers = 0
  read(10,*) numbers
  close(10)
  if (sum(numbers) /= 50005000) bad = bad + 1
  deallocate(numbers, matrix)
  if (bad == 0) print '(a)', 'ok'
  if (bad /= 0) stop 1
end program
