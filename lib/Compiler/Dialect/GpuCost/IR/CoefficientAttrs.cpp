//===- CoefficientAttrs.cpp - Groups of coefficients ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "RecordSyntax.h"

using namespace mlir;
using namespace gpucost;

#define EACH_TABLE RECORD(InstructionTable, "instruction_table", "")

#define GROUP(Struct, mnemonic, doc) RECORD(Struct, mnemonic, doc)
#define SET(Struct, member, keyword, use)
#include "gpucost/Core/Support/RecordsOnly.inc"

#define RECORD(Struct, mnemonic, doc)                                          \
  template class gpucost::RecordAttr<Struct>;                                  \
  MLIR_DEFINE_EXPLICIT_TYPE_ID(::gpucost::RecordAttr<::gpucost::Struct>)
EACH_TABLE
#include "gpucost/Core/Model/Coefficients.def"
#undef RECORD

llvm::ArrayRef<RecordAttrSyntax> gpucost::coefficientRecords() {
  static constexpr RecordAttrSyntax records[] = {
#define RECORD(Struct, mnemonic, doc) recordAttrSyntax<Struct>(),
      EACH_TABLE
#include "gpucost/Core/Model/Coefficients.def"
#undef RECORD
  };
  return records;
}

void GpuCostDialect::registerCoefficientAttributes() {
#define RECORD(Struct, mnemonic, doc) addAttributes<RecordAttr<Struct>>();
  EACH_TABLE
#include "gpucost/Core/Model/Coefficients.def"
#undef RECORD
}
