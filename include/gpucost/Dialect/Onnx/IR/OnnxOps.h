//===- OnnxOps.h - Op classes of the onnx dialect ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All generated op classes, by category. Include it in .cpp files only: it is
// large. Code that treats ops alike needs OnnxDialect.h and the interfaces.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPS_H
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPS_H

#include "gpucost/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxStructureOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxMathOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxTranscendentalOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxActivationOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxContractionOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxNeuralOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxSequenceOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxMovementOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxReductionOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxLogicOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxConversionOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxContribOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxTrainingOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxSignalOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxImageOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxQuantizedOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxContribAttentionOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxContribMathOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxIntegerOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxOpaqueOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxClassicalOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxGradientOps.h.inc"
#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxOptimizerOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxControlOps.h.inc"

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPS_H
