# Each rule of a cause stands in the manual, with its source, and has the programs that prove it.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" - "$TOP_SRCDIR" <<'PYTHON' || fail "rules and manual"
import glob
import os
import re
import sys
top = sys.argv[1]
text = open(top + "/analyzer/analysis/causes/causes.def").read()
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
manual = open(top + "/analyzer/man/mpiwatch-analyses.7").read()
rules = [re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", each))
         for each in text.split("CAUSE(")[1:]]
assert len(rules) > 20
programs = "".join(open(name).read() for name in glob.glob(top + "/test/system/planted*.py"))
programs += open(top + "/examples/faults.c").read() + open(top + "/examples/README.md").read()
for id, sentence, advice, command, source, proves, does_not in rules:
    assert "\n.I " + id + "\n" in manual, "the manual lacks " + id
    assert source in " ".join(manual.split()), "… or its source: " + source
    for program in (proves, does_not.removesuffix("_not")):
        assert ('"%s"' % program in programs or "`%s.c`" % program in programs or
                any(os.path.exists(top + "/test/%s/%s.c" % (folder, program))
                    for folder in ("system", "data", "bench"))), program
PYTHON
