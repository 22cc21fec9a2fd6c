#!/bin/sh
# embed_view.sh DIRECTORY REPORT: the sources of the view's page as arrays of C, with their paths
# and types; its style begins with that of the report's page, in the directory REPORT. Indents and
# lines that are comments stay behind.
set -eu

names="view.html page.css view.css view.js view_time.js view_data.js view_draw.js view_lanes.js
    view_panel.js
    view_live.html view_live.css view_live.js view_live_draw.js view_live_tables.js
    view_places.js view_tools.css view_select.js view_find.js view_rows.js view_preview.js view_bands.js
    view_actions.js"
for name in $names; do
    printf 'static const unsigned char %s[] = {\n' "$(echo "$name" | tr . _)"
    case $name in
    page.*) source=$2/$name ;;
    *) source=$1/$name ;;
    esac
    sed 's/^ *//; /^\/\/ /d; /^\/\* .* \*\/$/d; /^$/d' "$source" |
        od -An -v -tu1 | sed 's/  */,/g; s/^,//; s/$/,/'
    printf '0};\n'
done
printf 'static const struct { const char *path, *type; const unsigned char *text; } sources[] = {\n'
for name in $names; do
    case $name in
    view.html) path=/ type=text/html ;;
    *.html) path=/$name type=text/html ;;
    *.css) path=/$name type=text/css ;;
    *) path=/$name type=text/javascript ;;
    esac
    printf '    { "%s", "%s; charset=utf-8", %s },\n' "$path" "$type" "$(echo "$name" | tr . _)"
done
printf '};\n'
