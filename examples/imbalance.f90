! Ranks that have more to do the higher their number: rank p sleeps (p + 1) * 40 ms, five
! times, with an Allreduce behind each. Sleep stands for work where the archive does not tell when
! ranks were on a core: mpiwatch-record --cpu=off.
!
! Each rank writes the times that its sleeps took, in ns, into imbalance.RANK. The archive
! holds: useful time of rank p that is at least their sum, and not much more; MPI_Allreduce five
! times per rank, shorter the higher the rank; parallel efficiency near (n + 1) / (2 n) of n
! ranks, all of what is missing load imbalance.
program imbalance
    use iso_c_binding
    use mpi
    implicit none

    integer, parameter :: rounds = 5
    integer(c_int), parameter :: pause_us = 40000
    integer :: rank, error, i, unit, sum, one
    integer(c_int) :: ignored
    integer(kind=8) :: begin, end, rate, slept(rounds)
    character(len=32) :: name

    interface
        function usleep(microseconds) bind(c, name='usleep')
            import :: c_int
            integer(c_int), value :: microseconds
            integer(c_int) :: usleep
        end function usleep
    end interface

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call system_clock(count_rate=rate)
    one = 1
    do i = 1, rounds
        call system_clock(begin)
        ignored = usleep(int((rank + 1) * pause_us, c_int))
        call system_clock(end)
        slept(i) = end - begin
        call MPI_Allreduce(one, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    end do
    call MPI_Finalize(error)
    write (name, '(a, i0)') 'imbalance.', rank
    open (newunit=unit, file=name)
    write (unit, '(i0)') slept * (1000000000_8 / rate)
    close (unit)
end program imbalance
