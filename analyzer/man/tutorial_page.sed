# Makes mpiwatch-tutorial.md the text of mpiwatch-tutorial(7): sections one level up, no pictures,
# and the sections that every manual page has.
s/^# .*/# NAME\
\
mpiwatch-tutorial - what mpiwatch says of fifteen faults, and what to do\
\
# DESCRIPTION/
/^!\[/d
s/^## /# /
s/^```screen.*/```/
$a\
\
# SEE ALSO\
\
**mpiwatch**(7), **mpiwatch-record**(1), **mpiwatch-analyze**(1), **mpiwatch-analyses**(7)
