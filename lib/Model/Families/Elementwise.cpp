//===- Elementwise.cpp - Element-parallel kernels -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise, data movement, embedding, pooling, optimizer and reduction: one
// thread-level item per element and nothing but the equations (M1)-(M4). Opaque
// kernels count their bytes only: a lower bound.
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include <algorithm>

using namespace gpucost;

static Expected<LaunchTerms> terms(const CostModel &model,
                                   const KernelWork &work,
                                   InstructionClass kind, double elements,
                                   bool strided, bool perChannel,
                                   const KernelQuery &query) {
  auto set = streamingCoefficients(model);
  if (!set)
    return fail(set.error());
  if (elements < 0)
    return fail("expected a non-negative element count");
  Stream stream = streamOf(work);
  stream.fp32Flops =
      std::max(work.count.fp32Flops - (*set)->operatorFlops * elements, 0.0);
  stream.specialOps = std::max(
      work.count.specialOps - (*set)->operatorSpecialOps * elements, 0.0);
  countInstructions(model, **set, classOf(work, kind), elements, strided,
                    stream);
  countChannelAccesses(work, perChannel, stream);
  return streamTerms(model, **set, stream, query);
}

template <InstructionClass kind>
static Expected<LaunchTerms>
elementTerms(const CostModel &model, const KernelWork &work, const Tiling &,
             const KernelQuery &query) {
  const auto &p = work.as<ElementsProblem>();
  return terms(model, work, kind, p.elements, p.strided, p.perChannel, query);
}

static Expected<LaunchTerms> reductionTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  return terms(model, work, InstructionClass::Reduce,
               static_cast<double>(p.rows) * p.cols, /*strided=*/false,
               p.perChannel, query);
}

static Expected<LaunchTerms> opaqueTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  auto bound = terms(model, work, InstructionClass::None, /*elements=*/0,
                     /*strided=*/false, /*perChannel=*/false, query);
  if (bound)
    bound->inCalibratedDomain = false;
  return bound;
}

namespace gpucost {
#define STREAM_FAMILY(name, function)                                          \
  extern const KernelFamilyModel name;                                         \
  const KernelFamilyModel name = {tileStream, function};
STREAM_FAMILY(elementwiseFamily, elementTerms<InstructionClass::None>)
STREAM_FAMILY(dataMovementFamily, elementTerms<InstructionClass::Copy>)
STREAM_FAMILY(embeddingFamily, elementTerms<InstructionClass::Gather>)
STREAM_FAMILY(poolingFamily, elementTerms<InstructionClass::Pool>)
STREAM_FAMILY(optimizerFamily, elementTerms<InstructionClass::Optimizer>)
STREAM_FAMILY(reductionFamily, reductionTerms)
STREAM_FAMILY(opaqueFamily, opaqueTerms)
#undef STREAM_FAMILY
} // namespace gpucost
