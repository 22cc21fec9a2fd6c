#ifndef MWA_PAGE_HTML_H
#define MWA_PAGE_HTML_H

#include <stdint.h>
#include <stdio.h>

/*
 * Pieces of HTML. Texts may come from archives: whatever their bytes, what is printed is
 * text and no markup, in elements and in quoted attributes alike. Errors of out stay in out.
 */

/* text, of which & < > " ' are escaped; what is no UTF-8, a control or a bidi control
   character is U+FFFD. At most columns characters, with an ellipsis for the middle; 0: all. */
void mwa_html_text(const char *text, unsigned columns, FILE *out);

/*
 * A number for people with its exact value: <data value="155325" data-of="info.events">155 k
 * </data>. of is the place of the value in the JSON report, or null.
 */
void mwa_html_number(const char *of, uint64_t value, const char *shown, FILE *out);

/* The same, shown as time, bytes, count. */
void mwa_html_time(const char *of, uint64_t ns, FILE *out);
void mwa_html_bytes(const char *of, uint64_t bytes, FILE *out);
void mwa_html_count(const char *of, uint64_t count, FILE *out);

/* part of whole in percent, with a bar behind it of that length. */
void mwa_html_share(uint64_t part, uint64_t whole, FILE *out);

#endif
