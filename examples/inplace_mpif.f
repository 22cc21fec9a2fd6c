C     MPI_IN_PLACE from Fortran 77 (mpif.h): a sum over ranks 1 ... n in
C     place, which recorders that call C from Fortran get wrong.
C
C     Expected in the archive of n ranks:
C         MPI_Allreduce      n
C         MPI_Sendrecv       n
C         messages           n
C         bytes              n * 8
C         collectives        n
C         moved ALLREDUCE    4 * n * (n - 1)
      program inplace
      implicit none
      include 'mpif.h'
      integer rank, ranks, total, next, prev, error
      double precision mine, theirs

      call MPI_INIT(error)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
      total = rank + 1
      call MPI_ALLREDUCE(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, error)
      next = mod(rank + 1, ranks)
      prev = mod(rank + ranks - 1, ranks)
      mine = rank
      call MPI_SENDRECV(mine, 1, MPI_DOUBLE_PRECISION, next, 0, theirs,
     &                  1, MPI_DOUBLE_PRECISION, prev, 0,
     &                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      if (rank .eq. 0) print '(a,i0)', 'sum ', total
      call MPI_FINALIZE(error)
      if (total .ne. ranks * (ranks + 1) / 2) stop 1
      if (nint(theirs) .ne. prev) stop 2
      end
