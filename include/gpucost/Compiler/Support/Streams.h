//===- Streams.h - Quantities in LLVM's streams -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_STREAMS_H
#define GPUCOST_COMPILER_SUPPORT_STREAMS_H

#include "gpucost/Core/Support/QuantityText.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

template <typename Tag>
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Quantity<Tag> q) {
  return os << toText(q);
}

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_STREAMS_H
