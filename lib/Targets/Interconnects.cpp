//===- Interconnects.cpp - Links between GPUs by name ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/Interconnects.h"
#include "gpucost/Support/Enumeration.h"
#include "gpucost/Targets/TargetRegistry.h"
#include <cmath>

using namespace gpucost;
using llvm::StringRef;

/// The coefficient set of a name; "" for a name that nobody knows.
static StringRef coefficientsOf(StringRef interconnect) {
#define INTERCONNECT(name, coefficients)                                       \
  if (interconnect == name)                                                    \
    return coefficients;
#include "gpucost/Targets/Interconnects.def"
  return "";
}

static llvm::Error refuse(StringRef interconnect) {
  std::string names;
#define INTERCONNECT(name, coefficients)                                       \
  names += (names.empty() ? "" : ", ") + std::string(name);
#include "gpucost/Targets/Interconnects.def"
  return llvm::createStringError("--interconnect expects " + names +
                                 " or NAME:GB/s:us (bus bandwidth and latency "
                                 "of one step), but got '" +
                                 interconnect + "'");
}

/// "GB/s:us": bandwidth above 0, time of at least 0.
static std::optional<NetworkLink> readLink(StringRef text) {
  auto [first, second] = text.split(':');
  double bandwidth = 0, latency = -1;
  if (first.getAsDouble(bandwidth) || second.getAsDouble(latency) ||
      !std::isfinite(bandwidth * 1e9) || !std::isfinite(latency) ||
      bandwidth <= 0 || latency < 0)
    return std::nullopt;
  return NetworkLink{BytesPerSecond(bandwidth * 1e9), Seconds(latency * 1e-6)};
}

/// (N1) Every collective with c = b = 0 and no start of its own.
static llvm::Expected<CollectiveCoefficients> readStated(StringRef text) {
  auto [name, numbers] = text.split(':');
  std::optional<NetworkLink> link = readLink(numbers);
  if (name.empty() || !link)
    return refuse(text);
  CollectiveCoefficients links;
  links.provenance = "stated by --interconnect=" + text.str();
  links.transferredFrom = "--interconnect=" + text.str();
  for (const auto &kind : EnumTraits<CollectiveKind>::cases) {
    CollectiveFit fit;
    fit.kind = kind.value;
    fit.step = link->latency;
    fit.bandwidth = link->bandwidth;
    links.fits.push_back(fit);
  }
  return links;
}

llvm::Expected<CoefficientsAttr>
gpucost::setInterconnect(CoefficientsAttr coefficients,
                         StringRef interconnect) {
  mlir::MLIRContext *context = coefficients.getContext();
  Coefficients fitted = coefficients.getValue();
  StringRef name = coefficientsOf(interconnect);
  if (name.empty()) {
    llvm::Expected<CollectiveCoefficients> links = readStated(interconnect);
    if (!links)
      return links.takeError();
    // Nothing that is stated says what the links draw.
    if (fitted.collectives) {
      links->powerFraction = fitted.collectives->powerFraction;
      links->network = fitted.collectives->network;
    }
    fitted.collectives = *links;
    return CoefficientsAttr::get(context, fitted);
  }
  llvm::Expected<CoefficientsAttr> other =
      findEmbeddedCoefficients(context, name);
  if (!other)
    return other.takeError();
  std::optional<NetworkLink> network;
  if (fitted.collectives)
    network = fitted.collectives->network;
  fitted.collectives = other->getValue().collectives;
  fitted.collectives->network = network;
  return CoefficientsAttr::get(context, fitted);
}

llvm::Expected<CoefficientsAttr>
gpucost::setNetwork(CoefficientsAttr coefficients, StringRef network) {
  std::optional<NetworkLink> link = readLink(network);
  if (!link)
    return llvm::createStringError(
        "--network expects GB/s:us (bandwidth of a node above 0 and latency of "
        "one hop), but got '" +
        network + "'");
  Coefficients fitted = coefficients.getValue();
  if (!fitted.collectives)
    return llvm::createStringError(
        "--network needs coefficients of the links inside a node; state them "
        "with --interconnect");
  fitted.collectives->network = link;
  return CoefficientsAttr::get(coefficients.getContext(), fitted);
}

llvm::Expected<CoefficientsAttr>
gpucost::setLinks(CoefficientsAttr coefficients, const Scenario &scenario) {
  if (scenario.interconnect) {
    llvm::Expected<CoefficientsAttr> changed =
        setInterconnect(coefficients, *scenario.interconnect);
    if (!changed)
      return changed.takeError();
    coefficients = *changed;
  }
  if (scenario.network)
    return setNetwork(coefficients, *scenario.network);
  return coefficients;
}
