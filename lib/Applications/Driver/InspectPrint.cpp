//===- InspectPrint.cpp - Output of inspect -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inspect.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;
using Table = TextTable;

static void printInputs(const Inspection &inspection, llvm::raw_ostream &os) {
  if (inspection.inputs.empty())
    return;
  Table table({Table::left("input", 20), Table::left("type"),
               Table::left("shape", 20)});
  for (const Inspection::Input &input : inspection.inputs)
    table.addRow(
        {input.name, input.type, "[" + llvm::join(input.dims, ", ") + "]"});
  os << '\n';
  table.print(os, 2);
}

static void printSymbols(const Inspection &inspection, llvm::raw_ostream &os) {
  if (inspection.symbols.empty())
    return;
  constexpr size_t most = 4;
  Table table({Table::left("symbol"), Table::left("used in", 20)});
  for (const Inspection::Symbol &symbol : inspection.symbols) {
    llvm::ArrayRef<std::string> all = symbol.uses;
    std::string text = llvm::join(all.take_front(most), ", ");
    if (all.size() > most)
      text += " and " + std::to_string(all.size() - most) + " more";
    table.addRow({symbol.name, text});
  }
  os << '\n';
  table.print(os, 2);
}

static void printOps(const Inspection &inspection, llvm::raw_ostream &os) {
  if (inspection.ops.empty())
    return;
  Table table({Table::right("count"), Table::left("op", 20),
               Table::left("coverage", 20)});
  for (const Inspection::Op &op : inspection.ops)
    table.addRow({op.count, op.name, stringifyRuleKind(op.rule)});
  os << '\n';
  table.print(os, 2);
}

void gpucost::printTable(const Inspection &inspection, llvm::raw_ostream &os) {
  os << printable(inspection.model);
  for (const auto &[domain, version] : inspection.opsets)
    os << (domain == inspection.opsets.front().first ? ": " : ", ")
       << printable(domain) << ' ' << version;
  os << '\n';
  auto count = static_cast<double>(inspection.parameterCount);
  auto bytes = static_cast<double>(inspection.parameterBytes);
  NumberWithUnit parameters = formatSi(count, "");
  os << "parameters " << memoryText(bytes) << " (" << parameters.number
     << parameters.unit << ")\n";
  int64_t covered = inspection.opCount(true), bare = inspection.opCount(false);
  os << "coverage   ";
  if (bare == 0)
    os << "all " << covered << " ops are modelled\n";
  else
    os << bare << " of " << covered + bare << " ops have no cost rule\n";
  printInputs(inspection, os);
  printSymbols(inspection, os);
  if (!inspection.outputs.empty()) {
    os << '\n';
    os << "  outputs ";
    printWrapped(os, llvm::join(inspection.outputs, ", "), 10, 10);
  }
  printOps(inspection, os);
  if (!inspection.symbols.empty()) {
    std::vector<std::string> names;
    for (const Inspection::Symbol &symbol : inspection.symbols)
      names.push_back(symbol.name);
    os << "\n  " << bindFlag(names) << " gives the symbols values\n";
  }
}

void gpucost::printJson(const Inspection &inspection, llvm::raw_ostream &os) {
  llvm::json::OStream j(os, /*IndentSize=*/2);
  auto text = [](llvm::StringRef value) { return llvm::json::fixUTF8(value); };
  j.object([&] {
    j.attribute("model", text(inspection.model));
    j.attributeObject("opsets", [&] {
      for (const auto &[domain, version] : inspection.opsets)
        j.attribute(text(domain), version);
    });
    j.attribute("parameter_count", inspection.parameterCount);
    j.attribute("parameter_bytes", inspection.parameterBytes);
    j.attributeArray("inputs", [&] {
      for (const Inspection::Input &input : inspection.inputs)
        j.object([&] {
          j.attribute("name", text(input.name));
          j.attribute("type", text(input.type));
          j.attributeArray("shape", [&] {
            for (llvm::StringRef dim : input.dims) {
              int64_t size;
              bool isSymbol = llvm::any_of(
                  inspection.symbols, [&](const Inspection::Symbol &symbol) {
                    return symbol.name == dim;
                  });
              if (!isSymbol && !dim.getAsInteger(10, size))
                j.value(size);
              else
                j.value(text(dim));
            }
          });
        });
    });
    j.attributeArray("outputs", [&] {
      for (const std::string &output : inspection.outputs)
        j.value(text(output));
    });
    j.attributeArray("symbols", [&] {
      for (const Inspection::Symbol &symbol : inspection.symbols)
        j.object([&] {
          j.attribute("name", text(symbol.name));
          j.attributeArray("uses", [&] {
            for (const std::string &use : symbol.uses)
              j.value(text(use));
          });
        });
    });
    j.attributeArray("ops", [&] {
      for (const Inspection::Op &op : inspection.ops)
        j.object([&] {
          j.attribute("op", text(op.name));
          j.attribute("count", op.count);
          j.attribute("covered", isCovered(op.rule));
          j.attribute("coverage", llvm::StringRef(stringifyRuleKind(op.rule)));
        });
    });
    j.attribute("covered_ops", inspection.opCount(true));
    j.attribute("uncovered_ops", inspection.opCount(false));
  });
  os << '\n';
}
