//===- CalibrateDevice.cpp - Is it the GPU of the target? -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateInput.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

/// How the board differs from the target; empty when it may be one.
static std::string difference(const MeasurementFile &file, const Gpu &gpu) {
  auto number = [&](StringRef key) -> std::optional<double> {
    double value;
    if (file.fact(key).getAsDouble(value))
      return std::nullopt;
    return value;
  };
  if (auto count = number("SMs"); count && *count != gpu.smCount)
    return file.fact("SMs").str() + " SMs instead of " +
           std::to_string(gpu.smCount);
  if (auto capability = number("compute capability");
      capability && gpu.computeCapability &&
      *capability != *gpu.computeCapability)
    return "compute capability " + file.fact("compute capability").str();
  if (auto bytes = number("memory bytes");
      bytes && std::abs(*bytes / gpu.dramCapacity.value() - 1) > 0.15)
    return file.fact("memory bytes").str() + " bytes of memory";
  if (auto clock = number("max SM clock MHz");
      clock && std::abs(*clock * 1e6 / gpu.maxClock.value() - 1) > 0.05)
    return "a maximum clock of " + file.fact("max SM clock MHz").str() + " MHz";
  StringRef name = file.fact("gpu"), target = gpu.name;
  if ((name.contains_insensitive("PCIe") && target.contains("sxm")) ||
      (name.contains_insensitive("SXM") && target.contains("pcie")))
    return "another form factor";
  return "";
}

llvm::Error calibration::checkDevice(const MeasurementFile &file,
                                     const Gpu &gpu) {
  StringRef first = file.fact("gpu");
  if (first.empty())
    return llvm::createStringError(
        file.path + ": expected a line '# gpu: ...' of provenance, as "
                    "measure.py writes it");
  for (const auto &[key, value] : file.facts)
    if (key == "gpu" && value != first)
      return llvm::createStringError(file.path +
                                     ": expected rows of one GPU, but got '" +
                                     first + "' and '" + value + "'");
  if (first == "none")
    return llvm::createStringError(
        file.path + ": measured on a CPU, which only tests the program");
  std::string other = difference(file, gpu);
  if (other.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      file.path + ": measured on '" + first + "', which is not the target '" +
      gpu.name + "': it has " + other +
      "; give its target, or describe the GPU with --target-file");
}
