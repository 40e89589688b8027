! SPDX-License-Identifier: BSD-3-Clause
function three() bind(c)
  use iso_c_binding
  integer(c_long) :: three
  integer(c_long), allocatable :: a(:)
  integer :: i
  allocate(a(4))
  !$omp parallel do
  do i = 1, 4
    a(i) = i
  end do
  three = sum(a)
end function
