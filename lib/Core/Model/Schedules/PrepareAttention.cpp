//===- PrepareAttention.cpp - Schedules of prompts and decoding -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Families/Attention.h"
#include "Candidates.h"
#include "PrepareSchedules.h"
#include "gpucost/Core/Model/Software.h"

using namespace gpucost;
using namespace gpucost::detail;

static Expected<void> refuse(const Tiling &tiling) {
  return fail("schedules do not describe the kernel '" +
              std::string(stringifyImplementationKind(tiling.implementation)) +
              "'");
}

/// (Y13) Choices of a decode kernel, and the level: the fastest split with the
/// library's tile takes the library's time.
static Expected<void> prepareDecode(ScheduleSetup &setup,
                                    const Tiling &tiling) {
  auto choices = findDecodeChoices(*setup.model, setup.work, tiling);
  if (!choices)
    return refuse(tiling);
  ScheduledAttention &attention = *setup.attention;
  attention.decodes = true;
  attention.tile = choices->tile;
  attention.keys = setup.product.k = choices->keys;
  attention.variant = tiling.variant;
  attention.separatesHeads = choices->separatesHeads;
  setup.splits = choices->splits;
  auto library = setup.model->launchTerms(setup.work, tiling, setup.query);
  if (!library)
    return fail(library.error());
  double fastest = std::numeric_limits<double>::infinity();
  Schedule s;
  s.tileM = attention.tile.m;
  s.tileN = attention.tile.n;
  s.warps = attentionWarps[0];
  s.stages = attentionStages[0];
  for (int32_t split : setup.splits) {
    s.splitK = split;
    auto terms = setup.attentionTerms(s, tilingOf(setup, s, ScheduleFit()));
    if (!terms)
      return fail(terms.error());
    fastest = std::min(fastest, timeAt(*terms, 1.0).value());
  }
  setup.level = timeAt(*library, 1.0).value() / fastest;
  return {};
}

Expected<void> detail::prepareAttention(ScheduleSetup &setup) {
  const KernelWork &work = setup.work;
  if (!work.is<AttentionProblem>())
    return fail("expected an attention problem");
  const auto &p = work.as<AttentionProblem>();
  if (p.backward)
    return fail("expected a forward pass: gradients of attention have no "
                "schedules");
  const auto &tensor = setup.model->coefficients().tensorSchedule;
  if (!tensor)
    return fail("'" + setup.model->gpu().name +
                "' has no coefficients of schedules; add a 'tensor_schedule' "
                "set, whose registers count");
  auto tiling = setup.model->selectTiling(work, setup.query);
  if (!tiling)
    return fail(tiling.error());
  if (p.batch * p.heads * p.queryLength * p.kvLength == 0)
    return fail("expected attention with queries and keys: an empty one has no "
                "schedule");
  bool hasTile = tiling->tile.m > 0 && tiling->tile.n > 0;
  if (!p.isDecode() && (!hasTile || runsDecodeKernel(*setup.model, work)))
    return refuse(*tiling);
  // Fails if the GPU lacks coefficients.
  if (auto terms = setup.model->launchTerms(work, *tiling, setup.query); !terms)
    return fail(terms.error());
  setup.tensor = &*tensor;
  setup.kernel = setup.library = tiling->implementation;
  ScheduledAttention &attention = setup.attention.emplace();
  attention.headDim = static_cast<double>(p.headDim);
  attention.queryBytes = work.outputBytes();
  attention.keyBytes = work.inputBytes();
  attention.tile = tiling->tile;
  attention.implementation = tiling->implementation;
  if (p.isDecode())
    return prepareDecode(setup, *tiling);
  return {};
}
