//===- GpuAttrs.cpp - Boards and targets ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "RecordSyntax.h"

using namespace mlir;
using namespace gpucost;

#include "gpucost/Core/Support/RecordsOnly.inc"

#define RECORD(Struct, mnemonic, doc)                                          \
  template class gpucost::RecordAttr<Struct>;                                  \
  MLIR_DEFINE_EXPLICIT_TYPE_ID(::gpucost::RecordAttr<::gpucost::Struct>)
#include "gpucost/Core/Model/Gpu.def"
#undef RECORD

llvm::ArrayRef<RecordAttrSyntax> gpucost::gpuRecords() {
  static constexpr RecordAttrSyntax records[] = {
#define RECORD(Struct, mnemonic, doc) recordAttrSyntax<Struct>(),
#include "gpucost/Core/Model/Gpu.def"
#undef RECORD
  };
  return records;
}

void GpuCostDialect::registerGpuAttributes() {
#define RECORD(Struct, mnemonic, doc) addAttributes<RecordAttr<Struct>>();
#include "gpucost/Core/Model/Gpu.def"
#undef RECORD
}
