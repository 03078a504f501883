//===- SampleModel.h - A prepared model for tests ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_UNITTESTS_CAPI_SAMPLEMODEL_H
#define GPUCOST_UNITTESTS_CAPI_SAMPLEMODEL_H

#include "gpucost/Archive/PreparedFile.h"

/// A product, a softmax and a copy, as prepared for an A100 in bf16: some
/// launches run several times, read weights and depend on each other.
gpucost::PreparedFile sampleModel();

#endif // GPUCOST_UNITTESTS_CAPI_SAMPLEMODEL_H
