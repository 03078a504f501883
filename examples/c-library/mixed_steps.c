/*===- mixed_steps.c - How long a step takes to answer -------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Steps that all differ, on a service made by `gpu-cost-opt serve --oracle`: *|
|* 32 sequences decode, in every other step beside a chunk of a prompt.       *|
|* ../mixed_steps.py asks for the same steps.                                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "service.h"
#include <time.h>

enum { DECODES = 32, SEQUENCES = DECODES + 1, CONTEXT = 4000 };

/* A number from `low` on and below `high`, by a linear congruential generator
 * with Knuth's constants for MMIX. */
static int64_t draw(uint64_t *state, int64_t low, int64_t high) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return low + (int64_t)((*state >> 33) % (uint64_t)(high - low));
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  long steps = argc > 3 ? strtol(argv[3], NULL, 10) : 100000;
  if (argc < 3 || argc > 4 || steps < 1) {
    fprintf(stderr, "usage: mixed_steps SERVICE.gcs TARGET [STEPS]\n");
    return 2;
  }
  gpucostService *service = load(argv[1], argv[2]);
  int64_t tokens[SEQUENCES], context[SEQUENCES];
  uint64_t state = 1;
  double time = 0, energy = 0, asked = 0;
  for (long i = 0; i < steps; ++i) {
    size_t count = 0;
    for (; count < DECODES; ++count) {
      tokens[count] = 1;
      context[count] = draw(&state, 1, CONTEXT);
    }
    if (i % 2) {
      tokens[count] = draw(&state, 64, 513);
      context[count++] = draw(&state, 0, CONTEXT);
    }
    gpucostStepCost step;
    GPUCOST_INIT(step);
    double begin = seconds();
    check(gpucostServiceStep(service, tokens, context, count, &step));
    asked += seconds() - begin;
    time += step.time;
    energy += step.energy;
  }
  gpucostServiceFree(service);
  printf("%ld steps: %.3f s and %.1f J on the GPU\n", steps, time, energy);
  printf("asked in %.2f s, %.1f us per step\n", asked,
         asked * 1e6 / (double)steps);
  return 0;
}
