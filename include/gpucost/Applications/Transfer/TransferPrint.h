//===- TransferPrint.h - A transfer for people and programs --- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_TRANSFER_TRANSFERPRINT_H
#define GPUCOST_APPLICATIONS_TRANSFER_TRANSFERPRINT_H

#include "gpucost/Applications/Transfer/Transfer.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost::transfer {

/// One destination.
struct Destination {
  std::string text;  ///< as the user gave it
  std::string label; ///< with the number format
  PredictedRun run;
  CarriedRun carried;
};

/// Result of a transfer.
struct TransferReport {
  std::string model;
  Profile profile;
  Alignment alignment;
  PredictedRun from;
  ProfileGaps gaps;
  std::vector<Destination> destinations;
  std::vector<std::string> notes;
};

/// `top`: rows of the lists.
void printTransfer(const TransferReport &report, unsigned top,
                   llvm::raw_ostream &os);
/// The fields are those of TransferReport.def.
void printTransferJson(const TransferReport &report, llvm::raw_ostream &os);
RecordShape shapeOfTransfer();

} // namespace gpucost::transfer

#endif // GPUCOST_APPLICATIONS_TRANSFER_TRANSFERPRINT_H
