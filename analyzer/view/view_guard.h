#ifndef MWA_VIEW_VIEW_GUARD_H
#define MWA_VIEW_VIEW_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Who is let in. A host has other users, and a browser has other pages: both reach a port of
 * 127.0.0.1. So a secret opens the door once, and is exchanged for a cookie, which each request
 * has to bring; and what a page of somebody else could make a browser ask is refused.
 *
 * Not thread-safe: the caller has a lock around mwa_view_guard_judge.
 */

#define MWA_VIEW_SECRET_BYTES 65u /* 256 bits of the kernel's, as hexadecimal digits */
#define MWA_VIEW_DOOR         "/enter"

struct mwa_view_guard {
    char token[MWA_VIEW_SECRET_BYTES];
    char cookie[MWA_VIEW_SECRET_BYTES];
    char name[32]; /* of the cookie, which all ports of a host share: it has the port */
    char hosts[2][32]; /* what the header Host may be */
    bool is_open;  /* the token was not used yet */
};

/* A request, as far as the guard is concerned; null: it has none. */
struct mwa_view_request {
    const char *method;
    const char *path;
    const char *host;
    const char *cookie; /* of the guard's name */
    const char *token;
    const char *fetch_site; /* the header Sec-Fetch-Site: which page asks, as browsers say it */
};

enum mwa_view_verdict {
    MWA_VIEW_PASS,
    MWA_VIEW_ENTERS,       /* the token was right and is used up: the cookie is to be set */
    MWA_VIEW_WRONG_METHOD, /* 405 */
    MWA_VIEW_WRONG_HOST,   /* 403, as are the others */
    MWA_VIEW_WRONG_PAGE,
    MWA_VIEW_WRONG_TOKEN,
    MWA_VIEW_NO_COOKIE
};

/* Draws the secrets. \return MW_OK; MW_ERROR_SYSTEM: the kernel has no random bytes. */
enum mw_status mwa_view_guard_init(struct mwa_view_guard *guard,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The port that was given, of which the names of hosts and of the cookie are made. */
void mwa_view_guard_set_port(struct mwa_view_guard *guard, uint16_t port);

/* Secrets are compared in a time that does not tell how far they are alike. */
enum mwa_view_verdict mwa_view_guard_judge(struct mwa_view_guard *guard,
                                           const struct mwa_view_request *request);

/* The verdict for who asked, a sentence; static storage. */
const char *mwa_view_verdict_text(enum mwa_view_verdict verdict);

#endif
