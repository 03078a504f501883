/*===- HeaderIsC.c - The header is plain C11
-------------------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "gpucost-c/gpucost-mlir.h"
#include "gpucost-c/gpucost.h"

/* An ABI: sizes that later versions may only add to. */
_Static_assert(sizeof(gpucostKernel) == 144, "16 + 16 * 8");
_Static_assert(sizeof(gpucostQuery) == 72, "8 + 7 * 8 + 8");
_Static_assert(sizeof(gpucostCost) == 192, "8 + 9 * 8 + 2 * 8 + 5 * 8 + 4 * 4 "
                                           "+ 3 * 8 + 4 * 4");
_Static_assert(sizeof(gpucostSchedule) == 72, "18 * 4");
_Static_assert(sizeof(gpucostScheduleCost) == 576,
               "8 + 72 + 192 + 5 * 8 + 8 + 256");
_Static_assert(sizeof(gpucostRun) == 32, "8 + 3 * 8");

/* Calls from C what the C++ tests compare with. */
gpucostStatus estimateFromC(const gpucostModel *model, int64_t m, int64_t n,
                            int64_t k, double *seconds);
gpucostStatus estimateFromC(const gpucostModel *model, int64_t m, int64_t n,
                            int64_t k, double *seconds) {
  gpucostKernel kernel;
  gpucostCost cost;
  gpucostStatus status;
  GPUCOST_INIT(kernel);
  GPUCOST_INIT(cost);
  kernel.family = GPUCOST_MATMUL;
  kernel.problem.matmul.m = m;
  kernel.problem.matmul.n = n;
  kernel.problem.matmul.k = k;
  status = gpucostEstimate(model, &kernel, NULL, &cost);
  if (status == GPUCOST_OK)
    *seconds = cost.time;
  return status;
}
