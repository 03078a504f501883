//===- SampleModel.h - A prepared model for tests ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_BINDINGS_C_SAMPLEMODEL_H
#define UNITTESTS_BINDINGS_C_SAMPLEMODEL_H

#include "gpucost/Core/Archive/PreparedFile.h"

/// A matmul, a softmax and a copy, as prepared for an A100 in bf16: some
/// launches run several times, read weights and depend on each other.
gpucost::PreparedFile sampleModel();

#endif // UNITTESTS_BINDINGS_C_SAMPLEMODEL_H
