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

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
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

  /// What `resolve` gave for `name` when it was first asked; one without
  /// coefficients is not remembered. Thread-safe.
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

private:
  mutable std::mutex mutex;
  mutable llvm::StringMap<Entry> entries;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_NAMEDTARGETS_H
