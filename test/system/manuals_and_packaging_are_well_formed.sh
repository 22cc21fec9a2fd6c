# The manual pages have no mistake that groff finds; what make install puts beside the programs
# works: mpiwatch.pc, with which a program of <mpiwatch.h> is built and runs, the modulefile, and
# the example for Slurm.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

pages=$(find "$TOP_SRCDIR/recorder/man" "$TOP_SRCDIR/analyzer/man" "$TOP_BUILDDIR/analyzer/man" \
    -name '*.[1-9]')
archive_page=$TOP_BUILDDIR/packaging/mpiwatch-archive.5
[ -e "$archive_page" ] || archive_page=$TOP_SRCDIR/packaging/mpiwatch-archive.5
if command -v groff >/dev/null; then
    for page in $pages "$archive_page"; do
        if grep -q '^\.so ' "$page"; then # another name of a page
            [ -e "${page%/*}/$(sed 's,^\.so .*/,,' "$page")" ] || wrong "$page: leads nowhere"
            continue
        fi
        groff -man -t -k -ww -z -Tutf8 "$page" >out 2>&1 || wrong "$page: groff fails"
        # Tables of long sentences are squeezed into whatever width there is.
        grep -Ev "can.*(adjust|break) line|around line|table (wider|squeezed|column)" out \
            >complaints || true
        [ ! -s complaints ] || wrong "$page: $(head -5 complaints)"
        # Older groffs say nothing of it, newer ones do, and lintian with them.
        ! grep -q '\\fC' "$page" || wrong "$page: font C, which is CR's old name"
    done
else
    echo "skipped: manual pages, since there is no groff"
fi
# The page is ARCHIVE.md: every section of it, and the last line of its last table.
grep -E '^## ' "$TOP_SRCDIR/formats/ARCHIVE.md" | sed 's/^## //' >sections
[ "$(wc -l <sections)" -ge 6 ] || wrong "ARCHIVE.md has only $(wc -l <sections) sections"
while read -r section; do
    grep -qF "$section" "$archive_page" || wrong "mpiwatch-archive(5) lacks \"$section\""
done <sections
grep -q "Reduce_scatter_block" "$archive_page" || wrong "mpiwatch-archive(5) lacks a table"
for section in NAME DESCRIPTION "SEE ALSO"; do
    # On a line of its own, or, newer lowdowns, on that of .SH.
    grep -qE "^(\.SH )?$section\$" "$archive_page" || wrong "mpiwatch-archive(5) lacks $section"
done

# --- an installation of its own ---------------------------------------------------------------

root=$scratch/root
MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" install DESTDIR="$root" >log 2>&1 ||
    fail "make install: $(tail -5 log)"
find "$root" -type f | sort >installed
[ "$(grep -c . installed)" -gt 15 ] || fail "hardly anything is installed: $(cat installed)"

pc=$(find "$root" -name mpiwatch.pc)
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$root
    cat >user.c <<'PROGRAM'
