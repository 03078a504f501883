//===- ReplicaFamily.h - Models of many data-parallel sizes -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Training steps that differ only in the number of data-parallel GPUs and of
// accumulated passes have the same kernels. A size is constant or is divided
// among the data-parallel GPUs, and their collectives involve more GPUs. A
// family learns the sizes from two prepared models, so that a plan search
// prepares no model for each number of GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_REPLICAFAMILY_H
#define GPUCOST_CORE_ITERATION_REPLICAFAMILY_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Support/Expected.h"

namespace gpucost {

class ReplicaFamily {
public:
  /// The data-parallel GPUs, in groups with all experts, and the accumulated
  /// passes of the models. Parts of different tensors seldom have the same size
  /// with odd numbers.
  static constexpr int64_t fewer = 3, more = 5, passes = 2;

  /// Fails if the models differ in more than sizes.
  static Expected<ReplicaFamily> create(const PreparedModel &few,
                                        const PreparedModel &many);

  /// The model with the data-parallel GPUs, nodes and accumulated passes of
  /// `settings`, each at least 2. All other settings are those of the family.
  /// Without `hasMemory`, its peak memory is not computed.
  std::shared_ptr<const PreparedModel> at(const Settings &settings,
                                          bool hasMemory = true) const;

private:
  /// A size that is not constant: whole + divided / GPUs, rounded up.
  struct DividedSize {
    size_t index = 0; ///< into `sizesOf`
    int64_t whole = 0, divided = 0;
  };

  std::shared_ptr<const PreparedModel> model;
  std::vector<DividedSize> sizes;
  /// Indices into PreparedModel::works: the collectives of the data-parallel
  /// GPUs.
  std::vector<size_t> collectives;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_REPLICAFAMILY_H
