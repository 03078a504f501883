/*===- steps.c - The loop of a server, step by step ----------------------===*\
|*                                                                            *|
|* Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Prompts that come at once and answers of equal length, on a service made   *|
|* by `gpu-cost-opt serve --oracle`. Each step decodes one token of every     *|
|* answer and, as far as its budget of tokens goes, a chunk of a prompt.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "service.h"

enum { REQUESTS = 16, PROMPT = 1024, ANSWER = 64 };

/* All answers, with at most `budget` new tokens in a step. */
static void serve(gpucostService *service, int64_t budget) {
  int64_t cache[REQUESTS] = {0}, left[REQUESTS];
  int64_t tokens[REQUESTS], context[REQUESTS];
  int which[REQUESTS], unfinished = REQUESTS, steps = 0;
  double now = 0, energy = 0, first = 0, longest = 0;
  for (int i = 0; i < REQUESTS; ++i)
    left[i] = ANSWER;
  for (; unfinished > 0; ++steps) {
    size_t count = 0;
    int64_t room = budget;
    /* Decodes come first: whoever reads an answer does not wait. */
    for (int prompts = 0; prompts < 2; ++prompts)
      for (int i = 0; i < REQUESTS && room > 0; ++i) {
        int64_t rest = PROMPT - cache[i];
        if (left[i] == 0 || (rest > 0) != prompts)
          continue;
        tokens[count] = rest <= 0 ? 1 : rest < room ? rest : room;
        context[count] = cache[i];
        room -= tokens[count];
        which[count++] = i;
      }
    gpucostStepCost step;
    GPUCOST_INIT(step);
    check(gpucostServiceStep(service, tokens, context, count, &step));
    now += step.time;
    energy += step.energy;
    longest = step.time > longest ? step.time : longest;
    for (size_t j = 0; j < count; ++j) {
      int i = which[j];
      cache[i] += tokens[j];
      if (cache[i] < PROMPT)
        continue;
      first += left[i] == ANSWER ? now / REQUESTS : 0;
      unfinished -= --left[i] == 0;
    }
  }
  printf("%5d tokens a step: %3d steps, %6.1f ms; first token after %5.1f ms, "
         "longest step %5.1f ms, %.0f mJ per token\n",
         (int)budget, steps, now * 1e3, first * 1e3, longest * 1e3,
         energy * 1e3 / (REQUESTS * ANSWER));
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: steps SERVICE.gcs TARGET\n");
    return 2;
  }
  gpucostService *service = load(argv[1], argv[2]);
  for (int64_t budget = 256; budget <= 4096; budget *= 4)
    serve(service, budget);
  gpucostServiceFree(service);
  return 0;
}
