//===- DimensionBindings.h - Values of symbolic dimensions ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: which symbolic dimensions a model has, and
// what the user sets them to. A dimension name is free text. One that is an
// expression over other names (`past + seq`, `(s1 - 1)//8 + 1`) follows from
// them, unless it is bound itself; any other name is a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_DIMENSIONBINDINGS_H
#define GPUCOST_LIB_TRANSFORMS_DIMENSIONBINDINGS_H

#include "gpucost/Scenario/Scenario.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpucost {

class DimensionBindings {
public:
  /// Bound values are from 1 to this.
  static constexpr int64_t maxValue = int64_t(1) << 31;

  /// Declares that some input has a dimension of this name.
  void addName(llvm::StringRef name) { names.insert({name.str(), 0}); }

  /// Value that the user gave to the size `name` of a result that depends on
  /// data ("nonzero_0"); nullopt when there is none.
  std::optional<int64_t> takeDataSize(llvm::StringRef name);
  /// An error when a given name of that form was never taken.
  llvm::Error checkDataSizes() const;

  /// `*` stands for all names without a value.
  llvm::Error bindAll(const NamedValues &values);
  /// Binds the only name that is customary for the batch (the sequence length).
  llvm::Error bindBatch(int64_t value);
  llvm::Error bindSequence(int64_t value);
  /// Binds one declared name unless it has a value already.
  llvm::Error bindUnlessBound(llvm::StringRef name, int64_t value);

  /// Value of a declared name: bound, computed, or that of `*`; nullopt when it
  /// has none; an error when an expression has no valid value.
  llvm::Expected<std::optional<int64_t>> evaluate(llvm::StringRef name) const;

  /// The bound names with their values, in the order of their declaration.
  llvm::SmallVector<std::pair<std::string, int64_t>> getBound() const;

private:
  llvm::Error bind(llvm::StringRef name, int64_t value);
  llvm::Error bindOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
                        llvm::StringRef what, int64_t value);
  /// "; there are 'a', 'b'".
  std::string listNames() const;

  /// Declared names; 0 where nothing is bound.
  llvm::MapVector<std::string, int64_t, llvm::StringMap<unsigned>> names;
  /// Given names that no input has, but a result may get: "word_number".
  llvm::MapVector<std::string, int64_t, llvm::StringMap<unsigned>> dataSizes;
  llvm::StringMap<bool> taken;
  int64_t others = 0;
};

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_DIMENSIONBINDINGS_H
