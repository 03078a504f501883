//===- Opsets.cpp - Versions of the operator sets -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Opsets.h"
#include "Domains.h"

using namespace gpucost::importer;

Opsets gpucost::importer::readOpsets(
    const google::protobuf::RepeatedPtrField<pb::OperatorSetIdProto> &imports) {
  Opsets opsets;
  for (const pb::OperatorSetIdProto &import : imports) {
    int64_t &version = opsets[canonicalDomain(import.domain())];
    version = std::max(version, import.version());
  }
  return opsets;
}

void gpucost::importer::checkOpsets(Opsets &opsets,
                                    std::vector<std::string> &notes) {
  constexpr int64_t newest = 28;
  for (auto &entry : opsets) {
    int64_t &version = entry.second;
    std::string subject = "opset " + std::to_string(version) + " of domain " +
                          quoted(entry.getKey());
    if (version < 1) {
      notes.push_back(subject + " does not exist; version 1 is assumed");
      version = 1;
    }
    if (entry.getKey() == defaultDomain && version > newest)
      notes.push_back(subject + " is newer than " + std::to_string(newest) +
                      ", the newest known");
  }
}
