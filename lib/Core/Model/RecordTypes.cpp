//===- RecordTypes.cpp - The records of data files ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/RecordTypes.h"

using namespace gpucost;

#define GROUP(Struct, mnemonic, doc) RECORD(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use)
#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc)                                          \
  template const RecordType &gpucost::recordType<Struct>();
RECORD(InstructionTable, "", "")
#include "gpucost/Core/Model/Coefficients.def"
#include "gpucost/Core/Model/Gpu.def"
