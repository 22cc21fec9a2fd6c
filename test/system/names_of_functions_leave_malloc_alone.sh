# The names of the program's functions, which are read when recording begins, can be more than
# malloc(3) has in one heap: if they were freed to it, the program's own blocks would lie elsewhere.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    void *block;

    MPI_Init(&argc, &argv);
    block = malloc(1 << 20);
    printf("%s\n", (uintptr_t)block % 4096 < 64 ? "mapped" : "in the heap");
    free(block);
    MPI_Finalize();
    return 0;
}
PROGRAM

# 40,000 names of 100 characters.
awk 'BEGIN {
    print ".text"
    for (i = 0; i < 40000; i++) {
        name = sprintf("%080d_%09d", 0, i)
        printf "function_%s:\n.type function_%s, @function\n.size function_%s, 1\n.byte 0\n",
            name, name, name
    }
    print ".section .note.GNU-stack, \"\", @progbits"
}' >names.s

for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -o program program.c names.s
    expected=$(run_mpi "$mpi" 1 ./program 2>err)
    assert_equal "$expected" "$(run_mpi "$mpi" 1 "$record" -q --force -o run.zip ./program 2>err)" \
        "$mpi"
done
finish
