//===- NamedTargets.h - Targets that a context has resolved -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target or a set of coefficients by name means a file to parse: a
// millisecond. An analysis that is made for each function asks for the same
// name again, from several threads. The dialect of a context remembers the
// answers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
#define GPUCOST_DIALECT_GPUCOST_IR_NAMEDTARGETS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <utility>

namespace gpucost {

class NamedTargets : public mlir::DialectInterface::Base<NamedTargets> {
public:
  explicit NamedTargets(mlir::Dialect *dialect) : Base(dialect) {}
  using Pair = std::pair<mlir::Attribute, mlir::Attribute>;

  /// What `resolve` gave for `name` when it was first asked; null attributes
  /// are not remembered. Thread-safe.
  Pair get(llvm::StringRef name, llvm::function_ref<Pair()> resolve) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = pairs.find(name);
    if (known != pairs.end())
      return known->second;
    Pair pair = resolve();
    if (pair.first)
      pairs[name] = pair;
    return pair;
  }

private:
  mutable std::mutex mutex;
  mutable llvm::StringMap<Pair> pairs;
};

} // namespace gpucost

#endif // GPUCOST_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
