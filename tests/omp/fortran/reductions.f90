! SPDX-License-Identifier: BSD-3-Clause
! Reductions of all operators and kinds, of arrays, allocatables and declared types.
module vectors
  implicit none
  type :: vector
    real :: x = 0, y = 0
  end type
end module

program reductions
  use omp_lib
  use vectors
  implicit none
  integer :: i, n, total, product_, least, most, bits, both, sums(5)
  real(8) :: real_sum, real_most
  complex :: z
  logical :: every, any_, same
  integer, allocatable :: counts(:, :)
  type(vector) :: v
  !$omp declare reduction(add: vector: omp_out = vector(omp_out%x + omp_in%x, omp_out%y + omp_in%y)) &
  !$omp   initializer(omp_priv = vector(0, 0))
  n = omp_get_max_threads()
  total = 3; product_ = 1; least = huge(i); most = -huge(i); bits = 0; both = not(0); sums = 0
  real_sum = 0.5d0; real_most = -1d300; z = (0, 0); every = .true.; any_ = .false.; same = .true.
  allocate(counts(3, 4)); counts = 0
  !$omp parallel do reduction(+: total, sums, real_sum, z, counts) reduction(*: product_) &
  !$omp   reduction(min: least) reduction(max: most, real_most) reduction(ior: bits) &
  !$omp   reduction(iand: both) reduction(.and.: every) reduction(.or.: any_) reduction(.eqv.: same) &
  !$omp   reduction(add: v) schedule(dynamic, 3)
  do i = 1, 120
    total = total + i
    sums(mod(i, 5) + 1) = sums(mod(i, 5) + 1) + i
    real_sum = real_sum + i
    z = z + cmplx(1, -i)
    counts(mod(i, 3) + 1, mod(i, 4) + 1) = counts(mod(i, 3) + 1, mod(i, 4) + 1) + 1
    if (mod(i, 40) == 0) product_ = product_ * 2
    least = min(least, i - 60); most = max(most, 2 * i); real_most = max(real_most, i / 2d0)
    bits = ior(bits, ishft(1, mod(i, 12))); both = iand(both, not(ishft(1, mod(i, 3))))
    every = every .and. i > 0; any_ = any_ .or. i == 77; same = same .eqv. (i /= 5)
    v = vector(v%x + 1, v%y + i)
  end do
  if (total /= 3 + 7260 .or. real_sum /= 7260.5d0 .or. sum(sums) /= 7260) stop 1
  if (sums(1) /= 5 * 24 * 25 / 2 .or. z /= cmplx(120, -7260) .or. any(counts /= 10)) stop 2
  if (product_ /= 8 .or. least /= -59 .or. most /= 240 .or. real_most /= 60d0) stop 3
  if (bits /= 4095 .or. both /= not(7) .or. .not. every .or. .not. any_ .or. same) stop 4
  if (v%x /= 120 .or. v%y /= 7260) stop 5
  print '(a)', 'ok'
end program