#define MPIWATCH_NO_MPI
#include <mpiwatch.h>
int main(void)
{
    return mpiwatch_region_begin("solve") == MPIWATCH_ABSENT ? 0 : 1;
}
PROGRAM
    # shellcheck disable=SC2046
    $CC -o user user.c $(pkg-config --cflags --libs mpiwatch) >log 2>&1 ||
        wrong "a program of mpiwatch.h is not built with mpiwatch.pc: $(cat log)"
    [ ! -e user ] || ./user || wrong "without the recorder mpiwatch_region_begin is not absent"
    assert_equal "$(pkg-config --modversion mpiwatch)" \
        "$("$record" --version | grep -o '[0-9][0-9.]*' | head -1)" "the version of mpiwatch.pc"
    module=$(pkg-config --variable=fortran_module_source mpiwatch)
    [ -s "$root${module#"$root"}" ] || wrong "no Fortran module $module"
    module=$(pkg-config --variable=python_modules mpiwatch)
    PYTHONPATH=$root${module#"$root"} MPIWATCH_ANALYZE=$analyze "$python" -B -c \
        'import mpiwatch; mpiwatch.find_analyzer()' || wrong "no Python module in $module"
    found=$(cd / && env -u MPIWATCH_ANALYZE PATH=/usr/bin:/bin PYTHONPATH="$root${module#"$root"}" \
        "$python" -B -c 'import mpiwatch; print(mpiwatch.find_analyzer())')
    [ -x "$found" ] || wrong "the Python module finds no mpiwatch-analyze: $found"
fi

module=$(find "$root" -path '*/modulefiles/mpiwatch/*' -type f ! -name '*.lua')
head -1 "$module" | grep -q '^#%Module' || wrong "the modulefile has no magic"
if command -v tclsh >/dev/null; then
    cat >read_module.tcl <<'TCL'
proc module-whatis {text} {}
proc conflict {name} {}
proc setenv {name value} { puts "$name $value" }
proc prepend-path {name value} { puts "$name $value" }
source [lindex $argv 0]
ModulesHelp
TCL
    tclsh read_module.tcl "$module" >settings 2>help || wrong "the modulefile: $(cat help)"
    [ "$(wc -l <settings)" -ge 5 ] || wrong "the modulefile sets little: $(cat settings)"
    while read -r name path; do
        [ -d "$root$path" ] || wrong "the modulefile: $name: there is no directory $path"
    done <settings
    [ -x "$root$(sed -n 's/^PATH //p' settings)/mpiwatch-record" ] ||
        wrong "the modulefile: no PATH: $(cat settings)"
    # The one in Lua says the same; a Lua is not needed to see that.
    sed -nE 's/^(setenv|prepend_path)\("([A-Z_]+)", "(.*)"\)$/\2 \3/p' "$module.lua" >of_lua
    assert_equal "$(cat settings)" "$(cat of_lua)" "what the modulefile in Lua sets"
    lua=$(command -v lua lua5.4 lua5.3 lua5.1 | head -1 || true)
    if [ -n "$lua" ]; then
        cat >read_module.lua <<'LUA'
function help(text) end
whatis, conflict = help, help
function setenv(name, value) print(name .. " " .. value) end
prepend_path = setenv
dofile(arg[1])
LUA
        assert_equal "$(cat settings)" "$("$lua" read_module.lua "$module.lua")" "what Lua reads"
    fi
fi

# --- Spack and EasyBuild ----------------------------------------------------------------------

# Neither is here: Python reads them, and what they say of files and versions is true. The words of
# both are theirs.
"$python" -B - "$TOP_BUILDDIR/packaging" "$root$(dirname "$(dirname "${pc#"$root"}")")/.." \
    "$("$record" --version | grep -o '[0-9][0-9.]*' | head -1)" <<'PYTHON' ||
import ast
import os
import re
import sys

folder, prefix, version = sys.argv[1:]
package = open(os.path.join(folder, "package.py")).read()
names = [node.name for node in ast.walk(ast.parse(package)) if isinstance(node, ast.ClassDef)]
assert names == ["Mpiwatch"], names
assert 'version("%s")' % version in package and "@" not in re.sub(r"otf2@|jansson@", "", package)
config = {"SHLIB_EXT": "so"}
name = "mpiwatch-%s-gompi-2023b.eb" % version
exec(compile(open(os.path.join(folder, name)).read(), name, "exec"), config)
assert (config["name"], config["version"], config["easyblock"]) == \
    ("mpiwatch", version, "ConfigureMake"), config
for kind, test in (("files", os.path.isfile), ("dirs", os.path.isdir)):
    for path in config["sanity_check_paths"][kind]:
        assert test(os.path.join(prefix, path)) or "openmpi" in path, path
for path in config["modextrapaths"].values():
    assert os.path.isdir(os.path.join(prefix, path)), path
PYTHON
    wrong "package.py or the easyconfig is not what it says"

MAKEFLAGS='' make -s -C "$TOP_BUILDDIR" uninstall DESTDIR="$root" >log 2>&1 ||
    wrong "make uninstall: $(tail -5 log)"
[ -z "$(find "$root" -type f)" ] || wrong "make uninstall leaves $(find "$root" -type f)"

# --- examples of batch jobs, with mpirun for srun ------------------------------------------------

# job SCRIPT ARCHIVE VARIABLE=VALUE... -- ARGUMENT...: the script, run in such a job.
job() {
    local script=$TOP_SRCDIR/examples/$1 archive=$2 status=0 variables=()
    shift 2
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    bash -n "$script" || wrong "$script is no shell script"
    mpis | grep -qx openmpi && [ -x "$TOP_BUILDDIR/examples/ring-openmpi" ] || return 0
    env PATH="$TOP_BUILDDIR:$PATH" LAUNCHER="$MPIRUN_OPENMPI -n 2" \
        PROGRAM="$TOP_BUILDDIR/examples/ring-openmpi" "${variables[@]}" \
        timeout 60 bash "$script" "$@" >out 2>err </dev/null || status=$?
    [ "$status" = 0 ] || wrong "$script: exit $status: $(tail -3 err)"
    [ -s "$archive" ] || wrong "$script: no archive: $(ls)"
    grep -q '^verdict' out || wrong "$script: no report: $(head -5 out)"
    "$analyze" info "$archive" 2>/dev/null | grep -q "^environment *${variables[0]//[[]/\\[}\$" ||
        wrong "$script: the archive does not have the job's number"
}

ring=$TOP_BUILDDIR/examples/ring-openmpi
job slurm.sbatch ring-7.otf2.zip SLURM_JOB_ID=7 SLURM_JOB_NAME=ring -- "$ring"
job slurm.sbatch ring-8-2.otf2.zip SLURM_JOB_ID=8 SLURM_JOB_NAME=ring SLURM_ARRAY_TASK_ID=2 \
    -- "$ring"
job pbs.sh ring-9-0.otf2.zip PBS_JOBID=9.server PBS_JOBNAME=ring --
job pbs.sh 'ring-10[4]-4.otf2.zip' 'PBS_JOBID=10[4].server' PBS_JOBNAME=ring PBS_ARRAY_INDEX=4 --
job lsf.sh ring-11-0.otf2.zip LSB_JOBID=11 LSB_JOBNAME=ring LSB_JOBINDEX=0 --
job lsf.sh ring-12-5.otf2.zip LSB_JOBID=12 LSB_JOBNAME=ring LSB_JOBINDEX=5 --
finish
