//===- TargetList.cpp - The built-in GPUs ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetList.h"
#include "gpucost/Targets/TargetRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;

static void printLines(llvm::ArrayRef<TargetSummary> targets,
                       llvm::raw_ostream &os) {
  for (const TargetSummary &target : targets) {
    std::string formats;
    for (NumericFormat format : target.formats) {
      formats += formats.empty() ? "" : " ";
      formats += stringifyNumericFormat(format);
      formats += format == target.defaultFormat ? "*" : "";
    }
    os << llvm::left_justify(target.name, 17)
       << llvm::left_justify(target.die, 11) << llvm::left_justify(formats, 32)
       << llvm::join(target.aliases, ", ") << '\n';
    if (!target.transferred.empty())
      os << llvm::indent(4) << "transferred: " << target.transferred << '\n';
  }
  os << "\n* default format; --target=<name or alias>[-<format>]\n";
}

static void printJson(llvm::ArrayRef<TargetSummary> targets,
                      llvm::raw_ostream &os) {
  llvm::json::OStream j(os, /*IndentSize=*/2);
  auto nameOf = [](NumericFormat format) {
    return std::string(stringifyNumericFormat(format));
  };
  j.array([&] {
    for (const TargetSummary &target : targets)
      j.object([&] {
        j.attribute("name", target.name);
        j.attribute("die", target.die);
        j.attributeArray("formats", [&] {
          for (NumericFormat format : target.formats)
            j.value(nameOf(format));
        });
        j.attribute("default_format", nameOf(target.defaultFormat));
        j.attributeArray("aliases", [&] {
          for (const std::string &alias : target.aliases)
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
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  llvm::Expected<std::vector<TargetSummary>> targets = listTargets(&context);
  if (!targets)
    return targets.takeError();
  json ? printJson(*targets, os) : printLines(*targets, os);
  return llvm::Error::success();
}
