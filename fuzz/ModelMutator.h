//===- ModelMutator.h - Changes to a model that keep it parseable ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Bytes flipped at random rarely get past the parser. This changes a parsed
// model instead: dimensions, attributes, operator types, edges, whole nodes.

#ifndef GPUCOST_FUZZ_MODELMUTATOR_H
#define GPUCOST_FUZZ_MODELMUTATOR_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Operators that nodes may become.
void setOperatorNames(std::vector<std::string> names);

/// One to four changes to the model in `data`, written back to it; for one seed
/// in `period`, and if `data` is not a model, changes any bytes as libFuzzer
/// does. Returns the new size, at most `maxSize`.
size_t mutateModelOrBytes(uint8_t *data, size_t size, size_t maxSize,
                          unsigned seed, unsigned period);

#endif // GPUCOST_FUZZ_MODELMUTATOR_H
