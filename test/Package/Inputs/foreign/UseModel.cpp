//===- UseModel.cpp - The installed cost model, without LLVM --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include <iostream>

int main() {
  gpucost::MatmulProblem problem;
  problem.m = 512;
  problem.n = 1024;
  problem.k = 4096;
  std::cout << "matrix FLOPs: " << gpucost::countFlops(problem) << '\n';

  // A GPU without clocks is refused.
  if (auto model = gpucost::CostModel::create({}, {}))
    std::cout << "no error\n";
  else
    std::cout << "refused: " << model.error().message << '\n';
}
