! As sites.c, with MODULE and the bindings that it stands for. Of MPI_Init and MPI_Finalize gfortran
! itself says the line of the program statement, with some modules.
#define TYPE MPI_INTEGER
#define WORLD MPI_COMM_WORLD

subroutine exchange(rank, ranks)
#ifdef OLD
   implicit none
   include 'mpif.h'
   integer :: requests(2)
#else
   use MODULE
   implicit none
   HANDLE(MPI_Request) :: requests(2)
#endif
   integer, intent(in) :: rank, ranks
   integer :: from, left, right, ierror
   left = mod(rank + ranks - 1, ranks)
   right = mod(rank + 1, ranks)
   call MPI_Irecv(from, 1, TYPE, left, 1, WORLD, requests(1), ierror) ! site exchange_ 6
   call MPI_Isend(rank, 1, TYPE, right, 1, WORLD, requests(2), ierror) ! site exchange_ 6
   call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror) ! site exchange_ 6
end subroutine exchange

program sites
#ifdef OLD
   implicit none
   include 'mpif.h'
#else
   use MODULE
   implicit none
#endif
   integer :: rank, ranks, i, value, ierror
   rank = 0
   ranks = 0
   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
   do i = 1, 6
      call exchange(rank, ranks)
   end do
   value = rank
   call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror) ! site sites 1
   call MPI_Barrier(MPI_COMM_WORLD, ierror) ! site sites 1
   call MPI_Finalize(ierror)
end program sites
