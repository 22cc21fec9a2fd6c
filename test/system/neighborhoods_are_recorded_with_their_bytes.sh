# Collective operations on neighbourhoods: nothing goes beyond an edge.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of neighbors.c
finish
