# A library of 100,000 functions without lines, as large C++ ones are, is read once for all calls
# that lead through it, and not for each: asked for 10,000 of them libdwfl would take longer than
# the 15 s that looking up lines may. Of symbols that meet the nearest is told.
. "$TOP_SRCDIR/test/system/lib.sh"

resolver=$TOP_BUILDDIR/mpiwatch-resolve
[ -x "$resolver" ] || skip "lines are not looked up here (libdw)"

# Four bytes each, then: one that has another in it, two names of the same, one that is known here
# alone, four bytes without a name, and a label without a size, at the end.
awk 'BEGIN {
    print ".text"
    for (i = 0; i < 100000; i++) {
        printf ".globl f%d\n.type f%d, %%function\nf%d: .long 0\n.size f%d, 4\n", i, i, i, i
    }
    print ".globl outer, inner, strong\n.weak weak"
    print ".type outer, %function\n.type inner, %function\n.type alone, %function"
    print ".type weak, %function\n.type strong, %function"
    print "outer: .long 0\ninner: .long 0\n.size inner, 4\n.long 0\n.size outer, 12"
    print "weak:\nstrong: .long 0\n.size weak, 4\n.size strong, 4"
    print "alone: .long 0\n.size alone, 4\n.long 0\nlabel: .long 0"
}' >many.s
${CC:-cc} -shared -nostdlib -o many.so many.s

# asked NAME:BEYOND...: what is told of calls that end so far behind it.
asked() {
    readelf -Ws many.so | awk -v wanted="$*" -v file="$PWD/many.so" '
        { value[$8] = $2 }
        END {
            count = split(wanted, each, " ")
            for (i = 1; i <= count; i++) {
                split(each[i], part, ":")
                print value[part[1]], part[2], file
            }
        }' | python3 -c 'import sys
for line in sys.stdin:
    value, beyond, file = line.split(None, 2)
    sys.stdout.write("%x  %s" % (int(value, 16) + int(beyond), file))' >questions
    rm -f answers
    "$resolver" questions answers full || fail "it ended with $?"
    cut -f2 answers
}

assert_equal "outer+0x0 inner+0x1 outer+0x9 strong+0x2 alone+0x3  label+0x1" \
    "$(asked outer:1 inner:2 outer:10 weak:3 alone:4 alone:6 label:2 | paste -sd ' ')" \
    "of symbols that meet"

names=$(seq -f 'f%.0f:2' 0 10 99999)
assert_equal "$(seq -f 'f%.0f+0x1' 0 10 99999 | cksum)" "$(asked $names | cksum)" "of 10,000 calls"
