//===- DiagnosticPrinter.cpp - Diagnostics in one line each ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Session/DiagnosticPlace.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;

DiagnosticPrinter::DiagnosticPrinter(MLIRContext &context,
                                     llvm::raw_ostream &os)
    : os(os), handler(&context, [this](Diagnostic &diagnostic) {
        return take(diagnostic);
      }) {}

void DiagnosticPrinter::flush() {
  for (const auto &[message, warning] : warnings) {
    StringRef where = warning.where;
    auto [file, node] = where.split('\0');
    os << printable(file);
    llvm::WithColor::warning(os);
    os << printable(node) << printable(message);
    if (warning.count > 1)
      os << " ... and " << warning.count - 1 << " more";
    os << '\n';
  }
  warnings.clear();
}

LogicalResult DiagnosticPrinter::take(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    return success();
  DiagnosticPlace place = findPlace(diagnostic.getLocation());
  if (diagnostic.getSeverity() == DiagnosticSeverity::Warning) {
    Warning &warning = warnings[diagnostic.str()];
    if (warning.count++ == 0)
      warning.where = place.file + '\0' + place.node;
    return success();
  }
  flush();
  os << printable(place.file);
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
    llvm::WithColor::error(os);
  else
    llvm::WithColor::note(os);
  os << printable(place.node) << printable(diagnostic.str()) << '\n';
  return success();
}
