//===- GpuCostAttrs.cpp - Annotation attributes ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "gpucost/Support/QuantityParser.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;

#define GET_ATTRDEF_CLASSES
#include "gpucost/Dialect/GpuCost/IR/GpuCostAllAttrs.cpp.inc"

void GpuCostDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gpucost/Dialect/GpuCost/IR/GpuCostAllAttrs.cpp.inc"
      >();
}

/// The problem attribute that a kernel family is described with.
static bool problemFits(KernelFamily family, Attribute problem) {
  switch (family) {
  case KernelFamily::Matmul:
    return isa<MatmulProblemAttr>(problem);
  case KernelFamily::Convolution:
    return isa<ConvolutionProblemAttr>(problem);
  case KernelFamily::Attention:
    return isa<AttentionProblemAttr>(problem);
  case KernelFamily::Softmax:
  case KernelFamily::Normalization:
  case KernelFamily::Reduction:
    return isa<RowsProblemAttr>(problem);
  case KernelFamily::Collective:
    return isa<CollectiveProblemAttr>(problem);
  default:
    return isa<ElementsProblemAttr>(problem);
  }
}

LogicalResult WorkAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               KernelFamily family, InstructionClass,
                               NumericFormat, int64_t inputBits,
                               int64_t outputBits, Attribute problem,
                               int64_t tensorFlops, int64_t fp32Flops,
                               int64_t specialOps, int64_t bytesRead,
                               int64_t bytesWritten) {
  if (!problem || !problemFits(family, problem))
    return emitError() << "expected the problem attribute of family '"
                       << stringifyKernelFamily(family) << "', but got "
                       << problem;
  if (inputBits <= 0 || outputBits <= 0)
    return emitError() << "expected positive element sizes";
  for (int64_t count :
       {tensorFlops, fp32Flops, specialOps, bytesRead, bytesWritten})
    if (count < 0)
      return emitError() << "expected counts of at least 0, but got " << count;
  return success();
}
