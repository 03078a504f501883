//===- ProfileFuzzer.cpp - Any bytes as a measured profile ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/TransferPrint.h"

using namespace gpucost;
using namespace gpucost::transfer;

/// A matmul and an addition, 40 launches each.
static PredictedRun makeRun() {
  PredictedRun run;
  for (auto [name, family, us] :
       {std::tuple("product", KernelFamily::Matmul, 9.0),
        std::tuple("add", KernelFamily::Elementwise, 2.0)}) {
    PredictedKernel kernel;
    kernel.family = family;
    kernel.halfWidth = 0.1;
    kernel.row.name = kernel.row.label = name;
    kernel.row.shape = "m=4 n=4";
    kernel.row.bound = "tensor";
    kernel.row.count = 40;
    kernel.row.timeUs = us;
    run.kernels.push_back(kernel);
  }
  for (uint32_t i = 0; i < 80; ++i)
    run.sequence.push_back(i % 2);
  run.report.time = Seconds(500e-6);
  return run;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ProfileOptions options;
  options.iterations = 1 + static_cast<int64_t>(size % 3);
  llvm::Expected<Profile> profile =
      readProfile(llvm::StringRef(reinterpret_cast<const char *>(data), size),
                  "f", options);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return 0;
  }
  TransferReport report;
  report.from = makeRun();
  llvm::Expected<Alignment> alignment = alignProfile(*profile, report.from);
  if (!alignment) {
    llvm::consumeError(alignment.takeError());
    return 0;
  }
  report.profile = std::move(*profile);
  report.alignment = std::move(*alignment);
  report.gaps = explainGaps(report.profile, report.alignment, report.from);
  std::string text;
  llvm::raw_string_ostream os(text);
  printTransfer(report, 10, os);
  printTransferJson(report, os);
  return 0;
}
