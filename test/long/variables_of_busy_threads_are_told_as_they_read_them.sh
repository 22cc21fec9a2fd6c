# variables_are_told_as_the_program_read_them, with two threads that make calls all the time, too:
# on an idle machine, since the program's own log is late where the system stops a thread between
# its call and its reading.
busy=yes
. "$TOP_SRCDIR/test/system/variables_are_told_as_the_program_read_them.sh"
