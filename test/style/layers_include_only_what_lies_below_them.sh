# recorder -> formats <- analyzer: formats/ knows neither of the two, and neither formats/
# nor analyzer/ includes mpi.h. Nor do the settings and mpiwatch-record.
. "$TOP_SRCDIR/test/style/findings.sh"

report "$(matches '#\s*include\s*["<](recorder|analyzer)/' $(sources formats))"
report "$(matches '#\s*include\s*["<]recorder/' $(sources analyzer))"
report "$(matches '#\s*include\s*["<]analyzer/' $(sources recorder))"
report "$(matches '#\s*include\s*["<]mpi\.h' $(sources formats analyzer recorder/launcher) \
    recorder/settings.c recorder/settings.h)"
finish
