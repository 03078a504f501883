//===- TargetList.cpp - The built-in GPUs and networks --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetList.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;

namespace {
struct TargetLine {
  const DataFile &data;
  const Gpu &gpu;
  NumericFormat defaultFormat;
  /// "tensor_gemm from L40S, ..."; empty when every group is the die's own.
  std::string transferred;
};
} // namespace

static void printLines(llvm::ArrayRef<TargetLine> targets,
                       llvm::raw_ostream &os) {
  for (const TargetLine &target : targets) {
    std::string formats;
    for (const FormatRate &rate : target.gpu.formats) {
      formats += formats.empty() ? "" : " ";
      formats += stringifyNumericFormat(rate.format);
      formats += rate.format == target.defaultFormat ? "*" : "";
    }
    os << llvm::left_justify(target.gpu.name, 20)
       << llvm::left_justify(target.gpu.die, 11)
       << llvm::left_justify(formats, 48)
       << llvm::join(target.data.aliases, ", ") << '\n';
    if (!target.transferred.empty())
      os << llvm::indent(4) << "transferred: " << target.transferred << '\n';
  }
  os << "\n* default format; --target=<name or alias>[-<format>]\n";
}

static void printJson(llvm::ArrayRef<TargetLine> targets,
                      llvm::raw_ostream &os) {
  llvm::json::OStream j(os, /*IndentSize=*/2);
  auto nameOf = [](NumericFormat format) {
    return std::string(stringifyNumericFormat(format));
  };
  j.array([&] {
    for (const TargetLine &target : targets)
      j.object([&] {
        j.attribute("name", target.gpu.name);
        j.attribute("die", target.gpu.die);
        j.attributeArray("formats", [&] {
          for (const FormatRate &rate : target.gpu.formats)
            j.value(nameOf(rate.format));
        });
        j.attribute("default_format", nameOf(target.defaultFormat));
        j.attributeArray("aliases", [&] {
          for (const std::string &alias : target.data.aliases)
            j.value(alias);
        });
        if (target.transferred.empty())
          j.attribute("transferred", nullptr);
        else
          j.attribute("transferred", target.transferred);
      });
  });
  os << '\n';
}

llvm::Error gpucost::printTargets(llvm::raw_ostream &os, bool json) {
  std::vector<TargetLine> targets;
  for (size_t i = 0; i < embeddedTargets().size(); ++i) {
    const DataFile &data = compiledTarget(i);
    Expected<Coefficients> set = coefficientsOf(data, data.gpu->name);
    if (!set)
      return toLLVMError(set.error());
    targets.push_back(
        {data, *data.gpu, defaultFormatOf(data), describeTransferred(*set)});
  }
  json ? printJson(targets, os) : printLines(targets, os);
  return llvm::Error::success();
}

static void printLine(const DataFile &data, llvm::raw_ostream &os) {
  const Network &network = *data.network;
  constexpr double gigabits = 8e-9;
  os << llvm::left_justify(network.name, 15)
     << llvm::left_justify(std::to_string(network.gpus) + " GPUs", 9)
     << llvm::left_justify(
            std::to_string(network.adapters) + " x " +
                llvm::formatv("{0:F0}", network.bandwidth.value() * gigabits)
                    .str() +
                " Gb/s",
            15)
     << llvm::join(data.aliases, ", ") << '\n';
}

static void printJson(const DataFile &data, llvm::json::OStream &j) {
  const Network &network = *data.network;
  constexpr double gigabytes = 1e-9, micro = 1e6;
  j.object([&] {
    j.attribute("name", network.name);
    j.attribute("gpus", network.gpus);
    j.attribute("adapters", network.adapters);
    j.attribute("adapter_gb_per_s", network.bandwidth.value() * gigabytes);
    if (network.latency)
      j.attribute("latency_us", network.latency->value() * micro);
    else
      j.attribute("latency_us", nullptr);
    j.attribute("oversubscription", network.oversubscription);
    j.attribute("in_network_reduction", network.inNetworkReduction);
    j.attributeArray("aliases", [&] {
      for (const std::string &alias : data.aliases)
        j.value(alias);
    });
    j.attributeArray("source", [&] {
      for (const std::string &source : network.source)
        j.value(source);
    });
  });
}

llvm::Error gpucost::printNetworks(llvm::raw_ostream &os, bool json) {
  if (json) {
    llvm::json::OStream j(os, /*IndentSize=*/2);
    j.array([&] {
      for (size_t i = 0; i < embeddedNetworks().size(); ++i)
        printJson(compiledNetwork(i), j);
    });
    os << '\n';
    return llvm::Error::success();
  }
  for (size_t i = 0; i < embeddedNetworks().size(); ++i)
    printLine(compiledNetwork(i), os);
  os << "\nGPUs and adapters of a node; --network=<name or alias>\n";
  return llvm::Error::success();
}
