//===- CoefficientsWriter.cpp - Coefficients to attributes and text -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/CoefficientsWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir;
using namespace gpucost;

CoefficientsAttr
gpucost::withFitted(MLIRContext *context, const Coefficients &fitted,
                    const llvm::StringMap<GroupProvenance> &provenances,
                    StringRef provenance) {
  Coefficients result = fitted;
  forEachGroup(result, [&](const GroupInfo &info, auto &group) {
    auto found = provenances.find(info.name);
    if (!group || found == provenances.end())
      return;
    group->provenance = found->second.text;
    if (!found->second.isPartial)
      group->transferredFrom.clear();
  });
  result.provenance = provenance.str();
  return CoefficientsAttr::get(context, result);
}

/// Breaks `text` after commas outside of quotes, indenting what follows.
static void printWrapped(StringRef text, raw_ostream &os) {
  constexpr size_t width = 96;
  size_t column = 0;
  bool quoted = false;
  StringRef piece = text;
  for (size_t i = 0, start = 0; i <= text.size(); ++i) {
    bool isEnd = i == text.size();
    if (!isEnd && text[i] == '"')
      quoted = !quoted;
    if (!isEnd && (quoted || text[i] != ' '))
      continue;
    piece = text.slice(start, i);
    // Only a comma ends a parameter: "3 us" stays in one line.
    bool breakable = start > 0 && text[start - 2] == ',';
    if (breakable && column + 1 + piece.size() > width) {
      os << "\n  ";
      column = 2;
    } else if (start > 0) {
      os << ' ';
      ++column;
    }
    os << piece;
    column += piece.size();
    start = i + 1;
  }
  os << '\n';
}

std::string gpucost::printCoefficientsFile(CoefficientsAttr coefficients,
                                           StringRef comment) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";
  for (StringRef line : llvm::split(comment.rtrim('\n'), '\n'))
    os << llvm::StringRef("// " + line.str()).rtrim() << '\n';
  std::string references;
  MLIRContext *context = coefficients.getContext();
  forEachGroup(coefficients.getValue(), [&](const GroupInfo &info,
                                            const auto &group) {
    using Group = typename std::decay_t<decltype(group)>::value_type;
    if (!group)
      return;
    std::string value, name(info.name);
    llvm::raw_string_ostream(value) << RecordAttr<Group>::get(context, *group);
    os << '\n';
    printWrapped("#" + name + " = " + value, os);
    references += ",\n  " + name + " = #" + name;
  });
  std::string stacks;
  for (const AttentionStack &stack : coefficients->attentionStacks) {
    std::string value, name(stringifySoftware(stack.software));
    // An alias is a keyword.
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); },
        '_');
    llvm::raw_string_ostream(value)
        << RecordAttr<AttentionStack>::get(context, stack);
    os << '\n';
    printWrapped("#attention_of_" + name + " = " + value, os);
    stacks += (stacks.empty() ? "" : ", ") + ("#attention_of_" + name);
  }
  if (!stacks.empty())
    references += ",\n  attention_stacks = [" + stacks + "]";
  os << "\nmodule attributes {gpucost.coefficients = #gpucost.coefficients<\n"
     << "  provenance = \"";
  llvm::printEscapedString(coefficients->provenance, os);
  os << '"' << references << ">} {}\n";
  return text;
}
