#ifndef MWA_ANALYSIS_EFFICIENCY_POP_H
#define MWA_ANALYSIS_EFFICIENCY_POP_H

#include "analyzer/analysis/efficiency/ideal.h"
#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/time/regions.h"

/*
 * The multiplicative efficiencies of the POP project (pop-coe.eu; BSC basicanalysis,
 * modelfactors.py). U_p is the useful time of rank p, P the number of ranks that have
 * events, T the time from the first beginning of a run to the last end of one, T_ideal that
 * of analyzer/analysis/efficiency/ideal.h:
 *
 *   load balance               LB   = (Σ U_p / P) / max U
 *   communication efficiency   CommE = max U / T
 *   parallel efficiency        ParE = LB * CommE = Σ U_p / (P * T)
 *   serialisation efficiency   SerE = max U / T_ideal
 *   transfer efficiency        TrfE = T_ideal / T               (SerE * TrfE = CommE)
 *
 * Where the archive tells when ranks were on a core, U_p is the time outside of MPI in LB, CommE,
 * SerE and TrfE, on a core or not, and useful is only V_p of it, on a core:
 *
 *   running efficiency         RunE = Σ V_p / Σ U_p
 *   parallel efficiency        ParE = LB * CommE * RunE = Σ V_p / (P * T)
 *
 * so that sleep, waits for files and the lack of cores are no matter of communication. Without
 * that V_p is U_p, and there is no RunE.
 *
 * What a rank is outside of MPI between polls in a row (struct mwa_polling) is in neither: nothing
 * is done there but to ask again. How much of that is on a core is not told: it is taken for all.
 *
 * Of a region of the program, U_p is the useful time inside it, polls or not, P the number of ranks
 * that visit it, T the greatest time that a rank spends in it, T_ideal the greatest advance of a
 * rank's ideal clock inside it: there TrfE may exceed 1, as waits may move into a region on
 * the ideal network.
 */

struct mwa_pop_factors {
    uint32_t ranks;
    uint32_t useful_rank_max; /* the lowest of several */
    uint64_t runtime_ns;       /* T */
    uint64_t outside_total_ns; /* Σ U_p */
    uint64_t outside_max_ns;
    bool is_on_core; /* useful is time on a core only */
    uint64_t useful_total_ns; /* Σ V_p */
    uint64_t useful_max_ns;
    uint64_t between_polls_ns; /* of the run, of all ranks: in none of these */
    uint64_t ideal_ns; /* T_ideal, UINT64_MAX: not known */
    double parallel_efficiency; /* all six: NaN where not defined */
    double running_efficiency;
    double load_balance;
    double communication_efficiency;
    double serialisation_efficiency;
    double transfer_efficiency;
};

struct mwa_pop_region {
    const char *name; /* the trace's */
    const struct mwa_region *region;
    struct mwa_pop_factors factors;
};

struct mwa_pop {
    struct mwa_pop_factors run;
    const char *ideal_unknown; /* why T_ideal is not known, static; null: it is */
    struct mwa_pop_region *regions; /* of the program, by useful time, then name */
    uint64_t region_count;
};

/*
 * Computes the factors. unknown, static, says why T_ideal can't be known (null: ideal has it).
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_pop_fini is due in any case.
 */
enum mw_status mwa_pop_make(const struct mwa_trace *trace, const struct mwa_profile *profile,
                            const struct mwa_regions *regions, const struct mwa_ideal *ideal,
                            const char *unknown, struct mwa_pop *pop) MW_MUST_CHECK;
void mwa_pop_fini(struct mwa_pop *pop);

#endif
