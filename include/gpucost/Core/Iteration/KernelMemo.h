//===- KernelMemo.h - Shared cache of tilings -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_KERNELMEMO_H
#define GPUCOST_CORE_ITERATION_KERNELMEMO_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <array>
#include <mutex>
#include <unordered_map>

namespace gpucost {

/// Caches the tilings that one cost model chooses: models of other shapes and
/// plans contain many of the same kernels. Thread-safe.
class KernelMemo {
public:
  /// `model` must outlive the memo.
  explicit KernelMemo(const CostModel &model) : model(model) {}

  /// Like `placeKernel` without a schedule.
  PlacedKernel place(const KernelWork &work) {
    Part &part = parts[hash_value(work) % parts.size()];
    {
      std::lock_guard<std::mutex> lock(part.mutex);
      if (auto it = part.kernels.find(work); it != part.kernels.end())
        return it->second;
    }
    PlacedKernel kernel = placeKernel(model, work);
    std::lock_guard<std::mutex> lock(part.mutex);
    // Bounds the memory of long sweeps.
    if (part.kernels.size() >= mostKernels)
      part.kernels.clear();
    part.kernels.emplace(work, kernel);
    return kernel;
  }

  /// The kernels of `prepared`, with the schedules that it states.
  std::vector<PlacedKernel> placeAll(const PreparedModel &prepared) {
    std::vector<PlacedKernel> kernels;
    kernels.reserve(prepared.works.size());
    for (size_t i = 0; i < prepared.works.size(); ++i) {
      auto stated = prepared.schedules.find(i);
      kernels.push_back(
          stated == prepared.schedules.end()
              ? place(prepared.works[i])
              : placeKernel(model, prepared.works[i], stated->second));
    }
    return kernels;
  }

private:
  static constexpr size_t mostKernels = 2048;
  struct Hash {
    size_t operator()(const KernelWork &work) const { return hash_value(work); }
  };
  struct Part {
    std::mutex mutex;
    std::unordered_map<KernelWork, PlacedKernel, Hash> kernels;
  };
  const CostModel &model;
  /// Several parts, so that threads seldom wait for the same mutex.
  std::array<Part, 16> parts;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_KERNELMEMO_H
