//===- DiagnosticPrinter.h - Diagnostics in one line each -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DRIVER_DIAGNOSTICPRINTER_H
#define GPUCOST_APPLICATIONS_DRIVER_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Prints the diagnostics of a context with file, node and message. Warnings
/// wait for `flush`, an error or the end: those with the same message are one
/// line with their number.
class DiagnosticPrinter {
public:
  explicit DiagnosticPrinter(mlir::MLIRContext &context,
                             llvm::raw_ostream &os = llvm::errs());
  ~DiagnosticPrinter() { flush(); }
  void flush();

private:
  llvm::LogicalResult take(mlir::Diagnostic &diagnostic);

  struct Warning {
    std::string where; ///< of the first one
    int64_t count = 0;
  };
  llvm::raw_ostream &os;
  llvm::MapVector<std::string, Warning, llvm::StringMap<unsigned>> warnings;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_DRIVER_DIAGNOSTICPRINTER_H
