//===- TransferJson.cpp - A transfer for programs -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/TransferPrint.h"

using namespace gpucost::compare;
using namespace gpucost::transfer;

namespace gpucost {

namespace {
/// Parts of a transfer as JSON has them.
struct PrintedTransfer {
  const TransferReport *all = nullptr;
  static constexpr int64_t schema = 1;
};
struct PrintedProfile {
  const TransferReport *all = nullptr;
  const char *kind() const { return all->profile.isTrace ? "trace" : "table"; }
};
struct PrintedGap {
  const ComparedKernel *row = nullptr;
  const AlignedKernel *aligned = nullptr;
  const KernelGap *gap = nullptr;
  std::optional<double> measuredUs() const {
    return aligned->launches > 0 ? std::optional(aligned->meanUs())
                                 : std::nullopt;
  }
};
struct PrintedCarried {
  const ComparedKernel *row = nullptr;
  const CarriedKernel *carried = nullptr;
};
} // namespace

static std::string_view familyName(const std::optional<KernelFamily> &family) {
  return family ? stringifyKernelFamily(*family) : std::string_view();
}

static std::vector<PrintedGap> gapsOf(const TransferReport &report) {
  std::vector<PrintedGap> gaps;
  for (const KernelGap &gap : report.gaps.kernels)
    gaps.push_back({&report.from.kernels[gap.kernel].row,
                    &report.alignment.kernels[gap.kernel], &gap});
  return gaps;
}

static std::vector<PrintedCarried> carriedOf(const Destination &to) {
  std::vector<PrintedCarried> kernels;
  for (const CarriedKernel &kernel : to.carried.kernels)
    kernels.push_back({&to.run.kernels[kernel.kernel].row, &kernel});
  return kernels;
}

#define GPUCOST_REPORT "gpucost/Applications/Transfer/TransferReport.def"
#include "gpucost/Core/Report/VisitReport.inc"

RecordShape transfer::shapeOfTransfer() {
  return shapeOfRecord<PrintedTransfer>();
}

void transfer::printTransferJson(const TransferReport &report,
                                 llvm::raw_ostream &os) {
  os << recordJson(PrintedTransfer{&report});
}

} // namespace gpucost
