! SPDX-License-Identifier: BSD-3-Clause
! What fortran.upc has from Fortran, with the names and types of C.
module rotation
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
contains
  ! y = y + a x, and the sum of y.
  function add_scaled(n, a, x, y) bind(c) result(total)
    integer(c_int), value :: n
    real(c_double), value :: a
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(inout) :: y(n)
    real(c_double) :: total
    y = y + a * x
    total = sum(y)
    if (total < 0) print '(a, f0.2)', 'a negative sum: ', total
  end function add_scaled
end module rotation
