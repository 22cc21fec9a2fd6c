#!/bin/sh
# embed_view.sh FILE...: the sources of the view's pages as arrays of C, with their paths and types.
# Indents and lines that are comments stay behind.
set -eu

array_of() {
    basename "$1" | tr . _
}

for source; do
    printf 'static const unsigned char %s[] = {\n' "$(array_of "$source")"
    sed 's/^ *//; /^\/\/ /d; /^\/\* .* \*\/$/d; /^$/d' "$source" |
        od -An -v -tu1 | sed 's/  */,/g; s/^,//; s/$/,/'
    printf '0};\n'
done
printf 'static const struct { const char *path, *type; const unsigned char *text; } sources[] = {\n'
for source; do
    name=$(basename "$source")
    case $name in
    view.html) path=/ type=text/html ;;
    *.html) path=/$name type=text/html ;;
    *.css) path=/$name type=text/css ;;
    *) path=/$name type=text/javascript ;;
    esac
    printf '    { "%s", "%s; charset=utf-8", %s },\n' "$path" "$type" "$(array_of "$source")"
done
printf '};\n'
