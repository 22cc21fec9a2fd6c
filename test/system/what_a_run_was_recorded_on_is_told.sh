# What the job, its cores and its MPI were set to is in the archive: as the batch system and the
# user set it in the environment, without what looks like a secret; the cores that each rank may
# run on, as taskset says; the commit of the program's checkout.
. "$TOP_SRCDIR/test/system/lib.sh"
need taskset

cat >check.py <<'PYTHON'
import json
import os

about = json.load(open("about.json"))
assert about["job"] == {"SLURM_JOB_ID": "77", "PBS_O_HOST": "<a&b>"}, about["job"]
assert about["mpi_environment"]["UCX_TLS"] == "tcp,self", about["mpi_environment"]
assert not [name for name in about["mpi_environment"]
            if "TOKEN" in name or "precondition_transports" in name], about["mpi_environment"]
assert "hush" not in open("about.json").read()
assert about["circumstances"] == {"git_commit": "0123456789abcdef0123456789abcdef01234567"}
shown = json.load(open("info.json"))["circumstances"]
assert shown == dict(about["ranks"][0]["circumstances"], **about["circumstances"],
                     **about["job"], **about["mpi_environment"]), shown
for rank in about["ranks"]:
    assert rank["circumstances"]["cores"] == str(os.sysconf("SC_NPROCESSORS_ONLN")), rank
    assert rank["threads"][0]["circumstances"] == {"affinity": "0"}, rank
PYTHON

mkdir -p checkout/.git
echo 0123456789abcdef0123456789abcdef01234567 >checkout/.git/HEAD
for mpi in $(mpis); do
    cp "$TOP_BUILDDIR/examples/halo-$mpi" checkout/halo
    SLURM_JOB_ID=77 SLURM_JWT=hush PBS_O_HOST='<a&b>' UCX_TLS=tcp,self UCX_A_TOKEN=hush \
        run_mpi "$mpi" 2 taskset -c 0 "$record" -q --force -o run.otf2.zip checkout/halo 10
    unzip -p run.otf2.zip mpiwatch.json >about.json
    "$analyze" info --json run.otf2.zip >info.json
    "$python" check.py || fail "$mpi"
done

# Screen and page say it in the same words; what the launcher sets is only counted.
"$analyze" info run.otf2.zip >text
assert_matches "$(cat text)" '^may run on +ranks 0 to 1: cores 0 of '
assert_matches "$(cat text)" '^environment +PBS_O_HOST=<a&b>$'
assert_lacks "$(cat text)" OMPI_COMM_WORLD
"$analyze" report -q --html page.html run.otf2.zip
cat >page.py <<'PYTHON'
import html
import re

page = open("page.html").read()
text = open("text").read().splitlines()
part = re.search("<h3>Recorded on</h3>(.*?)</dl>", page, re.S).group(1)
shown = [(html.unescape(name), html.unescape(value)) for name, value in
         re.findall('<dt>(.*?)</dt><dd class="mono">(.*?)</dd>', part)]
names = {name for name, _ in shown}
assert {"CPU", "cores of a host", "may run on", "commit of program", "environment"} <= names, names
said = [(line[:20].strip(), line[21:]) for line in text if line[:20].strip() in names]
assert said == shown, (said, shown)
PYTHON
"$python" page.py || fail "the page"
assert_equal '[{"first_rank": 0, "last_rank": 1, "cores": "0"}]' \
    "$(json info.json '[{k: v for k, v in b.items() if k != "host"} for b in d["bindings"]]')" \
    "who is bound where"
