#ifndef MWA_REPORT_JUNIT_H
#define MWA_REPORT_JUNIT_H

#include <stdio.h>

#include "analyzer/report/gate.h"

/*
 * Prints what was judged as JUnit XML, which GitLab, Jenkins and others show: a test case for each
 * limit, whose name stays the same while the limit does, a failure where it is not kept. Errors of
 * out stay in out.
 */
void mwa_junit_gate(const struct mwa_gate *gate, FILE *out);

#endif
