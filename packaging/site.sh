#!/bin/sh
# Makes manual pages a site: make html.
#
#     MANDOC=mandoc VERSION=0.1 site.sh DIRECTORY PAGE...
#
# Each page becomes NAME.SECTION.html of DIRECTORY, where site.css and mpiwatch-tutorial.html are
# already; index.html names them with what they say of themselves. What a page says of another one,
# NAME(SECTION), leads there. Nothing leads out of the site.
set -eu
site=$1
shift

# title FILE: the page's "NAME - what it is", of which mandoc's first paragraph is made.
title() {
    sed -n '/id="NAME"/,/<\/section>/p' "$1" | tr '\n' ' ' |
        sed 's/.*<p class="Pp">\(.*\)<\/p>.*/\1/; s/<[^>]*>//g; s/  */ /g; s/.* - //'
}

head() {
    printf '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
    printf '<meta name="viewport" content="width=device-width">\n'
    printf '<link rel="stylesheet" href="site.css">\n<title>%s</title>\n<body>\n' "$1"
}

navigation='<nav><a href="index.html">mpiwatch</a> <a href="mpiwatch-tutorial.html">Tutorial</a>'
for page in mpiwatch-record.1 mpiwatch-analyze.1 mpiwatch-analyses.7; do
    navigation="$navigation <a href=\"$page.html\">${page%.*}</a>"
done
navigation="$navigation</nav>"

# Pages that are another name of one are none of their own.
pages=
for page; do
    if ! grep -q '^\.so ' "$page" && [ "${page##*/}" != mpiwatch-tutorial.7 ]; then
        pages="$pages $page"
    fi
done

links="$site/links.sed"
for page in $pages; do
    name=${page##*/}
    section=${name##*.}
    printf 's,<b>%s</b>(%s),<a href="%s.html">&</a>,g\n' "${name%.*}" "$section" "$name"
done >"$links"
echo 's,<b>mpiwatch-tutorial</b>(7),<a href="mpiwatch-tutorial.html">&</a>,g' >>"$links"

for page in $pages; do
    name=${page##*/}
    {
        head "${name%.*}(${name##*.})"
        echo "$navigation"
        "$MANDOC" -T html -O fragment "$page" | sed -f "$links"
    } >"$site/$name.html"
done
rm "$links"

{
    head "mpiwatch $VERSION"
    echo "$navigation"
    echo "<h1>mpiwatch $VERSION</h1>"
    echo "<p>Records what an MPI program does into one compressed OTF2 archive, and explains the"
    echo "archive: where the time goes, who talks to whom, over which communicators, and how far"
    echo "the numbers can be trusted.</p>"
    echo "<pre>mpirun -n 4 mpiwatch-record ./app args"
    echo "mpiwatch-analyze app-DATE-TIME-PID.otf2.zip</pre>"
    echo '<table><tr><td><a href="mpiwatch-tutorial.html">Tutorial</a></td>'
    echo '<td>fifteen faults, with pictures, the screens, and the page of each run</td></tr>'
    for page in $pages; do
        name=${page##*/}
        printf '<tr><td><a href="%s.html">%s(%s)</a></td><td>%s</td></tr>\n' "$name" \
            "${name%.*}" "${name##*.}" "$(title "$site/$name.html")"
    done
    echo '</table>'
} >"$site/index.html"
