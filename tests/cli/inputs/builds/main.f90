! SPDX-License-Identifier: BSD-3-Clause
program main
  use iso_c_binding
  interface
    function three() bind(c)
      use iso_c_binding
      integer(c_long) :: three
    end function
  end interface
  integer :: n
  n = int(three())
  print '(i12)', n
end program
