//===- ExportAttrs.h - Properties of exported modules -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpucost.export() (python/gpucost/_stated.py) writes properties of a PyTorch
// module that its graph does not have into the metadata of the ONNX file:
//
//   gpucost.export.batch           size of the batch of the example inputs
//   gpucost.export.sequence        their sequence length
//   gpucost.export.training        settings of its training step, as JSON
//   gpucost.export.notes           notes for reports, one a line
//   gpucost.export.training_notes  for each of these settings a line such as
//                                  "recompute=full (checkpoints)"
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_EXPORTATTRS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_EXPORTATTRS_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// Prefix of the keys.
inline constexpr llvm::StringLiteral exportKeyPrefix = "gpucost.export.";

/// Module attribute with the fixed sizes of the example inputs by name: batch,
/// sequence.
inline constexpr llvm::StringLiteral exampleSizesAttrName =
    "onnx.example_sizes";

/// Module attribute with the settings, as JSON, that apply to training unless
/// others are stated.
inline constexpr llvm::StringLiteral trainingSettingsAttrName =
    "onnx.training_settings";

/// Module attributes with the notes of the importer, and with the lines on
/// settings of training, which reports show for those that apply.
inline constexpr llvm::StringLiteral importNotesAttrName = "onnx.notes";
inline constexpr llvm::StringLiteral importTrainingNotesAttrName =
    "onnx.training_notes";

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_EXPORTATTRS_H
