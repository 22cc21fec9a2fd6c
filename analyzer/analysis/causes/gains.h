#ifndef MWA_ANALYSIS_CAUSES_GAINS_H
#define MWA_ANALYSIS_CAUSES_GAINS_H

#include "analyzer/analysis/results.h"
#include "analyzer/load/chapters.h"
#include "analyzer/load/input.h"
#include "analyzer/team/team.h"

/*
 * What causes cost the run, by replaying it without them (analyzer/analysis/efficiency/what_if.h):
 * of the first MWA_GAINS that are an imbalance, a chain, out of step or a late sender. Without the
 * cause
 *
 *   imbalance   those that it names compute as much as the average rank, and the others what they
 *               compute less (moved_work.h)
 *   idle        so do all that compute more than the average, and those that do little the rest
 *   chain, or   nobody waits for the messages that are received where most is waited for them, and
 *   out of step where others are that the cause names
 *   late sender nobody waits for the messages that it sends there
 *
 * Nothing is said where the run can't be replayed, or where what should be the run as it was
 * differs from that by more than MWA_GAIN_DIFFERS, nor of the last three where more messages than
 * that seem to be received before they are sent, as clocks disagree.
 *
 * An imbalance without which the run is hardly shorter is left out where ranks compute by turns;
 * that they do is left out everywhere else.
 */

#define MWA_GAINS        3u
#define MWA_GAIN_DIFFERS 0.01

/*
 * Reads the archive of input once more if results' causes have any of that kind, in chapters if
 * there are any (null: none), and tells them. With a team (null: alone), which takes chapters, all
 * its processes call this, and the first one has the results.
 *
 * \return MW_OK; as mwa_input_share and mwa_pass_run.
 */
enum mw_status mwa_gains_find(struct mwa_input *input, const struct mwa_team *team,
                              const struct mwa_chapters *chapters,
                              struct mwa_results *results,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
