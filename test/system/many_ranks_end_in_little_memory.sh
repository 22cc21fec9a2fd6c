# The end of a run of 200 ranks in one process (test/bench/scale): the archive is whole, and no
# rank has had half as much in memory as their definitions come to, most of which all have alike.
. "$TOP_SRCDIR/test/system/lib.sh"

mkdir ranks
"$TOP_BUILDDIR/test/bench/scale" 200 1000 ranks >steps
"$analyze" validate ranks/archive.otf2.zip >said
grep -q ' 200 locations' said || fail "not all ranks are in it: $(cat said)"
spools=$(cat ranks/spools/*/definitions | wc -c)
# The last nine numbers: ns, bytes, taken, given of rank 0, those of the others, and ns of all.
most=$(awk '/^(combine definitions|merge|number|scatter) / {
                if ($(NF - 7) > most) most = $(NF - 7)
                if ($(NF - 3) > most) most = $(NF - 3)
            } END { print most + 0 }' steps)
[ $((2 * most)) -lt "$spools" ] || fail "$most bytes of memory for $spools of definitions"
