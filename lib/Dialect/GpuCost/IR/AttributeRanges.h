//===- AttributeRanges.h - Physical ranges of parameters --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the verifiers of facts and coefficients share: a parameter, the values
// it may have, and the message when it has another one.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DIALECT_GPUCOST_IR_ATTRIBUTERANGES_H
#define GPUCOST_LIB_DIALECT_GPUCOST_IR_ATTRIBUTERANGES_H

#include "gpucost/Support/Quantity.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <limits>

namespace gpucost {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// A parameter and the values that it may have.
struct Checked {
  llvm::StringRef field;
  double value;
  double low, high;
  bool lowIncluded;
};

constexpr double unlimited = std::numeric_limits<double>::infinity();

inline double si(double value) { return value; }
inline double si(int64_t value) { return static_cast<double>(value); }
template <typename Tag> double si(Quantity<Tag> value) { return value.value(); }

template <typename T> Checked positive(llvm::StringRef field, T value) {
  return {field, si(value), 0.0, unlimited, false};
}
template <typename T> Checked notNegative(llvm::StringRef field, T value) {
  return {field, si(value), 0.0, unlimited, true};
}
/// A share of a hardware rate. Fits reach 1.08 where the datasheet's clock is
/// below the real one.
inline Checked efficiency(llvm::StringRef field, Scalar value) {
  return {field, si(value), 0.0, 1.1, false};
}
inline Checked share(llvm::StringRef field, Scalar value) {
  return {field, si(value), 0.0, 1.0, true};
}
/// Fitted shares of the L2 go up to 1.5: the fit's notion of capacity is soft.
inline Checked cacheShare(llvm::StringRef field, Scalar value) {
  return {field, si(value), 0.0, 1.5, false};
}
inline Checked atLeastOne(llvm::StringRef field, Scalar value) {
  return {field, si(value), 1.0, unlimited, true};
}

/// Error that names the first field outside its range.
llvm::LogicalResult checkRanges(EmitError emitError,
                                llvm::ArrayRef<Checked> fields);
/// Error when `text` is empty.
llvm::LogicalResult checkText(EmitError emitError, llvm::StringRef field,
                              llvm::StringRef text);

} // namespace gpucost

#endif // GPUCOST_LIB_DIALECT_GPUCOST_IR_ATTRIBUTERANGES_H
