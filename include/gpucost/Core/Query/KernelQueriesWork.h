//===- KernelQueriesWork.h - Work of a queried kernel -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact FLOPs and compulsory bytes of one kernel from the sizes in a query.
// Sizes are positive (padding: not negative); nullopt means that a count does
// not fit in 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_QUERY_KERNELQUERIESWORK_H
#define GPUCOST_CORE_QUERY_KERNELQUERIESWORK_H

#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/Span.h"
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// Largest size in a query, 2^40.
constexpr int64_t largestSize = int64_t(1) << 40;

/// A size that contradicts another one.
struct SizeFault {
  std::string_view size; ///< column of a kernel query: "groups"
  int64_t value = 0;
  std::string expected; ///< "a divisor of the 64 input ... channels"
};
/// The first contradiction; nullopt if a kernel with these sizes exists. Each
/// size is from 1 to `largestSize`. Output sizes of a convolution `problem` are
/// not set.
std::optional<SizeFault> findSizeFault(const ConvolutionProblem &problem,
                                       int64_t padding);
std::optional<SizeFault> findSizeFault(const AttentionProblem &problem);
/// Of an expert layer; an expert has `projections`.
std::optional<SizeFault> findSizeFault(const MatmulProblem &problem,
                                       int64_t projections);
std::optional<SizeFault> findSizeFault(const CollectiveProblem &problem,
                                       std::optional<int64_t> held);

/// Nodes of the collectives in queries.
struct QueryNodes {
  /// GPUs of a node; nullopt: unknown.
  std::optional<int64_t> held;
  /// Nodes of a collective that states none; 0: the smallest number of equal
  /// nodes that contain its GPUs.
  int64_t given = 1;

  int64_t of(int64_t gpus) const;
};
/// `stated`: of --nodes. Without it a named network defines the nodes, else
/// there is one.
QueryNodes queryNodes(const CostModel &model, std::optional<int64_t> stated);

/// Formats that a kernel query can compute in; fp64 has no coefficients.
const std::vector<NumericFormat> &queryFormats();
/// If `gpu` cannot run matrix kernels in `format`: a description of the
/// expected formats; else "".
std::string expectedMatrixFormat(const Gpu &gpu, NumericFormat format);

std::optional<KernelWork> matmulWork(const MatmulProblem &problem,
                                     NumericFormat format);
/// Projections of an expert: gate, up and down, or two of them.
inline constexpr int64_t gatedProjections = 3;
/// An expert layer with `experts` on all `shards`, of `n` hidden units each,
/// for `m` tokens of this GPU; experts are chosen as in (E1).
std::optional<KernelWork> expertsWork(const MatmulProblem &layer,
                                      NumericFormat format);

/// Equal stride and padding in both dimensions. Output sizes of `problem` are
/// not set; `padding` must result in at least one output (`outputSize`).
std::optional<KernelWork> convolutionWork(ConvolutionProblem problem,
                                          int64_t padding,
                                          NumericFormat format);
/// (size + 2 * padding - kernel) / stride + 1; less than 1 if the kernel does
/// not fit.
int64_t outputSize(int64_t size, int64_t kernel, int64_t stride,
                   int64_t padding);

/// `cache`: format of keys and values.
std::optional<KernelWork> attentionWork(const AttentionProblem &problem,
                                        NumericFormat format,
                                        NumericFormat cache);
/// If keys and values of attention in `format` cannot be in `cache`: a
/// description of the expected formats; else "".
std::string expectedCacheFormat(NumericFormat format, NumericFormat cache);
std::optional<KernelWork> softmaxWork(const RowsProblem &problem,
                                      NumericFormat format);
/// Layer norm with scale and bias.
std::optional<KernelWork> layerNormWork(const RowsProblem &problem,
                                        NumericFormat format);

/// Bytes that a GPU reads for sending and writes when receiving.
std::optional<KernelWork> collectiveWork(const CollectiveProblem &problem);

/// An elementwise op of a query. The FLOP counts are the textbook values of
/// OnnxBase.td; time and power do not depend on them.
struct ElementwiseOp {
  std::string_view name;
  InstructionClass instructions;
  int32_t inputs; ///< tensors read, unless the query states a number
  int32_t fp32Flops, specialOps; ///< per element
};
Span<ElementwiseOp> elementwiseOps();

std::optional<KernelWork> elementwiseWork(const ElementwiseOp &op,
                                          int64_t elements, int64_t inputs,
                                          NumericFormat format);

} // namespace gpucost

#endif // GPUCOST_CORE_QUERY_KERNELQUERIESWORK_H
