#!/bin/sh
# embed.sh DIRECTORY: the sources of the page as arrays of C, and the hash by which the page
# allows its own script, which is all of them in this order, and no other. Indents and lines that
# are comments stay behind: each page would carry them.
set -eu

# lean FILE
lean() {
    sed 's/^ *//; /^\/\/ /d; /^\/\* .* \*\/$/d; /^$/d' "$1"
}

for name in page.html page.css marks.js page.js tables.js closeups.js formulas.html; do
    printf 'static const unsigned char %s[] = {\n' "$(echo "$name" | tr . _)"
    lean "$1/$name" | od -An -v -tu1 | sed 's/  */,/g; s/^,//; s/$/,/'
    printf '0};\n'
done
hash=$({
    echo
    lean "$1/marks.js"
    lean "$1/page.js"
    lean "$1/tables.js"
    lean "$1/closeups.js"
} | sha256sum | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64)
printf 'static const char script_hash[] = "sha256-%s";\n' "$hash"
