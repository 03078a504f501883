//===- KernelAttrs.cpp - Works, tilings, schedules, times -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordSyntax.h"
#include "gpucost/Core/Model/RecordTypes.h"
#include "gpucost/Core/Model/Schedule.h"

using namespace mlir;
using namespace gpucost;

#define EACH_KERNEL_RECORD                                                     \
  RECORD(KernelWork, "work", "")                                               \
  RECORD(Tiling, "tiling", "")

#include "gpucost/Core/Support/RecordsOnly.inc"

#define RECORD(Struct, mnemonic, doc)                                          \
  template class gpucost::RecordAttr<Struct>;                                  \
  MLIR_DEFINE_EXPLICIT_TYPE_ID(::gpucost::RecordAttr<::gpucost::Struct>)
EACH_KERNEL_RECORD
#include "gpucost/Core/Model/Kernel.def"
#include "gpucost/Core/Model/Schedule.def"
#undef RECORD

llvm::ArrayRef<RecordAttrSyntax> gpucost::kernelRecords() {
  static constexpr RecordAttrSyntax records[] = {
#define RECORD(Struct, mnemonic, doc) recordAttrSyntax<Struct>(),
      EACH_KERNEL_RECORD
#include "gpucost/Core/Model/Kernel.def"
#include "gpucost/Core/Model/Schedule.def"
#undef RECORD
  };
  return records;
}

void GpuCostDialect::registerKernelAttributes() {
#define RECORD(Struct, mnemonic, doc) addAttributes<RecordAttr<Struct>>();
  EACH_KERNEL_RECORD
#include "gpucost/Core/Model/Kernel.def"
#include "gpucost/Core/Model/Schedule.def"
#undef RECORD
}
