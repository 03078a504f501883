//===- Steps.h - Equations of families with numbers -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model does not keep its intermediate numbers: they are computed here
// again. Each function prints the equations of the kernels that it is for and
// returns true, but only where they give the parts that the model has; else it
// prints nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_EXPLAIN_STEPS_H
#define GPUCOST_LIB_CORE_EXPLAIN_STEPS_H

#include "Explain.h"
#include <cmath>

namespace gpucost {

/// (G*), (C4): products and convolutions on tensor cores.
bool explainTensorProduct(const ExplainedKernel &kernel, ExplainText &text);
/// (S*), (C1) to (C3): the same in fp32 on CUDA cores.
bool explainSimtProduct(const ExplainedKernel &kernel, ExplainText &text);
/// (A*): attention in one kernel.
bool explainAttention(const ExplainedKernel &kernel, ExplainText &text);
/// (D*): attention of one token.
bool explainDecode(const ExplainedKernel &kernel, ExplainText &text);
/// (N*): communication.
bool explainCollective(const ExplainedKernel &kernel, ExplainText &text);

/// Equal but for rounding.
inline bool isClose(double a, double b) {
  return std::fabs(a - b) <= 1e-9 * std::max(std::fabs(a), std::fabs(b));
}
inline bool isClose(Seconds a, double b) { return isClose(a.value(), b); }

/// (W3) 1 + FLOP of another product in the kernel, over those of its own.
double fusedProducts(const KernelWork &work);
/// What they make of `compute` and `l2`, s; nothing without any.
void explainFusedProducts(const ExplainedKernel &kernel, double compute,
                          double l2, ExplainText &text);

/// `batch` products m x n x k of elements of `inputBytes` and `weightBytes`.
struct Product {
  double batch, m, n, k, inputBytes, weightBytes;
};
/// A matmul or an implicit GEMM (C1), (C4), (C6). On CUDA cores an input
/// gradient multiplies by no tap twice.
Product productOf(const KernelWork &work);
/// How its sizes follow from those of a convolution; nothing for a matmul.
void explainImplicitGemm(const ExplainedKernel &kernel, const char *id,
                         ExplainText &text);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_EXPLAIN_STEPS_H
