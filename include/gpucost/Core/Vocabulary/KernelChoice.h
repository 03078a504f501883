//===- KernelChoice.h - Whose kernels run -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_VOCABULARY_KERNELCHOICE_H
#define GPUCOST_CORE_VOCABULARY_KERNELCHOICE_H

#include "gpucost/Core/Vocabulary/Software.h"

namespace gpucost {

/// The settings that decide, with GPU and problem, which implementation of a
/// kernel runs (Model/Implementations.def).
struct KernelChoice {
  Software software;
  Runtime runtime;
  AttentionMode attention;

  /// Only a software: the kernels that it runs by default.
  constexpr KernelChoice(Software software = Software::PyTorch,
                         Runtime runtime = Runtime::Eager,
                         AttentionMode attention = AttentionMode::AsIs)
      : software(software), runtime(runtime), attention(attention) {}

  /// A compiler generates the kernels that no library has to provide.
  constexpr bool isGenerated() const { return runtime == Runtime::Compiled; }
};

/// Equal choices run equal kernels.
constexpr bool operator==(const KernelChoice &a, const KernelChoice &b) {
  return a.software == b.software && a.isGenerated() == b.isGenerated() &&
         a.attention == b.attention;
}

} // namespace gpucost

#endif // GPUCOST_CORE_VOCABULARY_KERNELCHOICE_H
