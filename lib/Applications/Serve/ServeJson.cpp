//===- ServeJson.cpp - A service, for programs ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Core/Support/JsonStream.h"

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

void serve::printServicesJson(llvm::ArrayRef<ServicePoint> services,
                              llvm::raw_ostream &os) {
  int64_t point = 0;
  for (const ServicePoint &service : services) {
    std::string line;
    JsonStream j(line, /*indented=*/false);
    j.object([&] {
      j.attribute("point", point++);
      j.attribute("model", service.model);
      j.attribute("flags", service.text);
      j.attribute("status", service.report ? "ok" : "error");
      j.attribute("reason", service.reason);
      j.key("report");
      if (service.report)
        writeValue(j, FieldUnit(), *service.report);
      else
        j.value(nullptr);
    });
    os << line << '\n';
  }
}
