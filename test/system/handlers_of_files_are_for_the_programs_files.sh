# An error handler that the program sets for MPI_FILE_NULL is for the files that it opens, not for
# the archive: MPICH freed it twice, and ended the program in MPI_Finalize.
. "$TOP_SRCDIR/test/system/lib.sh"

for mpi in $(mpis); do
    $(mpicc_of "$mpi") -o program "$TOP_SRCDIR/test/system/file_handler.c"
    plain=$(run_mpi "$mpi" 2 ./program) || skip "$mpi can't do this without the recorder"
    rm -f archive.otf2.zip
    recorded=$(run_mpi "$mpi" 2 "$record" -q -o archive.otf2.zip ./program) ||
        fail "$mpi: with the recorder it ends by $?"
    assert_equal "$plain" "$recorded" "$mpi: errors that the program's handler saw"
    "$analyze" validate archive.otf2.zip >/dev/null || fail "$mpi: validate: $?"
done
