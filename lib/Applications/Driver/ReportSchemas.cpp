//===- ReportSchemas.cpp - Schemas of the reports -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportSchemas.h"
#include "gpucost/Applications/Compare/ComparePrint.h"
#include "gpucost/Applications/Deploy/Deploy.h"
#include "gpucost/Applications/Generate/Generate.h"
#include "gpucost/Applications/PostTrain/PostTrain.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Applications/Transfer/TransferPrint.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;

const std::vector<ReportKind> &gpucost::reportKinds() {
  static const std::vector<ReportKind> kinds = {
      {"report", "gpu-cost-opt --report=json", shapeOfReport},
      {"serve", "gpu-cost-opt serve --report=json", serve::shapeOfServe},
      {"generate", "gpu-cost-opt generate --report=json",
       generate::shapeOfGeneration},
      {"deploy", "gpu-cost-opt deploy --report=json", deploy::shapeOfDeploy},
      {"post-train", "gpu-cost-opt post-train --report=json",
       posttrain::shapeOfPostTrain},
      {"compare", "gpu-cost-opt compare --report=json",
       compare::shapeOfComparison},
      {"transfer", "gpu-cost-opt transfer --report=json",
       transfer::shapeOfTransfer}};
  return kinds;
}

const ReportKind *gpucost::findReportKind(llvm::StringRef name) {
  auto it = llvm::find_if(reportKinds(), [&](const ReportKind &kind) {
    return llvm::StringRef(kind.name) == name;
  });
  return it == reportKinds().end() ? nullptr : &*it;
}
