//===- Origins.cpp - Where the coefficients were measured -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <algorithm>

using namespace gpucost;

std::vector<std::string> PlacedModel::describeOrigins() const {
  const Gpu &gpu = costModel.gpu();
  std::vector<std::string> notes;
  auto isIn = [&](auto accepts) {
    return std::any_of(source->works.begin(), source->works.end(),
                       [&](const KernelWork &work) {
                         const auto *p = work.getIf<AttentionProblem>();
                         return p && accepts(*p);
                       });
  };
  if (std::string transferred = describeTransferred(costModel.coefficients(),
                                                    source->format, groups());
      !transferred.empty())
    notes.push_back("outside the calibrated domain: " + transferred);
  // (D6) Software whose attention kernels were not measured.
  if (Software software = costModel.software(); software != Software::PyTorch) {
    const AttentionOrigin &origin = costModel.attentionOrigin();
    auto note = [&](std::string_view kernels, bool decode,
                    std::optional<Software> from) {
      std::string text = describeStandIn(kernels, software, from, gpu.name);
      if (!text.empty() && isIn([&](const AttentionProblem &p) {
            return !p.backward && p.isDecode() == decode &&
                   (decode || p.causal);
          }))
        notes.push_back(text);
    };
    note("attention kernels for one new token", true, origin.decode);
    note("attention kernels for a prompt", false, origin.causal);
  }
  if (!gpu.runsFlashAttention() &&
      isIn([](const AttentionProblem &) { return true; }))
    notes.push_back("outside the calibrated domain: fused attention, timed as "
                    "FlashAttention 2, which does not run on " +
                    gpu.name +
                    "; frameworks use a different fused kernel there");
  return notes;
}
