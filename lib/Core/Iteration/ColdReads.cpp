//===- ColdReads.cpp - Cold reads after L2 eviction -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (P7) Whether L2 still contains a kernel's weights depends on the bytes that
// the iteration has touched since their last read, not only on the bytes of the
// kernel. Iterations are consecutive, so the first read of a tensor follows its
// last read in the previous iteration.

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/PlacedModel.h"

using namespace gpucost;

void PlacedModel::addColdReads() {
  if (source->persistentReads.empty())
    return;
  // Micro-batches repeat the launches; the remaining factor of a count is a
  // loop, whose L2 hits depend on its footprint (P2).
  std::vector<double> coldBytes(works.size()), counts(works.size()),
      warm(works.size());
  for (size_t i = 0; i < works.size(); ++i)
    warm[i] = costModel.missFraction(works[i].terms.compulsoryBytes);
  auto repeatsOf = [](const Launch &launch) {
    return static_cast<double>(launch.count) /
           static_cast<double>(launch.passes);
  };
  auto bytesOf = [&](const FoldedLaunches::Entry &entry) {
    const Launch &launch = source->launches[entry.launch];
    return works[launch.work].terms.compulsoryBytes * repeatsOf(launch);
  };
  TouchedBytes touched(*folded);
  touched.add(bytesOf);
  uint32_t number = 0, begin = 0;
  for (const FoldedLaunches::Entry &entry : folded->entries()) {
    const Launch &launch = source->launches[entry.launch];
    auto repetitions = static_cast<double>(entry.repetitions);
    counts[launch.work] += static_cast<double>(launch.count) * repetitions;
    double distinct = 0, cold = 0;
    for (uint32_t i = begin; i < entry.readsEnd; ++i) {
      const FoldedLaunches::Access &access = folded->reads()[i];
      const PersistentRead &read = source->persistentReads[access.source];
      // A loop over slices reads each slice once; other loops read the same
      // bytes every time.
      double bytes =
          std::min(static_cast<double>(read.bytes) * repeatsOf(launch),
                   static_cast<double>(read.allBytes));
      distinct += bytes;
      cold += bytes *
              std::max(costModel.missFraction(touched.since(access, number)),
                       warm[launch.work]);
    }
    // (X28) The mean GPU reads a part of the experts of the busiest one.
    const auto *product = works[launch.work].kernel.work.getIf<MatmulProblem>();
    if (product && product->busiest && distinct > bytesOf(entry)) {
      cold *= bytesOf(entry) / distinct;
      distinct = bytesOf(entry);
    }
    if (begin < entry.readsEnd) {
      // The events already include the bytes that L2 loses within the kernel.
      cold -= warm[launch.work] * std::min(distinct, bytesOf(entry));
      coldBytes[launch.work] +=
          cold * static_cast<double>(launch.passes) * repetitions;
    }
    begin = entry.readsEnd;
    ++number;
  }
  for (size_t work = 0; work < works.size(); ++work)
    if (counts[work] > 0)
      works[work].events.dramBytes += coldBytes[work] / counts[work];
}
