#include "analyzer/model/call_use.h"

#include <criterion/criterion.h>

/* What a call is for in which such events are told of requests, in this order. */
struct told {
    enum mwa_event_kind kind;
    uint64_t request;
};

static void tell(struct mwa_call_uses *uses, enum mwa_event_kind kind, uint64_t request)
{
    const struct mwa_event event = { .kind = kind, .request = request };

    cr_assert_eq(mwa_call_uses_take(uses, &event), MW_OK);
}

static enum mwa_use use_of_call(struct mwa_call_uses *uses, const struct told *told, size_t count)
{
    uses->kinds = 0;
    for (size_t i = 0; i < count; i++) {
        tell(uses, told[i].kind, told[i].request);
    }
    return mwa_use_of(uses->kinds);
}

#define USE_OF(uses, ...)                                                                       \
    use_of_call((uses), (const struct told[]){ __VA_ARGS__ },                                   \
                sizeof((const struct told[]){ __VA_ARGS__ }) / sizeof(struct told))

Test(call_use, is_what_all_of_its_requests_are_of)
{
    struct mwa_call_uses uses = { 0 };

    cr_expect_eq(mwa_use_of(0), MWA_USE_UNTOLD);
    cr_expect_eq(USE_OF(&uses, { MWA_METRIC, 0 }), MWA_USE_UNTOLD);
    cr_expect_eq(USE_OF(&uses, { MWA_IRECV, 1 }, { MWA_ISEND_COMPLETE, 2 }), MWA_USE_MESSAGES);
    cr_expect_eq(USE_OF(&uses, { MWA_CANCELLED, 1 }), MWA_USE_MESSAGES);
    cr_expect_eq(USE_OF(&uses, { MWA_COLLECTIVE_POST, 1 }), MWA_USE_OPERATIONS);
    cr_expect_eq(USE_OF(&uses, { MWA_COLLECTIVE_COMPLETE, 1 }), MWA_USE_OPERATIONS);
    cr_expect_eq(USE_OF(&uses, { MWA_OBJECT, 0 }), MWA_USE_FILES);
    cr_expect_eq(USE_OF(&uses, { MWA_FILE, 0 }, { MWA_OBJECT, 0 }), MWA_USE_FILES);
    cr_expect_eq(USE_OF(&uses, { MWA_ONESIDED, 0 }), MWA_USE_OTHER);
    cr_expect_eq(USE_OF(&uses, { MWA_COMM_CREATE, 0 }), MWA_USE_OTHER);
    mwa_call_uses_fini(&uses);
}

/* As a row of polls is recorded that is cut where the thread was on no core: what is asked for is
 * told at the beginning of the row, and of none that is behind another call or at another place. */
Test(call_use, is_that_of_the_poll_before_where_a_row_of_polls_goes_on)
{
    enum { TEST = 1, WAIT = 2, HERE = 5, THERE = 6 };
    struct mwa_call_uses uses = { 0 };

    (void)USE_OF(&uses, { MWA_COLLECTIVE_POST, 1 });
    (void)mwa_call_uses_leave(&uses, WAIT, HERE);
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_UNTOLD, "nothing before");
    (void)USE_OF(&uses, { MWA_TEST, 1 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS);
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS);
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS, "the next one");
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, THERE), MWA_USE_UNTOLD, "another place");
    (void)USE_OF(&uses, { MWA_TEST, 1 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS);
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, WAIT, HERE), MWA_USE_UNTOLD, "another call");
    (void)USE_OF(&uses, { MWA_TEST, 1 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS);
    (void)USE_OF(&uses, { MWA_COLLECTIVE_COMPLETE, 1 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_OPERATIONS, "it completes it");
    (void)USE_OF(&uses, { MWA_METRIC, 0 });
    cr_expect_eq(mwa_call_uses_leave(&uses, TEST, HERE), MWA_USE_UNTOLD, "that is complete");
    mwa_call_uses_fini(&uses);
}

Test(call_use, is_another_where_requests_are_of_several_kinds)
{
    struct mwa_call_uses uses = { 0 };

    cr_expect_eq(USE_OF(&uses, { MWA_IRECV, 1 }, { MWA_COLLECTIVE_COMPLETE, 2 }), MWA_USE_OTHER);
    cr_expect_eq(USE_OF(&uses, { MWA_COLLECTIVE_COMPLETE, 2 }, { MWA_ISEND_COMPLETE, 1 }),
                 MWA_USE_OTHER);
    cr_expect_eq(USE_OF(&uses, { MWA_OBJECT, 0 }, { MWA_IRECV, 1 }), MWA_USE_OTHER);
    cr_expect_eq(USE_OF(&uses, { MWA_OBJECT, 0 }, { MWA_COLLECTIVE_COMPLETE, 1 }), MWA_USE_OTHER);
    cr_expect_eq(USE_OF(&uses, { MWA_IRECV, 1 }, { MWA_ONESIDED, 0 }), MWA_USE_OTHER);
    mwa_call_uses_fini(&uses);
}

/* Of a call that finds nothing it is known for as long as the operation is open. */
Test(call_use, of_what_is_asked_for_in_vain_is_known_since_it_began)
{
    struct mwa_call_uses uses = { 0 };

    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 1 }), MWA_USE_UNTOLD);
    tell(&uses, MWA_COLLECTIVE_POST, 1);
    tell(&uses, MWA_COLLECTIVE_POST, 2);
    tell(&uses, MWA_IRECV_POST, 3);
    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 1 }), MWA_USE_OPERATIONS);
    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 3 }), MWA_USE_UNTOLD);
    cr_expect_eq(USE_OF(&uses, { MWA_COLLECTIVE_COMPLETE, 1 }), MWA_USE_OPERATIONS);
    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 1 }), MWA_USE_UNTOLD, "it is complete");
    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 2 }), MWA_USE_OPERATIONS);
    tell(&uses, MWA_ISEND, 2);
    cr_expect_eq(USE_OF(&uses, { MWA_TEST, 2 }), MWA_USE_UNTOLD, "it is a send's by now");
    cr_expect_eq(uses.operations.count, 0);
    mwa_call_uses_fini(&uses);
}

/* Where the record ends all that is pending is told, and which of it the open call waits for. */
Test(call_use, of_what_is_pending_is_that_of_which_the_open_call_waits_for_it)
{
    const struct mwa_hint pending = { .is_pending = true };
    const struct mwa_hint awaited = { .is_pending = true, .is_awaited = true };
    struct mwa_event event = { .kind = MWA_TEST, .request = 1, .hint = &pending };
    struct mwa_call_uses uses = { 0 };

    tell(&uses, MWA_COLLECTIVE_POST, 1);
    uses.kinds = 0;
    cr_assert_eq(mwa_call_uses_take(&uses, &event), MW_OK);
    cr_expect_eq(mwa_use_of(uses.kinds), MWA_USE_UNTOLD);
    event.hint = &awaited;
    cr_assert_eq(mwa_call_uses_take(&uses, &event), MW_OK);
    cr_expect_eq(mwa_use_of(uses.kinds), MWA_USE_OPERATIONS);
    mwa_call_uses_fini(&uses);
}
