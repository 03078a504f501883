//===- UseModel.cpp - The installed cost model, without MLIR --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/CostModel.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  gpucost::MatmulProblem problem;
  problem.m = 512;
  problem.n = 1024;
  problem.k = 4096;
  llvm::outs() << "matrix FLOPs: " << gpucost::countFlops(problem) << '\n';

  // A GPU without clocks is refused.
  if (auto model = gpucost::CostModel::create({}, {}))
    llvm::outs() << "no error\n";
  else
    llvm::outs() << "refused: " << model.error().message << '\n';
}
