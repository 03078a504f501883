//===- PreparedFuzzer.cpp - Any bytes as a prepared model ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is the data after the checksum, so that changes get past it.
//
//===----------------------------------------------------------------------===//

#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Archive/PreparedFile.h"
#include <cstdlib>

using namespace gpucost;

static const gpucostModel *models() {
  static gpucostModel *model = [] {
    gpucostModel *made = nullptr;
    if (gpucostModelCreate("a100-bf16", nullptr, &made) != GPUCOST_OK)
      std::abort();
    return made;
  }();
  return model;
}

/// Reports the loaded model with every function that reads it.
static void report(const gpucostPrepared *prepared) {
  gpucostPlaced *placed = nullptr;
  if (gpucostPlace(prepared, models(), &placed) != GPUCOST_OK)
    return;
  gpucostReport *report = nullptr;
  if (gpucostEvaluate(placed, nullptr, &report) == GPUCOST_OK) {
    gpucostTotals totals;
    GPUCOST_INIT(totals);
    if (gpucostReportTotals(report, &totals) != GPUCOST_OK)
      std::abort();
    for (uint32_t i = 0; i < totals.kernel_count; ++i) {
      gpucostKernelRow row;
      GPUCOST_INIT(row);
      if (gpucostReportKernel(report, i, &row) != GPUCOST_OK)
        std::abort();
    }
    char *text = nullptr;
    if (gpucostReportJson(report, "layer", &text, nullptr) != GPUCOST_OK)
      std::abort();
    gpucostFree(text);
    text = nullptr;
    if (gpucostEvaluatePage(placed, nullptr, &text, nullptr) ==
        GPUCOST_INTERNAL)
      std::abort();
    gpucostFree(text);
  }
  gpucostReportFree(report);
  gpucostPlacedFree(placed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes =
      sealPrepared({reinterpret_cast<const char *>(data), size});
  gpucostPrepared *prepared = nullptr;
  gpucostStatus status =
      gpucostPreparedLoad(bytes.data(), bytes.size(), &prepared);
  if (status == GPUCOST_INTERNAL)
    std::abort();
  if (status != GPUCOST_OK)
    return -1;
  report(prepared);
  gpucostPreparedFree(prepared);
  return 0;
}
