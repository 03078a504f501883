//===- TextMutator.h - Changes to MLIR text that still parses ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text with a random byte or with a type that is changed at only one of its
// uses hardly ever parses. This changes tokens: a number, an element type or a
// type wherever it occurs, the name of an op, an operand, whole lines.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_FUZZ_TEXTMUTATOR_H
#define GPUCOST_FUZZ_TEXTMUTATOR_H

#include <string>
#include <string_view>
#include <vector>

/// `text` after one to three changes. ONNX ops may become one of `operators`.
/// The same seed gives the same changes.
std::string mutateText(std::string_view text, unsigned seed,
                       const std::vector<std::string> &operators);

#endif // GPUCOST_FUZZ_TEXTMUTATOR_H
