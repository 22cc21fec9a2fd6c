# As communicators_by_the_thousand_cost_little_each.sh, with ten thousand.
export COMMUNICATORS=10000
. "$TOP_SRCDIR/test/system/communicators_by_the_thousand_cost_little_each.sh"
