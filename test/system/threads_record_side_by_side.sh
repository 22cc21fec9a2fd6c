# MPI_THREAD_MULTIPLE: four threads of a rank record at once, each at a location of its
# own; requests that another thread completes are messages like others. Threads that follow
# each other share one.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of threads_pingpong.c short_threads.c
finish
