/*===- iterate.c - A prepared model on GPUs and clocks -------------------===*\
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

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: iterate MODEL.gco TARGET...\n");
    return 2;
  }
  gpucostPrepared *prepared = NULL;
  check(gpucostPreparedLoadFile(argv[1], &prepared));
  for (int i = 2; i < argc; ++i) {
    gpucostModel *model = NULL;
    gpucostPlaced *placed = NULL;
    check(gpucostModelCreate(argv[i], NULL, &model));
    check(gpucostPlace(prepared, model, &placed));

    /* As it comes, and with two thirds of the power. */
    gpucostDevice device;
    GPUCOST_INIT(device);
    check(gpucostModelDevice(model, &device));
    gpucostRun runs[2];
    gpucostTotals totals[2];
    for (int j = 0; j < 2; ++j) {
      GPUCOST_INIT(runs[j]);
      GPUCOST_INIT(totals[j]);
    }
    runs[1].power_limit = device.power_limit * 2 / 3;
    check(gpucostEvaluateMany(placed, runs, sizeof(runs[0]), 2, totals,
                              sizeof(totals[0])));
    for (int j = 0; j < 2; ++j)
      printf("%s at %.0f W: %.2f ms +- %.0f %%, %.2f J, %.0f MHz, %.2f GiB\n",
             device.name, totals[j].power_limit, totals[j].time * 1e3,
             totals[j].time_half_width * 100, totals[j].energy,
             totals[j].clock * 1e-6, (double)totals[j].peak_bytes / (1 << 30));
    gpucostPlacedFree(placed);
    gpucostModelFree(model);
  }
  gpucostPreparedFree(prepared);
  return 0;
}
