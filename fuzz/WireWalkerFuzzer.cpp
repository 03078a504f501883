//===- WireWalkerFuzzer.cpp - Any bytes into the wire walker ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The output of the walker must be smaller than its input, within its limits,
// and a fixed point: stripping it again drops nothing more.

#include "WireWalker.h"
#include <cstdlib>

using namespace gpucost::importer;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef file(reinterpret_cast<const char *>(data), size);
  WireLimits limits;
  limits.payloadBytes = 16;
  limits.integerPayloadBytes = 64;
  limits.stringBytes = 64;
  limits.nodes = 1000;
  limits.records = 100'000;
  limits.outputBytes = 1 << 20;
  llvm::Expected<StrippedModel> model = stripPayloads(file, limits);
  if (!model) {
    llvm::consumeError(model.takeError());
    return 0;
  }
  // A padded length and a segment for each message that was there.
  if (model->bytes.size() > 16 * size || model->nodes > limits.nodes)
    abort();
  llvm::Expected<StrippedModel> again = stripPayloads(model->bytes, limits);
  if (!again) {
    // Padding may push the copy over the limit, nothing else may fail.
    std::string error = llvm::toString(again.takeError());
    if (error.find("besides the weights") == std::string::npos)
      abort();
  } else if (again->droppedBytes || again->nodes != model->nodes) {
    abort();
  }
  return 0;
}
