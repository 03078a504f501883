//===- ServeJson.cpp - A service, for programs ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/Serve.h"

using namespace gpucost;
using namespace gpucost::serve;

namespace gpucost {
#define GPUCOST_REPORT "gpucost/Applications/Serve/ServeReport.def"
#include "gpucost/Core/Report/VisitReport.inc"
} // namespace gpucost

RecordShape serve::shapeOfServe() { return shapeOfRecord<ServeReport>(); }

void serve::printServeJson(const ServeReport &report, llvm::raw_ostream &os) {
  os << recordJson(report);
}
