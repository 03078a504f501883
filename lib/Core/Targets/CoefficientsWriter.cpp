//===- CoefficientsWriter.cpp - Coefficient file writer -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Support/RecordText.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>

using namespace gpucost;

Coefficients gpucost::withFitted(
    Coefficients fitted,
    const std::map<std::string, GroupProvenance, std::less<>> &provenances,
    std::string_view provenance) {
  forEachGroup(fitted, [&](const GroupInfo &info, auto &group) {
    auto found = provenances.find(info.name);
    if (!group || found == provenances.end())
      return;
    group->provenance = found->second.text;
    if (!found->second.isPartial)
      group->transferredFrom.clear();
  });
  fitted.provenance = provenance;
  return fitted;
}

/// Breaks `line` after commas outside quotes and indents the continuation
/// lines.
static void printWrapped(std::string_view line, std::string &text) {
  constexpr size_t width = 96;
  size_t column = 0;
  bool quoted = false;
  for (size_t i = 0, start = 0; i <= line.size(); ++i) {
    bool isEnd = i == line.size();
    if (!isEnd && line[i] == '"')
      quoted = !quoted;
    if (!isEnd && (quoted || line[i] != ' '))
      continue;
    std::string_view piece = line.substr(start, i - start);
    // Break only after a comma, so that "3 us" stays on one line.
    bool breakable = start > 0 && line[start - 2] == ',';
    if (breakable && column + 1 + piece.size() > width) {
      text += "\n  ";
      column = 2;
    } else if (start > 0) {
      text += ' ';
      ++column;
    }
    text += piece;
    column += piece.size();
    start = i + 1;
  }
  text += '\n';
}

/// Prints `#name = #gpucost.mnemonic<...>` on separate lines.
template <typename Record>
static void printNamed(std::string_view name, const Record &record,
                       std::string &text) {
  std::string line =
      concat("#", name, " = #gpucost.", RecordTraits<Record>::mnemonic);
  printRecord(line, recordType<Record>(), &record);
  text += '\n';
  printWrapped(line, text);
}

std::string gpucost::printCoefficientsFile(const Coefficients &coefficients,
                                           std::string_view comment,
                                           std::string_view board) {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";
  comment = comment.substr(0, comment.find_last_not_of('\n') + 1);
  while (true) {
    size_t end = std::min(comment.find('\n'), comment.size());
    std::string line = concat("// ", comment.substr(0, end));
    text.append(line, 0, line.find_last_not_of(" \t\r") + 1) += '\n';
    if (end == comment.size())
      break;
    comment.remove_prefix(end + 1);
  }
  std::string references, stacks;
  forEachGroup(coefficients, [&](const GroupInfo &info, const auto &group) {
    if (!group)
      return;
    printNamed(info.name, *group, text);
    references += concat(",\n  ", info.name, " = #", info.name);
  });
  for (const AttentionStack &stack : coefficients.attentionStacks) {
    std::string name = concat("attention_of_", stringifyEnum(stack.software));
    // The alias must be a keyword.
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; },
        '_');
    printNamed(name, stack, text);
    stacks += concat(stacks.empty() ? "#" : ", #", name);
  }
  if (!stacks.empty())
    references += concat(",\n  attention_stacks = [", stacks, "]");
  auto printList = [&](std::string_view keyword, const auto &list) {
    for (size_t i = 0; i < list.size(); ++i) {
      std::string name = concat(keyword, "_", i);
      printNamed(name, list[i], text);
      references += i == 0 ? concat(",\n  ", keyword, " = [") : ", ";
      references += "#" + name + (i + 1 == list.size() ? "]" : "");
    }
  };
  printList("causal_of_dims", coefficients.causalOfDims);
  printList("full_of_dims", coefficients.fullOfDims);
  printList("decode_of_dims", coefficients.decodeOfDims);
  printList("eight_bit_attention", coefficients.eightBitAttention);
  printList("low_precision", coefficients.lowPrecision);
  text += "\nmodule attributes {gpucost.coefficients = #gpucost.coefficients<\n"
          "  provenance = ";
  printText(text, coefficients.provenance);
  text += references + ">";
  if (!board.empty()) {
    text += ",\n  gpucost.calibrated_for = ";
    printText(text, board);
  }
  return text + "} {}\n";
}
