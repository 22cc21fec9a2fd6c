C What bindings have to translate, from mpif.h: logicals, strings, a
C Cartesian communicator, MPI_STATUSES_IGNORE, MPI_BOTTOM.
C
C Expected in the archive of n ranks:
C     MPI_Cart_create    n
C     MPI_Cart_get       n
C     MPI_Cart_shift     n
C     MPI_Comm_set_name  n
C     MPI_Sendrecv       2 * n
C     MPI_Isend          n
C     MPI_Irecv          n
C     MPI_Waitall        n
C     MPI_Comm_free      n
C     messages           3 * n
C     bytes              n * (4 * 8 + 2 * 4 + 8)
      PROGRAM BINDIN
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER RING, THERE, REQS(2), RANKS, PREV, NEXT, LENGTH, IERR
      INTEGER PLACE(1), EXTENT(1), OUT(2), IN(2), ONES(1), I
      INTEGER(KIND=MPI_ADDRESS_KIND) WHERE(1)
      LOGICAL PERIOD(1)
      CHARACTER*(MPI_MAX_OBJECT_NAME) NAME
      DOUBLE PRECISION SOME(4), ROW(4), ONE, OTHER

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      EXTENT(1) = RANKS
      PERIOD(1) = .TRUE.
      CALL MPI_CART_CREATE(MPI_COMM_WORLD, 1, EXTENT, PERIOD, .FALSE.,
     &     RING, IERR)
      PERIOD(1) = .FALSE.
      CALL MPI_CART_GET(RING, 1, EXTENT, PERIOD, PLACE, IERR)
      IF (.NOT. PERIOD(1) .OR. EXTENT(1) .NE. RANKS) STOP 1
      CALL MPI_COMM_SET_NAME(RING, 'ring of Fortran   ', IERR)
      CALL MPI_COMM_GET_NAME(RING, NAME, LENGTH, IERR)
      IF (NAME .NE. 'ring of Fortran' .OR. LENGTH .NE. 15) STOP 2
      CALL MPI_CART_SHIFT(RING, 0, 1, PREV, NEXT, IERR)

      DO 10 I = 1, 4
         SOME(I) = PLACE(1)
   10 CONTINUE
      CALL MPI_SENDRECV(SOME, 4, MPI_DOUBLE_PRECISION, NEXT, 1, ROW, 4,
     &     MPI_DOUBLE_PRECISION, PREV, 1, RING, MPI_STATUS_IGNORE, IERR)
      IF (NINT(ROW(4)) .NE. PREV) STOP 3

      OUT(1) = PLACE(1)
      OUT(2) = PLACE(1)
      CALL MPI_IRECV(IN, 2, MPI_INTEGER, PREV, 2, RING, REQS(1), IERR)
      CALL MPI_ISEND(OUT, 2, MPI_INTEGER, NEXT, 2, RING, REQS(2), IERR)
      CALL MPI_WAITALL(2, REQS, MPI_STATUSES_IGNORE, IERR)
      IF (IN(2) .NE. PREV) STOP 4

      ONE = PLACE(1)
      ONES(1) = 1
      CALL MPI_GET_ADDRESS(ONE, WHERE(1), IERR)
      CALL MPI_TYPE_CREATE_HINDEXED(1, ONES, WHERE,
     &     MPI_DOUBLE_PRECISION, THERE, IERR)
      CALL MPI_TYPE_COMMIT(THERE, IERR)
      CALL MPI_SENDRECV(MPI_BOTTOM, 1, THERE, NEXT, 3, OTHER, 1,
     &     MPI_DOUBLE_PRECISION, PREV, 3, RING, MPI_STATUS_IGNORE, IERR)
      CALL MPI_TYPE_FREE(THERE, IERR)
      IF (NINT(OTHER) .NE. PREV) STOP 5
      CALL MPI_COMM_FREE(RING, IERR)
      CALL MPI_FINALIZE(IERR)
      END
