//===- KernelSizes.h - Sizes of a queried kernel ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of the kernels in each family, their defaults and the rules between
// them, for rows of text (KernelQueriesRow.cpp) and for the structs of the C
// interface (CAPI/Kernels.cpp). The struct members have the order in which the
// sizes are read here.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_QUERY_KERNELSIZES_H
#define GPUCOST_CORE_QUERY_KERNELSIZES_H

#include "gpucost/Core/Query/KernelQueriesWork.h"

namespace gpucost {

/// Columns with a meaning; all others are copied to the output.
enum class QueryColumn : uint8_t {
#define COLUMN(enumerator, name) enumerator,
#include "gpucost/Core/Query/QueryColumns.def"
};
inline constexpr std::string_view queryColumnNames[] = {
#define COLUMN(enumerator, name) name,
#include "gpucost/Core/Query/QueryColumns.def"
};
constexpr size_t numQueryColumns = std::size(queryColumnNames);

enum class QueryFamily {
  Matmul,
  Conv2d,
  Attention,
  Softmax,
  LayerNorm,
  Elementwise,
  Collective
};

/// Matmul, convolution and attention run on matrix units, which must support
/// the format; memory-bound kernels accept any format.
constexpr bool usesMatrixUnit(QueryFamily family) {
  return family <= QueryFamily::Attention;
}

/// Work of a kernel; nullopt after an error, or if a count does not fit in 63
/// bits. `Reader` has
///   int64_t size(QueryColumn)                    at least 1, required
///   int64_t size(QueryColumn, int64_t fallback)  at least 1
///   int64_t padding(QueryColumn)                 at least 0; default 0
///   int64_t extra(QueryColumn, int64_t fallback) the same as size, but not in
///                                                the structs
///   bool flag(QueryColumn)                       default false
///   bool isLinear(bool fallback)
///   const ElementwiseOp *elementwiseOp(), std::optional<CollectiveKind>
///   collective()                                 null after an error
///   NumericFormat cacheFormat(NumericFormat format)   at most as wide as
///                                                     `format`, its default
///   void refuse(const std::optional<SizeFault> &), bool failed()
template <typename Reader>
std::optional<KernelWork> readKernelWork(Reader &r, QueryFamily family,
                                         NumericFormat format,
                                         const QueryNodes &nodes) {
  using C = QueryColumn;
  auto made = [&](auto make) {
    return r.failed() ? std::optional<KernelWork>() : make();
  };
  switch (family) {
  case QueryFamily::Matmul: {
    MatmulProblem p;
    p.batch = r.size(C::Batch, 1);
    p.m = r.size(C::M);
    p.n = r.size(C::N);
    p.k = r.size(C::K);
    p.linear = r.isLinear(p.batch == 1);
    p.blockScaled = r.flag(C::BlockScaled);
    p.experts = r.extra(C::Experts, 0);
    if (p.experts > 0) {
      p.choices = r.extra(C::Choices, 1);
      p.shards = r.extra(C::Shards, 1);
      int64_t projections = r.extra(C::Projections, gatedProjections);
      p.gated = projections == gatedProjections;
      r.refuse(findSizeFault(p, projections));
      return made([&] { return expertsWork(p, format); });
    }
    return made([&] { return matmulWork(p, format); });
  }
  case QueryFamily::Conv2d: {
    ConvolutionProblem p;
    p.batch = r.size(C::N);
    p.channels = r.size(C::C);
    p.height = r.size(C::H);
    p.width = r.size(C::W);
    p.outChannels = r.size(C::Oc);
    p.kernelHeight = r.size(C::Kh);
    p.kernelWidth = r.size(C::Kw);
    p.strideHeight = p.strideWidth = r.size(C::Stride, 1);
    int64_t pad = r.padding(C::Pad);
    p.groups = r.size(C::Groups, 1);
    r.refuse(findSizeFault(p, pad));
    return made([&] { return convolutionWork(p, pad, format); });
  }
  case QueryFamily::Attention: {
    AttentionProblem p;
    p.batch = r.size(C::Batch, 1);
    p.heads = r.size(C::Heads);
    p.kvHeads = r.size(C::KvHeads, p.heads);
    p.queryLength = r.size(C::QLen);
    p.kvLength = r.size(C::KvLen);
    p.headDim = r.size(C::HeadDim);
    p.causal = r.flag(C::Causal);
    p.window = r.size(C::Window, 0);
    NumericFormat cache = r.cacheFormat(format);
    p.valueDim = r.extra(C::ValueDim, 0);
    p.document = r.size(C::Document, 0);
    r.refuse(findSizeFault(p));
    return made([&] { return attentionWork(p, format, cache); });
  }
  case QueryFamily::Softmax:
  case QueryFamily::LayerNorm: {
    RowsProblem p;
    p.rows = r.size(C::Rows);
    p.cols = r.size(C::Cols);
    return made([&] {
      return family == QueryFamily::Softmax ? softmaxWork(p, format)
                                            : layerNormWork(p, format);
    });
  }
  case QueryFamily::Elementwise: {
    const ElementwiseOp *op = r.elementwiseOp();
    if (!op)
      return std::nullopt;
    int64_t elements = r.size(C::Elements);
    int64_t inputs = r.size(C::Inputs, op->inputs);
    bool strided = r.flag(C::Strided);
    return made([&] {
      auto work = elementwiseWork(*op, elements, inputs, format);
      if (work)
        work->template edit<ElementsProblem>().strided = strided;
      return work;
    });
  }
  case QueryFamily::Collective: {
    std::optional<CollectiveKind> kind = r.collective();
    if (!kind)
      return std::nullopt;
    CollectiveProblem p;
    p.kind = *kind;
    p.worldSize = r.size(C::Gpus);
    p.nodes = r.size(C::Nodes, nodes.of(p.worldSize));
    p.groups = r.size(C::Groups, 1);
    p.bytes = r.size(C::MessageBytes);
    p.choices = r.size(C::Choices, 0);
    p.nodeLimit = r.size(C::NodeLimit, 0);
    r.refuse(findSizeFault(p, nodes.held));
    return made([&] { return collectiveWork(p); });
  }
  }
  return std::nullopt;
}

} // namespace gpucost

#endif // GPUCOST_CORE_QUERY_KERNELSIZES_H
