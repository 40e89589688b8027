! SPDX-License-Identifier: BSD-3-Clause
!@ mappings: 1x4 2x2 4x1 3x1 3x2
! A unit that is opened anywhere, or nowhere, is the same for the threads of all hosts.
program units
  use omp_lib
  implicit none
  integer, parameter :: lines = 20
  integer :: n, i, j, t, x, u, bad = 0, sum, stat, free_unit
  integer :: row(4)
  real(8) :: a(6, 5), b(6, 5), c
  complex(8) :: z, y
  integer(1) :: small
  character(len=40) :: line
  character(len=60) :: message
  logical :: l, is_open
  n = omp_get_max_threads()

  ! a number that the library chooses, and one byte holds
  open(newunit=small, status='scratch')
  !$omp parallel
  !$omp critical
  write(small, *) omp_get_thread_num()
  !$omp end critical
  !$omp end parallel
  if (small > 0 .or. .not. has_line_of_each(int(small))) call wrong(21)
  close(small)

  ! text, by all at once
  open(10, file='log.txt')
  write(10, '(a)') 'begin'
  !$omp parallel private(i)
  do i = 1, lines
     write(10, '(a,i0,a,i0)') 'thread ', omp_get_thread_num(), ' line ', i
  end do
  !$omp end parallel
  write(10, '(a)') 'end'
  rewind(10)
  j = 0
  do
     read(10, '(a)', iostat=stat) line
     if (stat /= 0) exit
     j = j + 1
  end do
  if (j /= n * lines + 2) call wrong(1)
  close(10)

  ! unformatted, arrays with strides, in order
  do j = 1, 5
     do i = 1, 6
        a(i, j) = 10 * i + j
     end do
  end do
  open(newunit=u, file='data', form='unformatted', status='replace')
  !$omp parallel do ordered schedule(static, 1) private(z)
  do i = 1, 3 * n
     !$omp ordered
     z = cmplx(i, -i, 8)
     write(u) i, a(1:6:2, ::2), z, 'text', mod(i, 2) == 0
     !$omp end ordered
  end do
  rewind(u)
  b = 0
  !$omp parallel do ordered schedule(static, 1) private(y, x, line, l) firstprivate(b)
  do i = 1, 3 * n
     !$omp ordered
     read(u) x, b(2:6:2, 5:1:-2), y, line(1:4), l
     if (x /= i .or. y /= cmplx(i, -i, 8) .or. line(1:4) /= 'text' .or. (l .neqv. mod(i, 2) == 0)) call wrong(2)
     if (any(b(2:6:2, 5:1:-2) /= a(1:6:2, ::2))) call wrong(3)
     !$omp end ordered
  end do
  close(u)

  ! direct access, everybody's records
  open(12, file='direct', access='direct', recl=8, form='unformatted', status='replace')
  !$omp parallel do
  do i = 1, 10 * n
     write(12, rec=i) real(i, 8)
  end do
  do i = 1, 10 * n
     read(12, rec=i) c
     if (c /= i) call wrong(4)
  end do
  close(12)

  ! one value after another, and the end
  open(13, file='numbers.txt')
  do i = 1, 5 * n
     write(13, *) i, 2 * i
  end do
  rewind(13)
  sum = 0
  !$omp parallel private(x, t, stat)
  do
     !$omp critical
     read(13, *, iostat=stat) x, t
     if (stat == 0) then
        sum = sum + x
        if (t /= 2 * x) call wrong(5)
     end if
     !$omp end critical
     if (stat /= 0) exit
  end do
  !$omp end parallel
  if (sum /= 5 * n * (5 * n + 1) / 2) call wrong(6)

  ! in parts of a record, and back
  !$omp parallel private(message, stat, is_open)
  !$omp single
  rewind(13)
  write(13, '(a)', advance='no') 'abc'
  write(13, '(i4)') 17
  flush(13)
  backspace(13)
  line = ' '
  read(13, '(a)') line
  if (line /= 'abc  17') call wrong(7)
  !$omp end single
  !$omp single
  rewind(13)
  read(13, '(a)', advance='no', size=x, eor=100, iostat=stat) line
100 continue
  if (x /= 7 .or. .not. is_iostat_eor(stat)) call wrong(8)
  !$omp end single
  !$omp single
  inquire(13, opened=is_open)
  if (.not. is_open) call wrong(9)
  inquire(unit=77, opened=is_open)
  if (is_open) call wrong(10)
  rewind(13)
  read(13, *, iostat=stat, iomsg=message) x
  if (stat == 0 .or. index(message, 'Bad integer') == 0) call wrong(11)
  close(13, status='delete')
  !$omp end single
  !$omp single
  open(newunit=u, file='made.txt', status='replace')
  !$omp end single
  !$omp critical
  write(u, *) omp_get_thread_num()
  !$omp end critical
  !$omp end parallel
  if (.not. has_line_of_each(u)) call wrong(12)
  close(u)

  ! a unit that nobody opens, and large records
  !$omp parallel private(is_open)
  !$omp critical
  write(20, *) omp_get_thread_num()
  call flush(20)
  inquire(20, opened=is_open)
  if (.not. is_open) call wrong(13)
  !$omp end critical
  !$omp end parallel
  rewind(20)
  do i = 1, n
     read(20, *) x
  end do
  close(20, status='delete')
  call large
  if (bad == 0) print '(a)', 'ok'
  if (bad /= 0) error stop
contains
  subroutine wrong(what)
    integer, intent(in) :: what
    print *, 'wrong', what
    bad = 1
  end subroutine
  logical function has_line_of_each(unit)
    integer, intent(in) :: unit
    integer :: line, number, total
    rewind(unit)
    total = 0
    do line = 1, n
       read(unit, *) number
       total = total + number
    end do
    has_line_of_each = total == n * (n - 1) / 2
  end function
  subroutine large
    real(8), allocatable :: v(:), w(:)
    integer :: k
    allocate(v(100000), w(100000))
    v = [(k, k = 1, size(v))]
    open(14, file='large', form='unformatted', access='stream', status='replace')
    !$omp parallel do ordered schedule(static, 1)
    do k = 1, n
       !$omp ordered
       write(14) v
       !$omp end ordered
    end do
    !$omp parallel do ordered schedule(static, 1) private(w)
    do k = 1, n
       if (.not. allocated(w)) allocate(w(size(v)))
       !$omp ordered
       read(14, pos=1 + (k - 1) * 8 * size(v)) w
       if (any(w /= v)) call wrong(20)
       !$omp end ordered
    end do
    close(14)
  end subroutine
end program
