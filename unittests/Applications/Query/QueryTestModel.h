//===- QueryTestModel.h - GPU of the query tests ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_APPLICATIONS_QUERY_QUERYTESTMODEL_H
#define UNITTESTS_APPLICATIONS_QUERY_QUERYTESTMODEL_H

#include "gpucost/Applications/Query/KernelQueries.h"

namespace gpucost::querytest {

/// An A100 with the coefficients of the studies: tensor-core GEMM, CUDA-core
/// GEMM, memory-bound kernels, power. It has no fp8.
const CostModel &model();

/// Output, or "error: ..." when there was one; then nothing was printed.
std::string runText(llvm::StringRef kernel, llvm::StringRef report = "csv");
/// `content` as the file "<dir>/kernels.csv"; the folder is cut from messages.
std::string runFile(llvm::StringRef content, llvm::StringRef report = "csv");

} // namespace gpucost::querytest

#endif // UNITTESTS_APPLICATIONS_QUERY_QUERYTESTMODEL_H
