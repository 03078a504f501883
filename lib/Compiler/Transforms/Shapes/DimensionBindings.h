//===- DimensionBindings.h - Values of symbolic dimensions ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: the symbolic dimensions of a model, and the
// values that the user sets. A dimension name is an arbitrary string. The value
// of an expression over other names (`past + seq`, `(s1 - 1)//8 + 1`) is
// computed from them unless it is bound; any other name is a symbol.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONBINDINGS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONBINDINGS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

class DimensionBindings {
public:
  /// Maximum of bound values; the minimum is 0.
  static constexpr int64_t maxValue = int64_t(1) << 31;

  /// Whether `name` is customary for the sequence (or the tokens in a cache).
  static bool isSequenceName(llvm::StringRef name);
  static bool isPastName(llvm::StringRef name);

  /// Declares that an input has a dimension with this name.
  void addName(llvm::StringRef name) {
    names.insert({name.str(), std::nullopt});
  }
  /// Declares an input with one element; `*` does not set its value.
  void addScalar(llvm::StringRef input) {
    scalars.insert({input.str(), std::nullopt});
  }
  /// Declares that `name` is the length of a mask: past and new tokens.
  void addMaskLength(llvm::StringRef name) {
    maskLengths.push_back(name.str());
  }
  /// Sets the number of new tokens for a file in which it is not a symbol.
  void setFixedSequence(int64_t length) { fixedSequence = length; }

  /// The value that the user set for the data-dependent size `name`
  /// ("nonzero_0"); nullopt if there is none.
  std::optional<int64_t> takeDataSize(llvm::StringRef name);
  /// An error if a given name or pattern of this form was never used.
  llvm::Error checkDataSizes() const;

  /// `*` matches all names without a value, `nonzero_*` those with this prefix;
  /// the longest matching pattern is used.
  llvm::Error bindAll(const NamedValues &values);
  /// Binds the only name that is customary for the batch (the sequence length).
  llvm::Error bindBatch(int64_t value);
  llvm::Error bindSequence(int64_t value);
  llvm::Error bindPast(int64_t value);
  /// Sets total lengths to the sum of past and sequence if both are bound; an
  /// error if a total is bound to another value.
  llvm::Error deriveTotals();
  /// Binds one declared name unless it already has a value.
  llvm::Error bindUnlessBound(llvm::StringRef name, int64_t value);

  /// Value of a declared name: bound, computed, or the value for `*`; nullopt
  /// if it has none; an error if an expression has no valid value.
  llvm::Expected<std::optional<int64_t>> evaluate(llvm::StringRef name) const;

  /// Value of a name in a result type: the value of a declared name or an
  /// expression over such names; nullopt for any other.
  std::optional<int64_t> evaluateHint(llvm::StringRef name) const;
  /// Value of an input with one element; nullopt if it has none.
  std::optional<int64_t> scalarValue(llvm::StringRef input) const;

  /// The bound names with their values, in the order of their declaration.
  llvm::SmallVector<std::pair<std::string, int64_t>> getBound() const;

private:
  llvm::Error bind(llvm::StringRef name, int64_t value);
  llvm::Error bindOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
                        llvm::StringRef what, int64_t value);
  llvm::Expected<std::string>
  findOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
            llvm::StringRef what) const;
  std::pair<std::string, std::optional<int64_t>>
  findValue(llvm::ArrayRef<llvm::StringLiteral> customary) const;
  /// The value of the longest pattern that matches `name`, or of `*`.
  std::optional<int64_t> wildcard(llvm::StringRef name) const;
  /// "; there are 'a', 'b'".
  std::string listNames() const;

  template <typename T>
  using Map = llvm::MapVector<std::string, T, llvm::StringMap<unsigned>>;
  struct Pattern {
    std::string text;
    int64_t value;
    mutable bool used;
  };
  /// Declared names; nullopt if not bound.
  Map<std::optional<int64_t>> names, scalars;
  /// Given names that no input has, but a result may have: "word_number".
  Map<int64_t> dataSizes;
  llvm::StringMap<bool> taken;
  std::vector<Pattern> patterns;
  std::optional<int64_t> others, fixedSequence;
  std::vector<std::string> maskLengths;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONBINDINGS_H
