//===- DiagnosticPlace.cpp - File and node of a diagnostic ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/DiagnosticPlace.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpucost;

DiagnosticPlace gpucost::findPlace(Location loc) {
  DiagnosticPlace place;
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
