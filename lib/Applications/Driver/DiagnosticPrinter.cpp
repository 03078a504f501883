//===- DiagnosticPrinter.cpp - Diagnostics in one line each ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace gpucost;

namespace {
struct Place {
  std::string file; ///< "model.onnx: "
  std::string node; ///< "node 'relu': "
};
} // namespace

static Place findPlace(Location loc) {
  Place place;
  llvm::raw_string_ostream os(place.file);
  loc->walk([&](Location inner) {
    if (auto name = dyn_cast<NameLoc>(inner)) {
      if (place.node.empty())
        place.node = name.getName().str();
    } else if (auto file = dyn_cast<FileLineColLoc>(inner)) {
      os << file.getFilename().getValue();
      // Line 0 means a whole binary file.
      if (place.node.empty() && file.getLine() != 0)
        os << ':' << file.getLine() << ':' << file.getColumn();
      os << ": ";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (!place.node.empty())
    place.node = "node '" + place.node + "': ";
  return place;
}

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
  Place place = findPlace(diagnostic.getLocation());
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
