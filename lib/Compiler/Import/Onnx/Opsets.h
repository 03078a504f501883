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

/// Reads `opset_import`; of several versions of a domain the highest counts.
Opsets readOpsets(
    const google::protobuf::RepeatedPtrField<pb::OperatorSetIdProto> &imports);

/// Mends versions that do not exist, and notes them and those that nobody knew
/// when this was written.
void checkOpsets(Opsets &opsets, std::vector<std::string> &notes);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_OPSETS_H
