/* Pages, pictures and JUnit's reports escape alike: what one forgets, a name could use. */
#include "analyzer/table/markup.h"

#include <string.h>

void mwa_put_markup(const char *text, FILE *out)
{
    for (const char *at = text; *at; at++) {
        switch (*at) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if (strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0) {
                putc('?', out);
                at += 2;
            } else {
                putc(*at, out);
            }
        }
    }
}
