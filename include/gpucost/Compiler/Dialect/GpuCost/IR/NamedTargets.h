//===- NamedTargets.h - Targets already resolved in a context ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolving a target or a set of coefficients by name parses a file, which
// takes a millisecond. An analysis that is created for each function resolves
// the same name repeatedly, from several threads, so the dialect of a context
// caches the results, and the hash of a set, which takes as long.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>

namespace gpucost {

class NamedTargets : public mlir::DialectInterface::Base<NamedTargets> {
public:
  explicit NamedTargets(mlir::Dialect *dialect) : Base(dialect) {}
  struct Entry {
    mlir::Attribute target, coefficients;
    std::string coefficientsName; ///< of the embedded set; "" for none
  };

  /// The result of the first `resolve` for `name`; a result without
  /// coefficients is not cached. Thread-safe.
  Entry get(llvm::StringRef name, llvm::function_ref<Entry()> resolve) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = entries.find(name);
    if (known != entries.end())
      return known->second;
    Entry entry = resolve();
    if (entry.coefficients)
      entries[name] = entry;
    return entry;
  }

  /// The hash of `coefficients` that the first `compute` returned. Thread-safe.
  std::string getPin(mlir::Attribute coefficients,
                     llvm::function_ref<std::string()> compute) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto [known, isNew] = pins.try_emplace(coefficients);
    if (isNew)
      known->second = compute();
    return known->second;
  }

private:
  mutable std::mutex mutex;
  mutable llvm::StringMap<Entry> entries;
  mutable llvm::DenseMap<mlir::Attribute, std::string> pins;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
