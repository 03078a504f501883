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
  /// Bound values are from 0 to this.
  static constexpr int64_t maxValue = int64_t(1) << 31;

  /// Whether exporters call the sequence (the tokens in a cache) so.
  static bool isSequenceName(llvm::StringRef name);
  static bool isPastName(llvm::StringRef name);

  /// Declares that some input has a dimension of this name.
  void addName(llvm::StringRef name) {
    names.insert({name.str(), std::nullopt});
  }
  /// Declares an input of one element; `*` does not give it a value.
  void addScalar(llvm::StringRef input) {
    scalars.insert({input.str(), std::nullopt});
  }
  /// Dimension `name` is the length of an attention mask: past and new tokens.
  void addMaskLength(llvm::StringRef name) {
    maskLengths.push_back(name.str());
  }
  /// The number of new tokens, of a file where it is no symbol.
  void setFixedSequence(int64_t length) { fixedSequence = length; }

  /// Value that the user gave to the size `name` of a result that depends on
  /// data ("nonzero_0"); nullopt when there is none.
  std::optional<int64_t> takeDataSize(llvm::StringRef name);
  /// An error when a given name or pattern of that form was never taken.
  llvm::Error checkDataSizes() const;

  /// `*` stands for all names without a value, `nonzero_*` for those of that
  /// form; the longest pattern counts.
  llvm::Error bindAll(const NamedValues &values);
  /// Binds the only name that is customary for the batch (the sequence length).
  llvm::Error bindBatch(int64_t value);
  llvm::Error bindSequence(int64_t value);
  llvm::Error bindPast(int64_t value);
  /// Gives total lengths the sum of past and sequence where both are bound; an
  /// error where one is bound to something else.
  llvm::Error deriveTotals();
  /// Binds one declared name unless it has a value already.
  llvm::Error bindUnlessBound(llvm::StringRef name, int64_t value);

  /// Value of a declared name: bound, computed, or that of `*`; nullopt when it
  /// has none; an error when an expression has no valid value.
  llvm::Expected<std::optional<int64_t>> evaluate(llvm::StringRef name) const;

  /// Value of a name that some result has: that of a declared name, or of an
  /// expression over such names; nullopt for any other.
  std::optional<int64_t> evaluateHint(llvm::StringRef name) const;
  /// Value of an input of one element; nullopt when it has none.
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
  /// The value of the longest pattern that `name` has the form of, or of `*`.
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
  /// Declared names; nullopt where nothing is bound.
  Map<std::optional<int64_t>> names, scalars;
  /// Given names that no input has, but a result may get: "word_number".
  Map<int64_t> dataSizes;
  llvm::StringMap<bool> taken;
  std::vector<Pattern> patterns;
  std::optional<int64_t> others, fixedSequence;
  std::vector<std::string> maskLengths;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONBINDINGS_H
