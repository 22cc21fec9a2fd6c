# A generated function that calls MPI in 16,000 lines, by itself, by what is inlined and by what
# ends in a jump, is read once for all of them: looked through for each, it takes longer than the
# 15 s that looking up lines may.
. "$TOP_SRCDIR/test/system/lib.sh"

resolver=$TOP_BUILDDIR/mpiwatch-resolve
[ -x "$resolver" ] || skip "lines are not looked up here (libdw)"

{
    echo '#define INLINED static inline __attribute__((always_inline))'
    echo 'int MPI_Barrier(int of); extern volatile int left;'
    echo 'INLINED void my_MPI_Barrier(void) { left++; MPI_Barrier(1); }'
    echo '__attribute__((noinline)) static void last(void) {'
    seq 1 600 | sed 's/.*/if (left == &) MPI_Barrier(&);/'
    echo 'MPI_Barrier(3); /* jump */'
    echo '}'
    echo 'void own(void) {'
    seq 1 16000 | sed 's/.*/MPI_Barrier(&);/'
    echo 'left++; }'
    echo 'void inlined(void) {'
    seq 1 16000 | sed 's/.*/my_MPI_Barrier();/'
    echo 'left++; }'
    echo 'void jumps(void) {'
    seq 1 16000 | sed 's/.*/last();/'
    echo 'left++; }'
} >many.c
echo 'int MPI_Barrier(int of) { return of; }' >mpi.c
echo 'volatile int left; int main(void) { return left; }' >main.c
${CC:-cc} -shared -fPIC -o libmpi.so mpi.c
${CC:-cc} -g -O1 -foptimize-sibling-calls -o many many.c main.c -L. -lmpi || fail "many.c"

# called FUNCTION OF: the places that its calls return to, as questions.
called() {
    objdump -d --no-show-raw-insn many | awk -v name="<$1>:" -v of="<$2" -v file="$PWD/many" '
        / <.*>:$/ { is_in = $2 == name }
        is_in && is_call { sub(":", "", $1); print $1 "@MPI_Barrier  " file }
        { is_call = is_in && /(call|bl) / && index($0, of) }'
}

# lines FUNCTION OF: how many calls have been asked for, and how many lines they are told at.
lines() {
    called "$1" "$2" >questions
    rm -f answers
    "$resolver" questions answers base || fail "$1: it ended with $? after $(wc -l <answers)"
    echo "$(wc -l <questions) $(cut -f1 answers | sort -u | wc -l)"
}

assert_equal "16000 16000" "$(lines own MPI_Barrier)" "its own calls"
assert_equal "16000 16000" "$(lines inlined MPI_Barrier)" "what is inlined"
assert_equal "16000 1" "$(lines jumps last)" "jumps"
assert_equal "$(grep -n 'jump \*/' many.c | cut -d: -f1) last many.c" \
    "$(head -1 answers | tr '\t' ' ')" "the jump"
