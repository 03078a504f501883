//===- Handles.h - Handles that free themselves ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_BINDINGS_C_HANDLES_H
#define UNITTESTS_BINDINGS_C_HANDLES_H

#include "gpucost-c/gpucost.h"
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>

struct FreeHandle {
  void operator()(gpucostModel *model) const { gpucostModelFree(model); }
  void operator()(gpucostCache *cache) const { gpucostCacheFree(cache); }
  void operator()(gpucostPrepared *model) const { gpucostPreparedFree(model); }
  void operator()(gpucostPlaced *placed) const { gpucostPlacedFree(placed); }
  void operator()(gpucostReport *report) const { gpucostReportFree(report); }
};
template <typename T> using Handle = std::unique_ptr<T, FreeHandle>;

/// The model of `target`, which must exist.
inline Handle<gpucostModel> modelOf(const char *target) {
  gpucostModel *model = nullptr;
  EXPECT_EQ(gpucostModelCreate(target, nullptr, &model), GPUCOST_OK)
      << gpucostLastError();
  return Handle<gpucostModel>(model);
}

/// A struct with the defaults.
template <typename T> T initialized() {
  T object;
  GPUCOST_INIT(object);
  return object;
}

inline gpucostKernel matmul(int64_t m, int64_t n, int64_t k) {
  auto kernel = initialized<gpucostKernel>();
  kernel.family = GPUCOST_MATMUL;
  kernel.problem.matmul.m = m;
  kernel.problem.matmul.n = n;
  kernel.problem.matmul.k = k;
  return kernel;
}

/// The error of a call that returns `status`; "" without an error.
inline std::string errorOf(gpucostStatus status) {
  return status == GPUCOST_OK ? "" : gpucostLastError();
}

#endif // UNITTESTS_BINDINGS_C_HANDLES_H
