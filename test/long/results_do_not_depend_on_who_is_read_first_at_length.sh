# Ten orders of reading for each archive, and all commands: ten minutes.
SCHEDULES=all
. "$TOP_SRCDIR/test/system/results_do_not_depend_on_who_is_read_first.sh"
