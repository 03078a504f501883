/*===- estimate.c - Kernels and schedules without a GPU ------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <gpucost-c/gpucost.h>
#include <stdio.h>
#include <stdlib.h>

static void check(gpucostStatus status) {
  if (status == GPUCOST_OK)
    return;
  fprintf(stderr, "error: %s\n", gpucostLastError());
  exit(1);
}

/* A product of one layer of a model with hidden size 4096. */
static gpucostKernel layer(int64_t tokens) {
  gpucostKernel kernel;
  GPUCOST_INIT(kernel);
  kernel.family = GPUCOST_MATMUL;
  kernel.problem.matmul.m = tokens;
  kernel.problem.matmul.n = 4096;
  kernel.problem.matmul.k = 4096;
  return kernel;
}

int main(void) {
  gpucostModel *model = NULL;
  check(gpucostModelCreate("h100-bf16", NULL, &model));

  /* Batches of a server, in one call; the limit holds for all of them. */
  gpucostQuery query;
  GPUCOST_INIT(query);
  query.power_limit = 500;
  gpucostKernel kernels[4];
  gpucostCost costs[4];
  for (int i = 0; i < 4; ++i)
    kernels[i] = layer(64 << (2 * i));
  GPUCOST_INIT(costs[0]);
  check(gpucostEstimateMany(model, kernels, sizeof(kernels[0]), 4, &query,
                            costs, sizeof(costs[0])));
  for (int i = 0; i < 4; ++i)
    printf("%4d tokens: %7.2f us, %3.0f W, bound by %s\n", 64 << (2 * i),
           costs[i].time * 1e6, costs[i].power,
           gpucostEnumName(GPUCOST_ENUM_BOUND, costs[i].bound));

  /* The three best schedules, and one that cannot run. */
  gpucostKernel large = layer(4096);
  gpucostScheduleCost best[3], asked;
  size_t count = 3;
  GPUCOST_INIT(best[0]);
  check(gpucostTopSchedules(model, &large, NULL, NULL, NULL, 0, 0, NULL, best,
                            sizeof(best[0]), &count));
  for (size_t i = 0; i < count; ++i)
    printf("%dx%dx%d, %d stages, %d warps: %.1f us\n", best[i].schedule.tile_m,
           best[i].schedule.tile_n, best[i].schedule.tile_k,
           best[i].schedule.stages, best[i].schedule.warps,
           best[i].cost.time * 1e6);
  gpucostSchedule schedule;
  GPUCOST_INIT(schedule);
  GPUCOST_INIT(asked);
  schedule.tile_m = schedule.tile_n = 256;
  schedule.tile_k = 64;
  schedule.stages = 8;
  check(gpucostEstimateSchedules(model, &large, NULL, &schedule, 0, 1, &asked,
                                 0));
  printf("256x256x64, 8 stages: %s\n", asked.reason);
  gpucostModelFree(model);
  return 0;
}
