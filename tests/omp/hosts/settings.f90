! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x4 2x2 4x1
!@ flags: -fconvert=big-endian -fno-sign-zero
!@ args: first second
! What the compiler tells Fortran's library in the main program holds for threads of all hosts.
program settings
  use omp_lib
  implicit none
  integer :: wrong, unit, number, me
  character(len=16) :: text
  character(len=40) :: name
  real :: zero
  wrong = 0
!$omp parallel private(unit, number, me, text, name, zero) reduction(+:wrong)
  me = omp_get_thread_num()
  call get_command_argument(2, text)
  if (command_argument_count() /= 2 .or. text /= 'second') wrong = wrong + 1
  zero = -0.0
  write (text, '(f5.1)') zero
  if (index(text, '-') > 0) wrong = wrong + 1
  write (name, '(a,i0)') 'settings.', me
  open (newunit=unit, file=name, form='unformatted', access='stream')
  write (unit) 1
  close (unit)
  open (newunit=unit, file=name, form='unformatted', access='stream', convert='little_endian')
  read (unit) number
  close (unit, status='delete')
  if (number /= 16777216) wrong = wrong + 1
!$omp end parallel
  if (wrong > 0) error stop 1
  print '(a)', 'ok'
end program
