//===- TripCounts.h - Trip counts stated by the user ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--trip=NAME:N`: a trip count of N for the loop whose node, result or trip
// count value is named NAME; `*` for all loops with an unknown trip count.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_TRIPCOUNTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_TRIPCOUNTS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpucost {

class TripCounts {
public:
  static constexpr int64_t maxValue = int64_t(1) << 31;

  explicit TripCounts(const NamedValues &stated);
  /// The count stated for `loop`; marks it as used.
  std::optional<int64_t> find(mlir::Operation *loop);
  /// The count stated for a loop with this name, or for all loops; records that
  /// such a loop exists.
  std::optional<int64_t> findNamed(llvm::StringRef name);
  /// The count for `*`.
  std::optional<int64_t> findForAll();
  /// An error if a name was never found.
  llvm::Error checkAllUsed() const;

private:
  struct Entry {
    int64_t count = 0;
    bool used = false;
  };
  llvm::MapVector<std::string, Entry, llvm::StringMap<unsigned>> entries;
  /// Names of the loops in the model.
  llvm::SmallVector<std::string> loops;
};

/// Name of the ONNX node that `op` comes from.
llvm::StringRef getNodeName(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_TRIPCOUNTS_H
