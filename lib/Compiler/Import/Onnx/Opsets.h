//===- Opsets.h - Versions of the operator sets -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_OPSETS_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_OPSETS_H

#include "Flatten.h"

namespace gpucost::importer {

/// Reads `opset_import`; the highest version of each domain is used.
Opsets readOpsets(
    const google::protobuf::RepeatedPtrField<pb::OperatorSetIdProto> &imports);

/// Replaces versions that do not exist, and adds notes on those and on versions
/// newer than the supported ones.
void checkOpsets(Opsets &opsets, std::vector<std::string> &notes);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_OPSETS_H
