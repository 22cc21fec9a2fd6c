# Makes formats/ARCHIVE.md the text of mpiwatch-archive(5): sections one level up, no links within
# the page, and the sections that every manual page has.
s/^# What mpiwatch writes$/# NAME\
\
mpiwatch-archive - the archive that mpiwatch writes, and what it is made from\
\
# DESCRIPTION/
s/^## /# /
s/^### /## /
s/\[\([^]]*\)\](#[^)]*)/\1/g
$a\
\
# SEE ALSO\
\
**mpiwatch**(7), **mpiwatch-record**(1), **mpiwatch-analyze**(1), **mpiwatch-recover**(1), **otf2-print**(1)
