/*
 * A cookie of 127.0.0.1 goes along with what any page of that host asks, whatever its port
 * (SameSite knows no ports): that is what Sec-Fetch-Site is looked at for. A name that leads to
 * 127.0.0.1 by a resolver of somebody else's is told by the header Host.
 */
#include "analyzer/view/view_guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static enum mw_status draw(char *secret, struct mw_diagnostic *diagnostic)
{
    unsigned char bytes[(MWA_VIEW_SECRET_BYTES - 1) / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the kernel gives no random bytes");
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    }
    return MW_OK;
}

enum mw_status mwa_view_guard_init(struct mwa_view_guard *guard, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *guard = (struct mwa_view_guard){ .is_open = true };
    status = draw(guard->token, diagnostic);
    return status == MW_OK ? draw(guard->cookie, diagnostic) : status;
}

void mwa_view_guard_set_port(struct mwa_view_guard *guard, uint16_t port)
{
    snprintf(guard->name, sizeof guard->name, "mpiwatch-view-%u", (unsigned)port);
    snprintf(guard->hosts[0], sizeof guard->hosts[0], "127.0.0.1:%u", (unsigned)port);
    snprintf(guard->hosts[1], sizeof guard->hosts[1], "localhost:%u", (unsigned)port);
}

static bool is_secret(const char *secret, const char *said)
{
    unsigned char differs = 0;

    if (!said || strlen(said) != MWA_VIEW_SECRET_BYTES - 1) {
        return false;
    }
    for (size_t i = 0; i < MWA_VIEW_SECRET_BYTES - 1; i++) {
        differs |= (unsigned char)(secret[i] ^ said[i]);
    }
    return differs == 0;
}

static bool is_our_host(const struct mwa_view_guard *guard, const char *host)
{
    return host && (strcmp(host, guard->hosts[0]) == 0 || strcmp(host, guard->hosts[1]) == 0);
}

/* What the user typed, or what our own page asks; programs that are no browsers don't say. */
static bool is_our_page(const char *fetch_site)
{
    return !fetch_site || strcmp(fetch_site, "same-origin") == 0 ||
           strcmp(fetch_site, "none") == 0;
}

enum mwa_view_verdict mwa_view_guard_judge(struct mwa_view_guard *guard,
                                           const struct mwa_view_request *request)
{
    if (strcmp(request->method, "GET") != 0) {
        return MWA_VIEW_WRONG_METHOD;
    }
    if (!is_our_host(guard, request->host)) {
        return MWA_VIEW_WRONG_HOST;
    }
    if (strcmp(request->path, MWA_VIEW_DOOR) == 0) {
        if (!guard->is_open || !is_secret(guard->token, request->token)) {
            return MWA_VIEW_WRONG_TOKEN;
        }
        guard->is_open = false;
        return MWA_VIEW_ENTERS;
    }
    if (!is_our_page(request->fetch_site)) {
        return MWA_VIEW_WRONG_PAGE;
    }
    return is_secret(guard->cookie, request->cookie) ? MWA_VIEW_PASS : MWA_VIEW_NO_COOKIE;
}

const char *mwa_view_verdict_text(enum mwa_view_verdict verdict)
{
    static const char *const texts[] = {
        [MWA_VIEW_PASS] = "fine",
        [MWA_VIEW_ENTERS] = "fine",
        [MWA_VIEW_WRONG_METHOD] = "Only GET is answered here.",
        [MWA_VIEW_WRONG_HOST] = "This is answered as 127.0.0.1 with its own port only; with "
                                "ssh -L, take the same port on both sides.",
        [MWA_VIEW_WRONG_PAGE] = "Another page asked for this.",
        [MWA_VIEW_WRONG_TOKEN] = "This address opens the view once, and was used, or is another "
                                 "one's. Start mpiwatch-view again.",
        [MWA_VIEW_NO_COOKIE] = "Open the address that mpiwatch-view has said.",
    };

    return texts[verdict];
}
