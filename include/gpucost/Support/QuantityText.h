//===- QuantityText.h - Text form of quantities -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing and printing with units: `2039 GBps`, `14.2 us`, `250 W`, `1410 MHz`,
// `40 MiB`, `0.73 pJ`. Printing picks the unit that gives 1 <= value < 1000 and
// the shortest digits that read back to the same double.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SUPPORT_QUANTITYTEXT_H
#define GPUCOST_SUPPORT_QUANTITYTEXT_H

#include "gpucost/Support/Quantity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace gpucost {

/// A unit name and its size in the SI base unit.
struct Unit {
  llvm::StringLiteral name;
  double size;
};

/// The units of a dimension, ascending by size.
template <typename Tag> llvm::ArrayRef<Unit> unitsOf();

/// The size of unit `name` within `units`; nullopt when there is none.
std::optional<double> findUnit(llvm::ArrayRef<Unit> units,
                               llvm::StringRef name);
/// "us, ms, s": for messages.
std::string listUnits(llvm::ArrayRef<Unit> units);
/// Prints `si` with the best unit of `units`; a pure number when it is empty.
void printQuantity(llvm::raw_ostream &os, double si,
                   llvm::ArrayRef<Unit> units);
/// Shortest decimal text that reads back to the same double; always has a '.'
/// or an exponent only when `integral` is false or the value needs one.
std::string shortestDouble(double value);

template <typename Tag>
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Quantity<Tag> q) {
  printQuantity(os, q.value(), unitsOf<Tag>());
  return os;
}

template <> llvm::ArrayRef<Unit> unitsOf<SecondsTag>();
template <> llvm::ArrayRef<Unit> unitsOf<HertzTag>();
template <> llvm::ArrayRef<Unit> unitsOf<BytesTag>();
template <> llvm::ArrayRef<Unit> unitsOf<FlopsTag>();
template <> llvm::ArrayRef<Unit> unitsOf<WattsTag>();
template <> llvm::ArrayRef<Unit> unitsOf<JoulesTag>();
template <> llvm::ArrayRef<Unit> unitsOf<VoltsTag>();
template <> llvm::ArrayRef<Unit> unitsOf<BytesPerSecondTag>();
template <> llvm::ArrayRef<Unit> unitsOf<FlopsPerSecondTag>();
template <> llvm::ArrayRef<Unit> unitsOf<JoulesPerEventTag>();
template <> llvm::ArrayRef<Unit> unitsOf<ScalarTag>();

} // namespace gpucost

#endif // GPUCOST_SUPPORT_QUANTITYTEXT_H
