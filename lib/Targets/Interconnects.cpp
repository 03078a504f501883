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

/// (N1) Every collective with c = b = 0 and no start of its own.
static llvm::Expected<CollectiveCoefficients> readStated(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ':');
  double bandwidth = 0, step = -1;
  if (parts.size() != 3 || parts[0].empty() ||
      parts[1].getAsDouble(bandwidth) || parts[2].getAsDouble(step) ||
      !std::isfinite(bandwidth) || !std::isfinite(step) || bandwidth <= 0 ||
      step < 0)
    return refuse(text);
  CollectiveCoefficients links;
  links.provenance = "stated by --interconnect=" + text.str();
  links.transferredFrom = "--interconnect=" + text.str();
  for (const auto &kind : EnumTraits<CollectiveKind>::cases) {
    CollectiveFit fit;
    fit.kind = kind.value;
    fit.step = Seconds(step * 1e-6);
    fit.bandwidth = BytesPerSecond(bandwidth * 1e9);
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
    links->powerFraction =
        fitted.collectives ? fitted.collectives->powerFraction : 0;
    fitted.collectives = *links;
    return CoefficientsAttr::get(context, fitted);
  }
  llvm::Expected<CoefficientsAttr> other =
      findEmbeddedCoefficients(context, name);
  if (!other)
    return other.takeError();
  fitted.collectives = other->getValue().collectives;
  return CoefficientsAttr::get(context, fitted);
}
