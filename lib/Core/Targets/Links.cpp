//===- Links.cpp - Links between GPUs by name -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/Links.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/TargetData.h"

using namespace gpucost;

/// The coefficient set of an interconnect; "" for unknown names.
static std::string_view setOf(std::string_view interconnect) {
#define INTERCONNECT(name, coefficients)                                       \
  if (interconnect == name)                                                    \
    return coefficients;
#include "gpucost/Core/Targets/Interconnects.def"
  return "";
}

static std::string refuse(std::string_view interconnect) {
  std::string names;
#define INTERCONNECT(name, coefficients)                                       \
  names += (names.empty() ? "" : ", ") + std::string(name);
#include "gpucost/Core/Targets/Interconnects.def"
  return concat("--interconnect expects ", names,
                " or NAME:GB/s:us (bus bandwidth from 0.001 to 1e6 and latency "
                "of one step up to 1e6), but got '",
                interconnect, "'");
}

static std::pair<std::string_view, std::string_view>
splitAtColon(std::string_view text) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Limits of links in GB/s and us; beyond them the unit is wrong.
static constexpr double leastBandwidth = 1e-3, mostBandwidth = 1e6;
static constexpr double mostLatency = 1e6;

namespace {
/// A stated link.
struct Link {
  BytesPerSecond bandwidth;
  Seconds latency;
};
} // namespace

/// "GB/s:us": a bandwidth and a time within these limits.
static std::optional<Link> readLink(std::string_view text) {
  auto [first, second] = splitAtColon(text);
  double bandwidth = 0, latency = -1;
  if (!parseNumber(first, bandwidth) || !parseNumber(second, latency) ||
      !(bandwidth >= leastBandwidth && bandwidth <= mostBandwidth) ||
      !(latency >= 0 && latency <= mostLatency))
    return std::nullopt;
  return Link{BytesPerSecond(bandwidth * 1e9), Seconds(latency * 1e-6)};
}

/// (N1) All collectives with c = b = 0 and without a separate start time.
static Expected<CollectiveCoefficients> readStated(std::string_view text) {
  auto [name, numbers] = splitAtColon(text);
  std::optional<Link> link = readLink(numbers);
  if (name.empty() || !link)
    return fail(refuse(text));
  CollectiveCoefficients links;
  links.provenance = concat("stated by --interconnect=", text);
  links.transferredFrom = concat("--interconnect=", text);
  for (const auto &kind : EnumTraits<CollectiveKind>::cases) {
    if (isHostCopy(kind.value))
      continue;
    CollectiveFit fit;
    fit.kind = kind.value;
    fit.step = link->latency;
    fit.bandwidth = link->bandwidth;
    links.fits.push_back(fit);
  }
  return links;
}

Expected<Coefficients>
gpucost::withInterconnect(Coefficients coefficients,
                          std::string_view interconnect) {
  std::string_view name = setOf(interconnect);
  std::optional<CollectiveCoefficients> before = coefficients.collectives;
  if (name.empty()) {
    Expected<CollectiveCoefficients> links = readStated(interconnect);
    if (!links)
      return fail(links.error());
    // The stated links do not include their power.
    if (before)
      links->powerFraction = before->powerFraction;
    coefficients.collectives = *links;
  } else {
    const Coefficients *other = findCompiledCoefficients(name);
    if (!other)
      return fail(concat("unknown coefficient set '", name, "'"));
    coefficients.collectives = other->collectives;
  }
  if (before && coefficients.collectives)
    coefficients.collectives->network = before->network;
  // (N12) The sets of the named links; no board has the name of stated ones.
  // (N15) These kernels were measured on the target's links only.
  coefficients.expertExchange.reset();
  if (coefficients.allReduce)
    coefficients.allReduce->board = name.empty() ? interconnect : name;
  return coefficients;
}

/// Reads a user's file.
static Expected<DataFile> readNetworkFile(const std::string &path) {
  Expected<DataFile> data = readDataFile(path);
  if (!data)
    return fail(data.error());
  if (std::string fault = faultOfNetwork(*data); !fault.empty())
    return fail(concat(path, ": ", fault));
  return data;
}

std::string gpucost::faultOfNetwork(const DataFile &data) {
  if (!data.network)
    return "expected 'gpucost.network'";
  if (data.network->name.empty() || data.network->gpus == 0)
    return concat("expected '", data.network->name.empty() ? "name" : "gpus",
                  "' in 'gpucost.network'");
  if (!data.coefficientsFrom.empty() &&
      !findCompiledCoefficients(data.coefficientsFrom))
    return concat("unknown coefficient set '", data.coefficientsFrom, "'");
  return {};
}

Expected<DataFile> gpucost::readNetwork(std::string_view text) {
  constexpr std::string_view extension = ".mlir";
  if (text.size() > extension.size() &&
      text.substr(text.size() - extension.size()) == extension)
    return readNetworkFile(std::string(text));
  double number = 0;
  bool isName = !text.empty() && text.find(':') == std::string_view::npos &&
                !parseNumber(text, number);
  if (isName) {
    Expected<const DataFile *> named = findCompiledNetwork(text);
    if (!named)
      return fail(named.error());
    return **named;
  }
  std::optional<Link> link = readLink(text);
  if (!link)
    return fail(concat(
        "--network expects a name (--list-networks shows all), FILE.mlir or "
        "GB/s:us (bandwidth of a node from 0.001 to 1e6, latency of one hop up "
        "to 1e6), but got '",
        text, "'"));
  DataFile data;
  data.network = Network();
  data.network->bandwidth = link->bandwidth;
  data.network->latency = link->latency;
  return data;
}

Expected<Coefficients> gpucost::withNetwork(Coefficients coefficients,
                                            std::string_view network) {
  Expected<DataFile> data = readNetwork(network);
  if (!data)
    return fail(data.error());
  if (!coefficients.collectives)
    return fail(
        "--network needs coefficients of the links inside a node; state them "
        "with --interconnect");
  addLargeNodes(data->coefficientsFrom, *coefficients.collectives);
  coefficients.collectives->network = data->network;
  return coefficients;
}

Expected<Coefficients> gpucost::withLinks(Coefficients coefficients,
                                          const Scenario &scenario) {
  if (scenario.interconnect) {
    auto changed =
        withInterconnect(std::move(coefficients), *scenario.interconnect);
    if (!changed)
      return fail(changed.error());
    coefficients = *std::move(changed);
  }
  if (scenario.network)
    return withNetwork(std::move(coefficients), *scenario.network);
  return coefficients;
}
