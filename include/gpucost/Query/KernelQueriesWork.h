//===- KernelQueriesWork.h - Work of a queried kernel -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact FLOPs and compulsory bytes of one kernel from the sizes that a query
// gives. Sizes are positive (padding: not negative); nullopt means that a count
// does not fit 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_QUERY_KERNELQUERIESWORK_H
#define GPUCOST_QUERY_KERNELQUERIESWORK_H

#include "gpucost/Model/KernelWork.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpucost {

/// Bits that one element takes in memory; tf32 tensors are fp32 in memory.
int32_t storageBits(NumericFormat format);

std::optional<KernelWork> matmulWork(const MatmulProblem &problem,
                                     NumericFormat format);

/// Square stride and padding; `problem` without output sizes. `padding` must
/// leave at least one output, see `outputSize`.
std::optional<KernelWork> convolutionWork(ConvolutionProblem problem,
                                          int64_t padding,
                                          NumericFormat format);
/// (size + 2 * padding - kernel) / stride + 1; less than 1 when the kernel does
/// not fit.
int64_t outputSize(int64_t size, int64_t kernel, int64_t stride,
                   int64_t padding);

std::optional<KernelWork> attentionWork(const AttentionProblem &problem,
                                        NumericFormat format);
std::optional<KernelWork> softmaxWork(const RowsProblem &problem,
                                      NumericFormat format);
/// Layer norm with scale and bias.
std::optional<KernelWork> layerNormWork(const RowsProblem &problem,
                                        NumericFormat format);

/// What a GPU reads to send and writes on receipt.
std::optional<KernelWork> collectiveWork(const CollectiveProblem &problem);

/// An elementwise op of a query. The FLOP counts are the textbook ones of
/// OnnxBase.td; neither time nor power depends on them.
struct ElementwiseOp {
  llvm::StringLiteral name;
  InstructionClass instructions;
  int32_t inputs; ///< tensors read, unless the query says otherwise
  int32_t fp32Flops, specialOps; ///< per element
};
llvm::ArrayRef<ElementwiseOp> elementwiseOps();

std::optional<KernelWork> elementwiseWork(const ElementwiseOp &op,
                                          int64_t elements, int64_t inputs,
                                          NumericFormat format);

} // namespace gpucost

#endif // GPUCOST_QUERY_KERNELQUERIESWORK_H
